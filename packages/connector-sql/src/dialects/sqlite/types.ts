/** Which format a property has in SQLite. */
import type { PropertyType } from '@fastback/core'
import type { ColumnFormat } from '../column-types.js'
import { blob, boolean, date, integer, json, milliseconds, real, text } from './formats.js'

type Affinity = 'integer' | 'text' | 'blob' | 'real' | 'numeric'

/** SQLite's rule from declared type to affinity. */
function affinityOf (declaredType: string): Affinity {
  if (/INT/i.test(declaredType)) return 'integer'
  if (/CHAR|CLOB|TEXT/i.test(declaredType)) return 'text'
  if (declaredType === '' || /BLOB/i.test(declaredType)) return 'blob'
  return /REAL|FLOA|DOUB/i.test(declaredType) ? 'real' : 'numeric'
}

/** The format of a property, in an existing column when `declaredType` is given. */
export function formatOf (type: PropertyType, declaredType: string | undefined): ColumnFormat {
  switch (type.kind) {
    case 'string':
      return text
    case 'number':
      return declaredType !== undefined && affinityOf(declaredType) === 'integer' ? integer : real
    case 'integer':
    case 'long':
      return integer
    case 'boolean':
      return boolean
    case 'date':
      return declaredType !== undefined && /^(?:integer|numeric)$/.test(affinityOf(declaredType)) ? milliseconds : date
    case 'buffer':
      return blob
    default:
      return json(type)
  }
}

/** Columns of these affinities keep a property's values as they are (`TableMigration.holds`). */
const keeping: Readonly<Partial<Record<PropertyType['kind'], readonly Affinity[]>>> = {
  number: ['real', 'numeric'],
  integer: ['integer', 'numeric'],
  long: ['integer', 'numeric'],
  boolean: ['integer', 'numeric'],
  date: ['text', 'integer', 'numeric'],
  buffer: ['blob']
}

/** A column that was declared without a type keeps whatever it is given. */
export const holds = (type: PropertyType, declared: string): boolean =>
  declared === '' || (keeping[type.kind] ?? ['text']).includes(affinityOf(declared))

export const canonicalType = (type: string): string => type.toLowerCase().trim().replace(/(?<!\s)\s*([(),])\s*/g, '$1')
