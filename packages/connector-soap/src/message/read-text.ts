/** Texts as values of their types (SO-X3, SO-X4). */
import type { TextKind, TextType } from '../schema/types.js'

// XML Schema part 2: without an offset the time is taken for one of UTC.
const day = /^-?\d{4,}-\d\d-\d\d/
const offset = /(?:Z|[+-]\d\d:\d\d)$/

/**
 * What is not of its type stays text: a value that the service got wrong is not made up.
 *
 * ```js
 * readText('12.50', { kind: 'simple', text: 'number', isList: false, values: undefined }, false) // 12.5
 * ```
 * @param longsAreText whether whole numbers that may pass 2^53 stay text
 */
export function readText (given: string, { text: kind, isList }: TextType, longsAreText: boolean): unknown {
  const text = given.trim()
  if (isList || kind === 'text') return text
  return typed(text, kind === 'long' && longsAreText ? 'text' : kind)
}

function typed (text: string, kind: TextKind): unknown {
  switch (kind) {
    case 'number':
    case 'long': return numberOf(text) ?? text
    case 'boolean': return text === 'true' || text === '1' ? true : text === 'false' || text === '0' ? false : text
    case 'date': return dateOf(`${day.exec(text)?.[0] ?? text}T00:00:00Z`) ?? text
    case 'dateTime': return dateOf(offset.test(text) ? text : `${text}Z`) ?? text
    default: return text
  }
}

function numberOf (text: string): number | undefined {
  if (text === 'INF') return Infinity
  if (text === '-INF') return -Infinity
  return /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(text) ? Number(text) : undefined
}

function dateOf (text: string): Date | undefined {
  const date = new Date(text)
  return Number.isNaN(date.getTime()) ? undefined : date
}
