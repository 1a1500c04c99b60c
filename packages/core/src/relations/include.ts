import type { CompiledModel } from '../compiled.js'
import { badQuery } from '../errors.js'
import { chain, eachInTurn, type MaybePromise } from '../maybe-promise.js'
import type { OperationOptions } from '../model/model-class.js'
import type { Row } from '../properties/types.js'
import { keepShown } from './include-guard.js'
import type { IncludeNode } from '../query/ast.js'

/**
 * Loads relations of rows and keeps what it finds with them (`setIncluded`): one query per relation and level, whatever the number
 * of rows. Relations with `disableInclude` are left out.
 * @throws RequestError 400 INVALID_INCLUDE for a relation that the model does not have
 */
export function includeRelations (
  model: CompiledModel, rows: readonly Row[], include: readonly IncludeNode[], options: OperationOptions
): MaybePromise<void> {
  const { includeGuard } = options
  // What may not be read is refused whether or not there are rows to read it for.
  if (rows.length === 0 && includeGuard === undefined) return
  return eachInTurn(include, node => {
    const relation = model.relations.get(node.relation)
    if (relation === undefined) throw badQuery(`Relation "${node.relation}" is not defined for ${model.name} model`, 'INVALID_INCLUDE')
    if (relation.definition.options?.disableInclude === true) return
    if (includeGuard?.concerns(relation) !== true) return relation.include(rows, node, options)
    return chain(includeGuard.check(relation, rows), () => {
      if (rows.length === 0) return
      const shows = relation.embedded ? undefined : includeGuard.filter(relation)
      return chain(relation.include(rows, node, options), () => shows === undefined ? undefined : keepShown(rows, relation, shows))
    })
  })
}
