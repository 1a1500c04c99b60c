/**
 * Filters and indexes that stand in a definition. Of the models that relations lead to nothing is asked: their types
 * may need the one that is being written.
 */
import type { RowOf } from '../properties/infer.js'
import type { Definition, IsOpen, RelationName } from './definitions.js'
import type { ConditionOn } from './filter.js'
import type { Lineage } from './lineage.js'
import type { Fits, HasKnownBase, OfList, PropertyName, Wrong } from './names.js'

type Row<D extends Definition> = RowOf<Lineage<D>['properties'], Lineage<D>['injectedId']>
type Path = `${string}.${string}`
type No<N> = Wrong<`"${N & string}" is no property of this model`>

type CheckedWhere<W, D extends Definition> = {
  readonly [K in keyof W]: K extends 'and' | 'or' | 'nor'
    ? EachWhere<W[K], D>
    : K extends '$search' ? Fits<K, W[K], string>
      : K extends keyof Row<D> ? Fits<K, W[K], ConditionOn<NonNullable<Row<D>[K]>>>
        : K extends PropertyName<D> | RelationName<D> | Path ? unknown : No<K>
}
type EachWhere<L, D extends Definition> =
  L extends readonly unknown[] ? OfList<L, { readonly [I in keyof L]: CheckedWhere<L[I], D> }> : unknown
/**
 * The rows that a rule of access is about: what is compared with a property may be a variable of the caller's, of any
 * type.
 */
export type CheckedRows<W, D extends Definition> =
  W extends string ? Fits<'rows', W, 'own'> : true extends IsLoose<D> ? unknown : CheckedRowNames<W, D>
type CheckedRowNames<W, D extends Definition> = {
  readonly [K in keyof W]: K extends 'and' | 'or' | 'nor' ? EachRows<W[K], D>
    : K extends PropertyName<D> | RelationName<D> | Path | '$search' ? unknown : No<K>
}
type EachRows<L, D extends Definition> =
  L extends readonly unknown[] ? OfList<L, { readonly [I in keyof L]: CheckedRowNames<L[I], D> }> : unknown
/** Values that a rule sets. */
export type CheckedPreset<V, D extends Definition> =
  true extends IsLoose<D> ? unknown : { readonly [K in keyof V]: K extends PropertyName<D> ? unknown : No<K> }
/** Properties that a rule opens and shuts. */
export type CheckedRuleFields<F, D extends Definition> = {
  readonly [K in keyof F]: K extends 'read' | 'write' ? EachRuleField<F[K], D> : Wrong<`"${K & string}" is no key of "fields"`>
}
type EachRuleField<L, D extends Definition> =
  L extends readonly unknown[]
    ? OfList<L, { readonly [I in keyof L]: CheckedRuleField<L[I], D> }>
    : Wrong<'"read" and "write" are lists of names'>
type CheckedRuleField<N, D extends Definition> =
  true extends IsLoose<D> ? unknown
    : string extends N ? unknown : N extends '*' | PropertyName<D> | `-${PropertyName<D>}` ? unknown : No<N>
/** A model that is open may have other properties, and so may one whose base is not known. */
type IsLoose<D extends Definition> = IsOpen<D> | (HasKnownBase<D> extends true ? false : true)

type Direction = 'ASC' | 'DESC' | 'asc' | 'desc'
/** Texts that are worked out are known when they are there, here as below. */
type CheckedOrder<O, D extends Definition> =
  O extends readonly unknown[] ? OfList<O, { readonly [I in keyof O]: CheckedOrder<O[I], D> }>
    : string extends O ? unknown
      : O extends PropertyName<D> | `${PropertyName<D>} ${Direction}` | '$rank' | `$rank ${Direction}` | Path ? unknown
        : O extends `${infer N} ${Direction}` ? string extends N ? unknown : No<O> : No<O>
type CheckedFields<F, D extends Definition> =
  F extends readonly unknown[] ? OfList<F, { readonly [I in keyof F]: CheckedFields<F[I], D> }>
    : F extends string ? string extends F ? unknown : F extends PropertyName<D> ? unknown : No<F>
      : { readonly [K in keyof F]: K extends PropertyName<D> ? Fits<K, F[K], boolean> : No<K> }
type CheckedInclude<I, D extends Definition> =
  I extends readonly unknown[] ? OfList<I, { readonly [X in keyof I]: CheckedInclude<I[X], D> }>
    : I extends string ? CheckedRelation<I, D>
      : I extends { readonly relation: infer R } ? CheckedRelation<R, D> extends infer Asked
        ? unknown extends Asked ? unknown : { readonly relation: Asked }
        : never
        : unknown
type CheckedRelation<R, D extends Definition> =
  string extends R ? unknown : R extends RelationName<D> ? unknown : Wrong<`"${R & string}" is no relation of this model`>

type FilterKey = 'limit' | 'skip' | 'offset'
/** A named filter; functions make theirs at each call. */
export type CheckedScope<S, D extends Definition> =
  unknown extends S ? unknown : S extends (...args: never[]) => unknown ? unknown : {
    readonly [K in keyof S]: K extends 'where' ? CheckedWhere<S[K], D>
      : K extends 'order' ? CheckedOrder<S[K], D>
        : K extends 'fields' ? CheckedFields<S[K], D>
          : K extends 'include' ? CheckedInclude<S[K], D>
            : K extends FilterKey ? Fits<K, S[K], number> : Wrong<`"${K & string}" is no key of a filter`>
  }

type Trimmed<T extends string> = T extends ` ${infer R}` ? Trimmed<R> : T extends `${infer R} ` ? Trimmed<R> : T
type Columns<T extends string, D extends Definition> =
  string extends T ? unknown
    : T extends `${infer First},${infer Rest}` ? Columns<First, D> & Columns<Rest, D>
      : Trimmed<T> extends PropertyName<D> ? unknown : No<Trimmed<T>>
type CheckedKeys<K, D extends Definition> = {
  readonly [N in keyof K]: N extends PropertyName<D> | Path ? unknown : No<N>
}
type CheckedTexts<L extends readonly unknown[], D extends Definition> =
  OfList<L, { readonly [I in keyof L]: L[I] extends PropertyName<D> ? unknown : No<L[I]> }>
/** `{ keys: { a: 1 }, options }`, `{ columns: 'a, b', kind }`, `{ a: 1, b: -1 }` or `{ text: ['a'], language }`. */
export type CheckedIndex<I, D extends Definition> =
  I extends { readonly text: infer T extends readonly unknown[] } ? { readonly text: CheckedTexts<T, D> }
    : I extends { readonly keys: infer K } ? { readonly keys: CheckedKeys<K, D> }
      : I extends { readonly columns: infer C extends string } ? { readonly columns: Columns<C, D> }
        : {
            readonly [N in keyof I]: I[N] extends number | string
              ? N extends PropertyName<D> | Path | 'kind' | 'type' ? unknown : No<N>
              : unknown
          }
