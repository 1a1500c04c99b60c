/** Observers by name, as models and connectors have them: `observe('before execute', (context, next) => …)`. */
import { callWithNext, notify, type HookContext, type Observer } from './hooks.js'
import { isPromise, type MaybePromise } from './maybe-promise.js'

/** What observers of one event share; `end` and `results` are those of `notifyAround`. */
export type ObserverContext = Record<string, unknown>
export type Done = (error?: unknown, ...results: unknown[]) => void
/** `(context, done)`, or `(done)`. */
export type Work = ((context: ObserverContext, done: Done) => void) | ((done: Done) => void)
/** Tells the observers of a name. */
export type Notify = (name: string, context: ObserverContext, done: Done) => void

/**
 * Lists of observers by name.
 *
 * ```js
 * const observers = new Observers()
 * observers.add('before execute', (context, next) => { console.log(context.req); next() })
 * ```
 */
export class Observers {
  readonly #byName = new Map<string, readonly Observer[]>()

  /** In the order in which they were added. */
  of (name: string): readonly Observer[] | undefined {
    return this.#byName.get(name)
  }

  add (name: string, observer: Observer): void {
    this.#byName.set(name, [...this.of(name) ?? [], observer])
  }

  /** Takes one back, once. */
  remove (name: string, observer: Observer): Observer | undefined {
    const list = this.of(name) ?? []
    const position = list.indexOf(observer)
    if (position < 0) return undefined
    const rest = list.toSpliced(position, 1)
    if (rest.length === 0) this.#byName.delete(name)
    else this.#byName.set(name, rest)
    return observer
  }

  clear (name: string): void {
    this.#byName.delete(name)
  }

  /** Calls those of several names in turn; without a pause where none of them makes one. */
  readonly tell = (names: string | readonly string[], context: ObserverContext, done: Done): void => {
    const waiting = [names].flat()
    const next: Done = error => {
      const name = waiting.shift()
      if (isError(error)) done(error, context)
      else if (name === undefined) done(null, context)
      else settle(() => notify(this.of(name), context as unknown as HookContext), next)
    }
    next()
  }
}

/**
 * Tells of `before <name>`, does the work, and tells of `after <name>`; observers find in `context.results` what the
 * work gave, and may change it. One that calls `context.end` ends it there.
 * @param callback gets the error, or what the work gave
 */
export function notifyAround (
  tell: Notify, name: string, context: ObserverContext | null | undefined, work: Work, callback: Done
): void {
  const shared: ObserverContext = context ?? {}
  shared.end ??= callback
  const whenTold = (event: string, next: () => void): void => {
    tell(event, shared, error => {
      if (isError(error)) callback(error)
      else next()
    })
  }
  const done: Done = (error, ...results) => {
    if (isError(error)) return callback(error, ...results)
    shared.results = results
    whenTold(`after ${name}`, () => {
      callback(null, ...(Array.isArray(shared.results) ? shared.results as unknown[] : results))
    })
  }
  whenTold(`before ${name}`, () => {
    if (work.length === 1) (work as (done: Done) => void)(done)
    else (work as (context: ObserverContext, done: Done) => void)(shared, done)
  })
}

/**
 * The methods that juggler gives models and connectors, over lists of one's own.
 *
 * ```js
 * Object.assign(connector, observerMethods(new Observers()))
 * ```
 * @param changed called whenever the lists have changed
 */
export function observerMethods (observers: Observers, changed: () => void = () => {}) {
  return {
    observe (name: string, observer: Observer): void {
      observers.add(name, observer)
      changed()
    },
    removeObserver (name: string, observer: Observer): Observer | undefined {
      const removed = observers.remove(name, observer)
      changed()
      return removed
    },
    clearObservers (name: string): void {
      observers.clear(name)
      changed()
    },
    notifyObserversOf (names: string | readonly string[], context: ObserverContext, callback?: Done): unknown {
      if (callback === undefined) return callLater(done => { observers.tell(names, context, done) })
      observers.tell(names, context, callback)
    },
    notifyObserversAround (
      name: string, context: ObserverContext | null | undefined, work: Work, callback: Done
    ): void {
      notifyAround(observers.tell, name, context, work, callback)
    }
  }
}

/** Tells of a request to the store, and makes it: with what observers have left of it. */
export type Around = <R extends object, T>(
  request: R, work: (request: R) => MaybePromise<T>, more?: ObserverContext
) => MaybePromise<T>

/** One around the other: what the outer leaves of a request goes to the inner. */
export const within = (outer: Around, inner: Around): Around =>
  (request, work, more) => outer(request, left => inner(left, work, more), more)

/** `Around` of some observers: `before execute` and `after execute`. */
export const aroundRequests = (observers: Observers): Around =>
  <R extends object, T>(req: R, work: (request: R) => MaybePromise<T>, more: ObserverContext = {}): MaybePromise<T> =>
    callWithNext(done => {
      notifyAround(observers.tell, 'execute', { ...more, req }, (context: ObserverContext, next: Done) => {
        settle(() => work(context.req as R), (error, result) => {
          if (!isError(error)) context.res = result
          next(error, result)
        })
      }, done)
    }, true) as MaybePromise<T>

/** Calls back with what something gives, at once where it is there at once. */
function settle<T> (give: () => MaybePromise<T>, done: Done): void {
  let given: MaybePromise<T>
  try {
    given = give()
  } catch (error) {
    done(error)
    return
  }
  if (isPromise(given)) given.then(value => { done(null, value) }, done)
  else done(null, given)
}

const callLater = (call: (done: Done) => void): Promise<unknown> =>
  new Promise((resolve, reject) => {
    call((error, value) => {
      if (isError(error)) reject(error as Error)
      else resolve(value)
    })
  })

const isError = (error: unknown): boolean => error !== undefined && error !== null
