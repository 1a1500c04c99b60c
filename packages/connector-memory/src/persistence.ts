/** Keeps the collections in a file: read at start, written after every change. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { errors, type Row, type StoredModel } from '@fastback/core'
import { Collection } from './collection.js'
import { DamagedFileError, notWritten } from './errors.js'
import { FileWriter } from './file-writer.js'
import { parseStore, stringifyStore } from './store-format.js'
import type { SavedModel } from './saved-model.js'

export interface PersistenceOptions {
  /** Absolute path. */
  readonly file: string
  readonly dataSource: string
}

export class Persistence {
  readonly #options: PersistenceOptions
  readonly #writer: FileWriter
  #collections: ReadonlyMap<string, Collection> = new Map()
  /** Models of the file that nobody has asked for yet; they are written back as they came. */
  readonly #waiting = new Map<string, SavedModel>()
  #opened = false
  /** Whether the file was there, or was written, so that its absence says that something else is wrong. */
  #exists = false

  constructor (options: PersistenceOptions) {
    this.#options = options
    this.#writer = new FileWriter(
      options.file,
      () => stringifyStore(this.#collections, this.#waiting),
      () => this.#takeBack()
    )
  }

  /**
   * Reads the file; a file that is not there is an empty one. Throws `FBK_MEMORY_DAMAGED_FILE`,
   * `FBK_CORE_DATA_SOURCE_SETTINGS`.
   */
  open (collections: ReadonlyMap<string, Collection>): void {
    this.#collections = collections
    if (this.#opened) return
    this.#opened = true
    const text = this.#read()
    if (text === undefined) return
    this.#exists = true
    try {
      for (const [name, model] of parseStore(text)) this.#waiting.set(name, model)
    } catch (error) {
      throw new DamagedFileError(this.#options.dataSource, this.#options.file, (error as Error).message)
    }
  }

  #read (): string | undefined {
    try {
      return readFileSync(this.#options.file, 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return this.#makeFolder()
      throw new DamagedFileError(this.#options.dataSource, this.#options.file, (error as Error).message)
    }
  }

  /** A file that is not there is made, and its folder: repositories hold no empty ones. */
  #makeFolder (): undefined {
    const folder = dirname(this.#options.file)
    try {
      mkdirSync(folder, { recursive: true })
    } catch (error) {
      throw new errors.DataSourceSettingsError(
        this.#options.dataSource,
        `the folder ${folder} of "file" cannot be made: ${(error as Error).message}`
      )
    }
    return undefined
  }

  /** The collection of a model as the file has it, or undefined. Its rows are read by the types of `model`. */
  load (model: StoredModel, name = model.name): Collection | undefined {
    const saved = this.#waiting.get(name)
    if (saved === undefined) return undefined
    const collection = new Collection(model, saved.lastId)
    try {
      collection.insertAll(saved.rows(model) as Row[])
    } catch (error) {
      throw new DamagedFileError(
        this.#options.dataSource,
        this.#options.file,
        `model "${model.name}": ${(error as Error).message}`
      )
    }
    this.#waiting.delete(name)
    return collection
  }

  /**
   * Resolves when everything that was changed before the call is on the disk. Calls at the same time share one write.
   * @throws FBK_MEMORY_NOT_WRITTEN: what was changed has been taken back
   */
  async save (): Promise<void> {
    try {
      await this.#writer.save()
      this.#exists = true
    } catch (error) {
      throw notWritten(this.#options.dataSource, this.#options.file, error as NodeJS.ErrnoException)
    }
  }

  /**
   * The rows as the file has them: nobody was told of what came later. Ids that were given out meanwhile are not given
   * out again. A file that is gone, or cannot be read, changes nothing; the rows are then written with the next change.
   */
  #takeBack (): boolean {
    let saved
    try {
      saved =
        this.#exists || existsSync(this.#options.file)
          ? parseStore(readFileSync(this.#options.file, 'utf8'))
          : new Map<string, SavedModel>()
    } catch {
      return false
    }
    for (const [name, collection] of this.#collections) {
      const model = saved.get(name)
      collection.clear()
      collection.insertAll((model?.rows(collection.model) ?? []) as Row[])
      collection.lastId = Math.max(collection.lastId, model?.lastId ?? 0)
      saved.delete(name)
    }
    this.#waiting.clear()
    for (const [name, model] of saved) this.#waiting.set(name, model)
    return true
  }

  /** Waits for writes that are under way. */
  settle (): Promise<void> {
    return this.#writer.settle()
  }
}
