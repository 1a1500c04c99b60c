/** Which properties of a row a hook has set: their names alone. */

type Values = Readonly<Record<string, unknown>> | undefined

/** By property, something that is another where the value is. */
export type Fingerprint = ReadonlyMap<string, unknown>

/** Longer JSON is compared by its length and its beginning. */
const most = 2_000

export function fingerprintOf (values: Values): Fingerprint {
  const found = new Map<string, unknown>()
  if (values === undefined || values === null) return found
  for (const [name, value] of Object.entries(values)) {
    if (typeof value !== 'function') found.set(name, printOf(value))
  }
  return found
}

export function changedProperties (before: Fingerprint, after: Fingerprint): string[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter(name => before.has(name) !== after.has(name) || !Object.is(before.get(name), after.get(name)))
}

function printOf (value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value
  if (value instanceof Date) return `date ${value.getTime()}`
  if (ArrayBuffer.isView(value)) return `bytes ${value.byteLength}`
  try {
    const text = JSON.stringify(value)
    return `${text.length} ${text.slice(0, most)}`
  } catch {
    return value
  }
}
