/** Seals what is stored once more: with the current key, and values that were plain before. */
import type { ModelClass } from '../interfaces/model-class.js'
import type { Connector } from '../data-source/connector.js'
import type { Row } from '../properties/types.js'
import type { Condition, ConditionValue, Query } from '../query/ast.js'
import { bothConditions } from '../query/merge.js'
import { rowCondition } from '../sealing/row-condition.js'
import { boundId, type SealedRows } from '../sealing/sealed-rows.js'
import { keyIdOf, saysSealed } from '../sealing/sealed-text.js'
import { withCompoundKeys } from './compound-keys.js'

/** What became of the rows of one model. */
export interface Resealed {
  readonly rows: number
  /** Values that were sealed with another key, or found by an earlier search key. */
  readonly resealed: number
  /** Values that were stored in plain text. */
  readonly plain: number
  /** Values that do not open, and stay as they are: where they stand, and why. */
  readonly unreadable: readonly string[]
  /** Rows that others changed again and again meanwhile: the next run has them. */
  readonly busy: number
}

export interface ResealOptions {
  /** Counts, and writes nothing. Default: false. */
  readonly dryRun?: boolean
  /**
   * Whether values in plain text are sealed: those of a property that was not sealed before. Default: as
   * `sealing.acceptPlain` says. Without it they count as values that do not open, as who can write to the database may
   * have put them there.
   */
  readonly sealPlain?: boolean | undefined
  /** Rows that are read at once. Default: 200. */
  readonly pageSize?: number
  /** Is told how many rows have been looked at. */
  readonly onPage?: (rows: number) => void
}

type Counts = { -readonly [K in keyof Omit<Resealed, 'unreadable'>]: Resealed[K] } & { unreadable: string[] }

/** How often a row is tried that somebody else writes at the same time. */
const attempts = 5
/** Of values that do not open, these are named. */
const mostNamed = 1000

/**
 * Seals the values of a model's rows with the current key, row by row in the order of their ids. What is current is
 * left as it is, so that a run that was cut off is simply started again. It may run beside servers: a row is written
 * only as it was read. Versions of rows stay.
 *
 * ```js
 * const { resealed, unreadable } = await resealRows(Patient)
 * ```
 * @throws RequestError 503 SEALING_KEY_UNAVAILABLE
 */
export async function resealRows (Model: ModelClass, options: ResealOptions = {}): Promise<Resealed> {
  const { sealedRows } = Model.compiled
  const { dataSource } = Model.state
  const counts: Counts = { rows: 0, resealed: 0, plain: 0, unreadable: [], busy: 0 }
  if (sealedRows === undefined || dataSource === undefined) return counts
  const { store } = dataSource
  const rows = Model.compiled.key.length > 1 ? withCompoundKeys(store) : store
  await new Resealing(rows, sealedRows, counts, options).run()
  return counts
}

class Resealing {
  readonly #names: readonly string[]

  constructor (
    readonly store: Connector, readonly rows: SealedRows, readonly counts: Counts, readonly options: ResealOptions
  ) {
    const { model, properties } = rows
    this.#names = [
      ...model.key.map(({ name }) => name),
      ...properties.flatMap(({ name, hash }) => hash === undefined ? [name] : [name, hash])
    ]
  }

  async run (): Promise<void> {
    const { pageSize = 200, onPage } = this.options
    await this.rows.ready()
    let last: Row | undefined
    for (;;) {
      const page = await this.#read(last === undefined ? undefined : this.#after(last), pageSize)
      for (const row of page) await this.#reseal(row)
      this.counts.rows += page.length
      onPage?.(this.counts.rows)
      last = page.at(-1)
      if (page.length < pageSize) return
    }
  }

  async #read (where: Condition | undefined, limit: number): Promise<Row[]> {
    const { stored } = this.rows
    const order = stored.key.map(({ name, type }) => (
      { path: { property: name, path: [], type, declared: true }, descending: false }))
    const query: Query = { where, order, limit, skip: 0, select: { names: this.#names, extra: 'none' }, include: [] }
    return await this.store.find(stored, query, {})
  }

  /** The rows behind one: by the first part of the key that is larger, those before it being equal. */
  #after (row: Row): Condition {
    const { key } = this.rows.stored
    const test = (at: number, op: 'eq' | 'gt'): Condition => {
      const { name, type } = key[at] as typeof key[number]
      const path = { property: name, path: [], type, declared: true }
      return { kind: 'compare', path, op, value: row[name] as ConditionValue }
    }
    const conditions = key.map((_, at): Condition => ({
      kind: 'and', conditions: [...key.slice(0, at).map((_, before) => test(before, 'eq')), test(at, 'gt')]
    }))
    return { kind: 'or', conditions }
  }

  async #reseal (read: Row): Promise<void> {
    let row: Row | undefined = read
    for (let attempt = 1; row !== undefined; attempt++) {
      const changes = await this.#changesOf(row)
      const count = Object.keys(changes).length
      if (count === 0) return
      const before = row
      const plain = this.rows.properties.filter(({ name }) => name in changes && !saysSealed(before[name])).length
      const sealed = this.rows.properties.filter(({ name }) => name in changes).length
      if (this.options.dryRun === true || await this.#write(row, changes)) {
        this.counts.plain += plain
        this.counts.resealed += sealed - plain
        return
      }
      if (attempt === attempts) {
        this.counts.busy++
        return
      }
      [row] = await this.#read(rowCondition(this.rows.model, row), 1)
    }
  }

  /** What is written of a row: nothing of one whose values are all current. */
  async #changesOf (row: Row): Promise<Row> {
    const { ring, properties, model } = this.rows
    const id = boundId(model, row) ?? ''
    const changes: Row = {}
    for (const property of properties) {
      const { name, hash } = property
      const value = row[name]
      if (value === undefined || value === null) continue
      const isCurrent = saysSealed(value) && keyIdOf(value) === ring.current
      if (isCurrent && hash === undefined) continue
      const text = await this.#textOf(property, id, value)
      if (text === undefined) continue
      const hashed = hash === undefined ? undefined : this.rows.hashes(name, text)[0]
      if (isCurrent && (hash === undefined || row[hash] === hashed)) continue
      changes[name] = this.rows.sealText(property, id, text)
      if (hash !== undefined) changes[hash] = hashed
    }
    return changes
  }

  async #textOf (property: SealedRows['properties'][number], id: string, value: unknown): Promise<string | undefined> {
    try {
      const keyId = saysSealed(value) ? keyIdOf(value) : undefined
      if (keyId !== undefined) await this.rows.ring.load([keyId])
      return this.rows.openText(property, id, value, this.options.sealPlain)
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'SEALED_VALUE_UNREADABLE') throw error
      if (this.counts.unreadable.length < mostNamed) this.counts.unreadable.push((error as Error).message)
      return undefined
    }
  }

  /** Whether the row was still as it was read. */
  async #write (row: Row, changes: Row): Promise<boolean> {
    const { model, uncounted } = this.rows
    const asRead = Object.keys(changes).filter(name => this.rows.isSealed(name)).map((name): Condition => ({
      kind: 'compare',
      path: { property: name, path: [], type: { kind: 'string' }, declared: true },
      op: 'eq',
      value: row[name] as ConditionValue
    }))
    const where = bothConditions(rowCondition(model, row), { kind: 'and', conditions: asRead })
    return await this.store.updateAll(uncounted, where, changes, {}) > 0
  }
}
