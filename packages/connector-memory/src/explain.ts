/** Which rows in memory a read looks at. */
import type { Explanation, StoreRead } from '@fastback/core'
import { compileCondition } from '@fastback/core/connector'
import { candidates } from './candidates.js'
import type { Collection } from './collection.js'
import { idDirection } from './select-rows.js'

export function explainRead (collection: Collection, { model, operation, query }: StoreRead): Explanation {
  const { where, skip, limit } = query
  const few = candidates(collection, where)
  const isCounted = operation === 'count' && where === undefined
  const direction = isCounted ? 0 : idDirection(collection, query)
  const rows = few ?? collection.rows
  const rowsRead = isCounted ? 0 : direction === 0 || limit === undefined ? rows.length : lookedAt()
  const how = few === undefined ? 'each row in turn' : 'rows that the id or an index leads to'
  return {
    plan: [
      `${collection.model.name}: ${isCounted ? 'the number of rows is known' : how}`,
      ...direction === 0 && !isCounted ? ['sort'] : []
    ],
    rowsRead,
    accesses: isCounted ? [] : [{ model: model.name, kind: few === undefined ? 'all' : 'found' }]
  }

  /** In the order of the ids it ends when the page is full. */
  function lookedAt (): number {
    const passes = compileCondition(where)
    const end = skip + (limit as number)
    let met = 0
    const at = (direction === 1 ? rows : rows.toReversed()).findIndex(row => passes(row) === true && ++met === end)
    return at === -1 ? rows.length : at + 1
  }
}
