/** Rows of another model to choose from, and what those are called whose keys are there. */
import type { Api } from '../../api/client.js'
import type { DataModel } from './models.js'
import { valueOf, type Row } from './properties.js'

/** Rows that are offered at once; rows whose names are read at once, as an address is not endless. */
const most = 10
const mostNamed = 200

/** A row, by its key and by what people call it. */
export interface Choice { readonly key: unknown, readonly label: string }

/** What the rows with these keys are called; a key alone where its row is not to be read. */
export async function choicesOf (
  keys: readonly unknown[], other: DataModel | undefined, target: string, api: Api
): Promise<Choice[]> {
  const alone = keys.map(key => ({ key, label: String(key) }))
  if (other === undefined || keys.length === 0 || !api.may(other.find)) return alone
  const wanted = [...new Set(keys)].slice(0, mostNamed)
  const rows = await rowsWith({ [target]: { inq: wanted } }, wanted.length, other, api).catch(() => [])
  const names = new Map(rows.map(row => [String(valueOf(row, target)), other.labelOf(row)]))
  return alone.map(({ key, label }) => ({ key, label: names.get(label) ?? label }))
}

/** Rows that a text may mean: by what they are called, or by their key; the first of all for an empty one. */
export async function choicesFor (text: string, other: DataModel, target: string, api: Api): Promise<Choice[]> {
  const { titles } = other
  const key = other.columns.find(({ name }) => name === target)
  const isNumber = key?.schema.type === 'number' || key?.schema.type === 'integer'
  const byKey = isNumber ? Number.isFinite(Number(text)) ? { [target]: Number(text) } : undefined : { [target]: text }
  const byLabel = titles.filter(title => other.isSearchable(title)).map(title => ({ [title]: { ilike: `%${text}%` } }))
  const ways = [...byLabel, ...byKey === undefined ? [] : [byKey]]
  const rows = await rowsWith(text === '' ? undefined : ways.length === 1 ? ways[0] : { or: ways }, most, other, api)
  return rows.map(row => ({ key: valueOf(row, target), label: other.labelOf(row) }))
}

async function rowsWith (where: object | undefined, limit: number, other: DataModel, api: Api): Promise<Row[]> {
  if (other.find === undefined) return []
  const filter = { ...where === undefined ? {} : { where }, limit }
  const { value } = await api.call(other.find, { query: { filter } })
  return value as Row[]
}
