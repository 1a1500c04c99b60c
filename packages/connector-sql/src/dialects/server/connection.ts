/** What connections of servers do alike, within transactions and outside of them. */
import type { MaybePromise } from '@fastback/core'
import type { Connection, Part, QueryResult, Statement, TakeRows } from '../driver.js'
import type { ServerDatabase } from './database.js'
import type { StatementText } from './statement-text.js'

/** Rows of the first round trip when a query is read batch by batch. */
export const firstBatch = 200

/** All rows of a query. */
export const allRows: Part = { limit: undefined, skip: 0 }

/** Whether a statement changes nothing, so that it may run twice. */
export const isRead = (sql: string): boolean => sql.startsWith('SELECT')

export abstract class ServerConnection<Client extends object, Result> implements Connection {
  constructor (readonly database: ServerDatabase<Client, Result>) {}

  /**
   * Runs a statement; without values (undefined) it is sent as it is.
   * @param read what is wanted of its response
   */
  abstract run<T> (
    text: StatementText, values: readonly unknown[] | undefined, read: (result: Result) => T
  ): Promise<T>
  abstract rows (sql: string, values: readonly unknown[]): Promise<Array<Record<string, unknown>>>
  abstract atomically<T> (work: (connection: Connection) => MaybePromise<T>): Promise<T>
  abstract lock (name: string): Promise<void>
  abstract takeTime (): Promise<void>
  abstract script (text: string): Promise<void>
  abstract scan (key: string, sql: string, values: readonly unknown[], take: TakeRows, part?: Part): Promise<void>
  /** @param enter statements that begin it, where the session is to be somebody else's */
  abstract begin (isolationLevel: string | undefined, brittle?: boolean, enter?: string): Promise<void>
  abstract commit (): Promise<void>
  abstract rollback (): Promise<void>
  abstract savepoint (name: string): Promise<void>
  abstract releasePart (name: string): Promise<void>
  abstract undoPart (name: string): Promise<void>
  abstract abort (): Promise<void>

  prepared (key: string): Statement | undefined {
    const text = this.database.statements.get(key)
    return text === undefined ? undefined : new ServerStatement(this, text)
  }

  prepare (key: string, sql: string): Statement {
    return new ServerStatement(this, this.database.named(key, sql))
  }

  execute (sql: string): Promise<void> {
    return this.run({ sql, name: undefined }, undefined, () => {})
  }

  query (sql: string, values: readonly unknown[]): Promise<unknown[][]> {
    return this.run({ sql, name: undefined }, values, this.database.driver.rowsOf)
  }

  async close (): Promise<void> {}
}

class ServerStatement<Client extends object, Result> implements Statement {
  constructor (readonly connection: ServerConnection<Client, Result>, readonly text: StatementText) {}

  get sql (): string {
    return this.text.sql
  }

  all (values: readonly unknown[]): Promise<unknown[][]> {
    return this.connection.run(this.text, values, this.connection.database.driver.rowsOf)
  }

  get (values: readonly unknown[]): Promise<unknown[] | undefined> {
    return this.connection.run(this.text, values, this.connection.database.firstRowOf)
  }

  run (values: readonly unknown[]): Promise<QueryResult> {
    return this.connection.run(this.text, values, this.connection.database.driver.resultOf)
  }
}
