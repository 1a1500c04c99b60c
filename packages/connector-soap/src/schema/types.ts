/** What a schema says of elements, as far as values are read and written by it. */
import type { QName } from '../xml/names.js'

/** How a text is read and written. `long`: a whole number that a double may not hold. */
export type TextKind = 'text' | 'number' | 'long' | 'boolean' | 'date' | 'dateTime' | 'time' | 'base64' | 'hex'

export interface TextType {
  readonly kind: 'simple'
  readonly text: TextKind
  /** Values apart by blanks. */
  readonly isList: boolean
  readonly values: readonly string[] | undefined
}

export interface ContentType {
  readonly kind: 'complex'
  readonly name: QName | undefined
  /** In the order in which they are written. */
  readonly elements: readonly ElementUse[]
  /** By their names without namespace, as answers are read. */
  readonly byName: ReadonlyMap<string, ElementUse>
  readonly attributes: readonly AttributeUse[]
  /** Of an element that holds a text and attributes. */
  readonly text: TextType | undefined
}

/** Anything: read as it stands, written without a namespace. */
export interface AnyType { readonly kind: 'any' }

export type SchemaType = TextType | ContentType | AnyType

export interface ElementUse {
  readonly name: string
  /** The namespace that it is written in; empty for none. */
  readonly uri: string
  readonly isMany: boolean
  readonly isRequired: boolean
  readonly isNillable: boolean
  /** Made when it is asked for: types may hold themselves. */
  readonly type: SchemaType
}

export interface AttributeUse {
  readonly name: string
  readonly uri: string
  readonly type: TextType
}

const simple = (text: TextKind): TextType => ({ kind: 'simple', text, isList: false, values: undefined })

const kinds: ReadonlyArray<readonly [TextKind, string]> = [
  ['number', 'decimal float double int short byte unsignedInt unsignedShort unsignedByte'],
  ['long', 'long unsignedLong integer nonNegativeInteger nonPositiveInteger positiveInteger negativeInteger'],
  ['boolean', 'boolean'],
  ['date', 'date'],
  ['dateTime', 'dateTime'],
  ['time', 'time'],
  ['base64', 'base64Binary'],
  ['hex', 'hexBinary']
]

const builtin = new Map(kinds.flatMap(([kind, names]) => names.split(' ').map(name => [name, simple(kind)] as const)))

export const textType = simple('text')
export const anyType: AnyType = { kind: 'any' }

/** The types of XML Schema by name (SO-X3). Those that are not named hold text. */
export function builtinType (name: string): TextType | AnyType {
  if (name === 'anyType') return anyType
  const isList = name === 'NMTOKENS' || name === 'IDREFS' || name === 'ENTITIES'
  return isList ? { ...textType, isList } : builtin.get(name) ?? textType
}
