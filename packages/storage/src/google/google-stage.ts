import type { CreateResumableUploadOptions, File } from '@google-cloud/storage'
import type { StagedFile, StageOptions } from '../driver.js'
import { noContainer, providerFault } from '../errors.js'
import { Parts } from '../parts.js'

/** Bytes of a part; of all but the last Google takes multiples of 256 KiB. */
const partSize = 4 * 1024 * 1024
/** Times that a part is sent, where the connection or the store fails. */
const tries = 4
/** Milliseconds before the second time; each further one waits twice as long. */
const firstWait = 200

/**
 * An object on its way, by Google's resumable uploads: parts go to a session as they fill, and the object appears when
 * the last part is sent, which is what `commit` does (storage.md, SS-08). What fits in one part is sent in one request.
 */
export class GoogleStage implements StagedFile {
  readonly writable: Parts
  readonly #options: CreateResumableUploadOptions
  #session: string | undefined
  #opening: Promise<string> | undefined
  #sent = 0
  readonly #stop = new AbortController()
  #isOver = false

  constructor (readonly file: File, { type, acl, settings = {} }: StageOptions) {
    const { CacheControl: cacheControl, StorageClass: storageClass } = settings
    this.#options = {
      metadata: {
        contentType: type ?? 'application/octet-stream',
        ...(typeof cacheControl === 'string' ? { cacheControl } : {}),
        ...(typeof storageClass === 'string' ? { storageClass } : {})
      },
      ...(acl === undefined ? {} : { predefinedAcl: acl as NonNullable<CreateResumableUploadOptions['predefinedAcl']> })
    }
    this.writable = new Parts(partSize, {
      take: async part => {
        await this.#send(part, '*')
        this.#sent += part.length
      }
    })
  }

  async check (): Promise<void> {}

  async commit (): Promise<{ readonly providerResponse: unknown }> {
    const rest = this.writable.rest()
    const { etag, generation } = this.#session === undefined
      ? await this.#put(rest)
      : await this.#send(rest, String(this.#sent + rest.length))
    this.#isOver = true
    this.writable.destroy()
    return { providerResponse: { etag, generation } }
  }

  /** A session that is given up is cancelled: its parts go. */
  async abort (): Promise<void> {
    if (this.#isOver) return
    this.#isOver = true
    this.#stop.abort()
    this.writable.on('error', () => {}).destroy()
    await this.#opening?.catch(() => {})
    if (this.#session === undefined) return
    await fetch(this.#session, { method: 'DELETE', headers: { 'content-length': '0' } })
  }

  async #put (content: Buffer): Promise<Stored> {
    try {
      await this.file.save(content, { ...this.#options, resumable: false })
    } catch (error) {
      throw this.#failed(error)
    }
    return this.file.metadata as Stored
  }

  async #open (): Promise<string> {
    try {
      const [session] = await this.file.createResumableUpload(this.#options)
      return (this.#session = session)
    } catch (error) {
      throw this.#failed(error)
    }
  }

  #failed (error: unknown): Error {
    const { code } = error as { readonly code?: unknown }
    return Number(code) === 404 ? noContainer(this.file.bucket.name) : providerFault('Google Cloud Storage', error)
  }

  /**
   * Sends a part. After a failure the session is asked what it has got: only what is missing is sent again.
   * @param total bytes of the object, or `*` while nobody knows
   */
  async #send (part: Buffer, total: string): Promise<Stored> {
    const session = await (this.#opening ??= this.#open())
    let left = part
    let from = this.#sent
    for (let attempt = 1; ; attempt++) {
      let answer = await this.#request(session, left, from, total)
      if (answer === undefined || answer.status >= 500 || answer.status === 429) {
        if (attempt === tries || this.#isOver) throw providerFault('Google Cloud Storage', answer ?? new Error('no response'))
        await new Promise(resolve => setTimeout(resolve, firstWait * 2 ** (attempt - 1)))
        answer = await this.#request(session, Buffer.alloc(0), from, total)
        if (answer === undefined) continue
      }
      if (answer.ok) return await answer.json() as Stored
      if (answer.status !== 308) throw providerFault('Google Cloud Storage', answer)
      const end = Number(/^bytes=0-(\d+)$/.exec(answer.headers.get('range') ?? '')?.[1] ?? -1) + 1
      if (end < from || end > this.#sent + part.length) throw providerFault('Google Cloud Storage', answer)
      left = left.subarray(end - from)
      from = end
      if (left.length === 0 && total === '*') return {}
      if (attempt === tries) throw providerFault('Google Cloud Storage', answer)
    }
  }

  /** The address of a session is its own permission (Google's documentation), and nobody else's to know. */
  async #request (session: string, bytes: Buffer, from: number, total: string): Promise<Response | undefined> {
    const range = bytes.length === 0 ? '*' : `${String(from)}-${String(from + bytes.length - 1)}`
    try {
      return await fetch(session, {
        method: 'PUT',
        headers: { 'content-range': `bytes ${range}/${total}` },
        body: bytes,
        signal: this.#stop.signal
      })
    } catch {
      return undefined
    }
  }
}

/** What of an object's metadata is told. */
interface Stored { readonly etag?: unknown, readonly generation?: unknown }
