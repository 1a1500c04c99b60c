/**
 * Containers of Azure Blob Storage, over Microsoft's own client, which is loaded when a data source asks for it. Blobs
 * whose names hold a slash are no files.
 */
import type { Readable } from 'node:stream'
import type * as Sdk from '@azure/storage-blob'
import type {
  AnnouncedFile, ContainerStat, FileStat, Page, ReadRange, SignedAddress, StagedFile, StageOptions, StorageDriver
} from '../driver.js'
import { conflict, containerExists, MissingPackageError, noContainer, noFile } from '../errors.js'
import { isName, type NameRules } from '../names.js'
import { translatingErrors, isRefused, unless } from './azure-errors.js'
import type { AzureSettings } from './azure-settings.js'
import { AzureStage } from './azure-stage.js'

/** Blobs of one page of a list. */
const pageSize = 1_000

export class AzureDriver implements StorageDriver {
  #sdk: typeof Sdk | undefined
  #client: Sdk.BlobServiceClient | undefined

  constructor (readonly dataSource: string, readonly settings: AzureSettings, readonly names: NameRules) {}

  /** @throws FBK_STORAGE_MISSING_PACKAGE */
  async connect (): Promise<void> {
    let sdk: typeof Sdk
    try {
      sdk = await import('@azure/storage-blob')
    } catch {
      throw new MissingPackageError(this.dataSource, 'azure', '@azure/storage-blob@12.31')
    }
    const { settings } = this
    this.#sdk = sdk
    this.#client = 'connectionString' in settings
      ? sdk.BlobServiceClient.fromConnectionString(settings.connectionString)
      : new sdk.BlobServiceClient(
        settings.endpoint, new sdk.StorageSharedKeyCredential(settings.account, settings.key)
      )
  }

  async close (): Promise<void> {
    this.#client = undefined
  }

  async containers (): Promise<ContainerStat[]> {
    const found: ContainerStat[] = []
    await translatingErrors((async () => {
      for await (const { name, properties } of this.#connected().listContainers()) {
        if (isName(name, this.names)) found.push(container(name, properties.lastModified))
      }
    })())
    return found.sort((a, b) => a.name < b.name ? -1 : 1)
  }

  async container (name: string): Promise<ContainerStat | undefined> {
    const found = await unless([400, 404], this.#connected().getContainerClient(name).getProperties())
    return found === undefined ? undefined : container(name, found.lastModified)
  }

  async create (name: string): Promise<ContainerStat> {
    try {
      const { lastModified } = await translatingErrors(this.#connected().getContainerClient(name).create())
      return container(name, lastModified)
    } catch (error) {
      if (isRefused(error, 'ContainerAlreadyExists')) throw containerExists(name)
      if (isRefused(error, 'ContainerBeingDeleted')) {
        throw conflict(`A container of the name is being removed. Try again in a minute: ${name}`, 'EBUSY')
      }
      if (isRefused(error, 'InvalidResourceName', 'OutOfRangeInput')) {
        throw conflict(`The provider takes no container of the name: ${name}`, 'NAME_REFUSED')
      }
      throw error
    }
  }

  async destroy (name: string): Promise<void> {
    if (await this.container(name) === undefined) throw noContainer(name)
    const client = this.#connected().getContainerClient(name)
    await translatingErrors((async () => {
      for await (const { kind } of client.listBlobsByHierarchy('/')) {
        if (kind === 'prefix') throw conflict(`The container holds something else than files: ${name}`, 'ENOTEMPTY')
      }
      await client.delete()
    })())
  }

  /** Azure goes on from a token alone: names before `after` are read, and left out. */
  async files (name: string, { prefix, after = '', limit = Infinity }: Page): Promise<FileStat[]> {
    const pages = this.#connected().getContainerClient(name)
      .listBlobsByHierarchy('/', prefix === undefined || prefix === '' ? {} : { prefix })
      .byPage({ maxPageSize: pageSize })
    const files: FileStat[] = []
    const found = await unless([400, 404], (async () => {
      for await (const { segment } of pages) {
        for (const { name: key, properties } of segment.blobItems) {
          if (isName(key, this.names) && (after === '' || key > after)) files.push(file(name, key, properties))
        }
        if (files.length >= limit) break
      }
      return files
    })())
    return found?.slice(0, limit) ?? []
  }

  async stat (name: string, key: string): Promise<FileStat | undefined> {
    const found = await unless([400, 404], this.#blob(name, key).getProperties())
    return found === undefined ? undefined : file(name, key, found)
  }

  async read (name: string, key: string, { start = 0, end, validator }: ReadRange): Promise<Readable> {
    const conditions = validator === undefined ? {} : { conditions: { ifMatch: `"${validator}"` } }
    const found = await unless([400, 404, 412], this.#blob(name, key).download(
      start, end === undefined ? undefined : end - start + 1, conditions
    ))
    if (found === undefined) throw noFile(key)
    // In Node it is a stream; the client's types speak for browsers, too.
    return found.readableStreamBody as Readable
  }

  async stage (name: string, key: string, options: StageOptions): Promise<StagedFile> {
    return new AzureStage(this.#blob(name, key), options)
  }

  async remove (name: string, key: string): Promise<void> {
    if (await unless([400, 404], this.#blob(name, key).delete()) === undefined) throw noFile(key)
  }

  /** A shared access signature, which takes the key of the account: a connection string without one signs nothing. */
  async presign (
    verb: 'GET' | 'PUT', name: string, key: string, ttl: number, { type }: AnnouncedFile = {}
  ): Promise<SignedAddress> {
    const blob = this.#blob(name, key)
    const expiresOn = new Date(Date.now() + ttl * 1000)
    const { BlobSASPermissions } = this.#sdk as typeof Sdk
    const url = await translatingErrors(blob.generateSasUrl(verb === 'GET'
      ? { permissions: BlobSASPermissions.parse('r'), expiresOn, contentDisposition: 'attachment' }
      : { permissions: BlobSASPermissions.parse('cw'), expiresOn }))
    return {
      url,
      method: verb,
      headers: verb === 'GET'
        ? {}
        : { 'x-ms-blob-type': 'BlockBlob', ...(type === undefined ? {} : { 'content-type': type }) }
    }
  }

  #blob (name: string, key: string): Sdk.BlockBlobClient {
    return this.#connected().getContainerClient(name).getBlockBlobClient(key)
  }

  #connected (): Sdk.BlobServiceClient {
    if (this.#client === undefined) throw new TypeError('The storage is not connected.')
    return this.#client
  }
}

const container = (name: string, changed: Date = new Date(0)): ContainerStat =>
  ({ name, size: 0, atime: changed, mtime: changed, ctime: changed })

interface BlobProperties {
  readonly contentLength?: number
  readonly lastModified?: Date
  readonly etag?: string
  readonly contentType?: string
}

function file (
  name: string, key: string, { contentLength = 0, lastModified = new Date(0), etag, contentType }: BlobProperties
): FileStat {
  const validator = etag?.replaceAll('"', '')
  return {
    container: name,
    name: key,
    size: contentLength,
    atime: lastModified,
    mtime: lastModified,
    ctime: lastModified,
    ...(validator === undefined ? {} : { validator, etag: validator }),
    ...(contentType === undefined ? {} : { type: contentType })
  }
}
