/** Writes and reads versions of the rows of one model. */
import type { Author, Counting, StoreOptions } from '../data-source/connector.js'
import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { HistoryOperation } from '../interfaces/row-version.js'
import type { ModelClass } from '../interfaces/model-class.js'
import { chain, type MaybePromise } from '../maybe-promise.js'
import type { Row } from '../properties/types.js'
import type { Condition, Query } from '../query/ast.js'
import { parseFilter, parseWhere } from '../query/parse.js'
import { internSelection } from '../query/parse-fields.js'
import { historyModelOf } from './history-model.js'
import type { Entry, RowRecorder } from './recorder.js'
import { rowWriter, type RowWriter } from './row-text.js'
import { historyIn } from './setting.js'

/** A version as it is stored. */
export interface StoredVersion {
  readonly id: unknown
  readonly rowId: string
  readonly version: number
  readonly operation: HistoryOperation
  readonly at: Date
  readonly userId?: string | null
  readonly userType?: string | null
  readonly clientId?: string | null
  readonly requestId?: string | null
  readonly before?: string | null
  readonly after?: string | null
}

type Comparison = Condition & { readonly kind: 'compare' }

/** Versions are counted row by row. */
const counting: Counting = { property: 'version', among: 'rowId' }
const uncounted: Counting = { ...counting, returned: false }

interface Last { readonly version: number, readonly after: string | null | undefined }

export class HistoryLog implements RowRecorder {
  /** The last version says better than a row that was read without a lock what the row was. */
  readonly locksRows = false

  /** A row as JSON text. */
  readonly #text: RowWriter
  /** The query for the last version of a row, and the model that it is of. */
  #lastOf: { readonly model: CompiledModel, readonly query: Query, readonly where: Comparison } | undefined
  readonly #keepVersions: number | undefined

  private constructor (readonly Model: ModelClass, readonly History: ModelClass) {
    this.#text = rowWriter(Model.compiled)
    this.#keepVersions = historyIn(Model.settings)?.keepVersions
  }

  /** Undefined for models without. */
  static of (Model: ModelClass): HistoryLog | undefined {
    const History = historyModelOf(Model)
    return History === undefined ? undefined : new HistoryLog(Model, History)
  }

  get target (): CompiledModel { return this.History.compiled }

  get #compiled (): CompiledModel { return this.History.compiled }

  /** The transaction is the same, and whoever writes the row need not be able to write here. */
  #options ({ transaction, ending }: StoreOptions): StoreOptions {
    return ending === undefined ? { transaction } : { transaction, ending }
  }

  #where (where: object): Condition | undefined {
    return parseWhere(this.#compiled, where, this.#compiled.parsing.internal)
  }

  /** Writes versions down, by one statement; each of another row. */
  write (entries: readonly Entry[], within: StoreOptions): MaybePromise<void> {
    const [only] = entries
    if (only === undefined) return
    const options = this.#options(within)
    const { together } = this.#compiled.connector
    if (entries.length > 1 || only.isFirst === true || only.isMaybe === true || together?.createNext === undefined) {
      return this.#writeAll(entries, options, within.by)
    }
    // One statement counts the version and stores it.
    const row = this.#row(only, undefined, new Date(), within.by) as Row
    const counted = this.#keepVersions === undefined ? uncounted : counting
    return chain(together.createNext(this.#compiled, row, counted, options), version => {
      if (version === undefined) return this.#writeAll(entries, options, within.by)
      row.version = version
      return this.#forget([row], options)
    })
  }

  #writeAll (entries: readonly Entry[], options: StoreOptions, by: Author | undefined): MaybePromise<void> {
    const known = entries.filter(({ isFirst }) => isFirst !== true).map(({ id }) => id)
    const reads = entries.some(({ isMaybe }) => isMaybe === true)
    return chain(known.length === 0 ? byRow([]) : this.#last(known, reads, options), last => {
      const at = new Date()
      const rows: Row[] = []
      for (const entry of entries) {
        const row = this.#row(entry, last.get(entry.id), at, by)
        if (row !== undefined) rows.push(row)
      }
      if (rows.length === 0) return
      const { connector } = this.#compiled
      const [only] = rows
      const written: MaybePromise<unknown> = rows.length === 1
        ? connector.create(this.#compiled, only as Row, options)
        : connector.createMany(this.#compiled, rows, options)
      return chain(written, () => this.#forget(rows, options))
    })
  }

  #row (
    { operation, id, before, after, isMaybe }: Entry, last: Last | undefined, at: Date, by: Author | undefined
  ): Row | undefined {
    const [read, now] = this.#texts(before, after)
    const was = isMaybe === true && typeof last?.after === 'string' ? last.after : read
    if (isMaybe === true && operation === 'update' && was === now) return undefined
    // Written out: to put three objects into one costs as much as to write the text of a row.
    return {
      rowId: id,
      version: (last?.version ?? 0) + 1,
      operation,
      at,
      userId: by?.userId,
      userType: by?.userType,
      clientId: by?.clientId,
      requestId: by?.requestId,
      before: was,
      after: now
    }
  }

  #texts (before: Readonly<Row> | undefined, after: Readonly<Row> | undefined): [string | null, string | null] {
    if (before !== undefined && after !== undefined) return this.#text.both(before, after)
    return [before === undefined ? null : this.#text(before), after === undefined ? null : this.#text(after)]
  }

  /** Ids that are given out anew are in no version: the largest one counts. */
  #last (ids: readonly string[], withRows: boolean, options: StoreOptions): MaybePromise<Map<string, Last>> {
    const model = this.#compiled
    const names = withRows ? ['rowId', 'version', 'after'] : ['rowId', 'version']
    const select = internSelection(model, { names, extra: 'none' })
    const [first] = ids
    if (first !== undefined && ids.length === 1) {
      return chain(model.connector.find(model, { ...this.#queryFor(first), select }, options), byRow)
    }
    const where = { rowId: { inq: [...ids] } }
    const versions = parseFilter(model, { where, order: ['rowId ASC', 'version ASC'] }, model.parsing.internal)
    const bare = internSelection(model, { names: ['id', 'rowId', 'version'], extra: 'none' })
    return chain(model.connector.find(model, { ...versions, select: bare }, options), rows => {
      const latest = new Map(rows.map(row => [row.rowId, row]))
      if (!withRows || latest.size === 0) return byRow([...latest.values()])
      const these = this.#where({ id: { inq: [...latest.values()].map(({ id }) => id) } })
      return chain(model.connector.find(model, { ...versions, where: these, select }, options), byRow)
    })
  }

  #queryFor (rowId: string): Query {
    const model = this.#compiled
    if (this.#lastOf?.model !== model) {
      const query = parseFilter(model, { where: { rowId }, order: ['version DESC'], limit: 1 }, model.parsing.internal)
      this.#lastOf = { model, query, where: query.where as Comparison }
    }
    const { query, where } = this.#lastOf
    return { ...query, where: { ...where, value: rowId } }
  }

  /** Versions beyond those that are to be stored. */
  #forget (rows: readonly Row[], options: StoreOptions): MaybePromise<void> {
    const most = this.#keepVersions
    if (most === undefined) return
    const over = rows.filter(({ version }) => (version as number) > most)
    if (over.length === 0) return
    const where = this.#where({
      or: over.map(({ rowId, version }) => ({ rowId, version: { lte: (version as number) - most } }))
    })
    return chain(this.#compiled.connector.deleteAll(this.#compiled, where, options), () => {})
  }

  /**
   * The versions of a row, the oldest first, in pieces.
   * @param most versions of a piece. Default: all at once
   */
  async * versions (
    id: string, { limit = Infinity, skip }: { readonly limit: number | undefined, readonly skip: number },
    options: StoreOptions, most = Infinity
  ): AsyncGenerator<StoredVersion[]> {
    const model = this.#compiled
    const order = ['version ASC']
    let after: number | undefined
    for (let left = limit; left > 0;) {
      const where = { rowId: id, ...(after === undefined ? {} : { version: { gt: after } }) }
      const query = parseFilter(model, { where, order }, model.parsing.internal)
      const size = Math.min(left, most)
      const page = { limit: size === Infinity ? undefined : size, skip: after === undefined ? skip : 0 }
      const found = await model.connector.find(
        model, { ...query, ...page }, this.#options(options)) as unknown as StoredVersion[]
      yield found
      const last = found.at(-1)
      if (last === undefined || found.length < size) return
      after = Number(last.version)
      left -= size
    }
  }

  /** One version of a row; the last one where none is named. */
  async version (id: string, version: number | undefined, options: StoreOptions): Promise<StoredVersion | undefined> {
    const model = this.#compiled
    const where = version === undefined ? { rowId: id } : { rowId: id, version }
    const query = parseFilter(model, { where, order: ['version DESC'], limit: 1 }, model.parsing.internal)
    const [found] = await model.connector.find(model, query, this.#options(options))
    return found as unknown as StoredVersion | undefined
  }

  /**
   * Removes versions that are older than they are to be stored, but for the last one of a row that is there, by which
   * the next one is counted.
   */
  async sweep (before: Date, step: number): Promise<void> {
    const model = this.#compiled
    const { connector, parsing, id } = model
    for (let after: unknown; ;) {
      const where = { at: { lt: before }, ...(after === undefined ? {} : { [id?.name ?? 'id']: { gt: after } }) }
      const query = parseFilter(model, { where, order: [`${id?.name ?? 'id'} ASC`], limit: step }, parsing.internal)
      const old = await connector.find(model, query, {}) as unknown as StoredVersion[]
      if (old.length > 0) {
        const last = await this.#last([...new Set(old.map(({ rowId }) => rowId))], false, {})
        const gone = old.filter(({ rowId, version, operation }) =>
          operation === 'delete' || version < (last.get(rowId)?.version ?? 0))
        if (gone.length > 0) {
          await connector.deleteAll(model, this.#where({ [id?.name ?? 'id']: { inq: gone.map(each => each.id) } }), {})
        }
      }
      if (old.length < step) return
      after = old.at(-1)?.id
    }
  }
}

const byRow = (rows: readonly Row[]): Map<string, Last> => new Map(rows.map(row =>
  [row.rowId as string, { version: Number(row.version), after: row.after as string | undefined }]))
