/** Queries as the filters that services of LoopBack's form read (service-connectors.md, SC-C3). */
import type { Comparison, Condition, ConditionValue, Id, Query, StoredModel, StoreOptions } from '@fastback/core'

type Json = Record<string, unknown>

/** The filter of a query, in the order in which LoopBack writes it. */
export function filterOf (query: Query, options: StoreOptions, model: StoredModel): Json {
  const { where, order, skip, select } = query
  const limit = askedLimit(query, options)
  const terms = order.map(({ path, descending }) => `${nameOf(path)} ${descending ? 'DESC' : 'ASC'}`)
  const isPart = select.names.length < model.properties.length
  return {
    ...(where === undefined ? {} : { where: whereOf(where) }),
    ...(limit === undefined ? {} : { limit }),
    ...(terms.length === 0 ? {} : { order: terms.length === 1 ? terms[0] : terms }),
    ...(skip === 0 ? {} : { skip }),
    ...(isPart ? { fields: [...select.names, ...(Array.isArray(select.extra) ? select.extra as string[] : [])] } : {}),
    ...(skip === 0 ? {} : { offset: skip })
  }
}

/** The limit that somebody asked for: requests from outside are bound by one more than an answer may have. */
function askedLimit ({ limit }: Query, { work }: StoreOptions): number | undefined {
  return work !== undefined && limit === work.rows + 1 ? undefined : limit
}

/** The id of a query for one row and nothing else (SC-C5). */
export function onlyId (query: Query, model: StoredModel): Id | undefined {
  const { limit, skip, order, where } = query
  return limit === 1 && skip === 0 && order.length === 0 ? idOf(where, model) : undefined
}

/** The id that a condition is about, if it is about nothing else. */
export function idOf (where: Condition | undefined, model: StoredModel): Id | undefined {
  if (where === undefined || model.id === undefined) return undefined
  const only = where.kind === 'and' && where.conditions.length === 1 ? where.conditions[0] as Condition : where
  if (only.kind !== 'compare' || only.op !== 'eq' || nameOf(only.path) !== model.id.name) return undefined
  const { value } = only
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' ? value : undefined
}

export function whereOf (condition: Condition): Json {
  switch (condition.kind) {
    case 'and': return conjunction(condition.conditions.map(whereOf))
    case 'or': case 'nor': return { [condition.kind]: condition.conditions.map(whereOf) }
    default: return comparison(condition)
  }
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
    case 'near': {
      const { lat, lng, maxDistance, minDistance } = test
      const distances = Object.entries({ maxDistance, minDistance }).filter(([, metres]) => metres !== undefined)
      const within = distances.length === 0 ? {} : { ...Object.fromEntries(distances), unit: 'meters' }
      return { [name]: { near: { lat, lng }, ...within } }
    }
  }
}

const nameOf = ({ property, path }: Comparison['path']): string => [property, ...path].join('.')

const plain = (value: ConditionValue): unknown =>
  value instanceof Date ? value.toISOString() : typeof value === 'bigint' ? String(value) : value
