/** Conditions as SQL. */
import type { Comparison, Condition, LinkedCondition } from '@fastback/core'
import type { Table } from '../tables/table.js'
import { isBeyondOperators, planComparison } from './comparison.js'
import { linkedWithin, outermost, sameKeySql, tableLinkOf, type NamedTable } from './link.js'
import { planSearch } from './search.js'
import { joined, type Placeholders, type StatementBuilder } from './statement-builder.js'

/** Adds a condition to a statement. */
export function collectCondition (condition: Condition | undefined, table: Table, builder: StatementBuilder): void {
  if (condition === undefined) return
  switch (condition.kind) {
    case 'and': builder.key += '&('; break
    case 'or': builder.key += '|('; break
    case 'nor': builder.key += '!('; break
    case 'linked': return collectLink(condition, table, builder)
    case 'related': throw unresolved(condition.relation)
    case 'search':
      builder.key += `${planSearch(condition, table, builder.values).code},`
      return
    default: return collectComparison(condition, table, builder)
  }
  for (const inner of inOrder(condition, table)) collectCondition(inner, table, builder)
  builder.key += ')'
}

function collectLink (link: LinkedCondition, table: Table, builder: StatementBuilder): void {
  const { table: other, to, from } = tableLinkOf(link, table)
  builder.key += `E(${String(other.number)}.${String(to.index)}.${String(from.index)}:`
  collectCondition(link.condition, other, builder)
  builder.key += ')'
}

const unresolved = (relation: string): Error =>
  new TypeError(`A condition on rows of "${relation}" came to the connector as it was written`)

type Group = Condition & { readonly conditions: readonly Condition[] }

/** The members of `and` with the cheap ones first: databases try them in the order in which they stand. */
function inOrder ({ kind, conditions }: Group, table: Table): readonly Condition[] {
  if (kind !== 'and' || conditions.length < 2 || !conditions.some(condition => isExpensive(condition, table))) {
    return conditions
  }
  return [
    ...conditions.filter(condition => !isExpensive(condition, table)),
    ...conditions.filter(condition => isExpensive(condition, table))
  ]
}

function isExpensive (condition: Condition, table: Table): boolean {
  if ('conditions' in condition) return condition.conditions.some(inner => isExpensive(inner, table))
  if (condition.kind === 'linked' || condition.kind === 'related') return true
  return condition.kind !== 'search' && isBeyondOperators(condition, table.byProperty.get(condition.path.property), table)
}

function collectComparison (comparison: Comparison, table: Table, builder: StatementBuilder): void {
  const column = table.byProperty.get(comparison.path.property)
  builder.key += planComparison(comparison, column, table, builder.values).code
  builder.key += column === undefined ? 'x' : column.index
  builder.key += ','
}

/**
 * The SQL of a condition that `collectCondition` has seen. A comparison that does not hold is false or NULL, both of
 * which leave a row out; `nor` is written so that NULL under it counts as false.
 */
export function conditionSql (
  condition: Condition, table: Table, placeholders: Placeholders, outer: NamedTable = outermost(table)
): string {
  const joining = (conditions: readonly Condition[], operator: string, none: string): string =>
    conditions.length === 0
      ? `(${none})`
      : joined(conditions.map(inner => conditionSql(inner, table, placeholders, outer)), operator)
  switch (condition.kind) {
    case 'and': return joining(inOrder(condition, table), ' AND ', '1 = 1')
    case 'or': return joining(condition.conditions, ' OR ', '1 = 0')
    case 'nor': return `((${joining(condition.conditions, ' OR ', '1 = 0')}) IS NOT TRUE)`
    case 'linked': return linkSql(condition, table, placeholders, outer)
    case 'related': throw unresolved(condition.relation)
    case 'search': return planSearch(condition, table, []).sql(undefined, table, placeholders)
    default: {
      const column = table.byProperty.get(condition.path.property)
      return planComparison(condition, column, table, []).sql(column, table, placeholders)
    }
  }
}

/** Columns without a table's name are those of the innermost one. */
function linkSql (link: LinkedCondition, table: Table, placeholders: Placeholders, outer: NamedTable): string {
  const found = tableLinkOf(link, table)
  const inner = linkedWithin(outer)
  const key = sameKeySql(found, outer.name) as string
  // SQLite tries conditions in their order, behind what the index finds: what the key is asked besides comes last.
  const narrowed = link.condition === undefined
    ? ''
    : `${conditionSql(link.condition, found.table, placeholders, inner)} AND `
  return `EXISTS (SELECT 1 FROM ${found.table.quoted} AS ${inner.name} WHERE ${narrowed}${key})`
}

/** The WHERE clause, or nothing. */
export function whereSql (condition: Condition | undefined, table: Table, placeholders: Placeholders): string {
  return condition === undefined ? '' : ` WHERE ${conditionSql(condition, table, placeholders)}`
}
