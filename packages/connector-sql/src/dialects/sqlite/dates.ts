/**
 * Instants as text that sorts as time does: `2020-01-01T00:00:00.000Z`, always UTC with milliseconds.
 *
 * ISO 8601 writes years before 0 and after 9999 with a sign, which sorts wrongly. Those are kept as `~012345-…` (after
 * every digit) and `-…` with 300,000 added to the year (before every digit, and rising); no calendar that people use
 * ever meets them.
 */
import { readIsoInstant, toIsoText } from '@fastback/core/connector'

const offset = 300_000

/** Text of a date for a column; null for an invalid one. */
export function encodeDate (date: Date): string | null {
  if (Number.isNaN(date.getTime())) return null
  const text = toIsoText(date)
  if (text.length === 24) return text
  return text.startsWith('-') ? `-${turned(text)}` : `~${text.slice(1)}`
}

/**
 * The instant of a stored text, number (milliseconds since 1970) or text of others (`date-texts.ts`), which is of UTC
 * where it names no zone; null when it is none.
 */
export function decodeDate (raw: unknown): Date | null {
  // What was read is mostly written next, and its text is known then.
  const instant = typeof raw === 'string' ? readIsoInstant(raw) : undefined
  if (instant !== undefined) return instant
  const date = new Date(typeof raw === 'string' && !/^-?\d{6,16}(?:\.\d+)?$/.test(raw) ? isoText(raw) : Number(raw))
  return Number.isNaN(date.getTime()) ? null : date
}

const ofOthers = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|UTC|[+-]\d\d:?\d\d)?$/

function isoText (raw: string): string {
  if (raw.length === 24 && raw.charCodeAt(10) === 84 && raw.charCodeAt(23) === 90) return raw
  if (raw.startsWith('~')) return `+${raw.slice(1)}`
  if (raw.startsWith('-')) return `-${turned(raw)}`
  const [, day, time, zone = 'Z'] = ofOthers.exec(raw) ?? []
  return day === undefined ? raw : `${day}T${time}${zone === 'UTC' ? 'Z' : zone.replace(/(\d\d)(\d\d)$/, '$1:$2')}`
}

/** A text with a negative year, the year counted from the other end. */
const turned = (text: string): string => String(offset - Number(text.slice(1, 7))).padStart(6, '0') + text.slice(7)
