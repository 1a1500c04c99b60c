/** A store that nobody has opened yet: its first operation does. */
import { chain, isPromise, type MaybePromise } from '../maybe-promise.js'
import type { Connector, KeyValueSupport, Savepoint, TransactionSupport } from './connector.js'
import { operations } from './operation-kinds.js'

type Method = (...args: unknown[]) => MaybePromise<unknown>

/** Members that read or write rows past the operations: who stands before those hides them. */
export const shortcuts: ReadonlySet<PropertyKey> = new Set<keyof Connector>(['text', 'together', 'sets', 'units'])

/**
 * A connector whose operations open the store before they begin; everything else is the connector's own. It writes no
 * JSON text and no sets of rows: that is for stores that are open.
 */
export function openingConnector (connector: Connector, open: () => MaybePromise<void>): Connector {
  const afterwards = (target: object, method: Method): Method => (...args) =>
    chain(open(), () => method.apply(target, args))
  return new Proxy(connector, {
    get (target, key) {
      if (shortcuts.has(key)) return undefined
      const value: unknown = Reflect.get(target, key, target)
      if (key === 'transactions') return withTransactions(value as TransactionSupport | undefined, open)
      if (key === 'keyValue') return withValues(value as KeyValueSupport | undefined, open)
      if (typeof value !== 'function') return value
      return operations.has(key) ? afterwards(target, value as Method) : value.bind(target)
    }
  })
}

function withTransactions (
  support: TransactionSupport | undefined, open: () => MaybePromise<void>
): TransactionSupport | undefined {
  return support && {
    begin: options => chain(open(), () => support.begin(options)),
    commit: transaction => support.commit(transaction),
    rollback: transaction => support.rollback(transaction),
    ...(support.savepoint && { savepoint: transaction => support.savepoint?.(transaction) as MaybePromise<Savepoint> })
  }
}

function withValues (
  support: KeyValueSupport | undefined, open: () => MaybePromise<void>
): KeyValueSupport | undefined {
  return support && new Proxy(support, {
    get (target, key) {
      const method = Reflect.get(target, key, target) as Method
      if (key === 'keys') return (...args: Parameters<KeyValueSupport['keys']>) => keysOf(target, open, args)
      return (...args: unknown[]) => chain(open(), () => method.apply(target, args))
    }
  })
}

function keysOf (
  support: KeyValueSupport, open: () => MaybePromise<void>, args: Parameters<KeyValueSupport['keys']>
): Iterable<string> | AsyncIterable<string> {
  const opening = open()
  if (!isPromise(opening)) return support.keys(...args)
  return (async function * () {
    await opening
    yield * support.keys(...args)
  })()
}
