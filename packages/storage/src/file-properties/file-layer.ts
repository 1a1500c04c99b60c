/** What stands between the operations of a model with files and its store (`Connector.keepFiles`). */
import type {
  CompiledProperty, Condition, Connector, Ending, Id, MaybePromise, Query, Row, Selection, StoreOptions, StoredModel
} from '@fastback/core'
import { coerceId } from '@fastback/core/connector'
import type { StoreWrites } from '@fastback/core/remote'
import { FileChange, mustHaveNone, type RowBefore } from './file-change.js'
import type { FileKeeper } from './file-keeper.js'
import type { FileLocation } from './file-location.js'
import type { RowMutex } from './row-mutex.js'

/** What the layers of all models with files share. */
export interface RowFiles {
  readonly keeper: FileKeeper
  /** Where files of a property are. */
  readonly locationOf: (model: StoredModel, property: CompiledProperty) => FileLocation
  readonly mutex: RowMutex
}

export class FileLayer implements StoreWrites {
  readonly #names: readonly string[]
  readonly #select: Selection
  /** The same with what names a row. */
  readonly #selects = new WeakMap<StoredModel, Selection>()

  /** @param transaction the one that all writes are in; undefined: each says which */
  constructor (
    readonly properties: readonly CompiledProperty[], readonly store: Connector,
    readonly transaction: Ending | undefined, readonly files: RowFiles
  ) {
    this.#names = properties.map(({ name }) => name)
    this.#select = { names: this.#names, extra: 'none' }
  }

  readonly create = (model: StoredModel, row: Row, options: StoreOptions): MaybePromise<Row> => {
    const { store } = this
    if (!this.#hasFiles(row)) return store.create(model, row, options)
    const change = this.#begin(model, options)
    return change.run(async () => await store.create(model, await change.resolve(row), options))
  }

  readonly createMany = (model: StoredModel, rows: readonly Row[], options: StoreOptions): MaybePromise<Row[]> => {
    const { store } = this
    if (!rows.some(row => this.#hasFiles(row))) return store.createMany(model, rows, options)
    const change = this.#begin(model, options)
    return change.run(async () => {
      const resolved: Row[] = []
      for (const [index, row] of rows.entries()) {
        resolved.push(await change.resolve(row, { path: `[${String(index)}]` }))
      }
      return await store.createMany(model, resolved, options)
    })
  }

  readonly findOrCreate = (
    model: StoredModel, query: Query, row: Row, options: StoreOptions
  ): MaybePromise<{ row: Row, created: boolean }> => {
    const { store } = this
    if (!this.#hasFiles(row)) return store.findOrCreate(model, query, row, options)
    const change = this.#begin(model, options)
    return change.run(
      async () => await store.findOrCreate(model, query, await change.resolve(row), options),
      ({ created }) => created
    )
  }

  readonly updateById = (
    model: StoredModel, id: Id, changes: Row, options: StoreOptions
  ): MaybePromise<Row | undefined> => this.#namesFiles(changes)
    ? this.#one(model, id, options, async (change, before) =>
      await this.store.updateById(model, id, await change.resolve(changes, before), options))
    : this.store.updateById(model, id, changes, options)

  readonly replaceById = (model: StoredModel, id: Id, row: Row, options: StoreOptions): MaybePromise<Row | undefined> =>
    this.#one(model, id, options, async (change, before) =>
      await this.store.replaceById(model, id, await change.resolve(row, { ...before, isWhole: true }), options))

  readonly updateAll = (
    model: StoredModel, where: Condition | undefined, changes: Row, options: StoreOptions
  ): MaybePromise<number> => this.#namesFiles(changes)
    ? this.#all(model, where, options, async () => {
      mustHaveNone(this.properties, changes)
      return await this.store.updateAll(model, where, changes, options)
    })
    : this.store.updateAll(model, where, changes, options)

  readonly deleteAll = (
    model: StoredModel, where: Condition | undefined, options: StoreOptions
  ): MaybePromise<number> =>
    this.#all(model, where, options, async () => await this.store.deleteAll(model, where, options))

  /** Whether a new row brings files. */
  #hasFiles (row: Row): boolean {
    return this.#names.some(name => row[name] !== undefined)
  }

  /** Whether changes are about files, if only to take them away. */
  #namesFiles (changes: Row): boolean {
    return this.#names.some(name => name in changes)
  }

  #begin (model: StoredModel, { ending }: StoreOptions): FileChange {
    const { keeper, locationOf } = this.files
    return new FileChange(
      this.properties, property => locationOf(model, property), keeper, ending ?? this.transaction
    )
  }

  /** Writes a row that is there, which no other write of its files comes between. */
  #one (
    model: StoredModel, id: Id, options: StoreOptions,
    write: (change: FileChange, before: RowBefore) => Promise<Row | undefined>
  ): Promise<Row | undefined> {
    const work = async (): Promise<Row | undefined> => {
      const before = await this.store.findById(model, id, this.#select, options)
      if (before === undefined) return undefined
      const change = this.#begin(model, options)
      return await change.run(async () => await write(change, { before }), written => written !== undefined)
    }
    // In a transaction the store sees to the order, and what waits here could wait for what waits there.
    const isAlone = options.transaction === undefined && this.transaction === undefined
    return isAlone ? this.files.mutex.take(`${model.name} ${String(id)}`, work) : work()
  }

  /** Writes all rows that match: files that these have no more are left. */
  #all (
    model: StoredModel, where: Condition | undefined, options: StoreOptions, write: () => Promise<number>
  ): Promise<number> {
    const change = this.#begin(model, options)
    return change.run(async () => {
      const rows = await this.store.find(model, this.#matching(model, where), options)
      const count = await write()
      for (const row of rows) change.leave(row, await this.#filesOf(model, row, options))
      return count
    })
  }

  #matching (model: StoredModel, where: Condition | undefined): Query {
    let select = this.#selects.get(model)
    if (select === undefined) {
      select = { names: [...new Set([...model.key.map(({ name }) => name), ...this.#names])], extra: 'none' }
      this.#selects.set(model, select)
    }
    return { where, order: [], limit: undefined, skip: 0, select, include: [] }
  }

  /** What a row has that was to go: it may have changed just before, and be there. */
  async #filesOf (model: StoredModel, row: Row, options: StoreOptions): Promise<Row> {
    if (!this.#names.some(name => row[name] !== undefined && row[name] !== null)) return {}
    const id = coerceId(model as Parameters<typeof coerceId>[0], model.id === undefined ? row : row[model.id.name])
    return (id === undefined ? undefined : await this.store.findById(model, id, this.#select, options)) ?? {}
  }
}
