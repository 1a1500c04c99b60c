/**
 * Which includes can be made of text: relations whose join is one equality (belongsTo, hasMany, hasOne without extras)
 * to models that have no hook and whose store writes JSON. With a scope only where the store does it in one step.
 */
import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { Relation } from '../interfaces/relation.js'
import type { Condition, IncludeNode, Query, Selection } from '../query/ast.js'
import { withSelected } from '../query/narrow.js'
import { internSelection } from '../query/parse-fields.js'
import { largestPageOf, mustFitPage } from '../query/parse-page.js'
import { propertyPath } from '../query/path.js'
import { lacksJoinKeys } from './join-keys.js'
import { keysPerQuery } from './keys-per-query.js'
import { parseOptions, type Operation } from './context.js'
import { isPlainRead } from './read.js'
import { hasRelated } from './related-conditions.js'
import { isRelatedOrder } from './related-order.js'
import { ownFunction } from '../own-functions.js'

export interface TextJoin {
  /** The relation's name as JSON. */
  readonly name: string
  readonly target: CompiledModel
  /** The property of the parent. */
  readonly parentKey: string
  /** The property of the children that equals it. */
  readonly childKey: string
  readonly multiple: boolean
  /** Throws for more rows with one parent than a page of their model may have. */
  readonly fits: ((rows: number) => void) | undefined
  /** Which of the rows that belong to a parent are wanted; undefined: all. */
  readonly scope: Query | undefined
}

/** How the includes of a query are joined; undefined where one of them needs rows. */
export function textJoins (query: Query, operation: Operation): readonly TextJoin[] | undefined {
  const { include } = query
  if (!operation.model.includesBeyondFields && lacksJoinKeys(operation.model, query)) return undefined
  const joins: TextJoin[] = []
  for (const node of include) {
    const join = textJoin(node, operation)
    if (join === undefined) return undefined
    joins.push(join)
  }
  return joins
}

function textJoin (node: IncludeNode, { model, options }: Operation): TextJoin | undefined {
  const relation = model.relations.get(node.relation)
  if (relation === undefined || node.count === true) return undefined
  if (options.includeGuard?.concerns(relation) === true) return undefined
  if (!joinsByEquality(relation) || model.hidden.has(node.relation)) return undefined
  const target = relation.target()?.compiled
  if (
    target === undefined ||
    target.storeText === undefined ||
    !isPlainRead(target, options) ||
    ownFunction(target.Model, 'find') !== undefined ||
    keysPerQuery(target) < Infinity
  ) { return undefined }
  const { foreignKey, primaryKey } = relation.definition
  const own = relation.type === 'belongsTo' ? foreignKey : primaryKey
  const other = relation.type === 'belongsTo' ? primaryKey : foreignKey
  if (own === undefined || other === undefined || !model.propertyByName.has(own) || !target.propertyByName.has(other)) {
    return undefined
  }
  const { multiple } = relation
  const scope = scopeOf(node, target, other)
  if (scope === undefined ? node.scope !== undefined : relation.type === 'belongsTo' && scope.skip > 0) return undefined
  const largest = multiple ? largestPageOf(target, parseOptions(target, options)) : undefined
  return {
    name: JSON.stringify(node.relation),
    target,
    parentKey: own,
    childKey: other,
    multiple,
    fits:
      largest === undefined
        ? undefined
        : rows => {
          mustFitPage(target, rows, largest)
        },
    scope
  }
}

/** A scope of a request, which has been judged, without further includes and related rows; undefined for others. */
function scopeOf ({ scope, query }: IncludeNode, target: CompiledModel, childKey: string): Query | undefined {
  if (scope === undefined || query === undefined) return undefined
  if (query.include.length > 0 || isRelatedOrder(query) || hasRelated(query.where)) return undefined
  const select = shown(target, query.select, childKey)
  return select && { ...query, select }
}

/** What clients see of rows with these properties. The one that joins them shows with them, as in LoopBack. */
function shown (target: CompiledModel, select: Selection, childKey: string): Selection | undefined {
  if (select === target.selectAll) return target.selectIncluded
  const { names, extra } = withSelected(target, select, childKey)
  const isHidden = (name: string): boolean => target.hidden.has(name) || target.protectedNames.has(name)
  if (typeof extra !== 'string' && extra.some(isHidden)) return undefined
  return internSelection(target, { names: names.filter(name => !isHidden(name)), extra })
}

function joinsByEquality (relation: Relation): boolean {
  const { definition, type } = relation
  return (
    (type === 'belongsTo' || type === 'hasMany' || type === 'hasOne') &&
    definition.through === undefined &&
    definition.polymorphic === undefined &&
    definition.scope === undefined &&
    !relation.embedded
  )
}

/** What is read of the children; those of one parent come in the order of their ids, or in that of the scope. */
export function childrenQuery (
  { target, scope }: TextJoin, where?: Condition, before: readonly string[] = []
): Query {
  if (scope !== undefined) return scope
  const names = target.key.length === 0 ? [] : [...before, ...target.key.map(({ name }) => name)]
  return {
    where,
    order: names.map(name => ({ path: propertyPath(target, name), descending: false })),
    limit: undefined,
    skip: 0,
    select: target.selectIncluded,
    include: []
  }
}
