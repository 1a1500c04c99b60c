/**
 * Validations that relations add to the model that has them: what is embedded must be valid, keys and ids must be
 * unique.
 */
import type { CompiledModel } from '../interfaces/compiled-model.js'
import { propertyOf, within, type FoundViolation } from '../violation.js'
import { chain, eachInSequence, type MaybePromise } from '../maybe-promise.js'
import { instantiate, isInstance } from '../instances/instance.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import type { Row } from '../properties/types.js'
import { validateInstance } from '../validations/validate.js'
import type { Validation } from '../interfaces/validation.js'
import { keyText } from './keys.js'

type Report = (violation: FoundViolation) => void

/**
 * No two items of the list may have the same key; items without one are not compared.
 * @param told the name that code in the process reads it under
 */
export function uniqueItems (
  property: string, keyOf: (item: unknown) => unknown, message: () => string, told = property
): Validation {
  return {
    property,
    kind: 'custom',
    local: true,
    check (instance, report) {
      const list = instance[property]
      if (!Array.isArray(list)) return
      const keys = list.map(keyOf).filter(key => key !== undefined && key !== null).map(keyText)
      if (new Set(keys).size === keys.length) return
      const found = { code: 'uniqueness', message: message() }
      report({ ...found, path: `.${property}`, info: {}, inProcess: { ...found, path: `.${told}` } })
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
        if (!blank) return
        const inProcess = invalidIn(property, `contains invalid item at index \`${index}\`: \`${id}\` is blank`)
        report({ path: `.${property}[${index}].${id}`, code: 'presence', message: 'is blank', info: {}, inProcess })
      })
    }
  }
}

/**
 * What is embedded must satisfy its own model. Clients are told the whole path of each violation (`.remarks[2].text`);
 * code in the process reads one entry for each row, as in LoopBack.
 * @param model the embedded model; looked up when it is needed
 * @param told the name that code in the process reads it under
 */
export function embeddedIsValid (property: string, model: () => CompiledModel, told = property): Validation {
  const inProcess = (row: Row, index: number | undefined, problem: string): FoundViolation['inProcess'] => {
    if (index === undefined) return invalidIn(told, `is invalid: ${problem}`)
    const id = row[model().id?.name ?? 'id'] ?? ''
    return invalidIn(told, id === ''
      ? `contains invalid item at index \`${index}\` (${problem})`
      : `contains invalid item: \`${keyText(id)}\` (${problem})`)
  }
  const checkRow = (value: unknown, index: number | undefined, report: Report, options: OperationOptions) => {
    // What is no object was reported when its type was checked.
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return
    const row = value as Row
    return chain(validateInstance(model(), isInstance(row) ? row : instantiate(model(), row), options), found => {
      if (found.length === 0) return
      const entry = inProcess(row, index, firstProblem(found))
      const path = index === undefined ? `.${property}` : `.${property}[${index}]`
      for (const violation of found) report({ ...within(path, violation), inProcess: entry })
    })
  }
  let isUnderWay = false
  return {
    property,
    kind: 'custom',
    get local () {
      // Rows that hold rows of their own model lead back here: what is within them adds nothing new.
      if (isUnderWay) return true
      isUnderWay = true
      try {
        return model().validations.every(validation => validation.local)
      } finally {
        isUnderWay = false
      }
    },
    check (instance, report, options): MaybePromise<void> {
      const value = instance[property]
      if (!Array.isArray(value)) return checkRow(value, undefined, report, options)
      return eachInSequence(value, (item, index) => checkRow(item, index, report, options))
    }
  }
}

const invalidIn = (name: string, message: string): FoundViolation['inProcess'] =>
  ({ path: `.${name}`, code: 'invalid', message })

/** All that is wrong with the first property that is not right. */
function firstProblem (found: readonly FoundViolation[]): string {
  const name = propertyOf(found[0] as FoundViolation)
  const messages = found.filter(each => propertyOf(each) === name)
    .map(({ message, inProcess }) => inProcess?.message ?? message)
  return `\`${name}\` ${messages.join(',')}`
}
