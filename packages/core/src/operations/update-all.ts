import type { CompiledModel } from '../interfaces/compiled-model.js'
import { RequestError, type FoundViolation } from '../errors.js'
import { chain, isPromise, type MaybePromise } from '../maybe-promise.js'
import type { ModelInstance } from '../instances/model-instance.js'
import { instantiate } from '../instances/instance.js'
import { SETTLED, type OperationOptions } from '../interfaces/operation-options.js'
import type { Row } from '../properties/types.js'
import type { Condition } from '../query/ast.js'
import { withHooks } from './with-hooks.js'
import { whereAfter, writeWhere, type AccessWhere } from './access-condition.js'
import { knownOf, noOptions, Operation, storeOptions } from './context.js'
import { withoutId } from './patch.js'
import { mustExpectNone, withoutVersion } from './if-version.js'
import { checkedWhere } from './ruled-writes.js'
import { afterHooks } from './settled.js'
import { keywordKind } from '../validations/keywords.js'
import { hasSeen } from '../validations/validate.js'
import { coerceChanges, mustBeValid, storing, validationError } from './validate.js'

/**
 * Sets `data` on every match and tells how many there were. Values are checked against their properties (type, length,
 * pattern …). Validations that were declared on the class run, over the data as a row, where the model's setting
 * `validateUpdate` or the option `validate` is true, as LoopBack has it.
 *
 * ```js
 * const { count } = await updateRows(Note.compiled, { stars: 0 }, { hidden: true }, options)
 * ```
 * @throws RequestError 400 without a condition from outside (security.md, S-24); `{}` means all rows
 */
export function updateRows (
  model: CompiledModel,
  where: unknown,
  data: Readonly<Row>,
  options: OperationOptions = noOptions
): MaybePromise<{ count: number }> {
  if (data === null || typeof data !== 'object' || Array.isArray(data)) {
    throw new RequestError(400, 'Value is not an object.')
  }
  mustExpectNone(options, 'updateAll')
  const operation = new Operation(model, options)
  let changes = checked(model, data)
  return chain(chain(writeWhere(operation, where, 'update'), announced), valid)

  function announced (found: AccessWhere): MaybePromise<AccessWhere> {
    return chain(operation.notify(model.hooks['before save'], { where: found.json, data: changes }), saving => {
      if (saving !== undefined) {
        // What hooks set beyond the model is not refused, and not stored.
        changes = checked(model, knownOf(model, { ...saving.data ?? changes }), afterHooks(operation, noOptions))
      }
      return whereAfter(operation, found, saving, 'update')
    })
  }

  function valid (found: AccessWhere): MaybePromise<{ count: number }> {
    return chain(validated(operation, changes), () => persisted(found))
  }

  function persisted ({ condition, json }: AccessWhere): MaybePromise<{ count: number }> {
    return chain(operation.notify(model.hooks.persist, { where: json, data: changes }), persisting => {
      const final = withoutVersion(model, withoutId(model, persisting?.data ?? changes))
      return withHooks(model, options, [model.hooks['after save']], () => stored(condition, json, final))
    })
  }

  function stored (condition: Condition | undefined, json: Row, final: Row): MaybePromise<{ count: number }> {
    const update = (): MaybePromise<number> => chain(checkedWhere(operation, condition, final), where =>
      model.connector.updateAll(model, where, final, storeOptions(model, operation.options)))
    return chain(storing(model, final, update), count => {
      const saved = operation.notify(model.hooks['after save'], { where: json, data: final, info: { count } })
      return isPromise(saved) ? saved.then(() => ({ count })) : { count }
    })
  }
}

function validated (operation: Operation, changes: Row): MaybePromise<void> {
  const { model } = operation
  const options = afterHooks(operation, operation.options)
  if ((options.validate ?? model.settings.validateUpdate) !== true) return
  const whole = instantiate(model, { ...changes })
  return mustBeValid(model, whole, [], { ...options, validate: true }, undefined, changes as ModelInstance)
}

function checked (model: CompiledModel, data: Readonly<Row>, options = noOptions): Row {
  const violations: FoundViolation[] = []
  const changes = coerceChanges(model, data, violations)
  const settled = options[SETTLED]
  for (const validation of model.validations) {
    if (validation.kind !== keywordKind) continue
    if (settled !== undefined && hasSeen(settled, validation, changes)) continue
    validation.check(changes, violation => { violations.push(violation) }, noOptions)
  }
  if (violations.length > 0) throw validationError(model, violations, data as Row)
  return changes
}
