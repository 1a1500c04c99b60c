/** Which index would lead a store to the rows that it looked for one by one. */
import type { CompiledProperty, StoredIndex, StoredModel } from '../definition/stored-model.js'
import type { Explanation, StoreRead } from '../data-source/explanation.js'
import { plainKinds } from '../properties/plain-kinds.js'
import type { Comparison, Condition, OrderTerm, PropertyPath } from '../query/ast.js'
import { likeRuns } from '../query/like.js'
import type { MissingIndex } from './report.js'

/** What one model is asked for in a read. */
interface Asked {
  readonly model: StoredModel
  readonly where: Condition | undefined
  readonly order: readonly OrderTerm[]
}

/** What an index over the conditions that hold for every match would begin with. */
interface Wanted {
  /** Properties that equal one value. */
  readonly equal: readonly string[]
  /** One that is one of several values, or in a range: nothing behind it is in order. */
  readonly range: string | undefined
}

/**
 * The indexes that are missing where a store looked at all rows of a model, with a condition or an order on declared
 * properties: at most one for each model of the read.
 *
 * ```js
 * indexesMissingIn(read, await connector.explain(read, statement))[0]?.definition
 * ```
 */
export function indexesMissingIn (read: StoreRead, { accesses }: Explanation): MissingIndex[] {
  return readModels(read).flatMap(asked => {
    const access = accesses.find(({ model, kind }) => model === asked.model.name && kind !== 'found')
    const missing = access && indexFor(asked, access.kind === 'inOrder')
    return missing === undefined ? [] : [missing]
  })
}

/** The model of the read, and those that its condition leads to. */
function readModels ({ model, query: { where, order } }: StoreRead): Asked[] {
  return [{ model, where, order }, ...linkedIn(where)]
}

function linkedIn (condition: Condition | undefined): Asked[] {
  if (condition === undefined) return []
  if ('conditions' in condition) return condition.conditions.flatMap(linkedIn)
  if (condition.kind !== 'linked') return []
  return [{ model: condition.model, where: condition.condition, order: [] }, ...linkedIn(condition.condition)]
}

/** @param isInOrder whether rows come along an index already: an index for the order alone is there */
function indexFor ({ model, where, order }: Asked, isInOrder: boolean): MissingIndex | undefined {
  const { equal, range } = wantedOf(model, conjuncts(where))
  const sorted = sortable(model, order)
  const behind = range === undefined
    ? sorted.filter(({ property }) => !equal.includes(property))
    : sorted[0]?.property === range ? sorted : [{ property: range, descending: false }]
  if (equal.length === 0 && range === undefined && (isInOrder || sorted.length === 0)) return undefined
  const columns = [...equal.map(property => ({ property, descending: false })), ...behind]
  const properties = columns.map(({ property }) => property)
  const asks = where === undefined ? 'orders all rows by' : 'looks at all rows for a condition on'
  const about = where === undefined ? properties : [...equal, ...range === undefined ? [] : [range]]
  const reason = `The query ${asks} ${about.join(', ')}`
  const declared = model.indexes.find(index => leadsTo(index, equal, range ?? behind[0]?.property))
  if (declared !== undefined) {
    return {
      model: model.name,
      properties,
      reason: `${reason}. The definition has the index ${declared.name}: the database did not use it, because it has ` +
        'few rows or takes most of them, or "fastback migrate" has not made it yet.'
    }
  }
  return { model: model.name, properties, reason: `${reason}.`, definition: definitionOf(columns) }
}

/** Whether an index begins with these properties, those that equal a value in any order. */
function leadsTo ({ columns }: StoredIndex, equal: readonly string[], next: string | undefined): boolean {
  const names = columns.map(({ property }) => property)
  const first = names.slice(0, equal.length)
  return equal.every(name => first.includes(name)) && (equal.length > 0 || next === undefined || names[0] === next)
}

function definitionOf (columns: StoredIndex['columns']): string {
  const keys = columns.map(({ property, descending }) => [property, descending ? -1 : 1] as const)
  const name = keys.flat().join('_')
  const list = keys.map(([property, direction]) => `${JSON.stringify(property)}: ${direction}`).join(', ')
  return `"indexes": { ${JSON.stringify(name)}: { "keys": { ${list} } } }`
}

/** Conditions each of which every match passes. */
const conjuncts = (condition: Condition | undefined): readonly Condition[] =>
  condition === undefined ? [] : condition.kind === 'and' ? condition.conditions.flatMap(conjuncts) : [condition]

function wantedOf (model: StoredModel, conditions: readonly Condition[]): Wanted {
  const equal = new Set<string>()
  const ranges = new Set<string>()
  for (const condition of conditions) {
    const use = useOf(condition)
    if (use === undefined || indexable(model, (condition as Comparison).path) === undefined) continue
    const { property } = (condition as Comparison).path
    if (use === 'equal') equal.add(property)
    else ranges.add(property)
  }
  return { equal: [...equal], range: [...ranges].find(property => !equal.has(property)) }
}

/** What an index does for a comparison. */
function useOf (condition: Condition): 'equal' | 'range' | undefined {
  switch (condition.kind) {
    case 'compare': return condition.op === 'eq' ? 'equal' : condition.op === 'neq' ? undefined : 'range'
    case 'in': return condition.op === 'inq' ? 'range' : undefined
    case 'between': return 'range'
    case 'like': {
      const isAnywhere = condition.negated || condition.ignoreCase || !hasBeginning(condition.pattern)
      return isAnywhere ? undefined : 'range'
    }
    default: return undefined
  }
}

/** Whether all texts that match begin alike. */
const hasBeginning = (pattern: string): boolean => likeRuns(pattern)[0]?.[0] !== undefined

/** The declared property that a path is; undefined for what an index cannot be over, and for ids, which have theirs. */
function indexable (model: StoredModel, { property, path, declared }: PropertyPath): CompiledProperty | undefined {
  if (!declared || path.length > 0) return undefined
  const found = model.propertyByName.get(property)
  return found === undefined || !plainKinds.has(found.type.kind) || found === model.id ? undefined : found
}

/** The properties that rows are ordered by, as far as an index can have them; rows of equal ones come by their ids. */
function sortable (model: StoredModel, order: readonly OrderTerm[]): StoredIndex['columns'] {
  const terms: Array<{ property: string, descending: boolean }> = []
  for (const term of order) {
    if (!('path' in term) || indexable(model, term.path) === undefined) break
    const { path, descending } = term
    if (!terms.some(({ property }) => property === path.property)) terms.push({ property: path.property, descending })
  }
  return terms
}
