/** How PostgreSQL's SQL is written. */
import { encodeJson } from '../../tables/json-text.js'
import type { ColumnFormat } from '../column-types.js'
import type { Table } from '../../tables/table.js'
import type { SqlSyntax } from '../sql-syntax.js'
import { putOnConflict as putEnd } from '../put-on-conflict.js'
import { quoteName, quoteText } from './quote.js'
import { codeJson } from './text-code.js'
import type { PostgresFormat } from './formats.js'

const listType = (format: ColumnFormat): string => `${(format as PostgresFormat).sqlType}[]`

/** Where a row stands; where that is not all, or nowhere, one text of the values that tell rows apart. */
const keyOf = ({ storedBy }: Table): string => storedBy === undefined ? 'ctid' : `ROW(${storedBy.join(', ')})::text`

export const syntax: SqlSyntax = {
  quote: quoteName,
  placeholder: position => `$${position}`,
  isDistinct: (column, value) => `${column} IS DISTINCT FROM ${value}`,
  inList: (column, list, format) => `${column} = ANY(${list}::${listType(format)})`,
  list: elements => elements,
  readsWhatItChanges: true,
  storedOrder: 'ctid',
  orderTerm: (expression, descending, nullable) =>
    descending
      ? `${expression} DESC${nullable ? ' NULLS LAST' : ''}`
      : nullable
        ? `${expression} NULLS FIRST`
        : expression,
  rowLock: ' FOR UPDATE',
  sharedRowLock: ' FOR SHARE',
  rowKey: {
    read: keyOf,
    isIn: (table, list) => `${keyOf(table)} = ANY(${list}::${table.storedBy === undefined ? 'tid' : 'text'}[])`,
    list: keys => keys
  },
  page: (limit, skip) =>
    `${limit === undefined ? '' : ` LIMIT ${limit}::bigint`}${skip === undefined ? '' : ` OFFSET ${skip}::bigint`}`,
  plansByLimit: true,
  returning: true,
  tellsInserted: () => true,
  insertsFromSelf: true,
  rowsPerInsert: 256,
  writesWithin: true,
  putEnd,
  emptyRow: 'DEFAULT VALUES',
  insertEnd ({ id }, givenId, answer) {
    const plain = answer === undefined ? '' : ` RETURNING ${answer}`
    if (id === undefined) return plain
    if (givenId === undefined) return plain === '' ? ` RETURNING ${id.quoted}` : plain
    if (id.sequence === undefined) return plain
    const { sequence } = id
    const isNext = `(last_value < ${givenId}::bigint OR (NOT is_called AND last_value = ${givenId}::bigint))`
    // From an id near the end of a small column (SERIAL, as LoopBack made it) there would be no next one: the sequence
    // stays where it is.
    const hasRoom = `${givenId}::bigint <= (SELECT seqmax / 2 FROM pg_catalog.pg_sequence WHERE seqrelid = ${quoteText(sequence)}::regclass)`
    return `${plain === '' ? ' RETURNING' : `${plain},`} (SELECT setval(${quoteText(sequence)}, ${givenId}::bigint) FROM ${sequence} WHERE ${isNext} AND ${hasRoom})`
  },
  mergeExtra (column, changes, fixed) {
    const sets = Object.keys(changes.set).length > 0
    const text = (): string => codeJson(encodeJson(changes))
    const merged = (json: string): string => {
      const removed = `ARRAY(SELECT jsonb_array_elements_text(${json} -> 'remove'))`
      return sets
        ? `NULLIF((coalesce(${column}, '{}') - ${removed}) || (${json} -> 'set'), '{}')`
        : `NULLIF(${column} - ${removed}, '{}')`
    }
    return fixed
      ? { key: '', values: [], sql: () => merged(`${quoteText(text())}::jsonb`) }
      : { key: sets ? 'x' : 'y', values: [text()], sql: next => merged(`${next()}::jsonb`) }
  }
}
