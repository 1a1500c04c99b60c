/** The text of a row that its revision is the hash of: both sides of a replication make the same (SY-21). */

/** Characters that are written as `\uxxxx`, besides the quotation mark and the backslash. */
const special =
  // eslint-disable-next-line no-control-regex, no-misleading-character-class -- the list of the protocol
  /["\\\u0000-\u001f\u007f-\u009f\u00ad\u0600-\u0604\u070f\u17b4\u17b5\u200c-\u200f\u2028-\u202f\u2060-\u206f\ufeff\ufff0-\uffff]/g

/** A character that stands for itself, for regular expressions. */
export const unescaped = `[^${special.source.slice(1)}`

const short: Readonly<Record<string, string>> = {
  '"': '\\"', '\\': '\\\\', '\b': '\\b', '\t': '\\t', '\n': '\\n', '\f': '\\f', '\r': '\\r'
}

const escaped = (character: string): string =>
  short[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/**
 * Values as JSON text with sorted keys, without blanks.
 *
 * ```js
 * canonicalJson({ title: 'é', id: 1 }) // '{"id":1,"title":"é"}'
 * ```
 * @param value what `JSON.parse` gives
 */
export function canonicalJson (value: unknown): string {
  if (typeof value === 'string') return `"${value.replace(special, escaped)}"`
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  const members = value as Readonly<Record<string, unknown>>
  // The order of `sort` is that of UTF-16 code units.
  return `{${Object.keys(members).sort().map(key => `${canonicalJson(key)}:${canonicalJson(members[key])}`).join(',')}}`
}

/**
 * Whether two values are one JSON, in whatever order their keys stand.
 *
 * ```js
 * sameValue({ a: 1, b: [2] }, { b: [2], a: 1 }) // true
 * ```
 */
export const sameValue = (one: unknown, other: unknown): boolean => canonicalJson(one) === canonicalJson(other)
