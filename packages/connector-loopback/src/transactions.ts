/** Transactions of a legacy connector: `beginTransaction(isolationLevel, callback)`, `commit`, `rollback`. */
import type { TransactionSupport } from '@fastback/core'
import { TransactionEndedError } from './errors.js'
import type { LegacyConnector } from './legacy/connector.js'
import type { Store } from './store.js'

const ENDED = Symbol('fastback.transactionEnded')

/** A transaction as connectors expect it in `options.transaction`; perhaps one that the connector made. */
interface LegacyTransaction {
  readonly connector: LegacyConnector
  readonly connection: unknown
  [ENDED]?: true
}

const isTransaction = (value: unknown): value is LegacyTransaction =>
  typeof value === 'object' && value !== null && 'connector' in value && 'connection' in value

/** @throws FBK_CONNECTOR_TRANSACTION_ENDED */
export function mustBeOpen (transaction: unknown): void {
  if (isTransaction(transaction) && transaction[ENDED] === true) throw new TransactionEndedError()
}

export class LegacyTransactions implements TransactionSupport {
  constructor (readonly store: Store) {}

  async begin ({ isolationLevel }: { isolationLevel?: string | undefined }): Promise<LegacyTransaction> {
    // SQLite has kinds of transactions of its own, of which all are isolated.
    const usual = this.store.connector.name === 'sqlite3' ? 'IMMEDIATE' : 'READ COMMITTED'
    const begun = await this.store.callWith('beginTransaction', [isolationLevel ?? usual])
    return isTransaction(begun) ? begun : { connector: this.store.connector, connection: begun }
  }

  async commit (transaction: unknown): Promise<void> { await this.#end('commit', transaction as LegacyTransaction) }
  async rollback (transaction: unknown): Promise<void> { await this.#end('rollback', transaction as LegacyTransaction) }

  async #end (how: 'commit' | 'rollback', transaction: LegacyTransaction): Promise<void> {
    mustBeOpen(transaction)
    await this.store.callWith(how, [transaction.connection])
    transaction[ENDED] = true
  }
}
