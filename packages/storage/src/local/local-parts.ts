import type { Stats } from 'node:fs'
import { createReadStream } from 'node:fs'
import { open, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import type { StoredUpload, PartStore, ReadRange } from '../driver.js'
import { unlessMissing } from './errno.js'
import { commitStaged, type StagePaths } from './local-stage.js'

const recordEnding = '.json'

/** Uploads that may go on: `<id>` has the bytes, `<id>.json` the record, in a folder that nobody else uses. */
export class LocalParts implements PartStore {
  constructor (
    readonly folder: string,
    readonly placeOf: (staged: string, container: string, file: string) => StagePaths
  ) {}

  async begin (id: string, record: string): Promise<void> {
    // The record first: what has no record is nobody's, and could not be told from what another process begins.
    await writeFile(this.#record(id), record, { flag: 'wx', mode: 0o600 })
    await writeFile(this.#bytes(id), '', { flag: 'wx', mode: 0o600 })
  }

  /** The old record or the new one, never half of one. */
  async update (id: string, record: string): Promise<void> {
    const next = `${this.#record(id)}.next`
    await writeFile(next, record, { mode: 0o600 })
    await rename(next, this.#record(id))
  }

  async find (id: string): Promise<StoredUpload | undefined> {
    const record = await unlessMissing(readFile(this.#record(id), 'utf8'))
    if (record === undefined) return undefined
    const bytes = await unlessMissing<Stats>(stat(this.#bytes(id)))
    const { mtime } = bytes ?? await stat(this.#record(id))
    return { record, offset: bytes?.size, touched: mtime }
  }

  async ids (): Promise<string[]> {
    const names = await readdir(this.folder)
    return names.filter(name => name.endsWith(recordEnding)).map(name => name.slice(0, -recordEnding.length))
  }

  async append (id: string, offset: number, bytes: AsyncIterable<Buffer>): Promise<void> {
    const handle = await open(this.#bytes(id), 'r+')
    try {
      let position = offset
      for await (const chunk of bytes) {
        for (let written = 0; written < chunk.length;) {
          const { bytesWritten } = await handle.write(chunk, written, chunk.length - written, position)
          written += bytesWritten
          position += bytesWritten
        }
      }
    } finally {
      await handle.close()
    }
  }

  read (id: string, { start, end }: Omit<ReadRange, 'validator'>): Readable {
    return createReadStream(this.#bytes(id), { start: start ?? 0, ...(end === undefined ? {} : { end }) })
  }

  async place (id: string, container: string, file: string): Promise<void> {
    await commitStaged(this.placeOf(this.#bytes(id), container, file))
  }

  async drop (id: string): Promise<void> {
    await rm(this.#bytes(id), { force: true })
  }

  async remove (id: string): Promise<void> {
    await this.drop(id)
    await rm(`${this.#record(id)}.next`, { force: true })
    await rm(this.#record(id), { force: true })
  }

  #bytes (id: string): string {
    return path.join(this.folder, id)
  }

  #record (id: string): string {
    return path.join(this.folder, `${id}${recordEnding}`)
  }
}
