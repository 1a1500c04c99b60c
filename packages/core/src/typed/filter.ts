/** Types of filters: names are those of the model, values have the type of their property. */
import type { GeoPoint } from '../properties/types.js'
import type { Covering, OperatorName, OperatorOption } from '../query/operator-names.js'
import type { Definition, IsList, IsUnknown, RelationName, RowType, Target } from './definitions.js'

/** The value itself in the forms that conditions take. */
type Comparable<V> = V extends Date ? Date | string | number : V

type Equality<V> = Covering<OperatorName<'equality'>, {
  eq?: V | null
  neq?: V | null
  inq?: ReadonlyArray<V | null>
  nin?: ReadonlyArray<V | null>
  exists?: boolean
}>
type Ranges<V> = Covering<OperatorName<'ranges'>, { gt?: V, gte?: V, lt?: V, lte?: V, between?: readonly [V, V] }>
type Texts = Covering<OperatorName<'patterns'> | OperatorOption<'patterns'>, {
  like?: string
  nlike?: string
  ilike?: string
  nilike?: string
  regexp?: string | RegExp
  options?: string
}>
type Places = Covering<OperatorName<'distances'> | OperatorOption<'distances'>, {
  near?: GeoPoint | string
  maxDistance?: number
  minDistance?: number
  unit?: 'kilometers' | 'meters' | 'miles' | 'feet' | 'radians' | 'degrees'
}>

/** Operators for a type of values; all that are given must hold. */
export type Operators<V> =
  Equality<Comparable<V>> &
  ([V] extends [string | number | Date] ? Ranges<Comparable<V>> : unknown) &
  ([V] extends [string] ? Texts : unknown) &
  ([V] extends [GeoPoint] ? Places : unknown)

/** A list property matches when one element does. */
export type ConditionOn<V> = unknown extends V
  ? unknown
  : [V] extends [ReadonlyArray<infer Item>]
      ? V | ConditionOn<Item>
      : Comparable<V> | null | Operators<V>

/** Relations that conditions can name: a property of the same name comes first. */
type ConditionRelation<D extends Definition> =
  IsUnknown<D> extends true ? never : Exclude<RelationName<D>, keyof RowType<D>>

/** How many of the related rows must pass a condition. */
export interface Quantified<D extends Definition, R extends string> {
  readonly some?: Where<Target<D, R>>
  readonly every?: Where<Target<D, R>>
  readonly none?: Where<Target<D, R>>
}

/** A condition on related rows: of a relation to one row also the condition itself, or null where there is no row. */
export type RelatedWhere<D extends Definition, R extends string> = IsList<D, R> extends true
  ? Quantified<D, R>
  : Where<Target<D, R>> | Quantified<D, R> | null

/**
 * A condition: properties, relations, `and`/`or`/`nor`, words of a model with a text index, and dotted paths into
 * objects and related rows.
 */
export type Where<D extends Definition> = {
  readonly [K in keyof RowType<D>]?: ConditionOn<NonNullable<RowType<D>[K]>>
} & {
  readonly [R in ConditionRelation<D>]?: RelatedWhere<D, R>
} & {
  readonly and?: ReadonlyArray<Where<D>>
  readonly or?: ReadonlyArray<Where<D>>
  readonly nor?: ReadonlyArray<Where<D>>
  readonly $search?: string
} & { readonly [path: `${string}.${string}`]: unknown }

type Name<D extends Definition> = keyof RowType<D> & string
type Direction = 'ASC' | 'DESC' | 'asc' | 'desc'
export type OrderTerm<D extends Definition> =
  | Name<D> | `${Name<D>} ${Direction}` | '$rank' | `$rank ${Direction}` | `${string}.${string}`

export type Fields<D extends Definition> = Name<D> | ReadonlyArray<Name<D>> | { readonly [K in Name<D>]?: boolean }

/** Which relations to load, each with a filter of its own. */
export type Include<D extends Definition> = IncludeItem<D> | ReadonlyArray<IncludeItem<D>>
export type IncludeItem<D extends Definition> =
  | RelationName<D>
  | {
    [R in RelationName<D>]: { readonly relation: R, readonly scope?: RelatedFilter<D, R>, readonly count?: boolean }
  }[RelationName<D>]
  | { readonly [R in RelationName<D>]?: Include<Target<D, R>> }

/** The names of `distinct`: those of related rows are looked for where they are written, and not before. */
export type DistinctName<D extends Definition> = Name<D> | `${string}.${string}`

/** Filters of values, and not of rows. */
export interface Distinct { readonly distinct: string | readonly string[] }

export interface Filter<D extends Definition> {
  readonly where?: Where<D>
  readonly order?: OrderTerm<D> | ReadonlyArray<OrderTerm<D>>
  readonly fields?: Fields<D>
  readonly include?: Include<D>
  readonly limit?: number
  readonly skip?: number
  readonly offset?: number
  /** The page behind the row that a cursor names; empty: the first page, with cursors. */
  readonly after?: string
  /** The page in front of it; empty: the last one. */
  readonly before?: string
  /** Of a model with `softDelete`: rows that are put away as well, or no others. */
  readonly deleted?: 'only' | 'with'
  /** The values of these, each combination once, in place of rows. */
  readonly distinct?: DistinctName<D> | ReadonlyArray<DistinctName<D>>
}

/**
 * The filter of a related model. The compiler looks for that model's type where a filter of it is written, and not
 * before: methods of two related models may each include the other.
 */
export interface RelatedFilter<D extends Definition, R extends string> {
  readonly where?: Filter<Target<D, R>>['where']
  readonly order?: Filter<Target<D, R>>['order']
  readonly fields?: Filter<Target<D, R>>['fields']
  readonly include?: Filter<Target<D, R>>['include']
  readonly limit?: number
  readonly skip?: number
  readonly offset?: number
}

/**
 * The same filter, with `never` in place of what the model does not have. A filter is inferred literally, so that the
 * result can be; TypeScript does not look for surplus names in what it infers, and this does.
 */
export type Known<D extends Definition, F> = F extends object
  ? {
      [K in keyof F]: K extends 'where'
        ? KnownWhere<D, F[K]>
        : K extends 'include'
          ? KnownInclude<D, F[K]>
          : K extends keyof Filter<D>
            ? unknown
            : never
    }
  : unknown

export type KnownWhere<D extends Definition, W> = W extends object
  ? {
      [K in keyof W]: K extends 'and' | 'or' | 'nor'
        ? W[K] extends ReadonlyArray<infer Each>
          ? ReadonlyArray<KnownWhere<D, Each>>
          : unknown
        : K extends keyof RowType<D> | '$search' | `${string}.${string}`
          ? unknown
          : K extends ConditionRelation<D>
            ? KnownRelated<D, K, W[K]>
            : never
    }
  : unknown

type KnownRelated<D extends Definition, R extends string, W> = W extends null
  ? unknown
  : IsList<D, R> extends true
    ? { [Q in keyof W]: Q extends keyof Quantified<D, R> ? KnownWhere<Target<D, R>, W[Q]> : never }
    : [keyof W] extends [keyof Quantified<D, R>]
        ? { [Q in keyof W]: KnownWhere<Target<D, R>, W[Q]> }
        : KnownWhere<Target<D, R>, W>

type KnownList<D extends Definition, L> = { readonly [X in keyof L]: KnownInclude<D, L[X]> }

type KnownInclude<D extends Definition, I> = I extends string
  ? unknown
  : I extends readonly unknown[]
    ? KnownList<D, I>
    : I extends { readonly relation: infer R extends string; readonly scope: infer S }
      ? { relation: unknown; scope: Known<Target<D, R>, S> }
      : I extends { readonly relation: string }
        ? unknown
        : I extends object
          ? { [R in keyof I]: KnownInclude<Target<D, R & string>, I[R]> }
          : unknown
