/**
 * Validations that relations add to the model that has them: what is embedded must be valid, keys and ids must be
 * unique.
 */
import type { CompiledModel } from '../interfaces/compiled-model.js'
import { within, type FoundViolation } from '../violation.js'
import { chain, eachInTurn, type MaybePromise } from '../maybe-promise.js'
import { instantiate } from '../instances/instance.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import type { Row } from '../properties/types.js'
import { validateInstance } from '../validations/validate.js'
import type { Validation } from '../interfaces/validation.js'
import { keyText } from './keys.js'

type Report = (violation: FoundViolation) => void

/** No two items of the list may have the same key; items without one are not compared. */
export function uniqueItems (property: string, keyOf: (item: unknown) => unknown, message: () => string): Validation {
  return {
    property,
    kind: 'custom',
    local: true,
    check (instance, report) {
      const list = instance[property]
      if (!Array.isArray(list)) return
      const keys = list.map(keyOf).filter(key => key !== undefined && key !== null).map(keyText)
      if (new Set(keys).size < keys.length) {
        report({ path: `.${property}`, code: 'uniqueness', message: message(), info: {} })
      }
    }
  }
}

/** Every item must have an id: in a list, nothing else tells which one is meant. */
export function itemsHaveIds (property: string, model: () => CompiledModel): Validation {
  return {
    property,
    kind: 'custom',
    local: true,
    check (instance, report) {
      const list = instance[property]
      const id = model().id?.name
      if (!Array.isArray(list) || id === undefined) return
      list.forEach((item: Row | null, index) => {
        const value = item?.[id]
        const blank = value === undefined || value === null || value === ''
        if (blank) report({ path: `.${property}[${index}].${id}`, code: 'presence', message: 'is blank', info: {} })
      })
    }
  }
}

/**
 * What is embedded must satisfy its own model. Violations have the whole path (`.remarks[2].text`).
 * @param model the embedded model; looked up when it is needed
 */
export function embeddedIsValid (property: string, model: () => CompiledModel): Validation {
  return {
    property,
    kind: 'custom',
    get local () { return model().validations.every(validation => validation.local) },
    check (instance, report, options) {
      const value = instance[property]
      if (!Array.isArray(value)) return checkOne(model(), value, `.${property}`, report, options)
      return eachInTurn(value, (item, index) => checkOne(model(), item, `.${property}[${index}]`, report, options))
    }
  }
}

/** What is no object was reported when its type was checked. */
function checkOne (
  model: CompiledModel,
  value: unknown,
  path: string,
  report: Report,
  options: OperationOptions
): MaybePromise<void> {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return
  return chain(validateInstance(model, instantiate(model, value as Row), options), violations => {
    for (const violation of violations) report(within(path, violation))
  })
}
