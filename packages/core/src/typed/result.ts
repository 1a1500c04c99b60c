/** Types of what reads give: `fields` narrows the row, `include` adds relations. */
import type { Definition, IsList, RelationName, RowType, Target } from './definitions.js'

type Flat<T> = { [K in keyof T]: T[K] }
type Intersection<U> = (U extends unknown ? (value: U) => void : never) extends (value: infer I) => void ? I : never

/** Properties of the row that a filter's `fields` leaves. */
export type Picked<Row, F> =
  F extends { readonly fields: readonly [] } ? Row
    : F extends { readonly fields: ReadonlyArray<infer K> } ? Pick<Row, K & keyof Row>
      : F extends { readonly fields: infer K extends string } ? Pick<Row, K & keyof Row>
        : F extends { readonly fields: infer O extends object } ? PickedByFlags<Row, O>
          : Row

type Flagged<O, Flag> = { [K in keyof O]: O[K] extends Flag ? K : never }[keyof O]
type PickedByFlags<Row, O> = [Flagged<O, true>] extends [never]
  ? { [K in keyof Row as K extends Flagged<O, false> ? never : K]: Row[K] }
  : Pick<Row, Flagged<O, true> & keyof Row>

/** Stands for the scope of rows that are only counted. */
export interface Counted { readonly count: true }

/** An include in any of its forms, as an object: relation to the filter of its scope. */
export type Scopes<I> =
  I extends string ? { [R in I]: {} }
    : I extends ReadonlyArray<infer Item> ? Flat<Intersection<Item extends unknown ? Scopes<Item> : never>>
      : I extends { readonly relation: infer R extends string, readonly count: true } ? { [K in R]: Counted }
        : I extends { readonly relation: infer R extends string, readonly scope: infer S } ? { [K in R]: S }
          : I extends { readonly relation: infer R extends string } ? { [K in R]: {} }
            : I extends object ? { [R in keyof I]: { include: I[R] } }
              : {}

/** The relations that a filter includes. */
export type Included<F> = F extends { readonly include: infer I } ? Scopes<I> : {}

/** Those whose rows come with it, and are not only counted. */
export type IncludedRows<F> = { [R in keyof Included<F> as Included<F>[R] extends Counted ? never : R]: Included<F>[R] }

/** Rows as plain data (`toJSON`, answers over HTTP) of a read with filter `F`. */
export type Result<D extends Definition, F = {}> = Flat<
  Picked<RowType<D>, F> & {
    -readonly [R in keyof Included<F> & RelationName<D>]: Included<F>[R] extends Counted
      ? { count: number }
      : IsList<D, R> extends true
        ? Array<Result<Target<D, R>, Included<F>[R]>>
        : Result<Target<D, R>, Included<F>[R]> | undefined
  }
>
