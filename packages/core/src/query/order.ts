/** Order of rows. */
import type { MaybePromise } from '../maybe-promise.js'
import type { PropertyType, Row } from '../properties/types.js'
import type { OrderTerm } from './ast.js'
import { compareValues } from './compare.js'
import { comparisonOf, type Comparing } from './comparing.js'
import { distanceBetween, isPoint } from './geo.js'
import type { nearOf } from './conditions.js'
import { ownOrder, type OwnOrder } from './own-order.js'
import { compileRank } from './search.js'
import { compileValueAt } from './walk-path.js'
import type { Work } from './work.js'

/** A model, as far as its rows have an order of their own. */
export interface Keyed { readonly key: ReadonlyArray<{ readonly name: string, readonly type?: PropertyType }> }

export type RowOrder = (a: Row, b: Row) => number

/**
 * Compiles an order. Rows that compare equal come in the order of their ids, whatever the direction; without terms that
 * is all.
 *
 * ```js
 * rows.sort(compileOrder(query.order, model))
 * ```
 */
export function compileOrder (order: readonly OrderTerm[], model: Keyed): RowOrder {
  const byId = idOrder(model)
  const terms = ownOrder(order).map(term => ({
    valueAt: valueOf(term), compare: orderOfTerm(term), sign: term.descending ? -1 : 1
  }))
  if (terms.length === 0) return byId
  return (a, b) => {
    for (let i = 0; i < terms.length; i++) {
      const { valueAt, compare, sign } = terms[i] as typeof terms[number]
      const result = compare(valueAt(a), valueAt(b))
      if (result !== 0) return sign * result
    }
    return byId(a, b)
  }
}

const orderOfTerm = (term: OwnOrder): Comparing['order'] =>
  'path' in term ? comparisonOf(term.path.type).order : compareValues

/** A list is sorted by comparing each row several times: what takes long is worked out once. */
function valueOf (term: OwnOrder): (row: Row) => unknown {
  if ('path' in term) return compileValueAt(term.path)
  const rank = compileRank(term.rank)
  const known = new WeakMap<Row, number>()
  return row => {
    let value = known.get(row)
    if (value === undefined) known.set(row, value = rank(row))
    return value
  }
}

/** Ids ascending: numbers by value, text by code units. Models without an id have no order. */
function idOrder ({ key: [first, ...others] }: Keyed): RowOrder {
  if (first === undefined) return () => 0
  const { name } = first
  const compare = orderOf(first)
  if (others.length === 0) return (a, b) => compare(a[name], b[name])
  const parts = others.map(part => ({ name: part.name, compare: orderOf(part) }))
  return (a, b) => {
    let result = compare(a[name], b[name])
    for (let i = 0; result === 0 && i < parts.length; i++) {
      const { name, compare } = parts[i] as typeof parts[number]
      result = compare(a[name], b[name])
    }
    return result
  }
}

const orderOf = ({ type }: Keyed['key'][number]): Comparing['order'] =>
  type === undefined ? compareValues : comparisonOf(type).order

/** Rows that are sorted at once; more are sorted in parts, which are then merged. */
const run = 256

/**
 * Sorts rows (the list itself), giving the event loop back in between.
 *
 * ```js
 * const sorted = await sortInSlices(rows, compileOrder(query.order, model), options.work, 1 + query.order.length)
 * ```
 * @param work undefined: at once, for code in the process
 * @param units of work that a comparison takes: the terms of the order
 */
export function sortInSlices<T> (
  rows: T[],
  order: (a: T, b: T) => number,
  work: Work | undefined,
  units: number
): MaybePromise<T[]> {
  if (work === undefined) return rows.sort(order)
  if (rows.length > run && work.mayRest) return sortRuns(rows, order, work, units)
  work.spend(rows.length * 8 * units)
  return rows.sort(order)
}

async function sortRuns<T> (rows: T[], order: (a: T, b: T) => number, work: Work, units: number): Promise<T[]> {
  let runs: T[][] = []
  for (let i = 0; i < rows.length; i += run) {
    work.spend(run * 8 * units)
    runs.push(rows.slice(i, i + run).sort(order))
    if (work.isDue) await work.rest()
  }
  while (runs.length > 1) {
    const merged: T[][] = []
    for (let i = 0; i < runs.length; i += 2) {
      const second = runs[i + 1]
      merged.push(second === undefined ? runs[i] as T[] : await merge(runs[i] as T[], second, order, work, units))
    }
    runs = merged
  }
  return runs[0] as T[]
}

async function merge<T> (
  first: readonly T[],
  second: readonly T[],
  order: (a: T, b: T) => number,
  work: Work,
  units: number
): Promise<T[]> {
  const merged: T[] = []
  let i = 0
  let j = 0
  while (i < first.length && j < second.length) {
    work.spend(units)
    merged.push(order(first[i] as T, second[j] as T) <= 0 ? (first[i++] as T) : (second[j++] as T))
    if (work.isDue) await work.rest()
  }
  while (i < first.length) merged.push(first[i++] as T)
  while (j < second.length) merged.push(second[j++] as T)
  return merged
}

/**
 * Nearest first, then by id.
 *
 * ```js
 * const near = nearOf(query.where)
 * if (near !== undefined && query.order.length === 0) rows.sort(compileNearOrder(near, model))
 * ```
 */
export function compileNearOrder (near: NonNullable<ReturnType<typeof nearOf>>, model: Keyed): RowOrder {
  const valueAt = compileValueAt(near.path)
  const byId = idOrder(model)
  const distance = (row: Row): number => {
    const point = valueAt(row)
    return isPoint(point) ? distanceBetween(near, point) : Infinity
  }
  return (a, b) => {
    const first = distance(a)
    const second = distance(b)
    return first < second ? -1 : first > second ? 1 : byId(a, b)
  }
}
