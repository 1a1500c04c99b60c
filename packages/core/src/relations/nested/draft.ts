/** Looks at rows before any of them is stored, so that all that is wrong is said at once. */
import { ValidationError } from '../../errors.js'
import { assignRow, instantiate } from '../../instances/instance.js'
import type { CompiledModel } from '../../interfaces/compiled-model.js'
import type { OperationOptions } from '../../interfaces/operation-options.js'
import { makeDraft } from '../../operations/create.js'
import { withPreset } from '../../operations/ruled-writes.js'
import { coerceChanges, mustBeValid, validatedBy } from '../../operations/validate.js'
import type { Row } from '../../properties/types.js'
import { propertyOf, rootOf, within, type FoundViolation } from '../../violation.js'

/** A row that is to be stored. */
export interface RowDraft {
  readonly model: CompiledModel
  readonly data: Readonly<Row>
  /** The row as it is, where it is changed. */
  readonly stored: Readonly<Row> | undefined
  readonly path: string
  /** Properties that get their values when the rows are written: the keys of relations. */
  readonly later: ReadonlySet<string>
}

/**
 * What is wrong with a row, as far as it can be said before it is stored: nothing where hooks of `before save` have the
 * word first.
 *
 * ```js
 * const found = await violationsOfDraft({ model, data: {}, stored: undefined, path: '.items[1]', later }, options)
 * ```
 */
export async function violationsOfDraft (
  { model, data, stored, path, later }: RowDraft, options: OperationOptions
): Promise<FoundViolation[]> {
  if (model.hooks['before save'] !== undefined && options.notify !== false) return []
  try {
    if (stored === undefined) {
      const { instance, violations } = makeDraft(model, await withPreset(model, data, options))
      await mustBeValid(model, instance, violations, options)
    } else {
      const violations: FoundViolation[] = []
      const changes = coerceChanges(model, data, violations, options)
      const only = new Set([...Object.keys(changes), ...violations.map(propertyOf)])
      const candidate = assignRow(instantiate(model, { ...stored }), changes, model)
      await mustBeValid(model, candidate, violations, validatedBy(model, 'validateUpdate', options), only)
    }
    return []
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error
    return error.found.filter(each => !later.has(rootOf(each) ?? '')).map(each => within(path, each))
  }
}

/**
 * Work on a row whose violations get its path.
 *
 * ```js
 * await atPath('Order', '.items[1]', () => createRelated(Item.compiled, data, options))
 * ```
 * @param name of the model whose write it is
 */
export async function atPath<T> (
  name: string, pathOf: string | ((position: number) => string), work: () => T | Promise<T>
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ValidationError) || pathOf === '') throw error
    throw new ValidationError(name, error.found.map(each => typeof pathOf === 'string'
      ? within(pathOf, each)
      : inList(pathOf, each)))
  }
}

/** Of rows that are stored as one list, violations have their position in front. */
function inList (pathOf: (position: number) => string, violation: FoundViolation): FoundViolation {
  const [front = '', position] = /^\[(\d+)\]/.exec(violation.path) ?? []
  if (position === undefined) return violation
  const { inProcess } = violation
  return within(pathOf(Number(position)), {
    ...violation,
    path: violation.path.slice(front.length),
    ...(inProcess?.path?.startsWith(front) === true
      ? { inProcess: { ...inProcess, path: inProcess.path.slice(front.length) } }
      : {})
  })
}
