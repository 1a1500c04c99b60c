/**
 * What the compiler looks for in a definition: names that lead nowhere, and words that are none of a closed list. Each
 * check is a type with the definition's own keys, so that an error stands at the key that is wrong, and says why.
 */
import type { TSchema } from '@sinclair/typebox'
import type { AssuranceLevel, RelationDefinition, RelationType } from '../definition/definition.js'
import type { accessTypes, permissions } from '../definition/vocabulary/acl.js'
import type { PropertySettings } from '../definition/vocabulary/property.js'
import type { RelationSettings } from '../definition/vocabulary/relation.js'
import type { Definition, IsOpen, ModelTypes } from './definitions.js'
import type { CheckedIndex, CheckedPreset, CheckedRows, CheckedRuleFields, CheckedScope } from './filter-checks.js'
import type { Ancestry } from './lineage.js'
import type { Fits, HasKnownBase, IsModel, IsType, OfList, PropertyName, RuleName, Wrong } from './names.js'

type Callable = ((...args: never[]) => unknown) | (abstract new (...args: never[]) => unknown)
type Keys<T> = keyof T & string
/** A key of the application's own: an object (a connector's settings), or one that begins with `x-`. */
type Unknown<K, V, What extends string> =
  string extends K ? unknown : K extends `x-${string}` ? unknown : V extends object ? unknown : Wrong<`"${K & string}" is no key of ${What}`>

/** A type as it is written: a name, a list of one, an object of members. */
export type CheckedType<T, D> =
  T extends string
    ? IsType<T, D> extends true ? unknown : Wrong<`"${T}" is no type, and no model that is known here`>
    : T extends TSchema | Callable ? unknown
      : T extends readonly unknown[] ? { readonly [I in keyof T]: CheckedType<T[I], D> }
        : T extends object ? CheckedProperty<T, D> : unknown

interface PropertyValues extends Omit<
  PropertySettings, 'type' | 'required' | 'enum' | 'accept' | 'description' | 'doc' | 'comments' | 'jsonSchema' | 'bodySchema'
> { required?: boolean | null | object }
/** What settings of a property are, where any name may stand beside them. */
export type CheckedSettings<S> = {
  readonly [K in keyof S]: K extends keyof PropertyValues ? Fits<K, S[K], PropertyValues[K]> : unknown
}
/** A property: its type, or an object that says it; without `type`, members of an object. */
type CheckedProperty<P, D> = P extends { readonly type: infer T }
  ? {
      readonly [K in keyof P]: K extends 'type' ? CheckedType<T, D>
        : K extends keyof PropertyValues ? Fits<K, P[K], PropertyValues[K]>
          : K extends keyof PropertySettings ? unknown : Unknown<K, P[K], 'a property'>
    }
  : P extends { readonly id: unknown } | { readonly required: unknown } ? unknown
    : { readonly [K in keyof P]: CheckedType<P[K], D> }

export type CheckedProperties<P, D> =
  P extends TSchema
    ? P extends { readonly properties: unknown } ? unknown : Wrong<'"properties" are an object, of TypeBox or of types'>
    : { readonly [K in keyof P]: CheckedType<P[K], D> }

/** A relation says its kind; its models are known. */
export type CheckedRelations<R, D> = {
  readonly [Name in keyof R]: R[Name] extends object
    ? { readonly type: unknown } & {
      readonly [K in keyof R[Name]]: K extends 'type' ? Fits<K, R[Name][K], RelationType>
        : K extends 'model' | 'through' ? CheckedModel<R[Name][K], D>
          : K extends keyof RelationWords ? Fits<K, R[Name][K], RelationWords[K]>
            : K extends keyof RelationSettings ? unknown : Unknown<K, string, 'a relation'>
    }
    : unknown
}
type RelationWords = Pick<RelationDefinition, 'onDelete' | 'onUpdate' | 'foreignKey' | 'primaryKey' | 'foreignKeys'>
export type CheckedModel<N, D> = N extends string
  ? IsModel<N, D> extends true ? unknown : Wrong<`"${N}" is no model that ModelTypes names`>
  : unknown

type Permission = typeof permissions[number]
type AccessType = typeof accessTypes[number]
/** What a rule of access says. */
interface RuleWords {
  readonly permission: Permission
  readonly accessType: AccessType
  readonly principalId: string | number
  readonly enforce: boolean
}
type MethodsOf<D> = D extends { readonly methods: infer M } ? M extends readonly unknown[] ? string : Keys<M> : never
type ScopesOf<D> = D extends { readonly scopes: infer S } ? Keys<S> : never
type NameInRule<D extends Definition> = RuleName<D, MethodsOf<D> | CallNames<Ancestry<Base<D>>>, ScopesOf<D>>
/** Names of the calls of a definition and of those that it extends. */
type CallNames<Each extends unknown[]> = Each extends [infer D, ...infer Rest]
  ? MethodsOf<D> | (D extends { readonly calls: infer C } ? Keys<C> : never) | CallNames<Rest>
  : never
/** Calls of the definition are its methods, whose functions are not looked at here. */
type Base<D extends Definition> = Omit<D, 'methods'> & Definition

/** A level, or a level and seconds. */
type CheckedAssurance<T> = T extends AssuranceLevel ? unknown
  : T extends string ? Wrong<'"accessAssurance" is one of 1fa, 2fa, mfa, phr'>
    : { readonly [K in keyof T]: K extends 'acr' ? Fits<K, T[K], AssuranceLevel>
        : K extends 'maxAge' ? Fits<K, T[K], number> : Unknown<K, string, 'accessAssurance'> }

export type CheckedRules<A, D extends Definition, IsShut> = A extends readonly unknown[]
  ? OfList<A, { readonly [I in keyof A]: {} extends A[I] ? unknown : CheckedRule<A[I], D, IsShut> }>
  : unknown
type CheckedRule<Rule, D extends Definition, IsShut> = { readonly permission: unknown } & {
  readonly [K in keyof Rule]: K extends keyof RuleWords ? Fits<K, Rule[K], RuleWords[K]>
    : K extends 'principalType' ? CheckedPrincipal<Rule[K], D>
      : K extends 'property' ? IsShut extends true ? CheckedMethods<Rule[K], D>
        : Fits<K, Rule[K], string | readonly string[] | null>
        : K extends 'rows' | 'check' ? CheckedRows<Rule[K], D>
          : K extends 'preset' ? CheckedPreset<Rule[K], D>
            : K extends 'fields' ? CheckedRuleFields<Rule[K], D>
              : K extends 'accessAssurance' ? CheckedAssurance<Rule[K]>
                : K extends 'model' | 'description' ? unknown : Unknown<K, string, 'a rule'>
}
/** Models of packages that nobody logs in with. */
type NoUser =
  | 'ACL' | 'Role' | 'RoleMapping' | 'Scope' | 'AccessToken' | 'Email' | 'UserIdentity' | 'UserCredential' | 'Change'
  | 'Checkpoint' | 'Installation' | 'Notification'
type CheckedPrincipal<T, D> =
  T extends 'ROLE' | 'USER' | 'APP' | 'SCOPE' ? unknown
    : T extends string
      ? string extends T ? unknown
        : T extends keyof ModelTypes ? unknown
          : T extends Uppercase<T> | NoUser ? Wrong<`"${T}" is none of ROLE, USER, APP and the user models`>
            : T extends Capitalize<T> ? CheckedModel<T, D> : Wrong<`"${T}" is none of ROLE, USER, APP and the user models`>
      : Wrong<'"principalType" is a text'>
type CheckedMethods<N, D extends Definition> =
  N extends readonly unknown[] ? OfList<N, { readonly [I in keyof N]: CheckedMethods<N[I], D> }>
    : N extends string
      // A name that is worked out is known when it is there.
      ? string extends N ? unknown : N extends NameInRule<D> ? unknown : Wrong<`"${N}" is no method of this model`>
      : Fits<'property', N, string | readonly string[] | null>

/** Names of properties. A model that is open may have others, and so may one whose base is not known. */
export type CheckedNames<L, D extends Definition> =
  L extends readonly unknown[] ? OfList<L, { readonly [I in keyof L]: CheckedName<L[I], D> }> : unknown
type CheckedName<N, D extends Definition> =
  true extends IsOpen<D> | (HasKnownBase<D> extends true ? false : true) ? unknown
    : N extends string
      ? string extends N ? unknown : N extends PropertyName<D> ? unknown : Wrong<`"${N}" is no property of this model`>
      : Wrong<'names are texts'>

export type CheckedScopes<S, D extends Definition> =
  true extends IsOpen<D> | (HasKnownBase<D> extends true ? false : true) ? unknown
    : { readonly [Name in keyof S]: CheckedScope<S[Name], D> }
export type CheckedIndexes<S, D extends Definition> =
  true extends IsOpen<D> | (HasKnownBase<D> extends true ? false : true) ? unknown
    : { readonly [Name in keyof S]: CheckedIndex<S[Name], D> }

type Verb =
  'get' | 'post' | 'put' | 'patch' | 'delete' | 'del' | 'head' | 'options' | 'all' | 'GET' | 'POST' | 'PUT' | 'PATCH' |
  'DELETE' | 'DEL' | 'HEAD' | 'OPTIONS' | 'ALL'
type CheckedHttp<H> = H extends readonly unknown[]
  ? OfList<H, { readonly [I in keyof H]: CheckedHttp<H[I]> }>
  : { readonly [K in keyof H]: K extends 'verb' ? Fits<K, H[K], Verb> : unknown }
type CheckedValues<A, D> = A extends TSchema ? unknown
  : A extends readonly unknown[] ? OfList<A, { readonly [I in keyof A]: CheckedValues<A[I], D> }>
    : { readonly [K in keyof A]: K extends 'type' ? CheckedType<A[K], D> : unknown }

type MethodKey =
  'run' | 'fn' | 'aliases' | 'name' | 'isStatic' | 'accessScopes' | 'description' | 'notes' | 'documented' | 'shared' |
  'root' | 'rest' | 'responses' | 'streams' | 'requestBody' | 'deprecated'
/** Remote methods: their verbs, kinds of access, types of arguments and results. */
export type CheckedMethodsOf<M, D> = M extends readonly unknown[] ? unknown : {
  readonly [Name in keyof M]: {
    readonly [K in keyof M[Name]]: K extends MethodKey ? unknown
      : K extends 'accessAssurance' ? CheckedAssurance<M[Name][K]>
        : K extends 'accessType' ? Fits<K, M[Name][K], AccessType>
          : K extends 'http' ? CheckedHttp<M[Name][K]>
            : K extends 'accepts' | 'returns' ? CheckedValues<M[Name][K], D>
              : Unknown<K, string, 'a method'>
  }
}
