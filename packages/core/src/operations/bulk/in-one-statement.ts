/**
 * Bulk writes of stores that write a set of rows by one statement and give the rows (`SetSupport`). Each function gives
 * undefined, with nothing done, where the rows have to be looked at one by one or the store cannot do it.
 */
import { ValidationError, type FoundViolation } from '../../errors.js'
import { instantiate } from '../../instances/instance.js'
import type { ModelInstance } from '../../instances/model-instance.js'
import type { CompiledModel } from '../../interfaces/compiled-model.js'
import type { OperationOptions } from '../../interfaces/operation-options.js'
import type { Row } from '../../properties/types.js'
import type { Condition } from '../../query/ast.js'
import { compileOrder } from '../../query/order.js'
import { hidesRows } from '../access-condition.js'
import { Operation, storeOptions } from '../context.js'
import { createsPlainly, newRow } from '../create.js'
import { mustBeValid, storing } from '../validate.js'
import { keyText } from './request.js'

/**
 * Sets values on the rows of a condition.
 *
 * ```js
 * await patchedRows(Note.compiled, condition, { done: true }, options) // [{ id: 1, title: 'a', done: true }]
 * ```
 */
export async function patchedRows (
  model: CompiledModel, where: Condition | undefined, changes: Row, options: OperationOptions
): Promise<readonly Row[] | undefined> {
  const { connector: { sets } } = model
  if (sets === undefined) return undefined
  return ordered(model, await storing(model, changes, () =>
    sets.update(model, where, changes, storeOptions(model, options))))
}

/**
 * Removes the rows of a condition, and gives them as they were.
 *
 * ```js
 * await deletedRows(Note.compiled, condition, options) // [{ id: 1, title: 'a' }]
 * ```
 */
export async function deletedRows (
  model: CompiledModel, where: Condition | undefined, options: OperationOptions
): Promise<readonly Row[] | undefined> {
  return ordered(model, await model.connector.sets?.delete(model, where, storeOptions(model, options)))
}

/** By their ids, as a read of them gives them. */
const ordered = (model: CompiledModel, rows: readonly Row[] | undefined): readonly Row[] | undefined =>
  rows === undefined || model.key.length === 0 ? rows : [...rows].sort(compileOrder([], model))

/**
 * Stores rows, or sets their values on those that have their key. Only rows that name the same properties, and that
 * could all be new: an update needs less than a new row.
 *
 * ```js
 * await upsertedRows(Product.compiled, [{ code: 'a', price: 1 }], ['code'], options) // [Product { id: 1, … }]
 * ```
 * @returns the rows in the order given
 */
export async function upsertedRows (
  model: CompiledModel, rows: ReadonlyArray<Readonly<Row>>, key: readonly string[], options: OperationOptions
): Promise<ModelInstance[] | undefined> {
  const { connector: { sets } } = model
  const [first] = rows
  if (sets === undefined || first === undefined || !createsPlainly(model, options)) return undefined
  // The statement would change, and give, a row that has the key and is out of sight (security.md, S-169).
  if (hidesRows(new Operation(model, options))) return undefined
  const given = Object.keys(first)
  const changed = given.filter(name => !key.includes(name))
  const isKeyElsewhere = model.key.some(({ name }) => changed.includes(name))
  if (changed.length === 0 || isKeyElsewhere || changed.some(name => !model.propertyByName.has(name))) return undefined
  const made: Row[] = []
  for (const data of rows) {
    const names = Object.keys(data)
    if (names.length !== given.length || !given.every(name => Object.hasOwn(data, name))) return undefined
    const violations: FoundViolation[] = []
    const row = newRow(model, data, violations)
    if (!await isValid(model, row, violations, options)) return undefined
    made.push(row)
  }
  const written = await storing(model, {}, () =>
    sets.upsert(model, made, { key, changed }, storeOptions(model, options)))
  if (written === undefined) return undefined
  const byKey = new Map(written.map(row => [keyText(model, row, key), row]))
  return made.map(row => instantiate(model, byKey.get(keyText(model, row, key)) ?? row))
}

/** What is wrong is said of the rows one by one. */
async function isValid (
  model: CompiledModel, row: Row, violations: FoundViolation[], options: OperationOptions
): Promise<boolean> {
  try {
    await mustBeValid(model, row, violations, options)
    return true
  } catch (error) {
    if (error instanceof ValidationError) return false
    throw error
  }
}
