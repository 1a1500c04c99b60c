/** Runs the validations of a model. */
import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { FoundViolation } from '../violation.js'
import { chain, eachInSequence, type MaybePromise } from '../maybe-promise.js'
import type { ModelInstance } from '../instances/model-instance.js'
import { SETTLED, type OperationOptions } from '../interfaces/operation-options.js'
import { settleValidations } from './declared-validations.js'
import type { Validation } from '../interfaces/validation.js'

/**
 * Everything that is wrong with an instance, in the order of the validations; at once when none of them is
 * asynchronous.
 * @param only properties that an update touches: validations that look at other properties alone are left out
 */
export function validateInstance (
  model: CompiledModel,
  instance: ModelInstance,
  options: OperationOptions,
  only?: ReadonlySet<string>
): MaybePromise<readonly FoundViolation[]> {
  const violations: FoundViolation[] = []
  const report = (violation: FoundViolation): void => {
    violations.push(violation)
  }
  const settled = options[SETTLED]
  const step = (validation: Validation): MaybePromise<void> =>
    (only === undefined || isTouched(validation, only)) &&
    (settled === undefined || !hasSeen(settled, validation, instance))
      ? validation.check(instance, report, options)
      : undefined
  return chain(eachInSequence(model.validations, step), () => {
    if (violations.length === 0) return violations
    settleValidations(model.Model)
    const current = model.Model.compiled
    return current === model ? violations : validateInstance(current, instance, options, only)
  })
}

/** A rule that may look at the whole row is touched by any change; a uniqueness only by its own properties. */
function isTouched (validation: Validation, only: ReadonlySet<string>): boolean {
  if (validation.unique !== undefined) return validation.unique.properties.some(property => only.has(property))
  return !validation.local || only.has(validation.property)
}

/** Whether a validation has seen what stands in the place of the value now. A uniqueness is about what is stored. */
export function hasSeen (
  settled: ReadonlyMap<string, unknown>, { property, unique }: Validation, row: Readonly<Record<string, unknown>>
): boolean {
  return unique === undefined && settled.has(property) && settled.get(property) === row[property]
}
