/**
 * Containers as buckets of Amazon S3 and what speaks its protocol (MinIO, R2, Spaces, Ceph …), over the AWS SDK, which
 * is loaded when a data source asks for it. Objects whose keys hold a slash are no files.
 */
import type { Readable } from 'node:stream'
import type * as Sdk from '@aws-sdk/client-s3'
import type {
  AnnouncedFile, ContainerStat, FileStat, Page, ReadRange, SignedAddress, StagedFile, StageOptions, StorageDriver
} from '../driver.js'
import { conflict, containerExists, MissingPackageError, noContainer, noFile } from '../errors.js'
import { isName, type NameRules } from '../names.js'
import type { S3Settings } from './s3-settings.js'
import { S3Stage } from './s3-stage.js'

/** Keys of one page of a list, and of one request that removes. */
const pageSize = 1_000

export class S3Driver implements StorageDriver {
  #sdk: typeof Sdk | undefined
  #client: Sdk.S3Client | undefined

  constructor (readonly dataSource: string, readonly settings: S3Settings, readonly names: NameRules) {}

  /** @throws FBK_STORAGE_MISSING_PACKAGE */
  async connect (): Promise<void> {
    try {
      this.#sdk = await import('@aws-sdk/client-s3')
    } catch {
      throw new MissingPackageError(this.dataSource, 'amazon', '@aws-sdk/client-s3')
    }
    this.#client = new this.#sdk.S3Client(this.settings.client)
  }

  async close (): Promise<void> {
    this.#client?.destroy()
    this.#client = undefined
  }

  async containers (): Promise<ContainerStat[]> {
    const { sdk, client } = this.#connected()
    const { Buckets = [] } = await client.send(new sdk.ListBucketsCommand({}))
    return Buckets
      .filter(({ Name }) => isName(Name, this.names))
      .map(({ Name, CreationDate }) => container(Name as string, CreationDate))
      .sort((a, b) => a.name < b.name ? -1 : 1)
  }

  async container (name: string): Promise<ContainerStat | undefined> {
    const { sdk, client } = this.#connected()
    try {
      await client.send(new sdk.HeadBucketCommand({ Bucket: name }))
    } catch (error) {
      if (isMissing(error)) return undefined
      throw error
    }
    // When it was made stands in the list alone.
    const { Buckets = [] } = await client.send(new sdk.ListBucketsCommand({ Prefix: name }))
    return container(name, Buckets.find(({ Name }) => Name === name)?.CreationDate)
  }

  async create (name: string): Promise<ContainerStat> {
    const { sdk, client } = this.#connected()
    // Some stores make a bucket of one's own a second time, and say nothing.
    if (await this.container(name) !== undefined) throw containerExists(name)
    try {
      await client.send(new sdk.CreateBucketCommand({ Bucket: name }))
    } catch (error) {
      if (isNamed(error, 'BucketAlreadyOwnedByYou', 'BucketAlreadyExists')) throw containerExists(name)
      if (isNamed(error, 'InvalidBucketName')) throw conflict(`The provider takes no container of the name: ${name}`, 'NAME_REFUSED')
      throw error
    }
    return container(name, new Date())
  }

  async destroy (name: string): Promise<void> {
    const { sdk, client } = this.#connected()
    if (await this.container(name) === undefined) throw noContainer(name)
    const { CommonPrefixes = [] } = await client.send(new sdk.ListObjectsV2Command({ Bucket: name, Delimiter: '/' }))
    if (CommonPrefixes.length > 0) throw conflict(`The container holds something else than files: ${name}`, 'ENOTEMPTY')
    for (;;) {
      const { Contents = [] } = await client.send(new sdk.ListObjectsV2Command({ Bucket: name, MaxKeys: pageSize }))
      if (Contents.length === 0) break
      const Objects = Contents.map(({ Key }) => ({ Key: Key as string }))
      await client.send(new sdk.DeleteObjectsCommand({ Bucket: name, Delete: { Objects, Quiet: true } }))
    }
    await client.send(new sdk.DeleteBucketCommand({ Bucket: name }))
  }

  async files (name: string, { prefix, after, limit = Infinity }: Page): Promise<FileStat[]> {
    const { sdk, client } = this.#connected()
    const files: FileStat[] = []
    let token: string | undefined
    do {
      let page: Sdk.ListObjectsV2CommandOutput
      try {
        page = await client.send(new sdk.ListObjectsV2Command({
          Bucket: name,
          Delimiter: '/',
          Prefix: prefix,
          StartAfter: after,
          ContinuationToken: token,
          MaxKeys: pageSize
        }))
      } catch (error) {
        if (isMissing(error)) return []
        throw error
      }
      for (const { Key, Size, LastModified, ETag } of page.Contents ?? []) {
        if (isName(Key, this.names)) files.push(file(name, Key, Size, LastModified, ETag))
      }
      token = page.IsTruncated === true ? page.NextContinuationToken : undefined
    } while (token !== undefined && files.length < limit)
    return files.slice(0, limit)
  }

  async stat (name: string, key: string): Promise<FileStat | undefined> {
    const { sdk, client } = this.#connected()
    try {
      const head = await client.send(new sdk.HeadObjectCommand({ Bucket: name, Key: key }))
      return file(name, key, head.ContentLength, head.LastModified, head.ETag, head.ContentType)
    } catch (error) {
      if (isMissing(error)) return undefined
      throw error
    }
  }

  async read (name: string, key: string, { start, end, validator }: ReadRange): Promise<Readable> {
    const { sdk, client } = this.#connected()
    try {
      const { Body, ETag } = await client.send(new sdk.GetObjectCommand({
        Bucket: name,
        Key: key,
        Range: start === undefined && end === undefined ? undefined : `bytes=${String(start ?? 0)}-${end === undefined ? '' : String(end)}`
      }))
      const bytes = Body as Readable
      // Compared here: not every store that speaks S3 knows `If-Match`.
      if (validator === undefined || ETag?.replaceAll('"', '') === validator) return bytes
      bytes.on('error', () => {}).destroy()
    } catch (error) {
      if (!isMissing(error)) throw error
    }
    throw noFile(key)
  }

  async stage (name: string, key: string, options: StageOptions): Promise<StagedFile> {
    const { sdk, client } = this.#connected()
    return new S3Stage(sdk, client, { Bucket: name, Key: key }, options)
  }

  async remove (name: string, key: string): Promise<void> {
    const { sdk, client } = this.#connected()
    if (await this.stat(name, key) === undefined) throw noFile(key)
    await client.send(new sdk.DeleteObjectCommand({ Bucket: name, Key: key }))
  }

  /** @throws FBK_STORAGE_MISSING_PACKAGE */
  async presign (
    verb: 'GET' | 'PUT', name: string, key: string, ttl: number, { type, size }: AnnouncedFile = {}
  ): Promise<SignedAddress> {
    const { sdk, client } = this.#connected()
    let presigner: typeof import('@aws-sdk/s3-request-presigner')
    try {
      presigner = await import('@aws-sdk/s3-request-presigner')
    } catch {
      throw new MissingPackageError(this.dataSource, 'amazon', '@aws-sdk/s3-request-presigner')
    }
    const at = { Bucket: name, Key: key }
    const command = verb === 'GET'
      ? new sdk.GetObjectCommand({ ...at, ResponseContentDisposition: 'attachment' })
      : new sdk.PutObjectCommand({ ...at, ContentType: type, ContentLength: size })
    // What is signed has to be sent: nobody stores something else than was asked for.
    const signableHeaders = new Set([
      ...(type === undefined ? [] : ['content-type']), ...(size === undefined ? [] : ['content-length'])
    ])
    const settings = { expiresIn: ttl, signableHeaders }
    const url = await presigner.getSignedUrl(client, command as Sdk.GetObjectCommand, settings)
    return { url, method: verb, headers: verb === 'PUT' && type !== undefined ? { 'content-type': type } : {} }
  }

  #connected (): { readonly sdk: typeof Sdk, readonly client: Sdk.S3Client } {
    if (this.#sdk === undefined || this.#client === undefined) {
      throw new TypeError('The storage is not connected.')
    }
    return { sdk: this.#sdk, client: this.#client }
  }
}

const container = (name: string, made: Date = new Date(0)): ContainerStat =>
  ({ name, size: 0, atime: made, mtime: made, ctime: made })

function file (
  name: string, key: string, size = 0, changed: Date = new Date(0), etag: string | undefined, type?: string
): FileStat {
  const validator = etag?.replaceAll('"', '')
  return {
    container: name,
    name: key,
    size,
    atime: changed,
    mtime: changed,
    ctime: changed,
    ...(validator === undefined ? {} : { validator, etag: validator }),
    ...(type === undefined ? {} : { type })
  }
}

const statusOf = (error: unknown): number | undefined =>
  (error as { $metadata?: { httpStatusCode?: number } } | undefined)?.$metadata?.httpStatusCode

const isNamed = (error: unknown, ...names: string[]): boolean =>
  names.includes((error as { name?: string } | undefined)?.name ?? '')

const isMissing = (error: unknown): boolean =>
  statusOf(error) === 404 || isNamed(error, 'NotFound', 'NoSuchKey', 'NoSuchBucket')
