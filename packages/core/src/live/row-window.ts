/** The first rows of a query in their order, kept right as single rows change. */
import type { Row } from '../properties/types.js'
import type { RowOrder } from '../query/order.js'
import { charactersOf } from '../query/weight.js'
import type { LiveRow } from './row-changes.js'

/** How rows are judged, put in order and shown. */
export interface RowJudge {
  readonly passes: (row: Row) => boolean
  readonly order: RowOrder
  readonly keyOf: (row: Row) => string
  readonly show: (row: Row) => string
}

class WindowRow implements LiveRow {
  readonly #show: RowJudge['show']
  #text: string | undefined
  readonly characters: number

  constructor (readonly key: string, readonly row: Row, show: RowJudge['show']) {
    this.#show = show
    this.characters = charactersOf(row)
  }

  /** Made when somebody sees it: of rows behind the page nobody does. */
  get text (): string {
    return (this.#text ??= this.#show(this.row))
  }
}

/** Of a query with a limit some rows behind it are known: one that goes is followed by the next. */
const fewestSpare = 10
const mostSpare = 100

export class RowWindow {
  readonly #judge: RowJudge
  readonly #skip: number
  /** Up to the end of the page. */
  readonly #wanted: number
  readonly #spare: number
  readonly #byKey = new Map<string, WindowRow>()
  #rows: WindowRow[] = []
  #characters = 0
  /** Whether no row lies behind those that are known. */
  #isWhole = false

  /** @param page `most`: rows that are too many where there is no limit */
  constructor (
    judge: RowJudge,
    { skip, limit, most }: { readonly skip: number, readonly limit: number | undefined, readonly most: number }
  ) {
    this.#judge = judge
    this.#skip = skip
    this.#wanted = limit === undefined ? Infinity : skip + limit
    this.#spare = limit === undefined ? 0 : Math.min(mostSpare, Math.max(fewestSpare, limit >> 1))
    this.readLimit = limit === undefined ? most + 1 : this.#wanted + this.#spare
  }

  /** Of all rows that are known, with all that is in them. */
  get characters (): number {
    return this.#characters
  }

  /** How many rows are to be read, from the first one on. */
  readonly readLimit: number

  /**
   * Begins anew with the first rows, as the store has them.
   * @returns false where the store judges or orders rows in another way: they cannot be kept right here
   */
  fill (rows: readonly Row[]): boolean {
    const { passes, order, keyOf, show } = this.#judge
    this.#isWhole = rows.length < this.readLimit
    this.#byKey.clear()
    this.#rows = rows.map(row => new WindowRow(keyOf(row), row, show))
    this.#characters = 0
    for (const each of this.#rows) {
      this.#byKey.set(each.key, each)
      this.#characters += each.characters
    }
    return this.#byKey.size === rows.length &&
      rows.every((row, i) => passes(row) && (i === 0 || order(rows[i - 1] as Row, row) < 0))
  }

  /**
   * Takes a row as it is now; undefined: there is none with this key.
   * @returns whether rows that are known are others than before
   */
  put (key: string, row: Row | undefined): boolean {
    const before = this.#byKey.get(key)
    const isAmong = row !== undefined && this.#judge.passes(row)
    if (before === undefined && !isAmong) return false
    if (before !== undefined) {
      this.#rows.splice(this.#indexOf(before.row), 1)
      this.#byKey.delete(key)
      this.#characters -= before.characters
    }
    if (!isAmong) return true
    const index = this.#indexOf(row)
    // What lies behind the last row that is known is among others that nobody knows.
    if (index === this.#rows.length && !this.#isWhole) return before !== undefined
    const made = new WindowRow(key, row, this.#judge.show)
    this.#rows.splice(index, 0, made)
    this.#byKey.set(key, made)
    this.#characters += made.characters
    this.#trim()
    return true
  }

  /** Whether rows of the page may lie behind those that are known. */
  get lacksRows (): boolean {
    return !this.#isWhole && this.#rows.length < this.#wanted
  }

  /** Those of the page. */
  get page (): readonly LiveRow[] {
    return this.#rows.slice(this.#skip, Math.min(this.#wanted, this.#rows.length))
  }

  #trim (): void {
    const most = this.#wanted + 2 * this.#spare
    if (this.#rows.length <= most) return
    const [last] = this.#rows.splice(-1)
    if (last !== undefined) {
      this.#byKey.delete(last.key)
      this.#characters -= last.characters
    }
    this.#isWhole = false
  }

  /** Where a row is, or would be. */
  #indexOf (row: Row): number {
    const { order } = this.#judge
    let low = 0
    let high = this.#rows.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (order((this.#rows[middle] as WindowRow).row, row) < 0) low = middle + 1
      else high = middle
    }
    return low
  }
}
