/** What the parts of the query parser share while they read one filter. */
import { badQuery, limitExceeded } from '../errors.js'
import type { SearchCondition } from './ast.js'
import type { IncludePath } from './include-path.js'
import type { QueryLimits } from './limits.js'
import type { ParseOptions } from './parse-modes.js'
import type { QueriedModel } from './queried-model.js'
import type { CompiledRegExp } from './regexp.js'
import { queryNames, type QueryNames } from './query-names.js'

/** What was met so far, all levels of includes together. */
export interface QueryCounts {
  branches: number
  values: number
  includes: number
  /** Instructions of patterns. */
  program: number
  /** Patterns, each compiled once. */
  patterns: Map<string, CompiledRegExp> | undefined
}

export interface ParseContext {
  readonly model: QueriedModel
  readonly names: QueryNames
  readonly options: ParseOptions
  readonly external: boolean
  /** Whether anything of the filter came from outside, judged already or not. */
  readonly outside: boolean
  readonly limits: QueryLimits
  /** Names that may not be used; undefined for in-process code. */
  readonly secrets: ReadonlySet<string> | undefined
  readonly counts: QueryCounts
  /** The includes around this filter. */
  readonly includePath: IncludePath | undefined
  /**
   * Whether the condition being read stands below a `nor`: what matches nothing there would match everything (S-24).
   */
  negated: boolean
  /** What the condition being read stands in, where that is no `and`: `or`, `nor`, or what quantifies related rows. */
  among: string | undefined
  /** The search of this filter, once it was met. */
  search: SearchCondition | undefined
}

const noCounts = (): QueryCounts => ({ branches: 0, values: 0, includes: 0, program: 0, patterns: undefined })

export function parseContext (
  model: QueriedModel,
  options: ParseOptions,
  counts = noCounts(),
  includePath?: IncludePath
): ParseContext {
  const names = queryNames(model)
  const { external, limits } = options
  const isGuarded = external || options.hidden === true
  const guarded = options.protectedHidden === true ? names.hiddenAndProtected : model.hidden
  const secrets = isGuarded ? guarded : undefined
  const outside = external || options.judged === true
  return {
    model, names, options, external, outside, limits, secrets, counts, includePath,
    negated: false, among: undefined, search: undefined
  }
}

/** @throws RequestError 400 QUERY_LIMIT_EXCEEDED when `count` is over the limit and the filter comes from outside */
export function checkLimit (context: ParseContext, count: number, limit: number, what: string): void {
  if (count > limit && context.external) throw limitExceeded(`more than ${limit} ${what}`, limit)
}

/** A value as it stands in an error message: JSON, shortened. */
export function excerpt (value: unknown): string {
  let text: string | undefined
  try {
    text = JSON.stringify(value)
  } catch {
    text = undefined
  }
  text ??= String(value)
  return text.length > 120 ? `${text.slice(0, 120)}…` : text
}

/** Whether a value is an object literal (from JSON or in code) and no instance of a class. */
export function isPlainObject (value: unknown): value is Record<string, unknown> {
  if (value === null || typeof value !== 'object') return false
  const prototype = Object.getPrototypeOf(value) as unknown
  return prototype === Object.prototype || prototype === null
}

/**
 * A list, or an object with the keys 0, 1, … (`filter[where][and][0]=…`), as a list. Undefined for everything else.
 */
export function asList (value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value
  if (!isPlainObject(value)) return undefined
  const { length } = Object.keys(value)
  if (length === 0) return undefined
  const list = new Array<unknown>(length)
  for (let i = 0; i < length; i++) {
    if (!Object.hasOwn(value, i)) return undefined
    list[i] = value[i]
  }
  return list
}

/** 400 for a condition that cannot be read. */
export const badClause = (property: string, clause: unknown, why: string) =>
  badQuery(`The ${property} property has invalid clause ${excerpt(clause)}: ${why}`)
