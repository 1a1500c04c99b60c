/**
 * What is added to a query that has been read: the keys that a relation demands, the filter of a scope. As
 * `mergeFilters` (`merge.ts`), but on the tree: what a caller wrote is not read again.
 */
import type { QueriedModel } from './queried-model.js'
import { coerceQueryValue, unmatchable } from '../properties/coerce-query-value.js'
import type { Condition, ConditionValue, IncludeNode, OrderTerm, PropertyPath, Query, Selection } from './ast.js'
import { extendIncludePath, type IncludePath } from './include-path.js'
import { bothConditions, isGiven } from './merge.js'
import { isPlainObject } from './parse-context.js'
import { internSelection } from './parse-fields.js'
import { readPage, type WrittenPage } from './parse-page.js'
import { never } from './parse-value.js'
import { propertyPath } from './path.js'

/** What is added. Undefined: nothing is said of it. */
export interface Addition {
  readonly where: Condition | undefined
  /** Counts only where nothing before has an order. */
  readonly order: readonly OrderTerm[] | undefined
  /** Takes the place of what was selected before. */
  readonly select: Selection | undefined
  /** A property that is read whatever was selected: it joins the rows. */
  readonly join: string | undefined
  /** Takes the place of includes of the same relations. */
  readonly include: readonly IncludeNode[]
  /** Its members take the place of those before. */
  readonly page: WrittenPage | undefined
}

/**
 * The query with what is added to it, one after the other.
 * @param written the filter that the query was read from
 * @param includePath the relations that led here
 * @throws RequestError 400 for a page that cannot be
 */
export function narrowQuery (
  model: QueriedModel,
  query: Query,
  written: object | null | undefined,
  additions: readonly Addition[],
  includePath: IncludePath | undefined
): Query {
  const { distinct, cursor } = query
  let { where, order, limit, skip, select, include } = query
  const asked = written as (WrittenPage & { readonly order?: unknown }) | null | undefined
  let isOrdered = isGiven(asked?.order)
  let page: WrittenPage | undefined
  for (const added of additions) {
    where = bothConditions(where, added.where)
    if (!isOrdered && added.order !== undefined && distinct === undefined) {
      order = added.order
      isOrdered = true
    }
    if (added.select !== undefined) select = added.select
    if (added.join !== undefined) select = withSelected(model, select, added.join)
    if (added.include.length > 0) include = bothIncludes(model, include, added.include, includePath)
    if (added.page !== undefined) page = withPage(page ?? asked ?? nothing, added.page)
  }
  if (page !== undefined) ({ limit, skip } = readPage(page))
  const deleted = query.deleted === undefined ? {} : { deleted: query.deleted }
  if (cursor !== undefined) {
    return { where, order, limit: limit ?? query.limit, skip, select, include, cursor, ...deleted }
  }
  const narrowed = { where, order, limit, skip, select, include, ...deleted }
  return distinct === undefined ? narrowed : { ...narrowed, include: [], distinct }
}

const nothing: WrittenPage = Object.freeze({})

/** A page with another over it. Only what is written tells which member counts: no limit is not the limit 0. */
export const withPage = (page: WrittenPage, over: WrittenPage): WrittenPage => ({
  limit: over.limit === undefined ? page.limit : over.limit,
  skip: over.skip === undefined ? page.skip : over.skip,
  offset: over.offset === undefined ? page.offset : over.offset
})

/** The includes that are added, with the path of this query, and those asked for that are none of them. */
function bothIncludes (
  model: QueriedModel,
  asked: readonly IncludeNode[],
  added: readonly IncludeNode[],
  includePath: IncludePath | undefined
): readonly IncludeNode[] {
  const nodes = includePath === undefined
    ? [...added]
    : added.map(node => {
      const relation = model.relations.get(node.relation)
      return relation === undefined ? node : { ...node, includePath: extendIncludePath(includePath, relation) }
    })
  for (const node of asked) if (!added.some(({ relation }) => relation === node.relation)) nodes.push(node)
  return nodes
}

/** Whether a property is among those that are read. */
export function isSelected (model: QueriedModel, { names, extra }: Selection, name: string): boolean {
  if (model.propertyByName.has(name)) return names.includes(name)
  return extra === 'all' || (extra !== 'none' && extra.includes(name))
}

/** The selection with a further property. */
export function withSelected (model: QueriedModel, select: Selection, name: string): Selection {
  if (isSelected(model, select, name)) return select
  const { names, extra } = select
  if (!model.propertyByName.has(name)) {
    return internSelection(model, { names, extra: extra === 'none' ? [name] : [...extra, name].sort() })
  }
  const all = model.properties.flatMap(each => each.name === name || names.includes(each.name) ? [each.name] : [])
  return internSelection(model, { names: all, extra })
}

/**
 * The condition on the keys of a relation: for each property the value that it has, or `{ inq }` with a list of those
 * that it may have. Values become those of the property's type. Undefined without any property.
 */
export function keyCondition (
  model: QueriedModel, keys: ReadonlyArray<Readonly<Record<string, unknown>>>
): Condition | undefined {
  let only: Condition | undefined
  let several: Condition[] | undefined
  for (const some of keys) {
    for (const name of Object.keys(some)) {
      const condition = keyIs(propertyPath(model, name), some[name])
      if (only === undefined) only = condition
      else if (several === undefined) several = [only, condition]
      else several.push(condition)
    }
  }
  return several === undefined ? only : { kind: 'and', conditions: several }
}

function keyIs (path: PropertyPath, key: unknown): Condition {
  if (isPlainObject(key)) return keyAmong(path, key.inq as readonly unknown[])
  const value = coerceQueryValue(path.type, key)
  return value === unmatchable ? never : { kind: 'compare', path, op: 'eq', value }
}

function keyAmong (path: PropertyPath, keys: readonly unknown[]): Condition {
  const values: ConditionValue[] = []
  for (let i = 0; i < keys.length; i++) {
    const value = coerceQueryValue(path.type, keys[i])
    if (value !== unmatchable) values.push(value)
  }
  return values.length === 0 ? never : { kind: 'in', path, op: 'inq', values }
}
