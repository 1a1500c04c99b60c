import { Writable } from 'node:stream'
import type * as Sdk from '@aws-sdk/client-s3'
import type { StagedFile, StageOptions } from '../driver.js'
import { noContainer } from '../errors.js'

/** Bytes of a part: the least that S3 takes of all but the last. */
const partSize = 5 * 1024 * 1024

interface Place { readonly Bucket: string, readonly Key: string }

/** Per upload settings that are handed on as they are (storage.md, ST-04). */
const handedOn = [
  'StorageClass', 'CacheControl', 'ServerSideEncryption', 'SSEKMSKeyId', 'SSECustomerAlgorithm', 'SSECustomerKey',
  'SSECustomerKeyMD5'
] as const

/**
 * An object on its way: parts go to the store as they fill, and the object appears when the upload is completed
 * (storage.md, SS-08). What fits in one part is put in one request.
 */
export class S3Stage implements StagedFile {
  readonly writable: Writable
  readonly #input: Sdk.PutObjectCommandInput
  #chunks: Buffer[] = []
  #bytes = 0
  #uploadId: string | undefined
  readonly #parts: Sdk.CompletedPart[] = []
  #isOver = false

  constructor (readonly sdk: typeof Sdk, readonly client: Sdk.S3Client, readonly place: Place, options: StageOptions) {
    const given = options.settings ?? {}
    this.#input = {
      ...place,
      ContentType: options.type,
      ACL: options.acl as Sdk.ObjectCannedACL | undefined,
      ...Object.fromEntries(handedOn.filter(name => given[name] !== undefined).map(name => [name, given[name]]))
    }
    this.writable = new Writable({
      write: (chunk: Buffer, _encoding, done) => { this.#take(chunk).then(() => { done() }, done) },
      final: done => {
        const last = this.#uploadId === undefined ? Promise.resolve() : this.#send()
        last.then(() => { done() }, done)
      }
    })
  }

  async check (): Promise<void> {}

  async commit (): Promise<{ readonly providerResponse: unknown }> {
    const { sdk, client, place } = this
    const response = this.#uploadId === undefined
      ? await client.send(new sdk.PutObjectCommand({ ...this.#input, Body: Buffer.concat(this.#chunks, this.#bytes) }))
      : await client.send(new sdk.CompleteMultipartUploadCommand({
        ...place, UploadId: this.#uploadId, MultipartUpload: { Parts: this.#parts }
      }))
    this.#isOver = true
    this.#chunks = []
    const { ETag, VersionId } = response
    return { providerResponse: { etag: ETag?.replaceAll('"', ''), ...(VersionId === undefined ? {} : { versionId: VersionId }) } }
  }

  async abort (): Promise<void> {
    if (this.#isOver) return
    this.#isOver = true
    this.#chunks = []
    this.writable.on('error', () => {}).destroy()
    await this.#opening?.catch(() => {})
    if (this.#uploadId === undefined) return
    await this.client.send(new this.sdk.AbortMultipartUploadCommand({ ...this.place, UploadId: this.#uploadId }))
  }

  #opening: Promise<void> | undefined

  async #take (chunk: Buffer): Promise<void> {
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    if (this.#bytes < partSize) return
    this.#opening ??= this.#open()
    await this.#opening
    await this.#send()
  }

  async #open (): Promise<void> {
    try {
      const { UploadId } = await this.client.send(new this.sdk.CreateMultipartUploadCommand(this.#input))
      this.#uploadId = UploadId
    } catch (error) {
      throw (error as { name?: string }).name === 'NoSuchBucket' ? noContainer(this.place.Bucket) : error
    }
  }

  async #send (): Promise<void> {
    if (this.#bytes === 0) return
    const Body = Buffer.concat(this.#chunks, this.#bytes)
    this.#chunks = []
    this.#bytes = 0
    const PartNumber = this.#parts.length + 1
    const { ETag } = await this.client.send(new this.sdk.UploadPartCommand({
      ...this.place, UploadId: this.#uploadId, PartNumber, Body
    }))
    this.#parts.push({ ETag, PartNumber })
  }
}
