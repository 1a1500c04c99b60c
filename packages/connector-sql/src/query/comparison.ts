/** Comparisons as SQL: which expression each takes, and the values that it binds. */
import type { Comparison, ConditionValue, PropertyPath, Row } from '@fastback/core'
import { compileCondition } from '@fastback/core/connector'
import type { Column, Table } from '../tables/table.js'
import type { Expression } from './expression.js'
import { likeRange } from './like-range.js'
import type { Placeholders } from './statement-builder.js'
import { wholeBound } from './whole-bound.js'

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

const inList = (column: Column, table: Table, placeholders: Placeholders): string =>
  table.dialect.inList(column.quoted, placeholders.next(), column.format)

const never = onColumn('F', () => '(1 = 0)')
const always = onColumn('T', () => '(1 = 1)')
const isNull = onColumn('n', ({ quoted }) => `${quoted} IS NULL`)
const isNotNull = onColumn('N', ({ quoted }) => `${quoted} IS NOT NULL`)
const ranges = {
  eq: onColumn('=', ({ quoted }, bound) => `${quoted} = ${bound()}`),
  gt: onSorted('>', (sorted, bound) => `${sorted} > ${bound()}`),
  gte: onSorted('g', (sorted, bound) => `${sorted} >= ${bound()}`),
  lt: onSorted('<', (sorted, bound) => `${sorted} < ${bound()}`),
  lte: onSorted('l', (sorted, bound) => `${sorted} <= ${bound()}`)
}
const distinct = onColumn('~', ({ quoted }, bound, table) => table.dialect.isDistinct(quoted, bound()))
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
        : bind(between, column, values, from, to)
    }
    case 'exists':
      return comparison.exists ? isNotNull : isNull
    case 'like':
      return planLike(comparison, column, table, values)
    default:
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
  return column.format.name === 'text' && (comparison.kind === 'like' || comparison.kind === 'regexp')
}

/** Whether a value can equal, or be in a range with, the values of a column. */
const accepts = (column: Column, value: ConditionValue): boolean => value !== null && column.format.accepts(value)

function planCompare ({ op, value }: Comparison & { kind: 'compare' }, column: Column, values: unknown[]): Expression {
  if (value === null) return op === 'eq' ? isNull : op === 'neq' ? isNotNull : never
  if (!accepts(column, value)) return op === 'neq' ? always : never
  if (op === 'eq' || op === 'neq') {
    if (!column.format.canStore(value)) return op === 'neq' ? always : never
    values.push(column.format.encode(value))
    return op === 'neq' ? distinct : ranges.eq
  }
  if (column.format.whole) return planWholeRange(op, value as number | bigint, column, values)
  values.push(column.format.encode(value))
  return ranges[op]
}

function planWholeRange (
  op: 'gt' | 'gte' | 'lt' | 'lte',
  value: number | bigint,
  column: Column,
  values: unknown[]
): Expression {
  const bound = wholeBound(op, value)
  return bound === 'none' ? never : bound === 'all' ? isNotNull : bind(ranges[op], column, values, bound)
}

function planWholeBetween (from: number | bigint, to: number | bigint, column: Column, values: unknown[]): Expression {
  const lower = wholeBound('gte', from)
  const upper = wholeBound('lte', to)
  if (lower === 'none' || upper === 'none') return never
  if (lower === 'all') return upper === 'all' ? isNotNull : bind(ranges.lte, column, values, upper)
  return upper === 'all' ? bind(ranges.gte, column, values, lower) : bind(between, column, values, lower, upper)
}

function bind (chosen: Expression, { format }: Column, values: unknown[], ...bounds: ConditionValue[]): Expression {
  for (const bound of bounds) values.push(format.encode(bound))
  return chosen
}

function planIn (
  { op, values: wanted }: Comparison & { kind: 'in' },
  column: Column,
  table: Table,
  values: unknown[]
): Expression {
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
    values.push(column.format.encode(comparison.pattern))
    return comparison.negated ? distinct : ranges.eq
  }
  const range = comparison.ignoreCase || comparison.negated ? undefined : likeRange(comparison.pattern)
  if (range === undefined) return table.dialect.comparisonExpression(comparison, column, values)
  values.push(column.format.encode(range.from), column.format.encode(range.below))
  return prefix
}
