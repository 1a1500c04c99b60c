/** A look-up table over one or several properties, for equality and for uniqueness. */
import type { Row, StoredIndex } from '@fastback/core'

type Key = string | number | boolean | bigint | symbol

const nothing = Symbol('null')

/** The key of a value: equal values have the same one. */
function keyOf (value: unknown): Key {
  switch (typeof value) {
    case 'string': case 'number': case 'boolean': return value
    case 'bigint': return Number.isSafeInteger(Number(value)) ? Number(value) : value
    case 'object': break
    default: return nothing
  }
  if (value === null) return nothing
  return value instanceof Date ? `\0date ${value.getTime()}` : `\0data ${JSON.stringify(value)}`
}

/** Part of a key of several values: with its type and length, so that no two lists of values give the same text. */
const partOf = (key: Key): string => {
  const text = String(key)
  return `${typeof key}:${text.length}:${text}`
}

export class HashIndex {
  readonly properties: readonly string[]
  readonly unique: boolean
  readonly #exceptBlank: boolean
  readonly #live: string | undefined
  /** A row alone stands for itself: in an index of values that hardly repeat, sets would be most of the memory. */
  readonly #rows = new Map<Key, Row | Set<Row>>()

  constructor (definition: StoredIndex) {
    this.properties = definition.columns.map(column => column.property)
    this.unique = definition.unique
    this.#exceptBlank = definition.exceptBlank === true
    this.#live = definition.live
  }

  /** Rows whose properties have these values, in the order of `properties`. */
  rows (values: readonly unknown[]): Iterable<Row> {
    const found = this.#rows.get(this.#key(values))
    return found === undefined ? [] : found instanceof Set ? found : [found]
  }

  /**
   * Whether the index refuses `row`: another one has the same values. Rows with a null among them are never refused.
   */
  refuses (row: Row): boolean {
    if (!this.unique || this.properties.some(name => row[name] === undefined || row[name] === null)) return false
    if (this.#exceptBlank && row[this.properties[0] as string] === '') return false
    const live = this.#live
    if (live === undefined) return this.#rows.has(this.#keyOfRow(row))
    const isThere = (one: Row): boolean => one[live] === undefined || one[live] === null
    return isThere(row) && [...this.rows(this.properties.map(name => row[name]))].some(isThere)
  }

  add (row: Row): void {
    const key = this.#keyOfRow(row)
    const found = this.#rows.get(key)
    if (found === undefined) this.#rows.set(key, row)
    else if (found instanceof Set) found.add(row)
    else this.#rows.set(key, new Set([found, row]))
  }

  remove (row: Row): void {
    const key = this.#keyOfRow(row)
    const found = this.#rows.get(key)
    if (found === row) this.#rows.delete(key)
    else if (found instanceof Set && found.delete(row) && found.size === 0) this.#rows.delete(key)
  }

  clear (): void {
    this.#rows.clear()
  }

  #keyOfRow (row: Row): Key {
    return this.properties.length === 1
      ? keyOf(row[this.properties[0] as string])
      : this.properties.map(name => partOf(keyOf(row[name]))).join(' ')
  }

  #key (values: readonly unknown[]): Key {
    return values.length === 1 ? keyOf(values[0]) : values.map(value => partOf(keyOf(value))).join(' ')
  }
}
