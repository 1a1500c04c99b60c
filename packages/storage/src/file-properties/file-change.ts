/** The files of one write: which are new, and which no row has once it is done. */
import type { CompiledProperty, Ending, FileReference, Row } from '@fastback/core'
import { isIncomingFile } from '@fastback/core/connector'
import { invalidData } from '@fastback/core/remote'
import type { FileKeeper } from './file-keeper.js'
import type { FileLocation } from './file-location.js'
import { references } from './file-references.js'
import { storedName } from './stored-name.js'

/** A file in the store. */
interface StoredFile {
  readonly location: FileLocation
  readonly name: string
}

/** What is known of a row that gets files. */
export interface RowBefore {
  /** What it has now. Default: nothing. */
  readonly before?: Row
  /** Whether it has nothing afterwards but what is given. Default: false. */
  readonly isWhole?: boolean
  /** Where it stands in a list. Default: it is the only one. */
  readonly path?: string
}

/**
 * A file is stored before its row is, and removed after no row has it any more: whatever breaks off in between leaves a
 * file without a row, never a row without its file.
 */
export class FileChange {
  readonly #fresh: StoredFile[] = []
  readonly #left: StoredFile[] = []

  /** @param ending of the transaction that the write is in; undefined: it is done when its function is */
  constructor (
    readonly properties: readonly CompiledProperty[],
    readonly locationOf: (property: CompiledProperty) => FileLocation,
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
   * @throws RequestError 422 for what is no file and not the row's own; 400, 413, 415, 503, 507
   */
  async resolve (row: Row, { before = {}, isWhole = false, path = '' }: RowBefore = {}): Promise<Row> {
    const resolved = { ...row }
    for (const property of this.properties) {
      const { name, type } = property
      if (!(name in row) && !isWhole) continue
      const value = row[name]
      const isList = type.kind === 'array'
      const had = references(before[name])
      const given = value === undefined || value === null ? [] : isList ? value as unknown[] : [value]
      const now: FileReference[] = []
      for (const [index, each] of given.entries()) {
        const at = isList ? `${path}.${name}[${String(index)}]` : `${path}.${name}`
        now.push(await this.#one(property, each, had, at))
      }
      this.#leave(property, had, now)
      if (value !== undefined && value !== null) resolved[name] = isList ? now : now[0]
      // What stays is not written: another change may have put something else there meanwhile.
      const stays = !isList && now.length === 1 && had.some(({ id }) => id === now[0]?.id)
      if (stays && !isWhole) delete resolved[name]
    }
    return resolved
  }

  /** The row is gone, or has other files: what it has no more is left. */
  leave (before: Row, now: Row): void {
    for (const property of this.properties) {
      this.#leave(property, references(before[property.name]), references(now[property.name]))
    }
  }

  #leave (property: CompiledProperty, had: readonly FileReference[], has: readonly FileReference[]): void {
    const ids = new Set(has.map(({ id }) => id))
    for (const { id, name } of had) {
      if (!ids.has(id)) this.#left.push({ location: this.locationOf(property), name: storedName(id, name) })
    }
  }

  async #one (
    property: CompiledProperty, value: unknown, had: readonly FileReference[], path: string
  ): Promise<FileReference> {
    const location = this.locationOf(property)
    if (isIncomingFile(value)) return this.#add(location, await this.keeper.save(location, value))
    const { id, upload } = (value ?? {}) as { readonly id?: unknown, readonly upload?: unknown }
    if (typeof upload === 'string') {
      const found = await this.keeper.saveSent(location, upload)
      if (found === undefined) throw refused(path, 'names an upload that is not there: ask for an address and send the file first')
      this.#left.push({ location, name: found.sent })
      return this.#add(location, found.reference)
    }
    const own = had.find(each => each.id === id)
    if (own === undefined) throw refused(path, 'is not a file that this row has: send the file, or the upload of it')
    return own
  }

  #add (location: FileLocation, reference: FileReference): FileReference {
    this.#fresh.push({ location, name: storedName(reference.id, reference.name) })
    return reference
  }

  async #remove (files: StoredFile[]): Promise<void> {
    for (const { location, name } of files.splice(0)) await this.keeper.remove(location, name)
  }
}

/** @throws RequestError 422 where many rows are to get one file */
export function mustHaveNone (properties: readonly CompiledProperty[], changes: Row): void {
  for (const { name, type } of properties) {
    const value = changes[name]
    const isNone = value === undefined || value === null || (type.kind === 'array' && (value as unknown[]).length === 0)
    if (!isNone) throw refused(`.${name}`, 'is a file, which belongs to one row: it cannot be set on all that match')
  }
}

const refused = (path: string, message: string): Error => invalidData([{ path, code: 'file', message, info: {} }])
