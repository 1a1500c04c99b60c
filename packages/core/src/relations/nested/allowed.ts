/** The rules of the related models, asked for each row as if it were written by itself. */
import type { CompiledModel } from '../../interfaces/compiled-model.js'
import type { ModelClass } from '../../interfaces/model-class.js'
import type { LookedAt, OperationOptions } from '../../interfaces/operation-options.js'
import { rulesOf } from '../../definition/access-rules.js'
import { clientValues } from '../../operations/client-values.js'
import type { ClientWrite } from '../../operations/client-write.js'
import { lookOf } from '../../operations/looked-at.js'
import { isRemote } from '../../operations/origin.js'
import { ruleOf } from '../../operations/row-rules.js'
import type { Row } from '../../properties/types.js'
import { refusedRow } from './errors.js'

const methods = {
  read: { method: 'findById', verb: 'read' },
  create: { method: 'create', verb: 'create' },
  update: { method: 'patchAttributes', verb: 'change' },
  delete: { method: 'deleteById', verb: 'delete' }
} as const

/**
 * Refuses what the rules of a model do not let the caller do to a row. Which rows and values rules leave is looked at
 * again where the row is written.
 *
 * ```js
 * await mustBeAllowed(Item.compiled, 'create', {}, '.items[0]', options)
 * ```
 * @throws RequestError 403 NESTED_ROW_REFUSED
 */
export async function mustBeAllowed (
  { Model }: CompiledModel, action: keyof typeof methods, row: Readonly<Row>, path: string, options: OperationOptions
): Promise<void> {
  const { rowGuard } = options
  if (rowGuard === undefined || !isRemote(options)) return
  const { method, verb } = methods[action]
  const isReached = await rowGuard.reaches?.(Model, method) ?? true
  if (isReached && await rowGuard.allows(Model, method, action === 'read' ? 'READ' : 'WRITE', row)) return
  throw refusedRow(Model.modelName, verb, path)
}

/**
 * The same for rows in between, unless these are nothing by themselves: no route leads to them, and they have no rules.
 *
 * ```js
 * await mayLink(Membership, 'create', '.teams[0]', options)
 * ```
 */
export async function mustLink (
  Through: ModelClass, action: 'create' | 'delete', path: string, options: OperationOptions
): Promise<void> {
  if (Through.state.isPublic !== true && rulesOf(Through).length === 0) return
  await mustBeAllowed(Through.compiled, action, {}, path, options)
}

/**
 * What a client may say of a row (security.md, S-99).
 *
 * ```js
 * const data = await saidByClient(Item.compiled, { qty: 2 }, undefined, '.items[0]', options)
 * ```
 * @throws ValidationError 422; RequestError 403 FIELD_NOT_WRITABLE
 */
export async function saidByClient (
  model: CompiledModel, data: Row, stored: Readonly<Row> | undefined, path: string, options: OperationOptions
): Promise<Row> {
  return isRemote(options) ? clientValues(model, data, await writeOf(model, stored, options), path) as Row : data
}

/** What the write of a row that is there has to look at again, of what a client says of it. */
export async function lookAtRow (
  model: CompiledModel, said: Row, stored: Readonly<Row> | undefined, options: OperationOptions
): Promise<LookedAt | undefined> {
  if (stored === undefined || !isRemote(options)) return undefined
  return lookOf(model, said, await writeOf(model, stored, options))
}

async function writeOf (
  model: CompiledModel, stored: Readonly<Row> | undefined, options: OperationOptions
): Promise<ClientWrite> {
  const rule = await ruleOf(model, stored === undefined ? 'create' : 'update', options)
  return {
    ...(stored === undefined ? { kind: 'create' } : { kind: 'update', stored }),
    writes: rule?.writes, reads: rule?.reads
  }
}
