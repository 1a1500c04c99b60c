import type { Test } from 'tap'

/** Asserts that a promise is rejected with an error of this class, or with these members. */
export async function refused (t: Test, promise: Promise<unknown>, expected: object): Promise<void> {
  const error: unknown = await promise.then(() => undefined, (reason: unknown) => reason)
  if (typeof expected === 'function') t.ok(error instanceof expected, String(error))
  else t.match(error, expected)
}
