/** Who asks decides how a filter is read. */
import type { QueryLimits } from './limits.js'

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
  /** Whether conditions may be about related rows whatever the model says. */
  readonly related?: boolean
  readonly limits: QueryLimits
  /** What a call in the process says for itself, in place of the model's settings. */
  readonly call?: CallSettings
}

/** Options of a call that are settings otherwise; undefined: what the settings say. */
export interface CallSettings {
  readonly maxDepthOfQuery?: number | undefined
  readonly allowExtendedOperators?: boolean | undefined
  /** Whether depth, circles and operators of MongoDB's spelling are not looked at. */
  readonly disableSanitize?: boolean | undefined
}

/** How a filter is read for a call that may say more than its mode; the mode itself where it does not. */
export function forCall (mode: ParseOptions, given: CallSettings): ParseOptions {
  const { maxDepthOfQuery, allowExtendedOperators, disableSanitize } = given
  if (maxDepthOfQuery === undefined && allowExtendedOperators === undefined && disableSanitize !== true) return mode
  const call = {
    maxDepthOfQuery, disableSanitize, allowExtendedOperators: allowExtendedOperators ?? (disableSanitize || undefined)
  }
  return { ...mode, call, ...(mode.wide === undefined ? {} : { wide: { ...mode.wide, call } }) }
}

/** How filters of one application are read, by who asks. */
export interface ParseModes {
  /** Conditions of access rules: as code in the process, and about related rows whatever the model says. */
  readonly rules: ParseOptions
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
    rules: Object.freeze({ external: false, related: true, call: { disableSanitize: true }, limits }),
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
