/**
 * Functions that an application puts in the place of the framework's (`Note.find = …`). As in LoopBack, the framework's
 * call each other by the class: `findById` its `findOne`, that its `find`, and relations those of the related model.
 * They are put there by assignment at any time, so they are looked up at each call: one mark to look at.
 */
import { callWithNext } from './hooks.js'
import type { ModelInstance } from './instances/model-instance.js'
import type { ModelClass } from './interfaces/model-class.js'
import { mayCallBack } from './may-call-back.js'
import { chain, type MaybePromise } from './maybe-promise.js'

const BUILTIN = Symbol('fastback.builtin')

type Callable = (...args: never[]) => unknown

/**
 * Marks a function as the framework's, which stands for no will of the application.
 *
 * ```js
 * Note.find = builtinFunction(function (filter, options) { … })
 * ownFunction(Note, 'find') // undefined
 * ```
 */
export const builtinFunction = <F extends Callable>(fn: F): F => Object.defineProperty(fn, BUILTIN, { value: true })

/** Functions of models that others of the framework call. */
export type CalledFunction =
  | 'find' | 'findOne' | 'findById' | 'count' | 'create' | 'updateAll' | 'destroyAll' | 'remove' | 'deleteById'
  | 'updateAttributes' | 'destroy'

/**
 * The function that an application put in the place of the framework's; undefined where there is none.
 *
 * ```js
 * ownFunction(Note, 'find') // undefined
 * Note.find = async () => []
 * ownFunction(Note, 'find') // [AsyncFunction]
 * ```
 * @param holder a model, or an instance for its methods
 */
export function ownFunction (
  holder: ModelClass | ModelInstance, name: CalledFunction
): Callable | undefined {
  const fn = holder[name]
  return typeof fn !== 'function' || (fn as { [BUILTIN]?: true })[BUILTIN] === true ? undefined : fn as Callable
}

/**
 * Calls a function of the application's, which may call back or give a promise, as LoopBack's own call it.
 *
 * ```js
 * const rows = await callOwn(ownFunction(Note, 'find'), Note, [{ limit: 1 }, options])
 * ```
 */
export function callOwn<T> (
  own: Callable, holder: ModelClass | ModelInstance, args: readonly unknown[]
): MaybePromise<T> {
  const callsBack = mayCallBack(own, args.length)
  return callWithNext(next => {
    const given: unknown = Reflect.apply(own, holder, [...args, next])
    // An async function that calls back as well promises nothing that anybody waits for.
    return callsBack && given instanceof Promise ? given.then(value => value === undefined ? never : value) : given
  }, callsBack) as MaybePromise<T>
}

const never = new Promise<never>(() => {})

/** What the framework's functions call, one behind the other. */
const behind = {
  findOne: ['find'],
  findById: ['findOne', 'find'],
  exists: ['count'],
  deleteById: ['remove']
} as const satisfies Record<string, readonly CalledFunction[]>

/**
 * Whether one of the framework's functions comes to one of the application's: in its own place, or behind it.
 *
 * ```js
 * Note.find = async () => []
 * comesToOwn(Note, 'findById') // true
 * ```
 */
export function comesToOwn (Model: ModelClass, name: keyof typeof behind): boolean {
  if (ownFunction(Model, name as CalledFunction) !== undefined) return true
  for (const each of behind[name]) if (ownFunction(Model, each) !== undefined) return true
  return false
}

/**
 * The rows that the application's own `find` gives; undefined where the model has the framework's. Null and undefined
 * are no rows, as in LoopBack.
 *
 * ```js
 * Note.find = async () => null
 * await ownRows(Note, { limit: 1 }, options) // []
 * ```
 * @throws TypeError for what is no list
 */
export function ownRows<T> (Model: ModelClass, filter: object, options: object): MaybePromise<T[]> | undefined {
  const find = ownFunction(Model, 'find')
  if (find === undefined) return undefined
  return chain(callOwn<T[] | null | undefined>(find, Model, [filter, options]), rows => {
    if (rows === undefined || rows === null) return []
    if (!Array.isArray(rows)) throw new TypeError(`${Model.modelName}.find gave no list.`)
    return [...rows]
  })
}

/**
 * The first row of a filter by the application's `findOne`, or by its `find`; null where there is none. There must be
 * one of the two.
 *
 * ```js
 * const note = await ownFirst(Note, { where: { id: 1 } }, options)
 * ```
 */
export function ownFirst<T> (Model: ModelClass, filter: object, options: object): MaybePromise<T | null> {
  const findOne = ownFunction(Model, 'findOne')
  if (findOne !== undefined) {
    return chain(callOwn<T | null | undefined>(findOne, Model, [filter, options]), row => row ?? null)
  }
  return chain(ownRows<T>(Model, { ...filter, limit: 1 }, options) as MaybePromise<T[]>, rows => rows[0] ?? null)
}
