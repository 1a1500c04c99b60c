import type { CompiledModel } from '../interfaces/compiled-model.js'
import { badQuery } from '../errors.js'
import { chain, eachInSequence, type MaybePromise } from '../maybe-promise.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import type { Row } from '../properties/types.js'
import { filterIncluded } from './filter-included.js'
import type { IncludeNode } from '../query/ast.js'
import { INCLUDE_PATH } from '../query/include-path.js'
import { weigh } from '../query/weight.js'
import { WORK } from '../query/work.js'
import type { Relation } from '../interfaces/relation.js'
import { countIncluded, keysAlone } from './include-counts.js'

/**
 * Loads relations of rows and keeps what it finds with them (`setIncluded`): one query per relation and level, whatever
 * the number of rows. Relations with `disableInclude` are left out.
 * @throws RequestError 400 INVALID_INCLUDE for a relation that the model does not have, QUERY_TOO_EXPENSIVE for more
 * than a response may have
 */
export function includeRelations (
  model: CompiledModel, rows: readonly Row[], include: readonly IncludeNode[], options: OperationOptions
): MaybePromise<void> {
  const { includeGuard, [WORK]: work } = options
  // What may not be read is refused whether or not there are rows to read it for.
  if (rows.length === 0 && includeGuard === undefined) return
  return eachInSequence(include, node => {
    const relation = model.relations.get(node.relation)
    if (relation === undefined) {
      throw badQuery(`Relation "${node.relation}" is not defined for ${model.name} model`, 'INVALID_INCLUDE')
    }
    if (relation.definition.options?.disableInclude === true) return
    if (node.count !== true) return guarded(relation, node)
    return chain(guarded(relation, node), () => { countIncluded(rows, relation) })
  })

  function guarded (relation: Relation, node: IncludeNode): MaybePromise<void> {
    if (includeGuard?.concerns(relation) !== true) {
      return load(relation, node.count === true ? keysAlone(relation, node) : node)
    }
    return chain(includeGuard.check(relation, rows), () => {
      if (rows.length === 0) return
      const shows = relation.embedded ? undefined : includeGuard.filter(relation)
      return chain(load(relation, node), () => shows === undefined ? undefined : filterIncluded(rows, relation, shows))
    })
  }

  function load (relation: Relation, node: IncludeNode): MaybePromise<void> {
    if (work === undefined) return relation.include(rows, node, options)
    return chain(relation.include(rows, node, { ...options, [INCLUDE_PATH]: node.includePath }), () => {
      weigh(rows, work)
      if (work.isDue) return work.rest()
    })
  }
}
