/** Comparisons and orders of values in JSON: in columns of that type, and of undeclared properties. */
import type { Comparison, ConditionValue, PropertyPath } from '@fastback/core'
import { holdsDecimals } from '@fastback/core/connector'
import { negatable, type Expression } from '../../query/expression.js'
import type { Placeholders } from '../../query/statement-builder.js'
import { encodeJson } from '../../tables/json-text.js'
import type { Column } from '../../tables/column.js'
import type { Table } from '../../tables/table.js'
import { likeOf } from './like.js'
import { codeJson, codeText } from './text-code.js'
import type { PostgresFormat } from './formats.js'

const formatOf = (column: Column): PostgresFormat => column.format as PostgresFormat

const never: Expression = { code: 'F', sql: () => '(1 = 0)' }

/** An expression on a value of type jsonb; the name of an undeclared property is the first value that it binds. */
function onJson (
  column: Column | undefined,
  path: PropertyPath,
  values: unknown[],
  code: string,
  bound: readonly unknown[],
  sql: (json: string, placeholders: Placeholders) => string
): Expression {
  if (column === undefined) values.push(codeText(path.property))
  values.push(...bound)
  return {
    code: `j${code}`,
    sql: (stored, table, placeholders) => sql(jsonOf(stored, table, placeholders), placeholders)
  }
}

function jsonOf (column: Column | undefined, table: Table, placeholders: Placeholders): string {
  if (column === undefined) return `(${table.extra} -> ${placeholders.next()}::text)`
  return (formatOf(column).jsonb as (quoted: string) => string)(column.quoted)
}

const jsonText = (value: unknown): string => codeJson(encodeJson(value))
const isScalar = (value: ConditionValue): value is string | number | bigint | boolean => typeof value !== 'object'
/**
 * The elements of a list, `otherwise` where it is none. What is in them is `element.value`: with the table before it,
 * as a column of the model may have any name.
 */
const elements = (json: string, otherwise: string): string =>
  `jsonb_array_elements(CASE jsonb_typeof(${json}) WHEN 'array' THEN ${json} ELSE ${otherwise} END) AS element (value)`

/** The value itself or, of a list, an element. */
export function jsonComparison (
  comparison: Comparison,
  column: Column | undefined,
  values: unknown[]
): Expression | undefined {
  const on = (
    code: string,
    bound: readonly unknown[],
    sql: (json: string, placeholders: Placeholders) => string
  ): Expression => onJson(column, comparison.path, values, code, bound, sql)
  switch (comparison.kind) {
    case 'exists': return negatable(!comparison.exists, on('e', [], json => `NULLIF(${json}, 'null') IS NOT NULL`))
    case 'compare': {
      const { op, value } = comparison
      if (op !== 'eq' && op !== 'neq') return isScalar(value) ? pathExists(on, '$', [[operators[op], value]]) : never
      if (value === null) return negatable(op === 'neq', on('n', [], json => `(${json} IS NULL OR ${json} @> 'null')`))
      return negatable(op === 'neq', isScalar(value)
        ? on('=', [jsonText(value)], (json, placeholders) => `${json} @> ${placeholders.next()}::jsonb`)
        : on('s', [[jsonText(value)]], (json, placeholders) => equalsOne(json, placeholders.next())))
    }
    case 'in': {
      const wanted = comparison.values.filter(value => value !== null)
      const withNull = wanted.length < comparison.values.length
      const orNull = (json: string, sql: string): string =>
        withNull ? `(${json} IS NULL OR ${json} @> 'null' OR ${sql})` : sql
      const code = withNull ? 'in' : 'i'
      const bound = [wanted.map(jsonText)]
      return negatable(comparison.op === 'nin', wanted.every(isScalar)
        ? on(code, bound, (json, placeholders) => orNull(json, `${json} @> ANY(${placeholders.next()}::jsonb[])`))
        : on(`${code}s`, bound, (json, placeholders) => orNull(json, equalsOne(json, placeholders.next()))))
    }
    case 'between': {
      const { from, to } = comparison
      if (!isScalar(from) || !isScalar(to) || kindOf(from) !== kindOf(to)) return never
      return pathExists(on, '$', [['>=', from], ['<=', to]])
    }
    case 'like': {
      // The name of an undeclared property is bound before the pattern.
      const bound: unknown[] = []
      const like = likeOf(comparison, bound)
      if (like === undefined) return undefined
      return negatable(
        comparison.negated,
        on(
          like.code,
          bound,
          (json, placeholders) =>
            `EXISTS (SELECT FROM ${elements(json, `jsonb_build_array(${json})`)} ` +
            `WHERE jsonb_typeof(element.value) = 'string' AND ${like.sql("(element.value #>> '{}')", placeholders)})`
        )
      )
    }
    case 'near': return nearby(on, comparison)
  }
}

function equalsOne (json: string, list: string): string {
  const isIn = (value: string): string => `${value} = ANY(${list}::jsonb[])`
  return `(${isIn(json)} OR EXISTS (SELECT FROM ${elements(json, "'[]'")} WHERE ${isIn('element.value')}))`
}

type On = (
  code: string,
  bound: readonly unknown[],
  sql: (json: string, placeholders: Placeholders) => string
) => Expression
type Scalar = string | number | bigint | boolean
type Bound = readonly [operator: '>' | '>=' | '<' | '<=' | '==', value: Scalar]

const operators = { eq: '==', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const

const kindOf = (value: Scalar): string => typeof value === 'bigint' ? 'number' : typeof value

/** Some value at `jsonPath` lies within bounds of its own type. */
function pathExists (on: On, jsonPath: string, bounds: readonly Bound[]): Expression {
  const kind = kindOf((bounds[0] as Bound)[1])
  const tests = bounds.map(([operator], i) => ` && @ ${operator} $v${i}`).join('')
  const code = `p${jsonPath}${kind}${bounds.map(([operator]) => operator).join('')}`
  return on(code, bounds.map(([, value]) => jsonText(value)), (json, placeholders) => {
    const variables = bounds.map((_, i) => `'v${i}', ${placeholders.next()}::jsonb`).join(', ')
    return `jsonb_path_exists(${json}, '${jsonPath} ? (@.type() == "${kind}"${tests})', jsonb_build_object(${variables}))`
  })
}

/** Rows that lie between two parallels; JavaScript measures. */
function nearby (on: On, near: Comparison & { kind: 'near' }): Expression | undefined {
  if (near.maxDistance === undefined || !Number.isFinite(near.maxDistance)) return undefined
  const degrees = near.maxDistance / 6370990.56 * 180 / Math.PI * 1.000001 + 1e-6
  return {
    ...on(
      'N',
      [jsonText(near.lat - degrees), jsonText(near.lat + degrees)],
      (json, placeholders) =>
        `jsonb_path_exists(${json}, '$ ? (@.lat >= $v0 && @.lat <= $v1)', jsonb_build_object('v0', ${placeholders.next()}::jsonb, 'v1', ${placeholders.next()}::jsonb))`
    ),
    inexact: true
  }
}

/** Paths into JSON: whatever the path, a value that passes must be somewhere in the document. */
export function deepComparison (
  comparison: Comparison,
  column: Column | undefined,
  values: unknown[]
): Expression | undefined {
  const on: On = (code, bound, sql) => onJson(column, comparison.path, values, code, bound, sql)
  const somewhere = (bounds: readonly Bound[]): Expression => ({ ...pathExists(on, '$.**', bounds), inexact: true })
  switch (comparison.kind) {
    case 'compare': {
      const { op, value } = comparison
      if (op === 'neq' || !isScalar(value)) return undefined
      return somewhere([[operators[op], value]])
    }
    case 'between': {
      const { from, to } = comparison
      return isScalar(from) && isScalar(to) && kindOf(from) === kindOf(to)
        ? somewhere([
          ['>=', from],
          ['<=', to]
        ])
        : never
    }
    case 'in': {
      if (comparison.op === 'nin' || !comparison.values.every(isScalar)) return undefined
      return {
        ...on(
          '$in',
          [jsonText(comparison.values)],
          (json, placeholders) =>
            `jsonb_path_exists(${json}, '$.** ? (@ == $v[*])', jsonb_build_object('v', ${placeholders.next()}::jsonb))`
        ),
        inexact: true
      }
    }
  }
}

/** One value that sorts as the reference orders values: nothing, booleans, numbers, texts, structures. */
export function orderExpression (
  path: PropertyPath,
  column: Column | undefined,
  values: unknown[]
): Expression | undefined {
  if (column !== undefined && formatOf(column).jsonb === undefined) return undefined
  // They are texts in JSON, which the database puts in the order of texts.
  if (holdsDecimals(path.type)) return undefined
  // `#>` reads parts such as `-1` and `01` as positions in lists; for the reference they are names.
  if (path.path.some(part => /^\s*[+-]?\d/.test(part) && !/^(?:0|[1-9]\d{0,8})$/.test(part))) return undefined
  if (column === undefined) values.push(codeText(path.property))
  if (path.path.length > 0) values.push(path.path.map(codeText))
  return {
    code: path.path.length > 0 ? 'jo.' : 'jo',
    sql: (stored, table, placeholders) => {
      const whole = jsonOf(stored, table, placeholders)
      const json = `NULLIF(${path.path.length > 0 ? `(${whole} #> ${placeholders.next()}::text[])` : whole}, 'null')`
      const value = `(${json} #>> '{}')`
      return (
        `ROW(CASE jsonb_typeof(${json}) WHEN 'boolean' THEN 1 WHEN 'number' THEN 2 WHEN 'string' THEN 3 ELSE CASE WHEN ${json} IS NULL THEN 0 ELSE 6 END END, ` +
        `CASE jsonb_typeof(${json}) WHEN 'number' THEN ${value}::numeric END, CASE WHEN jsonb_typeof(${json}) IN ('string', 'boolean') THEN ${value} END COLLATE "C")`
      )
    }
  }
}
