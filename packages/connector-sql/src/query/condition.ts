/** Conditions as SQL. */
import type { Comparison, Condition } from '@fastback/core'
import type { Table } from '../tables/table.js'
import { isBeyondOperators, planComparison } from './comparison.js'
import { joined, type Placeholders, type StatementBuilder } from './statement-builder.js'

/** Adds a condition to a statement. */
export function collectCondition (condition: Condition | undefined, table: Table, builder: StatementBuilder): void {
  if (condition === undefined) return
  switch (condition.kind) {
    case 'and': builder.key += '&('; break
    case 'or': builder.key += '|('; break
    case 'nor': builder.key += '!('; break
    default: return collectComparison(condition, table, builder)
  }
  for (const inner of inOrder(condition, table)) collectCondition(inner, table, builder)
  builder.key += ')'
}

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
  return isBeyondOperators(condition, table.byProperty.get(condition.path.property), table)
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
export function conditionSql (condition: Condition, table: Table, placeholders: Placeholders): string {
  switch (condition.kind) {
    case 'and': return joinedSql(inOrder(condition, table), table, placeholders, ' AND ', '1 = 1')
    case 'or': return joinedSql(condition.conditions, table, placeholders, ' OR ', '1 = 0')
    case 'nor': return `((${joinedSql(condition.conditions, table, placeholders, ' OR ', '1 = 0')}) IS NOT TRUE)`
    default: {
      const column = table.byProperty.get(condition.path.property)
      return planComparison(condition, column, table, []).sql(column, table, placeholders)
    }
  }
}

function joinedSql (
  conditions: readonly Condition[],
  table: Table,
  placeholders: Placeholders,
  operator: string,
  none: string
): string {
  return conditions.length === 0
    ? `(${none})`
    : joined(
      conditions.map(condition => conditionSql(condition, table, placeholders)),
      operator
    )
}

/** The WHERE clause, or nothing. */
export function whereSql (condition: Condition | undefined, table: Table, placeholders: Placeholders): string {
  return condition === undefined ? '' : ` WHERE ${conditionSql(condition, table, placeholders)}`
}
