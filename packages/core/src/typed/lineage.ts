/** A definition together with those that it extends. */
import type { BuiltinModelTypes, Definition, DEFINITION, ModelTypes } from './definitions.js'
import type { MembersOf, MergedMembers } from './members.js'

export type IsNever<T> = [T] extends [never] ? true : false
type Flat<T> = { [K in keyof T]: T[K] }

/** What every definition extends in the end. */
export type RootName = 'Model' | 'PersistedModel' | 'KeyValueModel'

type AsDefinition<T> = T extends Definition ? T : never
type Entry<Types, N, Otherwise> = N extends string
  ? Types extends { readonly [K in N]: infer D } ? AsDefinition<D> : Otherwise
  : never
type Builtin<N> = Entry<BuiltinModelTypes, N, never>
/**
 * The definition of a model by its name; never where nobody says what it is. It is matched, not read as
 * `ModelTypes[N]`: to compare types with a name that is not known yet the compiler would read all of `ModelTypes`,
 * with the definition whose methods it is just looking at.
 */
export type Named<N> = Entry<ModelTypes, N, Builtin<N>>

/** What a definition writes under a key, at its top, under `options` or under `settings`; else undefined. */
type Written<D, K extends string> =
  D extends { readonly [X in K]: infer V } ? V
    : D extends { readonly options: { readonly [X in K]: infer V } } ? V
      : D extends { readonly settings: { readonly [X in K]: infer V } } ? V
        : undefined

/** The definition that one extends; never for those that extend a root. A model may extend the one of its own name. */
type BaseOf<D extends Definition> =
  Written<D, 'base'> extends infer B
    ? B extends string
      ? B extends RootName ? never : B extends D['name'] ? Builtin<B> : Named<B>
      : B extends { readonly [DEFINITION]: infer E } ? AsDefinition<E> : AsDefinition<B>
    : never

/** A key of the definition itself. */
type Own<D, Key extends string, Otherwise> = D extends { readonly [K in Key]: infer V } ? V : Otherwise
type OwnProperties<D> = Own<D, 'properties', {}>

/** The name of the property that counts the writes of a row; never for models without. */
type VersionName<D> = Written<D, 'version'> extends infer V
  ? V extends true ? 'version' : V extends string ? V : never
  : never
/** The properties of a definition, with the one that the store counts in: nobody needs to say a value for it. */
type CountedProperties<D> = IsNever<VersionName<D>> extends true
  ? OwnProperties<D>
  : Flat<
    Omit<MembersOf<OwnProperties<D>>, VersionName<D>> &
    { readonly [K in VersionName<D>]: { readonly type: 'integer', readonly required: true, readonly default: 1 } }
  >
type OwnRelations<D> = Own<D, 'relations', {}>
type Excluded<D> = Written<D, 'excludeBaseProperties'> extends ReadonlyArray<infer N extends string> ? N : never

type WrittenStrict<D> = Written<D, 'strict'> extends infer S
  ? S extends boolean | string ? S : OwnProperties<D> extends { readonly static: unknown } ? true : undefined
  : undefined

/** What a root gives: connected models get a number as id. */
interface Root<N> {
  root: N
  properties: {}
  relations: {}
  injectedId: N extends 'PersistedModel' ? number : never
  strict: undefined
}

/** A definition with all that it inherits. The depth is there for the compiler, which must see an end. */
export interface Lineage<D extends Definition, Depth extends 0[] = []> {
  root: Inherited<D, Depth, 'root'>
  properties: Inherited<D, Depth, 'properties'> extends infer P
    ? IsNever<keyof P> extends true
      ? CountedProperties<D>
      : MergedMembers<Omit<MembersOf<P>, Excluded<D>>, MembersOf<CountedProperties<D>>>
    : never
  relations: Inherited<D, Depth, 'relations'> extends infer R
    ? IsNever<keyof R> extends true ? OwnRelations<D> : Flat<Omit<R, keyof OwnRelations<D>> & OwnRelations<D>>
    : never
  injectedId: Written<D, 'idInjection'> extends infer I
    ? I extends false ? never : I extends true ? number : Inherited<D, Depth, 'injectedId'>
    : never
  strict: WrittenStrict<D> extends infer S ? S extends undefined ? Inherited<D, Depth, 'strict'> : S : undefined
}

type Inherited<D extends Definition, Depth extends 0[], Part extends keyof Lineage<Definition>> =
  BaseOf<D> extends infer B
    ? IsNever<B> extends true
      ? Root<Written<D, 'base'> extends infer N ? N extends RootName ? N : 'PersistedModel' : never>[Part]
      : Depth['length'] extends 4 ? Root<'PersistedModel'>[Part]
        : B extends Definition ? Lineage<B, [...Depth, 0]>[Part] : never
    : never

/** A definition and those that it extends, itself first. */
export type Ancestry<D extends Definition, Depth extends 0[] = []> =
  BaseOf<D> extends infer B
    ? IsNever<B> extends true ? [D]
      : Depth['length'] extends 4 ? [D]
        : B extends Definition ? [D, ...Ancestry<B, [...Depth, 0]>] : never
    : never
