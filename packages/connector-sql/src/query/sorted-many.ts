/** Pages of many sorted rows, where the database is a part of this process (security.md, S-197). */
import type { OrderTerm, Query } from '@fastback/core'
import { fewRows } from '@fastback/core/connector'
import type { ColumnFormat } from '../dialects/column-types.js'
import type { Table } from '../tables/table.js'

/** Formats whose values are short, whatever a row has. */
const short: ReadonlySet<ColumnFormat['name']> = new Set(['real', 'integer', 'boolean', 'date', 'milliseconds'])

/**
 * Whether a statement would sort many rows, up to the end of a page, by texts that may be long, or with all that is in
 * the rows that it skips. SQLite holds all of them meanwhile, in one go: 900 texts of 10 kB take it more than a second.
 * What an index has in order is not sorted.
 */
export function sortsMany ({ order, skip, limit = Infinity }: Query, table: Table): boolean {
  const [first] = order
  if (skip + limit <= fewRows || first === undefined || table.dialect.scans || !table.isKeyed) return false
  if (!order.every(term => 'path' in term) || isIndexed(first, table)) return false
  return skip > fewRows || !order.every(term => isShort(term, table))
}

function isIndexed (term: OrderTerm, table: Table): boolean {
  if (!('path' in term) || term.path.path.length > 0) return false
  const column = table.byProperty.get(term.path.property)
  return column !== undefined && table.isIndexed(column)
}

function isShort (term: OrderTerm, table: Table): boolean {
  if (!('path' in term) || term.path.path.length > 0) return false
  const format = table.byProperty.get(term.path.property)?.format.name
  return format !== undefined && short.has(format)
}
