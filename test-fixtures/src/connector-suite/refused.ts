import type { Test } from 'tap'

/** Asserts that a promise is rejected with an error that has these members. */
export async function refused (t: Test, promise: Promise<unknown>, expected: object): Promise<void> {
  const error: unknown = await promise.then(() => undefined, (reason: unknown) => reason)
  t.match(error, expected)
}
