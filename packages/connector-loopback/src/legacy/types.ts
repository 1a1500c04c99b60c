/** Property types as juggler's connectors know them: constructors, told apart by identity and by name. */
import type { CompiledProperty, PropertyType } from '@fastback/core'
import { copyValue } from '../copy.js'

/** LoopBack's type for points; connectors ask for its name. */
export function GeoPoint (value: unknown): unknown { return value }
/** LoopBack's type for values of any kind. */
export function Any (value: unknown): unknown { return value }

export type LegacyType = ((...args: never[]) => unknown) | readonly LegacyType[]

/** `[String]` for lists, `Object` for whatever has members. */
function legacyType (type: PropertyType): LegacyType {
  switch (type.kind) {
    case 'string': case 'decimal': return String
    case 'number': case 'integer': case 'long': case 'bigint': return Number
    case 'boolean': return Boolean
    case 'date': return Date as unknown as LegacyType
    case 'buffer': return Buffer as unknown as LegacyType
    case 'geopoint': return GeoPoint as unknown as LegacyType
    case 'array': return [legacyType(type.items ?? { kind: 'any' })]
    case 'any': return Any as unknown as LegacyType
    default: return Object
  }
}

/** A property as `connector.define` gets it: what the definition says, its type a constructor. */
export interface LegacyProperty {
  type: LegacyType
  id?: number | boolean
  [key: string]: unknown
}

export function legacyProperty ({ definition, type, idPosition, generated }: CompiledProperty): LegacyProperty {
  const property: LegacyProperty = { ...copyValue(definition) as object, type: legacyType(type) }
  if (idPosition === 0) return property
  return { ...property, id: idPosition, generated }
}
