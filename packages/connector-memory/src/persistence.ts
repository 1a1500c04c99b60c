/** Keeps the collections in a file: read at start, written after every change. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { errors, type Row, type StoredModel } from '@fastback/core'
import { Collection } from './collection.js'
import { DamagedFileError } from './errors.js'
import { FileWriter } from './file-writer.js'
import { parseStore, stringifyStore, type SavedModel } from './store-format.js'

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

  constructor (options: PersistenceOptions) {
    this.#options = options
    this.#writer = new FileWriter(options.file, () => stringifyStore(this.#collections, this.#waiting))
  }

  /** Reads the file; a file that is not there is an empty one. Throws `FBK_MEMORY_DAMAGED_FILE`, `FBK_CORE_DATA_SOURCE_SETTINGS`. */
  open (collections: ReadonlyMap<string, Collection>): void {
    this.#collections = collections
    if (this.#opened) return
    this.#opened = true
    const text = this.#read()
    if (text === undefined) return
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
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return this.#mustHaveFolder()
      throw new DamagedFileError(this.#options.dataSource, this.#options.file, (error as Error).message)
    }
  }

  /** A file that is not there can be made; its folder cannot. */
  #mustHaveFolder (): undefined {
    const folder = dirname(this.#options.file)
    if (!existsSync(folder)) throw new errors.DataSourceSettingsError(this.#options.dataSource, `the folder ${folder} of "file" does not exist`)
    return undefined
  }

  /** The collection of a model as the file has it, or undefined. Its rows are read by the types of `model`. */
  load (model: StoredModel): Collection | undefined {
    const saved = this.#waiting.get(model.name)
    if (saved === undefined) return undefined
    const collection = new Collection(model, saved.lastId)
    try {
      collection.insertAll(saved.rows(model) as Row[])
    } catch (error) {
      throw new DamagedFileError(this.#options.dataSource, this.#options.file, `model "${model.name}": ${(error as Error).message}`)
    }
    this.#waiting.delete(model.name)
    return collection
  }

  /** Resolves when everything that was changed before the call is on the disk. Calls at the same time share one write. */
  save (): Promise<void> {
    return this.#writer.save()
  }

  /** Waits for writes that are under way. */
  settle (): Promise<void> {
    return this.#writer.settle()
  }
}
