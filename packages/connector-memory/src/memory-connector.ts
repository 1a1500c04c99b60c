import type {
  Condition,
  Connector,
  Explanation,
  Id,
  JoinedDataSource,
  MaybePromise,
  Query,
  Row,
  Selection,
  StoredModel,
  StoreOptions,
  StoreRead
} from '@fastback/core'
import { chain, charactersOf, fewRows, inSlices, isPromise, nameUpserts } from '@fastback/core/connector'
import { Collection, type Replacement } from './collection.js'
import { changedRow, compileCopier, copyChanges, copyRow, type RowCopier } from './copy.js'
import { explainRead } from './explain.js'
import { MemoryKeyValue } from './key-value.js'
import type { Persistence } from './persistence.js'
import { countMatching, selectRows, withMatching } from './select-rows.js'

const noOptions: StoreOptions = {}

/** What the connector says of itself in the log. */
export interface MemoryLog { warn (details: object, message: string): void }

/**
 * Rows in the memory of the process, one `Collection` per model, optionally kept in a file. Without a file every
 * operation answers at once; with one, writes answer when they are on the disk.
 */
export class MemoryConnector implements Connector {
  readonly name = 'memory'
  readonly generatedIdType = 'number'
  readonly defaultMigration = 'none'
  readonly keepsVersions = true
  readonly keyValue = new MemoryKeyValue()
  readonly #collections = new Map<string, Collection>()
  readonly #attached = new Map<string, StoredModel>()
  readonly #copiers = new WeakMap<Selection, { model: StoredModel; copier: RowCopier }>()
  readonly #persistence: Persistence | undefined
  readonly #log: MemoryLog

  /** @param modelBase `KeyValueModel` for a data source that is there for values by key */
  constructor (log: MemoryLog, persistence?: Persistence, readonly modelBase?: string) {
    this.#log = log
    this.#persistence = persistence
  }

  /** @throws FBK_MEMORY_DAMAGED_FILE */
  connect (): void {
    this.#persistence?.open(this.#collections)
  }

  disconnect (): MaybePromise<void> {
    this.keyValue.close()
    return this.#persistence?.settle()
  }

  ping (): void {}

  /** The type of ids that it gives out, as LoopBack's code asks. */
  getDefaultIdType (): unknown {
    return Number
  }

  /** Kinds of store that it is, as LoopBack's code asks. */
  getTypes (): string[] {
    return ['db', 'nosql', 'memory']
  }

  joined ({ registry }: JoinedDataSource): void {
    nameUpserts(this, registry)
  }

  attach (model: StoredModel): void {
    this.#attached.set(model.name, model)
  }

  /** The rows of a model, under its latest form; shared ones under that of the model that came first. */
  #rowsOf (model: StoredModel): Collection {
    const collection = this.#collections.get(collectionOf(model))
    if (collection === undefined) return this.#open(model)
    if (collection.model.name !== model.name) return collection
    if (collection.model !== model && collection.model !== this.#attached.get(model.name)) {
      this.#renew(collection, this.#attached.get(model.name) ?? model)
    }
    return collection
  }

  #open (model: StoredModel): Collection {
    const latest = this.#attached.get(model.name) ?? model
    const name = collectionOf(latest)
    const collection = this.#persistence?.load(latest, name) ?? new Collection(latest)
    this.#collections.set(name, collection)
    return collection
  }

  #renew (collection: Collection, model: StoredModel): void {
    for (const properties of collection.useModel(model)) {
      this.#log.warn(
        { model: model.name, properties },
        'stored rows have the same values in a unique index; they stay as they are'
      )
    }
  }

  /** Answers when what was changed is on the disk; at once without a file. */
  #saved<T>(result: T): MaybePromise<T> {
    const saving = this.#persistence?.save()
    return isPromise(saving) ? saving.then(() => result) : result
  }

  create (model: StoredModel, row: Row): MaybePromise<Row> {
    const collection = this.#rowsOf(model)
    return this.#saved(copyRow(insertOne(collection, row)))
  }

  createMany (model: StoredModel, rows: readonly Row[]): MaybePromise<Row[]> {
    const stored = rows.map(copyRow)
    this.#rowsOf(model).insertAll(stored)
    return this.#saved(stored.map(copyRow))
  }

  reserveIds (model: StoredModel, count: number): Id[] {
    return this.#rowsOf(model).reserveIds(count)
  }

  find (model: StoredModel, query: Query, { work }: StoreOptions = noOptions): MaybePromise<Row[]> {
    const copy = this.#copier(model, query.select)
    return chain(selectRows(this.#rowsOf(model), query, work), rows => {
      if (work === undefined || rows.length <= fewRows) return rows.map(copy)
      work.mustHold(rows.length)
      const copies: Row[] = []
      return chain(
        inSlices(
          rows.length,
          i => {
            const row = copy(rows[i] as Row)
            const characters = charactersOf(row)
            work.read(characters)
            work.spend(1 + characters / 16)
            copies.push(row)
          },
          work
        ),
        () => copies
      )
    })
  }

  findById (model: StoredModel, id: Id, select: Selection): Row | undefined {
    const row = this.#rowsOf(model).get(id)
    return row === undefined ? undefined : this.#copier(model, select)(row)
  }

  #copier (model: StoredModel, select: Selection): RowCopier {
    const known = this.#copiers.get(select)
    if (known !== undefined && known.model === model) return known.copier
    const copier = compileCopier(select, model)
    this.#copiers.set(select, { model, copier })
    return copier
  }

  count (model: StoredModel, where: Condition | undefined, { work }: StoreOptions = noOptions): MaybePromise<number> {
    return countMatching(this.#rowsOf(model), where, work)
  }

  updateAll (
    model: StoredModel,
    where: Condition | undefined,
    changes: Row,
    { work }: StoreOptions = noOptions
  ): MaybePromise<number> {
    const collection = this.#rowsOf(model)
    return withMatching(collection, where, work, rows => {
      if (rows.length === 0) return 0
      const own = copyChanges(changes)
      collection.replace(rows.map(old => ({ old, row: counted(model, old, changedRow(old, own)) })))
      return this.#saved(rows.length)
    })
  }

  updateById (
    model: StoredModel, id: Id, changes: Row, { ifVersion }: StoreOptions = noOptions
  ): MaybePromise<Row | undefined> {
    const collection = this.#rowsOf(model)
    const old = collection.get(id)
    if (old === undefined || !isVersion(model, old, ifVersion)) return undefined
    const row = counted(model, old, changedRow(old, copyChanges(changes)))
    return this.#saved(replaceOne(collection, { old, row }))
  }

  replaceById (
    model: StoredModel, id: Id, row: Row, { ifVersion }: StoreOptions = noOptions
  ): MaybePromise<Row | undefined> {
    const collection = this.#rowsOf(model)
    const old = collection.get(id)
    if (old === undefined || !isVersion(model, old, ifVersion)) return undefined
    return this.#saved(replaceOne(collection, { old, row: counted(model, old, withIdOf(model, old, row)) }))
  }

  findOrCreate (
    model: StoredModel,
    query: Query,
    row: Row,
    { work }: StoreOptions = noOptions
  ): MaybePromise<{ row: Row; created: boolean }> {
    const collection = this.#rowsOf(model)
    const [found] = selectRows(collection, { ...query, limit: 1 }, work?.atOnce) as readonly Row[]
    if (found !== undefined) return { row: this.#copier(model, query.select)(found), created: false }
    return this.#saved({ row: copyRow(insertOne(collection, row)), created: true })
  }

  deleteAll (
    model: StoredModel,
    where: Condition | undefined,
    { work }: StoreOptions = noOptions
  ): MaybePromise<number> {
    const collection = this.#rowsOf(model)
    return withMatching(collection, where, work, rows => {
      const { length } = rows
      if (length === 0) return 0
      if (where === undefined) collection.clear()
      else collection.remove(rows)
      return this.#saved(length)
    })
  }

  explain (read: StoreRead): Explanation {
    return explainRead(this.#rowsOf(read.model), read)
  }

  /** There are no tables: models are as the rows need them. */
  autoupdate (_models: readonly StoredModel[]): void {}

  /** Forgets the rows of the models; their ids begin again. */
  automigrate (models: readonly StoredModel[]): MaybePromise<void> {
    for (const model of models) this.#rowsOf(model).reset()
    return this.#saved(undefined)
  }

  isActual (_models: readonly StoredModel[]): boolean {
    return true
  }
}

/** Where a model's rows are: `memory: { collection }` names it, and models that name the same share their rows. */
function collectionOf ({ name, settings }: StoredModel): string {
  const { collection } = (settings.memory ?? {}) as { collection?: unknown }
  return typeof collection === 'string' && collection !== '' ? collection : name
}

function insertOne (collection: Collection, row: Row): Row {
  const stored = copyRow(row)
  collection.assignId(stored)
  collection.insert(stored)
  return stored
}

function replaceOne (collection: Collection, replacement: Replacement): Row {
  collection.replace([replacement])
  return copyRow(replacement.row)
}

function withIdOf (model: StoredModel, old: Row, row: Row): Row {
  const copy = copyRow(row)
  if (model.id !== undefined) copy[model.id.name] = old[model.id.name]
  return copy
}

/** A row that is written once more. */
function counted ({ version }: StoredModel, old: Row, row: Row): Row {
  if (version !== undefined) row[version.name] = versionIn(version.name, old) + 1
  return row
}

const isVersion = ({ version }: StoredModel, row: Row, wanted: number | undefined): boolean =>
  wanted === undefined || version === undefined || versionIn(version.name, row) === wanted

/** 0 of rows that were stored before they were counted. */
const versionIn = (name: string, row: Row): number => typeof row[name] === 'number' ? row[name] : 0
