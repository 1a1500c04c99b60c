/** Tables of calls: a row is an item, what is called, and the result. */
import type { Test } from 'tap'

export type Loose = Record<string, any>
export type Row = [item: string, call: () => unknown, expected: unknown]

/** As JSON tells it; nothing is null. */
export const plain = (value: unknown): unknown => value === undefined ? null : JSON.parse(JSON.stringify(value))

/** The code of what a call is refused with. */
export async function refused (call: () => unknown): Promise<unknown> {
  try {
    await call()
  } catch (error) {
    const { code, statusCode, details } = error as Loose
    return details?.codes ?? code ?? statusCode ?? 'refused'
  }
  return 'not refused'
}

/** One subtest a row, so that a report names the items. */
export async function each (t: Test, rows: readonly Row[]): Promise<void> {
  for (const [item, call, expected] of rows) {
    await t.test(item, async t => { t.strictSame(plain(await call()), expected) })
  }
}
