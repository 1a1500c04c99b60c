/**
 * What the driver of a database server does: connections of its pool, and statements on them. Everything else about
 * connections and transactions is the same for all servers, and stands in this folder.
 */
import type { Acting, Connection, QueryResult } from '../driver.js'
import type { ServerDatabase } from './database.js'
import type { TransactionConnection } from './transaction-connection.js'
import type { StatementText } from './statement-text.js'

/** A statement with its values. */
export interface BoundStatement { readonly text: StatementText, readonly values: readonly unknown[] }

/** Who waits for the response to a statement, and gets one of the two. */
export interface Asking<Result> {
  answered (result: Result): void
  failed (error: unknown): void
}

/** `Client` is a connection of the driver's pool, `Result` what the driver answers. */
export interface ServerDriver<Client extends object, Result> {
  /** The server's name and where it is by default, for messages. */
  readonly server: { readonly name: string, readonly host: string, readonly port: number }
  /** Isolation level in which a query that is read batch by batch sees all rows as they were at its beginning. */
  readonly scanIsolation: string | undefined

  /**
   * Looks whether the database can be used.
   * @throws what `reasonOf` explains
   */
  tryOut (connection: Connection): Promise<void>
  /** How many connections the server has for all of its users. */
  connectionsOf (connection: Connection): Promise<number>
  /** Why the database cannot be reached, without user, password or the server's own words (these name users). */
  reasonOf (error: unknown): string

  /** A connection of the pool, perhaps used before. No more than the pool has are asked for at a time. */
  connect (taken: (client: Client) => void, failed: (error: unknown) => void): void
  /** Sets a new connection up: how the server writes values, and for how long it may work on one statement. */
  setUp (client: Client): Promise<void>
  /** Gives a connection back; a lost one is closed. */
  release (client: Client, lost: boolean): void
  /** Waits for statements that are under way, and closes the pool. */
  close (): Promise<void>

  /** Runs a statement. Without values (undefined) it is sent as it is: not all statements can be prepared. */
  run (
    client: Client, text: StatementText, values: readonly unknown[] | undefined, asking: Asking<Result>, acting?: Acting
  ): void
  /** Whether `run` takes somebody else to be (`acting`), in the same round trip. */
  readonly runsAs?: boolean
  /** Runs any statement once; its rows as objects by column. */
  runForObjects (
    client: Client,
    sql: string,
    values: readonly unknown[]
  ): Promise<Array<Record<string, unknown>>>
  /** The rows of a query's answer. */
  readonly rowsOf: (result: Result) => unknown[][]
  /** What a write's answer says. */
  readonly resultOf: (result: Result) => QueryResult
  /** The statement for some rows of a query, outside of transactions. */
  pageOf (
    database: ServerDatabase<Client, Result>,
    key: string,
    query: { readonly sql: string, readonly values: readonly unknown[] },
    limit: number,
    skip: number
  ): BoundStatement
  /** A transaction on a connection; a part of `outer` behind a savepoint, where that is given. */
  transaction (
    database: ServerDatabase<Client, Result>,
    client: Client,
    outer?: TransactionConnection<Client, Result>
  ): TransactionConnection<Client, Result>

  /** Whether the connection is gone, or was never there. */
  isLost (error: unknown): boolean
  /** Whether it is sure that a statement that got this error did nothing. */
  neverRan (error: unknown): boolean
}
