/** Juggler's observers, which it mixes into connectors: `connector.observe('before execute', (context, next) => …)`. */
import type { Callback, LegacyConnector } from './connector.js'

type Observer = (context: unknown, next: Callback) => unknown
type Work = (context: unknown, done: Callback) => unknown

/** Observers of one connector by operation. */
class Observers {
  readonly #byOperation = new Map<string, Observer[]>()

  of (operation: string): Observer[] {
    let found = this.#byOperation.get(operation)
    if (found === undefined) this.#byOperation.set(operation, found = [])
    return found
  }

  clear (operation: string): void {
    this.#byOperation.delete(operation)
  }

  notify (operations: readonly string[], context: unknown, done: Callback): void {
    const waiting = operations.flatMap(operation => this.of(operation))
    const next = (error?: unknown): void => {
      const observer = waiting.shift()
      if (error !== undefined && error !== null) done(error, context)
      else if (observer === undefined) done(null, context)
      else run(observer, context, next)
    }
    next()
  }
}

function run (observer: Observer, context: unknown, next: Callback): void {
  let returned
  try {
    returned = observer(context, next)
  } catch (error) {
    next(error)
    return
  }
  if (returned instanceof Promise) returned.then(() => { next() }, next)
}

/** Gives a connector the methods that juggler gives every connector; those that it has are kept. */
export function mixInObservers (connector: LegacyConnector): void {
  const observers = new Observers()
  const methods = {
    observe (operation: string, observer: Observer): void {
      observers.of(operation).push(observer)
    },
    removeObserver (operation: string, observer: Observer): Observer | undefined {
      const list = observers.of(operation)
      const index = list.indexOf(observer)
      return index === -1 ? undefined : list.splice(index, 1)[0]
    },
    clearObservers (operation: string): void {
      observers.clear(operation)
    },
    notifyObserversOf (operation: string | string[], context: unknown, callback?: Callback): unknown {
      const notify = (done: Callback): void => { observers.notify([operation].flat(), context, done) }
      if (callback !== undefined) {
        notify(callback)
        return undefined
      }
      return new Promise((resolve, reject) => {
        notify(error => { if (error === null || error === undefined) resolve(context); else reject(error) })
      })
    },
    notifyObserversAround (operation: string, given: unknown, work: Work, callback: Callback): void {
      const context = given ?? {}
      observers.notify([`before ${operation}`], context, error => {
        if (error !== null && error !== undefined) return callback(error, context)
        work(context, (failure, ...results) => {
          if (failure !== null && failure !== undefined) return callback(failure, ...results)
          const holder = context as { results?: unknown[] }
          holder.results ??= results
          observers.notify([`after ${operation}`], context, last => {
            if (last !== null && last !== undefined) callback(last, context)
            else callback(null, ...results)
          })
        })
      })
    }
  }
  for (const [name, method] of Object.entries(methods)) connector[name] ??= method
}
