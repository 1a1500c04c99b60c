/** Which values of a write a database refused: what it names, else the only one that it can mean. */
import { ValidationError, type Row } from '@fastback/core'
import type { ErrorContext } from './dialects/driver.js'
import type { Column } from './tables/column.js'
import type { Table } from './tables/table.js'

/** Why a database refuses a write, as far as it says. */
export interface Refusal {
  readonly code: string
  /** What is wrong with the value, and what would do. */
  readonly message: string
  /** Names of columns that the database says, or has under the name that it says. */
  readonly columns?: readonly (string | undefined)[]
  /** Whether it may mean this value, where it names no column. Default: any. */
  readonly means?: (column: Column, value: unknown) => boolean
}

/** 422 with the property: named by the database, or the only one sent that it can mean; else the row as a whole. */
export function refusal (
  { model, table, given }: ErrorContext, { code, message, columns = [], means }: Refusal
): ValidationError {
  const named = table?.columns.filter(({ name }) => columns.includes(name)) ?? []
  const found = named.length > 0 ? named : onlyOne(sentColumns(table, given, means))
  const violations = found.length > 0
    ? found.map(({ property }) => ({ path: `.${property.name}`, code, message, info: {} }))
    : [{ path: '', code, message: code === 'presence' ? lacks : `the row ${message}`, info: {} }]
  return new ValidationError(model?.name ?? '', violations)
}

/** A column that the model does not have wants a value. */
const lacks = 'the row lacks a value that its table cannot do without'

const onlyOne = <T>(all: readonly T[]): readonly T[] => all.length === 1 ? all : []

function sentColumns (table: Table | undefined, given: ErrorContext['given'], means: Refusal['means']): Column[] {
  if (table === undefined || given === undefined) return []
  const rows: ReadonlyArray<Readonly<Row>> = Array.isArray(given) ? given : [given as Row]
  return table.columns.filter(column => rows.some(row => {
    const value = row[column.property.name]
    return value !== undefined && value !== null && (means === undefined || means(column, value))
  }))
}

/** The columns of a check, or of another rule, that has a name. */
export const columnsOfRule = (table: Table | undefined, name: string | undefined): readonly string[] =>
  table?.rules.find(rule => rule.name === name)?.columns ?? []

const taken = 'is refused by the database'

/** A check refuses it. Its name is what its maker thought of. */
export const byCheck = (name: string | undefined): string =>
  `${taken}: ${name === undefined || !/^\w+$/.test(name) ? 'a check of the table' : `the check "${name}"`} forbids it`

/** A text is longer than the column is. */
export function tooLong (type: string | undefined): string {
  const size = /\((\d+)\)/.exec(type ?? '')?.[1]
  return `is too long for the database${size === undefined ? '' : `: it takes ${size} characters at most`}`
}

/** A number, or a date, that the type of the column does not reach. */
export const outOfRange = `${taken}: it is outside of the range of the column`

/** What is no value of the column's type at all. */
export const noValueOf = `${taken}: it is no value that the column takes`
