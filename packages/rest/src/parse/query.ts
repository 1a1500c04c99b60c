/**
 * The query of a URL, as Express reads it (request-parsing.md, section 4), read only when an operation has arguments in
 * it.
 */
import type { BooleanOptional, IParseOptions } from 'qs'
import { badRequest } from '../errors/request-errors.js'
import { defaultJsonDepth } from './json.js'
import { qs } from './qs.js'

/** Limits on the text of a query and of a form (security.md, S-23); more is refused, not cut off. */
export interface TextLimits {
  /** Parameters of a query, fields of a form. Default: 1,000. */
  readonly parameters: number
  /** Items of one list (`a[]=1&a[]=2`). Default: 1,000. */
  readonly listItems: number
  /** Levels of brackets; what is deeper stays part of the name. Not for filters. Default: 5. */
  readonly brackets: number
  /** Characters of one object that is written as JSON, such as a filter. Default: 16,384. */
  readonly objectText: number
}

export const defaultTextLimits: TextLimits = Object.freeze({
  parameters: 1000,
  listItems: 1000,
  brackets: 5,
  objectText: 16_384
})

export type Fields = Record<string, unknown>

/** The part of a URL after the first `?`; undefined when there is none or nothing follows. */
export function queryText (url: string): string | undefined {
  const start = url.indexOf('?')
  return start === -1 || start === url.length - 1 ? undefined : url.slice(start + 1)
}

/**
 * Parses a query or a form: `a[b][c]=1`, `a[]=1`, `a=1&a=2`. Keys `__proto__` are left out.
 * @throws RequestError 400 when there are more parameters or list items than allowed
 */
export interface FieldsParser {
  (text: string): Fields
  /** The same for filters, which say by limits of their own how deep they may be. */
  deep (text: string): Fields
}

export function fieldsParser (limits: TextLimits): FieldsParser {
  const brackets = Math.max(limits.brackets, defaultJsonDepth)
  return Object.assign(parserOf(limits), { deep: parserOf({ ...limits, brackets }) })
}

function parserOf ({ parameters, listItems, brackets }: TextLimits): (text: string) => Fields {
  const options: IParseOptions<BooleanOptional> & { throwOnLimitExceeded: boolean } = {
    allowPrototypes: true,
    arrayLimit: listItems,
    depth: brackets,
    parameterLimit: parameters,
    throwOnLimitExceeded: true
  }
  return text => {
    try {
      return qs().parse(text, options)
    } catch (error) {
      if (error instanceof RangeError) throw badRequest(error.message, 'QUERY_LIMIT_EXCEEDED')
      throw error
    }
  }
}

/** With the default limits: for what is not a route's. */
export const parseFields = fieldsParser(defaultTextLimits)

/**
 * One parameter of a query. A query that is nothing but `name=text` (most filters) is read without a parser.
 * @returns a text, an array or an object; undefined when the parameter is not there
 */
export function queryParameter (text: string, name: string, parsed: () => Fields): unknown {
  if (text.startsWith(name) && text.charCodeAt(name.length) === EQUALS && !text.includes('&', name.length)) {
    return decode(text.slice(name.length + 1))
  }
  const fields = parsed()
  return Object.hasOwn(fields, name) ? fields[name] : undefined
}

/**
 * The names of the parameters in a query, without what stands in brackets behind them.
 *
 * ```js
 * queryNames('filter[limit]=3&order=title') // ['filter', 'order']
 * ```
 */
export const queryNames = (text: string): string[] =>
  text.split('&').map(pair => {
    const name = decode(pair.split('=', 1)[0] as string)
    const bracket = name.indexOf('[')
    return bracket === -1 ? name : name.slice(0, bracket)
  })

/** Whether a key of a query is, or has in brackets, the name that is left out of what is parsed. */
export const namesPrototype = (text: string): boolean =>
  text.split('&').some(pair => decode(pair.split('=', 1)[0] as string).includes('__proto__'))

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
