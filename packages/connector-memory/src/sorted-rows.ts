/**
 * Rows in an order that is made when somebody reads: ids that come in any order (tokens, UUIDs) cost no more to add
 * than ids that count up.
 */
import type { Row } from '@fastback/core'

/** So few are put in their places one by one; more are sorted and merged. */
const few = 16

export class SortedRows {
  #sorted: Row[] = []
  /** Added since, in the order of their coming. */
  #added: Row[] = []
  readonly #compare: ((a: Row, b: Row) => number) | undefined

  /** @param compare order of the rows; undefined: that of their coming */
  constructor (compare: ((a: Row, b: Row) => number) | undefined) {
    this.#compare = compare
  }

  get size (): number {
    return this.#sorted.length + this.#added.length
  }

  /** All rows, in order. Not to be changed from outside. */
  inOrder (): readonly Row[] {
    if (this.#added.length > 0) this.#settle()
    return this.#sorted
  }

  add (row: Row): void {
    const last = this.#sorted[this.#sorted.length - 1]
    const isNext =
      this.#added.length === 0 && (last === undefined || this.#compare === undefined || this.#compare(last, row) < 0)
    if (isNext) this.#sorted.push(row)
    else this.#added.push(row)
  }

  /** @param row takes the place of `old`, and belongs there */
  replace (old: Row, row: Row): void {
    // Looking for a row may sort anew.
    const at = this.#indexOf(old)
    this.#sorted[at] = row
  }

  remove (rows: readonly Row[]): void {
    if (rows.length <= few && this.#compare !== undefined) {
      for (const row of rows) {
        const at = this.#indexOf(row)
        this.#sorted.splice(at, 1)
      }
      return
    }
    const gone = new Set(rows)
    this.#sorted = this.inOrder().filter(row => !gone.has(row))
  }

  clear (): void {
    this.#sorted = []
    this.#added = []
  }

  /** Where a row stands among the sorted ones; it must be one of the rows. */
  #indexOf (row: Row): number {
    if (this.#compare === undefined) return this.#sorted.indexOf(row)
    const at = this.#placeOf(row)
    if (this.#sorted[at] === row) return at
    // It is among those that were added, or has neighbours that compare as equal.
    if (this.#added.length === 0) return this.#sorted.indexOf(row)
    this.#settle()
    return this.#indexOf(row)
  }

  /** Before all rows that do not come before it. */
  #placeOf (row: Row): number {
    const compare = this.#compare as (a: Row, b: Row) => number
    let low = 0
    let high = this.#sorted.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (compare(this.#sorted[middle] as Row, row) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  #settle (): void {
    const added = this.#added
    this.#added = []
    if (added.length <= few) {
      for (const row of added) this.#sorted.splice(this.#placeOf(row), 0, row)
      return
    }
    const compare = this.#compare as (a: Row, b: Row) => number
    this.#sorted = merge(this.#sorted, added.sort(compare), compare)
  }
}

function merge (some: readonly Row[], others: readonly Row[], compare: (a: Row, b: Row) => number): Row[] {
  const merged: Row[] = []
  let i = 0
  for (const other of others) {
    while (i < some.length && compare(some[i] as Row, other) < 0) merged.push(some[i++] as Row)
    merged.push(other)
  }
  while (i < some.length) merged.push(some[i++] as Row)
  return merged
}
