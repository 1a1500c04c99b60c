import { isUint64 } from '../../query/integer-bound.js'
import { integer, type MysqlFormat } from './formats.js'

const asUnsigned = (placeholder: string): string => `CAST(${placeholder} AS UNSIGNED)`

/** `BIGINT UNSIGNED` reaches to 2^64 - 1. */
export const unsigned: MysqlFormat = {
  ...integer,
  declaredType: 'BIGINT UNSIGNED',
  listType: 'BIGINT UNSIGNED',
  unsigned: true,
  canStore: isUint64,
  refuses: value => isUint64(typeof value === 'boolean' ? Number(value) : value)
    ? undefined
    : 'is not a whole number of 64 bits without a sign',
  bound: asUnsigned,
  sortedBound: asUnsigned
}
