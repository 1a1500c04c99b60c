/** Looks at a file that somebody wants to store, before its bytes are taken. */
import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { checkDeclaredType, fileTooLarge } from '@fastback/rest/multipart'
import { sizeRequired } from '../errors.js'
import type { StorageRequest, StorageResponse } from '../http.js'
import { checkName } from '../names.js'
import type { IncomingFile, PerUpload, PerUploadFunction, StorageOptions } from '../settings.js'
import type { Receiver } from './receiver.js'

/** The type of files that came without one (RFC 9110, section 8.3). */
export const anyType = 'application/octet-stream'

/** Bytes of a file, unless the data source says otherwise. */
export const defaultFileSize = 10 * 1024 * 1024

/** What the settings say of one file before its first byte. */
export interface Admitted {
  /** The name that it is stored under. */
  readonly name: string
  readonly acl: string | undefined
  /** Bytes. */
  readonly maxFileSize: number
}

/**
 * Looks at the name and the declared type of a file that somebody wants to store.
 * @throws RequestError 400 INVALID_NAME, 415 CONTENT_TYPE_NOT_ALLOWED
 */
export async function admit (
  incoming: IncomingFile,
  { names, options }: Pick<Receiver, 'names' | 'options'>,
  req: StorageRequest,
  res: StorageResponse | undefined
): Promise<Admitted> {
  checkName('file', incoming.name, names)
  const valueOf = <T>(option: PerUpload<T> | undefined): T | Promise<T> | undefined =>
    typeof option === 'function' ? (option as PerUploadFunction<T>)(incoming, req, res) : option
  const name = await nameFor(incoming, options, req, res)
  checkName('file', name, names)
  const acl = await valueOf(options.acl)
  const maxFileSize = await valueOf(options.maxFileSize) ?? defaultFileSize
  checkDeclaredType(incoming.type, await valueOf(options.allowedContentTypes) ?? [])
  return { name, acl, maxFileSize }
}

/**
 * Looks at what is said of a file that goes to the provider past this server, where its bytes cannot be looked at.
 * @param size bytes
 * @throws RequestError 400 INVALID_NAME, 400 SIZE_REQUIRED, 413, 415 CONTENT_TYPE_NOT_ALLOWED
 */
export async function admitAnnounced (
  incoming: IncomingFile,
  { names, options }: Pick<Receiver, 'names' | 'options'>,
  size: number | undefined,
  req: StorageRequest | undefined
): Promise<void> {
  // The name was chosen already.
  const kept = { ...options, getFilename: undefined, nameConflict: undefined }
  const { maxFileSize } = await admit(incoming, { names, options: kept }, req as StorageRequest, undefined)
  if (size === undefined || !Number.isSafeInteger(size) || size < 0) throw sizeRequired()
  if (size > maxFileSize) throw fileTooLarge(maxFileSize)
}

async function nameFor (
  file: IncomingFile,
  { getFilename, nameConflict }: StorageOptions,
  req: StorageRequest,
  res: StorageResponse | undefined
): Promise<string> {
  if (typeof getFilename === 'function') return await getFilename(file, req, res)
  return nameConflict === 'makeUnique' ? randomUUID() + path.extname(file.name) : file.name
}
