/** How SQL is written for a database. */
import type { ColumnFormat } from './column-types.js'
import type { ExtraChanges } from '../tables/extra.js'
import type { Table } from '../tables/table.js'

/** Quotes, placeholders, operators and clauses. */
export interface SqlSyntax {
  /**
   * An identifier in quotes.
   * @throws FBK_SQL_IDENTIFIER for a name that cannot be one
   */
  quote (name: string): string
  /** The placeholder of the value at `position` (from 1). */
  placeholder (position: number): string
  /** A comparison that is true for NULL as well. */
  isDistinct (column: string, value: string): string
  /** Whether the column is one of the elements of the list bound as one value. */
  inList (column: string, list: string, format: ColumnFormat): string
  /**
   * What stands for the table in an UPDATE and a DELETE that find rows by a list (`inList`, `rowKey.isIn`), where the
   * database would not use an index otherwise.
   */
  readonly changeByList?: { update (table: Table): string, delete (table: Table): string }
  /** Whether an UPDATE or DELETE may look at other rows of the table that it changes. */
  readonly readsWhatItChanges: boolean
  /** What is bound for a list, from elements as `ColumnFormat.listed` gives them. */
  list (elements: readonly unknown[], format: ColumnFormat): unknown
  /** Order in which rows were stored, for tables without an id. */
  readonly storedOrder: string
  /** ORDER BY term with NULL smallest. `nullable`: whether there can be NULLs. */
  orderTerm (expression: string, descending: boolean, nullable: boolean): string
  /**
   * What locks the rows of a SELECT until its transaction ends (` FOR UPDATE`); nothing where transactions that write
   * run one after the other.
   */
  readonly rowLock: string
  /** The same for several who only keep the rows from being changed (` FOR SHARE`). */
  readonly sharedRowLock: string
  /**
   * How rows are found again that were locked: an expression that tells the rows of a table apart, and a test of it
   * against a list bound as one value.
   */
  readonly rowKey: RowKey
  /** LIMIT and OFFSET; undefined for a part that is not wanted. */
  page (limit: string | undefined, skip: string | undefined): string
  /** Whether a statement with a bound limit is planned anew each time, since the plan hangs on it. */
  readonly plansByLimit: boolean
  /** Whether UPDATE can give rows (RETURNING). */
  readonly returning: boolean
  /** Whether INSERT can, which is known when the database is open (MariaDB's UPDATE cannot). */
  tellsInserted (): boolean
  /** Whether a value of an INSERT can be read from the table that it inserts into. */
  readonly insertsFromSelf: boolean
  /** Rows of one INSERT at most: more than one where a statement is a round trip. */
  readonly rowsPerInsert: number
  /** Whether a query can stand before an INSERT and hold others (WITH … AS (INSERT …)). */
  readonly writesWithin: boolean
  /**
   * What stands behind an INSERT, so that a row with the same id is replaced; undefined where a row might be taken for
   * the same that is not.
   */
  putEnd (table: Table): string | undefined
  /** What stands after the table's name in an INSERT that gives no value. */
  readonly emptyRow: string
  /**
   * What stands at the end of an INSERT: it gives the number that the database gave out, or (where that does not happen
   * by itself) lets the database give out numbers above `givenId` only.
   * @param givenId placeholder of the id that the row brings
   * @param answer what is wanted of the stored row, in place of the number; only where `tellsInserted`
   */
  insertEnd (table: Table, givenId: string | undefined, answer?: string): string
  /**
   * New value of the extra column.
   * @param fixed whether the changes follow from the columns that the statement sets (removals only), so that they may
   * stand in it
   */
  mergeExtra (column: string, changes: ExtraChanges, fixed: boolean): ExtraMerge
}

/** An expression for changes of the extra column. */
export interface ExtraMerge {
  /** Stands for it in statement keys; empty for fixed changes. */
  readonly key: string
  /** What it binds. */
  readonly values: readonly unknown[]
  /** @param next gives the next placeholder */
  sql (next: () => string): string
}

/** How rows are found by a list of keys. */
export interface RowKey {
  /** Expression to read it with. */
  read (table: Table): string
  isIn (table: Table, list: string): string
  /** What is bound for a list of raw values. */
  list (keys: readonly unknown[]): unknown
}
