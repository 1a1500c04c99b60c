import { pipeline } from 'node:stream/promises'
import type { Transform } from 'node:stream'
import type { PartStore } from '../driver.js'
import type { StorageRequest } from '../http.js'
import { checkName } from '../names.js'
import type { Storage, StorageHooks } from '../service.js'
import { ByteCount } from '../upload/checked-bytes.js'
import type { UploadedFile } from '../upload/uploaded-file.js'
import type { UploadRecord } from './record.js'

export interface CompleteUpload {
  readonly storage: Storage
  readonly parts: PartStore
  readonly id: string
  readonly record: UploadRecord
  /** Whether the file has its place, and only those who want to hear of it have not. */
  readonly isPlaced: boolean
  readonly req: StorageRequest
  readonly hooks: StorageHooks | undefined
}

/**
 * Makes a file of an upload whose bytes are all there. What is about to be is written down before it is done, so that
 * anyone who comes after a killed process goes on where it stopped. An error of the request ends the upload; what the
 * server could not do is tried again with the next request.
 */
export async function finish (whole: CompleteUpload): Promise<UploadedFile> {
  const { parts, id, record, isPlaced, req, hooks } = whole
  const keep = async (more: Partial<UploadRecord>): Promise<void> => {
    await parts.update(id, JSON.stringify({ ...record, ...more }))
  }
  try {
    const uploaded = isPlaced ? record.uploaded as UploadedFile : await store(whole, keep)
    await hooks?.afterUpload({ file: uploaded, req })
    await keep({ uploaded, isOver: true })
    return uploaded
  } catch (error) {
    const { statusCode } = error as { readonly statusCode?: number }
    if (statusCode !== undefined && statusCode < 500) await parts.remove(id)
    throw error
  }
}

async function store (
  { storage: { driver, names, options }, parts, id, record, req, hooks }: CompleteUpload,
  keep: (more: Partial<UploadRecord>) => Promise<void>
): Promise<UploadedFile> {
  const { container, type, given, acl, size } = record
  const through: Transform[] = []
  const file = { name: record.name, type, field: 'file', ...(record.name === given ? {} : { originalFilename: given }) }
  await hooks?.beforeUpload({ container, file, req, pipeThrough: transform => { through.push(transform) } })
  checkName('file', file.name, names)
  const uploaded = (stored: number): UploadedFile => ({
    container,
    name: file.name,
    type,
    field: file.field,
    ...(file.name === given ? {} : { originalFilename: given }),
    ...(acl === undefined ? {} : { acl }),
    size: stored
  })
  if (through.length === 0) {
    await keep({ uploaded: uploaded(size) })
    await parts.place(id, container, file.name)
    return uploaded(size)
  }
  const settings = options as Readonly<Record<string, unknown>>
  const staged = await driver.stage(container, file.name, { type, acl, settings })
  const count = new ByteCount()
  try {
    await pipeline([parts.read(id, {}), ...through, count, staged.writable])
    await staged.commit()
  } catch (error) {
    await staged.abort()
    throw error
  }
  await keep({ uploaded: uploaded(count.size) })
  await parts.drop(id)
  return uploaded(count.size)
}
