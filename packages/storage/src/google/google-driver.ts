/**
 * Containers as buckets of Google Cloud Storage, over Google's own client, which is loaded when a data source asks for
 * it. Objects whose names hold a slash are no files.
 */
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { FileMetadata, Storage, StorageOptions as ClientOptions } from '@google-cloud/storage'
import type {
  AnnouncedFile, ContainerStat, FileStat, Page, ReadRange, SignedAddress, StagedFile, StageOptions, StorageDriver
} from '../driver.js'
import { conflict, containerExists, MissingPackageError, noContainer, noFile, providerFault } from '../errors.js'
import { isName, type NameRules } from '../names.js'
import { GoogleStage } from './google-stage.js'

/** Objects of one page of a list. */
const pageSize = 1_000

export class GoogleDriver implements StorageDriver {
  #client: Storage | undefined

  constructor (readonly dataSource: string, readonly settings: ClientOptions, readonly names: NameRules) {}

  /** @throws FBK_STORAGE_MISSING_PACKAGE */
  async connect (): Promise<void> {
    let sdk: typeof import('@google-cloud/storage')
    try {
      sdk = await import('@google-cloud/storage')
    } catch {
      throw new MissingPackageError(this.dataSource, 'google', '@google-cloud/storage@7')
    }
    this.#client = new sdk.Storage(this.settings)
  }

  async close (): Promise<void> {
    this.#client = undefined
  }

  async containers (): Promise<ContainerStat[]> {
    const [buckets] = await asked(this.#connected().getBuckets())
    return buckets
      .filter(({ name }) => isName(name, this.names))
      .map(({ name, metadata }) => container(name, metadata.timeCreated))
      .sort((a, b) => a.name < b.name ? -1 : 1)
  }

  /** Names of buckets are the whole world's: somebody else's is not there. */
  async container (name: string): Promise<ContainerStat | undefined> {
    const found = await unless([400, 403, 404], this.#connected().bucket(name).getMetadata())
    return found === undefined ? undefined : container(name, found[0].timeCreated)
  }

  async create (name: string): Promise<ContainerStat> {
    try {
      const [{ metadata }] = await this.#connected().createBucket(name)
      return container(name, metadata.timeCreated)
    } catch (error) {
      if (statusOf(error) === 409) throw containerExists(name)
      if (statusOf(error) === 400) throw conflict(`The provider takes no container of the name: ${name}`, 'NAME_REFUSED')
      throw providerFault('Google Cloud Storage', error)
    }
  }

  async destroy (name: string): Promise<void> {
    if (await this.container(name) === undefined) throw noContainer(name)
    const bucket = this.#connected().bucket(name)
    const [, , answer] = await asked(bucket.getFiles({ delimiter: '/', autoPaginate: false, maxResults: pageSize }))
    if (prefixesOf(answer).length > 0) throw conflict(`The container holds something else than files: ${name}`, 'ENOTEMPTY')
    for (;;) {
      const [files] = await asked(bucket.getFiles({ autoPaginate: false, maxResults: sideBySide }))
      if (files.length === 0) break
      await asked(Promise.all(files.map(async each => await each.delete({ ignoreNotFound: true }))))
    }
    await asked(bucket.delete())
  }

  async files (name: string, { prefix, after = '', limit = Infinity }: Page): Promise<FileStat[]> {
    const bucket = this.#connected().bucket(name)
    const files: FileStat[] = []
    let pageToken: string | undefined
    do {
      const query = { delimiter: '/', prefix, pageToken, startOffset: after, autoPaginate: false, maxResults: pageSize }
      const found = await unless([400, 403, 404], bucket.getFiles(withoutNothing(query)))
      if (found === undefined) return []
      const [page, next] = found
      for (const { name: key, metadata } of page) {
        // Google lists from a name on, that one included.
        if (key !== after && isName(key, this.names)) files.push(file(name, key, metadata))
      }
      pageToken = (next as { readonly pageToken?: string } | null)?.pageToken
    } while (pageToken !== undefined && files.length < limit)
    return files.slice(0, limit)
  }

  async stat (name: string, key: string): Promise<FileStat | undefined> {
    const found = await unless([403, 404], this.#connected().bucket(name).file(key).getMetadata())
    return found === undefined ? undefined : file(name, key, found[0])
  }

  /** The validator is the object's generation, so that Google itself reads no other. */
  async read (name: string, key: string, { start, end, validator }: ReadRange): Promise<Readable> {
    const generation = validator === undefined ? {} : { generation: validator }
    const bytes = this.#connected().bucket(name).file(key, generation).createReadStream({
      // What is stored is what is sent, and as long as the object says.
      decompress: false,
      ...(start === undefined ? {} : { start }),
      ...(end === undefined ? {} : { start: start ?? 0, end })
    })
    try {
      await answered(bytes)
    } catch (error) {
      bytes.on('error', () => {}).destroy()
      if (statusOf(error) === 404 || statusOf(error) === 403) throw noFile(key)
      throw providerFault('Google Cloud Storage', error)
    }
    return bytes
  }

  async stage (name: string, key: string, options: StageOptions): Promise<StagedFile> {
    return new GoogleStage(this.#connected().bucket(name).file(key), options)
  }

  async remove (name: string, key: string): Promise<void> {
    if (await unless([403, 404], this.#connected().bucket(name).file(key).delete()) === undefined) throw noFile(key)
  }

  /** Signed with the key of the service account (V4), or by Google where there is none at hand. */
  async presign (
    verb: 'GET' | 'PUT', name: string, key: string, ttl: number, { type, size }: AnnouncedFile = {}
  ): Promise<SignedAddress> {
    const expires = Date.now() + ttl * 1000
    // The store refuses what is larger; it must be sent as it was signed.
    const range: Record<string, string> = size === undefined ? {} : { 'x-goog-content-length-range': `0,${size}` }
    const [url] = await asked(this.#connected().bucket(name).file(key).getSignedUrl({
      version: 'v4',
      expires,
      ...(verb === 'GET'
        ? { action: 'read', responseDisposition: 'attachment' }
        : { action: 'write', ...(type === undefined ? {} : { contentType: type }), extensionHeaders: range })
    }))
    const headers = verb === 'GET' ? {} : { ...(type === undefined ? {} : { 'content-type': type }), ...range }
    return { url, method: verb, headers }
  }

  #connected (): Storage {
    if (this.#client === undefined) throw new TypeError('The storage is not connected.')
    return this.#client
  }
}

/** Objects removed side by side. */
const sideBySide = 50

const container = (name: string, made: string | undefined): ContainerStat => {
  const date = new Date(made ?? 0)
  return { name, size: 0, atime: date, mtime: date, ctime: date }
}

function file (
  name: string, key: string, { size = 0, updated, generation, etag, contentType }: FileMetadata
): FileStat {
  const changed = new Date(updated ?? 0)
  return {
    container: name,
    name: key,
    size: Number(size),
    atime: changed,
    mtime: changed,
    ctime: changed,
    ...(generation === undefined ? {} : { validator: String(generation) }),
    ...(etag === undefined ? {} : { etag }),
    ...(contentType === undefined ? {} : { type: contentType })
  }
}

const statusOf = (error: unknown): number => Number((error as { readonly code?: unknown } | null)?.code)

/** Nothing of what the client says of an error is for those who ask here. */
async function asked<T> (work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw providerFault('Google Cloud Storage', error)
  }
}

async function unless<T> (statuses: readonly number[], work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (statuses.includes(statusOf(error))) return undefined
    throw providerFault('Google Cloud Storage', error)
  }
}

const prefixesOf = (answer: unknown): readonly string[] =>
  (answer as { readonly prefixes?: readonly string[] } | undefined)?.prefixes ?? []

/** The client hands on every member of a query, and writes "undefined" for it. */
const withoutNothing = (query: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined && value !== ''))

/** Until the bytes come: what is not there is known before. */
async function answered (bytes: Readable): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    bytes.once('error', reject)
    bytes.once('response', ({ statusCode = 200 }: IncomingMessage) => {
      // A response that is an error is read by the client, which then says so.
      if (statusCode >= 400) return
      bytes.off('error', reject)
      resolve()
    })
    // The client asks when somebody wants to read.
    bytes.read(0)
  })
}
