/** What differs between databases. Everything else in this package is written in terms of these interfaces. */
import type {
  Comparison,
  ConnectorContext,
  MaybePromise,
  PropertyPath,
  PropertyType,
  Row,
  StoredModel
} from '@fastback/core'
import type { SqlSettings } from '../settings.js'
import type { Expression } from '../query/expression.js'
import type { ExtraChanges, ExtraFilter } from '../tables/extra.js'
import type { Column, Table } from '../tables/table.js'
import type { ActualTable, Change, TableDesign } from '../migration/design.js'

/** How the values of one column are stored, read and compared. */
export interface ColumnFormat {
  readonly name: 'text' | 'real' | 'integer' | 'boolean' | 'date' | 'milliseconds' | 'blob' | 'json'
  /** Type in CREATE TABLE. */
  readonly declaredType: string
  /**
   * Whether `=`, `<` and ORDER BY of the database answer as the reference does for this format; otherwise the dialect
   * has expressions of its own (`Dialect.comparisonExpression`).
   */
  readonly comparable: boolean
  /** Whether a value of a condition has this column's type. Values of other types equal nothing and are in no range. */
  accepts (value: unknown): boolean
  /** Whether a row can have exactly this value, of those that `accepts` took. What no row can have equals nothing. */
  canStore (value: unknown): boolean
  /**
   * Whether the column holds whole numbers of 64 bits only: ranges with other bounds are then turned into ones that it
   * can be compared with.
   */
  readonly whole: boolean
  /**
   * Why a value cannot be stored at all; undefined when it can. Undefined for formats that store whatever `encode`
   * makes.
   */
  readonly refuses: ((value: unknown) => string | undefined) | undefined
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
   * How the raw value of `readJson` is written. `json`: it is JSON text already, `null` for NULL. `date`: it is a JSON
   * string, and the date itself when it has the form of `toISOString`. `number`, `boolean`: numbers, and 0 or 1.
   * `decoded`: whatever `decode` makes of it.
   */
  readonly jsonEncoding: 'json' | 'number' | 'boolean' | 'date' | 'decoded'
  /** Expression for a bound value of this format. */
  bound (placeholder: string): string
  /** The column as ranges and ORDER BY need it to answer as the reference does. */
  sorted (column: string): string
  /** A bound value beside `sorted`. */
  sortedBound (placeholder: string): string
  /** Elements of the list that `Dialect.inList` takes, from encoded values. */
  listed (encoded: unknown): unknown
}

/** One connection, or a pool that acts as one. Statements are prepared once per key. */
export interface Connection {
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
  atomically<T> (work: (connection: Connection) => MaybePromise<T>): MaybePromise<T>
  /**
   * Within `atomically`: waits until nobody else holds the lock of this name, and keeps it until the end of the
   * transaction.
   */
  lock (name: string): MaybePromise<void>
  /**
   * Reads the rows of a query batch by batch, all as they are at its beginning, until `take` says that it has enough
   * (false). Batches of long rows have fewer of them. Only where the dialect has it (`Dialect.scans`).
   * @param part which of its rows; the query has no LIMIT of its own
   */
  scan (key: string, sql: string, values: readonly unknown[], take: TakeRows, part?: Part): MaybePromise<void>
  begin (isolationLevel: string | undefined): MaybePromise<void>
  commit (): MaybePromise<void>
  rollback (): MaybePromise<void>
  close (): MaybePromise<void>
}

/** Gets the raw rows of a batch, and says whether more are wanted. */
export type TakeRows = (rows: unknown[][]) => MaybePromise<boolean>

/** Some rows of a query. */
export interface Part { readonly limit: number | undefined, readonly skip: number }

export interface Statement {
  /** All rows, as arrays of raw values. */
  all (values: readonly unknown[]): MaybePromise<unknown[][]>
  /** The first row. */
  get (values: readonly unknown[]): MaybePromise<unknown[] | undefined>
  run (values: readonly unknown[]): MaybePromise<QueryResult>
}

export interface QueryResult {
  /** Rows that matched. */
  readonly changes: number
  /** The number that the database gave to an inserted row. */
  readonly insertedId: number | bigint
}

/** An open database. */
export interface Database {
  /** Serves everything outside transactions. */
  readonly main: Connection
  /**
   * A connection for a transaction of its own; undefined when there is only the one connection (a database in memory,
   * one that was handed in).
   */
  reserve (): MaybePromise<Connection> | undefined
  /** Whether a transaction keeps all other writers out (SQLite): these wait for its end. */
  readonly singleWriter: boolean
  /** Gives a reserved connection back. */
  release (connection: Connection): void
  close (): MaybePromise<void>
}

export interface Dialect {
  readonly name: 'sqlite' | 'postgres' | 'mysql'
  /**
   * Whether the database itself answers everything as the reference does. Otherwise expressions may be inexact
   * (`Expression.inexact`): the database then narrows, and JavaScript tests the rows that are left.
   */
  readonly exact: boolean
  /**
   * Where the database is exact because it calls JavaScript, the same without that: what takes JavaScript is then
   * tested outside, in turns of the event loop. For requests that have a budget.
   */
  readonly withoutCallbacks: Dialect | undefined
  /**
   * Whether a query can be read batch by batch while others go on (`Connection.scan`). Otherwise each batch is a query
   * of its own, by the ids.
   */
  readonly scans: boolean
  /** What happens to tables at start when the data source does not say. */
  readonly defaultMigration: 'update' | 'none'
  /** Whether INSERT and UPDATE can give rows (RETURNING). */
  readonly returning: boolean
  /**
   * Where models and properties keep settings for this database: `{ "sqlite3": { "table": "…" } }`. The first that is
   * there wins.
   */
  readonly settingKeys: readonly string[]

  open(settings: SqlSettings, context: ConnectorContext): MaybePromise<Database>

  /**
   * An identifier in quotes.
   * @throws FBK_SQL_IDENTIFIER for a name that cannot be one
   */
  quote(name: string): string
  /** The name of an index as the database can have it: shorter, where there is a bound. */
  indexName(name: string): string
  /** A text in quotes; for names of the definition, never for values. */
  literal(text: string): string
  /** The placeholder of the value at `position` (from 1). */
  placeholder(position: number): string
  /** How a property is stored; `declaredType` is what an existing column was declared as. */
  format(type: PropertyType, declaredType: string | undefined): ColumnFormat

  /** A comparison that is true for NULL as well. */
  isDistinct(column: string, value: string): string
  /** Whether the column is one of the elements of the list bound as one value. */
  inList(column: string, list: string, format: ColumnFormat): string
  /** What is bound for a list, from elements as `ColumnFormat.listed` gives them. */
  list(elements: readonly unknown[], format: ColumnFormat): unknown
  /** Order in which rows were stored, for tables without an id. */
  readonly storedOrder: string
  /**
   * Name of a column of counting numbers that tables without an id are made with; undefined where `storedOrder` keeps
   * the order anyway.
   */
  readonly rowColumn: string | undefined
  /** ORDER BY term with NULL smallest. `nullable`: whether there can be NULLs. */
  orderTerm(expression: string, descending: boolean, nullable: boolean): string
  /**
   * What locks the rows of a SELECT until its transaction ends (` FOR UPDATE`); nothing where transactions that write
   * run one after the other.
   */
  readonly rowLock: string
  /** LIMIT and OFFSET; undefined for a part that is not wanted. */
  page(limit: string | undefined, skip: string | undefined): string

  /**
   * A comparison that the columns' own `=`, `<` and LIKE do not answer as the reference does: in JSON, on properties
   * that are not declared (`column` undefined), with patterns. Adds the values that the expression binds.
   */
  comparisonExpression(comparison: Comparison, column: Column | undefined, values: unknown[]): Expression
  /**
   * An expression that orders the values at a path in JSON as the reference does, the smallest being NULL. Undefined:
   * JavaScript sorts.
   */
  orderExpression(path: PropertyPath, column: Column | undefined, values: unknown[]): Expression | undefined
  /** The distance from a point; larger than every other for rows that have none. Undefined: JavaScript sorts. */
  distanceExpression(
    near: Comparison & { readonly kind: 'near' },
    column: Column | undefined,
    values: unknown[]
  ): Expression | undefined

  /** Makes JSON text of whole rows in the database; undefined where JavaScript puts it together from columns. */
  readonly json: JsonWriter | undefined
  /**
   * How rows are found again that were locked: an expression that tells the rows of a table apart, and a test of it
   * against a list bound as one value.
   */
  readonly rowKey: RowKey

  readonly extra: ExtraFormat
  /** What stands after the table's name in an INSERT that gives no value. */
  readonly emptyRow: string
  /**
   * What stands at the end of an INSERT: it gives the number that the database gave out, or (where that does not happen
   * by itself) lets the database give out numbers above `givenId` only.
   * @param givenId placeholder of the id that the row brings
   */
  insertEnd(table: Table, givenId: string | undefined): string
  /**
   * New value of the extra column.
   * @param fixed whether the changes follow from the columns that the statement sets (removals only), so that they may
   * stand in it
   */
  mergeExtra(column: string, changes: ExtraChanges, fixed: boolean): ExtraMerge

  introspect(connection: Connection, table: string): MaybePromise<ActualTable | undefined>
  /** The statement that makes a change. */
  migrate(change: Change, design: TableDesign): string

  /** Turns an error of the driver into one that may be shown. */
  translateError(error: unknown, context: ErrorContext): unknown
}

/** How the extra column is stored. */
export interface ExtraFormat {
  /** Type in CREATE TABLE. */
  readonly declaredType: string
  /** The value to bind for members, or for `ExtraChanges`. */
  encode (members: object): unknown
  /** The members of a raw value that is not NULL; none when it is not what this connector writes. */
  decode (raw: unknown): Row
  /** Expression for a bound value. */
  bound (placeholder: string): string
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

/** JSON text of rows, made by the database. */
export interface JsonWriter {
  /**
   * An expression for the JSON text of one row; undefined when a column needs JavaScript.
   * @param filter which members of the extra column belong to it; undefined for tables without one
   */
  row (columns: readonly Column[], extra: string | undefined, filter: ExtraFilter | undefined): string | undefined
  /** A query that gives one text, the list of the JSON texts that `query` selects as its only column. */
  list (query: string): string
  /** The text as it goes out. */
  finish (text: string): string
}

export interface RowKey {
  /** Expression to read it with. */
  read (table: Table): string
  isIn (table: Table, list: string): string
  /** What is bound for a list of raw values. */
  list (keys: readonly unknown[]): unknown
}

/** What was being done when the driver threw. */
export interface ErrorContext {
  readonly model?: StoredModel | undefined
  readonly table?: Table | undefined
  /** The id of the row being written, where it is known. */
  readonly id?: unknown
}
