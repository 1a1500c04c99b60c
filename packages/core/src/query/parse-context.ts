/** What the parts of the query parser share while they read one filter. */
import type { CompiledModel } from '../definition/compiled.js'
import { badQuery, limitExceeded } from '../errors.js'
import type { Came } from './came.js'
import type { QueryLimits } from './limits.js'
import type { CompiledRegExp } from './regexp.js'
import { queryNames, type QueryNames } from './query-names.js'

export interface ParseOptions {
  /**
   * Whether the filter comes from outside: hidden properties may then not be named, and all of `limits` hold
   * (security.md, S-11, S-13, S-23).
   */
  readonly external: boolean
  /** Whether hidden properties may not be named although nothing comes from outside. */
  readonly hidden?: boolean
  /** Whether it came from outside and was judged already: what the application added to it since may name anything. */
  readonly judged?: boolean
  /** Include scopes: protected properties count as hidden (S-12). */
  readonly protectedHidden?: boolean
  /** The model's own rows are asked for although protected names are hidden: its `maxLimit` holds. */
  readonly paged?: boolean
  /**
   * Whether hidden properties are selected although they may not be named: what narrows the query, hooks and rules may
   * look at them. They are not shown.
   */
  readonly selectsHidden?: boolean
  /** The same with `selectsHidden`, where that makes a difference. */
  readonly wide?: ParseOptions
  readonly limits: QueryLimits
}

/** How filters of one application are read, by who asks. */
export interface ParseModes {
  /** Code in the process: it may ask for anything (security.md, S-13). */
  readonly internal: ParseOptions
  /** The same under LoopBack's option `prohibitHiddenPropertiesInQuery`: hidden properties may not be named. */
  readonly discreet: ParseOptions
  /** From outside, judged before, with what a default scope, an `access` hook or a relation added to it. */
  readonly judged: ParseOptions
  /** From outside. */
  readonly external: ParseOptions
  /** Protected names are hidden, too. */
  readonly protected: ParseOptions
  /** The same for a model's own rows. */
  readonly guarded: ParseOptions
}

export function parseModes (limits: QueryLimits): ParseModes {
  return Object.freeze({
    internal: Object.freeze({ external: false, limits }),
    discreet: withWide({ external: false, hidden: true, limits }),
    judged: Object.freeze({ external: false, judged: true, limits }),
    external: withWide({ external: true, limits }),
    protected: withWide({ external: true, protectedHidden: true, limits }),
    guarded: withWide({ external: true, protectedHidden: true, paged: true, limits })
  })
}

const withWide = (options: ParseOptions): ParseOptions =>
  Object.freeze({ ...options, wide: Object.freeze({ ...options, selectsHidden: true }) })

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
  readonly model: CompiledModel
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
  readonly came: Came | undefined
  /**
   * Whether the condition being read stands below a `nor`: what matches nothing there would match everything (S-24).
   */
  negated: boolean
}

const noCounts = (): QueryCounts => ({ branches: 0, values: 0, includes: 0, program: 0, patterns: undefined })

export function parseContext (
  model: CompiledModel,
  options: ParseOptions,
  counts = noCounts(),
  came?: Came
): ParseContext {
  const names = queryNames(model)
  const { external, limits } = options
  const isGuarded = external || options.hidden === true
  const guarded = options.protectedHidden === true ? names.hiddenAndProtected : model.hidden
  const secrets = isGuarded ? guarded : undefined
  const outside = external || options.judged === true
  return { model, names, options, external, outside, limits, secrets, counts, came, negated: false }
}

/** @throws RequestError 400 QUERY_LIMIT_EXCEEDED when `count` is over the limit and the filter comes from outside */
export function checkLimit (context: ParseContext, count: number, limit: number, what: string): void {
  if (count > limit && context.external) throw limitExceeded(`more than ${limit} ${what}`, limit)
}

/** A value as it stands in an error message: JSON, shortened. */
export function shown (value: unknown): string {
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
  badQuery(`The ${property} property has invalid clause ${shown(clause)}: ${why}`)
