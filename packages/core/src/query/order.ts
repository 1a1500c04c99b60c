/** Order of rows. */
import type { StoredModel } from '../compiled.js'
import type { Row } from '../properties/types.js'
import type { OrderTerm } from './ast.js'
import { compareValues } from './compare.js'
import { distanceBetween, isPoint } from './geo.js'
import type { nearOf } from './match.js'
import { compileValueAt } from './walk-path.js'

export type RowOrder = (a: Row, b: Row) => number

/** Compiles an order. Rows that compare equal come in the order of their ids, whatever the direction; without terms that is all. */
export function compileOrder (order: readonly OrderTerm[], model: StoredModel): RowOrder {
  const byId = idOrder(model)
  const terms = order.map(({ path, descending }) => ({ valueAt: compileValueAt(path), sign: descending ? -1 : 1 }))
  if (terms.length === 0) return byId
  return (a, b) => {
    for (let i = 0; i < terms.length; i++) {
      const { valueAt, sign } = terms[i] as typeof terms[number]
      const result = compareValues(valueAt(a), valueAt(b))
      if (result !== 0) return sign * result
    }
    return byId(a, b)
  }
}

/** Ids ascending: numbers by value, text by code units. Models without an id have no order. */
function idOrder (model: StoredModel): RowOrder {
  if (model.id === undefined) return () => 0
  const { name } = model.id
  return (a, b) => compareValues(a[name], b[name])
}

/** Nearest first, then by id. */
export function compileNearOrder (near: NonNullable<ReturnType<typeof nearOf>>, model: StoredModel): RowOrder {
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
