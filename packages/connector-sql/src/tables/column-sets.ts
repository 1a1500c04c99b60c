/** The sets of columns that writes set, each with what is made of it once. */
import type { Row } from '@fastback/core'
import type { Column } from './column.js'

/** Most sets kept: clients choose which properties they send. */
const mostSets = 500

/** Columns in the order of the table. */
export class ColumnSet {
  /** Tells the set from the others of its table, for statement keys. */
  readonly key: string
  /** Whether what they hold in a new row that brings these comes back as it was. */
  readonly isKept: boolean
  /** Whether one of them keeps what is shown as it was (`Equality.leavesShown`). */
  readonly leavesShown: boolean
  readonly #insertKeys: string[] = []

  /** @param all columns that a write may set */
  constructor (readonly columns: readonly Column[], all: readonly Column[]) {
    const brought = new Set(columns)
    this.key = columns.map(({ index }) => `${index},`).join('')
    this.isKept = all.every(column => brought.has(column) ? column.keeps : column.gives === undefined)
    this.leavesShown = columns.some(({ format }) => format.equality?.leavesShown === true)
  }

  /** The key of an INSERT of these columns: the same text each time, whose hash is known. */
  insertKey (table: number, withId: boolean, withExtra: boolean): string {
    const at = (withId ? 1 : 0) + (withExtra ? 2 : 0)
    this.#insertKeys[at] ??= `${table}+${withId ? 'i' : ''}${this.key}${withExtra ? 'x' : ''}`
    return this.#insertKeys[at]
  }
}

/** Where the way through the columns forks: whether the row has the next one. */
class Fork {
  present: Fork | undefined
  absent: Fork | undefined
  set: ColumnSet | undefined
}

export class ColumnSets {
  #start = new Fork()
  #size = 0

  /** @param columns all that a write may set */
  constructor (readonly columns: readonly Column[]) {}

  /**
   * The columns whose properties are own members of `row`.
   * @param withUndefined whether members of undefined count (they clear the column)
   * @param values gets the members, in the order of the columns: rows of many kinds come by, and each look costs
   */
  of (row: Readonly<Row>, withUndefined: boolean, values: unknown[] = []): ColumnSet {
    const { columns } = this
    let fork = this.#start
    for (let i = 0; i < columns.length; i++) {
      const { name } = (columns[i] as Column).property
      const value = row[name]
      if (value === undefined && !(withUndefined && Object.hasOwn(row, name))) fork = fork.absent ??= new Fork()
      else {
        fork = fork.present ??= new Fork()
        values.push(value)
      }
    }
    return fork.set ?? this.#keep(fork, row, withUndefined)
  }

  #keep (fork: Fork, row: Readonly<Row>, withUndefined: boolean): ColumnSet {
    const { columns } = this
    if (this.#size === mostSets) {
      this.#start = new Fork()
      this.#size = 0
      return this.of(row, withUndefined)
    }
    this.#size++
    fork.set = new ColumnSet(columns.filter(({ property: { name } }) =>
      row[name] !== undefined || (withUndefined && Object.hasOwn(row, name))), columns)
    return fork.set
  }
}
