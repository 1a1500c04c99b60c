/** What stands between the operations of a model with files and its store (`Connector.keepFiles`). */
import type {
  CompiledProperty, Condition, Connector, Ending, FileReference, Id, Query, Row, Selection, StoreOptions, StoredModel
} from '@fastback/core'
import { coerceId, isIncomingFile } from '@fastback/core/connector'
import { invalidData, type StoreWrites } from '@fastback/core/remote'
import type { FileKeeper } from './file-keeper.js'
import type { FileLocation } from './file-location.js'
import type { RowMutex } from './row-mutex.js'
import { storedName } from './stored-name.js'

/**
 * The functions of a store that write rows with files. A file is stored before its row is, and removed after no row has
 * it any more: whatever breaks off in between leaves a file without a row, never a row without its file.
 * @param placeOf where files of a property are
 */
export function fileLayer (
  properties: readonly CompiledProperty[],
  store: Connector,
  within: Ending | undefined,
  keeper: FileKeeper,
  placeOf: (model: StoredModel, property: CompiledProperty) => FileLocation,
  turns: RowMutex
): StoreWrites {
  const names = properties.map(({ name }) => name)
  const select: Selection = { names, extra: 'none' }
  const wholes = new WeakMap<StoredModel, Selection>()
  const touches = (row: Row): boolean => names.some(name => row[name] !== undefined)
  const begin = (model: StoredModel, options: StoreOptions): FileChange => new FileChange(
    properties, property => placeOf(model, property), keeper, options.ending ?? within
  )
  /** The files of the row that an id names, and one change of them at a time. */
  const changing = async (
    model: StoredModel, id: Id, options: StoreOptions, row: Row, isWhole: boolean,
    write: (row: Row) => ReturnType<Connector['updateById']>
  ): Promise<Row | undefined> => {
    const work = async (): Promise<Row | undefined> => {
      const before = await store.findById(model, id, select, options)
      if (before === undefined) return undefined
      const change = begin(model, options)
      return await change.run(
        async () => await write(await change.resolve(row, before, isWhole)), written => written !== undefined
      )
    }
    // In a transaction the store sees to the order, and what waits here could wait for what waits there.
    return options.transaction === undefined && within === undefined
      ? await turns.take(`${model.name} ${String(id)}`, work)
      : await work()
  }

  return {
    create: (model, row, options) => {
      if (!touches(row)) return store.create(model, row, options)
      const change = begin(model, options)
      return change.run(async () => await store.create(model, await change.resolve(row, {}), options))
    },
    createMany: (model, rows, options) => {
      if (!rows.some(touches)) return store.createMany(model, rows, options)
      const change = begin(model, options)
      return change.run(async () => {
        const resolved: Row[] = []
        for (const [index, row] of rows.entries()) resolved.push(await change.resolve(row, {}, false, `[${String(index)}]`))
        return await store.createMany(model, resolved, options)
      })
    },
    findOrCreate: (model, query, row, options) => {
      if (!touches(row)) return store.findOrCreate(model, query, row, options)
      const change = begin(model, options)
      return change.run(
        async () => await store.findOrCreate(model, query, await change.resolve(row, {}), options),
        ({ created }) => created
      )
    },
    updateById: (model, id, changes, options) => names.some(name => name in changes)
      ? changing(model, id, options, changes, false, changed => store.updateById(model, id, changed, options))
      : store.updateById(model, id, changes, options),
    replaceById: (model, id, row, options) =>
      changing(model, id, options, row, true, changed => store.replaceById(model, id, changed, options)),
    updateAll: (model, where, changes, options) => {
      if (!names.some(name => name in changes)) return store.updateAll(model, where, changes, options)
      const change = begin(model, options)
      return change.run(async () => {
        const none = change.none(changes)
        const rows = await store.find(model, matching(model, where), options)
        const count = await store.updateAll(model, where, none, options)
        for (const row of rows) await change.leave(row, await still(model, row, options))
        return count
      })
    },
    deleteAll: async (model, where, options) => {
      const change = begin(model, options)
      return await change.run(async () => {
        const rows = await store.find(model, matching(model, where), options)
        const count = await store.deleteAll(model, where, options)
        for (const row of rows) await change.leave(row, await still(model, row, options))
        return count
      })
    }
  }

  function matching (model: StoredModel, where: Condition | undefined): Query {
    return { where, order: [], limit: undefined, skip: 0, select: whole(model), include: [] }
  }

  function whole (model: StoredModel): Selection {
    const known = wholes.get(model)
    if (known !== undefined) return known
    const made: Selection = { names: [...new Set([...model.key.map(({ name }) => name), ...names])], extra: 'none' }
    wholes.set(model, made)
    return made
  }

  /** What a row has that was to go: it may have changed just before, and be there. */
  async function still (model: StoredModel, row: Row, options: StoreOptions): Promise<Row> {
    if (!names.some(name => row[name] !== undefined && row[name] !== null)) return {}
    const id = coerceId(model as Parameters<typeof coerceId>[0], model.id === undefined ? row : row[model.id.name])
    return (id === undefined ? undefined : await store.findById(model, id, select, options)) ?? {}
  }
}

/** The files of one write: which are new, and which no row has once it is done. */
class FileChange {
  readonly #fresh: Array<readonly [FileLocation, string]> = []
  readonly #left: Array<readonly [FileLocation, string]> = []

  constructor (
    readonly properties: readonly CompiledProperty[],
    readonly placeOf: (property: CompiledProperty) => FileLocation,
    readonly keeper: FileKeeper,
    readonly ending: Ending | undefined
  ) {}

  /** @param isDone whether the write has taken place */
  async run<T> (write: () => Promise<T>, isDone: (result: T) => boolean = () => true): Promise<T> {
    let result: T
    try {
      result = await write()
    } catch (error) {
      await this.#remove(this.#fresh)
      throw error
    }
    if (!isDone(result)) await this.#remove(this.#fresh)
    else if (this.ending === undefined) await this.#remove(this.#left)
    else {
      this.ending.whenCommitted(() => { this.#remove(this.#left).catch(() => {}) })
      this.ending.whenRolledBack(() => { this.#remove(this.#fresh).catch(() => {}) })
    }
    return result
  }

  /**
   * The row with references in the place of files.
   * @param before what the row has now
   * @param isWhole whether the row has nothing but what is given
   * @throws RequestError 422 for what is no file and not the row's own; 400, 413, 415, 503, 507
   */
  async resolve (row: Row, before: Row, isWhole = false, path = ''): Promise<Row> {
    const resolved = { ...row }
    for (const property of this.properties) {
      const { name, type } = property
      const value = row[name]
      if (!(name in row) && !isWhole) continue
      const had = references(before[name])
      const given = value === undefined || value === null ? [] : type.kind === 'array' ? value as unknown[] : [value]
      const kept: FileReference[] = []
      for (const [index, each] of given.entries()) {
        const at = type.kind === 'array' ? `${path}.${name}[${String(index)}]` : `${path}.${name}`
        kept.push(await this.#one(property, each, had, at))
      }
      const place = this.placeOf(property)
      for (const old of had) {
        if (!kept.some(({ id }) => id === old.id)) this.#left.push([place, storedName(old.id, old.name)])
      }
      if (value !== undefined && value !== null) resolved[name] = type.kind === 'array' ? kept : kept[0]
      // What stays is not written: another change may have put something else there meanwhile.
      const stays = type.kind !== 'array' && kept.length === 1 && had.some(({ id }) => id === kept[0]?.id)
      if (stays && !isWhole) delete resolved[name]
    }
    return resolved
  }

  /** @throws RequestError 422 where many rows are to get one file */
  none (changes: Row): Row {
    for (const { name, type } of this.properties) {
      const value = changes[name]
      const isNone = value === undefined || value === null || (type.kind === 'array' && (value as unknown[]).length === 0)
      if (!isNone) throw refused(`.${name}`, 'is a file, which belongs to one row: it cannot be set on all that match')
    }
    return changes
  }

  /** Files of a row that is gone, or has them no more. */
  async leave (row: Row, now: Row): Promise<void> {
    for (const property of this.properties) {
      const has = new Set(references(now[property.name]).map(({ id }) => id))
      for (const { id, name } of references(row[property.name])) {
        if (!has.has(id)) this.#left.push([this.placeOf(property), storedName(id, name)])
      }
    }
  }

  async #one (
    property: CompiledProperty, value: unknown, had: readonly FileReference[], path: string
  ): Promise<FileReference> {
    const place = this.placeOf(property)
    if (isIncomingFile(value)) return this.#add(place, await this.keeper.save(place, value))
    const { id, upload } = (value ?? {}) as { readonly id?: unknown, readonly upload?: unknown }
    if (typeof upload === 'string') {
      const found = await this.keeper.saveSent(place, upload)
      if (found === undefined) throw refused(path, 'names an upload that is not there: ask for an address and send the file first')
      this.#left.push([place, found.sent])
      return this.#add(place, found.reference)
    }
    const own = had.find(each => each.id === id)
    if (own === undefined) throw refused(path, 'is not a file that this row has: send the file, or the upload of it')
    return own
  }

  #add (place: FileLocation, reference: FileReference): FileReference {
    this.#fresh.push([place, storedName(reference.id, reference.name)])
    return reference
  }

  async #remove (files: Array<readonly [FileLocation, string]>): Promise<void> {
    for (const [place, name] of files.splice(0)) await this.keeper.remove(place, name)
  }
}

const refused = (path: string, message: string): Error => invalidData([{ path, code: 'file', message, info: {} }])

/** The references that a row has, of one file or of a list. */
export function references (value: unknown): FileReference[] {
  return [value ?? []].flat().filter((each): each is FileReference =>
    each !== null && typeof each === 'object' && typeof (each as FileReference).id === 'string' &&
    typeof (each as FileReference).name === 'string')
}
