/** How static functions of models are called: with a promise, or with a callback. */
import { promiseOrCallback, splitCallback } from '../callbacks.js'
import { RequestError } from '../errors.js'
import type { ModelClass } from '../interfaces/model-class.js'
import type { MaybePromise } from '../maybe-promise.js'
import { builtinFunction } from '../own-functions.js'

export type Values = readonly any[]
export type StaticOperation = (Model: ModelClass, values: Values) => MaybePromise<unknown>

/**
 * A static operation with its two faces. `spread` hands an array result to the callback as several arguments.
 * @param names of the arguments that are objects, by position; `!` stands before one that must be there. Who calls with
 * something else and a callback is told at once, as in LoopBack: there is no promise to tell it by
 */
export function statically (operation: StaticOperation, spread = false, names: readonly string[] = []) {
  return builtinFunction(function (this: ModelClass, ...args: unknown[]): unknown {
    const { values, callback } = splitCallback(args)
    if (names.length > 0) mustBeObjects(names, values, callback !== undefined)
    return promiseOrCallback(() => operation(this, values), callback, spread, this.registry)
  })
}

/** @throws TypeError */
function mustBeObjects (names: readonly string[], values: Values, callsBack: boolean): void {
  if (!callsBack) {
    if ((values[names.length] ?? undefined) === undefined) return
    throw new TypeError('The cb argument must be a function')
  }
  for (const [i, name] of names.entries()) {
    const value: unknown = values[i]
    const isMissing = value === undefined || value === null
    if (name === '' || (isMissing ? !name.startsWith('!') : typeof value === 'object')) continue
    throw new TypeError(`The ${name.replace('!', '')} argument must be an object`)
  }
}

/** @throws RequestError 400 */
export function mustHaveId (Model: ModelClass, operation: string, id: unknown): void {
  if (id === undefined || id === null || id === '') {
    throw new RequestError(400, `Model::${operation} requires the id argument`)
  }
}
