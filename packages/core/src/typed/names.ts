/** Names that definitions may use: of types, of models, of properties, of methods. */
import type { BuiltinModelTypes, Definition, ModelTypes, RelationName, RelationsOf, RootOf } from './definitions.js'
import type { IsNever, Lineage, Named, RootName } from './lineage.js'
import type { MembersOf } from './members.js'

declare const WRONG: unique symbol
/** What is wrong, and what is wanted, where a compiler shows it: no value has this type. */
export interface Wrong<Message extends string, Wants = unknown> { readonly [WRONG]: [Message, Wants] }

/** Asks nothing of a value of a type, and what none can be of another. A text that is no constant may be any word. */
export type Fits<K, V, Wants> = V extends Wants ? unknown
  : string extends V ? string extends Extract<Wants, string> ? unknown : [Extract<Wants, string>] extends [never]
    ? Wrong<`"${K & string}" is of another type`, Wants> : unknown
    : V extends string ? Wrong<`"${V}" is none of the words for "${K & string}"`, Wants>
      : Wrong<`"${K & string}" is of another type`, Wants>

/**
 * What is asked of a list. Of one with other lists in it (`[...rules, { … }]`) nothing more is asked once it holds:
 * TypeScript reads what is written there as the list that it is only where a single type stands.
 */
export type OfList<List extends readonly unknown[], Asked> =
  number extends List['length'] ? List extends Asked ? unknown : Asked : Asked

/** Names of types, which are compared without case. */
type PlainType =
  | 'string' | 'text' | 'number' | 'boolean' | 'date' | 'datestring' | 'object' | 'array' | 'any' | 'json' | 'buffer'
  | 'binary' | 'geopoint'
/** Names of types that are compared exactly: a model may be called `Point` or `Long`. */
type ExactType =
  | 'integer' | 'Integer' | 'int' | 'long' | 'bigint' | 'decimal' | 'float' | 'double' | 'bool' | 'datetime' | 'date-time'
  | 'timestamp' | 'point' | 'ObjectID' | 'ObjectId' | 'dateOnly' | 'time' | 'file'

/** Whether a name is that of a value which is no model's row. */
export type IsPlain<N extends string> = Lowercase<N> extends PlainType ? true : N extends ExactType ? true : false

/** Models of the framework's packages, whichever of them a program imports. */
type BuiltinName =
  | RootName | keyof BuiltinModelTypes | 'User' | 'AccessToken' | 'Application' | 'Email' | 'Role' | 'RoleMapping'
  | 'ACL' | 'Scope' | 'UserIdentity' | 'UserCredential' | 'Change' | 'Checkpoint' | 'Installation' | 'Notification'

/** Whether the application says which models it has. Where it does not, any name may be one. */
type IsSaid = [keyof ModelTypes] extends [never] ? false : true

/** Whether a name is a model's: of the application, of a package, or the one that is being defined. */
export type IsModel<N, D> =
  string extends N ? true
    : IsSaid extends false ? true
      : N extends keyof ModelTypes | BuiltinName ? true
        : D extends { readonly name: N } ? true : false

/**
 * Whether a name is a type's. Where nobody says which models there are, a name with a capital letter may be one: what
 * begins with a small letter is a type that is misspelled.
 */
export type IsType<N extends string, D> =
  string extends N ? true
    : IsPlain<N> extends true ? true
      : N extends `[${infer Item}]` ? IsType<Item, D>
        : IsSaid extends true ? IsModel<N, D> : N extends Capitalize<N> ? true : false

type ForeignKey<R extends string, Relation> = Relation extends { readonly type: 'belongsTo' }
  ? Relation extends { readonly foreignKey: infer F extends string } ? F : `${R}Id`
  : never
type ForeignKeys<Relations> = { [R in keyof Relations & string]: ForeignKey<R, Relations[R]> }[keyof Relations & string]

/** Whether all that a definition inherits is known. */
export type HasKnownBase<D> =
  D extends { readonly base: infer B }
    ? B extends string
      ? B extends RootName ? true : IsNever<Named<B>> extends true ? false : true
      : B extends { readonly name: string } ? true : false
    : true

/**
 * Names of the properties that a model has: its own, those of its base, keys of relations, the id. The types of related
 * models are not asked for, which would be a circle.
 */
export type PropertyName<D extends Definition> =
  | (keyof MembersOf<Lineage<D>['properties']> & string)
  | ForeignKeys<RelationsOf<D>>
  | (IsNever<Lineage<D>['injectedId']> extends true ? never : 'id')

type PersistedName =
  | 'create' | 'find' | 'findOne' | 'findById' | 'exists' | 'count' | 'aggregate' | 'updateAll' | 'update' | 'upsert' | 'updateOrCreate'
  | 'patchOrCreate' | 'upsertWithWhere' | 'patchOrCreateWithWhere' | 'replaceOrCreate' | 'replaceById' | 'deleteById'
  | 'destroyById' | 'removeById' | 'patchAttributes' | 'updateAttributes' | 'createChangeStream' | 'live'
  | 'restoreById' | 'restore' | 'readDeleted' | 'historyOf' | 'history' | 'revert'

type RelatedVerb =
  | 'get' | 'create' | 'update' | 'delete' | 'destroy' | 'count' | 'findById' | 'updateById' | 'destroyById' | 'exists'
  | 'link' | 'unlink'

/**
 * Names as rules write them: a method, with or without `prototype.`, all methods of a relation or a scope, a property.
 */
export type RuleName<D extends Definition, Own, Scopes> =
  | PersistedMethod<D>
  | Bare<Own>
  | (Own & string)
  | RelationName<D>
  | (Scopes & string)
  | `__${RelatedVerb}__${RelationName<D> | (Scopes & string)}`
  | `prototype.__${RelatedVerb}__${RelationName<D>}`
  | PropertyName<D>
  | `${string}*${string}`
type PersistedMethod<D extends Definition> =
  RootOf<D> extends 'PersistedModel' ? PersistedName | `prototype.${'patchAttributes' | 'updateAttributes'}`
    : RootOf<D> extends 'KeyValueModel' ? 'get' | 'set' | 'expire' | 'ttl' | 'keys' : never
type Bare<Name> = Name extends `prototype.${infer N}` ? N : never
