import { asText, isMeddling } from './convert.js'
import type { Scope, Source, Values } from './scope.js'
import { partsOf } from './variables.js'

/** Makes a value of a template. */
export type Render = (values: Values) => unknown

/**
 * Compiles any value of a template: texts, and texts below it, keys included (service-connectors.md, SC-T2, SC-T3).
 *
 * ```js
 * compileValue({ name: '{name}', note: 'of {size}' }, scope, 'body')(['a', 5]) // { name: 'a', note: 'of 5' }
 * ```
 */
export function compileValue (written: unknown, scope: Scope, source: Source): Render {
  if (typeof written === 'string') return compileText(written, scope, source)
  if (Array.isArray(written)) {
    const items = written.map(item => compileValue(item, scope, source))
    return values => items.map(render => render(values))
  }
  if (typeof written !== 'object' || written === null) return () => written
  const entries = Object.entries(written).map(([key, value]) => ({
    key: keyOf(key, scope, source), value: compileValue(value, scope, source)
  }))
  return values => {
    const result: Record<string, unknown> = {}
    for (const { key, value } of entries) {
      const name = typeof key === 'string' ? key : asText(key(values))
      if (!isMeddling(name)) result[name] = value(values)
    }
    return result
  }
}

/** A key as it stands, where nothing in it is a variable. */
const keyOf = (written: string, scope: Scope, source: Source): string | Render =>
  partsOf(written).every(part => typeof part === 'string') ? written : compileText(written, scope, source)

/** A text that is one variable becomes its value; null where there is none. */
function compileText (written: string, scope: Scope, source: Source): Render {
  const parts = partsOf(written)
  const [first = ''] = parts
  if (parts.length < 2) {
    if (typeof first === 'string') return () => first
    const slot = scope.declare(first, source)
    return values => values[slot] ?? null
  }
  const pieces = parts.map(part => typeof part === 'string' ? part : scope.declare(part, source))
  return values => pieces.map(piece => typeof piece === 'string' ? piece : asText(values[piece])).join('')
}

/** Makes a fresh copy of a value each time: observers may change what they get. */
export function copying (value: unknown): () => unknown {
  if (Array.isArray(value)) {
    const items = value.map(copying)
    return () => items.map(copy => copy())
  }
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return () => value
  const entries = Object.entries(value).map(([key, inner]) => ({ key, copy: copying(inner) }))
  return () => Object.fromEntries(entries.map(({ key, copy }) => [key, copy()]))
}
