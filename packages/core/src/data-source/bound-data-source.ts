/** A data source whose models work within a transaction. */
import { promiseOrCallback, type OperationCallback } from '../callbacks.js'
import { ForeignTransactionError, NestedTransactionError } from '../errors.js'
import type { ModelClass } from '../interfaces/model-class.js'
import type { MaybePromise } from '../maybe-promise.js'
import type { DataSource, TransactionModels, TransactionWork } from '../interfaces/data-source.js'
import { OneTransaction } from './ambient-transactions.js'
import type { Connector, StoreOptions } from './connector.js'
import { operations } from './operation-kinds.js'
import type { Transaction, TransactionOptions } from './transaction.js'

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
  /** Forgets the classes of its models: the transaction is over, or others see to its end. */
  leave (): void
}

/** `transaction()` of the data source in a transaction. */
export type Nested = (
  execute?: TransactionWork, options?: TransactionOptions | OperationCallback, callback?: OperationCallback
) => unknown

interface Ending {
  readonly transaction?: Transaction
  commit (): MaybePromise<unknown>
  rollback (): MaybePromise<unknown>
  readonly nest?: (bound: BoundDataSource) => Nested
}

/**
 * What is done to `models` is done in the transaction.
 * @param nest what `transaction()` of the result is
 */
export function within (
  dataSource: DataSource, transaction: Transaction, nest: NonNullable<Ending['nest']>
): BoundDataSource {
  const connector = inTransaction(dataSource.connector, transaction)
  return bind(dataSource, connector, {
    transaction,
    commit: () => transaction.commit(),
    rollback: () => transaction.rollback(),
    nest
  })
}

/** A store without transactions: what is asked of `models` is done at the commit, or never. */
export function deferred (dataSource: DataSource): BoundDataSource {
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
      if (key === 'text' || key === 'sets' || key === 'units' || key === 'transactions') return undefined
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
    transaction: { value: refuse, configurable: true },
    beginTransaction: { value: refuse },
    inTransaction: { value: takingPart },
    add: { value: () => {} },
    remove: { value: () => {} }
  }) as BoundDataSource
  const { transaction, nest } = ending
  if (transaction !== undefined) Object.defineProperty(bound, 'ambient', { value: new OneTransaction(transaction) })
  if (nest !== undefined) Object.defineProperty(bound, 'transaction', { value: nest(bound) })
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
  const ways = { leave, commit, exec: commit, rollback: end(() => ending.rollback()), models: modelsOf(bound, copies) }
  for (const [name, value] of Object.entries(ways)) Object.defineProperty(bound, name, { value })
  return bound
}

/** The class that works in the transaction, of a model whose data source this is; undefined for others. */
function takingPart (this: BoundDataSource, Model: ModelClass): ModelClass | undefined {
  return Model.dataSource === this.origin ? (this.models as Record<string, ModelClass>)[Model.modelName] : undefined
}

const refuse = (): never => { throw new NestedTransactionError() }

/**
 * Classes are made when they are asked for: most transactions use few. Those of other data sources cannot take part.
 */
function modelsOf (bound: BoundDataSource, copies: ModelClass[]): TransactionModels {
  const { modelBuilder, models: masters } = bound.origin
  const models: Record<string, ModelClass> = {}
  for (const [name, Master] of Object.entries(masters)) {
    const takesPart = Master.dataSource === null || Master.dataSource === bound.origin
    Object.defineProperty(models, name, {
      enumerable: takesPart,
      configurable: true,
      get () {
        if (!takesPart) throw new ForeignTransactionError(name)
        const Copy = modelBuilder.copyModel(Master, false)
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
