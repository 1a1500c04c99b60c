import { MissingPackageError, NotResumableError } from '../errors.js'
import type { Storage } from '../service.js'
import { protocolOf } from './protocol.js'
import { ResumableUploads } from './resumable-uploads.js'

/**
 * Uploads that may go on after a cut, for a data source that says `resumable`.
 * @throws FBK_STORAGE_NOT_RESUMABLE where its provider keeps no parts, FBK_STORAGE_MISSING_PACKAGE
 */
export async function openResumable (storage: Storage, dataSource: string): Promise<ResumableUploads> {
  const { parts } = storage.driver
  if (parts === undefined) throw new NotResumableError(dataSource)
  try {
    const tus = await import('@tus/server')
    const uploads = new ResumableUploads(storage, parts, ttl => protocolOf(tus, ttl))
    await uploads.sweep()
    return uploads
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new MissingPackageError(dataSource, 'resumable', '@tus/server')
  }
}
