/** The filter language, typed by rows: LoopBack's, as REST has it. */
import type { Covering, OperatorName, OperatorOption } from '@fastback/core/query'

/** A value of a row, as a filter may say it: a `Date` stands for its ISO text. */
type Given<V> = V | (V extends string ? Date : never) | null

/** The element of a list, which conditions on lists are about. */
type Part<V> = V extends ReadonlyArray<infer Item> ? Item | V : V

/** Tests of one value; all of them must hold. */
export type Tests<V> = Covering<OperatorName | OperatorOption, {
  readonly eq?: Given<V>
  readonly neq?: Given<V>
  readonly gt?: Given<V>
  readonly gte?: Given<V>
  readonly lt?: Given<V>
  readonly lte?: Given<V>
  readonly between?: readonly [Given<V>, Given<V>]
  readonly inq?: ReadonlyArray<Given<V>>
  readonly nin?: ReadonlyArray<Given<V>>
  /** SQL's: `%` any run, `_` one character, `\` escapes. */
  readonly like?: string
  readonly nlike?: string
  readonly ilike?: string
  readonly nilike?: string
  /** A pattern, as text (`^x`, `/^x/i`) or as it is in code. */
  readonly regexp?: string | RegExp
  /** Letters of `gim`, for patterns. */
  readonly options?: string
  readonly exists?: boolean
  readonly near?: { readonly lat: number, readonly lng: number } | string
  readonly maxDistance?: number
  readonly minDistance?: number
  /** Default: `miles`. */
  readonly unit?: 'kilometers' | 'meters' | 'miles' | 'feet' | 'radians' | 'degrees'
}>

/** A condition on rows. Dotted paths lead into objects and lists. */
export type Where<R> = {
  readonly [K in keyof R]?: Given<Part<NonNullable<R[K]>>> | Tests<Part<NonNullable<R[K]>>>
} & {
  readonly and?: ReadonlyArray<Where<R>>
  readonly or?: ReadonlyArray<Where<R>>
  readonly nor?: ReadonlyArray<Where<R>>
} & { readonly [path: `${string}.${string}`]: unknown }

type Term<R> = keyof R & string

/** Which rows, in which order, which part of them. */
export interface Filter<R> {
  readonly where?: Where<R> | undefined
  /** `'title'`, `'rank DESC'`, or a list of such terms. Default: by id. */
  readonly order?: OrderTerm<R> | ReadonlyArray<OrderTerm<R>> | undefined
  /** Default: no limit; 100 where there is `skip` alone, as on the server. */
  readonly limit?: number | undefined
  readonly skip?: number | undefined
  readonly offset?: number | undefined
}

export type OrderTerm<R> = Term<R> | `${Term<R>} ${'ASC' | 'DESC'}` | `${string}.${string}`
