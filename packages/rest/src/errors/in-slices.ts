/** Values as JSON has them, made in ticks of the event loop where they are large (security.md, S-101). */
import type { MaybePromise } from '@fastback/core'
import { byClock, chain, fewRows, inSlices } from '@fastback/core/connector'

/**
 * Calls `write` with each item of a long list, or each member of an object that has such a list, and puts the
 * results together; undefined for everything else, which is written at once.
 */
export interface SlicedWriter<T> {
  /** Of a value that is written at once. */
  one (value: unknown): T
  list (items: T[]): T
  object (members: Array<readonly [name: string, value: T]>): T
}

/**
 * Makes something of a value.
 *
 * ```js
 * await writeInSlices(rows, { one: JSON.stringify, list: texts => `[${texts.join()}]`, object: … })
 * ```
 */
export function writeInSlices<T> (given: unknown, make: SlicedWriter<T>): MaybePromise<T> {
  const value = hasLongList(given) ? withoutToJson(given) : given
  if (Array.isArray(value) && value.length > fewRows) {
    const made: T[] = []
    // An item in a list: what JSON does not have is null there.
    const step = (i: number): void => { made.push(make.one(value[i] === undefined ? null : value[i])) }
    return chain(inSlices(value.length, step, byClock()), () => make.list(made))
  }
  if (!isPlain(value) || !hasLongList(value)) return make.one(value)
  return membersOf(value, make)
}

async function membersOf<T> (value: Readonly<Record<string, unknown>>, make: SlicedWriter<T>): Promise<T> {
  const members: Array<readonly [string, T]> = []
  for (const [name, each] of Object.entries(value)) {
    if (each === undefined || typeof each === 'function' || typeof each === 'symbol') continue
    members.push([name, await writeInSlices(each, make)])
  }
  return make.object(members)
}

const isLong = (value: unknown): boolean => Array.isArray(value) && value.length > fewRows

/** Whether a list is long, or an object has one in it. */
const hasLongList = (value: unknown): boolean =>
  isLong(value) || (value !== null && typeof value === 'object' && Object.values(value).some(isLong))

const isPlain = (value: unknown): value is Record<string, unknown> => {
  if (value === null || typeof value !== 'object') return false
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return false
  return typeof (value as { toJSON?: unknown }).toJSON !== 'function'
}

const withoutToJson = (value: unknown): unknown => {
  const own = (value as { toJSON?: unknown }).toJSON
  return typeof own === 'function' ? own.call(value, '') : value
}
