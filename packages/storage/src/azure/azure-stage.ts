import { randomBytes } from 'node:crypto'
import type { BlockBlobClient, BlockBlobCommitBlockListOptions } from '@azure/storage-blob'
import type { StagedFile, StageOptions } from '../driver.js'
import { conflict, noContainer } from '../errors.js'
import { Parts } from '../parts.js'
import { translatingErrors, isRefused } from './azure-errors.js'

/** Bytes of a block. A blob has at most 50,000 of them: 195 GiB. */
const blockSize = 4 * 1024 * 1024

/**
 * A blob on its way: blocks go to the store as they fill, and the blob appears when the list of its blocks is committed
 * (storage.md, SS-08). What fits in one block is put in one request.
 *
 * Blocks of an upload that is given up belong to no blob: nobody can list or read them, and Azure removes them with the
 * next commit of the name, or after a week. There is no request that would.
 */
export class AzureStage implements StagedFile {
  readonly writable: Parts
  readonly #headers: Pick<BlockBlobCommitBlockListOptions, 'blobHTTPHeaders' | 'tier'>
  readonly #stop = new AbortController()
  readonly #blocks: string[] = []
  /** Two uploads of one name at a time must not take each other's blocks. */
  readonly #mark = randomBytes(12).toString('hex')
  #isOver = false

  constructor (readonly blob: BlockBlobClient, { type, settings = {} }: StageOptions) {
    const { CacheControl: cacheControl, StorageClass: tier } = settings
    this.#headers = {
      blobHTTPHeaders: {
        blobContentType: type ?? 'application/octet-stream',
        ...(typeof cacheControl === 'string' ? { blobCacheControl: cacheControl } : {})
      },
      ...(typeof tier === 'string' ? { tier } : {})
    }
    this.writable = new Parts(blockSize, { take: async part => { await this.#stage(part) } })
  }

  async check (): Promise<void> {}

  async commit (): Promise<{ readonly providerResponse: unknown }> {
    const rest = this.writable.rest()
    try {
      if (this.#blocks.length > 0 && rest.length > 0) await this.#stage(rest)
      const { etag } = await translatingErrors(this.#blocks.length === 0
        ? this.blob.upload(rest, rest.length, this.#headers)
        : this.blob.commitBlockList(this.#blocks, this.#headers))
      this.#isOver = true
      this.writable.destroy()
      return { providerResponse: { etag: etag?.replaceAll('"', '') } }
    } catch (error) {
      throw this.#failed(error)
    }
  }

  async abort (): Promise<void> {
    if (this.#isOver) return
    this.#isOver = true
    this.#stop.abort()
    this.writable.on('error', () => {}).destroy()
  }

  async #stage (part: Buffer): Promise<void> {
    const id = Buffer.from(`${this.#mark}-${String(this.#blocks.length).padStart(6, '0')}`).toString('base64')
    try {
      await translatingErrors(this.blob.stageBlock(id, part, part.length, { abortSignal: this.#stop.signal }))
    } catch (error) {
      throw this.#failed(error)
    }
    this.#blocks.push(id)
  }

  #failed (error: unknown): unknown {
    if (isRefused(error, 'ContainerNotFound')) return noContainer(this.blob.containerName)
    // A commit of the name lets go of the blocks of all others.
    return isRefused(error, 'InvalidBlockList')
      ? conflict(`Another upload of the name was faster: ${this.blob.name}`, 'CHANGED_MEANWHILE')
      : error
  }
}
