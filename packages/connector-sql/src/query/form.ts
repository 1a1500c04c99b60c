/** One way to write a comparison or a term to order by. */
import type { Column, Table } from '../tables/table.js'
import type { Placeholders } from './shape.js'

export interface Form {
  /** Stands for the form in statement keys. */
  readonly code: string
  /** The expression holds for every row that the comparison holds for, but perhaps for others as well. */
  readonly inexact?: boolean
  /**
   * The expression. It takes as many placeholders as values were added when the form was chosen, in the same order.
   * @param column where the property is stored; undefined for properties that are not declared
   */
  sql (column: Column | undefined, table: Table, placeholders: Placeholders): string
}
