/**
 * Values that a `before save` hook validated and then put in another form: a password whose hash stands in its place.
 * Validations of the property have seen the value, and say nothing of the form (security.md, S-96).
 */
import type { CompiledModel } from '../interfaces/compiled-model.js'
import { SETTLED, type OperationOptions } from '../interfaces/operation-options.js'
import type { ModelClass } from '../interfaces/model-class.js'
import { NEW_ROW, type HookContext } from '../hooks.js'
import { instantiate, assignRow } from '../instances/instance.js'
import type { ModelInstance } from '../instances/model-instance.js'
import { chain, isPromise, type MaybePromise } from '../maybe-promise.js'
import type { Row } from '../properties/types.js'
import type { Operation } from './context.js'
import { mustBeValid, validatedBy, validates } from './validate.js'

const kSettled = Symbol('fastback.settledValues')

interface Settling { [kSettled]?: Map<string, unknown> }

/**
 * Says that the validations of `name` have seen what `value` stands for. Called by a `before save` hook.
 *
 * ```js
 * await validateAhead(ctx, 'password')
 * settleValue(ctx, 'password', await hash(ctx.instance.password))
 * ```
 */
export function settleValue ({ hookState }: HookContext, name: string, value: unknown): void {
  ((hookState as Settling)[kSettled] ??= new Map()).set(name, value)
}

/**
 * Whether the value is the one that was settled for the property in this operation.
 *
 * ```js
 * isSettled(ctx, 'password', ctx.data.password) // no hook has set another one
 * ```
 */
export const isSettled = ({ hookState }: HookContext, name: string, value: unknown): boolean =>
  (hookState as Settling)[kSettled]?.has(name) === true && (hookState as Settling)[kSettled]?.get(name) === value

/** The options of the validations that follow the hooks of an operation. */
export function afterHooks ({ hookState }: Operation, options: OperationOptions): OperationOptions {
  const settled = (hookState as Settling)[kSettled]
  return settled === undefined ? options : { ...options, [SETTLED]: settled }
}

/**
 * Runs the validations of one property now, before all others: under the settings that hold for the operation of a
 * `before save` hook. Where one of them fails, all are run, so that everything that is wrong is said at once.
 *
 * ```js
 * User.observe('before save', ctx => validateAhead(ctx, 'password'))
 * ```
 * @throws ValidationError 422
 */
export function validateAhead (context: HookContext, name: string): MaybePromise<void> {
  const { compiled } = context.Model as ModelClass
  const options = optionsOf(compiled, context)
  const own = compiled.validations.filter(({ property, unique }) => property === name && unique === undefined)
  if (options === undefined || own.length === 0 || !validates(compiled, options)) return
  const { instance, only } = candidateOf(compiled, context)
  let fails = false
  const checks = own.map(({ check }) => check(instance, () => { fails = true }, options)).filter(isPromise)
  return chain(checks.length === 0 ? undefined : Promise.all(checks).then(() => {}), () =>
    fails ? mustBeValid(compiled, instance, [], options, only) : undefined)
}

/** Undefined: the operation runs no validations that were declared. */
function optionsOf (model: CompiledModel, context: HookContext): OperationOptions | undefined {
  const options = context.options as OperationOptions
  if (NEW_ROW in context) return validatedBy(model, 'validateUpsert', options)
  if (context.instance !== undefined) return options
  if (context.currentInstance !== undefined) return validatedBy(model, 'validateUpdate', options)
  return (options.validate ?? model.settings.validateUpdate) === true ? options : undefined
}

function candidateOf (
  model: CompiledModel, { instance, currentInstance, data = {} }: HookContext
): { instance: ModelInstance, only?: ReadonlySet<string> } {
  if (instance !== undefined) return { instance: instance as ModelInstance }
  const candidate = instantiate(model, { ...currentInstance as Row | undefined })
  return { instance: assignRow(candidate, data, model), only: new Set(Object.keys(data)) }
}
