/** What a list shows, as it stands in the address: lists that can be sent on, and gone back to. */
import { addressOf, type Route } from '../../router.js'
import { searchName, type Where } from '../../query/subjects.js'
import type { DataModel } from '../models/models.js'

export interface ListState {
  /** Conditions, all of which hold; each can be taken away by itself. */
  readonly where: readonly Where[]
  /** A text that the label has in it. */
  readonly search: string
  /** Words that the text index of the model is searched for. */
  readonly words: string
  readonly order: string
  readonly skip: number
  /** Names of the columns, in their order; empty for those that were chosen last. */
  readonly columns: readonly string[]
}

export const plainList: ListState = { where: [], search: '', words: '', order: '', skip: 0, columns: [] }

/** Rows of a page. */
export const pageSize = 25

export function listStateIn (query: URLSearchParams): ListState {
  return {
    where: objectsIn(query.get('where')),
    search: query.get('search') ?? '',
    words: query.get('words') ?? '',
    order: query.get('order') ?? '',
    skip: Math.max(0, Number.parseInt(query.get('skip') ?? '0', 10) || 0),
    columns: valuesIn(query.get('columns')).filter((each): each is string => typeof each === 'string')
  }
}

const objectsIn = (text: string | null): Where[] =>
  valuesIn(text).filter((each): each is Where => each !== null && typeof each === 'object')

/** Addresses are typed by people, too: what cannot be read is nothing. */
function valuesIn (text: string | null): unknown[] {
  try {
    const value: unknown = JSON.parse(text ?? '[]')
    return [value].flat()
  } catch {
    return []
  }
}

/** The state as the query of an address. */
export const listQuery = ({ where, search, words, order, skip, columns }: ListState) => ({
  where: where.length === 0 ? undefined : JSON.stringify(where),
  search, words, order,
  skip: skip === 0 ? undefined : skip,
  columns: columns.length === 0 ? undefined : JSON.stringify(columns)
})

/** Where somebody is: the model of the list, what is next to it, and how the list is. */
export interface DataLocation {
  readonly model: string
  readonly part: 'list' | 'row' | 'new' | 'deleted'
  /** The row that is open, after the rows that led to it. */
  readonly rows: readonly RowRef[]
  readonly state: ListState
}

export interface RowRef { readonly model: string, readonly id: string }

/**
 * Where a route leads: `#/data/Note`, `#/data/Note/new`, `#/data/Note/deleted`, `#/data/Note/row/7`, and
 * `#/data/Note/row/7/Author/2` for a row that was opened from that one.
 */
export function locationIn ({ path, query }: Pick<Route, 'path' | 'query'>): DataLocation {
  const [model = '', part = '', id, ...more] = path
  const state = listStateIn(query)
  if (part === 'row' && id !== undefined) {
    const rows = [{ model, id }]
    for (let at = 0; at + 1 < more.length; at += 2) rows.push({ model: more[at] as string, id: more[at + 1] as string })
    return { model, part, rows, state }
  }
  return { model, part: part === 'new' || part === 'deleted' ? part : 'list', rows: [], state }
}

export const listAddress = (model: string, state: ListState): string => addressOf('data', [model], listQuery(state))

/** @param rows the row, after those that led to it; the first one is of the list's model */
export const rowAddress = (
  model: string, rows: ReadonlyArray<{ readonly model: string, readonly id: unknown }>, state: ListState
): string =>
  addressOf('data', [model, 'row', ...rows.flatMap((row, index) =>
    [...index === 0 && row.model === model ? [] : [row.model], String(row.id)])], listQuery(state))

/** The address of a row with the list of its own model. */
export const ownAddress = (model: string, id: unknown): string => rowAddress(model, [{ model, id }], plainList)

export const newAddress = (model: string, state: ListState): string => addressOf('data', [model, 'new'], listQuery(state))

export const deletedAddress = (model: string): string => addressOf('data', [model, 'deleted'])

/** The condition of a list as the API takes it; undefined for none. */
export function fullWhere ({ where, search, words }: ListState, model: DataModel): Where | undefined {
  const { labelled, wordSearch } = model
  const all = [
    ...where,
    ...search === '' || labelled === undefined ? [] : [{ [labelled]: { ilike: `%${search}%` } }],
    ...words === '' || wordSearch === undefined ? [] : [{ [searchName]: words }]
  ]
  return all.length < 2 ? all[0] : { and: all }
}

/** The order of a list as the API takes it. Unless there is one, the rows that fit the words best are first. */
export const fullOrder = ({ order, words }: ListState, { wordSearch }: DataModel): string =>
  order === '' && words !== '' && wordSearch !== undefined ? '$rank' : order

/** The filter of a page of the list. */
export function pageFilter (state: ListState, model: DataModel): Readonly<Record<string, unknown>> {
  const where = fullWhere(state, model)
  const order = fullOrder(state, model)
  return {
    ...where === undefined ? {} : { where },
    ...order === '' ? {} : { order },
    limit: pageSize,
    ...state.skip === 0 ? {} : { skip: state.skip }
  }
}

export const isFiltered = ({ where, search, words }: ListState): boolean =>
  where.length > 0 || search !== '' || words !== ''
