/** Uploads that go on after a cut (tus 1.0): who may, what is kept, and how they become files. */
import { randomBytes } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import type { Readable } from 'node:stream'
import { afterTheRest, bareType, fileTooLarge } from '@fastback/rest/multipart'
import type { Caller } from '../access.js'
import type { PartStore } from '../driver.js'
import { badUpload, noFile, noUpload, tooManyUploads, wrongProtocol } from '../errors.js'
import type { StorageRequest, StorageResponse } from '../http.js'
import { checkName } from '../names.js'
import type { Storage, StorageHooks } from '../service.js'
import { CheckedBytes } from '../upload/checked-bytes.js'
import { admit, defaultFileSize } from '../upload/admit.js'
import { sniffedBytes } from '../upload/sniff.js'
import { finish } from './finish.js'
import { IncomingBytes } from './incoming-bytes.js'
import type { Exchange, NewUpload, Speak, UploadState, Verb } from './exchange.js'
import { uploadLimits } from '../upload-limits.js'
import { anybody, isOwner, networkDigest, ownerOf, parseRecord, type UploadRecord } from './record.js'
import { UploadMutex } from './upload-mutex.js'

/** Milliseconds between two looks for what has expired, at most. */
const sweepInterval = 60 * 60 * 1000

/** A request of the protocol, as the routes have it. */
export interface ResumableCall {
  readonly verb: Verb
  readonly container: string
  /** Undefined for a new one. */
  readonly upload: string | undefined
  readonly req: StorageRequest
  readonly res: StorageResponse
  readonly hooks: StorageHooks | undefined
  readonly caller: Caller | undefined
}

interface Found { readonly record: UploadRecord, readonly offset: number | undefined, readonly touched: Date }

export class ResumableUploads {
  readonly #speak: Speak
  readonly #turns = new UploadMutex()
  /** Bytes on the disk when the request that is writing began: what it writes is counted where it comes. */
  readonly #before = new Map<string, number>()
  readonly #timer: NodeJS.Timeout

  /** @param protocol of the time that an upload is kept, in milliseconds */
  constructor (readonly storage: Storage, readonly parts: PartStore, protocol: (ttl: () => number) => Speak) {
    this.#speak = protocol(() => this.#ttl)
    const interval = Math.min(this.#ttlOf(anybody), sweepInterval)
    this.#timer = setInterval(() => { this.sweep().catch(() => {}) }, interval).unref()
  }

  get #ttl (): number {
    return (this.storage.options.resumableTtl ?? uploadLimits.ttl) * 1000
  }

  close (): void {
    clearInterval(this.#timer)
  }

  /** Removes what has not gone on for too long. */
  async sweep (): Promise<void> {
    for (const id of await this.parts.ids()) {
      const found = await this.parts.find(id)
      if (found !== undefined && !this.#turns.has(id) && this.#hasExpired(found)) await this.parts.remove(id)
    }
  }

  /** Bytes that a container's uploads have on the disk, but for those that come just now. */
  async bytesIn (container: string): Promise<number> {
    let bytes = 0
    for (const [id, { record, offset = 0 }] of await this.#all()) {
      if (record.container === container) bytes += this.#before.get(id) ?? offset
    }
    return bytes
  }

  /**
   * Answers a request of the protocol: sets the headers of its response.
   * @throws RequestError 400, 404, 408, 409, 412, 413, 415, 503, 507
   */
  async handle (call: ResumableCall): Promise<void> {
    const { verb, container, upload, req, res } = call
    res.setHeader('tus-resumable', '1.0.0')
    res.setHeader('cache-control', 'no-store')
    // Whether another origin may ask at all, the application says.
    if (!res.hasHeader('access-control-expose-headers')) res.setHeader('access-control-expose-headers', exposed)
    checkName('container', container, this.storage.names)
    if (verb !== 'OPTIONS') checkProtocol(req, res)
    const id = upload ?? randomBytes(16).toString('hex')
    if (!/^[0-9a-f]{32}$/.test(id)) throw noUpload()
    if (verb === 'OPTIONS') await this.#answer(call, this.#exchange(call, id, undefined))
    else if (verb === 'POST' || verb === 'PATCH') {
      if ((req.headers['content-encoding'] ?? 'identity') !== 'identity') {
        throw badUpload('An upload must come as it is, without a content encoding.', 415, 'UNSUPPORTED_MEDIA_TYPE')
      }
      await this.storage.inTurn(this.storage.options, req, res, async () => { await this.#receive(call, id) })
    } else {
      await this.#own(call, id)
      await this.#turns.take(id, () => {}, async () => {
        await this.#finishWhole(call, id)
        await this.#answer(call, this.#exchange(call, id, undefined))
      })
    }
  }

  /** Takes bytes. What fits the rules stays, however the request ends. */
  async #receive (call: ResumableCall, id: string): Promise<void> {
    const { verb, container, req, res, caller } = call
    if (verb === 'POST') await this.storage.enter(container, this.storage.options, caller)
    else await this.#own(call, id)
    const bytes = new IncomingBytes(req, this.storage.options.uploadTimeout)
    try {
      await this.#turns.take(id, bytes.cancel, async () => {
        if (verb === 'PATCH') await this.#finishWhole(call, id)
        await this.#answer(call, this.#exchange(call, id, bytes.stream))
        await this.#finishWhole(call, id)
      })
    } catch (error) {
      const failure = bytes.failure ?? error
      // What is no file of its type will not become one.
      if ((failure as { code?: unknown }).code === 'CONTENT_MISMATCH') await this.parts.remove(id)
      if (!res.headersSent && !req.complete) res.setHeader('connection', 'close')
      bytes.close()
      await new Promise<void>(resolve => { afterTheRest(req, resolve) })
      throw failure
    } finally {
      bytes.close()
    }
  }

  async #answer ({ res, caller }: ResumableCall, exchange: Exchange): Promise<void> {
    const sooner = this.#ttl - this.#ttlOf(ownerOf(caller, this.storage.registry))
    for (const [name, value] of await this.#speak(exchange)) {
      // The protocol knows one time for all.
      const isLate = name === 'upload-expires' && sooner > 0
      res.setHeader(name, isLate ? new Date(Date.parse(value) - sooner).toUTCString() : value)
    }
  }

  #exchange (call: ResumableCall, id: string, body: Readable | undefined): Exchange {
    const { maxFileSize = defaultFileSize } = this.storage.options
    return {
      id,
      verb: call.verb,
      req: call.req,
      body,
      maxSize: typeof maxFileSize === 'number' ? maxFileSize : undefined,
      create: async upload => { await this.#create(call, id, upload) },
      state: async () => await this.#state(call, id),
      write: async (bytes, offset) => await this.#write(call, id, bytes, offset),
      remove: async () => {
        const { record } = await this.#own(call, id)
        if (record.uploaded !== undefined) {
          throw badUpload('The upload is a file already: remove that.', 409, 'UPLOAD_IS_OVER')
        }
        await this.parts.remove(id)
      }
    }
  }

  async #create (
    { container, req, res, caller }: ResumableCall, id: string, { size, metadata }: NewUpload
  ): Promise<void> {
    const { storage } = this
    const { options, names } = storage
    const filename = metadata.filename ?? metadata.name
    if (typeof filename !== 'string') throw badUpload('"Upload-Metadata" must have a "filename".')
    const type = metadata.filetype ?? metadata.type ?? 'application/octet-stream'
    const given = filename.slice(filename.lastIndexOf('\\') + 1)
    const incoming = { container, name: given, type, field }
    const { name, acl, maxFileSize } = await admit(incoming, { names, options }, req, res)
    if (size > maxFileSize) throw fileTooLarge(maxFileSize)
    if (!await storage.mayHave(caller, 'upload', container, name)) throw noFile(name)
    const room = await storage.room.enter(container, options)
    try {
      room.take(size)
    } finally {
      room.release()
    }
    const owner = ownerOf(caller, storage.registry)
    const network = owner === anybody ? networkDigest(req) : undefined
    await this.#mustHavePlace(owner, network)
    const record: UploadRecord = {
      owner,
      ...(network === undefined ? {} : { network }),
      container, name, given, type, size, metadata,
      ...(acl === undefined ? {} : { acl })
    }
    await this.parts.begin(id, JSON.stringify(record))
  }

  /**
   * One more upload of an owner; without a token it is one of its network's.
   * @throws RequestError 503 TOO_MANY_UPLOADS
   */
  async #mustHavePlace (owner: string, network: string | undefined): Promise<void> {
    const {
      maxResumable = uploadLimits.pending, maxResumablePerNetwork = uploadLimits.pendingOfNetwork
    } = this.storage.options
    const begun = (await this.#all())
      .map(([, { record }]) => record)
      .filter(record => record.owner === owner && record.isOver !== true)
    const most = network === undefined ? maxResumable : maxResumable * uploadLimits.ofAnybody
    const isFull = network !== undefined &&
      begun.filter(record => record.network === network).length >= Math.min(maxResumable, maxResumablePerNetwork)
    if (isFull || begun.length >= most) throw tooManyUploads()
  }

  async #state (call: ResumableCall, id: string): Promise<UploadState> {
    const { record: { size, metadata }, offset = size, touched } = await this.#own(call, id)
    return { size, metadata, offset, touched }
  }

  async #write (call: ResumableCall, id: string, bytes: Readable, offset: number): Promise<number> {
    const { storage: { options, room }, parts } = this
    const { record, offset: there } = await this.#own(call, id)
    // The library has compared the offsets; what is whole takes nothing more.
    if (there === undefined) return record.size
    const sniffs = options.sniff === true && offset < sniffedBytes
    const head = sniffs && offset > 0
      ? Buffer.concat(await parts.read(id, { end: offset - 1 }).toArray() as Buffer[])
      : Buffer.alloc(0)
    const reservation = await room.enter(record.container, options)
    this.#before.set(id, offset)
    let writing: Promise<void> | undefined
    try {
      const checked = new CheckedBytes({
        maxFileSize: record.size,
        sniffAs: options.sniff === true ? bareType(record.type) : undefined,
        reserve: length => { reservation.take(length) }
      }, { size: offset, head, whole: record.size })
      await pipeline(bytes, checked, async source => {
        writing = parts.append(id, offset, source as AsyncIterable<Buffer>)
        await writing
      })
    } finally {
      // Nothing may be written once somebody else has the turn.
      await Promise.allSettled([writing])
      this.#before.delete(id)
      reservation.release()
    }
    return (await parts.find(id))?.offset ?? offset
  }

  /** Makes a file of an upload whose bytes are all there, also where a killed process did not come to it. */
  async #finishWhole (call: ResumableCall, id: string): Promise<void> {
    if (call.verb === 'DELETE') return
    const { record, offset } = await this.#own(call, id)
    if (offset !== undefined && offset < record.size) return
    const { storage, parts } = this
    const { name } = record.isOver === true
      ? record.uploaded as { readonly name: string }
      : await finish({ storage, parts, id, record, isPlaced: offset === undefined, ...call })
    call.res.setHeader('upload-file', encodeURIComponent(name))
  }

  /** The upload, where it is there and the caller's. */
  async #own ({ container, caller }: ResumableCall, id: string): Promise<Found> {
    const found = await this.#find(id)
    if (found === undefined || found.record.container !== container) throw noUpload()
    if (!isOwner(found.record, caller, this.storage.registry)) throw noUpload()
    if (!await this.storage.mayHave(caller, 'upload', container)) throw noUpload()
    if (!await this.storage.mayHave(caller, 'upload', container, found.record.name)) throw noUpload()
    return found
  }

  async #find (id: string): Promise<Found | undefined> {
    const found = await this.parts.find(id)
    if (found === undefined || this.#hasExpired(found)) return undefined
    const record = parseRecord(found.record)
    // Without bytes it has become a file, or it never began.
    if (record === undefined || (found.offset === undefined && record.uploaded === undefined)) return undefined
    return { record, offset: found.offset, touched: found.touched }
  }

  async #all (): Promise<Array<readonly [id: string, found: Found]>> {
    const all: Array<readonly [string, Found]> = []
    for (const id of await this.parts.ids()) {
      const found = await this.#find(id)
      if (found !== undefined) all.push([id, found])
    }
    return all
  }

  /** Milliseconds that an upload is kept: a place that nobody has to log in for is given back sooner. */
  #ttlOf (owner: string | undefined): number {
    const { resumableIdle = uploadLimits.idle } = this.storage.options
    return owner === anybody ? Math.min(this.#ttl, resumableIdle * 1000) : this.#ttl
  }

  #hasExpired ({ touched, record }: { readonly touched: Date, readonly record: string }): boolean {
    return Date.now() - touched.getTime() > this.#ttlOf(parseRecord(record)?.owner)
  }
}

/** Headers of responses that pages of other origins need. */
const exposed = 'Location, Tus-Resumable, Upload-Expires, Upload-File, Upload-Length, Upload-Offset'

/** The field that hooks and results name: there is no form. */
const field = 'file'

/** @throws RequestError 412 for another version, 400 for an extension that is not offered */
function checkProtocol ({ headers }: StorageRequest, res: StorageResponse): void {
  if (headers['tus-resumable'] !== '1.0.0') {
    res.setHeader('tus-version', '1.0.0')
    throw wrongProtocol()
  }
  if (headers['upload-checksum'] !== undefined) {
    throw badUpload('Checksums are not offered: leave "Upload-Checksum" out.', 400, 'CHECKSUM_NOT_OFFERED')
  }
}
