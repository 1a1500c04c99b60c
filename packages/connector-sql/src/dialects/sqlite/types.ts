/** Which format a property has in SQLite. */
import type { PropertyType } from '@fastback/core'
import type { ColumnFormat } from '../column-types.js'
import { datesLike } from './date-texts.js'
import { decimalOf, isOfKeys } from './decimals.js'
import { affinityOf, keepsNumbers } from './declared-types.js'
import { blob, boolean, date, integer, json, milliseconds, real, text } from './formats.js'

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
