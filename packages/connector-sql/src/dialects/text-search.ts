/** Searches for words, and the indexes behind them. */
import type { SearchCondition } from '@fastback/core'
import type { TableDesign } from '../migration/design.js'
import type { Expression } from '../query/expression.js'
import type { Table } from '../tables/table.js'

/** How a database finds words. */
export interface TextSearch {
  /** The language of an index, as far as the database tells it from others: `simple` where it knows no forms of it. */
  searchLanguage (language: string): string
  /** Whether a table can have a text index on these columns. */
  canIndexWords (table: Pick<TableDesign, 'columns' | 'standsByKey'>, columns: readonly string[]): boolean
  /** A search as an expression, whose values it adds; undefined where JavaScript reads the words of the rows. */
  searchExpression (search: SearchCondition, table: Table, values: unknown[]): Expression | undefined
  /** How well a row fits a search, larger is better; undefined where JavaScript sorts. */
  rankExpression (search: SearchCondition, table: Table, values: unknown[]): Expression | undefined
}
