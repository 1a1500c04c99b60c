/** Which format a property has in SQLite. */
import type { PropertyType } from '@fastback/core'
import type { ColumnFormat } from '../column-types.js'
import { canStoreUuid } from '../uuid.js'
import { datesLike } from './date-texts.js'
import { decimalOf, isOfKeys } from './decimals.js'
import { blob, boolean, date, integer, json, milliseconds, real, text } from './formats.js'

type Affinity = 'integer' | 'text' | 'blob' | 'real' | 'numeric'

/** SQLite's rule from declared type to affinity. */
function affinityOf (declaredType: string): Affinity {
  if (/INT/i.test(declaredType)) return 'integer'
  if (/CHAR|CLOB|TEXT/i.test(declaredType)) return 'text'
  if (declaredType === '' || /BLOB/i.test(declaredType)) return 'blob'
  return /REAL|FLOA|DOUB/i.test(declaredType) ? 'real' : 'numeric'
}

/** Whether a column keeps dates as numbers. */
export const keepsNumbers = (declaredType: string): boolean => /^(?:integer|numeric)$/.test(affinityOf(declaredType))

/**
 * The format of a property, in an existing column when `declaredType` is given.
 * @param example of dates that others keep in it
 */
export function formatOf (type: PropertyType, declaredType: string | undefined, example?: string): ColumnFormat {
  switch (type.kind) {
    case 'string':
      return text
    case 'number':
      return declaredType !== undefined && affinityOf(declaredType) === 'integer' ? integer : real
    case 'integer':
    case 'long':
    case 'bigint':
      return integer
    case 'decimal':
      return decimalOf(type, declaredType === undefined || isOfKeys(declaredType) ? undefined : !/^(?:text|blob)$/.test(affinityOf(declaredType)))
    case 'boolean':
      return boolean
    case 'date':
      if (example !== undefined) return datesLike(example)
      return declaredType !== undefined && keepsNumbers(declaredType) ? milliseconds : date
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
  bigint: ['integer', 'numeric'],
  boolean: ['integer', 'numeric'],
  date: ['text', 'integer', 'numeric'],
  buffer: ['blob']
}

/** A column that was declared without a type keeps whatever it is given. */
export const holds = (type: PropertyType, declared: string): boolean => type.kind === 'decimal'
  ? isOfKeys(declared)
  : declared === '' || (keeping[type.kind] ?? ['text']).includes(affinityOf(declared))

const randomHex = (bytes: number): string => `lower(hex(randomblob(${bytes})))`

/** Version 4: the third group begins with a 4, the fourth with one of four letters. */
const randomUuid = `(${randomHex(4)} || '-' || ${randomHex(2)} || '-4' || substr(${randomHex(2)}, 2) || '-' || ` +
  `substr('89ab', 1 + (random() & 3), 1) || substr(${randomHex(2)}, 2) || '-' || ${randomHex(6)})`

export const uuidDefault = (declared: string): string | undefined =>
  /^uuid$/i.test(declared) || canStoreUuid(declared) ? randomUuid : undefined

/**
 * Whether values come back as they were written (`ColumnTypes.keeps`): a number may stand in any column of numbers, and
 * a text that looks like one in none.
 */
export const keeps = (type: PropertyType, declared: string): boolean =>
  holds(type, declared) || (type.kind === 'number' && affinityOf(declared) === 'integer')

export const canonicalType = (type: string): string => type.toLowerCase().trim().replace(/(?<!\s)\s*([(),])\s*/g, '$1')
