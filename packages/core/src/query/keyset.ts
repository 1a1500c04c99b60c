/**
 * Where reading goes on behind a row, by the values that rows are ordered by: no row is skipped or counted, whatever is
 * written meanwhile.
 */
import type { CompiledProperty } from '../definition/stored-model.js'
import { plainKinds } from '../properties/plain-kinds.js'
import type { Row } from '../properties/types.js'
import type { Comparison, Condition, ConditionValue, OrderTerm, PropertyOrder, PropertyPath, Query } from './ast.js'
import { compareValues } from './compare.js'
import { nearOf } from './conditions.js'
import { withSelected } from './narrow.js'
import type { QueriedModel } from './queried-model.js'

/** The order of a query, in the parts that it is continued by. */
export interface Keyset {
  /** What rows are ordered by before their id. */
  readonly terms: readonly PropertyOrder[]
  /** The id: all of its parts, which no two rows have in common. */
  readonly key: readonly PropertyOrder[]
}

/** The rows behind a row, as far as one index finds them: those that some terms do not tell from it. */
export interface KeyRange {
  readonly where: Condition | undefined
  readonly order: readonly PropertyOrder[]
}

/** A model, as far as its rows have ids. */
interface KeyedModel {
  readonly id: CompiledProperty | undefined
  readonly key: readonly CompiledProperty[]
}

/** Kinds of ids that no store shows in another form than it compares them in. */
const keyKinds: ReadonlySet<string> = new Set(['string', 'number', 'integer', 'long'])

/**
 * The parts of the order of a query; undefined where it cannot be continued exactly: rows without an id, or ordered by
 * a distance, by related rows, by lists, objects and what lies within them, or by what the model does not declare; and
 * for values in place of rows, and pages that a cursor bounds already.
 *
 * ```js
 * keysetOf(Note.compiled, query) // { terms: [stars, descending], key: [id] } for { order: 'stars DESC' }
 * ```
 */
export function keysetOf (model: KeyedModel, { order: asked, where, distinct, cursor }: Query): Keyset | undefined {
  const order = asked.filter(isOwn)
  if (order.length < asked.length || distinct !== undefined || cursor !== undefined) return undefined
  const { id, key } = model
  if (key.length === 0 || !key.every(({ type }) => keyKinds.has(type.kind))) return undefined
  if (order.length === 0 && nearOf(where) !== undefined) return undefined
  const byId = key.length > 1 ? -1 : order.findIndex(({ path }) => path.property === id?.name && path.path.length === 0)
  const terms = byId === -1 ? order : order.slice(0, byId)
  if (!terms.every(({ path }) => isPlain(path))) return undefined
  return { terms, key: byId === -1 ? key.map(ascending) : [order[byId] as PropertyOrder] }
}

const isOwn = (term: OrderTerm): term is PropertyOrder => 'path' in term

const isPlain = ({ path, declared, type }: PropertyPath): boolean =>
  path.length === 0 && declared && plainKinds.has(type.kind)

const ascending = ({ name, type }: CompiledProperty): PropertyOrder =>
  ({ path: { property: name, path: [], type, declared: true }, descending: false })

/**
 * The query with what its rows are ordered by among what is read.
 *
 * ```js
 * withKeyset(Note.compiled, query, keyset).select.names // ['id', 'title', 'stars'] for { fields: ['title'] }
 * ```
 */
export function withKeyset (model: QueriedModel, query: Query, { terms, key }: Keyset): Query {
  const select = [...terms, ...key]
    .reduce((selected, { path }) => withSelected(model, selected, path.property), query.select)
  return select === query.select ? query : { ...query, select }
}

/**
 * The condition of rows whose ids come behind that of a row.
 *
 * ```js
 * behindKey(keyset.key, { id: 7 }) // id > 7
 * ```
 */
export function behindKey (key: readonly PropertyOrder[], row: Row): Condition {
  const conditions = key.map((part, i) =>
    all([...key.slice(0, i).map(before => equalByTerm(before, row)), compared(part, part.descending ? 'lt' : 'gt', row)]))
  return conditions.length === 1 ? conditions[0] as Condition : { kind: 'or', conditions }
}

/**
 * The condition of rows that one term does not tell from a row.
 *
 * ```js
 * equalByTerm(stars, { stars: 5 }) // stars = 5
 * ```
 */
export const equalByTerm = (term: PropertyOrder, row: Row): Condition => compared(term, 'eq', row)

/** Where reading goes on. */
export interface Onward {
  /** Undefined: anywhere. */
  readonly where: Condition | undefined
  /** Whether rows without a value, which come last, are still to be read. */
  readonly leavesNull: boolean
}

/**
 * What is left of rows in the order of a term; undefined: nothing. Null and missing values are the smallest. One
 * comparison, which an index of the property serves: rows without a value are read by themselves.
 *
 * ```js
 * onwardFrom(stars, { stars: 5 }, true) // { where: stars >= 5, leavesNull: false }
 * ```
 * @param inclusive whether the row is among them, and those beside it
 */
export function onwardFrom (term: PropertyOrder, row: Row, inclusive: boolean): Onward | undefined {
  const { descending } = term
  if (valueOf(term, row) !== null) {
    const op = `${descending ? 'lt' : 'gt'}${inclusive ? 'e' : ''}` as const
    return { where: compared(term, op, row), leavesNull: descending }
  }
  if (!descending) return { where: inclusive ? undefined : compared(term, 'neq', row), leavesNull: false }
  return inclusive ? { where: equalByTerm(term, row), leavesNull: false } : undefined
}

/**
 * The rows behind a row, in parts that follow each other: in each some terms are as in the row, and the next one is
 * beyond it. An index of the order finds the first row of each part, however many rows are in front of it.
 *
 * ```js
 * rangesBehind(keyset, { id: 7, stars: 5 })
 * // stars = 5 and id > 7, by id; stars < 5, by stars and id; stars = null, by id
 * ```
 */
export function rangesBehind ({ terms, key }: Keyset, row: Row): KeyRange[] {
  const order = [...terms, ...key]
  const ranges: KeyRange[] = []
  for (let i = order.length - 1; i >= 0; i--) {
    const term = order[i] as PropertyOrder
    const beside = order.slice(0, i).map(before => equalByTerm(before, row))
    const onward = onwardFrom(term, row, false)
    if (onward?.where !== undefined) ranges.push({ where: all([...beside, onward.where]), order: order.slice(i) })
    // Ids have values.
    if (onward?.leavesNull === true && i < terms.length) {
      ranges.push({ where: all([...beside, equalByTerm(term, noRow)]), order: order.slice(i + 1) })
    }
  }
  return ranges
}

/**
 * The same rows as those of `rangesBehind`, with the first two parts as one: for a row beside which no other one has
 * its value, so that nothing is looked at in vain. Undefined where the order is of another form.
 *
 * ```js
 * rangesBehindAlone(keyset, { id: 7, at: new Date(0) }) // at >= 0 and (at > 0 or id > 7), by at and id
 * ```
 */
export function rangesBehindAlone (keyset: Keyset, row: Row): KeyRange[] | undefined {
  const { terms: [term, another], key } = keyset
  if (term === undefined || another !== undefined || valueOf(term, row) === null) return undefined
  const onward = onwardFrom(term, row, true)
  const beyond = onwardFrom(term, row, false)
  if (onward?.where === undefined || beyond?.where === undefined) return undefined
  const where = all([onward.where, { kind: 'or', conditions: [beyond.where, behindKey(key, row)] }])
  const ranges: KeyRange[] = [{ where, order: [term, ...key] }]
  return onward.leavesNull ? [...ranges, { where: equalByTerm(term, noRow), order: key }] : ranges
}

/** Of which every value is missing. */
export const noRow: Row = Object.freeze({})

/**
 * The same order from its end.
 *
 * ```js
 * reversed({ terms: [stars], key: [id] }) // by stars descending, then by id descending
 * ```
 */
export const reversed = ({ terms, key }: Keyset): Keyset => ({ terms: terms.map(turned), key: key.map(turned) })

const turned = ({ path, descending }: PropertyOrder): PropertyOrder => ({ path, descending: !descending })

/**
 * Whether a term does not tell two rows apart.
 *
 * ```js
 * areEqualByTerm(stars, { id: 1, stars: 5 }, { id: 2, stars: 5 }) // true
 * ```
 */
export const areEqualByTerm = (term: PropertyOrder, a: Row, b: Row): boolean =>
  compareValues(valueOf(term, a), valueOf(term, b)) === 0

/**
 * The id of a row as text.
 *
 * ```js
 * keyText(keyset.key, { id: 7 }) // '["7"]'
 * ```
 */
export const keyText = (key: readonly PropertyOrder[], row: Row): string =>
  JSON.stringify(key.map(({ path }) => String(row[path.property])))

const all = (conditions: readonly Condition[]): Condition =>
  conditions.length === 1 ? conditions[0] as Condition : { kind: 'and', conditions }

const compared = (term: PropertyOrder, op: (Comparison & { kind: 'compare' })['op'], row: Row): Condition =>
  ({ kind: 'compare', path: term.path, op, value: valueOf(term, row) })

/** @throws Error for what is equal to nothing, not even to itself: whoever wrote it did so past the framework */
function valueOf ({ path: { property } }: PropertyOrder, row: Row): ConditionValue {
  const value = (row[property] ?? null) as ConditionValue
  if (Number.isNaN(value instanceof Date ? value.getTime() : value)) {
    throw new Error(`Rows cannot be read in the order of "${property}": a row has a value that is no number or date.`)
  }
  return value
}
