/** The page that a query asks for, of documents that come one by one. */
import type { Query, Row, RowOrder, Work } from '@fastback/core'
import { charactersOf, fewRows, sortInSlices } from '@fastback/core/connector'
import type { Stored } from '../driver.js'

type Bounds = Pick<Query, 'skip' | 'limit'>

/** Of documents that the database puts in order. */
export class StoredOrderPage {
  readonly #documents: Stored[] = []
  #skipped = 0

  constructor (readonly bounds: Bounds, readonly work: Work | undefined) {}

  /** Whether more are wanted. */
  add (document: Stored): boolean {
    const { skip, limit } = this.bounds
    if (this.#skipped < skip) this.#skipped++
    else {
      if (this.#documents.length >= fewRows) this.work?.mustHold(this.#documents.length)
      this.#documents.push(document)
    }
    return limit === undefined || this.#documents.length < limit
  }

  documents (): Stored[] {
    return this.#documents
  }
}

interface Sortable { readonly document: Stored, readonly row: Row }

/** Of documents that are sorted here, stably. Of many, only as many stay in memory as the page needs. */
export class SortedPage {
  #found: Sortable[] = []
  #characters = 0

  constructor (readonly bounds: Bounds, readonly order: RowOrder, readonly work: Work | undefined) {}

  /** @throws RequestError 400 QUERY_TOO_EXPENSIVE where too much would have to be kept */
  add (document: Stored, row: Row | undefined): boolean {
    this.#found.push({ document, row: row ?? {} })
    const { skip, limit } = this.bounds
    if (limit !== undefined && this.#found.length > 2 * (skip + limit) + 1000) {
      this.#found.sort((a, b) => this.order(a.row, b.row))
      this.#found.length = skip + limit
    } else if (this.work !== undefined) {
      this.#characters += charactersOf(document)
      if (limit === undefined) this.work.mustHold(0, this.#characters)
    }
    return true
  }

  async documents (): Promise<Stored[]> {
    const { skip, limit } = this.bounds
    const sorted = await sortInSlices(this.#found, (a, b) => this.order(a.row, b.row), this.work, 10)
    return sorted.slice(skip, limit === undefined ? undefined : skip + limit).map(({ document }) => document)
  }
}
