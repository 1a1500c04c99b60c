/** The rows of one model: live objects, sorted by id, with their indexes. */
import { UniqueIndexError, type Id, type Row, type StoredModel } from '@fastback/core'
import { compileOrder, duplicateId, largestGivenId, shownId } from '@fastback/core/connector'
import { HashIndex } from './hash-index.js'
import { SortedRows } from './sorted-rows.js'

/** Ids that are equal are the same key: a bigint that a double holds is the number. */
const keyOfId = (id: unknown): unknown => typeof id === 'bigint' && Number.isSafeInteger(Number(id)) ? Number(id) : id

/** A row and what takes its place. */
export interface Replacement { readonly old: Row, readonly row: Row }

export class Collection {
  /** Highest number given out or taken as an id: never given out again, also after deletes. */
  lastId: number
  model: StoredModel
  indexes: readonly HashIndex[] = []
  /** Grows with every change of the rows. */
  version = 0
  /** Order by id; undefined for models without one. */
  readonly compare: ((a: Row, b: Row) => number) | undefined
  readonly #byId = new Map<unknown, Row>()
  readonly #rows: SortedRows

  constructor (model: StoredModel, lastId = 0) {
    this.model = model
    this.lastId = lastId
    this.compare = model.key.length === 0 ? undefined : compileOrder([], model)
    this.#rows = new SortedRows(this.compare)
    this.useModel(model)
  }

  /** Takes on a changed form of the model. Returns the properties of unique indexes that stored rows break. */
  useModel (model: StoredModel): string[][] {
    this.model = model
    this.indexes = model.indexes.map(index => new HashIndex(index))
    const broken: string[][] = []
    for (const index of this.indexes) {
      let breaks = false
      for (const row of this.rows) {
        breaks ||= index.refuses(row)
        index.add(row)
      }
      if (breaks) broken.push([...index.properties])
    }
    return broken
  }

  /** Sorted by id. Not to be changed from outside. */
  get rows (): readonly Row[] {
    return this.#rows.inOrder()
  }

  get size (): number {
    return this.#rows.size
  }

  get (id: Id): Row | undefined {
    return this.#byId.get(keyOfId(id))
  }

  /** Gives a row that has no id its id, and keeps in mind the ids that rows bring. */
  assignId (row: Row): void {
    const { id } = this.model
    if (id === undefined) return
    const given = row[id.name]
    if (given === undefined || given === null) row[id.name] = this.#nextId(id.type.kind)
    else this.#remember(given)
  }

  /** Ids that are given out to nobody else. */
  reserveIds (count: number): Id[] {
    const kind = this.model.id?.type.kind ?? 'number'
    return Array.from({ length: count }, () => this.#nextId(kind))
  }

  #nextId (kind: string): Id {
    for (;;) {
      const next = ++this.lastId
      const id = kind === 'string' ? String(next) : next
      if (!this.#byId.has(id)) return id
    }
  }

  /**
   * Ids beyond the bound are not gone on from: the next ones would soon be numbers that a double does not hold exactly.
   */
  #remember (id: unknown): void {
    const number = typeof id === 'string' && /^[1-9]\d{0,14}$/.test(id) ? Number(id) : id
    if (typeof number === 'number' && Number.isInteger(number) && number > this.lastId && number <= largestGivenId) {
      this.lastId = number
    }
  }

  /** @throws RequestError 409 for an id that is taken, UniqueIndexError */
  insert (row: Row): void {
    const { id } = this.model
    const key = id === undefined ? row : keyOfId(row[id.name])
    if (this.#byId.has(key)) throw duplicateId(this.model.name, row[(id as { name: string }).name])
    this.#mustBeUnique(row)
    this.version++
    this.#byId.set(key, row)
    for (const index of this.indexes) index.add(row)
    this.#rows.add(row)
  }

  /** Inserts all rows or none. */
  insertAll (rows: readonly Row[]): void {
    const done: Row[] = []
    try {
      for (const row of rows) {
        this.assignId(row)
        this.insert(row)
        done.push(row)
      }
    } catch (error) {
      this.remove(done)
      throw error
    }
  }

  /**
   * Puts rows in the place of others with the same id; all or none.
   * @throws UniqueIndexError
   */
  replace (replacements: readonly Replacement[]): void {
    for (const { old } of replacements) for (const index of this.indexes) index.remove(old)
    let done = 0
    try {
      for (; done < replacements.length; done++) {
        const { row } = replacements[done] as Replacement
        this.#mustBeUnique(row)
        for (const index of this.indexes) index.add(row)
      }
    } catch (error) {
      for (const { row } of replacements.slice(0, done)) for (const index of this.indexes) index.remove(row)
      for (const { old } of replacements) for (const index of this.indexes) index.add(old)
      throw error
    }
    for (const { old, row } of replacements) this.#put(old, row)
  }

  #put (old: Row, row: Row): void {
    const { id } = this.model
    this.version++
    this.#rows.replace(old, row)
    if (id === undefined) this.#byId.delete(old)
    this.#byId.set(id === undefined ? row : keyOfId(row[id.name]), row)
  }

  remove (rows: readonly Row[]): void {
    if (rows.length === 0) return
    this.version++
    const { id } = this.model
    for (const row of rows) {
      this.#byId.delete(id === undefined ? row : keyOfId(row[id.name]))
      for (const index of this.indexes) index.remove(row)
    }
    this.#rows.remove(rows)
  }

  clear (): void {
    this.version++
    this.#rows.clear()
    this.#byId.clear()
    for (const index of this.indexes) index.clear()
  }

  /** As new: ids begin again. */
  reset (): void {
    this.clear()
    this.lastId = 0
  }

  #mustBeUnique (row: Row): void {
    for (const index of this.indexes) {
      if (!index.refuses(row)) continue
      throw this.#isKey(index)
        ? duplicateId(this.model.name, shownId(this.model, row))
        : new UniqueIndexError(this.model.name, index.properties)
    }
  }

  /** Whether it is the index of a compound id. */
  #isKey ({ properties }: HashIndex): boolean {
    const { key } = this.model
    return key.length > 1 && properties.length === key.length && key.every(({ name }) => properties.includes(name))
  }
}
