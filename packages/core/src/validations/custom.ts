/** `Model.validate` and `Model.validateAsync`: rules written by the application. */
import { callWithNext } from '../hooks.js'
import { isPromise } from '../maybe-promise.js'
import type { ModelInstance } from '../instances/model-instance.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import { applies, violationOf, type CustomFail, type ValidationConfig } from './config.js'
import type { Validation } from '../interfaces/validation.js'

/** `function (fail, options)`, with the instance as `this`; it may return a promise. */
export type CustomValidator = (this: ModelInstance, fail: CustomFail, options: OperationOptions) => unknown
/** `function (fail, done)` or `function (fail, options, done)`. */
export type AsyncValidator = (this: ModelInstance, fail: CustomFail, ...more: any[]) => unknown

/** A rule of the application. It may look at the whole row, so it is never local. */
export function customValidation (
  property: string,
  validator: CustomValidator | AsyncValidator,
  config: ValidationConfig,
  async: boolean
): Validation {
  return {
    property,
    kind: 'custom',
    options: config,
    local: false,
    check (instance, report, options) {
      if (!applies(instance, config)) return
      // LoopBack's `fail(false)` stops the save without naming anything; here every refusal is named.
      const fail: CustomFail = reason => {
        report(violationOf(property, 'custom', typeof reason === 'string' ? reason : undefined, config))
      }
      const call = (done: () => void): unknown => {
        if (!async) return (validator as CustomValidator).call(instance, fail, options)
        return validator.length === 3
          ? (validator as AsyncValidator).call(instance, fail, options, done)
          : (validator as AsyncValidator).call(instance, fail, done)
      }
      // An asynchronous validator without a parameter for `done` can only tell by a promise.
      const result = callWithNext(call, async && validator.length > 1)
      return isPromise(result) ? result.then(() => {}) : undefined
    }
  }
}
