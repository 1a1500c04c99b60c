/** The models whose rows decide what a query gives. */
import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { ModelClass } from '../interfaces/model-class.js'
import type { Relation } from '../interfaces/relation.js'
import { queriedConditions } from '../operations/related-conditions.js'
import type { Condition, IncludeNode, Query } from '../query/ast.js'

/**
 * The model of a query, and those that its includes, its conditions and its order lead to.
 *
 * ```js
 * watchedModels(Order.compiled, query, undefined) // Set { Order, Customer } for { include: 'customer' }
 * ```
 * @param rows what rules leave to the caller
 */
export function watchedModels (
  model: CompiledModel, query: Query, rows: Condition | undefined
): ReadonlySet<ModelClass> {
  const found = new Set<ModelClass>([model.Model])
  addOfCondition(model, queriedConditions(query), found)
  addOfCondition(model, rows, found)
  addOfIncludes(model, query.include, found)
  return found
}

function addOfCondition (model: CompiledModel, condition: Condition | undefined, found: Set<ModelClass>): void {
  if (condition === undefined) return
  if ('conditions' in condition) {
    for (const inner of condition.conditions) addOfCondition(model, inner, found)
  } else if (condition.kind === 'related') {
    for (const target of addRelation(model.relations.get(condition.relation), found)) {
      const asked = condition.targets.find(({ modelName }) => modelName === target.modelName)
      addOfCondition(target.compiled, asked?.condition, found)
    }
  } else if (condition.kind === 'element') {
    const target = model.relations.get(condition.relation)?.target()
    if (target !== undefined) addOfCondition(target.compiled, condition.condition, found)
  }
}

function addOfIncludes (model: CompiledModel, nodes: readonly IncludeNode[], found: Set<ModelClass>): void {
  for (const { relation, query } of nodes) {
    for (const target of addRelation(model.relations.get(relation), found)) {
      if (query === undefined) continue
      addOfCondition(target.compiled, queriedConditions(query), found)
      addOfIncludes(target.compiled, query.include, found)
    }
  }
}

/** @returns the models that the relation leads to */
function addRelation (relation: Relation | undefined, found: Set<ModelClass>): readonly ModelClass[] {
  // Embedded rows are part of the row itself.
  const joins = relation === undefined || relation.embedded ? [] : relation.joins()
  for (const { target, between } of joins) {
    found.add(target)
    if (between !== undefined) found.add(between.model)
  }
  return joins.map(({ target }) => target)
}
