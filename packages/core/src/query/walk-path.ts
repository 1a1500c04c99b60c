/** From a row to the values that a path reaches. */
import type { Row } from '../properties/types.js'
import type { PropertyPath } from './ast.js'
import type { ValueTest } from './equal.js'
import { isIndex } from './path.js'
import type { Meter } from './work.js'

/**
 * Compiles "some value at this place passes". A list passes when an element does (or, for whole lists, the list
 * itself); a path walks into objects and into the elements of lists, and a number in it picks one element. Where the
 * path leads nowhere the value is undefined.
 * @param meter counts the steps of a path
 */
export function compileSome (path: PropertyPath, test: ValueTest, meter?: Meter): (row: Row) => boolean {
  const { property, path: parts, visible } = path
  const passes: ValueTest = visible === undefined ? test : value => test(visible(value))
  const safe = isSafe(path)
  if (parts.length > 0) return row => someBelow(propertyOf(row, property, safe), parts, 0, passes, meter)
  if (safe && neverList(path)) return row => passes(row[property])
  return row => {
    const value = propertyOf(row, property, safe)
    return Array.isArray(value) ? passes(value) || value.some(passes) : passes(value)
  }
}

/**
 * Names may be those of `Object.prototype` (`toString`): rows that lack such a property have no value there
 * (security.md, S-34).
 */
const isSafe = ({ property, declared }: PropertyPath): boolean => declared && !(property in Object.prototype)

function propertyOf (row: Row, name: string, safe: boolean): unknown {
  return safe || Object.hasOwn(row, name) ? row[name] : undefined
}

/** Whether a property cannot hold a list, so that nobody need look for one. */
function neverList ({ type: { kind }, declared }: PropertyPath): boolean {
  return declared && kind !== 'array' && kind !== 'any' && kind !== 'object' && kind !== 'model'
}

function someBelow (value: unknown, parts: readonly string[], from: number, passes: ValueTest, meter: Meter): boolean {
  meter?.spend(1)
  if (from === parts.length) {
    return Array.isArray(value) ? passes(value) || value.some(item => passes(item)) : passes(value)
  }
  const part = parts[from] as string
  if (!Array.isArray(value)) return someBelow(memberOf(value, part), parts, from + 1, passes, meter)
  if (isIndex(part)) return someBelow(value[Number(part)], parts, from + 1, passes, meter)
  for (let i = 0; i < value.length; i++) if (someBelow(value[i], parts, from, passes, meter)) return true
  return false
}

/** Own members only: a path never reaches a prototype, the length of a text or the bytes of a buffer. */
function memberOf (value: unknown, name: string): unknown {
  if (value === null || typeof value !== 'object' || value instanceof Uint8Array) return undefined
  return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined
}

/**
 * Compiles "the value at this place", for order: through a list only an element that the path picks by number is
 * reached.
 *
 * ```js
 * compileValueAt(propertyPath(model, 'title'))({ title: 'hello' }) // 'hello'
 * ```
 */
export function compileValueAt (path: PropertyPath): (row: Row) => unknown {
  const { visible, ...whole } = path
  if (visible !== undefined) {
    const valueAt = compileValueAt(whole)
    return row => visible(valueAt(row))
  }
  const { property, path: parts } = path
  const safe = isSafe(path)
  if (parts.length === 0) return safe ? row => row[property] : row => propertyOf(row, property, safe)
  return row => {
    let value: unknown = propertyOf(row, property, safe)
    for (const part of parts) {
      value = Array.isArray(value)
        ? isIndex(part)
          ? (value[Number(part)] as unknown)
          : undefined
        : memberOf(value, part)
    }
    return value
  }
}
