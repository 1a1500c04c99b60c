/** A value that nobody else holds. */
export function copyValue (value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value
  if (value instanceof Date) return new Date(value)
  if (Buffer.isBuffer(value)) return Buffer.from(value)
  if (Array.isArray(value)) return value.map(copyValue)
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, copyValue(inner)]))
}
