/** Files that come as arguments of remote methods (`type: 'file'`). */
import { randomUUID } from 'node:crypto'
import { open, unlink, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable, Writable } from 'node:stream'
import { fileTooLarge } from './form-errors.js'

/** Bytes of a file that are kept in memory; a larger one goes to a file of the system's temporary folder. */
const inMemory = 64 * 1024

/** A file that came as an argument. It is gone once the response has been made. */
export interface ArgumentFile {
  /** The name of the argument. */
  readonly field: string
  /** The client's name for it, without folders. Not safe as the name of a file. */
  readonly name: string
  /** The declared type, a claim of the client. */
  readonly type: string
  /** Bytes. */
  readonly size: number
  /** The bytes as a stream; each call gives another one. */
  stream (): Readable
  /** The bytes at once. */
  bytes (): Promise<Buffer>
  /** The bytes as UTF-8. */
  text (): Promise<string>
}

/** Takes the bytes of one file, and gives them back as often as somebody asks. */
export class SpooledFile extends Writable {
  size = 0
  #chunks: Buffer[] = []
  #handle: FileHandle | undefined
  #path: string | undefined

  /** @param limit bytes */
  constructor (readonly limit: number) {
    super()
  }

  override _write (chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.size += chunk.length
    if (this.size > this.limit) {
      done(fileTooLarge(this.limit))
      return
    }
    if (this.#handle === undefined && this.size <= inMemory) {
      this.#chunks.push(chunk)
      done()
      return
    }
    this.#toDisk(chunk).then(() => { done() }, done)
  }

  async #toDisk (chunk: Buffer): Promise<void> {
    if (this.#handle === undefined) {
      const file = path.join(tmpdir(), `fastback-${randomUUID()}`)
      this.#handle = await open(file, 'wx+', 0o600)
      // Without a name nothing stays, whatever becomes of the process. Windows keeps a file that is open.
      await unlink(file).catch(() => { this.#path = file })
      for (const kept of this.#chunks.splice(0)) await this.#handle.write(kept)
    }
    for (let at = 0; at < chunk.length;) at += (await this.#handle.write(chunk, at)).bytesWritten
  }

  read (): Readable {
    return this.#handle === undefined
      ? Readable.from(this.#chunks, { objectMode: false })
      : this.#handle.createReadStream({ start: 0, autoClose: false })
  }

  /** Lets go of what it holds. May be called more than once. */
  async dispose (): Promise<void> {
    this.#chunks = []
    const handle = this.#handle
    this.#handle = undefined
    await handle?.close()
    if (this.#path !== undefined) await unlink(this.#path).catch(() => {})
  }
}

/** What a method gets. */
export function argumentFile (field: string, name: string, type: string, spool: SpooledFile): ArgumentFile {
  const bytes = async (): Promise<Buffer> => Buffer.concat(await spool.read().toArray() as Buffer[])
  return {
    field,
    name,
    type,
    get size () { return spool.size },
    stream: () => spool.read(),
    bytes,
    text: async () => (await bytes()).toString('utf8')
  }
}
