import type { CompiledModel } from '../compiled.js'
import { badQuery } from '../errors.js'
import { eachInTurn, type MaybePromise } from '../maybe-promise.js'
import type { OperationOptions } from '../model/model-class.js'
import type { Row } from '../properties/types.js'
import type { IncludeNode } from '../query/ast.js'

/**
 * Loads relations of rows and keeps what it finds with them (`setIncluded`): one query per relation and level, whatever the number of rows. Relations
 * with `disableInclude` are left out.
 * @throws RequestError 400 INVALID_INCLUDE for a relation that the model does not have
 */
export function includeRelations (model: CompiledModel, rows: readonly Row[], include: readonly IncludeNode[], options: OperationOptions): MaybePromise<void> {
  if (rows.length === 0) return
  return eachInTurn(include, node => {
    const relation = model.relations.get(node.relation)
    if (relation === undefined) throw badQuery(`Relation "${node.relation}" is not defined for ${model.name} model`, 'INVALID_INCLUDE')
    if (relation.definition.options?.disableInclude === true) return
    return relation.include(rows, node, options)
  })
}
