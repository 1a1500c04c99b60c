/** SELECT … GROUP BY. What the database would say otherwise than JavaScript does is no statement. */
import type { StoredAggregation, StoredGroup, StoredTotal } from '@fastback/core'
import { exactInteger } from '@fastback/core/connector'
import type { Connection, Statement } from '../dialects/driver.js'
import type { ColumnFormat } from '../dialects/column-types.js'
import type { Column } from '../tables/column.js'
import type { Table } from '../tables/table.js'
import { collectCondition, whereSql } from './condition.js'
import { Placeholders, StatementBuilder } from './statement-builder.js'

/** A statement whose rows are results, and how its raw values are read. */
export interface CompiledAggregate {
  readonly key: string
  readonly values: readonly unknown[]
  readonly decoders: ReadonlyArray<(raw: unknown) => unknown>
  /** Whether texts are among the values, which may be long. */
  readonly hasTexts: boolean
  readonly sql: () => string
  /** @param most results that are given at most */
  readonly statement: (most: number | undefined) => Statement
  /** One row: the length of all texts of so many results. */
  readonly lengths: (most: number) => Statement
}

interface Term {
  /** Stands for the term in the key of the statement. */
  readonly code: string
  readonly isText: boolean
  sql (): string
  /** What rows are grouped by; undefined for values. */
  group? (): string
  decode (raw: unknown): unknown
}

/** The statement of an aggregation; undefined where the rows must be read. */
export function compileAggregate (
  connection: Connection, table: Table, { where, groups, values }: StoredAggregation
): CompiledAggregate | undefined {
  const terms = [...groups.map(group => groupTerm(group, table)), ...values.map(value => valueTerm(value, table))]
  if (!terms.every(term => term !== undefined)) return undefined
  const builder = new StatementBuilder(`${table.number}A${terms.map(({ code }) => code).join()}:`)
  collectCondition(where, table, builder)
  const sql = (): string => {
    const by = terms.flatMap(({ group }) => group?.() ?? [])
    const placeholders = new Placeholders(table.dialect)
    return `SELECT ${terms.map(({ sql }) => sql()).join(', ')} FROM ${table.quoted}` +
      whereSql(where, table, placeholders) + (by.length === 0 ? '' : ` GROUP BY ${by.join(', ')}`)
  }
  const prepared = (key: string, text: () => string): Statement =>
    connection.prepared(key) ?? connection.prepare(key, text())
  const texts = terms.flatMap(({ isText }, i) => isText ? [i] : [])
  return {
    key: builder.key,
    values: builder.values,
    decoders: terms.map(({ decode }) => decode),
    hasTexts: texts.length > 0,
    sql,
    statement: most => most === undefined
      ? prepared(builder.key, sql)
      : prepared(`${builder.key}|${String(most)}`, () => `${sql()} LIMIT ${String(most)}`),
    lengths: most => prepared(`${builder.key}|lengths ${String(most)}`, () => {
      const names = terms.map((_, i) => `t${String(i)}`)
      const length = texts.map(i => `coalesce(length(${names[i] as string}), 0)`).join(' + ')
      return `WITH results(${names.join(', ')}) AS (${sql()} LIMIT ${String(most)}) SELECT sum(${length}) FROM results`
    })
  }
}

function groupTerm ({ path, period }: StoredGroup, table: Table): Term | undefined {
  const column = columnOf(path, table)
  if (column === undefined) return undefined
  const { index, format } = column
  const { dialect } = table
  const key = (): string => dialect.groupKey(column)
  if (period === undefined) {
    const isText = format.name === 'text'
    return { code: `g${index}`, isText, sql: () => format.read(key()), group: key, decode: decoder(format) }
  }
  if (format.name !== 'date') return undefined
  return {
    code: `p${index}${period}`,
    isText: false,
    // Any date of the group tells which period it is.
    sql: () => format.read(`min(${key()})`),
    group: () => dialect.bucket(column.quoted, period),
    decode: decoder(format)
  }
}

function valueTerm ({ fn, path }: StoredTotal, table: Table): Term | undefined {
  const isText = false
  if (path === undefined) return { code: 'n', isText, sql: () => 'count(*)', decode: Number }
  const column = columnOf(path, table)
  if (column === undefined) return undefined
  const { format, index, quoted } = column
  const { dialect } = table
  const key = (): string => dialect.groupKey(column)
  const code = `${fn}${index}`
  switch (fn) {
    case 'count': return { code, isText, sql: () => `count(${quoted})`, decode: Number }
    case 'countDistinct': return { code, isText, sql: () => `count(DISTINCT ${key()})`, decode: Number }
    case 'sum': {
      const sum = dialect.sum(column)
      return sum === undefined ? undefined : { code, isText, sql: () => sum, decode: sumDecoder(column) }
    }
    case 'min': case 'max':
      return {
        code,
        isText: format.name === 'text',
        sql: () => format.read(dialect.extreme(fn, key(), format)),
        decode: decoder(format)
      }
    case 'avg': return undefined
  }
}

/** A whole column whose values the database takes for equal where JavaScript does. */
function columnOf ({ property, path }: StoredGroup['path'], table: Table): Column | undefined {
  const column = path.length > 0 ? undefined : table.byProperty.get(property)
  if (column === undefined) return undefined
  const { comparable, equality, span, boundByValues, name } = column.format
  const isPlain = comparable && equality === undefined && span === undefined && boundByValues !== true
  return isPlain && groupable.has(name) ? column : undefined
}

const groupable: ReadonlySet<ColumnFormat['name']> =
  new Set(['text', 'real', 'integer', 'decimal', 'boolean', 'date'])

/** Sums have more digits than their column: decimals are texts, large whole numbers keep theirs. */
function sumDecoder ({ property: { type: { kind } } }: Column): (raw: unknown) => unknown {
  return raw => {
    if (raw === null || raw === undefined) return null
    const text = String(raw)
    return kind === 'decimal' ? text : kind === 'bigint' ? exactInteger(BigInt(text)) : Number(text)
  }
}

function decoder (format: ColumnFormat): (raw: unknown) => unknown {
  const { verbatim } = format
  // eslint-disable-next-line valid-typeof
  return raw => raw === null || raw === undefined ? null : typeof raw === verbatim ? raw : format.decode(raw)
}
