/**
 * Observers of a model: of its operation hooks, and of names of the application's own, of which it tells them itself
 * (`notifyObserversOf`).
 */
import { type OperationCallback, promiseOrCallback } from '../callbacks.js'
import {
  callWithNext, hookNames, LEADING, notify, RULE, type HookContext, type HookName, type Observer
} from '../hooks.js'
import type { ModelClass } from '../interfaces/model-class.js'
import type { ModelState, Notifier } from '../interfaces/model-state.js'
import { eachInSequence } from '../maybe-promise.js'
import { nearest } from '../nearest.js'
import { notifyAround, type Done, type ObserverContext as Context, type Notify, type Work } from '../observers.js'

/**
 * Adds a listener of an operation hook, or of a name of one's own. Several listeners run in the order they were added,
 * those of base models first. A name that looks like a misspelt hook is warned of.
 *
 * ```js
 * Note.observe('before save', async ctx => { if (ctx.instance) ctx.instance.saved = new Date() })
 * Note.observe('printed', ctx => console.log(ctx.printer))
 * await Note.notifyObserversOf('printed', { printer: 'hall' })
 * ```
 * @param options `first`: it comes before those that the model has already
 */
export function observe (this: ModelClass, hook: string, observer: Observer, { first = false } = {}): void {
  const meant = hookNames.includes(hook as HookName) ? '' : nearest(hook, hookNames)
  if (meant !== '') this.registry.log.warn({ model: this.modelName, hook }, `"${hook}" is no operation hook.${meant}`)
  const observers = this.state.observers.get(hook)
  if (observers === undefined) this.state.observers.set(hook, [observer])
  else if (first) observers.unshift(observer)
  else observers.push(observer)
  this.state.invalidate()
}

/**
 * Takes back a listener of the model itself; those of its bases stay. Gives a list of it, as LoopBack does, or
 * undefined when it was none.
 *
 * ```js
 * Note.removeObserver('before save', stamp)
 * ```
 */
export function removeObserver (this: ModelClass, hook: string, observer: Observer): Observer[] | undefined {
  const observers = this.state.observers.get(hook) ?? []
  const position = observers.indexOf(observer)
  if (position < 0) return undefined
  const removed = observers.splice(position, 1)
  this.state.invalidate()
  return removed
}

/**
 * Replaces the listeners of the model itself, all hooks together; those of the framework's own stay.
 *
 * ```js
 * replaceObservers(Note.state, {})
 * ```
 */
export function replaceObservers (state: ModelState, given: Readonly<Record<string, readonly Observer[]>>): void {
  for (const [hook, observers] of state.observers) {
    state.observers.set(hook, observers.filter(observer => RULE in observer || LEADING in observer))
  }
  for (const [hook, observers] of Object.entries(given)) {
    state.observers.set(hook, [...state.observers.get(hook) ?? [], ...observers])
  }
  state.invalidate()
}

/**
 * Takes back all listeners of a hook that the model itself has.
 *
 * ```js
 * Note.clearObservers('before save')
 * ```
 */
export function clearObservers (this: ModelClass, hook: string): void {
  if (this.state.observers.delete(hook)) this.state.invalidate()
}

/**
 * Tells the observers of one name, or of several in turn; gives the context.
 *
 * ```js
 * const { printer } = await Note.notifyObserversOf('printed', { printer: 'hall' })
 * ```
 * @param callback `(error, context)`; without it there is a promise
 */
export function notifyObserversOf<T extends Context> (
  this: ModelClass,
  hooks: string | readonly string[],
  context: T,
  callback?: OperationCallback<T>
): Promise<T> | undefined {
  const tell = async (): Promise<T> => {
    const given = context as unknown as HookContext
    await eachInSequence([hooks].flat(), hook => notify(observersOf(this.state, hook), given))
    return context
  }
  return promiseOrCallback(tell, callback, false, { promises: this.registry.promises })
}

/**
 * Tells the observers of `before <name>`, does the work, and tells those of `after <name>`, which find in
 * `context.results` what the work gave, and may change it. An observer that calls `context.end` ends it there.
 *
 * ```js
 * Note.notifyObserversAround('print', { id: 1 }, (context, done) => printer.print(context.id, done), callback)
 * ```
 * @param work `(context, done)`, or `(done)`
 * @param callback gets the error, or what the work gave
 */
export function notifyObserversAround (
  this: ModelClass,
  name: string,
  context: Context | null | undefined,
  work: Work,
  callback: Done
): void {
  const tell: Notify = (hook, shared, done) => { notifyObserversOf.call(this, hook, shared, done) }
  notifyAround(tell, name, context, work, callback)
}

/**
 * `Model.notifyObserversOf` can be replaced, as LoopBack's could: what is put in its place hears of every operation.
 * The tables of hooks are made with it, so that operations ask nobody.
 */
export const replaceableNotifier = {
  get (this: ModelClass): Notifier {
    return this.state.chain().findLast(({ notifier }) => notifier !== undefined)?.notifier ??
      (notifyObserversOf as Notifier)
  },
  set (this: ModelClass, notifier: Notifier): void {
    this.state.notifier = notifier === notifyObserversOf ? undefined : notifier
    this.state.invalidate()
  }
}

/** What hears of a hook of a model: its observers, or what was put in the place of `notifyObserversOf`. */
export function heardBy (state: ModelState, hook: string): readonly Observer[] {
  const { notifier, Model } = state
  if (notifier === undefined) return observersOf(state, hook)
  return [(context, next) => callWithNext(done => notifier.call(Model, hook, context, done), true)]
}

const observersOf = ({ base, observers }: ModelState, hook: string): readonly Observer[] =>
  [...(base === undefined ? [] : heardBy(base, hook)), ...(observers.get(hook) ?? [])]
