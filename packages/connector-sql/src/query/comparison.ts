/** Comparisons as SQL: which expression each takes, and the values that it binds. */
import type { Comparison, ConditionValue, PropertyPath, Row } from '@fastback/core'
import { compileCondition } from '@fastback/core/connector'
import type { ColumnFormat } from '../dialects/column-types.js'
import type { Column } from '../tables/column.js'
import type { Table } from '../tables/table.js'
import { planAnyOf, isLong } from './any-of.js'
import { equalsSql, equalValues } from './equality.js'
import { negatable, type Expression } from './expression.js'
import { likeRange } from './like-range.js'
import type { Placeholders } from './statement-builder.js'
import { integerBound } from './integer-bound.js'

/** An expression on a column that is there. */
function onColumn (
  code: string,
  sql: (column: Column, bound: () => string, table: Table, placeholders: Placeholders) => string
): Expression {
  return {
    code,
    sql: (column, table, placeholders) =>
      sql(column as Column, () => (column as Column).format.bound(placeholders.next()), table, placeholders)
  }
}

/** An expression on a column that is there, in the order of the reference. */
function onSorted (code: string, sql: (sorted: string, bound: () => string) => string): Expression {
  return {
    code,
    sql: (column, _table, placeholders) => {
      const { quoted, format } = column as Column
      return sql(format.sorted(quoted), () => format.sortedBound(placeholders.next()))
    }
  }
}

const inList = ({ quoted, format }: Column, table: Table, placeholders: Placeholders): string =>
  table.dialect.inList(format.equality?.among?.(quoted) ?? quoted, placeholders.next(), format)

const never = onColumn('F', () => '(1 = 0)')
const always = onColumn('T', () => '(1 = 1)')
const isNull = onColumn('n', ({ quoted }) => `${quoted} IS NULL`)
const isNotNull = onColumn('N', ({ quoted }) => `${quoted} IS NOT NULL`)
const equal: Expression = {
  code: '=',
  sql: (column, _table, placeholders) => equalsSql(column as Column, () => placeholders.next())
}
/** The column's own equality, which an index serves, and of what that finds the very value. */
const exactly: Expression = {
  code: 'e',
  sql: (column, _table, placeholders) => {
    const { quoted, format } = column as Column
    const found = equalsSql(column as Column, () => placeholders.next())
    return `(${found} AND ${format.sorted(quoted)} = ${format.sortedBound(placeholders.next())})`
  }
}
const ranges = {
  gt: onSorted('>', (sorted, bound) => `${sorted} > ${bound()}`),
  gte: onSorted('g', (sorted, bound) => `${sorted} >= ${bound()}`),
  lt: onSorted('<', (sorted, bound) => `${sorted} < ${bound()}`),
  lte: onSorted('l', (sorted, bound) => `${sorted} <= ${bound()}`)
}
const distinct = onColumn('~', (column, bound, table, placeholders) =>
  column.format.equality === undefined
    ? table.dialect.isDistinct(column.quoted, bound())
    : `((${equalsSql(column, () => placeholders.next())}) IS NOT TRUE)`)
const between = onSorted('b', (sorted, bound) => `${sorted} BETWEEN ${bound()} AND ${bound()}`)
const prefix = onSorted('p', (sorted, bound) => `(${sorted} >= ${bound()} AND ${sorted} < ${bound()})`)
const isIn = onColumn('i', (column, _bound, table, placeholders) => inList(column, table, placeholders))
const isInOrNull = onColumn(
  'j',
  (column, _bound, table, placeholders) => `(${inList(column, table, placeholders)} OR ${column.quoted} IS NULL)`
)
const isNotIn = onColumn(
  'I',
  (column, _bound, table, placeholders) => `(NOT ${inList(column, table, placeholders)} OR ${column.quoted} IS NULL)`
)
const isNotInOrNull = onColumn(
  'J',
  (column, _bound, table, placeholders) =>
    `(NOT ${inList(column, table, placeholders)} AND ${column.quoted} IS NOT NULL)`
)

/**
 * Decides how a comparison is written and adds the values that it binds. Whatever SQL cannot answer exactly as the
 * reference does (lists, paths into JSON, values of no particular type, patterns) the dialect says in its own way.
 * @param column where the property is stored; undefined for properties that are not declared
 */
export function planComparison (
  comparison: Comparison,
  column: Column | undefined,
  table: Table,
  values: unknown[]
): Expression {
  if (!canHaveValues(comparison.path, column, table)) {
    return compileCondition(comparison)(Object.create(null) as Row) ? always : never
  }
  if (column === undefined || !column.format.comparable) {
    return table.dialect.comparisonExpression(comparison, column, values)
  }
  switch (comparison.kind) {
    case 'compare':
      return planCompare(comparison, column, values)
    case 'in':
      return planIn(comparison, column, table, values)
    case 'between': {
      const { from, to } = comparison
      if (!accepts(column, from) || !accepts(column, to)) return never
      return column.format.whole
        ? planWholeBetween(from as number, to as number, column, values)
        : bind(between, values, firstOf(column.format, from), lastOf(column.format, to))
    }
    case 'exists':
      return comparison.exists ? isNotNull : isNull
    case 'like':
      return planLike(comparison, column, table, values)
    // Of texts alone: values of other types pass none of them.
    case 'regexp': case 'near': case 'element':
      return column.format.name === 'text' ? table.dialect.comparisonExpression(comparison, column, values) : never
  }
}

/** Whether rows can have a value there: undeclared properties need the extra column, paths lead into JSON only. */
export function canHaveValues ({ path }: PropertyPath, column: Column | undefined, table: Table): boolean {
  return column === undefined ? table.extra !== undefined : path.length === 0 || column.format.name === 'json'
}

/** Whether a comparison takes more than the database's own operators, so that the others had better be tried first. */
export function isBeyondOperators (comparison: Comparison, column: Column | undefined, table: Table): boolean {
  if (!canHaveValues(comparison.path, column, table)) return false
  if (column === undefined || !column.format.comparable) return true
  if (comparison.kind === 'in') return isLong(comparison, column)
  return column.format.name === 'text' && (comparison.kind === 'like' || comparison.kind === 'regexp')
}

/** Whether a value can equal, or be in a range with, the values of a column. */
const accepts = (column: Column, value: ConditionValue): boolean => value !== null && column.format.accepts(value)

function planCompare (
  { op, value, isExact }: Comparison & { kind: 'compare' }, column: Column, values: unknown[]
): Expression {
  if (value === null) return op === 'eq' ? isNull : op === 'neq' ? isNotNull : never
  if (!accepts(column, value)) return op === 'neq' ? always : never
  if (op === 'eq' || op === 'neq') {
    if (!column.format.canStore(value)) return op === 'neq' ? always : never
    if (isExact === true && column.format.isLoose === true) {
      return bind(negatable(op === 'neq', exactly), values, ...equalValues(column, value), column.format.encode(value))
    }
    return bind(op === 'neq' ? distinct : equal, values, ...equalValues(column, value))
  }
  if (column.format.whole) return planWholeRange(op, value as number | bigint, column, values)
  const bound = op === 'gt' || op === 'lte' ? lastOf : firstOf
  return bind(ranges[op], values, bound(column.format, value))
}

/** What stands for a value where a range begins with it, or ends before it. */
const firstOf = (format: ColumnFormat, value: ConditionValue): unknown =>
  format.span === undefined ? format.encode(value) : format.span(value).first

/** What stands for it where a range ends with it, or begins behind it. */
const lastOf = (format: ColumnFormat, value: ConditionValue): unknown =>
  format.span === undefined ? format.encode(value) : format.span(value).last

function planWholeRange (
  op: 'gt' | 'gte' | 'lt' | 'lte',
  value: number | bigint,
  column: Column,
  values: unknown[]
): Expression {
  const bound = integerBound(op, value, column.format.unsigned)
  return bound === 'none' ? never : bound === 'all' ? isNotNull : bind(ranges[op], values, column.format.encode(bound))
}

function planWholeBetween (from: number | bigint, to: number | bigint, column: Column, values: unknown[]): Expression {
  const lower = integerBound('gte', from, column.format.unsigned)
  const upper = integerBound('lte', to, column.format.unsigned)
  if (lower === 'none' || upper === 'none') return never
  const { encode } = column.format
  if (lower === 'all') return upper === 'all' ? isNotNull : bind(ranges.lte, values, encode(upper))
  return upper === 'all'
    ? bind(ranges.gte, values, encode(lower))
    : bind(between, values, encode(lower), encode(upper))
}

function bind (chosen: Expression, values: unknown[], ...bounds: readonly unknown[]): Expression {
  values.push(...bounds)
  return chosen
}

function planIn (
  comparison: Comparison & { kind: 'in' },
  column: Column,
  table: Table,
  values: unknown[]
): Expression {
  const { equality } = column.format
  if (equality !== undefined && equality.among === undefined) return planAnyOf(comparison, column, equality, values)
  const { op, values: wanted } = comparison
  const elements: unknown[] = []
  let withNull = false
  for (let i = 0; i < wanted.length; i++) {
    const value = wanted[i] as ConditionValue
    if (value === null) withNull = true
    else if (accepts(column, value) && column.format.canStore(value)) elements.push(column.format.listed(value))
  }
  const negated = op === 'nin'
  if (elements.length === 0) return withNull ? (negated ? isNotNull : isNull) : negated ? always : never
  values.push(table.dialect.list(elements, column.format))
  return negated ? (withNull ? isNotInOrNull : isNotIn) : withNull ? isInOrNull : isIn
}

/** A pattern without wildcards is equality; `abc%`, the most frequent one, a range. An index serves both. */
function planLike (
  comparison: Comparison & { kind: 'like' },
  column: Column,
  table: Table,
  values: unknown[]
): Expression {
  if (column.format.name !== 'text') return comparison.negated ? always : never
  if (!comparison.ignoreCase && !/[%_\\]/.test(comparison.pattern)) {
    if (!column.format.canStore(comparison.pattern)) return comparison.negated ? always : never
    return bind(comparison.negated ? distinct : equal, values, ...equalValues(column, comparison.pattern))
  }
  const isRange = !comparison.ignoreCase && !comparison.negated && column.format.boundByValues !== true
  const range = isRange ? likeRange(comparison.pattern) : undefined
  if (range === undefined) return table.dialect.comparisonExpression(comparison, column, values)
  values.push(column.format.encode(range.from), column.format.encode(range.below))
  return prefix
}
