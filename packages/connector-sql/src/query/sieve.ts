/**
 * What the database cannot say exactly, JavaScript decides: the database gives every row that can match (and perhaps others), with the values that the
 * reference needs for its answer.
 */
import {
  compileCondition, compileNearOrder, compileOrder, nearOf, type Comparison, type Condition, type Query, type Row, type RowOrder, type RowTest, type StoredModel
} from '@fastback/core'
import type { Table } from '../tables/table.js'
import { planComparison } from './comparison.js'
import { sortsItself } from './order.js'
import { plainValues } from './plain-values.js'

export interface Sieve {
  /** What the database is asked instead. */
  readonly where: Condition | undefined
  /** Expressions for the values that the tests need. */
  readonly sources: readonly string[]
  /** Those values as a row, from raw values that begin at a position. */
  row (raw: readonly unknown[], at: number): Row
  readonly passes: RowTest
  /** Undefined where the database sorts. */
  readonly order: RowOrder | undefined
}

/** Undefined where the database says everything. */
export function sieveOf (table: Table, where: Condition | undefined, query?: Query): Sieve | undefined {
  if (table.dialect.exact) return undefined
  const tested = conjuncts(where).filter(condition => !isExact(condition, table))
  const sorts = query !== undefined && !sortsItself(query, table)
  if (tested.length === 0 && !sorts) return undefined
  const names = new Set(tested.flatMap(propertiesOf))
  if (sorts) for (const name of orderedBy(query)) names.add(name)
  const { sources, row } = rowReader(table, [...names])
  const passes = compileCondition({ kind: 'and', conditions: tested.map(condition => plainCondition(condition, table)) })
  return { where: where === undefined ? undefined : weakened(where, table), sources, row, passes, order: sorts ? orderOf(query, table.model) : undefined }
}

function conjuncts (where: Condition | undefined): readonly Condition[] {
  return where === undefined ? [] : where.kind === 'and' ? where.conditions.flatMap(conjuncts) : [where]
}

function isExact (condition: Condition, table: Table): boolean {
  return 'conditions' in condition ? condition.conditions.every(inner => isExact(inner, table)) : saysExactly(condition, table)
}

function saysExactly (comparison: Comparison, table: Table): boolean {
  return planComparison(comparison, table.byProperty.get(comparison.path.property), table, []).inexact !== true
}

function propertiesOf (condition: Condition): string[] {
  return 'conditions' in condition ? condition.conditions.flatMap(propertiesOf) : [condition.path.property]
}

/** A condition that holds at least for the rows that `condition` holds for. */
function weakened (condition: Condition, table: Table): Condition {
  switch (condition.kind) {
    case 'and': case 'or': return { ...condition, conditions: condition.conditions.map(inner => weakened(inner, table)) }
    case 'nor': return { ...condition, conditions: condition.conditions.map(inner => strengthened(inner, table)) }
    default: return condition
  }
}

const never: Condition = { kind: 'or', conditions: [] }

/** A condition that holds at most for the rows that `condition` holds for. */
function strengthened (condition: Condition, table: Table): Condition {
  switch (condition.kind) {
    case 'and': case 'or': return { ...condition, conditions: condition.conditions.map(inner => strengthened(inner, table)) }
    case 'nor': return { ...condition, conditions: condition.conditions.map(inner => weakened(inner, table)) }
    default: return saysExactly(condition, table) ? condition : never
  }
}

function plainCondition (condition: Condition, table: Table): Condition {
  if ('conditions' in condition) return { ...condition, conditions: condition.conditions.map(inner => plainCondition(inner, table)) }
  return plainValues(condition, table.byProperty.get(condition.path.property))
}

function orderedBy (query: Query): string[] {
  if (query.order.length > 0) return query.order.map(({ path }) => path.property)
  const near = nearOf(query.where)
  return near === undefined ? [] : [near.path.property]
}

/** The rows come in the order of their ids: sorting keeps that among equal ones. */
function orderOf ({ order, where }: Query, model: StoredModel): RowOrder {
  const withoutId = { ...model, id: undefined }
  const near = order.length === 0 ? nearOf(where) : undefined
  return near === undefined ? compileOrder(order, withoutId) : compileNearOrder(near, withoutId)
}

function rowReader (table: Table, names: readonly string[]): Pick<Sieve, 'sources' | 'row'> {
  const columns = names.flatMap(name => table.byProperty.get(name) ?? [])
  const undeclared = table.extra === undefined ? [] : names.filter(name => !table.byProperty.has(name))
  const sources = columns.map(({ format, quoted }) => format.read(quoted))
  if (undeclared.length > 0) sources.push(table.extra as string)
  return {
    sources,
    row: (raw, at) => {
      const row = Object.create(null) as Row
      for (const [i, { property, format }] of columns.entries()) {
        const value = raw[at + i]
        row[property.name] = value === null ? undefined : format.plain(value)
      }
      const extra = undeclared.length > 0 && raw[at + columns.length] !== null ? table.dialect.overflow.decode(raw[at + columns.length]) : undefined
      if (extra !== undefined) for (const name of undeclared) if (Object.hasOwn(extra, name)) row[name] = extra[name]
      return row
    }
  }
}
