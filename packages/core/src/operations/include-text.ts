/**
 * Include as text: parents and children are written by the store as JSON, and the children's text is put into the
 * parents' text. No row object is made on the way. Only for relations whose join is one equality (belongsTo, hasMany,
 * hasOne without extras) on stores that write JSON, with no hook on the related model; everything else takes the way of
 * rows.
 */
import type { CompiledModel } from '../interfaces/compiled-model.js'
import { chain, eachInTurn, type MaybePromise } from '../maybe-promise.js'
import type { Condition, ConditionValue, IncludeNode, Query } from '../query/ast.js'
import { propertyPath } from '../query/path.js'
import { keysPerQuery } from './keys-per-query.js'
import type { Relation } from '../interfaces/relation.js'
import { inTurns } from '../query/turns.js'
import { largestPageOf, mustFitPage } from '../query/parse-page.js'
import { fewRows, WORK, type Work } from '../query/work.js'
import { bounded, isPlainRead } from './read.js'
import { parseOptions, type Operation } from './context.js'
import { readOptions } from './replicated.js'

interface TextJoin {
  readonly node: IncludeNode
  readonly target: CompiledModel
  /** Position of the parent's join value among the keys read with the parents. */
  readonly parentKey: string
  readonly childKey: string
  readonly multiple: boolean
  /** Throws for more rows with one parent than a page of their model may have. */
  readonly fits: ((rows: number) => void) | undefined
}

/** The text of a query with includes, or undefined when one of its includes needs rows. */
export function includeText (operation: Operation, query: Query): MaybePromise<string> | undefined {
  const { model, options } = operation
  const { [WORK]: work } = options
  let rows = 0
  const joins: TextJoin[] = []
  for (const node of query.include) {
    const join = textJoin(model, node, operation)
    if (join === undefined) return undefined
    joins.push(join)
  }
  const parentKeys = [...new Set(joins.map(join => join.parentKey))]
  const text = model.storeText
  if (text === undefined) return undefined
  return chain(text.findKeyed(model, query, parentKeys, readOptions(model, options)), parents => {
    const texts = parents.texts
    const step = (join: TextJoin): MaybePromise<void> => {
      const at = parentKeys.indexOf(join.parentKey)
      return chain(children(join, parents.keys.map(keys => keys[at] as ConditionValue), operation), byKey => {
        const name = JSON.stringify(join.node.relation)
        return inTurns(texts.length, i => {
          const own = parents.keys[i]?.[at]
          const found = own === undefined || own === null ? undefined : byKey.get(own)
          if (found === undefined && !join.multiple) return
          const value = join.multiple ? `[${found === undefined ? '' : found.join(',')}]` : found?.[0]
          if (work !== undefined) count(join, found, work)
          const row = texts[i] as string
          texts[i] = row.length > 2 ? `${row.slice(0, -1)},${name}:${value}}` : `{${name}:${value}}`
        }, work)
      })
    }
    rows = texts.length
    return chain(eachInTurn(joins, step), () => `[${texts.join(',')}]`)
  })

  /** Before the text is put together: a child may stand with many parents. */
  function count ({ fits, multiple }: TextJoin, found: readonly string[] = none, work: Work): void {
    fits?.(found.length)
    const length = multiple ? found.length : 1
    rows += length
    work.mustHold(rows)
    let characters = 0
    for (let i = 0; i < length; i++) characters += found[i]?.length ?? 0
    work.write(characters)
    work.spend(1 + characters / 16)
  }
}

const none: readonly string[] = []

function textJoin (model: CompiledModel, node: IncludeNode, operation: Operation): TextJoin | undefined {
  const relation = model.relations.get(node.relation)
  if (relation === undefined || operation.options.includeGuard?.concerns(relation) === true) return undefined
  if (!joinsByEquality(relation) || node.scope !== undefined || model.hidden.has(node.relation)) return undefined
  const target = relation.target()?.compiled
  if (
    target === undefined ||
    target.storeText === undefined ||
    !isPlainRead(target, operation.options) ||
    keysPerQuery(target) < Infinity
  ) { return undefined }
  const { foreignKey, primaryKey } = relation.definition
  const own = relation.type === 'belongsTo' ? foreignKey : primaryKey
  const other = relation.type === 'belongsTo' ? primaryKey : foreignKey
  if (own === undefined || other === undefined || !model.propertyByName.has(own) || !target.propertyByName.has(other)) {
    return undefined
  }
  const { multiple } = relation
  const largest = multiple ? largestPageOf(target, parseOptions(target, operation.options)) : undefined
  return {
    node,
    target,
    parentKey: own,
    childKey: other,
    multiple,
    fits:
      largest === undefined
        ? undefined
        : rows => {
          mustFitPage(target, rows, largest)
        }
  }
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

function children (
  join: TextJoin,
  parentValues: readonly ConditionValue[],
  operation: Operation
): MaybePromise<Map<unknown, string[]>> {
  const { target, childKey } = join
  const values = [...new Set(parentValues)].filter(value => value !== null && value !== undefined)
  const byKey = new Map<unknown, string[]>()
  if (values.length === 0) return byKey
  const where: Condition = { kind: 'in', op: 'inq', path: propertyPath(target, childKey), values }
  // Rows of different parents may come in any order. In this one they stand in the index that finds them, where nothing
  // is sorted.
  const order =
    target.key.length === 0
      ? []
      : [childKey, ...target.key.map(({ name }) => name)]
          .map(name => ({ path: propertyPath(target, name), descending: false }))
  const isById = childKey === target.id?.name
  const query: Query = {
    where,
    order: isById ? [] : order,
    limit: undefined,
    skip: 0,
    select: target.selectIncluded,
    include: []
  }
  const text = target.storeText
  if (text === undefined) return byKey
  const work = operation.options[WORK]
  const isOneEach = isById && values.length <= fewRows
  return chain(
    text.findKeyed(
      target,
      work === undefined || isOneEach ? query : bounded(query, work),
      [childKey],
      readOptions(target, operation.options)
    ),
    found => {
      for (let i = 0; i < found.texts.length; i++) {
        const key = found.keys[i]?.[0]
        const list = byKey.get(key)
        if (list === undefined) byKey.set(key, [found.texts[i] as string])
        else list.push(found.texts[i] as string)
      }
      return byKey
    }
  )
}
