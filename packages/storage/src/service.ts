/** Containers and files of one data source, with its rules. */
import type { Readable } from 'node:stream'
import { hasOwnRules, mayHave, type Caller } from './access.js'
import { sendFile } from './download/send-file.js'
import type { AnnouncedFile, FileStat, Page, ReadRange, SignedAddress, StagedFile, StorageDriver } from './driver.js'
import { containerOf, fileOf, type StoredContainer, type StoredFile } from './entries.js'
import { noContainer, noFile } from './errors.js'
import { admitAnnounced, anyType } from './upload/admit.js'
import type { StorageRequest, StorageResponse } from './http.js'
import { checkName, type NameRules } from './names.js'
import type { StorageOptions } from './settings.js'
import type { ResumableUploads } from './resumable/resumable-uploads.js'
import { clientOf, type Users } from './upload/client-of.js'
import { UploadPaths } from './upload/upload-paths.js'
import { receive, type UploadedForm } from './upload/receive.js'
import type { UploadedFile, UploadHookContext } from './upload/uploaded-file.js'
import { StorageQuota } from './upload/storage-quota.js'
import { uploadLimits } from './upload-limits.js'

/** What observers of a model have a say in. */
export interface StorageHooks {
  beforeUpload (context: UploadHookContext): Promise<void>
  afterUpload (context: { readonly file: UploadedFile, readonly req: StorageRequest }): Promise<void>
  beforeDownload (context: { readonly file: StoredFile, readonly req: StorageRequest }): Promise<void>
}

/** Makes signed addresses. */
export type Presign = NonNullable<StorageDriver['presign']>

/** Entries of a list without a limit. */
const defaultMaxList = 10_000
/** Milliseconds in which a client must take a byte. */
export const defaultDownloadTimeout = 30_000
/** Seconds that a signed address is good for. */
export const defaultPresignTtl = 300
/** Times that a download looks again at a file which is replaced under it. */
const looks = 3

/** A list, and the name to go on after where there is more. */
export interface Listed<T> { readonly entries: T[], readonly nextAfter: string | undefined }

/** Part of a list, as clients ask for it (storage.md, SD-10). */
export interface ListFilter extends Page { readonly skip?: number | undefined }

export class Storage {
  readonly room: StorageQuota
  /** Uploads that may go on after a cut, where the data source takes them. */
  resumable: ResumableUploads | undefined
  readonly #places = new UploadPaths()

  /**
   * @param options read at each call, so that what the application assigns counts from then on
   * @param registry that of the application, where there is one: its users are told apart
   */
  constructor (
    readonly driver: StorageDriver,
    readonly names: NameRules,
    readonly options: StorageOptions,
    readonly registry?: Users
  ) {
    this.room = new StorageQuota(driver, async container => await this.resumable?.bytesIn(container) ?? 0)
  }

  async getContainers (filter: ListFilter = {}, caller?: Caller): Promise<Listed<StoredContainer>> {
    const { prefix = '', after = '' } = filter
    const all = (await this.driver.containers()).filter(({ name }) => name.startsWith(prefix) && (after === '' || name > after))
    const allowed = await this.#allowed(all, caller, 'getContainers', ({ name }) => ({ container: name, file: undefined }))
    const { entries, nextAfter } = this.#page(allowed, filter)
    return { entries: entries.map(containerOf), nextAfter }
  }

  /** @throws RequestError 404 ENOENT */
  async getContainer (name: string, caller?: Caller): Promise<StoredContainer> {
    checkName('container', name, this.names)
    const found = await this.mayHave(caller, 'getContainer', name)
      ? await this.driver.container(name)
      : undefined
    if (found === undefined) throw noContainer(name)
    return containerOf(found)
  }

  /** @throws RequestError 409 EEXIST */
  async createContainer (name: unknown, caller?: Caller): Promise<StoredContainer> {
    checkName('container', name, this.names)
    if (!await this.mayHave(caller, 'createContainer', name)) throw noContainer(name)
    return containerOf(await this.driver.create(name))
  }

  /** @throws RequestError 404 ENOENT, 409 where it holds something else than files */
  async destroyContainer (name: string, caller?: Caller): Promise<void> {
    checkName('container', name, this.names)
    if (!await this.mayHave(caller, 'destroyContainer', name)) throw noContainer(name)
    await this.driver.destroy(name)
  }

  /** Nothing where there is no such container. */
  async getFiles (container: string, filter: ListFilter = {}, caller?: Caller): Promise<Listed<StoredFile>> {
    checkName('container', container, this.names)
    const { maxList = defaultMaxList } = this.options
    const isNarrowed = caller !== undefined && hasOwnRules(this.options)
    const wanted = Math.min(filter.limit ?? maxList, maxList) + (filter.skip ?? 0) + 1
    const { prefix, after } = filter
    const all = await this.driver.files(container, isNarrowed ? { prefix, after } : { prefix, after, limit: wanted })
    const allowed = await this.#allowed(all, caller, 'getFiles', ({ name }) => ({ container, file: name }))
    const { entries, nextAfter } = this.#page(allowed, filter)
    return { entries: entries.map(fileOf), nextAfter }
  }

  /** @throws RequestError 404 ENOENT */
  async getFile (container: string, file: string, caller?: Caller): Promise<StoredFile> {
    return fileOf(await this.#stat('getFile', container, file, caller))
  }

  /** @throws RequestError 404 ENOENT */
  async removeFile (container: string, file: string, caller?: Caller): Promise<void> {
    this.#checkBoth(container, file)
    if (!await this.mayHave(caller, 'removeFile', container, file)) throw noFile(file)
    await this.driver.remove(container, file)
  }

  /**
   * @param given settings of this one upload, before those of the data source
   * @param read takes the body. Default: a form
   * @throws RequestError 400, 404, 408, 409, 413, 415, 503, 507
   */
  async upload (
    container: string,
    req: StorageRequest,
    res: StorageResponse | undefined,
    given: StorageOptions = {},
    hooks?: StorageHooks,
    caller?: Caller,
    read = receive
  ): Promise<UploadedForm> {
    const options = { ...this.options, ...given }
    checkName('container', container, this.names)
    return await this.inTurn(options, req, res, async () => {
      await this.enter(container, options, caller)
      const room = await this.room.enter(container, options)
      try {
        return await read({
          driver: this.driver,
          names: this.names,
          options,
          container,
          room,
          before: async context => {
            if (!await this.mayHave(caller, 'upload', container, context.file.name)) throw noFile(context.file.name)
            await hooks?.beforeUpload(context)
          },
          after: async (file, req) => { await hooks?.afterUpload({ file, req }) }
        }, req, res)
      } finally {
        room.release()
      }
    })
  }

  /**
   * Does the work of an upload while there are not too many at a time, of its client and of all.
   * @throws RequestError 503 TOO_MANY_UPLOADS
   */
  async inTurn<T> (
    {
      maxConcurrentUploads = uploadLimits.concurrent,
      maxUploadsPerClient = Math.ceil(maxConcurrentUploads * uploadLimits.shareOfClient)
    }: StorageOptions,
    req: StorageRequest | undefined,
    res: StorageResponse | undefined,
    work: () => Promise<T>
  ): Promise<T> {
    let giveBack: () => void
    try {
      giveBack = this.#places.take(maxConcurrentUploads, maxUploadsPerClient, clientOf(this.registry, req))
    } catch (error) {
      res?.setHeader('retry-after', '1')
      throw error
    }
    try {
      return await work()
    } finally {
      giveBack()
    }
  }

  /**
   * @param own where the provider signs no addresses: what does
   * @throws RequestError 404 ENOENT, 412, 416, all before the first byte
   */
  async download (
    container: string,
    file: string,
    req: StorageRequest,
    res: StorageResponse,
    hooks?: StorageHooks,
    caller?: Caller,
    own?: Presign
  ): Promise<void> {
    const { options: { disposition = 'auto', downloadTimeout = defaultDownloadTimeout, redirect } } = this
    const found = await this.#stat('download', container, file, caller)
    await hooks?.beforeDownload({ file: fileOf(found), req })
    if (redirect === true && (this.driver.presign ?? own) !== undefined) {
      const { url } = await this.presign('GET', container, file, { own })
      res.statusCode = 302
      res.setHeader('location', url).setHeader('cache-control', 'private, no-store').end()
      return
    }
    let current: FileStat | undefined = found
    for (let look = 1; current !== undefined; look++) {
      try {
        await sendFile(this.driver, current, req, res, { disposition, downloadTimeout })
        return
      } catch (error) {
        if (look === looks || res.headersSent || (error as { code?: unknown }).code !== 'ENOENT') throw error
      }
      current = await this.driver.stat(container, file)
    }
    throw noFile(file)
  }

  /**
   * A file that code of the application writes: it is nobody's before `commit`.
   * @throws RequestError 404 ENOENT without the container
   */
  async stage (
    container: string, file: string, { contentType, ...given }: StorageOptions & { readonly contentType?: string } = {}
  ): Promise<StagedFile> {
    this.#checkBoth(container, file)
    await this.enter(container, { ...this.options, ...given }, undefined)
    const acl = given.acl ?? this.options.acl
    return await this.driver.stage(container, file, {
      type: contentType,
      acl: typeof acl === 'string' ? acl : undefined,
      settings: given as Readonly<Record<string, unknown>>
    })
  }

  /**
   * A file's bytes.
   * @throws RequestError 404 ENOENT
   */
  async read (container: string, file: string, { start, end }: ReadRange): Promise<Readable> {
    this.#checkBoth(container, file)
    return await this.driver.read(container, file, { start, end })
  }

  /**
   * A signed address (storage.md, SS-17).
   * @param own where the provider signs no addresses: what does
   * @throws RequestError 404 where nobody signs any; 400, 413, 415 for a file that the provider is not to be sent
   */
  async presign (
    verb: 'GET' | 'PUT',
    container: string,
    file: string,
    { caller, own, req, ...sent }: AnnouncedFile & {
      readonly caller?: Caller | undefined
      readonly own?: Presign | undefined
      readonly req?: StorageRequest | undefined
    } = {}
  ): Promise<SignedAddress> {
    this.#checkBoth(container, file)
    const method = verb === 'GET' ? 'download' : 'upload'
    if (!await this.mayHave(caller, method, container, file)) throw noFile(file)
    const { driver, options: { presignTtl = defaultPresignTtl } } = this
    const sign: Presign | undefined = driver.presign?.bind(driver) ?? own
    if (sign === undefined) throw noFile(file)
    if (await this.driver.container(container) === undefined) throw noContainer(container)
    if (verb === 'PUT' && driver.presign !== undefined) {
      const incoming = { container, name: file, type: sent.type ?? anyType, field: 'file' }
      await admitAnnounced(incoming, this, sent.size, req)
    }
    return await sign(verb, container, file, presignTtl, sent)
  }

  /**
   * An upload enters a container: it is there, and the caller's; or it is made.
   * @throws RequestError 404 ENOENT
   */
  async enter (container: string, { createContainers }: StorageOptions, caller: Caller | undefined): Promise<void> {
    if (!await this.mayHave(caller, 'upload', container)) throw noContainer(container)
    if (await this.driver.container(container) !== undefined) return
    if (createContainers !== true) throw noContainer(container)
    try {
      await this.driver.create(container)
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'EEXIST') throw error
      // Somebody else made it, or something else has its name.
      if (await this.driver.container(container) === undefined) throw noContainer(container)
    }
  }

  async #stat (method: string, container: string, file: string, caller: Caller | undefined): Promise<FileStat> {
    this.#checkBoth(container, file)
    if (!await this.mayHave(caller, method, container, file)) throw noFile(file)
    const found = await this.driver.stat(container, file)
    if (found === undefined) throw noFile(file)
    return found
  }

  #checkBoth (container: string, file: string): void {
    checkName('container', container, this.names)
    checkName('file', file, this.names)
  }

  /** Whether a caller may have a container or file (storage.md, SD-13). */
  async mayHave (caller: Caller | undefined, method: string, container: string, file?: string): Promise<boolean> {
    return await mayHave(this.options, caller, { method, container, file }, this.registry)
  }

  async #allowed<T> (
    all: readonly T[],
    caller: Caller | undefined,
    method: string,
    asked: (entry: T) => { readonly container: string, readonly file: string | undefined }
  ): Promise<readonly T[]> {
    if (caller === undefined || !hasOwnRules(this.options)) return all
    const allowed: T[] = []
    for (const entry of all) {
      if (await mayHave(this.options, caller, { method, ...asked(entry) }, this.registry)) allowed.push(entry)
    }
    return allowed
  }

  #page<T extends { readonly name: string }> (all: readonly T[], { limit, skip = 0 }: ListFilter): Listed<T> {
    const { maxList = defaultMaxList } = this.options
    const entries = all.slice(skip, skip + Math.min(limit ?? maxList, maxList))
    const isCut = skip + entries.length < all.length && (limit === undefined || limit > maxList)
    return { entries, nextAfter: isCut ? entries.at(-1)?.name : undefined }
  }
}
