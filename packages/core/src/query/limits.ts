import { InvalidSettingError } from '../errors.js'

/**
 * How much a query may ask for (security.md, S-23, S-74 and S-75). The application's setting `queryLimits` changes
 * single ones.
 */
export interface QueryLimits {
  /**
   * Levels of objects and lists within the filter. Default 12; the model setting `maxDepthOfQuery` wins. Holds for
   * in-process code as well.
   */
  readonly depth: number
  /** Branches of `and`, `or` and `nor`, all taken together. Default 500. */
  readonly branches: number
  /** Values of `inq` and `nin`, all taken together. Default 5,000. */
  readonly values: number
  /** Keys of all objects in the filter. Default 1,000. */
  readonly keys: number
  /** Terms of `order`. Default 20. */
  readonly orderTerms: number
  /** Groups and aggregates of an aggregate, and names in `distinct`. Default 20. */
  readonly aggregates: number
  /** Names in `fields`. Default 200. */
  readonly fields: number
  /** Relations to include, all levels together. Default 50. */
  readonly includes: number
  /** Levels of nested includes. Default 8. */
  readonly includeDepth: number
  /** Parts of a dotted path. Default 10. */
  readonly pathParts: number
  /** Characters of a `like` or `regexp` pattern. Default 256. */
  readonly patternLength: number
  /** Characters of a `$search`. Default 500. */
  readonly searchLength: number
  /** Words of a `$search`. Default 20. */
  readonly searchWords: number
  /**
   * Instructions of all compiled `regexp` patterns, those of included relations as well; classes of characters count as
   * what it takes to compile them. Default 1,000.
   */
  readonly program: number
  /**
   * Units of work of a request, all its conditions and included relations together: instructions of a pattern tried on
   * a character, some 20 ns each; comparisons and rows that JavaScript looks at count a few. Default 100,000,000: one
   * or two seconds.
   */
  readonly work: number
  /** Rows of a response, included ones as often as they stand in it. Default 10,000. */
  readonly rows: number
  /** Characters of a response, and of what is read for it. Default 8,388,608. */
  readonly bytes: number
  /** Largest page of models that have no `maxLimit` of their own. Default: none. */
  readonly maxLimit?: number | undefined
}

export const defaultQueryLimits: QueryLimits = Object.freeze({
  depth: 12,
  branches: 500,
  values: 5000,
  keys: 1000,
  orderTerms: 20,
  aggregates: 20,
  fields: 200,
  includes: 50,
  includeDepth: 8,
  pathParts: 10,
  patternLength: 256,
  searchLength: 500,
  searchWords: 20,
  program: 1000,
  work: 100_000_000,
  rows: 10_000,
  bytes: 8_388_608
})

const names: ReadonlySet<string> = new Set([...Object.keys(defaultQueryLimits), 'maxLimit'])

/**
 * The limits of an application: its setting `queryLimits` over the defaults.
 * @throws FBK_CORE_INVALID_SETTING for a limit that there is not, or that is no whole number from 1 on
 */
export function queryLimitsOf (given: unknown): QueryLimits {
  if (given === undefined || given === null) return defaultQueryLimits
  if (typeof given !== 'object' || Array.isArray(given)) {
    throw new InvalidSettingError('queryLimits', 'must be an object of limits')
  }
  for (const [name, limit] of Object.entries(given)) {
    if (!names.has(name)) {
      throw new InvalidSettingError(`queryLimits.${name}`, `is not known; there are ${[...names].join(', ')}`)
    }
    if (!Number.isSafeInteger(limit) || limit < 1) {
      throw new InvalidSettingError(`queryLimits.${name}`, 'must be a whole number from 1 on')
    }
  }
  return Object.freeze({ ...defaultQueryLimits, ...given })
}

/** Largest `limit` and `skip` (security.md, S-21). */
export const largestPage = 2 ** 31 - 1

/** Instructions a compiled `regexp` may have: `a{1000}` written 30 times is a short pattern, but slow on every row. */
export const largestProgram = 3000
