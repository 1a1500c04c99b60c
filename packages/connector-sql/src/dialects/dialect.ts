/** What differs between databases. Everything else in this package is written in terms of these interfaces. */
import type { Comparison, ConnectorContext, MaybePromise, PropertyPath, PropertyType, StoredModel } from '@fastback/core'
import type { SqlSettings } from '../settings.js'
import type { Form } from '../query/form.js'
import type { Column, Table } from '../tables/table.js'
import type { ActualTable, Change, TableDesign } from '../migration/design.js'

/** How the values of one column are stored, read and compared. */
export interface ColumnFormat {
  readonly name: 'text' | 'real' | 'integer' | 'boolean' | 'date' | 'milliseconds' | 'blob' | 'json'
  /** Type in CREATE TABLE. */
  readonly declaredType: string
  /** Whether `=`, `<` and ORDER BY of the database answer as the reference does for this format; otherwise the dialect has forms of its own (`Dialect.special`). */
  readonly comparable: boolean
  /** Whether a value of a condition has this column's type. Values of other types equal nothing and are in no range. */
  accepts (value: unknown): boolean
  /** The value to bind, from a value of a row (never null or undefined) or one that `accepts` took. */
  encode (value: unknown): unknown
  /** The row's value, from a raw value of the database that is not NULL. */
  decode (raw: unknown): unknown
  /** Whether `decode` may be left out for raw values of this JavaScript type. */
  readonly verbatim: 'string' | 'number' | undefined
  /** The value as conditions that JavaScript tests see it: as `decode`, but dates inside JSON stay text. */
  plain (raw: unknown): unknown
  /** Expression to read the column with. */
  read (column: string): string
  /** Expression to read the column with for JSON text. */
  readJson (column: string): string
  /**
   * How the raw value of `readJson` is written. `json`: it is JSON text already, `null` for NULL. `date`: it is a JSON string, and the date itself when it
   * has the form of `toISOString`. `number`, `boolean`: numbers, and 0 or 1. `decoded`: whatever `decode` makes of it.
   */
  readonly written: 'json' | 'number' | 'boolean' | 'date' | 'decoded'
  /** Expression for a bound value of this format. */
  bound (placeholder: string): string
  /** Elements of the list that `Dialect.inList` takes, from encoded values. */
  listed (encoded: unknown): unknown
}

/** One connection, or a pool that acts as one. Statements are prepared once per key. */
export interface Session {
  /** The statement with this key, if it was prepared before. */
  prepared (key: string): Statement | undefined
  /** Prepares a statement and keeps it under its key. */
  prepare (key: string, sql: string): Statement
  /** Runs statements that have no values: DDL, PRAGMA. */
  execute (sql: string): MaybePromise<void>
  /** Rows of a query that runs once (introspection). */
  query (sql: string, values: readonly unknown[]): MaybePromise<readonly unknown[][]>
  /** Runs any statement with values bound, for `SqlConnector.execute`; its rows as objects by column. */
  rows (sql: string, values: readonly unknown[]): MaybePromise<Array<Record<string, unknown>>>
  /** Runs `work` in a transaction (within an open one, behind a savepoint): all of it or nothing is kept. */
  atomically<T> (work: (session: Session) => MaybePromise<T>): MaybePromise<T>
  begin (isolationLevel: string | undefined): MaybePromise<void>
  commit (): MaybePromise<void>
  rollback (): MaybePromise<void>
  close (): MaybePromise<void>
}

export interface Statement {
  /** All rows, as arrays of raw values. */
  all (values: readonly unknown[]): MaybePromise<unknown[][]>
  /** The first row. */
  get (values: readonly unknown[]): MaybePromise<unknown[] | undefined>
  run (values: readonly unknown[]): MaybePromise<Outcome>
}

export interface Outcome {
  /** Rows that matched. */
  readonly changes: number
  /** The number that the database gave to an inserted row. */
  readonly insertedId: number | bigint
}

/** An open database. */
export interface Database {
  /** Serves everything outside transactions. */
  readonly main: Session
  /** A connection for a transaction of its own; undefined when there is only the one connection (a database in memory, one that was handed in). */
  reserve (): MaybePromise<Session> | undefined
  /** Whether a transaction keeps all other writers out (SQLite): these wait for its end. */
  readonly singleWriter: boolean
  /** Gives a reserved connection back. */
  release (session: Session): void
  close (): MaybePromise<void>
}

export interface Dialect {
  readonly name: 'sqlite' | 'postgres' | 'mysql'
  /** Where models and properties keep settings for this database: `{ "sqlite3": { "table": "…" } }`. The first that is there wins. */
  readonly settingKeys: readonly string[]

  open (settings: SqlSettings, context: ConnectorContext): MaybePromise<Database>

  /**
   * An identifier in quotes.
   * @throws FBK_SQL_IDENTIFIER for a name that cannot be one
   */
  quote (name: string): string
  /** A text in quotes; for names of the definition, never for values. */
  literal (text: string): string
  /** The placeholder of the value at `position` (from 1). */
  placeholder (position: number): string
  /** How a property is stored; `declaredType` is what an existing column was declared as. */
  format (type: PropertyType, declaredType: string | undefined): ColumnFormat

  /** A comparison that also holds for NULL. */
  isDistinct (column: string, value: string): string
  /** Whether the column is one of the elements of the list bound as one value. */
  inList (column: string, list: string, format: ColumnFormat): string
  /** What is bound for a list, from elements as `ColumnFormat.listed` gives them. */
  list (elements: readonly unknown[], format: ColumnFormat): unknown
  /** Order in which rows were stored, for tables without an id. */
  readonly storedOrder: string
  /** ORDER BY term with NULL smallest. */
  orderTerm (expression: string, descending: boolean): string
  /** What locks the rows of a SELECT until its transaction ends (` FOR UPDATE`); nothing where transactions that write run one after the other. */
  readonly rowLock: string
  /** LIMIT and OFFSET; undefined for a part that is not wanted. */
  page (limit: string | undefined, skip: string | undefined): string

  /**
   * A comparison that the columns' own `=`, `<` and LIKE do not answer as the reference does: in JSON, on properties that are not declared (`column`
   * undefined), with patterns. Adds the values that the form binds.
   */
  special (comparison: Comparison, column: Column | undefined, values: unknown[]): Form
  /** An expression that orders the values at a path in JSON as the reference does, the smallest being NULL. */
  specialOrder (path: PropertyPath, column: Column | undefined, values: unknown[]): Form
  /** The distance from a point; larger than every other for rows that have none. */
  distanceOrder (near: Comparison & { readonly kind: 'near' }, column: Column | undefined, values: unknown[]): Form

  /** What stands after the table's name in an INSERT that gives no value. */
  readonly emptyRow: string
  /** New value of the overflow column; `changes` is an expression for the JSON text of `ExtraChanges`, `sets` whether these set anything. */
  mergeExtra (column: string, changes: string, sets: boolean): string

  introspect (session: Session, table: string): MaybePromise<ActualTable | undefined>
  /** The statement that makes a change. */
  migrate (change: Change, design: TableDesign): string

  /** Turns an error of the driver into one that may be shown. */
  translateError (error: unknown, context: ErrorContext): unknown
}

/** What was being done when the driver threw. */
export interface ErrorContext {
  readonly model?: StoredModel | undefined
  readonly table?: Table | undefined
  /** The id of the row being written, where it is known. */
  readonly id?: unknown
}
