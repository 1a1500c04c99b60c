/**
 * Reads the rows of a query in pages, each of which goes on behind the last row of the one before
 * (`query/keyset.ts`).
 */
import { RequestError } from '../errors.js'
import type { Row } from '../properties/types.js'
import type { Condition, PropertyOrder, Query } from '../query/ast.js'
import {
  areEqualByTerm, behindKey, equalByTerm, keyText, noRow, onwardFrom, type Keyset, type Onward
} from '../query/keyset.js'
import { bothConditions } from '../query/merge.js'
import { fewRows } from '../query/work.js'

/** A part of the rows in order, as the store has them. */
export type Pages = AsyncGenerator<Row[], void>

/** Ids of rows, as text. */
type Keys = ReadonlySet<string>

const anywhere: Onward = { where: undefined, leavesNull: false }
/** Up to one in so many rows of a page is read a second time with the next one. */
const smallShare = 4
/** Milliseconds of a page from which larger ones are worth it: a store that sorts all rows for each does it seldom. */
const longRead = 50

/**
 * The pages of a query, each of which is read when it is asked for.
 *
 * ```js
 * const reader = new PageReader(query, keysetOf(Note.compiled, query), { first: 500, most: 10_000 }, read)
 * for await (const rows of reader.pages()) console.log(rows.length) // 500, 500, …
 * ```
 */
export class PageReader {
  readonly #query: Query
  readonly #keyset: Keyset
  readonly #read: (query: Query) => Promise<Row[]>
  #size: number
  /** The largest size that is not too much. */
  #most: number
  /** How many rows the page of the query may still have. */
  #left: number

  /**
   * @param sizes rows of the first page, and of the largest one
   * @param read reads a page, as a response of its own
   */
  constructor (
    query: Query, keyset: Keyset, sizes: { readonly first: number, readonly most: number },
    read: (query: Query) => Promise<Row[]>
  ) {
    this.#query = query
    this.#keyset = keyset
    this.#read = read
    this.#most = sizes.most
    this.#size = Math.min(sizes.first, sizes.most)
    this.#left = query.limit ?? Infinity
  }

  pages (): Pages {
    const { where, skip } = this.#query
    return skip > 0 ? this.#byKey(where, new Set(), skip) : this.#byTerms(this.#keyset.terms, where, new Set())
  }

  /** Rows in the order of their ids, without those that were there before. */
  async * #byKey (where: Condition | undefined, seen: Keys, skip = 0): Pages {
    const { key } = this.#keyset
    let within = where
    let before: string | undefined
    for (let from = skip; this.#left > 0; from = 0) {
      const { rows, isFull } = await this.#page(within, key, seen, from)
      const [first] = rows
      const last = rows.at(-1)
      if (first === undefined || last === undefined) return
      // A store that does not take conditions would give its first rows for ever.
      if (before === keyText(key, first)) throw new Error(repeats)
      before = keyText(key, first)
      within = bothConditions(where, behindKey(key, last))
      yield this.#take(rows, seen)
      if (!isFull) return
    }
  }

  /**
   * Rows in the order of terms, of which one after the other is gone through. Pages overlap in the rows that the first
   * term does not tell from the last one; where these are many, they are read by themselves. So none is missed or
   * doubled, also of values that a store keeps more exactly than rows show them.
   */
  async * #byTerms (terms: readonly PropertyOrder[], where: Condition | undefined, seenBefore: Keys): Pages {
    const { key } = this.#keyset
    const [term, ...others] = terms
    if (term === undefined) {
      yield * this.#byKey(where, seenBefore)
      return
    }
    let onward = anywhere
    let seen = seenBefore
    while (this.#left > 0) {
      const { rows, isFull } = await this.#page(bothConditions(where, onward.where), [...terms, ...key], seen)
      const last = rows.at(-1)
      if (!isFull || last === undefined) {
        yield this.#take(rows, seen)
        if (!onward.leavesNull) return
        yield * this.#byTerms(others, bothConditions(where, equalByTerm(term, noRow)), seenBefore)
        return
      }
      const start = rows.findIndex(row => areEqualByTerm(term, row, last))
      const beside = rows.slice(start).map(row => keyText(key, row))
      const isSmall = beside.length * smallShare <= rows.length
      // The conditions now: hooks may change the rows that they get.
      const next = onwardFrom(term, last, isSmall)
      const besideLast = bothConditions(where, equalByTerm(term, last))
      yield this.#take(isSmall ? rows : rows.slice(0, start), seen)
      if (!isSmall) yield * this.#byTerms(others, besideLast, seen)
      if (next === undefined) return
      onward = next
      seen = isSmall ? new Set([...seenBefore, ...beside]) : seenBefore
    }
  }

  /** Those of the rows that are new, as many as the page of the query may still have. */
  #take (rows: readonly Row[], seen: Keys): Row[] {
    const { key } = this.#keyset
    const fresh = seen.size === 0 ? rows : rows.filter(row => !seen.has(keyText(key, row)))
    const taken = fresh.slice(0, this.#left)
    this.#left -= taken.length
    return taken
  }

  /** A page: in fewer rows where that many are too large, and in more from then on where the store takes long. */
  async #page (
    where: Condition | undefined, order: readonly PropertyOrder[], seen: Keys, skip = 0
  ): Promise<{ readonly rows: Row[], readonly isFull: boolean }> {
    for (;;) {
      const limit = Math.min(this.#size, this.#left + seen.size)
      const begun = performance.now()
      try {
        const rows = await this.#read({ ...this.#query, where, order, skip, limit })
        if (performance.now() - begun > longRead) this.#size = Math.min(2 * this.#size, this.#most)
        return { rows, isFull: rows.length === limit }
      } catch (error) {
        if (!isTooMuch(error) || this.#size <= fewRows) throw error
        this.#most = this.#size = Math.max(fewRows, this.#size >> 1)
      }
    }
  }
}

/**
 * Whether fewer rows would be read.
 *
 * ```js
 * isTooMuch(queryTooExpensive('bytes', 8_388_608)) // true
 * ```
 */
export function isTooMuch (error: unknown): boolean {
  if (!(error instanceof RequestError) || error.code !== 'QUERY_TOO_EXPENSIVE') return false
  const { limit } = error.details as { limit?: unknown }
  return limit === 'rows' || limit === 'bytes'
}

const repeats = 'Rows cannot be read in pages: the data source gave the same ones again.'
