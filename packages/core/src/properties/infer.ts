/**
 * Types of rows and inputs, worked out from the properties of a model as they are written: a TypeBox object, or JSON
 * (pass it as a const type parameter). `P` is the record of properties: `typeof Note.properties` for a TypeBox object,
 * the JSON object itself otherwise.
 */
import type { OptionalKind, Static, TObject, TSchema } from '@sinclair/typebox'
import type { FileInput, FileReference } from './file-type.js'
import type { GeoPoint } from './types.js'

/** Values by type name; LoopBack compares its names without case. */
interface ValueByName {
  string: string
  text: string
  number: number
  integer: number
  long: number
  bigint: number | bigint
  decimal: string
  boolean: boolean
  date: Date
  datestring: Date
  datetime: Date
  'date-time': Date
  object: Record<string, unknown>
  array: unknown[]
  any: unknown
  json: unknown
  buffer: Buffer
  binary: Buffer
  geopoint: GeoPoint
  point: GeoPoint
  file: FileReference
}

/** A name that is no built-in type is a model's; its rows are not known here. */
type NamedValue<N extends string> = string extends N
  ? unknown
  : N extends 'dateOnly' | 'time' ? string
    : Lowercase<N> extends keyof ValueByName
      ? ValueByName[Lowercase<N>]
      : Record<string, unknown>

type ConstructedValue<C> =
  C extends StringConstructor ? string
    : C extends NumberConstructor ? number
      : C extends BooleanConstructor ? boolean
        : C extends DateConstructor ? Date
          : C extends ArrayConstructor ? unknown[]
            : C extends BufferConstructor ? Buffer
              : Record<string, unknown>

/** Value of a property as a row holds it, `null` not considered. */
export type PropertyValue<P> =
  P extends TSchema ? Static<P>
    : P extends string ? NamedValue<P>
      : P extends ((...args: never[]) => unknown) | (abstract new (...args: never[]) => unknown) ? ConstructedValue<P>
        : P extends readonly [] ? unknown[]
          : P extends ReadonlyArray<infer Item> ? Array<PropertyValue<Item>>
            : P extends { readonly type: infer Type } ? PropertyValue<Type>
              : P extends object ? { -readonly [K in keyof P]?: PropertyValue<P[K]> | null }
                : unknown

type IsTrue<T> = T extends true ? true : false
type IsOptional<P> = P extends { readonly [OptionalKind]: 'Optional' } ? true : false
type IsId<P> = P extends { readonly id: true | number } ? true : false
type IsGenerated<P> = P extends { readonly id: true | number, readonly generated: true } ? true : false
type HasDefault<P> = P extends { readonly default: unknown } | { readonly defaultFn: string } ? true : false
/** In TypeBox what is not optional is required; in JSON what says so, and the id. */
type IsRequired<P> = P extends TSchema
  ? IsOptional<P> extends true
    ? false
    : true
  : P extends { readonly required: true | object }
    ? true
    : IsId<P>

/** The properties of what `defineModel` takes as `properties`. */
export type PropertiesOf<P> = P extends TObject<infer Members> ? Members : P

type Keys<P, Test extends 'required' | 'present' | 'input'> = {
  [K in keyof P]: Test extends 'required'
    ? IsRequired<P[K]> extends true
      ? K
      : never
    : Test extends 'present'
      ? true extends IsRequired<P[K]> | HasDefault<P[K]>
        ? K
        : never
      : IsGenerated<P[K]> extends true
        ? never
        : HasDefault<P[K]> extends true
          ? never
          : IsRequired<P[K]> extends true
            ? K
            : never
}[keyof P]

/** TypeBox says itself whether a value may be null; in JSON any value that is not required may. */
type Nullable<P> = IsRequired<P> extends true
  ? never
  : P extends TSchema
    // No schema of TypeBox is a file and null: one that may be missing may be taken away.
    ? PropertyValue<P> extends FileReference | FileReference[] ? null : never
    : null
type RowValue<P> = PropertyValue<P> | Nullable<P>

/** Dates (texts, milliseconds) and geo points come in several forms, which are converted; a file what becomes one. */
type InputForm<T> = T extends Date
  ? Date | string | number
  : T extends GeoPoint
    ? GeoPoint | string | readonly [number, number]
    : T extends FileReference
      ? FileInput
      : T extends FileReference[]
        ? FileInput[]
        : T
type InputValue<P> = InputForm<PropertyValue<P>> | Nullable<P>

type HasId<P> = true extends { [K in keyof P]: IsId<P[K]> }[keyof P] ? true : false
/** The id that a model gets when it declares none. */
type InjectedId<P, Id> = [Id] extends [never] ? unknown : IsTrue<HasId<P>> extends true ? unknown : { id: Id }

/** Shows an intersection as one object. */
type Flat<T> = { [K in keyof T]: T[K] }

/**
 * Type of the rows of a model. Required properties and those with a default are there; others may be missing.
 * @typeParam Id type of the id that is added when no property is one; `never` for a model without (`idInjection:
 * false`)
 */
export type RowOf<P, Id = number> = RowOfProperties<PropertiesOf<P>, Id>
type RowOfProperties<P, Id> = Flat<
  InjectedId<P, Id> &
  { -readonly [K in Keys<P, 'present'>]: RowValue<P[K]> } &
  { -readonly [K in Exclude<keyof P, Keys<P, 'present'>>]?: RowValue<P[K]> }
>

/** Type of the data for `create`: what is required and has no default must be there; a generated id may not. */
export type CreateInput<P> = CreateInputOfProperties<PropertiesOf<P>>
type CreateInputOfProperties<P> = Flat<
  { -readonly [K in Keys<P, 'input'>]: InputValue<P[K]> } & {
    -readonly [K in Exclude<keyof P, Keys<P, 'input'>> as IsGenerated<P[K]> extends true ? never : K]?: InputValue<P[K]>
  }
>

/** Type of the data for a partial update: any property, and never the id. */
export type PatchInput<P> = PatchInputOfProperties<PropertiesOf<P>>
type PatchInputOfProperties<P> = Flat<{
  -readonly [K in keyof P as IsId<P[K]> extends true ? never : K]?: InputValue<P[K]>
}>
