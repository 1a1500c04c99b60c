/** What of a query the database does, and what is left to JavaScript. */
import type { Condition, PropertyPath, Query, RowOrder, RowTest, StoredModel, Work } from '@fastback/core'
import {
  compileCondition, compileNearOrder, compileOrder, nearOf, ownComparison, plainKinds, propertiesOfTerm,
  propertiesOfTest
} from '@fastback/core/connector'
import type { DocumentMap } from '../documents/document-map.js'
import type { Document } from '../driver.js'
import { translate } from './condition.js'
import { shapeOf } from './shape.js'

export interface FilterPlan {
  /** For the database: every document that matches passes. */
  readonly filter: Document
  /** Tests what the database cannot; undefined where it says everything. */
  readonly passes: RowTest | undefined
  /** Properties that the test looks at. */
  readonly tested: readonly string[]
}

/** @param work counts what the test takes */
export function planFilter (map: DocumentMap, where: Condition | undefined, work: Work | undefined): FilterPlan {
  if (where === undefined) return { filter: {}, passes: undefined, tested: [] }
  const { filter, exact } = translate(where, map)
  if (exact) return { filter, passes: undefined, tested: [] }
  const conditions = conjuncts(where).filter(condition => !translate(condition, map).exact)
  return {
    filter,
    passes: compileCondition({ kind: 'and', conditions }, work),
    tested: [...new Set(conditions.flatMap(propertiesOf))]
  }
}

function conjuncts (where: Condition): readonly Condition[] {
  return where.kind === 'and' ? where.conditions.flatMap(conjuncts) : [where]
}

function propertiesOf (condition: Condition): string[] {
  return 'conditions' in condition
    ? condition.conditions.flatMap(propertiesOf)
    : [...propertiesOfTest(ownComparison(condition))]
}

export interface OrderPlan {
  /** For the database. Documents of the same place come in the order of their ids. */
  readonly sort: Record<string, 1 | -1>
  /** For JavaScript, where the database would sort otherwise than the reference; it gets the order of the ids. */
  readonly order: RowOrder | undefined
  /** Properties that `order` looks at. */
  readonly sorted: readonly string[]
}

const byId = { _id: 1 } as const

/** The rows come in the order of their ids, which stays among equal ones. */
const withoutId = (model: StoredModel): StoredModel =>
  Object.create(model, { key: { value: [] } }) as StoredModel

export function planOrder (map: DocumentMap, { order, where }: Query): OrderPlan {
  const near = order.length === 0 ? nearOf(where) : undefined
  if (near !== undefined) {
    return { sort: byId, order: compileNearOrder(near, withoutId(map.model)), sorted: [near.path.property] }
  }
  const sort: Record<string, 1 | -1> = {}
  for (const term of order) {
    const name = 'path' in term ? sortableName(map, term.path) : undefined
    if (name === undefined) {
      const sorted = order.flatMap(propertiesOfTerm)
      return { sort: byId, order: compileOrder(order, withoutId(map.model)), sorted }
    }
    sort[name] ??= term.descending ? -1 : 1
  }
  sort._id ??= 1
  return { sort, order: undefined, sorted: [] }
}

/**
 * Its name in documents, where all values of a path are of one type: BSON orders types, lists and binary data in its
 * own way.
 */
function sortableName (map: DocumentMap, path: PropertyPath): string | undefined {
  const { kind, name, type, rule } = shapeOf(map, path)
  if (type.kind === 'decimal' && !rule.keys) return undefined
  return kind === 'scalar' && plainKinds.has(type.kind) && path.visible === undefined ? name : undefined
}
