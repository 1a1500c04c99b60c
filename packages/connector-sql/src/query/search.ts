/** Searches as SQL. */
import type { SearchCondition } from '@fastback/core'
import type { Table } from '../tables/table.js'
import type { Expression } from './expression.js'

/** What JavaScript reads the words of: the database says nothing. */
const unknown: Expression = { code: 's?', inexact: true, sql: () => '(1 = 1)' }

/**
 * Decides how a search is written, and adds the values that it binds. Without an index that can answer it, JavaScript
 * reads the texts of the rows.
 */
export const planSearch = (search: SearchCondition, table: Table, values: unknown[]): Expression =>
  table.dialect.searchExpression(search, table, values) ?? unknown
