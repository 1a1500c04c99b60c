/** How well columns of SQLite that are there suit properties. */
import type { PropertyType } from '@fastback/core'
import { affinityOf, type Affinity } from './declared-types.js'
import { isOfKeys } from './decimals.js'

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

/**
 * Whether values come back as they were written (`ColumnTypes.keeps`): a number may stand in any column of numbers, and
 * a text that looks like one in none.
 */
export const keeps = (type: PropertyType, declared: string): boolean =>
  holds(type, declared) || (type.kind === 'number' && affinityOf(declared) === 'integer')
