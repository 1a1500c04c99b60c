/** Values of statements as they may be shown: what stands in the filter, and of anything else the type. */

/** The values that a filter names, at any level, as JSON: by their texts, since drivers bind numbers as these. */
export type Literals = ReadonlyMap<string, string>

export function literalsOf (filter: unknown): Literals {
  const found = new Map<string, string>()
  const collect = (value: unknown): void => {
    if (value !== null && typeof value === 'object') for (const inner of Object.values(value)) collect(inner)
    else if (value !== null && value !== undefined) found.set(String(value), JSON.stringify(value))
  }
  collect(filter)
  return found
}

/**
 * A bound value as JSON where the filter has it, else its type: scopes and rules bind values that nobody may see.
 *
 * ```js
 * shownValue('Rome', literalsOf({ where: { city: 'Rome' } })) // '"Rome"'
 * shownValue('secret', literalsOf({})) // 'string'
 * ```
 */
export function shownValue (value: unknown, literals: Literals): string {
  if (value === null || value === undefined) return 'null'
  const literal = typeof value === 'object' ? undefined : literals.get(String(value))
  if (literal !== undefined) return literal
  if (value instanceof Date) return 'date'
  if (value instanceof Uint8Array) return 'bytes'
  return Array.isArray(value) ? `list of ${value.length}` : typeof value
}
