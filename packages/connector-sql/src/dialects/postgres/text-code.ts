/**
 * PostgreSQL has no NUL in texts. Texts keep all their characters, and their order, in a code of two characters for the
 * first three of Unicode, which hardly any text has: U+0000 is stored as U+0001 U+0001, U+0001 as U+0001 U+0002, U+0002
 * as U+0002 U+0001.
 */
import { parseExactly } from '../../tables/exact-json.js'
import { encodeJson } from '../../tables/json-text.js'

const codes: Readonly<Record<string, string>> = {
  '\0': '\u0001\u0001',
  '\u0001': '\u0001\u0002',
  '\u0002': '\u0002\u0001'
}
const characters = new Map(Object.entries(codes).map(([character, code]) => [code, character]))

/** Whether a text has characters that are stored in code. */
export const needsCode = (text: string): boolean =>
  text.includes('\0') || text.includes('\u0001') || text.includes('\u0002')

export function codeText (text: string): string {
  // eslint-disable-next-line no-control-regex
  return needsCode(text) ? text.replaceAll(/[\0-\u0002]/g, character => codes[character] as string) : text
}

export function decodeText (stored: string): string {
  if (!stored.includes('\u0001')) return stored
  // eslint-disable-next-line no-control-regex
  return stored.replaceAll(/[\u0001\u0002]{2}/g, code => characters.get(code) ?? code)
}

/** JSON text of which PostgreSQL makes a jsonb: no NUL, no half surrogate pairs. */
export function codeJson (text: string): string {
  return /\\u(?:000[012]|d[89a-f])/i.test(text)
    ? encodeJson(mapTexts(parseExactly(text), part => codeText(wellFormed(part))))
    : text
}

/** The value of a JSON text that PostgreSQL wrote. */
export function parseJson (text: string): unknown {
  return hasCode(text) ? mapTexts(parseExactly(text), decodeText) : parseExactly(text)
}

/** JSON text that PostgreSQL wrote, as it goes out. */
export function decodeJsonText (text: string): string {
  return hasCode(text) ? encodeJson(parseJson(text)) : text
}

export const hasCode = (json: string): boolean => json.includes('\\u0001')

/** As drivers do it: half a pair becomes U+FFFD. */
const wellFormed = (text: string): string => Buffer.from(text).toString()

function mapTexts (value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value)
  if (Array.isArray(value)) return value.map(item => mapTexts(item, map))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [map(key), mapTexts(item, map)]))
}
