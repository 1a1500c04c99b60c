/** How much a query may ask for (security.md, S-23). */
export interface QueryLimits {
  /** Levels of objects and lists within the filter. Default 12; the model setting `maxDepthOfQuery` wins. Holds for in-process code as well. */
  readonly depth: number
  /** Branches of `and`, `or` and `nor`, all taken together. Default 500. */
  readonly branches: number
  /** Values of `inq` and `nin`, all taken together. Default 5,000. */
  readonly values: number
  /** Keys of all objects in the filter. Default 1,000. */
  readonly keys: number
  /** Terms of `order`. Default 20. */
  readonly orderTerms: number
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
  /** Largest page of models that have no `maxLimit` of their own. Default: none. */
  readonly maxLimit?: number | undefined
}

export const defaultQueryLimits: QueryLimits = Object.freeze({
  depth: 12,
  branches: 500,
  values: 5000,
  keys: 1000,
  orderTerms: 20,
  fields: 200,
  includes: 50,
  includeDepth: 8,
  pathParts: 10,
  patternLength: 256
})

/** Largest `limit` and `skip` (security.md, S-21). */
export const largestPage = 2 ** 31 - 1

/** Instructions a compiled `regexp` may have: `a{1000}` written 30 times is a short pattern, but slow on every row. */
export const largestProgram = 3000
