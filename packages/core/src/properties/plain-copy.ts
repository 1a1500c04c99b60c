/** Copies of free-form data (kinds `object`, `any`, untyped arrays, properties that are not declared). */
import { narrowBigInt } from './convert.js'

/** What `plainCopy` gives for data nested deeper than the limit; cyclic data are infinitely deep. */
export const tooDeep: unique symbol = Symbol('too deep')

/**
 * What `plainCopy` gives for data with a number in it that JSON does not have (`1e400` in a body is infinite): it would
 * turn into null (security.md, S-32).
 */
export const notFinite: unique symbol = Symbol('not finite')

/**
 * Copies data deeply into plain objects and arrays. Dates and buffers stay what they are; functions, symbols and
 * undefined are left out; a key `__proto__` is left out, so that it never reaches a prototype (security.md, S-34);
 * instances of classes are asked for their JSON form.
 * @param levels how many levels of objects and arrays are allowed from here on
 */
export function plainCopy (value: unknown, levels: number): unknown {
  switch (typeof value) {
    case 'object': break
    case 'number': return Number.isFinite(value) ? value : notFinite
    case 'bigint': return narrowBigInt(value)
    case 'function': case 'symbol': return undefined
    default: return value
  }
  if (value === null || value instanceof Date || value instanceof Uint8Array) return value
  if (levels <= 0) return tooDeep
  if (Array.isArray(value)) return copyItems(value, levels - 1)
  const { toJSON } = value as { toJSON?: unknown }
  if (typeof toJSON === 'function') return plainCopy(toJSON.call(value), levels - 1)
  return copyMembers(value as Record<string, unknown>, levels - 1)
}

function copyItems (items: readonly unknown[], levels: number): unknown {
  const copy: unknown[] = new Array(items.length)
  for (let i = 0; i < items.length; i++) {
    const item = plainCopy(items[i], levels)
    if (item === tooDeep || item === notFinite) return item
    copy[i] = item === undefined ? null : item
  }
  return copy
}

function copyMembers (members: Readonly<Record<string, unknown>>, levels: number): unknown {
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(members)) {
    if (key === '__proto__') continue
    const member = plainCopy(members[key], levels)
    if (member === tooDeep || member === notFinite) return member
    if (member !== undefined) copy[key] = member
  }
  return copy
}
