import { badQuery } from '../errors.js'
import type { OrderTerm, PropertyOrder, RankOrder } from './ast.js'

/** By what rows hold themselves. */
export type OwnOrder = PropertyOrder | RankOrder

/**
 * An order by what rows hold themselves: that of connectors which never say `supportsLinkedOrder`, and of rows that are
 * at hand.
 *
 * ```js
 * const names = ownOrder(query.order).flatMap(propertiesOfTerm)
 * ```
 * @throws RequestError 400 RELATION_IN_QUERY for an order by related rows
 */
export function ownOrder (order: readonly OrderTerm[]): readonly OwnOrder[] {
  const other = order.find(term => !('path' in term || 'rank' in term))
  if (other === undefined) return order as readonly OwnOrder[]
  const relation = 'related' in other ? other.related.relations[0] : undefined
  throw badQuery(
    `These rows are put in order by what they hold themselves, and not by "${relation ?? 'related rows'}".`,
    'RELATION_IN_QUERY', { relation }
  )
}
