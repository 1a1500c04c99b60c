import type { ColumnDesign } from '../migration/design.js'

/** What stands behind the type of a column that the database makes a value for. */
export const defaultSql = ({ default: expression }: ColumnDesign): string =>
  expression === undefined ? '' : ` DEFAULT ${expression}`
