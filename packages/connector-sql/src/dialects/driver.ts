/** Open databases, their connections, and statements on them. */
import type { ConnectorContext, MaybePromise, PoolUsage, Row, StoredModel } from '@fastback/core'
import type { SqlSettings } from '../settings.js'
import type { Table } from '../tables/table.js'

/** Opens databases, and knows their errors. */
export interface Driver {
  /** Opens the database that a data source names. */
  open (settings: SqlSettings, context: ConnectorContext): MaybePromise<Database>
  /**
   * Whether a query can be read batch by batch while others go on (`Connection.scan`). Otherwise each batch is a query
   * of its own, by the ids.
   */
  readonly scans: boolean
  /** Turns an error of the driver into one that may be shown. */
  translateError (error: unknown, context: ErrorContext): unknown
  /** Present where positions tell what a replica has. */
  readonly replication?: Replication
}

/** How far a database has written, and a replica has followed; undefined where one does not say. */
export interface Replication {
  written (primary: Connection): Promise<bigint | undefined>
  replayed (replica: Connection): Promise<bigint | undefined>
}

/** An open database. */
export interface Database {
  /** Serves everything outside transactions. */
  readonly main: Connection
  /** Present where work is cheaper that is done together with what else comes in this tick of the event loop. */
  readonly ofThisTick?: TickConnections | undefined
  /**
   * A connection for a transaction of its own; undefined when there is only the one connection (a database in memory,
   * one that was handed in).
   */
  reserve (): MaybePromise<Connection> | undefined
  /** Whether a transaction keeps all other writers out (SQLite): these wait for its end. */
  readonly singleWriter: boolean
  /** Gives a reserved connection back. */
  release (connection: Connection): void
  /** Connections of its pool; undefined where it has none. */
  readonly usage?: PoolUsage
  close (): MaybePromise<void>
}

/** The main connection for what need not be done by itself (`StoreOptions.ofThisTick`). */
export interface TickConnections {
  readonly reads: Connection
  readonly writes: Connection
}

/** One connection, or a pool that acts as one. Statements are prepared once per key. */
export interface Connection {
  /** Whether a value takes long to come from it, so that texts of many rows are better put together by the database. */
  readonly isDear?: boolean
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
  /** The same for work that waits for nothing; with other writes of the tick where these have one commit. */
  unit?<T> (work: () => T): MaybePromise<T>
  /**
   * Does `work` as somebody else: all statements of the connection that it gets are theirs. Within a transaction it is
   * a part of that, kept or undone as a whole. Only where the dialect has roles for that.
   */
  actingAs?<T> (statements: Acting, work: (connection: Connection) => MaybePromise<T>): MaybePromise<T>
  /**
   * Within `atomically`: waits until nobody else holds the lock of this name, and keeps it until the end of the
   * transaction.
   */
  lock (name: string): MaybePromise<void>
  /** Within `atomically`: statements, and the wait for locks, may take any time from here to its end. */
  takeTime (): MaybePromise<void>
  /** Within `atomically`: runs a text of several statements, as the database's own client would. */
  script (text: string): MaybePromise<void>
  /**
   * Reads the rows of a query batch by batch, all as they are at its beginning, until `take` says that it has enough
   * (false). Batches of long rows have fewer of them. Only where the dialect has it (`Dialect.scans`).
   * @param part which of its rows; the query has no LIMIT of its own
   */
  scan (key: string, sql: string, values: readonly unknown[], take: TakeRows, part?: Part): MaybePromise<void>
  /** @param brittle whether nothing need be usable after an error */
  begin (isolationLevel: string | undefined, brittle?: boolean): MaybePromise<void>
  commit (): MaybePromise<void>
  rollback (): MaybePromise<void>
  /** Begins a part of the transaction. Parts have names of their own. */
  savepoint (name: string): MaybePromise<void>
  /** Ends a part: what was done in it stays. */
  releasePart (name: string): MaybePromise<void>
  /** Ends a part: what was done in it is taken back. */
  undoPart (name: string): MaybePromise<void>
  /**
   * Rolls back without waiting for a statement that is under way: the connection is closed where there is one, and the
   * server rolls back.
   */
  abort (): MaybePromise<void>
  close (): MaybePromise<void>
}

/** What makes a session that of somebody else until the end of the transaction, and what takes it back before. */
export interface Acting {
  readonly enter: string
  readonly leave: string
  /** The same as `enter` for one statement alone: a query with values, which is sent in front of it. */
  readonly before: { readonly sql: string, readonly values: readonly string[] }
}

/** Gets the raw rows of a batch, and says whether more are wanted. */
export type TakeRows = (rows: unknown[][]) => MaybePromise<boolean>

/** Some rows of a query. */
export interface Part { readonly limit: number | undefined, readonly skip: number }

/** A prepared statement. */
export interface Statement {
  readonly sql: string
  /** All rows, as arrays of raw values. */
  all (values: readonly unknown[]): MaybePromise<unknown[][]>
  /** The first row. */
  get (values: readonly unknown[]): MaybePromise<unknown[] | undefined>
  run (values: readonly unknown[]): MaybePromise<QueryResult>
}

/** What a write did. */
export interface QueryResult {
  /** Rows that matched. */
  readonly changes: number
  /** The number that the database gave to an inserted row. */
  readonly insertedId: number | bigint
}

/** What was being done when the driver threw. */
export interface ErrorContext {
  readonly model?: StoredModel | undefined
  readonly table?: Table | undefined
  /** The id of the row being written, where it is known. */
  readonly id?: unknown
  /** The values, of one row or several. */
  readonly given?: Readonly<Row> | ReadonlyArray<Readonly<Row>> | undefined
}
