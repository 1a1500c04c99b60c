import type { OrderTerm, PropertyOrder, RankOrder } from './ast.js'

/** By what rows hold themselves. */
export type OwnOrder = PropertyOrder | RankOrder

/** The relation that a term of an order names; undefined for those of the rows themselves. */
export const relationOfTerm = (term: OrderTerm): string | undefined =>
  'related' in term ? term.related.relations[0] : 'linked' in term ? term.linked.model.name : undefined

/**
 * An order by what rows hold themselves: that of connectors which never say `supportsLinkedOrder`, and of rows that are
 * at hand.
 *
 * ```js
 * const names = ownOrder(query.order).flatMap(propertiesOfTerm)
 * ```
 * @throws TypeError for an order by related rows, which the core refuses or has answered before
 */
export function ownOrder (order: readonly OrderTerm[]): readonly OwnOrder[] {
  const relation = order.map(relationOfTerm).find(name => name !== undefined)
  if (relation !== undefined) throw new TypeError(`No row says itself what rows of "${relation}" say`)
  return order as readonly OwnOrder[]
}
