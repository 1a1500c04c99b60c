import { httpError, number, parse } from '../requests.js'

export function text (value) {
  if (typeof value !== 'string') throw httpError(400, 'a text is wanted')
  return value
}

export function moment (value) {
  const date = new Date(text(value))
  if (Number.isNaN(date.getTime())) throw httpError(400, 'a date is wanted')
  return date
}

/** The filters that the list knows: a category by its name, words, or a page by date. */
export function listOf (json) {
  const { where, order, after, limit } = parse(json)
  const page = { limit: number(limit, 100) }
  if (after !== undefined) {
    if (order !== 'createdAt DESC') throw httpError(400, 'no such order')
    return { ...page, kind: 'page', after: text(after) }
  }
  if (where?.$search !== undefined) {
    if (order !== '$rank') throw httpError(400, 'no such order')
    return { ...page, kind: 'search', words: wordsOf(text(where.$search)) }
  }
  return { ...page, kind: 'category', name: text(where?.['category.name']) }
}

function wordsOf (search) {
  const words = search.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu)
  if (words === null) throw httpError(400, 'no word to look for')
  return words
}

/** The one aggregate there is: count and sum of a category's views, month by month. */
export function monthsOf (json) {
  const { where } = parse(json)
  return { categoryId: number(where?.categoryId), from: moment(where.createdAt?.gte), to: moment(where.createdAt?.lt) }
}

/** A row of the page as a text that its client hands back. */
export const toCursor = ({ createdAt, id }) =>
  Buffer.from(JSON.stringify([new Date(createdAt).getTime(), id])).toString('base64url')

export function fromCursor (cursor) {
  const [at, id] = parse(Buffer.from(cursor, 'base64url').toString())
  return { at: new Date(number(at)), id: number(id) }
}
