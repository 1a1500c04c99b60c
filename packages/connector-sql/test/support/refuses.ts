import type { Test } from 'tap'

/** Asserts that an operation fails, at once or later, with an error that has these members. */
export async function refuses (t: Test, work: () => unknown, expected: object): Promise<void> {
  let error: unknown
  try {
    await work()
  } catch (reason) {
    error = reason
  }
  t.match(error, expected)
}
