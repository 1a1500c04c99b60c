/** What a list is asked for, as it stands in the address: filters that can be sent on, and gone back to. */
import { searchName } from './explorer/shared.js'
import type { AdminModel } from './models.js'

export type Where = Readonly<Record<string, unknown>>

export interface ListState {
  /** Conditions, all of which hold; each can be taken away by itself. */
  readonly where: readonly Where[]
  /** A text that the label has in it. */
  readonly search: string
  /** Words that the text index of the model is searched for. */
  readonly words: string
  readonly order: string
  readonly skip: number
}

export const nowhere: ListState = { where: [], search: '', words: '', order: '', skip: 0 }

export function listStateIn (query: URLSearchParams): ListState {
  return {
    where: conditionsIn(query.get('where')),
    search: query.get('search') ?? '',
    words: query.get('words') ?? '',
    order: query.get('order') ?? '',
    skip: Math.max(0, Number.parseInt(query.get('skip') ?? '0', 10) || 0)
  }
}

/** Addresses are typed by people, too: what cannot be read is no condition. */
function conditionsIn (text: string | null): Where[] {
  try {
    const value: unknown = JSON.parse(text ?? '[]')
    return [value].flat().filter((each): each is Where => each !== null && typeof each === 'object')
  } catch {
    return []
  }
}

export function listAddress (model: string, { where, search, words, order, skip }: ListState): string {
  const query = new URLSearchParams()
  if (where.length > 0) query.set('where', JSON.stringify(where))
  if (search !== '') query.set('search', search)
  if (words !== '') query.set('words', words)
  if (order !== '') query.set('order', order)
  if (skip > 0) query.set('skip', String(skip))
  const text = query.toString()
  return `#/${encodeURIComponent(model)}${text === '' ? '' : `?${text}`}`
}

export const rowAddress = (model: string, id: unknown): string =>
  `#/${encodeURIComponent(model)}/row/${encodeURIComponent(String(id))}`

export const newAddress = (model: string): string => `#/${encodeURIComponent(model)}/new`

export const deletedAddress = (model: string): string => `#/${encodeURIComponent(model)}/deleted`

/** The condition of a place as the API takes it; undefined for none. */
export function fullWhere ({ where, search, words }: ListState, model: AdminModel): Where | undefined {
  const { labelled, wordSearch } = model
  const all = [
    ...where,
    ...search === '' || labelled === undefined ? [] : [{ [labelled]: { ilike: `%${search}%` } }],
    ...words === '' || wordSearch === undefined ? [] : [{ [searchName]: words }]
  ]
  return all.length < 2 ? all[0] : { and: all }
}

/** The order of a place as the API takes it. Unless there is one, the rows that fit the words best are first. */
export const fullOrder = ({ order, words }: ListState, { wordSearch }: AdminModel): string =>
  order === '' && words !== '' && wordSearch !== undefined ? '$rank' : order

const signs: ReadonlyMap<string, string> = new Map([
  ['eq', 'is'], ['neq', 'is not'], ['gt', '>'], ['gte', '≥'], ['lt', '<'], ['lte', '≤'], ['inq', 'is one of'],
  ['nin', 'is none of'], ['like', 'is like'], ['nlike', 'is not like'], ['ilike', 'is like'], ['nilike', 'is not like']
])

/** A condition in words. */
export function wordsOf (where: Where): string {
  return Object.entries(where).map(([name, condition]) => {
    if (name === 'and' || name === 'or') {
      return ([condition].flat() as Where[]).map(wordsOf).join(name === 'and' ? ', ' : ' or ')
    }
    if (condition === null || typeof condition !== 'object' || Array.isArray(condition)) {
      return `${name} is ${textOf(condition)}`
    }
    return Object.entries(condition as Where)
      .map(([operator, value]) => `${name} ${signs.get(operator) ?? operator} ${textOf(value)}`).join(', ')
  }).join(', ')
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : Array.isArray(value) ? value.map(textOf).join(', ') : JSON.stringify(value)
