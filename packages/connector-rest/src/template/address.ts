/** The address of a template (service-connectors.md, SC-S2, SC-S4): where a value stands decides how it is written. */
import { invalidPathValue } from '../errors.js'
import { asText } from './convert.js'
import type { Scope, Values } from './scope.js'
import { partsOf, type Variable } from './variables.js'

export interface Address {
  /** Whether it may be an address at all. */
  readonly isValid: boolean
  /** The host is a caller's: `allowHosts` must name it. */
  readonly isForeign: boolean
  /** `https://host:port` where the configuration names it; undefined where it does not, or where it is no address. */
  readonly origin: string | undefined
  /** @throws RequestError 400 INVALID_PATH_VALUE */
  readonly render: (values: Values) => string
}

/** A piece of an address, and the place where it stands. */
interface Piece {
  readonly place: Place
  readonly text: string
  readonly slot: number | undefined
  readonly raw: boolean
}

type Place = 'scheme' | 'host' | 'path' | 'query'

/**
 * Compiles an address.
 *
 * ```js
 * compileAddress('https://api.example/forecast/{city}', scope).render(['São Paulo'])
 * // 'https://api.example/forecast/S%C3%A3o%20Paulo'
 * ```
 */
export function compileAddress (written: string, scope: Scope): Address {
  const pieces = piecesOf(written, scope)
  const [, origin] = /^(https?:\/\/[^/?#]+)/i.exec(written) ?? []
  const isValid = origin !== undefined || written.startsWith('{') || /^[^/]*:\/\//.test(written)
  const isForeign = isValid &&
    pieces.some(({ place, slot }) => slot !== undefined && (place === 'scheme' || place === 'host'))
  const segments = segmentsOf(pieces)
  const isPlain = pieces.every(({ slot }) => slot === undefined)
  return {
    isValid,
    isForeign,
    origin: isForeign ? undefined : origin,
    render: isPlain ? () => written : values => segments.map(segment => renderSegment(segment, values)).join('')
  }
}

function piecesOf (written: string, scope: Scope): Piece[] {
  const pieces: Piece[] = []
  let place: Place = 'scheme'
  for (const part of partsOf(written)) {
    if (typeof part !== 'string') {
      pieces.push(variablePiece(part, place, scope))
      continue
    }
    let text = ''
    for (const character of part) {
      const next = placeBefore(character, place)
      // A slash begins a piece, so that segments can be told apart.
      if (text !== '' && (next !== place || (next === 'path' && character === '/'))) {
        pieces.push({ place, text, slot: undefined, raw: false })
        text = ''
      }
      place = next
      text += character
      if (place === 'scheme' && text.endsWith('://')) {
        pieces.push({ place, text, slot: undefined, raw: false })
        text = ''
        place = 'host'
      }
    }
    if (text !== '') pieces.push({ place, text, slot: undefined, raw: false })
  }
  return pieces
}

/** Where a character stands that comes after a place. */
function placeBefore (character: string, place: Place): Place {
  if (place !== 'host' && place !== 'path') return place
  if (character === '?' || character === '#') return 'query'
  return character === '/' ? 'path' : place
}

const variablePiece = (variable: Variable, place: Place, scope: Scope): Piece => ({
  place, text: '', raw: variable.raw, slot: scope.declare(variable, place === 'query' ? 'query' : 'path')
})

/** Pieces of the path from a slash to the next stand together: only whole segments mean something to who reads it. */
function segmentsOf (pieces: readonly Piece[]): Piece[][] {
  const segments: Piece[][] = []
  let previous: Place | undefined
  for (const piece of pieces) {
    const current = segments.at(-1)
    if (current === undefined || piece.place !== previous || piece.text.startsWith('/')) segments.push([piece])
    else current.push(piece)
    previous = piece.place
  }
  return segments
}

function renderSegment (segment: readonly Piece[], values: Values): string {
  let text = ''
  let hasValue = false
  let hasRaw = false
  for (const { place, slot, raw, text: literal } of segment) {
    if (slot === undefined) {
      text += literal
      continue
    }
    const value = asText(values[slot])
    hasValue ||= place === 'path'
    hasRaw ||= raw && place === 'path'
    text += written(value, place, raw)
  }
  if (hasValue && /^\/?\.{0,2}$/.test(text)) throw invalidPathValue()
  // Values that stand together, or beside a dot, may climb where none of them does.
  if (hasRaw && climbs.test(text)) throw invalidPathValue()
  return text
}

function written (value: string, place: Place, raw: boolean): string {
  switch (place) {
    case 'query': return encode(value)
    case 'path':
      if (!raw) return encode(value)
      if (climbs.test(value)) throw invalidPathValue()
      return value.replace(beyond, encode)
    case 'host':
      if (!/^[\w.-]+$/.test(value)) throw invalidPathValue()
      return value
    case 'scheme': return value
  }
}

// Readers of addresses take `\` for `/`, `%2e` for `.`, and leave tabs and line ends out.
const climbs = /(?:^|[/\\?#\s])(?:\.|%2e)[\t\r\n]*(?:\.|%2e)?(?:[/\\?#\s]|$)/i
const beyond = /[^\x21-\x7e]+/g

/** Percent-encodes a value whole; halves of characters become U+FFFD. */
const encode = (value: string): string => encodeURIComponent(value.replace(/\p{Surrogate}/gu, '\uFFFD'))
