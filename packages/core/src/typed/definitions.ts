/**
 * What the types of a model are worked out from: its definition as `defineModel` keeps it, with every name a literal,
 * and the definitions that it extends.
 */
import type { ModelDefinitionInput } from '../definition/definition.js'
import type { relationKinds } from '../definition/vocabulary/relation.js'
import type { CreateInput, PatchInput, RowOf } from '../properties/infer.js'
import type { Lineage, Named } from './lineage.js'
import type { IdKeys, MembersOf } from './members.js'

/**
 * Definitions by model name, for relations, for bases and for `app.models`. Empty until an application says what it
 * has; from then on `app.models` has these names and those of built-in models, and no others:
 *
 * ```ts
 * declare module '@fastback/core' {
 *   interface ModelTypes { Note: typeof Note, User: typeof User }
 * }
 * ```
 *
 * A second registry in the same program is typed where it is read: `app.getDecorator<TypedModels<Shop>>('models')`.
 */
export interface ModelTypes {}

/** Definitions of built-in models by name. A package that brings models says so here. */
export interface BuiltinModelTypes {}

/**
 * Any definition. The compiler reads three keys of its type that nothing at run time reads, for definitions whose
 * functions are written elsewhere: `statics` and `instanceMethods` (functions by name), and `calls` (for remote hooks:
 * `{ args, result }` of remote methods by full name).
 */
export type Definition = ModelDefinitionInput

/** Where the type of a model class keeps its definition; there is no such property at run time. */
export declare const DEFINITION: unique symbol

type IsNever<T> = [T] extends [never] ? true : false
type Flat<T> = { [K in keyof T]: T[K] }
export type IsUnknown<D extends Definition> = string extends D['name'] ? true : false

/** The root of a definition: connected models are PersistedModels. */
export type RootOf<D extends Definition> = Lineage<D>['root']
type PropertiesOf<D extends Definition> = Lineage<D>['properties']
type InjectedId<D extends Definition> = Lineage<D>['injectedId']
export type RelationsOf<D extends Definition> = Lineage<D>['relations']
export type RelationName<D extends Definition> = keyof RelationsOf<D> & string
type RelationOf<D extends Definition, R extends string> = R extends keyof RelationsOf<D> ? RelationsOf<D>[R] : never

/**
 * The definition of a related model; any definition where nobody says what it is. One that leads to its own model needs
 * no look-up by name, which would be a circle while the definition is being written.
 */
export type Target<D extends Definition, R extends string> =
  RelationOf<D, R> extends { readonly model: infer M }
    ? M extends D['name'] ? D : IsNever<Named<M>> extends true ? Definition : Named<M>
    : Definition

type Kinds = typeof relationKinds
type ListRelation = { [T in keyof Kinds]: Kinds[T]['list'] extends true ? T : never }[keyof Kinds]

/** Whether a relation gives a list. */
export type IsList<D extends Definition, R extends string> =
  RelationOf<D, R> extends { readonly type: ListRelation } ? true : false

type ForeignKey<R extends string, Relation> = Relation extends { readonly foreignKey: infer F extends string }
  ? F
  : `${R}Id`

/** Keys that belongsTo relations put on the model, where it does not declare them. */
type ForeignKeys<D extends Definition> = {
  [
  R in RelationName<D> as RelationOf<D, R> extends { readonly type: 'belongsTo' }
    ? ForeignKey<R, RelationOf<D, R>>
    : never
  ]?: IdOf<Target<D, R>> | null
}

/** A row within the data of another one: new, or one that is there, by its id. */
type NestedRow<D extends Definition> = PatchType<D> & { [K in keyof RowType<D>]?: unknown }

/** Rows of relations that the data of a row may carry. */
type NestedRows<D extends Definition> = {
  [R in RelationName<D> as RelationOf<D, R> extends { readonly nestedWrite: true | 'replace' } ? R : never]?:
  IsList<D, R> extends true ? ReadonlyArray<NestedRow<Target<D, R>>> : NestedRow<Target<D, R>> | null
}

/** Whether a definition says that rows have further properties: `strict: false`. */
export type IsOpen<D extends Definition> = Lineage<D>['strict'] extends false ? true : false
/**
 * Whether it says that there is nothing but what it declares: a TypeBox object, or `strict`. Names that a closed model
 * does not have are errors everywhere; of those that say nothing, as LoopBack's do, the class takes any name.
 */
export type IsClosed<D extends Definition> = Lineage<D>['strict'] extends infer S
  ? S extends undefined | false ? false : true
  : false

type WithKeys<D extends Definition, T, Keys> = IsOpen<D> extends true
  ? Flat<T & Omit<Keys, keyof T>> & { [property: string]: unknown }
  : Flat<T & Omit<Keys, keyof T>>

/** Type of the rows of a model. */
export type RowType<D extends Definition> = IsUnknown<D> extends true
  ? Record<string, unknown>
  : WithKeys<D, RowOf<PropertiesOf<D>, InjectedId<D>>, ForeignKeys<D>>
/** What `create` takes. */
export type CreateType<D extends Definition> = IsUnknown<D> extends true
  ? Record<string, unknown>
  : WithKeys<D, CreateInput<PropertiesOf<D>>, ForeignKeys<D> & NestedRows<D>>
/** What partial updates take. */
export type PatchType<D extends Definition> = IsUnknown<D> extends true
  ? Record<string, unknown>
  : WithKeys<D, PatchInput<PropertiesOf<D>>, ForeignKeys<D> & NestedRows<D>>

/** Type of the id of a model. */
export type IdOf<D extends Definition> = IsUnknown<D> extends true
  ? string | number
  : IsNever<DeclaredId<PropertiesOf<D>>> extends true ? InjectedId<D> : DeclaredId<PropertiesOf<D>>

/** The type of the id property; of a compound id an object of all parts. */
type DeclaredId<P> = RowOf<P, never> extends infer Row ? IdIn<Row, IdKeys<MembersOf<P>> & keyof Row> : never
type IdIn<Row, K extends keyof Row> = IsUnion<K> extends true ? { [Part in K]: Row[Part] } : Row[K]
type IsUnion<T, All = T> = [T] extends [never] ? false : T extends All ? ([All] extends [T] ? false : true) : false
