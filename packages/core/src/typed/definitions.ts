/**
 * What the types of a model are worked out from: its definition as `defineModel` keeps it, with every name a literal.
 */
import type { ModelDefinitionInput } from '../definition/definition.js'
import type { CreateInput, PatchInput, RowOf } from '../properties/infer.js'

/**
 * Definitions by model name, for relations and for `app.models`. Empty until an application says what it has:
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

/** Any definition. */
export type Definition = ModelDefinitionInput

type PropertiesOf<D extends Definition> = D extends { readonly properties: infer P } ? P : {}
/** Connected models get a number as id unless they switch that off. */
type InjectedId<D extends Definition> = D extends { readonly idInjection: false } | { readonly base: 'Model' }
  ? never
  : number

export type RelationsOf<D extends Definition> = D extends { readonly relations: infer R } ? R : {}
export type RelationName<D extends Definition> = keyof RelationsOf<D> & string
type RelationOf<D extends Definition, R extends string> = R extends keyof RelationsOf<D> ? RelationsOf<D>[R] : never

/** The definition of a related model; any definition where it is not among `ModelTypes`. */
export type Target<D extends Definition, R extends string> =
  RelationOf<D, R> extends { readonly model: infer M }
    ? M extends keyof ModelTypes
      ? ModelTypes[M] extends Definition
        ? ModelTypes[M]
        : Definition
      : Definition
    : Definition

/** Whether a relation gives a list. */
export type IsList<D extends Definition, R extends string> =
  RelationOf<D, R> extends { readonly type: 'hasMany' | 'hasAndBelongsToMany' | 'embedsMany' | 'referencesMany' }
    ? true
    : false

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

/**
 * Methods that instances have of their own: a key `instanceMethods` of the definition's type, for those who generate
 * types. Nothing at run time reads it.
 */
export type OwnMethods<D extends Definition> = D extends { readonly instanceMethods: infer M } ? M : unknown

type Flat<T> = { [K in keyof T]: T[K] }
type WithKeys<T, Keys> = Flat<T & Omit<Keys, keyof T>>
type IsUnknown<D extends Definition> = string extends D['name'] ? true : false

/** Type of the rows of a model. */
export type RowType<D extends Definition> =
  IsUnknown<D> extends true ? Record<string, unknown> : WithKeys<RowOf<PropertiesOf<D>, InjectedId<D>>, ForeignKeys<D>>
/** What `create` takes. */
export type CreateType<D extends Definition> =
  IsUnknown<D> extends true ? Record<string, unknown> : WithKeys<CreateInput<PropertiesOf<D>>, ForeignKeys<D>>
/** What partial updates take. */
export type PatchType<D extends Definition> =
  IsUnknown<D> extends true ? Record<string, unknown> : WithKeys<PatchInput<PropertiesOf<D>>, ForeignKeys<D>>

/** Type of the id of a model. */
export type IdOf<D extends Definition> =
  IsUnknown<D> extends true
    ? string | number
    : [InjectedId<D>] extends [never]
        ? DeclaredId<PropertiesOf<D>>
        : [DeclaredId<PropertiesOf<D>>] extends [never]
            ? number
            : DeclaredId<PropertiesOf<D>>

type Members<P> = P extends { readonly static: unknown, readonly properties: infer M } ? M : P
type DeclaredId<P> = {
  [K in keyof Members<P>]: Members<P>[K] extends { readonly id: true | number }
    ? RowOf<P, never>[K & keyof RowOf<P, never>]
    : never
}[keyof Members<P>]
