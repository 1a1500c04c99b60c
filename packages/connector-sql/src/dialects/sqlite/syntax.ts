/** How SQLite's SQL is written. */
import { encodeJson } from '../../tables/json-text.js'
import type { Table } from '../../tables/table.js'
import type { SqlSyntax } from '../sql-syntax.js'
import { putOnConflict as putEnd } from '../put-on-conflict.js'
import { quoteName, quoteText } from './quote.js'

/** The number of a row; where it has none, one text of the values that tell rows apart, of whatever type. */
const keyOf = ({ storedBy }: Table): string =>
  storedBy?.map(column => `quote(${column})`).join(" || ',' || ") ?? 'rowid'

/**
 * A bound value that the planner does not look at. For a bare `?` behind LIMIT (SQLite 3.46 and later), or beside an
 * indexed column (where SQLite was built with STAT4), it plans by the value, and so prepares the statement anew each
 * time that another one is bound: 5 to 12 µs, more than finding the row.
 */
const knownLater = '+?'

export const syntax: SqlSyntax = {
  quote: quoteName,
  placeholder: () => knownLater,
  isDistinct: (column, value) => `${column} IS NOT ${value}`,
  inList: (column, list) => `${column} IN (SELECT value FROM json_each(${list}))`,
  list: encodeJson,
  readsWhatItChanges: true,
  storedOrder: 'rowid',
  orderTerm: (expression, descending) => (descending ? `${expression} DESC` : expression),
  rowLock: '',
  sharedRowLock: '',
  rowKey: {
    read: keyOf,
    isIn: (table, list) => `${keyOf(table)} IN (SELECT value FROM json_each(${list}))`,
    list: encodeJson
  },
  page: (limit, skip) =>
    limit === undefined && skip === undefined
      ? ''
      : ` LIMIT ${limit ?? '-1'}${skip === undefined ? '' : ` OFFSET ${skip}`}`,
  plansByLimit: false,
  returning: true,
  tellsInserted: () => true,
  insertsFromSelf: true,
  rowsPerInsert: 1,
  writesWithin: false,
  putEnd,
  emptyRow: 'DEFAULT VALUES',
  insertEnd: (_table, _givenId, answer) => answer === undefined ? '' : ` RETURNING ${answer}`,
  mergeExtra (column, changes, fixed) {
    const sets = Object.keys(changes.set).length > 0
    const merged = (changes: string): string => {
      const merge = `fastback_merge(${column}, ${changes})`
      return sets ? merge : `CASE WHEN ${column} IS NULL THEN NULL ELSE ${merge} END`
    }
    return fixed
      ? { key: '', values: [], sql: () => merged(quoteText(encodeJson(changes))) }
      : { key: sets ? 'x' : 'y', values: [encodeJson(changes)], sql: next => merged(next()) }
  }
}
