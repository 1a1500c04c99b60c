/** Values of variables: their types, and what of an object may be sent on. */
import { invalidArgument } from '../errors.js'

/**
 * A value as its variable's type (service-connectors.md, SC-T4). Nothing stays nothing.
 *
 * ```js
 * convert('number', '7') // 7
 * convert('boolean', 'False') // false
 * ```
 */
export function convert (type: string, value: unknown): unknown {
  if (value === undefined || value === null) return undefined
  switch (type) {
    case 'number': return Number(value)
    case 'boolean': return typeof value !== 'string' ? Boolean(value) : value.toLowerCase() === 'false' ? false : value
    default: return value
  }
}

/** A default, which is written as text. */
export function defaultOf (type: string, text: string | undefined): unknown {
  if (text === undefined || (type !== 'object' && type !== 'json')) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** A value as part of a text. */
export function asText (value: unknown): string {
  if (value === undefined || value === null) return ''
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean)
}

/** How large an object may be. */
export interface Bounds { readonly depth: number, readonly keys: number, readonly items: number }

/** SC-S5. */
export const queryBounds: Bounds = { depth: 5, keys: 100, items: 100 }
export const bodyBounds: Bounds = { depth: 100, keys: Infinity, items: Infinity }

const meddling: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/** Whether a key could reach the prototype of anyone who merges what has it. */
export const isMeddling = (key: string): boolean => meddling.has(key)

/**
 * A copy of what a caller gave, within bounds and without keys that reach prototypes. What is neither a list nor a
 * plain object stays as it is.
 * @throws RequestError 400 INVALID_ARGUMENT
 */
export function bounded (value: unknown, bounds: Bounds): unknown {
  let keys = 0
  const copy = (given: unknown, depth: number): unknown => {
    const isList = Array.isArray(given)
    if (!isList && !isPlain(given)) return given
    if (depth > bounds.depth) throw invalidArgument(`is more than ${String(bounds.depth)} levels deep`)
    if (isList) {
      if (given.length > bounds.items) throw invalidArgument(`has a list of more than ${String(bounds.items)}`)
      return given.map(item => copy(item, depth + 1))
    }
    const result: Record<string, unknown> = {}
    for (const key of Object.keys(given)) {
      if (isMeddling(key)) continue
      if (++keys > bounds.keys) throw invalidArgument(`has more than ${String(bounds.keys)} keys`)
      result[key] = copy(given[key], depth + 1)
    }
    return result
  }
  return copy(value, 1)
}

function isPlain (value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
