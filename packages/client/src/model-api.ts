/** A model of a client: reads and writes of what is here; the server hears of them later. */
import { deepEqual } from '@fastback/core/query'
import { ClientError } from './errors.js'
import type { Local } from './engine/local.js'
import { stage } from './engine/outbox.js'
import { rowsOf, type LocalRow, type Row } from './engine/records.js'
import type { Model } from './options.js'
import type { Filter, Where } from './query/filter-types.js'
import { compileQuery, type CompiledQuery } from './query/query.js'
import type { Id } from './store.js'

/** What may stop a call: nothing is done any more after that, unless it is done already. */
export interface CallOptions { readonly signal?: AbortSignal }

export interface LiveOptions extends CallOptions {
  /** Is told why rows cannot be read. Default: nobody is. */
  readonly onError?: (error: unknown) => void
}

/** Rows that can be watched: those of a store here, or those of the server (`@fastback/client/live`). */
export interface LiveRows<R extends object> {
  /** Calls a listener with the rows that fit: soon, and whenever they are others. @returns what ends that */
  live (filter: Filter<R> | undefined, listener: (rows: R[]) => void, options?: LiveOptions): () => void
}

/**
 * Rows of one model. All of it works without a line; writes are seen at once, and taken back where the server refuses
 * them (`client.refused`).
 */
export interface ModelApi<R extends object> extends LiveRows<R> {
  /** @throws ClientError BAD_FILTER */
  find (filter?: Filter<R>, options?: CallOptions): Promise<R[]>
  /** The first that fits. */
  findOne (filter?: Filter<R>, options?: CallOptions): Promise<R | undefined>
  findById (id: Id): Promise<R | undefined>
  count (where?: Where<R>): Promise<number>
  /** @throws ClientError ROW_EXISTS */
  create (row: Partial<R>, options?: CallOptions): Promise<R>
  /** Changes some properties. @throws ClientError NOT_FOUND */
  patch (id: Id, changes: Partial<R>, options?: CallOptions): Promise<R>
  /** Replaces all properties. @throws ClientError NOT_FOUND */
  update (id: Id, row: Partial<R>, options?: CallOptions): Promise<R>
  /** @returns whether there was one */
  delete (id: Id, options?: CallOptions): Promise<boolean>
}

/** Rows that are read at once where only the first ones are wanted. */
const pageSize = 500

/** The rows of a query. */
async function runQuery (
  local: Local, { name }: Model, query: CompiledQuery, signal?: AbortSignal
): Promise<Row[]> {
  signal?.throwIfAborted()
  const isFew = query.isById && query.limit !== Infinity
  if (isFew && !await local.has(rowsOf(name))) return await firstRows(local, name, query, signal)
  const passed: Row[] = []
  for (const { data } of (await local.all<LocalRow>(rowsOf(name))).values()) if (query.passes(data)) passed.push(data)
  signal?.throwIfAborted()
  return query.select(passed)
}

/** The store has the order of ids: pages are read until there are enough. */
async function firstRows (local: Local, name: string, query: CompiledQuery, signal?: AbortSignal): Promise<Row[]> {
  const passed: Row[] = []
  const enough = query.skip + query.limit
  for (let after: Id | undefined; passed.length < enough;) {
    const page = await local.page<LocalRow>(rowsOf(name), { after, limit: Math.max(pageSize, enough) })
    for (const [, { data }] of page) if (query.passes(data)) passed.push(data)
    signal?.throwIfAborted()
    after = page.at(-1)?.[0]
    if (after === undefined) break
  }
  return query.select(passed)
}

/** Rows are handed out as copies: nobody changes those that are kept. */
export const copied = <R>(row: Row): R =>
  Object.fromEntries(Object.entries(row).map(([name, value]) =>
    [name, typeof value === 'object' ? structuredClone(value) : value])) as R

/** @param onWrite is called after each write */
export function modelApi<R extends object> (
  opened: () => Promise<Local>, model: Model, onWrite: () => Promise<void>
): ModelApi<R> {
  const { name, id: idName, dates } = model
  const table = rowsOf(name)
  const compiled = (filter: unknown): CompiledQuery => compileQuery(filter, idName, dates)
  const found = async (filter: unknown, signal?: AbortSignal): Promise<Row[]> => {
    const query = compiled(filter)
    return await runQuery(await opened(), model, query, signal)
  }
  /** @param make what becomes of the row; undefined: nothing */
  const write = async (
    id: Id, make: (row: Row | undefined) => Row | null | undefined, { signal }: CallOptions = {}
  ): Promise<Row | null | undefined> => {
    const local = await opened()
    const made = await local.change(async draft => {
      signal?.throwIfAborted()
      const data = make((await draft.get<LocalRow>(table, id))?.data)
      if (data !== undefined) await stage(draft, name, id, data)
      return data
    })
    await onWrite()
    return made
  }
  const existing = async (id: Id, make: (row: Row) => Row, options?: CallOptions): Promise<R> =>
    copied<R>(await write(id, row => {
      if (row === undefined) throw new ClientError('NOT_FOUND', `There is no row "${id}" of "${name}" here.`)
      return { ...make(row), [idName]: id }
    }, options) as Row)
  return {
    find: async (filter, { signal } = {}) => (await found(filter, signal)).map(row => copied<R>(row)),
    async findOne (filter, { signal } = {}) {
      const [row] = await found({ ...filter, limit: 1 }, signal)
      return row === undefined ? undefined : copied<R>(row)
    },
    async findById (id) {
      const kept = await (await opened()).get<LocalRow>(table, id)
      return kept === undefined ? undefined : copied<R>(kept.data)
    },
    count: async where => (await found({ where })).length,
    async create (given, options) {
      const row = plain(given)
      const id = (row[idName] ?? crypto.randomUUID()) as Id
      const made = await write(id, known => {
        if (known !== undefined) throw new ClientError('ROW_EXISTS', `There is a row "${id}" of "${name}" here already.`)
        return { ...row, [idName]: id }
      }, options)
      return copied<R>(made as Row)
    },
    patch: async (id, changes, options) => await existing(id, row => ({ ...row, ...plain(changes) }), options),
    update: async (id, row, options) => await existing(id, () => plain(row), options),
    delete: async (id, options) => await write(id, row => row === undefined ? undefined : null, options) === null,
    live: (filter, listener, { signal, onError } = {}) => {
      const query = compiled(filter)
      return watch(opened, table, async () => {
        const local = await opened()
        return await runQuery(local, model, query)
      }, rows => { listener(rows.map(row => copied<R>(row))) }, onError ?? (() => {}), signal)
    }
  }
}

/** What a store keeps and the wire carries: JSON, dates as their texts. */
const plain = (row: object): Row => JSON.parse(JSON.stringify(row)) as Row

const areSame = (before: readonly Row[] | undefined, rows: readonly Row[]): boolean =>
  before?.length === rows.length && rows.every((row, i) => row === before[i] || deepEqual(row, before[i]))

/** Milliseconds in which changes are looked at together. */
const turn = 20

/** Calls `listener` with what `read` gives, whenever a table changed and the rows are others than before. */
function watch (
  opened: () => Promise<Local>, table: string, read: () => Promise<Row[]>, listener: (rows: Row[]) => void,
  onError: (error: unknown) => void, signal?: AbortSignal
): () => void {
  let before: readonly Row[] | undefined
  let isBusy = false
  let isDue = false
  let isOver = false
  let unlisten = (): void => {}
  const look = async (): Promise<void> => {
    if (isBusy || isOver) { isDue = true; return }
    isBusy = true
    try {
      const rows = await read()
      // The same objects as long as nobody wrote them, unless all were read anew.
      const isSame = areSame(before, rows)
      before = rows
      if (!isSame && !isOver) listener(rows)
    } catch (error) {
      if (!isOver) onError(error)
    }
    isBusy = false
    if (!isDue || isOver) return
    isDue = false
    setTimeout(begin, turn)
  }
  const begin = (): void => { look().catch(onError) }
  opened().then(local => {
    if (isOver) return
    unlisten = local.listen(tables => { if (tables.size === 0 || tables.has(table)) begin() })
    begin()
  }, onError)
  const stop = (): void => {
    isOver = true
    unlisten()
  }
  signal?.addEventListener('abort', stop, { once: true })
  if (signal?.aborted === true) stop()
  return stop
}
