import { badQuery } from '../errors.js'
import type { OrderTerm, PropertyOrder } from './ast.js'

/**
 * An order by properties of the rows alone: that of connectors which never say `supportsLinkedOrder`, and of rows that
 * are at hand.
 *
 * ```js
 * const names = ownOrder(query.order).map(({ path }) => path.property)
 * ```
 * @throws RequestError 400 RELATION_IN_QUERY for an order by related rows
 */
export function ownOrder (order: readonly OrderTerm[]): readonly PropertyOrder[] {
  const other = order.find(term => !('path' in term))
  if (other === undefined) return order as readonly PropertyOrder[]
  const relation = 'related' in other ? other.related.relations[0] : undefined
  throw badQuery(
    `These rows are put in order by what they hold themselves, and not by "${relation ?? 'related rows'}".`,
    'RELATION_IN_QUERY', { relation }
  )
}
