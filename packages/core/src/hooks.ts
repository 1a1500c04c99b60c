/** Operation hooks: `Model.observe('before save', …)`. */
import { mayCallBack } from './may-call-back.js'
import { isPromise, type MaybePromise } from './maybe-promise.js'

export const hookNames = [
  'access',
  'before save',
  'persist',
  'loaded',
  'after save',
  'before delete',
  'after delete'
] as const
export type HookName = typeof hookNames[number]

/**
 * What an observer gets (behaviour.md, section 10). Which members are there depends on hook and operation: `instance`
 * for whole rows, `data` with `where`/`currentInstance` for partial ones, `query` for reads.
 */
export interface HookContext {
  readonly Model: unknown
  /** Shared by all hooks of one operation. */
  readonly hookState: Record<string, unknown>
  readonly options: Record<string, unknown>
  query?: Record<string, unknown>
  where?: Record<string, unknown>
  data?: Record<string, unknown>
  instance?: Record<string, unknown>
  currentInstance?: Record<string, unknown>
  isNewInstance?: boolean
  info?: { count: number }
  [key: string]: unknown
}

/** Stands in the context of an upsert's `before save`, where `isNewInstance` is not said. */
export const NEW_ROW = Symbol('fastback.newRow')

/**
 * Whether the row of a `before save` hook is about to be created, also where an upsert finds that out. Its values are
 * in `instance`, else in `data`.
 *
 * ```js
 * Note.observe('before save', async ctx => {
 *   if (createsRow(ctx)) (ctx.instance ?? ctx.data).createdAt = new Date()
 * })
 * ```
 */
export function createsRow (context: HookContext): boolean {
  return context.isNewInstance === true || (context as { [NEW_ROW]?: boolean })[NEW_ROW] === true
}

/** Stands in the context of `loaded` where an instance is made of the row: of a read, and of a write that makes one. */
export const MAKES_INSTANCE = Symbol('fastback.makesInstance')

/** Marks observers of the framework's own that come before all others, those of base models and old hooks as well. */
export const LEADING = Symbol('fastback.leading')

/**
 * Marks observers that are rules of access and no code of the application: they hold for models whose rows another
 * application keeps as well (`notifyRules`).
 *
 * ```js
 * Note.observe('before save', Object.assign(checkOwner, { [RULE]: true }), { first: true })
 * ```
 */
export const RULE = Symbol.for('fastback.rule')

/**
 * Observers of one operation hook: with a second parameter (or rest parameters) they call back, without it they may
 * return a promise.
 */
export type Observer = (context: HookContext, next?: (error?: unknown) => void) => unknown

/**
 * The observers of a model by hook, base models' first; undefined where nobody listens, so that operations can skip the
 * hook at no cost.
 */
export type HookTable = Readonly<Partial<Record<HookName, readonly Observer[]>>>

/** Calls the observers one after the other. An error of one (thrown, rejected, called back) stops the operation. */
export function notify (observers: readonly Observer[] | undefined, context: HookContext): MaybePromise<void> {
  if (observers === undefined) return
  for (let i = 0; i < observers.length; i++) {
    const result = callObserver(observers[i] as Observer, context)
    if (isPromise(result)) return notifyRest(result, observers, i + 1, context)
  }
}

async function notifyRest (
  first: Promise<void>,
  observers: readonly Observer[],
  from: number,
  context: HookContext
): Promise<void> {
  await first
  for (let i = from; i < observers.length; i++) await callObserver(observers[i] as Observer, context)
}

function callObserver (observer: Observer, context: HookContext): MaybePromise<void> {
  const callsBack = mayCallBack(observer, 1)
  return callWithNext(next => callsBack ? observer(context, next) : observer(context), callsBack)
}

/**
 * Calls user code that either calls back or returns a value or any thenable. Synchronous call-backs stay synchronous.
 * `callsBack` tells that the function takes a call-back; a promise it returns counts as well.
 *
 * ```js
 * await callWithNext(next => mailer.send(mail, next), mayCallBack(mailer.send, 1))
 * ```
 */
export function callWithNext (
  call: (next: (error?: unknown, value?: unknown) => void) => unknown,
  callsBack: boolean
): MaybePromise<any> {
  if (!callsBack) return asPromise(call(() => {}))
  let done = false
  let failed: unknown
  let value: unknown
  let resume: ((error: unknown, value: unknown) => void) | undefined
  const result = call((error, got) => {
    if (done) return
    done = true
    failed = error
    value = got
    resume?.(error, got)
  })
  if (done) {
    if (failed !== undefined && failed !== null) throw failed as Error
    return asPromise(value)
  }
  return new Promise((resolve, reject) => {
    resume = (error, got) => {
      if (error !== undefined && error !== null) reject(error as Error)
      else resolve(got)
    }
    if (isThenable(result)) {
      result.then(got => {
        if (!done) {
          done = true
          resolve(got)
        }
      }, reject)
    }
  })
}

function asPromise (value: unknown): unknown {
  return isThenable(value) && !(value instanceof Promise) ? Promise.resolve(value) : value
}

function isThenable (value: unknown): value is PromiseLike<unknown> {
  return value !== null && typeof value === 'object' && typeof (value as { then?: unknown }).then === 'function'
}
