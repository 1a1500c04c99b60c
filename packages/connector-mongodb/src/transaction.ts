/** A transaction, as `beginTransaction` hands it out: a session of the driver. */
import type { ConnectorLog } from '@fastback/core'
import type { ClientSession } from './driver.js'
import { IsolationLevelError, TransactionEndedError } from './errors.js'

/** MongoDB's only level is snapshot isolation, the `REPEATABLE READ` of others. */
const levels: ReadonlySet<string> = new Set(['SNAPSHOT', 'REPEATABLE READ', 'READ COMMITTED', 'READ UNCOMMITTED'])

/** @throws FBK_MONGODB_ISOLATION_LEVEL for one that is stronger than what MongoDB has */
export function checkIsolationLevel (level: string | undefined): void {
  if (level !== undefined && !levels.has(level.toUpperCase())) {
    throw new IsolationLevelError(level, [...levels].join(', '))
  }
}

export class MongodbTransaction {
  #isOpen = true
  readonly #timer: NodeJS.Timeout

  /** @param timeout milliseconds after which it is rolled back when nothing ended it */
  constructor (
    readonly session: ClientSession,
    readonly timeout: number,
    log: ConnectorLog,
    readonly ended: () => void
  ) {
    session.startTransaction({ readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority' } })
    this.#timer = setTimeout(() => {
      log.warn({ timeout }, 'a transaction was rolled back because nothing ended it in time')
      this.rollback().catch((error: unknown) => { log.warn({ err: error }, 'the rollback failed') })
    }, timeout)
  }

  /** @throws FBK_MONGODB_TRANSACTION_ENDED */
  mustBeOpen (): void {
    if (!this.#isOpen) throw new TransactionEndedError(String(this.timeout))
  }

  async commit (): Promise<void> {
    await this.#end(async () => { await this.session.commitTransaction() })
  }

  async rollback (): Promise<void> {
    await this.#end(async () => { await this.session.abortTransaction() })
  }

  async #end (how: () => Promise<void>): Promise<void> {
    this.mustBeOpen()
    this.#isOpen = false
    clearTimeout(this.#timer)
    try {
      await how()
    } finally {
      this.ended()
      await this.session.endSession()
    }
  }
}
