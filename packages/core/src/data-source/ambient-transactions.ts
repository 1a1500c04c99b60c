/**
 * Transactions that operations open by themselves, so that an error of a hook takes back what was written before it.
 */
import type {
  Connector, Ending, StoreOptions, TransactionBeginning, TransactionSupport, UnitSupport
} from './connector.js'
import type { StoredModel } from '../definition/stored-model.js'
import { chain, type MaybePromise } from '../maybe-promise.js'
import { Inside } from './inside.js'
import { mayBeCommitted } from './store-errors.js'

interface Ambient {
  readonly handle: unknown
  readonly support: TransactionSupport
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
  readonly #inside = new Inside<Ambient>()
  /** That of a unit, whose work is done while nothing else is. */
  #unit: Ambient | undefined

  #current (): Ambient | undefined {
    if (this.#unit !== undefined) return this.#unit
    const ambient = this.#inside.current
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
        ...ambient.support,
        begin: () => ambient.handle,
        commit () {},
        rollback () {
          ambient.doomed = true
        }
      }
    }
  }

  /**
   * Whether work that waits for nothing can be one by `runUnit`: the store has units, and the caller is in no
   * transaction.
   */
  unitsOf ({ units, transactions }: Connector): UnitSupport | undefined {
    return transactions === undefined || this.handle !== undefined ? undefined : units
  }

  /**
   * Does work that waits for nothing as a unit of the store. Operations within find its transaction, as in `run`.
   * @param work may be done twice, the first time being undone
   */
  runUnit<T> (
    { units, transactions }: Connector, models: readonly StoredModel[], options: StoreOptions, work: () => T
  ): MaybePromise<T> {
    let ambient: Ambient | undefined
    const done = (units as UnitSupport).run(models, options, ({ transaction: handle }) => {
      const support = transactions as TransactionSupport
      ambient = { handle, support, open: true, doomed: false, afterwards: [], takenBack: [] }
      this.#unit = ambient
      try {
        const result = work()
        if (ambient.doomed) throw new Error(doomed)
        return result
      } catch (error) {
        for (const each of ambient.takenBack) each()
        throw error
      } finally {
        this.#unit = undefined
      }
    })
    return chain(done, result => {
      for (const each of ambient?.afterwards ?? []) each()
      return result
    })
  }

  async run<T> (
    support: TransactionSupport, work: () => MaybePromise<T>, beginning: TransactionBeginning = {}
  ): Promise<T> {
    const ambient: Ambient = {
      handle: await support.begin(beginning),
      support,
      open: true,
      doomed: false,
      afterwards: [],
      takenBack: []
    }
    let isCommitted = false
    let mayBe = false
    try {
      const result = await this.#inside.run(ambient, async () => await work())
      if (ambient.doomed) throw new Error(doomed)
      ambient.open = false
      try {
        await support.commit(ambient.handle)
        isCommitted = true
      } catch (error) {
        mayBe = mayBeCommitted(error)
        throw error
      }
      for (const each of ambient.afterwards) each()
      return result
    } catch (error) {
      ambient.open = false
      if (isCommitted) throw error
      // The store may have ended it already (a time-out, a failed commit); what matters is the error that came first.
      try { await support.rollback(ambient.handle) } catch {}
      if (!mayBe) for (const each of ambient.takenBack) each()
      throw error
    }
  }
}

/** For the models of `dataSource.transaction()`: the transaction that they work in is the one that anybody is in. */
export class OneTransaction extends AmbientTransactions {
  readonly #transaction: Ending & { readonly handle: unknown }

  constructor (transaction: Ending & { readonly handle: unknown }) {
    super()
    this.#transaction = transaction
  }

  override get handle (): unknown {
    return this.#transaction.handle
  }

  override whenCommitted (work: () => void): void {
    this.#transaction.whenCommitted(work)
  }

  override whenRolledBack (work: () => void): void {
    this.#transaction.whenRolledBack(work)
  }
}
