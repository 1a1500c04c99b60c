/** Calls methods of the application: with a callback, for a promise, or plainly. */
import { errors, type ModelClass, type ModelInstance, type OperationOptions, type SharedMethod } from '@fastback/core'
import { mayCallBack, ownSharedCtor } from '@fastback/core/remote'

/** A function of an application. */
export type Callable = (this: unknown, ...args: unknown[]) => unknown

/**
 * Calls a method and gives the values it called back with, or what it returned. A method that does neither is taken to
 * write its answer by itself, where it can: the promise then never settles.
 * @param hasSeveral whether a list that is returned has several values, for a callback's arguments
 */
export function invoke (
  fn: Callable,
  scope: unknown,
  args: readonly unknown[],
  writesByItself: boolean,
  hasSeveral = false
): Promise<readonly unknown[]> {
  return new Promise((resolve, reject) => {
    const give = (value: unknown): void => { resolve(hasSeveral && Array.isArray(value) ? value : [value]) }
    const returned = fn.call(scope, ...args, (error: unknown, ...values: unknown[]) => {
      if (error !== undefined && error !== null) reject(error as Error)
      else resolve(values)
    })
    if (
      returned !== null &&
      typeof returned === 'object' &&
      typeof (returned as { then?: unknown }).then === 'function'
    ) {
      ;(returned as PromiseLike<unknown>).then(give, reject)
    } else if (returned !== undefined) give(returned)
    // Bound ones and proxies show neither their parameters nor what they do: they are waited for, as LoopBack waits.
    else if (!writesByItself && !mayCallBack(fn, args.length, true)) resolve([])
  })
}

/** The function behind a shared method: the model's own, or for relations that of the relation. */
export function functionOf (method: SharedMethod, scope: ModelClass | ModelInstance): Callable {
  const fn = scope[method.name]
  if (typeof fn === 'function') return fn as Callable
  throw new TypeError(`${method.modelName}.${method.fullName} is shared, but there is no such function.`)
}

/**
 * The instance that an instance method is called on: by the model's `sharedCtor` where it has one, else by id.
 * @throws RequestError 404
 */
export async function loadInstance (Model: ModelClass, id: unknown, options: OperationOptions): Promise<ModelInstance> {
  const { findById } = Model
  const sharedCtor = ownSharedCtor(Model)
  let instance: unknown
  if (sharedCtor !== undefined) {
    [instance] = await invoke(
      sharedCtor as Callable,
      Model,
      [id, options].slice(0, Math.max(0, sharedCtor.length - 1)),
      false
    )
  } else if (typeof findById === 'function') instance = await (findById as Callable).call(Model, id, undefined, options)
  if (instance === undefined || instance === null) throw errors.noInstance(id)
  return instance as ModelInstance
}
