/**
 * What it takes to read one selection of properties from a table: the columns, the rows or the JSON text made of raw
 * values.
 */
import type { MaybePromise, Row, Selection, Work } from '@fastback/core'
import { chain, fewRows, inSlices } from '@fastback/core/connector'
import { extraFilter, type ExtraFilter } from '../tables/extra.js'
import { clientRowJson } from '../tables/json-text.js'
import type { Column } from '../tables/column.js'
import type { Table } from '../tables/table.js'
import type { TextAround } from '../dialects/column-types.js'
import { makeJson, type JsonMaker } from './json-maker.js'
import { sizeOfRaw } from './reader.js'
import { makeRows, type RowMaker } from './row-maker.js'

export interface Projection {
  /** Stands for the selection in statement keys. */
  readonly number: number
  readonly select: Selection
  /** Expressions between SELECT and FROM. */
  readonly list: string
  /** How many there are. */
  readonly width: number
  /** A row from the raw values of `list`. */
  readonly row: RowMaker
  /** Expressions between SELECT and FROM for JSON text. */
  readonly jsonList: string
  /** How many there are. */
  readonly jsonWidth: number
  /** JSON text from the raw values of `jsonList`. */
  readonly json: JsonMaker
  /** The position of an expression's raw value among those of `jsonList`; -1 where it is not one of them. */
  jsonAt (expression: string): number
  /**
   * The text of a row as one expression, NULL for one that JavaScript has to look at; undefined where it has to look at
   * each.
   */
  readonly rowText: string | undefined
  /** The same with text around it. */
  textWithin (around: TextAround): string | undefined
  /** Whether `jsonList` is the finished text of a row, so that the database can make a list of them. */
  readonly listable: boolean
}

export function compileProjection (table: Table, select: Selection, number: number): Projection {
  const columns = select.names
    .map(name => table.byProperty.get(name))
    .filter((column): column is Column => column !== undefined)
  const { extra, dialect } = table
  const filter = extra === undefined ? undefined : extraFilter(table, select)
  const list = listOf(columns.map(({ format, quoted }) => format.read(quoted)), extra)
  const row = makeRows(columns, filter, dialect.extra.decode)
  return {
    number,
    select,
    list: list.join(', '),
    width: list.length,
    row,
    rowText: dialect.texts?.row(columns, extra, filter),
    textWithin: around => dialect.texts?.row(columns, extra, filter, around),
    ...jsonProjection(columns, table, filter, { list, row })
  }
}

type JsonProjection = Pick<Projection, 'jsonList' | 'jsonWidth' | 'json' | 'jsonAt' | 'listable'>

function jsonProjection (
  columns: readonly Column[],
  { dialect, extra }: Table,
  filter: ExtraFilter | undefined,
  rows: { list: readonly string[]; row: RowMaker }
): JsonProjection {
  if (dialect.json === undefined) {
    const list = listOf(
      columns.map(({ format, quoted }) => format.readJson(quoted)),
      extra
    )
    return {
      jsonList: list.join(', '),
      jsonWidth: list.length,
      json: makeJson(columns, filter),
      jsonAt: expression => list.indexOf(expression),
      listable: false
    }
  }
  const text = dialect.json.row(columns, extra, filter)
  if (text === undefined) {
    const write = clientRowJson(columns.map(({ property }) => property))
    return {
      jsonList: rows.list.join(', '),
      jsonWidth: rows.list.length,
      json: raw => write(rows.row(raw)),
      jsonAt: expression => rows.list.indexOf(expression),
      listable: false
    }
  }
  const { finish } = dialect.json
  return { jsonList: text, jsonWidth: 1, json: raw => finish(raw[0] as string), jsonAt: () => -1, listable: true }
}

function listOf (expressions: readonly string[], extra: string | undefined): readonly string[] {
  if (extra !== undefined) return [...expressions, extra]
  return expressions.length === 0 ? ['NULL'] : expressions
}

/** Rows of raw values. */
export function rowsOf (
  projection: Projection,
  raw: readonly unknown[][],
  work: Work | undefined
): MaybePromise<Row[]> {
  const rows = new Array<Row>(raw.length)
  return chain(eachRaw(raw, work, (values, i) => { rows[i] = projection.row(values) }), () => rows)
}

/** The JSON text of rows of raw values. */
export function jsonOf (
  projection: Projection,
  raw: readonly unknown[][],
  work: Work | undefined
): MaybePromise<string> {
  let text = '['
  return chain(
    eachRaw(raw, work, (values, i) => {
      text += i === 0 ? projection.json(values) : `,${projection.json(values)}`
    }),
    () => `${text}]`
  )
}

/** Calls `step` with each raw row, in ticks of the event loop where they are many. */
export function eachRaw (
  raw: readonly unknown[][],
  work: Work | undefined,
  step: (values: unknown[], i: number) => void
): MaybePromise<void> {
  if (work === undefined || raw.length <= fewRows) {
    for (let i = 0; i < raw.length; i++) step(raw[i] as unknown[], i)
    return
  }
  return inSlices(
    raw.length,
    i => {
      work.spend(1 + sizeOfRaw(raw[i] as unknown[]) / 32)
      step(raw[i] as unknown[], i)
    },
    work
  )
}
