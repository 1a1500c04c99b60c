/**
 * Queries as JSON again: the filters that services of LoopBack's form read (service-connectors.md, SC-C3). What is
 * written was read and judged before; nothing that was not stands in it.
 */
import type { StoredModel } from '../definition/stored-model.js'
import type { Comparison, Condition, ConditionValue, OrderTerm, Query, RelatedCondition } from './ast.js'
import { rankName, searchKey } from './search-names.js'

type Json = Record<string, unknown>

/**
 * The filter of a query without its includes, in the order in which LoopBack writes it.
 *
 * ```js
 * filterJson(parseFilter(model, { where: { stars: { gt: '2' } }, limit: 1 }, options), model)
 * // { where: { stars: { gt: 2 } }, limit: 1 }
 * ```
 */
export function filterJson ({ where, order, limit, skip, select }: Query, model: StoredModel): Json {
  const terms = order.map(term => `${orderName(term)} ${term.descending ? 'DESC' : 'ASC'}`)
  const isPart = select.names.length < model.properties.length
  return {
    ...(where === undefined ? {} : { where: whereJson(where) }),
    ...(limit === undefined ? {} : { limit }),
    ...(terms.length === 0 ? {} : { order: terms.length === 1 ? terms[0] : terms }),
    ...(skip === 0 ? {} : { skip }),
    ...(isPart ? { fields: [...select.names, ...(Array.isArray(select.extra) ? select.extra as string[] : [])] } : {}),
    ...(skip === 0 ? {} : { offset: skip })
  }
}

function orderName (term: OrderTerm): string {
  if ('path' in term) return nameOf(term.path)
  if ('rank' in term) return rankName
  if ('linked' in term) throw new TypeError(`An order by rows of "${term.linked.model.name}" has no form in JSON`)
  const { relations, path } = term.related
  return [...relations, path === undefined ? '$count' : nameOf(path)].join('.')
}

/**
 * A condition as JSON.
 *
 * ```js
 * whereJson(parseWhere(model, { stars: { gt: '2' } }, options)) // { stars: { gt: 2 } }
 * ```
 */
export function whereJson (condition: Condition): Json {
  switch (condition.kind) {
    case 'and': return conjunction(condition.conditions.map(whereJson))
    case 'or': case 'nor': return { [condition.kind]: condition.conditions.map(whereJson) }
    case 'related': return relatedJson(condition)
    case 'search': return { [searchKey]: condition.text }
    case 'linked': throw new TypeError(`A condition on rows of "${condition.model.name}" has no form in JSON`)
    default: return comparison(condition)
  }
}

function relatedJson ({ relation, quantifier, targets }: RelatedCondition): Json {
  return { [relation]: { [quantifier]: targets[0]?.where ?? {} } }
}

/** One object where no condition hides another one. */
function conjunction (parts: readonly Json[]): Json {
  const merged: Json = {}
  for (const part of parts) {
    for (const [name, test] of Object.entries(part)) {
      const before = merged[name]
      if (before !== undefined && !areApart(before, test)) return { and: parts }
      merged[name] = before === undefined ? test : { ...before as Json, ...test as Json }
    }
  }
  return merged
}

/** Whether two conditions on a property have operators of their own. */
const areApart = (before: unknown, test: unknown): boolean =>
  isTests(before) && isTests(test) && !Object.keys(test).some(op => op in before)

const isTests = (test: unknown): test is Json =>
  typeof test === 'object' && test !== null && !Array.isArray(test)

function comparison (test: Comparison): Json {
  const name = nameOf(test.path)
  switch (test.kind) {
    case 'compare': return { [name]: test.op === 'eq' ? plain(test.value) : { [test.op]: plain(test.value) } }
    case 'in': return { [name]: { [test.op]: test.values.map(plain) } }
    case 'between': return { [name]: { between: [plain(test.from), plain(test.to)] } }
    case 'like': {
      const op = `${test.negated ? 'n' : ''}${test.ignoreCase ? 'ilike' : 'like'}`
      return { [name]: { [op]: test.pattern } }
    }
    case 'regexp': {
      const flags = `${test.ignoreCase ? 'i' : ''}${test.multiline ? 'm' : ''}`
      return { [name]: { regexp: flags === '' ? test.source : `/${test.source}/${flags}` } }
    }
    case 'exists': return { [name]: { exists: test.exists } }
    case 'element': return { [name]: whereJson(test.condition) }
    case 'near': {
      const { lat, lng, maxDistance, minDistance } = test
      const distances = Object.entries({ maxDistance, minDistance }).filter(([, metres]) => metres !== undefined)
      const within = distances.length === 0 ? {} : { ...Object.fromEntries(distances), unit: 'meters' }
      return { [name]: { near: { lat, lng }, ...within } }
    }
  }
}

/**
 * A property's whole name.
 *
 * ```js
 * nameOf(propertyPath(model, 'size.width')) // 'size.width'
 * ```
 */
export const nameOf = ({ property, path }: Comparison['path']): string => [property, ...path].join('.')

const plain = (value: ConditionValue): unknown =>
  value instanceof Date ? value.toISOString() : typeof value === 'bigint' ? String(value) : value
