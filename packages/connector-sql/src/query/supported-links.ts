/** Which links, and orders by linked values, the database answers by itself (`link.ts`, `linked-value.ts`). */
import type { Condition, LinkedValue, OrderTerm, StoreOptions } from '@fastback/core'
import type { Table } from '../tables/table.js'
import { findLink, hasLinks, sameKeySql, tableLinkOf } from './link.js'
import { sortsTerms } from './native-order.js'
import { residualFilterOf, testedOf } from './residual-filter.js'

/** Whether the database answers a condition with links by itself. */
export function supportsLinks (
  table: Table, condition: Condition, isWrite: boolean, { work, caller }: StoreOptions
): boolean {
  if (caller !== undefined && looksBehind(condition, table)) return false
  // A database in this process is asked for what it says without JavaScript, which would keep everybody else waiting.
  const asked = work === undefined ? table : table.withoutCallbacks
  const changed = isWrite && !table.dialect.readsWhatItChanges ? table.name : undefined
  return isAnswered(condition, asked, changed) && !testedOf(table, condition, work).some(hasLinks)
}

/** Whether a rule asks for rows of a table that policies would narrow as the caller: it has to see all of them. */
function looksBehind (condition: Condition, table: Table): boolean {
  if ('conditions' in condition) return condition.conditions.some(inner => looksBehind(inner, table))
  if (condition.kind !== 'linked') return false
  const other = findLink(condition, table)?.table
  if (other === undefined) return false
  return (condition.byRules === true && other.isSecured) ||
    (condition.condition !== undefined && looksBehind(condition.condition, other))
}

/** @param changed name of a table that the statement must not read: it changes it */
function isAnswered (condition: Condition, table: Table, changed: string | undefined): boolean {
  if ('conditions' in condition) return condition.conditions.every(inner => isAnswered(inner, table, changed))
  if (condition.kind !== 'linked') return condition.kind !== 'related'
  const link = findLink(condition, table)
  if (link === undefined || link.table.name === changed) return false
  if (!link.table.isIndexed(link.to) || sameKeySql(link, 'other') === undefined) return false
  return condition.condition === undefined || (
    isAnswered(condition.condition, link.table, changed) &&
    residualFilterOf(link.table, condition.condition, undefined) === undefined
  )
}

/** Whether the database finds all values of an order by itself, and puts them in order as the reference does. */
export function supportsLinkedOrder (
  table: Table, order: readonly OrderTerm[], options: StoreOptions
): boolean {
  const asked = options.work === undefined ? table : table.withoutCallbacks
  return sortsTerms(order, asked) && order.every(term => !('linked' in term) || isFound(table, term.linked, options))
}

function isFound (table: Table, linked: LinkedValue, options: StoreOptions): boolean {
  const { from, model, to, condition, value } = linked
  if (!supportsLinks(table, { kind: 'linked', from, model, to, condition }, false, options)) return false
  const { table: other } = tableLinkOf(linked, table)
  if ('model' in value) return isFound(other, value, options)
  const column = other.byProperty.get('countOf' in value ? value.countOf : value.property)
  return column !== undefined && column.format.comparable && ('countOf' in value || value.path.length === 0)
}
