/** Where the id of a row comes from that brings none. */
import { randomUUID } from 'node:crypto'
import type { ColumnFormat } from '../dialects/column-types.js'
import type { Dialect } from '../dialects/dialect.js'
import { UntoldIdError } from '../errors.js'
import type { Column } from './column.js'

export interface NewId {
  /** An id that was made here; undefined where the database gives one out. */
  make (): string | undefined
  /** What an INSERT reads the id with that a default made; undefined where it tells a number by itself. */
  readonly returned: string | undefined
  /** The id of a row, from what the database told. */
  decode: ColumnFormat['decode']
}

const itself = <T>(value: T): T => value
const none = (): undefined => {}

/**
 * Decided once, when the table is looked at. Numbers that are counted the database tells with every INSERT; a text that
 * nothing gives out is one that never was an id before.
 */
export function newIdOf (
  { format, quoted, property, gives }: Column, modelName: string, dialect: Dialect
): NewId {
  const isText = format.name === 'text'
  if (gives === 'default') {
    if (dialect.tellsInserted()) return { make: none, returned: format.read(quoted), decode: format.decode }
    return {
      make () { throw new UntoldIdError(modelName, property.name) },
      returned: undefined,
      decode: itself
    }
  }
  if (gives === 'uuid' || (isText && gives === undefined)) {
    return { make: randomUUID, returned: undefined, decode: itself }
  }
  return { make: none, returned: undefined, decode: isText ? format.decode : itself }
}
