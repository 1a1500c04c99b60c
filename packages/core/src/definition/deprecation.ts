/** What goes away: methods, models, properties that clients are told to use no longer (RFC 9745, RFC 8594). */
import { InvalidDefinitionError } from '../errors.js'
import type { ModelDefinition } from './definition.js'
import { locationOf } from './location.js'
import type { CompiledProperty } from './stored-model.js'

/** As it is written: true is told in the description of the API, an object with each response as well. */
export type DeprecationInput = boolean | DeprecationDates

export interface DeprecationDates {
  /** Since when it should not be used: a date, `2026-10-01`, or a date with a time. */
  readonly since?: string
  /** When it may be gone, not before `since`. */
  readonly sunset?: string
  /** Address of a page that says what to use in its place. */
  readonly link?: string
}

/** The same, read. Times are milliseconds since 1970. */
export interface Deprecation {
  readonly since: number | undefined
  readonly sunset: number | undefined
  readonly link: string | undefined
}

const date = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d))?$/
/** A character that ends the target of a `Link` header, or the header. */
const unfit = /[\s<>"\p{Cc}]/u

/**
 * Reads what `deprecated` says. Undefined where responses say nothing of it.
 *
 * ```js
 * readDeprecation({ since: '2026-10-01' }, refuse) // { since: 1790812800000, sunset: undefined, link: undefined }
 * ```
 * @param refuse told what is wrong, from the path below `deprecated`; throws
 */
export function readDeprecation (
  written: unknown, refuse: (key: string, problem: string) => never
): Deprecation | undefined {
  if (written === undefined || written === null || typeof written === 'boolean') return undefined
  if (typeof written !== 'object' || Array.isArray(written)) {
    return refuse('', 'must be true, false or an object with "since", "sunset" and "link"')
  }
  const { since, sunset, link } = written as Record<string, unknown>
  const time = (key: string, value: unknown): number | undefined => {
    if (value === undefined) return undefined
    const read = typeof value === 'string' && date.test(value) ? Date.parse(value) : NaN
    return Number.isNaN(read) ? refuse(`.${key}`, 'must be a date such as "2026-10-01"') : read
  }
  const read = { since: time('since', since), sunset: time('sunset', sunset) }
  if (read.since !== undefined && read.sunset !== undefined && read.sunset < read.since) {
    refuse('.sunset', 'must not be before "since"')
  }
  if (link !== undefined && (typeof link !== 'string' || link === '' || unfit.test(link))) {
    refuse('.link', 'must be an address without blanks, quotes and angle brackets')
  }
  return { ...read, link: link as string | undefined }
}

/**
 * Whether it is deprecated at all.
 *
 * ```js
 * isDeprecated({ sunset: '2027-04-01' }) // true
 * ```
 */
export const isDeprecated = (written: unknown): boolean =>
  written === true || (written !== null && typeof written === 'object')

/**
 * What is said of properties of a model, by name.
 *
 * ```js
 * propertyDeprecations(Note.definition, Note.compiled.properties).get('colour')?.sunset // 1806537600000
 * ```
 * @throws FBK_CORE_INVALID_DEFINITION
 */
export function propertyDeprecations (
  definition: Pick<ModelDefinition, 'name' | 'source'>, properties: readonly CompiledProperty[]
): Map<string, Deprecation> {
  return new Map(properties.flatMap(({ name, definition: { deprecated } }) => {
    const read = readDeprecation(deprecated, (key, problem) => {
      throw new InvalidDefinitionError(locationOf(definition, `properties.${name}.deprecated${key}`), problem)
    })
    return read === undefined ? [] : [[name, read] as const]
  }))
}
