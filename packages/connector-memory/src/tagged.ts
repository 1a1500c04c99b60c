/**
 * Values that JSON does not have, as objects with one key: `{"$date": "2020-01-01T00:00:00.000Z"}`, `{"$bytes":
 * "base64"}`, `{"$bigint": "12"}`. An object of the application that has such a key itself stands in `{"$object":
 * {…}}`.
 */

const tags: ReadonlySet<string> = new Set(['$date', '$bytes', '$bigint', '$object'])

/** The form of a value that JSON can hold. */
export function tag (value: unknown): unknown {
  if (typeof value === 'bigint') return { $bigint: String(value) }
  if (value === null || typeof value !== 'object') return value
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : { $date: value.toISOString() }
  if (value instanceof Uint8Array) return { $bytes: Buffer.from(value).toString('base64') }
  if (Array.isArray(value)) return value.map(tag)
  if ('toJSON' in value && typeof value.toJSON === 'function') return tag(value.toJSON())
  const keys = Object.keys(value)
  const members = tagMembers(value as Record<string, unknown>, keys)
  return keys.length === 1 && tags.has(keys[0] as string) ? { $object: members } : members
}

function tagMembers (value: Record<string, unknown>, keys: readonly string[]): Record<string, unknown> {
  const members: Record<string, unknown> = {}
  for (const key of keys) members[key] = tag(value[key])
  return members
}

/** The value of a tagged form. */
export function untag (value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(untag)
  const keys = Object.keys(value)
  const { $date, $bytes, $bigint, $object } = value as Record<string, unknown>
  if (keys.length === 1) {
    if (typeof $date === 'string') return new Date($date)
    if (typeof $bytes === 'string') return Buffer.from($bytes, 'base64')
    if (typeof $bigint === 'string') return BigInt($bigint)
    if ($object !== null && typeof $object === 'object') {
      return untagMembers($object as Record<string, unknown>, Object.keys($object))
    }
  }
  return untagMembers(value as Record<string, unknown>, keys)
}

function untagMembers (value: Record<string, unknown>, keys: readonly string[]): Record<string, unknown> {
  const members: Record<string, unknown> = {}
  for (const key of keys) if (key !== '__proto__') members[key] = untag(value[key])
  return members
}
