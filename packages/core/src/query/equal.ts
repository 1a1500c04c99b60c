/** Equality of stored values and condition values. */
import type { ConditionValue } from './ast.js'
import type { Meter } from './work.js'

/** Whether one value passes a test. */
export type ValueTest = (value: unknown) => boolean

/**
 * Whether a value equals `wanted`. Null equals null and missing; numbers equal bigints of the same value; objects and
 * lists compare deeply.
 */
export function equalTest (wanted: ConditionValue, meter?: Meter): ValueTest {
  switch (typeof wanted) {
    case 'string': case 'boolean': return value => value === wanted
    case 'number': return value => value === wanted || (typeof value === 'bigint' && sameNumber(value, wanted))
    case 'bigint': return value => value === wanted || (typeof value === 'number' && sameNumber(value, wanted))
  }
  if (wanted === null) return value => value === null || value === undefined
  if (wanted instanceof Date) {
    const time = wanted.getTime()
    return value => value instanceof Date && value.getTime() === time
  }
  return value => value !== null && typeof value === 'object' && deepEqual(value, wanted, meter)
}

const sameNumber = (a: number | bigint, b: number | bigint): boolean => a >= b && a <= b

/** From how many values on a look-up table is faster than trying one after the other. */
const fewValues = 8

/** Whether a value equals one of `wanted`. */
export function inTest (wanted: readonly ConditionValue[], meter?: Meter): ValueTest {
  const tests = wanted.length <= fewValues ? wanted.map(value => equalTest(value, meter)) : bundled(wanted, meter)
  if (tests.length === 1) return tests[0] as ValueTest
  return value => {
    for (let i = 0; i < tests.length; i++) if ((tests[i] as ValueTest)(value)) return true
    return false
  }
}

/** One table for all scalars, one for dates, tests for the rest. */
function bundled (wanted: readonly ConditionValue[], meter: Meter): ValueTest[] {
  const scalars = new Set<unknown>()
  const times = new Set<number>()
  const tests: ValueTest[] = []
  for (const value of wanted) {
    if (value instanceof Date) times.add(value.getTime())
    else if (typeof value === 'object' || typeof value === 'bigint') tests.push(equalTest(value, meter))
    else scalars.add(value)
  }
  if (scalars.size > 0) tests.push(value => scalars.has(typeof value === 'bigint' ? narrowed(value) : value))
  if (times.size > 0) tests.push(value => value instanceof Date && times.has(value.getTime()))
  return tests
}

/** Of the same value as a number, where a double holds it exactly. */
const narrowed = (value: bigint): number | bigint => Number.isSafeInteger(Number(value)) ? Number(value) : value

/**
 * Deep equality of data: objects by their keys whatever the order, keys of undefined as if they were not there.
 *
 * ```js
 * deepEqual({ a: 1, b: [2] }, { b: [2], a: 1, c: undefined }) // true
 * ```
 * @param meter counts the keys of objects in `a`, which may be far larger than `b`
 */
export function deepEqual (a: unknown, b: unknown, meter?: Meter): boolean {
  if (a === b) return true
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') {
    return (typeof a === 'bigint' || typeof b === 'bigint') && isNumeric(a) && isNumeric(b) && sameNumber(a, b)
  }
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, i) => deepEqual(item, b[i], meter))
  }
  if (a instanceof Date || b instanceof Date) {
    return a instanceof Date && b instanceof Date && a.getTime() === b.getTime()
  }
  if (a instanceof Uint8Array || b instanceof Uint8Array) {
    return a instanceof Uint8Array && b instanceof Uint8Array && Buffer.compare(a, b) === 0
  }
  return !Array.isArray(b) && sameMembers(a as Record<string, unknown>, b as Record<string, unknown>, meter)
}

const isNumeric = (value: unknown): value is number | bigint => typeof value === 'number' || typeof value === 'bigint'

function sameMembers (a: Record<string, unknown>, b: Record<string, unknown>, meter: Meter): boolean {
  let count = 0
  const keys = Object.keys(a)
  meter?.spend(keys.length)
  for (const key of keys) {
    if (a[key] === undefined) continue
    if (!Object.hasOwn(b, key) || !deepEqual(a[key], b[key], meter)) return false
    count++
  }
  for (const key of Object.keys(b)) if (b[key] !== undefined) count--
  return count === 0
}
