/**
 * Tests of policies as SQL. What is asked of other tables stands in functions that run with the rights of their owner,
 * whom no policy binds: the rows that decide about rows are all there, whatever the caller may see of them, and
 * policies that look at each other's tables have an end.
 */
import { sha256 } from '@fastback/core/connector'
import type { CallerValue, Comparison, ConditionValue, PolicyTest, StoredModel } from '@fastback/core'
import type { PostgresFormat } from '../dialects/postgres/formats.js'
import { arrayText, quoteText } from '../dialects/postgres/quote.js'
import { collectCondition, conditionSql } from '../query/condition.js'
import { planComparison } from '../query/comparison.js'
import { findLink, sameKeySql, type NamedTable, type TableLink } from '../query/link.js'
import { residualFilterOf } from '../query/residual-filter.js'
import { joined, Placeholders, StatementBuilder } from '../query/statement-builder.js'
import type { Column } from '../tables/column.js'
import type { Table } from '../tables/table.js'
import { hasRole, hasSetting, isLoggedIn, isMissing, listLike, textLike } from './caller-values.js'

/** What policies cannot say: a sentence without its subject. */
export class Unsaid extends Error {}

/** A function that a policy asks. */
export interface PolicyFunction {
  readonly name: string
  /** Whose policies ask it. */
  readonly model: StoredModel
  readonly body: string
  readonly create: string
}

/** Values stand in the statement itself. */
class Written extends Placeholders {
  #at = 0
  constructor (table: Table, readonly texts: readonly string[]) { super(table.dialect) }
  override next (): string {
    return this.texts[this.#at++] as string
  }
}

export class PolicySql {
  /** By their names with their schemas, in quotes. */
  readonly functions = new Map<string, PolicyFunction>()

  constructor (readonly schemaOf: (table: Table) => string) {}

  /** @throws Unsaid */
  of (test: PolicyTest, table: Table): string {
    return this.#sql(test, table, undefined)
  }

  /** @param outer of a table within a function: what its columns are called */
  #sql (test: PolicyTest, table: Table, outer: NamedTable | undefined): string {
    switch (test.kind) {
      case 'and': case 'or': {
        const terms = test.tests.map(inner => this.#sql(inner, table, outer))
        return terms.length === 0 ? String(test.kind === 'and') : joined(terms, test.kind === 'and' ? ' AND ' : ' OR ')
      }
      case 'not': return `((${this.#sql(test.test, table, outer)}) IS NOT TRUE)`
      case 'row': return rowSql(test.condition, table)
      case 'compare': return compareSql(test, table)
      case 'missing': return isMissing(test.value, test.isList)
      case 'setting': return hasSetting(test.name, test.is)
      case 'role': return roleSql(test.name)
      case 'linked': return outer === undefined ? this.#called(test, table) : this.#exists(test, table, outer)
    }
  }

  #exists (test: Linked, table: Table, outer: NamedTable): string {
    const link = linkOf(test, table)
    const { quote } = link.table.dialect
    const to = `${quote(this.schemaOf(link.table))}.${quote(link.table.name)}`
    const inner = { name: `linked_${String(outer.level + 1)}`, level: outer.level + 1 }
    const value = outer.level === 0 ? outer.name : `${outer.name}.${link.from.quoted}`
    const key = link.table.dialect.sameKey(link.to, link.from, value) as string
    return `EXISTS (SELECT 1 FROM ${to} AS ${inner.name} WHERE ${this.#sql(test.test, link.table, inner)} AND ${key})`
  }

  /** A row of the outer table gives its key alone. */
  #called (test: Linked, table: Table): string {
    const link = linkOf(test, table)
    const argument = link.from.type ?? link.from.format.declaredType
    const body = `SELECT ${this.#exists(test, table, { name: '$1', level: 0 })}`
    const hash = sha256(`${argument} ${body}`, 'hex').slice(0, 16)
    const name = `fastback_rows_${hash}`
    const quoted = `${table.dialect.quote(this.schemaOf(table))}.${name}`
    this.functions.set(quoted, {
      name,
      model: table.model,
      body,
      create: `CREATE OR REPLACE FUNCTION ${quoted} (${argument}) RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER ` +
        `SET search_path = pg_catalog, pg_temp AS ${quoteText(body).trim()}`
    })
    return `${quoted}(${link.from.quoted})`
  }
}

type Linked = PolicyTest & { readonly kind: 'linked' }

function linkOf ({ from, model, to }: Linked, table: Table): TableLink {
  const link = findLink({ from, model, to }, table)
  if (link === undefined) throw new Unsaid(`looks at rows of "${model.name}", which are not in this database`)
  if (sameKeySql(link, 'other') === undefined) {
    throw new Unsaid(`compares "${from}" with "${to}" of "${model.name}", whose columns are of unlike types`)
  }
  return link
}

function roleSql (name: string): string {
  switch (name) {
    case '$everyone': return 'true'
    case '$authenticated': return isLoggedIn
    case '$unauthenticated': return `(NOT ${isLoggedIn})`
    default: return hasRole(name)
  }
}

function rowSql (condition: Parameters<typeof conditionSql>[0], table: Table): string {
  if (residualFilterOf(table, condition, undefined) !== undefined) {
    throw new Unsaid('has a condition that the database cannot test exactly')
  }
  const builder = new StatementBuilder('')
  collectCondition(condition, table, builder)
  return `(${conditionSql(condition, table, new Written(table, builder.values.map(literal)))})`
}

function literal (value: unknown): string {
  if (value === null || value === undefined) return 'NULL'
  if (value instanceof Uint8Array) return quoteText(`\\x${Buffer.from(value).toString('hex')}`)
  return quoteText(Array.isArray(value) ? arrayText(value) : String(value)).trim()
}

type Compare = PolicyTest & { readonly kind: 'compare' }

/** Written as with any value of the column's kind, whose place the caller's takes. */
function compareSql ({ path, op, value, otherwise }: Compare, table: Table): string {
  const column = table.byProperty.get(path.property)
  const kind = column === undefined || path.path.length > 0 ? undefined : kindOf(column)
  if (column === undefined || kind === undefined) {
    throw new Unsaid(`compares "${[path.property, ...path.path].join('.')}" with a value of the caller, which its column is not compared with`)
  }
  const { sample, pattern } = kind
  const said = saidBy(value, op === 'in', pattern)
  const comparison: Comparison = op === 'in'
    ? { kind: 'in', path, op: 'inq', values: [sample] }
    : { kind: 'compare', path, op, value: sample }
  const values: unknown[] = []
  const expression = planComparison(comparison, column, table, values)
  if (expression.inexact === true || values.length !== 1) {
    throw new Unsaid(`compares "${path.property}" with a value of the caller, which the database cannot do exactly`)
  }
  const sql = expression.sql(column, table, new Written(table, [said]))
  return otherwise ? `(${said} IS NULL OR (${sql}) IS TRUE)` : `(${said} IS NOT NULL AND (${sql}) IS TRUE)`
}

const saidBy = (value: CallerValue, isList: boolean, pattern: string | undefined): string =>
  isList ? listLike(value, pattern) : textLike(value, pattern)

const number = String.raw`^-?[0-9]{1,15}(\.[0-9]{1,15})?$`
const wholeOf = (digits: number): string => `^-?[0-9]{1,${String(digits)}}$`
const uuidText = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
const instantText = String.raw`^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,6})?Z$`

/** A value that the column takes, and what the texts of its values look like; undefined where nothing is compared. */
function kindOf ({ format }: Column): { sample: ConditionValue, pattern: string | undefined } | undefined {
  if (!format.comparable || format.equality !== undefined || format.span !== undefined) return undefined
  const { sqlType } = format as PostgresFormat
  switch (format.name) {
    case 'text': return sqlType === 'uuid'
      ? { sample: '00000000-0000-4000-8000-000000000000', pattern: uuidText }
      : /^(?:text|character|bpchar)/.test(sqlType) ? { sample: 'a', pattern: undefined } : undefined
    case 'integer': return { sample: 1, pattern: wholeOf(18) }
    case 'real': return { sample: 1, pattern: number }
    case 'decimal': return { sample: '1', pattern: number }
    case 'boolean': return { sample: true, pattern: '^(true|false)$' }
    case 'date': return { sample: new Date(0), pattern: instantText }
    default: return undefined
  }
}
