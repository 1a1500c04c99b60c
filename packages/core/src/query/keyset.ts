/**
 * Where reading goes on behind a row, by the values that rows are ordered by: no row is skipped or counted, whatever is
 * written meanwhile.
 */
import type { CompiledProperty } from '../definition/stored-model.js'
import { plainKinds } from '../properties/plain-kinds.js'
import type { Row } from '../properties/types.js'
import type { Condition, ConditionValue, OrderTerm, PropertyPath, Query } from './ast.js'
import { compareValues } from './compare.js'
import { nearOf } from './conditions.js'

/** The order of a query, in the parts that it is continued by. */
export interface Keyset {
  /** What rows are ordered by before their id. */
  readonly terms: readonly OrderTerm[]
  /** The id: all of its parts, which no two rows have in common. */
  readonly key: readonly OrderTerm[]
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
 * a distance, by lists, objects and what lies within them, or by what the model does not declare.
 *
 * ```js
 * keysetOf(Note.compiled, query) // { terms: [stars, descending], key: [id] } for { order: 'stars DESC' }
 * ```
 */
export function keysetOf (model: KeyedModel, { order, where }: Query): Keyset | undefined {
  const { id, key } = model
  if (key.length === 0 || !key.every(({ type }) => keyKinds.has(type.kind))) return undefined
  if (order.length === 0 && nearOf(where) !== undefined) return undefined
  const byId = key.length > 1 ? -1 : order.findIndex(({ path }) => path.property === id?.name && path.path.length === 0)
  const terms = byId === -1 ? order : order.slice(0, byId)
  if (!terms.every(({ path }) => isPlain(path))) return undefined
  return { terms, key: byId === -1 ? key.map(ascending) : [order[byId] as OrderTerm] }
}

const isPlain = ({ path, declared, type }: PropertyPath): boolean =>
  path.length === 0 && declared && plainKinds.has(type.kind)

const ascending = ({ name, type }: CompiledProperty): OrderTerm =>
  ({ path: { property: name, path: [], type, declared: true }, descending: false })

/**
 * The condition of rows that come behind a row in the order of these terms.
 *
 * ```js
 * behindRow(keyset.key, { id: 7 }) // id > 7
 * ```
 */
export function behindRow (terms: readonly OrderTerm[], row: Row): Condition {
  const conditions = terms.flatMap((term, i): Condition[] => {
    const behind = behindValue(term, valueOf(term, row))
    return behind === undefined ? [] : [all([...terms.slice(0, i).map(before => equals(before, row)), behind])]
  })
  return conditions.length === 1 ? conditions[0] as Condition : { kind: 'or', conditions }
}

/**
 * The condition of rows that these terms do not tell from a row.
 *
 * ```js
 * besideRow(keyset.terms, { stars: 5 }) // stars = 5
 * ```
 */
export const besideRow = (terms: readonly OrderTerm[], row: Row): Condition => all(terms.map(term => equals(term, row)))

/**
 * Whether terms do not tell two rows apart.
 *
 * ```js
 * isBeside(keyset.terms, { id: 1, stars: 5 }, { id: 2, stars: 5 }) // true
 * ```
 */
export const isBeside = (terms: readonly OrderTerm[], a: Row, b: Row): boolean =>
  terms.every(term => compareValues(valueOf(term, a), valueOf(term, b)) === 0)

const all = (conditions: readonly Condition[]): Condition =>
  conditions.length === 1 ? conditions[0] as Condition : { kind: 'and', conditions }

const equals = (term: OrderTerm, row: Row): Condition =>
  ({ kind: 'compare', path: term.path, op: 'eq', value: valueOf(term, row) })

/** Null and missing values are the smallest. Undefined: nothing comes behind them. */
function behindValue ({ path, descending }: OrderTerm, value: ConditionValue): Condition | undefined {
  const isNull: Condition = { kind: 'compare', path, op: 'eq', value: null }
  if (value === null) return descending ? undefined : { kind: 'compare', path, op: 'neq', value: null }
  if (!descending) return { kind: 'compare', path, op: 'gt', value }
  return { kind: 'or', conditions: [{ kind: 'compare', path, op: 'lt', value }, isNull] }
}

/** @throws Error for what is equal to nothing, not even to itself: whoever wrote it did so past the framework */
function valueOf ({ path: { property } }: OrderTerm, row: Row): ConditionValue {
  const value = (row[property] ?? null) as ConditionValue
  if (Number.isNaN(value instanceof Date ? value.getTime() : value)) {
    throw new Error(`Rows cannot be read in the order of "${property}": a row has a value that is no number or date.`)
  }
  return value
}
