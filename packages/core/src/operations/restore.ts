/** Rows that were put away come back (setting `softDelete`), with those that went along. */
import { RequestError } from '../errors.js'
import { deletionProperty } from '../definition/soft-delete-property.js'
import type { CompiledProperty } from '../definition/stored-model.js'
import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import { instantiate } from '../instances/instance.js'
import type { ModelInstance } from '../instances/model-instance.js'
import type { Row } from '../properties/types.js'
import type { Condition, ConditionValue } from '../query/ast.js'
import { coerceId, shownId } from '../query/id.js'
import { bothConditions } from '../query/merge.js'
import { keyCondition } from '../query/narrow.js'
import { among } from '../query/put-away.js'
import type { FoundViolation } from '../errors.js'
import { resolvedWhere, writeWhere } from './access-condition.js'
import { loadedRow, noOptions, Operation, storeOptions, whereId } from './context.js'
import { mustExpectNone } from './if-version.js'
import { keysPerQuery } from './keys-per-query.js'
import { asInternal } from './origin.js'
import { deleteRules } from './references.js'
import { mustPassCheck } from './ruled-writes.js'
import { storing, validationError } from './validate.js'
import { asOne } from './with-hooks.js'

const notFound = (model: CompiledModel, id: unknown): RequestError => new RequestError(
  404, `No deleted instance with id ${String(id)} found for ${model.name}`, { code: 'NOT_FOUND' }
)

/** @throws RequestError 400 NO_SOFT_DELETE */
function mustPutAway ({ name, softDelete }: CompiledModel): CompiledProperty {
  if (softDelete !== undefined) return softDelete
  throw new RequestError(
    400, `Rows of ${name} are removed and not put away: say "softDelete": true in its definition.`,
    { code: 'NO_SOFT_DELETE' }
  )
}

/**
 * Brings a row back that was put away, with the rows that relations with `onDelete: "cascade"` have put away along with
 * it. The rules of updates hold, and what must be unique must be so still. Observers of `before save` may refuse it;
 * what they set is not stored.
 *
 * ```js
 * const note = await restoreById(Note.compiled, 1, options)
 * ```
 * @throws RequestError 404 for a row that is not put away; ValidationError 422 where another row has its unique values
 */
export async function restoreById (
  model: CompiledModel, given: unknown, options: OperationOptions = noOptions
): Promise<ModelInstance> {
  mustPutAway(model)
  mustExpectNone(options, 'restore')
  const id = coerceId(model, given)
  if (id === undefined) throw notFound(model, given)
  return await asOne(model, options, async () => {
    const row = await new Restoring(model, options).one(whereId(model, id))
    if (row === undefined) throw notFound(model, given)
    return instantiate(model, row)
  })
}

class Restoring {
  constructor (readonly root: CompiledModel, readonly options: OperationOptions) {}

  async one (where: Record<string, unknown>): Promise<Row | undefined> {
    const operation = new Operation(this.root, this.options)
    const { model } = operation
    // The rows of both rules: one may not bring back what one could not see, nor change.
    const written = await resolvedWhere(
      operation, await writeWhere(new Operation(model, asInternal(operation.options)), where, 'update'), 'read')
    const store = storeOptions(model, operation.options)
    const [row] = await this.#putAway(model, written.condition, store)
    if (row === undefined) return undefined
    await mustPassCheck(model, 'update', [row], operation.options)
    await this.#bring(operation, row)
    await this.#along(model, [row])
    return await loadedRow(operation, this.#shown(model, row), false)
  }

  async #putAway (
    model: CompiledModel, where: Condition | undefined, store: ReturnType<typeof storeOptions>
  ): Promise<Row[]> {
    const query = { where, order: [], limit: undefined, skip: 0, select: model.selectStored, include: [] }
    return await model.connector.find(model, { ...query, deleted: 'only' }, store)
  }

  /** @throws ValidationError where another row has its unique values by now */
  async #bring (operation: Operation, row: Row): Promise<void> {
    const { model } = operation
    const { [deletionProperty]: deletion } = row
    const instance = instantiate(model, this.#shown(model, row))
    const where = whereId(model, model.id === undefined ? shownId(model, row) : row[model.id.name])
    await operation.notify(model.hooks['before save'], { where, data: {}, currentInstance: instance, isNewInstance: false })
    await mustBeUnique(model, instance, operation.options)
    const these = among(model, bothConditions(
      keyCondition(model, [this.#keyOf(model, row)]), isPart(model, deletion)
    ), 'only')
    const { name } = mustPutAway(model)
    const changes = { [name]: null, [deletionProperty]: null }
    const count = await storing(model, row, () => model.connector.updateAll(
      model, these, changes, { ...storeOptions(model, operation.options), deleted: 'with' }))
    if (count === 0) throw notFound(model, shownId(model, row))
    await operation.notify(model.hooks['after save'], { instance, isNewInstance: true })
  }

  /** Those that went along with rows, and those that went along with these. */
  async #along (model: CompiledModel, rows: readonly Row[]): Promise<void> {
    const rules = deleteRules(model.Model.registry, model.name) ?? []
    for (const { holder, property, targetProperty, only, onDelete } of rules) {
      const other = this.#compiled(holder.compiled)
      if (onDelete !== 'cascade' || other.softDelete === undefined) continue
      const operation = new Operation(other, asInternal(this.#optionsFor(other)))
      const size = keysPerQuery(other)
      for (const [deletion, keys] of keysByDeletion(rows, targetProperty)) {
        for (let at = 0; at < keys.length; at += Math.min(size, keys.length)) {
          const these = keyCondition(other, [{ [property]: { inq: keys.slice(at, at + size) }, ...only }])
          const found = await this.#putAway(
            other, bothConditions(these, isPart(other, deletion)), storeOptions(other, operation.options))
          for (const row of found) await this.#bring(operation, row)
          if (found.length > 0) await this.#along(other, found)
        }
      }
    }
  }

  #keyOf (model: CompiledModel, row: Row): Row {
    return Object.fromEntries(model.key.map(({ name }) => [name, row[name]]))
  }

  #shown ({ softDelete }: CompiledModel, row: Row): Row {
    const { [softDelete?.name ?? '']: _, [deletionProperty]: __, ...rest } = row
    return rest
  }

  /** The model as the operation has it: within `dataSource.transaction()`, the class that works in the transaction. */
  #compiled (holder: CompiledModel): CompiledModel {
    const { dataSource } = this.root.Model
    const isBound = (dataSource as { isTransaction?: boolean } | null)?.isTransaction === true
    return isBound ? dataSource?.models[holder.name]?.compiled ?? holder : holder
  }

  /** A transaction is that of one data source. */
  #optionsFor (model: CompiledModel): OperationOptions {
    if (model.Model.dataSource?.connector === this.root.Model.dataSource?.connector) return this.options
    const { transaction, ...rest } = this.options
    return rest
  }
}

const isPart = (model: CompiledModel, deletion: unknown): Condition | undefined =>
  keyCondition(model, [{ [deletionProperty]: deletion ?? null }])

function keysByDeletion (rows: readonly Row[], property: string): Map<unknown, ConditionValue[]> {
  const keys = new Map<unknown, ConditionValue[]>()
  for (const { [deletionProperty]: deletion, [property]: key } of rows) {
    if (key === null || key === undefined || deletion === null || deletion === undefined) continue
    keys.set(deletion, [...keys.get(deletion) ?? [], key as ConditionValue])
  }
  return keys
}

/** What no index says, validations do. */
async function mustBeUnique (model: CompiledModel, instance: ModelInstance, options: OperationOptions): Promise<void> {
  const violations: FoundViolation[] = []
  for (const validation of model.validations) {
    if (validation.unique === undefined) continue
    await validation.check(instance, violation => { violations.push(violation) }, options)
  }
  if (violations.length > 0) throw validationError(model, violations, instance as Row)
}

/** Rows that one step of a purge removes. */
const step = 500

/**
 * Removes rows for good that were put away, in small steps.
 *
 * ```js
 * const { count } = await purge(Note.compiled, { before: new Date(Date.now() - 30 * 86_400_000) })
 * ```
 * @param before when they were put away; undefined: whenever
 * @throws RequestError 400 NO_SOFT_DELETE
 */
export async function purge (
  model: CompiledModel, { before }: { readonly before?: Date } = {}, options: OperationOptions = noOptions
): Promise<{ count: number }> {
  const { name, type } = mustPutAway(model)
  if (before !== undefined && !(before instanceof Date && !Number.isNaN(before.getTime()))) {
    throw new RequestError(400, '"before" of a purge is a Date.', { code: 'INVALID_DATE' })
  }
  const path = { property: name, path: [], type, declared: true }
  const where = among(
    model, before === undefined ? undefined : { kind: 'compare', path, op: 'lt', value: before }, 'only')
  const store = storeOptions(model, options)
  const remove = async (these: Condition | undefined): Promise<number> =>
    await model.connector.deleteAll(model, bothConditions(where, these), { ...store, deleted: 'with' })
  if (model.id === undefined) return { count: await remove(undefined) }
  const key = model.id.name
  const select = { names: [key], extra: 'none' as const }
  for (let count = 0; ;) {
    const query = { where, order: [], limit: step, skip: 0, select, include: [], deleted: 'only' as const }
    const rows = await model.connector.find(model, query, store)
    if (rows.length === 0) return { count }
    count += await remove(keyCondition(model, [{ [key]: { inq: rows.map(row => row[key]) } }]))
  }
}
