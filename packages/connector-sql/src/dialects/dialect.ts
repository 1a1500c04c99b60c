/** What differs between databases. Everything else in this package is written in terms of these interfaces. */
import type { AggregateSyntax } from './aggregate-syntax.js'
import type { ColumnTypes } from './column-types.js'
import type { DialectName } from './dialect-name.js'
import type { Driver } from './driver.js'
import type { PlanReader } from './plan-reader.js'
import type { QueryExpressions } from './query-expressions.js'
import type { SqlSyntax } from './sql-syntax.js'
import type { TableMigration } from './table-migration.js'
import type { TextSearch } from './text-search.js'

export interface Dialect
  extends SqlSyntax, QueryExpressions, AggregateSyntax, ColumnTypes, TableMigration, PlanReader, TextSearch, Driver {
  readonly name: DialectName
}
