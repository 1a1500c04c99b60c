/**
 * What the database cannot say exactly, JavaScript decides: the database gives every row that can match (and perhaps
 * others), with the values that the reference needs for its response.
 */
import type {
  Comparison, Condition, LinkedCondition, Query, RelatedCondition, Row, RowOrder, RowTest, SearchCondition,
  StoredModel, Work
} from '@fastback/core'
import {
  compileCondition, compileNearOrder, compileOrder, nearOf, propertiesOfTerm, propertiesOfTest
} from '@fastback/core/connector'
import type { Table } from '../tables/table.js'
import { isBeyondOperators, planComparison } from './comparison.js'
import { sortsMany } from './sorted-many.js'
import { planSearch } from './search.js'
import { sortsItself } from './order.js'
import { plainValues } from './plain-values.js'

export interface ResidualFilter {
  /** The table as it is asked: without what JavaScript does. */
  readonly table: Table
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

/**
 * Undefined where the database says everything, and may. A database in this process may not for requests that have a
 * budget, where its response takes JavaScript, very many comparisons or a sort of very many rows: all would keep
 * everybody else waiting.
 * @param work counts what the tests take
 */
export function residualFilterOf (
  asked: Table,
  where: Condition | undefined,
  work: Work | undefined,
  query?: Query
): ResidualFilter | undefined {
  const isExact = asked.dialect.exact && !readsWords(asked, where, query)
  if (isExact && (work === undefined || isQuick(asked, where, query))) return undefined
  const table = asked.withoutCallbacks
  const all = conjuncts(where)
  const tested = all.filter(condition => isTested(condition, table))
  const sorts = query !== undefined && (!sortsItself(query, table) || (work !== undefined && sortsMany(query, table)))
  if (tested.length === 0 && !sorts) return undefined
  const names = new Set(tested.flatMap(propertiesOf))
  if (sorts) for (const name of orderedBy(query)) names.add(name)
  const { sources, row } = rowReader(table, [...names])
  const passes = compileCondition(
    { kind: 'and', conditions: tested.map(condition => plainCondition(condition, table)) },
    work
  )
  const said = all.filter(condition => !isWide(condition, table)).map(condition => weakened(condition, table))
  return {
    table,
    where: said.length < 2 ? said[0] : { kind: 'and', conditions: said },
    sources,
    row,
    passes,
    order: sorts ? orderOf(query, table.model) : undefined
  }
}

const isTested = (condition: Condition, table: Table): boolean => isWide(condition, table) || !isExact(condition, table)

/** The parts of a condition that JavaScript tests row by row, if it comes to a residual filter. */
export const testedOf = (asked: Table, where: Condition, work: Work | undefined): readonly Condition[] =>
  asked.dialect.exact && work === undefined && !readsWords(asked, where)
    ? []
    : conjuncts(where).filter(condition => isTested(condition, asked.withoutCallbacks))

/** Whether a query is about words that the database has no index of: no callback reads those of several columns. */
const readsWords = (table: Table, where: Condition | undefined, query?: Query): boolean =>
  table.model.textIndex !== undefined && table.textIndex === undefined && (
    conjuncts(where).some(condition => condition.kind === 'search') ||
    query?.order.some(term => !('path' in term)) === true
  )

/**
 * Whether a database that is exact answers without JavaScript, and without very many comparisons for each row. Asked of
 * every query, so it makes nothing.
 */
function isQuick ({ withoutCallbacks: table }: Table, where: Condition | undefined, query: Query | undefined): boolean {
  return (
    (where === undefined || isQuickCondition(where, table)) &&
    (query === undefined || (sortsItself(query, table) && !sortsMany(query, table)))
  )
}

function isQuickCondition (where: Condition, table: Table): boolean {
  if (where.kind === 'and') return where.conditions.every(condition => isQuickCondition(condition, table))
  return !isWide(where, table) && isExact(where, table)
}

/** Comparisons of one condition that a database in this process may try on all rows in one go. */
const manyComparisons = 50

/** Columns of a table beside which there is no room for the values that JavaScript compares (SQLite: 2,000 in all). */
const veryManyColumns = 1500

/** Whether it takes many comparisons for each row; what an index finds takes none. */
function isWide (condition: Condition, table: Table): boolean {
  if (table.dialect.scans || table.columns.length > veryManyColumns) return false
  return 'conditions' in condition && comparisons(condition, table) > manyComparisons
}

function comparisons (condition: Condition, table: Table): number {
  if ('conditions' in condition) return condition.conditions.reduce((sum, inner) => sum + comparisons(inner, table), 0)
  return isLink(condition) || condition.kind === 'search' || isIndexed(condition, table) ? 0 : 1
}

/** What a statement looks for in another table is exact: the core asked (`link.ts`). */
const isLink = (condition: Condition): condition is LinkedCondition | RelatedCondition =>
  condition.kind === 'linked' || condition.kind === 'related'

/** Whether an index leads to the rows for which a comparison is true. */
function isIndexed (comparison: Comparison, table: Table): boolean {
  const finds =
    (comparison.kind === 'compare' && comparison.op === 'eq') || (comparison.kind === 'in' && comparison.op === 'inq')
  const column = table.byProperty.get(comparison.path.property)
  if (!finds || column === undefined || comparison.path.path.length > 0) return false
  return table.isIndexed(column)
}

function conjuncts (where: Condition | undefined): readonly Condition[] {
  return where === undefined ? [] : where.kind === 'and' ? where.conditions.flatMap(conjuncts) : [where]
}

function isExact (condition: Condition, table: Table): boolean {
  return 'conditions' in condition
    ? condition.conditions.every(inner => isExact(inner, table))
    : isLink(condition) || saysExactly(condition, table)
}

function saysExactly (comparison: Comparison | SearchCondition, table: Table): boolean {
  if (comparison.kind === 'search') return planSearch(comparison, table, []).inexact !== true
  const column = table.byProperty.get(comparison.path.property)
  return !isBeyondOperators(comparison, column, table) || planComparison(comparison, column, table, []).inexact !== true
}

function propertiesOf (condition: Condition): string[] {
  if ('conditions' in condition) return condition.conditions.flatMap(propertiesOf)
  return isLink(condition) ? [] : [...propertiesOfTest(condition)]
}

/** A condition that is true at least for the rows for which `condition` is true. */
function weakened (condition: Condition, table: Table): Condition {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return { ...condition, conditions: condition.conditions.map(inner => weakened(inner, table)) }
    case 'nor':
      return { ...condition, conditions: condition.conditions.map(inner => strengthened(inner, table)) }
    default:
      return condition
  }
}

const never: Condition = { kind: 'or', conditions: [] }

/** A condition that is true at most for the rows for which `condition` is true. */
function strengthened (condition: Condition, table: Table): Condition {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return { ...condition, conditions: condition.conditions.map(inner => strengthened(inner, table)) }
    case 'nor':
      return { ...condition, conditions: condition.conditions.map(inner => weakened(inner, table)) }
    default:
      return isLink(condition) || saysExactly(condition, table) ? condition : never
  }
}

function plainCondition (condition: Condition, table: Table): Condition {
  if ('conditions' in condition) {
    return { ...condition, conditions: condition.conditions.map(inner => plainCondition(inner, table)) }
  }
  return isLink(condition) || condition.kind === 'search'
    ? condition
    : plainValues(condition, table.byProperty.get(condition.path.property))
}

function orderedBy (query: Query): string[] {
  if (query.order.length > 0) return query.order.flatMap(propertiesOfTerm)
  const near = nearOf(query.where)
  return near === undefined ? [] : [near.path.property]
}

/** The rows come in the order of their ids: sorting keeps that among equal ones. */
function orderOf ({ order, where }: Query, model: StoredModel): RowOrder {
  const withoutId = { ...model, id: undefined }
  const near = order.length === 0 ? nearOf(where) : undefined
  return near === undefined ? compileOrder(order, withoutId) : compileNearOrder(near, withoutId)
}

function rowReader (table: Table, names: readonly string[]): Pick<ResidualFilter, 'sources' | 'row'> {
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
      const extra =
        undeclared.length > 0 && raw[at + columns.length] !== null
          ? table.dialect.extra.decode(raw[at + columns.length])
          : undefined
      if (extra !== undefined) for (const name of undeclared) if (Object.hasOwn(extra, name)) row[name] = extra[name]
      return row
    }
  }
}
