/** Single values as text (SO-X3, SO-X6). */
import { invalidInput } from '../errors.js'
import type { TextKind, TextType } from '../schema/types.js'

/**
 * ```js
 * writeText(new Date(0), { kind: 'simple', text: 'date', isList: false, values: undefined }, 'Until') // '1970-01-01'
 * ```
 * @param where for messages
 * @throws RequestError 400 INVALID_SOAP_INPUT for what is no single value
 */
export function writeText (value: unknown, { text, isList }: Pick<TextType, 'text' | 'isList'>, where: string): string {
  if (isList && Array.isArray(value)) return value.map(each => single(each, text, where)).join(' ')
  return single(value, text, where)
}

function single (value: unknown, kind: TextKind, where: string): string {
  switch (typeof value) {
    case 'string': return value
    case 'boolean':
    case 'bigint': return String(value)
    case 'number': return numberText(value)
    default:
  }
  if (value instanceof Date) return dateText(value, kind, where)
  if (value instanceof Uint8Array) return Buffer.from(value).toString(kind === 'hex' ? 'hex' : 'base64')
  throw invalidInput(where, 'a single value is expected')
}

/** Numbers that are none have names of their own in XML Schema. */
function numberText (value: number): string {
  if (Number.isFinite(value)) return String(value)
  return Number.isNaN(value) ? 'NaN' : value > 0 ? 'INF' : '-INF'
}

function dateText (value: Date, kind: TextKind, where: string): string {
  if (Number.isNaN(value.getTime())) throw invalidInput(where, 'the date is none')
  const text = value.toISOString()
  if (kind === 'date') return text.slice(0, text.indexOf('T'))
  return kind === 'time' ? text.slice(text.indexOf('T') + 1) : text
}
