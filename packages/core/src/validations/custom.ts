/** `Model.validate` and `Model.validateAsync`: rules written by the application. */
import { callWithNext } from '../hooks.js'
import { isPromise } from '../maybe-promise.js'
import type { Violation } from '../violation.js'
import type { ModelInstance } from '../instances/model-instance.js'
import { memberPath } from '../properties/path.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import { applies, violationOf, type CustomFail, type ValidationConfig } from './config.js'
import type { Validation } from '../interfaces/validation.js'

/** `function (fail, options)`, with the instance as `this`; it may return a promise. */
export type CustomValidator = (this: ModelInstance, fail: CustomFail, options: OperationOptions) => unknown
/** `function (fail, done)` or `function (fail, options, done)`. */
export type AsyncValidator = (this: ModelInstance, fail: CustomFail, ...more: any[]) => unknown

/** What `this.errors` is while a rule of the application runs. */
interface ErrorsSoFar {
  add (property: string, message: string, code?: string): void
}

/**
 * Gives an instance `errors.add(property, message, code)` for the rule that runs next.
 * @returns what the rule adds; it counts when the rule fails, as in LoopBack
 */
function collectErrors (instance: ModelInstance): Violation[] {
  const added: Violation[] = []
  const errors: ErrorsSoFar = {
    add (property, message, code = 'invalid') {
      added.push({ path: memberPath(property), code, message, info: {} })
    }
  }
  // Where there are data of that name, they stay.
  if (Object.getOwnPropertyDescriptor(instance, 'errors')?.enumerable !== true) {
    Object.defineProperty(instance, 'errors', { value: errors, configurable: true, enumerable: false, writable: true })
  }
  return added
}

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
      const added = collectErrors(instance)
      const fail: CustomFail = reason => {
        // LoopBack's `fail(false)` adds no message of its own to those that the rule has added. Without one every
        // refusal is named all the same.
        if (reason === false && added.length > 0) added.splice(0).forEach(report)
        else report(violationOf(property, 'custom', typeof reason === 'string' ? reason : undefined, config))
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
