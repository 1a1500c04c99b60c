/** The rows of a list, kept as they are: what others change is marked, and what is new is counted. */
import { batch, signal, type ReadonlySignal } from '@preact/signals'
import { watch } from '../live.js'
import type { Data, OwnChange } from '../data-part.js'
import { labelsOf, type Labels } from '../models/labels.js'
import type { DataModel } from '../models/models.js'
import { valueOf, type Row } from '../models/properties.js'
import { fullWhere, pageFilter, type ListState } from './list-state.js'

export interface Page {
  readonly rows: readonly Row[]
  /** Undefined where the caller may not count. */
  readonly total: number | undefined
  readonly labels: Labels
}

/** What became of a row while it was shown. */
export type Mark = 'changed' | 'deleted' | 'gone'

export class RowList {
  readonly #page = signal<Page | undefined>(undefined)
  readonly #isReading = signal(true)
  readonly #error = signal<unknown>(undefined)
  readonly #marks = signal<ReadonlyMap<string, Mark>>(new Map())
  readonly #arrived = signal<ReadonlySet<string>>(new Set())
  readonly #live = signal('')
  readonly #own = new Set<string>()
  readonly #ended = new AbortController()
  #reads = 0

  /** @param before what is shown until this one is read */
  constructor (
    readonly model: DataModel, private readonly state: ListState, private readonly data: Data, before: Page | undefined
  ) {
    this.#page.value = before
  }

  get page (): ReadonlySignal<Page | undefined> { return this.#page }
  get isReading (): ReadonlySignal<boolean> { return this.#isReading }
  get error (): ReadonlySignal<unknown> { return this.#error }
  get marks (): ReadonlySignal<ReadonlyMap<string, Mark>> { return this.#marks }
  /** Ids of rows that the list would show by now. */
  get arrived (): ReadonlySignal<ReadonlySet<string>> { return this.#arrived }
  /** What to say of the stream of changes. */
  get live (): ReadonlySignal<string> { return this.#live }

  /** Reads the page, and follows changes. @returns ends it */
  start (): () => void {
    const { model, data: { part, api } } = this
    const where = fullWhere(this.state, model)
    const stop = part.onOwnChange(change => { if (change.model === model.name) this.#changedHere(change) })
    this.read().then(() => {
      if (this.#ended.signal.aborted || this.#error.peek() !== undefined) return
      watch(model, api, where, {
        changed: ({ type, target, data }) => { this.#changed(type, target, data, where === undefined ? 'deleted' : 'gone') },
        missed: () => { this.read().catch(() => {}) },
        state: text => { this.#live.value = text }
      }, this.#ended.signal)
    }, () => {})
    return () => {
      stop()
      this.#ended.abort()
    }
  }

  /** Reads the page again; what fails is in `error`. */
  async read (): Promise<void> {
    const read = ++this.#reads
    this.#isReading.value = true
    const outcome = await this.#pageOf().then(page => ({ page }), (error: unknown) => ({ error }))
    if (read !== this.#reads || this.#ended.signal.aborted) return
    batch(() => {
      this.#isReading.value = false
      this.#error.value = 'error' in outcome ? outcome.error : undefined
      this.#page.value = 'page' in outcome ? outcome.page : undefined
      this.#marks.value = new Map()
      this.#arrived.value = new Set()
    })
  }

  idOf (row: Row): string | undefined {
    const { id } = this.model.facts
    const value = id === undefined ? undefined : valueOf(row, id)
    return value === undefined || value === null ? undefined : String(value)
  }

  async #pageOf (): Promise<Page> {
    const { model, state, data: { api, models } } = this
    if (model.find === undefined) return { rows: [], total: 0, labels: new Map() }
    const [{ value, headers }, counted] = await Promise.all([
      api.call(model.find, { query: { filter: pageFilter(state, model) }, headers: { prefer: 'count=exact' } }), this.#count()
    ])
    const rows = value as Row[]
    const total = headers.get('x-total-count')
    return { rows, total: total === null ? counted : Number(total), labels: await labelsOf(rows, model, models, api) }
  }

  /** Undefined where the caller may not count: pages are gone through without an end in sight, then. */
  async #count (): Promise<number | undefined> {
    const { model, state, data: { api } } = this
    if (!api.may(model.count)) return undefined
    try {
      const where = fullWhere(state, model)
      const { value } = await api.call(model.count, { query: where === undefined ? {} : { where } })
      return (value as { count?: number }).count
    } catch {
      return undefined
    }
  }

  #changed (type: 'create' | 'update' | 'remove', target: unknown, row: Row | undefined, gone: Mark): void {
    const id = String(target)
    const page = this.#page.peek()
    const shown = page?.rows.find(each => this.idOf(each) === id)
    if (type !== 'remove' && shown !== undefined && row !== undefined && isWithin(row, shown)) return
    if (type !== 'create' && shown !== undefined) {
      if (type === 'update' && row !== undefined) this.#put(id, row)
      this.#marks.value = new Map(this.#marks.peek()).set(id, type === 'remove' ? gone : 'changed')
    }
    // A row that was changed is another page's, unless this one has all that there are: then it fits by now.
    const hasAll = page !== undefined && page.rows.length === page.total
    const isNew = shown === undefined && !this.#own.delete(id) && (type === 'create' || (type === 'update' && hasAll))
    const arrived = new Set(this.#arrived.peek())
    if (isNew) arrived.add(id)
    else if (type === 'remove') arrived.delete(id)
    this.#arrived.value = arrived
  }

  #changedHere ({ type, id, row }: OwnChange): void {
    const key = String(id)
    const isShown = this.#page.peek()?.rows.some(each => this.idOf(each) === key) === true
    if (type === 'create') this.#own.add(key)
    if (type === 'update' && row !== undefined && isShown) this.#put(key, row)
    else this.read().catch(() => {})
  }

  /** Puts a row in place of the one with its id. */
  #put (id: string, row: Row): void {
    const page = this.#page.peek()
    if (page === undefined) return
    const rows = page.rows.map(each => this.idOf(each) === id ? row : each)
    this.#page.value = { ...page, rows }
    const { model, data: { models, api } } = this
    labelsOf([row], model, models, api).then(labels => {
      const now = this.#page.peek()
      if (now !== undefined) this.#page.value = { ...now, labels: new Map([...now.labels, ...labels]) }
    }, () => { /* The key is shown. */ })
  }
}

/** Whether a row is one that is shown, as far as it goes. */
export const isWithin = (row: Row, shown: Row): boolean =>
  Object.keys(row).every(name => JSON.stringify(row[name]) === JSON.stringify(valueOf(shown, name)))
