/**
 * Transactions that operations open by themselves, so that an error of a hook takes back what was written before it.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Ending, TransactionSupport } from './connector.js'
import type { MaybePromise } from '../maybe-promise.js'

interface Ambient {
  readonly handle: unknown
  open: boolean
  /** Set when code within asked for a rollback. */
  doomed: boolean
  readonly afterwards: Array<() => void>
  readonly takenBack: Array<() => void>
}

/** What an operation of a hook that was rolled back by the hook's own transaction ends with. */
const doomed = 'A hook rolled back the transaction of the operation that it listens to.'

/**
 * The transactions of one data source that nobody passes on: operations within hooks find the one they are in by the
 * asynchronous context, whatever options they are called with. They would wait for its end otherwise, and it for them.
 * Costs nothing where no such transaction is open.
 */
export class AmbientTransactions {
  readonly #storage = new AsyncLocalStorage<Ambient>()
  #open = 0

  #current (): Ambient | undefined {
    if (this.#open === 0) return undefined
    const ambient = this.#storage.getStore()
    // What a hook started and did not wait for may come when all is over.
    return ambient?.open === true ? ambient : undefined
  }

  /** The store's handle of the transaction that the caller is in. */
  get handle (): unknown {
    return this.#current()?.handle
  }

  /** Runs `work` when the transaction that the caller is in has been committed; now, when there is none. */
  whenCommitted (work: () => void): void {
    const ambient = this.#current()
    if (ambient === undefined) work()
    else ambient.afterwards.push(work)
  }

  /** Runs `work` when the transaction that the caller is in has been rolled back. */
  whenRolledBack (work: () => void): void {
    this.#current()?.takenBack.push(work)
  }

  /**
   * The transaction that the caller is in, as support for one that code opens within it: its end is not the end of the
   * whole, its rollback is.
   */
  joined (): { handle: unknown, support: TransactionSupport, outer: Ending } | undefined {
    const ambient = this.#current()
    if (ambient === undefined) return undefined
    return {
      handle: ambient.handle,
      outer: {
        whenCommitted (work) { ambient.afterwards.push(work) },
        whenRolledBack (work) { ambient.takenBack.push(work) }
      },
      support: {
        begin: () => ambient.handle,
        commit () {},
        rollback () {
          ambient.doomed = true
        }
      }
    }
  }

  async run<T> (support: TransactionSupport, work: () => MaybePromise<T>, isolationLevel?: string): Promise<T> {
    const ambient: Ambient = {
      handle: await support.begin({ isolationLevel }),
      open: true,
      doomed: false,
      afterwards: [],
      takenBack: []
    }
    this.#open++
    try {
      const result = await this.#storage.run(ambient, async () => await work())
      if (ambient.doomed) throw new Error(doomed)
      ambient.open = false
      await support.commit(ambient.handle)
      for (const each of ambient.afterwards) each()
      return result
    } catch (error) {
      ambient.open = false
      // The store may have ended it already (a time-out, a failed commit); what matters is the error that came first.
      try { await support.rollback(ambient.handle) } catch {}
      for (const each of ambient.takenBack) each()
      throw error
    } finally {
      this.#open--
    }
  }
}
