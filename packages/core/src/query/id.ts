/** Ids from outside and from code. */
import type { QueriedModel } from './queried-model.js'
import type { StoredModel } from '../definition/stored-model.js'
import type { Id } from '../data-source/connector.js'
import type { Condition } from './ast.js'
import type { Row } from '../properties/types.js'
import { compoundCondition, compoundId, isCompound, partsOf } from './compound-id.js'
import { propertyPath } from './path.js'
import { coerceScalarId } from './scalar-id.js'

/**
 * The id as the store has it, or undefined when no row can have it: an object, a list, text that is no number for a
 * number id, a number that a double does not hold exactly (security.md, S-01 to S-03). An id is one value, never JSON,
 * an operator or a pattern; that of a model with several id properties is given by its parts, all of them.
 *
 * ```js
 * coerceId(Note.compiled, '7') // 7, where ids are numbers
 * coerceId(Note.compiled, { gt: 0 }) // undefined
 * ```
 */
export function coerceId (model: StoredModel, id: unknown): Id | undefined {
  if (model.id !== undefined || model.key.length === 0) return coerceScalarId(model.id?.type, id)
  if (typeof id === 'string') return partsOf(model, id) === undefined ? undefined : id
  return id !== null && typeof id === 'object' ? compoundId(model, id as Row) : undefined
}

/**
 * The id of a row as operations take it: the value of the id property, or one text of all parts. Undefined for a row
 * that lacks one of them.
 *
 * ```js
 * rowId(Note.compiled, { id: 7, title: 'hello' }) // 7
 * ```
 */
export function rowId (model: StoredModel, row: Readonly<Row>): unknown {
  if (model.id !== undefined) return row[model.id.name]
  return model.key.length === 0 ? row.id : compoundId(model, row)
}

/** Gives a row an id that `rowId` or `coerceId` made. */
export function setRowId (model: StoredModel, row: Row, id: unknown): void {
  if (isCompound(model)) Object.assign(row, partsOf(model, id))
  else row[model.id?.name ?? 'id'] = id
}

/**
 * What is told of a row that is there already: its id, the parts of a compound one by name.
 *
 * ```js
 * throw duplicateId(model.name, shownId(model, row))
 * ```
 */
export function shownId (model: StoredModel, row: Readonly<Row>): unknown {
  if (model.id !== undefined) return row[model.id.name]
  return isCompound(model) ? Object.fromEntries(model.key.map(({ name }) => [name, row[name]])) : undefined
}

/**
 * The condition that the row with this id meets, and no other.
 *
 * ```js
 * await connector.deleteAll(model, idCondition(model, 7), {})
 * ```
 */
export function idCondition (model: QueriedModel, id: Id): Condition {
  if (model.id === undefined) return compoundCondition(model, id)
  return { kind: 'compare', path: propertyPath(model, model.id.name), op: 'eq', value: id }
}
