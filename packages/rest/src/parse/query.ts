/** The query of a URL, as Express reads it (request-parsing.md, section 4), read only when an operation has arguments in it. */
import qs from 'qs'
import { badRequest } from '../errors/request-errors.js'

/** Limits on the text of a query (security.md, S-23); more is refused, not cut off. */
export const queryLimits = { parameters: 1000, arrayItems: 1000, depth: 5, objectText: 16384 } as const

const options: qs.IParseOptions<qs.BooleanOptional> & { throwOnLimitExceeded: boolean } = {
  allowPrototypes: true,
  arrayLimit: queryLimits.arrayItems,
  depth: queryLimits.depth,
  parameterLimit: queryLimits.parameters,
  throwOnLimitExceeded: true
}

export type Fields = Record<string, unknown>

/** The part of a URL after the first `?`; undefined when there is none or nothing follows. */
export function queryText (url: string): string | undefined {
  const start = url.indexOf('?')
  return start === -1 || start === url.length - 1 ? undefined : url.slice(start + 1)
}

/**
 * Parses a query or a form: `a[b][c]=1`, `a[]=1`, `a=1&a=2`. Keys `__proto__` are left out.
 * @throws RequestError 400 when there are more parameters or array items than allowed
 */
export function parseFields (text: string): Fields {
  try {
    return qs.parse(text, options)
  } catch (error) {
    if (error instanceof RangeError) throw badRequest(error.message, 'QUERY_LIMIT_EXCEEDED')
    throw error
  }
}

/**
 * One parameter of a query. A query that is nothing but `name=text` (most filters) is read without a parser.
 * @returns a text, an array or an object; undefined when the parameter is not there
 */
export function queryParameter (text: string, name: string, parsed: () => Fields): unknown {
  if (text.startsWith(name) && text.charCodeAt(name.length) === EQUALS && !text.includes('&', name.length)) return decode(text.slice(name.length + 1))
  const fields = parsed()
  return Object.hasOwn(fields, name) ? fields[name] : undefined
}

const EQUALS = 0x3d

/** A text that cannot be decoded stays as it is. */
function decode (text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text
  if (!spaced.includes('%')) return spaced
  try {
    return decodeURIComponent(spaced)
  } catch {
    return spaced
  }
}
