/** `dataSource.transaction()`: a data source whose models work within a transaction. */
import { promiseOrCallback, type OperationCallback } from '../callbacks.js'
import { NestedTransactionError, transactionTimeout } from '../errors.js'
import type { ModelClass } from '../interfaces/model-class.js'
import { chain, type MaybePromise } from '../maybe-promise.js'
import type { Connector, StoreOptions } from './connector.js'
import type { DataSource, TransactionModels, TransactionWork } from '../interfaces/data-source.js'
import { operations } from './opening-connector.js'
import { Transaction, type TransactionSettings } from './transaction.js'
import { callWithNext } from '../hooks.js'

/** @throws FBK_CORE_DATA_SOURCE_SETTINGS when the store has no transactions */
export function beginIn (
  dataSource: DataSource, options: TransactionSettings | string = {}
): MaybePromise<Transaction> {
  const support = dataSource.transactions()
  // Within a hook whose operation has a transaction already: a second one would wait for the first.
  const joined = dataSource.ambient.joined()
  if (joined !== undefined) return new Transaction(joined.handle, joined.support, joined.outer)
  const settings = typeof options === 'string' ? { isolationLevel: options } : options
  const { isolationLevel, timeout } = settings
  return chain(
    support.begin({ isolationLevel, timeout }),
    handle => new Transaction(handle, support, undefined, settings)
  )
}

export function dataSourceTransaction (
  dataSource: DataSource,
  execute: TransactionWork | undefined,
  options: TransactionSettings | OperationCallback | undefined,
  callback: OperationCallback | undefined
): unknown {
  const [settings, done] = typeof options === 'function' ? [{}, options] : [options ?? {}, callback]
  const caller = { promises: dataSource.registry.promises }
  if (dataSource.connector.transactions === undefined) {
    const bound = deferred(dataSource)
    if (execute === undefined && done === undefined) return bound
    return promiseOrCallback(() => execute === undefined ? bound : run(bound, execute), done, false, caller)
  }
  return promiseOrCallback(async () => {
    const bound = within(dataSource, await beginIn(dataSource, settings))
    return execute === undefined ? bound : await run(bound, execute)
  }, done, false, caller)
}

/** Runs `execute`, then commits; rolls back where it fails, or where its time is over. */
async function run (bound: BoundDataSource, execute: TransactionWork): Promise<unknown> {
  const late = new Promise<never>((_resolve, reject) => {
    bound.currentTransaction?.observe('timeout', (_context, next) => {
      reject(transactionTimeout())
      next(transactionTimeout())
    })
  })
  try {
    const result = await Promise.race([late, callWithNext(done => execute(bound.models, done), true)])
    await bound.commit()
    return result
  } catch (error) {
    await bound.rollback()
    throw error
  }
}

/** A data source that goes by another connector, and its own classes of the models. */
export interface BoundDataSource extends DataSource {
  readonly isTransaction: true
  readonly origin: DataSource
  /** Undefined where the store has no transactions. */
  readonly currentTransaction: Transaction | undefined
  commit (callback?: OperationCallback): Promise<void> | undefined
  /** The same. */
  exec (callback?: OperationCallback): Promise<void> | undefined
  rollback (callback?: OperationCallback): Promise<void> | undefined
}

interface Ending {
  readonly transaction?: Transaction
  commit (): MaybePromise<unknown>
  rollback (): MaybePromise<unknown>
}

/** What is done to `models` is done in the transaction. */
function within (dataSource: DataSource, transaction: Transaction): BoundDataSource {
  const connector = inTransaction(dataSource.connector, transaction)
  return bind(dataSource, connector, {
    transaction,
    commit: () => transaction.commit(),
    rollback: () => transaction.rollback()
  })
}

/** A store without transactions: what is asked of `models` is done at the commit, or never. */
function deferred (dataSource: DataSource): BoundDataSource {
  const waiting: Array<() => Promise<void>> = []
  let isCommitted = false
  const later = (work: () => unknown): unknown => isCommitted
    ? work()
    : new Promise((resolve, reject) => {
      waiting.push(async () => {
        await Promise.resolve().then(work).then(resolve, reject)
      })
    })
  const bound = bind(dataSource, withOperations(
    dataSource.connector, (operation, args) => later(() => operation(...args))
  ), {
    async commit () {
      // What was called just before has its way to the store.
      await new Promise(resolve => { setImmediate(resolve) })
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await next()
      isCommitted = true
    },
    rollback () {}
  })
  return Object.defineProperty(bound, 'connecting', { value: true })
}

/** A store whose operations go through `run`. */
function withOperations (connector: Connector, run: (operation: Method, args: unknown[]) => unknown): Connector {
  return new Proxy(connector, {
    get (target, key) {
      if (key === 'text' || key === 'transactions') return undefined
      const value: unknown = Reflect.get(target, key, target)
      if (typeof value !== 'function') return value
      if (!operations.has(key)) return value.bind(target)
      return (...args: unknown[]) => run((value as Method).bind(target), args)
    }
  })
}

function bind (dataSource: DataSource, connector: Connector, ending: Ending): BoundDataSource {
  const bound = Object.create(dataSource, {
    connector: { value: connector },
    store: { value: connector },
    isTransaction: { value: true },
    origin: { value: dataSource },
    currentTransaction: { value: ending.transaction },
    connected: { value: false },
    connecting: { value: false, configurable: true },
    isOpen: { value: true },
    transaction: { value: () => { throw new NestedTransactionError() } },
    add: { value: () => {} },
    remove: { value: () => {} }
  }) as BoundDataSource
  const copies: ModelClass[] = []
  const leave = (): void => { for (const { state } of copies.splice(0)) state.base?.children.delete(state) }
  const end = (how: () => MaybePromise<unknown>) => (callback?: OperationCallback) =>
    promiseOrCallback(async () => {
      try {
        await how()
      } finally {
        leave()
      }
    }, callback)
  const commit = end(() => ending.commit())
  const ways = { commit, exec: commit, rollback: end(() => ending.rollback()), models: modelsOf(bound, copies) }
  for (const [name, value] of Object.entries(ways)) Object.defineProperty(bound, name, { value })
  return bound
}

/** Classes are made when they are asked for: most transactions use few. */
function modelsOf (bound: BoundDataSource, copies: ModelClass[]): TransactionModels {
  const { modelBuilder, models: masters } = bound.origin
  const models: Record<string, ModelClass> = {}
  for (const name of Object.keys(masters)) {
    Object.defineProperty(models, name, {
      enumerable: true,
      configurable: true,
      get () {
        const Copy = modelBuilder.copyModel(masters[name] as ModelClass, false)
        copies.push(Copy)
        Copy.state.dataSource = bound
        Object.defineProperty(models, name, { value: Copy, enumerable: true })
        return Copy
      }
    })
  }
  return models
}

type Method = (...args: unknown[]) => unknown

/** A connector whose operations are part of the transaction, unless they are told another. */
function inTransaction (connector: Connector, transaction: Transaction): Connector {
  return withOperations(connector, (operation, args) => {
    const options = args.pop() as StoreOptions
    return operation(...args, { transaction: transaction.handle, ...options })
  })
}
