/** How pg-boss reaches the database: over the connections of the data source. */
import type { DataSource } from '@fastback/core'
import { transactionHandle } from '@fastback/core/connector'

export type SqlRow = Readonly<Record<string, unknown>>

/** What pg-boss takes as its database. */
export interface BossDatabase {
  executeSql (text: string, values?: unknown[]): Promise<{ rows: SqlRow[] }>
}

interface SqlConnector {
  readonly dialect?: { readonly name: string }
  execute (sql: string, values: readonly unknown[], options: object): Promise<SqlRow[] | undefined>
}

/** Whether a data source is PostgreSQL. */
export const isPostgres = ({ connector }: DataSource): boolean =>
  connector.name === 'sql' && (connector as unknown as SqlConnector).dialect?.name === 'postgres'

/**
 * pg-boss locks what several processes must not do at once in a transaction that it writes out. Several statements in
 * one message are a transaction already; an error would leave the connection in the one that is written out.
 */
const withoutTransaction = (text: string): string => text.replace(/^\s*BEGIN;/, '').replace(/COMMIT;\s*$/, '')

export class Database implements BossDatabase {
  readonly #connector: SqlConnector

  constructor (readonly dataSource: DataSource) {
    this.#connector = dataSource.connector as unknown as SqlConnector
  }

  async executeSql (text: string, values: readonly unknown[] = []): Promise<{ rows: SqlRow[] }> {
    return { rows: await this.#connector.execute(withoutTransaction(text), values, { primary: true }) ?? [] }
  }

  async rows (text: string, values: readonly unknown[]): Promise<SqlRow[]> {
    return (await this.executeSql(text, values)).rows
  }

  /**
   * The database within a transaction: the one that is given, or that the caller is in.
   * @throws RequestError 409 TRANSACTION_INACTIVE
   */
  within (given: unknown): BossDatabase {
    const transaction = given === undefined ? this.dataSource.ambient.handle : transactionHandle(given)
    if (transaction === undefined) return this
    return {
      executeSql: async (text, values = []) =>
        ({ rows: await this.#connector.execute(text, values, { transaction }) ?? [] })
    }
  }
}
