/** Types of `aggregate` and `distinct`: names are those of the model, results are inferred from what is asked. */
import type { Definition, IsList, IsUnknown, RelationName, RowType, Target } from './definitions.js'
import type { Period } from '../query/ast.js'
import type { ConditionOn, KnownWhere, Where } from './filter.js'

type Row<D extends Definition> = RowType<D>
type Value<D extends Definition, K extends keyof Row<D>> = NonNullable<Row<D>[K]>
type Name<D extends Definition> = keyof Row<D> & string
type NamesOf<D extends Definition, V> = { [K in Name<D>]: Value<D, K> extends V ? K : never }[Name<D>]

/** Relations to one row, whose properties rows can be grouped by. */
type ToOne<D extends Definition> = IsUnknown<D> extends true
  ? string
  : { [R in RelationName<D>]: IsList<D, R> extends true ? never : R }[RelationName<D>]

/** A property, or a path into an object or a related row. */
export type GroupName<D extends Definition> =
  | Name<D>
  | `${NamesOf<D, object>}.${string}`
  | { [R in ToOne<D>]: `${R}.${Name<Target<D, R>>}` }[ToOne<D>]
  | `${ToOne<D>}.${string}.${string}`

/** A date by its period: `{ createdAt: 'month' }`. */
export type GroupPeriod<D extends Definition> =
  { readonly [K in NamesOf<D, Date>]?: Period } & { readonly timeZone?: string }

export type GroupBy<D extends Definition> = GroupName<D> | GroupPeriod<D>

/** One value of each group. */
export type AggregateValue<D extends Definition> =
  | { readonly count: '*' | Name<D> }
  | { readonly countDistinct: Name<D> }
  | { readonly sum: NamesOf<D, number | bigint> }
  | { readonly avg: NamesOf<D, number | bigint> }
  | { readonly min: NamesOf<D, string | number | bigint | boolean | Date> }
  | { readonly max: NamesOf<D, string | number | bigint | boolean | Date> }

/** What an aggregate asks for; without `groupBy` all rows are one group. */
export interface AggregateFilter<D extends Definition> {
  readonly where?: Where<D>
  readonly groupBy?: GroupBy<D> | ReadonlyArray<GroupBy<D>>
  readonly aggregate?: { readonly [name: string]: AggregateValue<D> }
  /** A condition on the results, by the names of groups and aggregates. */
  readonly having?: object
  readonly order?: string | readonly string[]
  readonly limit?: number
  readonly skip?: number
  readonly offset?: number
  /** Whose days, months … dates are grouped by. Default: UTC. */
  readonly timeZone?: string
}

type Flat<T> = { [K in keyof T]: T[K] }
type Groups<F> = F extends { readonly groupBy: infer G } ? G extends readonly unknown[] ? G[number] : G : never

/** The value at a name: of the row, or of the related one behind a dot. */
type At<D extends Definition, K> =
  K extends keyof Row<D> ? Value<D, K>
    : K extends `${infer R}.${infer P}`
      ? R extends RelationName<D> ? Property<RowType<Target<D, R>>, P> : unknown
      : unknown
type Property<R, P> = P extends keyof R ? NonNullable<R[P]> : unknown

type GroupValues<D extends Definition, G> =
  & { [K in Extract<G, string>]: At<D, K> | null }
  & { [K in Exclude<G extends object ? keyof G : never, 'timeZone'> & string]: Date | null }

type Totals<D extends Definition, A> = {
  -readonly [N in keyof A]: A[N] extends { readonly count: unknown } | { readonly countDistinct: unknown } ? number
    : A[N] extends { readonly min: infer K } | { readonly max: infer K } ? At<D, K> | null
      : number | null
}

/** One object of the result. */
export type Aggregated<D extends Definition, F> = Flat<
  & (IsNever<Groups<F>> extends true ? {} : GroupValues<D, Groups<F>>)
  & (F extends { readonly aggregate: infer A } ? Totals<D, A> : {})
>
type IsNever<T> = [T] extends [never] ? true : false

type Branch = 'and' | 'or' | 'nor'
type Having<R> = { readonly [K in keyof R]?: ConditionOn<NonNullable<R[K]>> } &
  { readonly [B in Branch]?: ReadonlyArray<Having<R>> }
type ResultName<R> = keyof R & string
type OrderOf<R> = ResultName<R> | `${ResultName<R>} ${'ASC' | 'DESC' | 'asc' | 'desc'}`

/** What an aggregate says of its own results. */
export type KnownAggregate<D extends Definition, F> = {
  [K in keyof F]: K extends 'where' ? KnownWhere<D, F[K]>
    : K extends 'having' ? Having<Aggregated<D, F>> & KnownHaving<Aggregated<D, F>, F[K]>
      : K extends 'order' ? OrderOf<Aggregated<D, F>> | ReadonlyArray<OrderOf<Aggregated<D, F>>>
        : K extends keyof AggregateFilter<D> ? unknown : never
}
type KnownHaving<R, H> = {
  [K in keyof H]: K extends keyof R
    ? H[K] extends ConditionOn<NonNullable<R[K]>> ? unknown : never
    : K extends Branch ? unknown : never
}

/** The names of `distinct` in a filter. */
export type DistinctNames<F> = F extends { readonly distinct: infer N }
  ? N extends readonly unknown[] ? Extract<N[number], string> : Extract<N, string>
  : never

/** One object of a read with `distinct`. */
export type DistinctRow<D extends Definition, F> = Flat<{ [K in DistinctNames<F>]: At<D, K> | null }>
