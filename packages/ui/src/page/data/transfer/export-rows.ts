/** Rows as a file of CSV or JSON: those that are selected, or all of a list. */
import type { Action } from '../../api/description.js'
import type { Data } from '../data-part.js'
import { fullOrder, fullWhere, type ListState } from '../list/list-state.js'
import type { DataModel } from '../models/models.js'
import type { Row } from '../models/properties.js'
import { csvOf } from './csv.js'
import { downloadBlob } from './download.js'

export type FileKind = 'csv' | 'json'

/** Rows of one request, where the API has no stream of them; and of a file, then. */
const pieceRows = 500
const mostRows = 100_000

const types: Readonly<Record<FileKind, string>> = { csv: 'text/csv;charset=utf-8', json: 'application/json' }

/** Saves rows that are there. */
export async function saveRowsAs (kind: FileKind, model: DataModel, rows: readonly Row[]): Promise<void> {
  const text = kind === 'csv' ? await csvOf(model.columns.map(({ name }) => name), rows) : JSON.stringify(rows, null, 2)
  downloadBlob(new Blob([text], { type: types[kind] }), `${model.name}.${kind}`)
}

/**
 * Saves all rows of a list: as the API streams them where it does, else piece by piece.
 * @param onProgress called with the rows that are there
 * @throws RefusedError; Error for more rows than a page can hold
 */
export async function saveListAs (
  kind: FileKind, model: DataModel, state: ListState, { api }: Data, onProgress: (rows: number) => void,
  signal: AbortSignal
): Promise<void> {
  const { find } = model
  if (find === undefined) return
  const where = fullWhere(state, model)
  const order = fullOrder(state, model)
  const filter = { ...where === undefined ? {} : { where }, ...order === '' ? {} : { order } }
  const name = `${model.name}.${kind}`
  const streamed = kind === 'csv' ? 'text/csv' : 'application/x-ndjson'
  if (responds(find, streamed)) {
    const response = await api.open(find, { query: { filter } }, streamed, signal)
    const parts = kind === 'csv' ? [await response.blob()] : await listOfLines(response, onProgress)
    downloadBlob(new Blob(parts, { type: types[kind] }), name)
    return
  }
  const rows: Row[] = []
  for (;;) {
    const { value } = await api.call(find, {
      query: { filter: { ...filter, ...stable(filter, model), limit: pieceRows, skip: rows.length } }
    })
    if (signal.aborted) return
    const found = value as Row[]
    rows.push(...found)
    onProgress(rows.length)
    // A server may send fewer than were wanted: the end is where there are none.
    if (found.length === 0) break
    if (rows.length >= mostRows) throw new Error(`These are more than ${mostRows} rows: filter the list, or let the API stream them (setting "streaming").`)
  }
  await saveRowsAs(kind, model, rows)
}

/** Without an order of the list's, pieces come by the id, so that none is there twice. */
const stable = (filter: object, { facts: { id } }: DataModel): object =>
  'order' in filter || id === undefined ? {} : { order: `${id} ASC` }

const responds = ({ responses }: Action, type: string): boolean => {
  const found = responses['200']
  return found !== undefined && 'content' in found && Object.hasOwn(found.content ?? {}, type)
}

/** A list in JSON of lines that are JSON. */
async function listOfLines (response: Response, onProgress: (rows: number) => void): Promise<string[]> {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const decoder = new TextDecoder()
  const parts: string[] = []
  let [text, count] = ['', 0]
  const take = (lines: readonly string[]): void => {
    for (const line of lines) {
      if (line.trim() === '') continue
      parts.push(`${count === 0 ? '[\n' : ',\n'}${line}`)
      count++
    }
    onProgress(count)
  }
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    const lines = (text + decoder.decode(value, { stream: true })).split('\n')
    text = lines.pop() ?? ''
    take(lines)
  }
  take([text])
  return [...parts, count === 0 ? '[]' : '\n]']
}
