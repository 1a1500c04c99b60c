/**
 * Responses of any number of rows, page by page: what is in memory is one page. The query is read once, scopes and
 * `access` hooks included; each page goes on behind the last row of the one before (`query/keyset.ts`).
 */
import { queryTooExpensive } from '../errors.js'
import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import type { PageSettings, RowPages } from '../interfaces/row-pages.js'
import type { MaybePromise } from '../maybe-promise.js'
import type { Row } from '../properties/types.js'
import type { Query } from '../query/ast.js'
import { keysetOf, withKeyset, type Keyset } from '../query/keyset.js'
import { CALLER, WORK, Work, type WorkLimits } from '../query/work.js'
import { accessQuery } from './access.js'
import type { Narrowing } from './access-condition.js'
import { loadedRows, Operation } from './context.js'
import { includeRelations } from './include.js'
import { withJoinKeys, withoutJoinKeys } from './join-keys.js'
import { isTooMuch, PageReader, type Pages } from './page-reader.js'
import { storedRows } from './read.js'
import { readableRows } from './readable.js'

/** What narrows the rows beside the filter. */
export interface PagedReading {
  /** What the framework adds to the filter. */
  readonly narrowing?: Narrowing | undefined
  /** Takes away rows that the caller may not see. */
  readonly shown?: (rows: Row[]) => MaybePromise<Row[]>
}

/**
 * The rows of a filter, with default scope, hooks and include, in lists of about `pageSize`. Every list but the first
 * is read when it is asked for.
 *
 * A row that nobody changes meanwhile comes exactly once; one that is added, removed or moved while rows are read may
 * come or not. What cannot be read in pages (see `keysetOf`, or an order other than that of the ids together with
 * `skip`) comes in one list, within the limits of an ordinary response.
 *
 * ```js
 * const rows = await PagedRows.open(Note.compiled, { where: { stars: 5 } }, options, { rows: 1e6, pageSize: 500 })
 * for await (const page of rows.lists()) console.log(page.length) // 500, 500, …
 * ```
 */
export class PagedRows implements RowPages {
  readonly #operation: Operation
  readonly #reading: PagedReading
  readonly #settings: PageSettings
  readonly #work: Work
  /** The query, and the same with what is read beside what is shown. */
  readonly query: Query
  readonly #read: Query
  readonly #keyset: Keyset | undefined
  #first: Promise<IteratorResult<Row[], void>> | undefined
  readonly #pages: Pages

  private constructor (operation: Operation, work: Work, query: Query, reading: PagedReading, settings: PageSettings) {
    const { model } = operation
    this.#operation = operation
    this.#work = work
    this.#reading = reading
    this.#settings = settings
    this.query = query
    const keyset = keysetOf(model, query)
    // Nobody knows how many of the rows that terms do not tell apart are among those that are skipped.
    this.#keyset = query.skip > 0 && keyset !== undefined && keyset.terms.length > 0 ? undefined : keyset
    const read = withJoinKeys(model, query)
    this.#read = this.#keyset === undefined ? read : withKeyset(model, read, this.#keyset)
    this.#pages = this.#finished()
  }

  /**
   * Reads the filter and the first page.
   * @throws RequestError 400 for a filter that cannot be, or for more rows than there may be
   */
  static async open (
    model: CompiledModel, filter: unknown, options: OperationOptions, settings: PageSettings, reading: PagedReading = {}
  ): Promise<PagedRows> {
    const ordinary = model.parsing.external.limits
    // The budget of so many ordinary responses.
    const units = ordinary.work * Math.max(1, Math.ceil(settings.rows / ordinary.rows))
    const work = new Work({ ...ordinary, work: units }, options[CALLER])
    const operation = new Operation(model, { ...options, [WORK]: work.page(ordinary) })
    const asked = await accessQuery(operation, filter, reading.narrowing)
    const query = settings.includes === false && asked.include.length > 0 ? { ...asked, include: [] } : asked
    const rows = new PagedRows(operation, work, query, reading, settings)
    rows.#first = rows.#pages.next()
    await rows.#first
    return rows
  }

  get model (): CompiledModel {
    return this.#operation.model
  }

  async * lists (): Pages {
    const first = await this.#first
    if (first === undefined || first.done === true) return
    yield first.value
    yield * this.#pages
  }

  /** Limits of an ordinary response, which a page is. */
  get #ordinary (): WorkLimits {
    return this.model.parsing.external.limits
  }

  /** Pages as callers see them. Others have the event loop between two of them. */
  async * #finished (): Pages {
    const { rows: most } = this.#ordinary
    const keyset = this.#keyset
    const pages = keyset === undefined
      ? this.#atOnce()
      : new PageReader(this.#read, keyset, { first: this.#settings.pageSize, most }, this.#page).pages()
    let count = 0
    for await (const rows of pages) {
      count += rows.length
      if (count > this.#settings.rows) throw queryTooExpensive('rows', this.#settings.rows)
      if (rows.length > 0) yield await this.#finish(rows)
      await this.#work.rest()
    }
  }

  async * #atOnce (): Pages {
    yield await this.#page(this.#read)
  }

  readonly #page = async (query: Query): Promise<Row[]> => {
    this.#renew()
    return await storedRows(this.#operation, query)
  }

  /** Hooks, related rows, and what the caller may see. */
  async #finish (stored: Row[]): Promise<Row[]> {
    const loaded = await loadedRows(this.#operation, stored, this.#read)
    await this.#include(loaded)
    const rows = withoutJoinKeys(loaded, this.query, this.#read)
    const shown = await (this.#reading.shown?.(rows) ?? rows)
    return [...await readableRows(this.model, shown, this.#operation.options)]
  }

  /** Related rows, for fewer rows at once where those of all of them are too many. */
  async #include (rows: Row[]): Promise<void> {
    const { include } = this.query
    if (include.length === 0) return
    try {
      await includeRelations(this.model, rows, include, this.#operation.options)
    } catch (error) {
      if (!isTooMuch(error) || rows.length === 1 || this.#keyset === undefined) throw error
      const half = rows.length >> 1
      for (const part of [rows.slice(0, half), rows.slice(half)]) {
        this.#renew()
        await this.#include(part)
      }
    }
  }

  /** A page begins, which may be as large as a response. */
  #renew (): void {
    const { options } = this.#operation
    this.#operation.options = { ...options, [WORK]: this.#work.page(this.#ordinary) }
  }
}
