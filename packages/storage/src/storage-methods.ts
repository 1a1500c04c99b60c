/**
 * The methods of storage as models and connectors have them (storage.md, section 2): each gives a promise, or takes a
 * callback as its last argument.
 */
import { PassThrough, pipeline, type Readable, type Writable } from 'node:stream'
import { promiseOrCallback, splitCallback } from '@fastback/core/connector'
import type { Caller } from './access.js'
import type { AnnouncedFile, ReadRange, SignedAddress } from './driver.js'
import type { StoredContainer, StoredFile } from './entries.js'
import { badFilter, noObject, noUpload, signatureRefused } from './errors.js'
import type { StorageRequest, StorageResponse } from './http.js'
import type { Verb } from './resumable/exchange.js'
import type { ListFilter, Listed, Storage, StorageHooks } from './service.js'
import type { FileAccessContext, StorageOptions } from './settings.js'
import { receiveBody } from './signed/receive-body.js'
import type { SignedRequests } from './signed/signed-requests.js'
import type { UploadedForm } from './upload/receive.js'
import type { UploadedFile } from './upload/uploaded-file.js'
import { UploadStream } from './upload/upload-stream.js'

type Callback<T> = (error: unknown, result?: T) => void

/** A method in its two forms. */
type Both<Arguments extends readonly unknown[], T> = (...args: [...Arguments, Callback<T>?]) => Promise<T>

export interface StorageMethods {
  getContainers: Both<[filter?: ListFilter], StoredContainer[]>
  getContainer: Both<[container: string], StoredContainer>
  createContainer: Both<[data: { readonly name: string }], StoredContainer>
  destroyContainer: Both<[container: string], void>
  getFiles: Both<[container: string, filter?: ListFilter], StoredFile[]>
  getFile: Both<[container: string, file: string], StoredFile>
  removeFile: Both<[container: string, file: string], void>
  /** Without `container` it is `options.container`, else `req.params.container`. */
  upload: UploadMethod
  download: Both<[container: string, file: string, req: StorageRequest, res: StorageResponse], void>
  /** The requests of signed addresses, which `presignUpload` and `presignDownload` give. */
  downloadSigned: Both<[container: string, file: string, req: StorageRequest, res: StorageResponse], void>
  uploadSigned: Both<[container: string, file: string, req: StorageRequest, res: StorageResponse], UploadedFile>
  presignDownload: Both<[container: string, file: string], SignedAddress>
  /** The requests of resumable uploads (tus 1.0), where the data source takes them. They answer by headers. */
  beginUpload: Both<[container: string, req: StorageRequest, res: StorageResponse], void>
  statUpload: ResumableMethod
  continueUpload: ResumableMethod
  cancelUpload: ResumableMethod
  describeUpload: Both<[container: string, req: StorageRequest, res: StorageResponse], void>
  presignUpload: Both<[container: string, data: { readonly name: string } & AnnouncedFile], SignedAddress>
  uploadStream: (container: string, file: string, options?: StorageOptions & { contentType?: string }) => Writable
  downloadStream: (container: string, file: string, range?: { start?: number, end?: number }) => Readable
}

type ResumableMethod = Both<[container: string, upload: string, req: StorageRequest, res: StorageResponse], void>

interface UploadMethod {
  (
    container: string,
    req: StorageRequest,
    res?: StorageResponse,
    options?: UploadOptions,
    callback?: Callback<UploadedForm>
  ): Promise<UploadedForm>
  (
    req: StorageRequest, res?: StorageResponse, options?: UploadOptions, callback?: Callback<UploadedForm>
  ): Promise<UploadedForm>
}

/** Settings of one upload, and where it goes. */
export interface UploadOptions extends StorageOptions { readonly container?: string }

/** Options of an operation, of which the caller's token is wanted. */
interface CallOptions { readonly accessToken?: FileAccessContext['principal'] }

/** What a request that came to a route of the model itself is known by. */
export type CallerOf = (method: string, asked: CallOptions | StorageRequest | undefined) => Caller | undefined

const nobody: CallerOf = () => undefined

/** What stands around the methods of a model. */
export interface Surroundings {
  readonly callerOf?: CallerOf
  readonly hooks?: StorageHooks
  /** Addresses that the model signs itself. */
  readonly signed?: SignedRequests
  /** Told where a list goes on. */
  readonly tellNext?: (entries: object, nextAfter: string) => void
}

/**
 * @param storage the service, once its provider is open
 */
export function storageMethods (
  storage: () => Promise<Storage>, { callerOf = nobody, hooks, signed, tellNext }: Surroundings = {}
): StorageMethods {
  const both = <T>(run: (service: Storage, values: readonly unknown[]) => Promise<T>) =>
    (...args: unknown[]): Promise<T> => {
      const { values, callback } = splitCallback(args)
      const work = async (): Promise<T> => await run(await storage(), values)
      return promiseOrCallback(work, callback as Callback<T> | undefined) as Promise<T>
    }
  const listed = <T>({ entries, nextAfter }: Listed<T>): T[] => {
    if (nextAfter !== undefined) tellNext?.(entries, nextAfter)
    return entries
  }
  /** @param hasUpload whether the arguments name one */
  const resumable = (name: keyof StorageMethods, verb: Verb, hasUpload: boolean) => both(async (service, values) => {
    const [container, upload] = values as [string, string]
    const [req, res] = values.slice(hasUpload ? 2 : 1) as [StorageRequest, StorageResponse]
    if (service.resumable === undefined) throw noUpload()
    await service.resumable.handle({
      verb, container, upload: hasUpload ? upload : undefined, req, res, hooks, caller: callerOf(name, req)
    })
  })
  const methods = {
    getContainers: both(async (service, [filter, options]) =>
      listed(await service.getContainers(filterOf(filter), callerOf('getContainers', options as CallOptions)))),
    getContainer: both(async (service, [name, options]) =>
      await service.getContainer(name as string, callerOf('getContainer', options as CallOptions))),
    createContainer: both(async (service, [data, options]) => {
      const { name } = objectOf(data)
      return await service.createContainer(name, callerOf('createContainer', options as CallOptions))
    }),
    destroyContainer: both(async (service, [name, options]) => {
      await service.destroyContainer(name as string, callerOf('destroyContainer', options as CallOptions))
    }),
    getFiles: both(async (service, [container, filter, options]) =>
      listed(await service.getFiles(container as string, filterOf(filter), callerOf('getFiles', options as CallOptions)))),
    getFile: both(async (service, [container, file, options]) =>
      await service.getFile(container as string, file as string, callerOf('getFile', options as CallOptions))),
    removeFile: both(async (service, [container, file, options]) => {
      await service.removeFile(container as string, file as string, callerOf('removeFile', options as CallOptions))
    }),
    upload: both(async (service, values) => {
      const [container, req, res, options] = uploadArguments(values)
      return await service.upload(container, req, res, options, hooks, callerOf('upload', req))
    }),
    download: both(async (service, [container, file, req, res]) => {
      const request = req as StorageRequest
      await service.download(
        container as string,
        file as string,
        request,
        res as StorageResponse,
        hooks,
        callerOf('download', request),
        signed?.presign('download', request)
      )
    }),
    downloadSigned: both(async (service, values) => {
      const [container, file, req, res] = values as SignedArguments
      checked(signed, service, 'GET', container, file, req)
      res.setHeader('cache-control', 'private, no-cache').setHeader('referrer-policy', 'no-referrer')
      await service.download(container, file, req, res, hooks)
    }),
    uploadSigned: both(async (service, values) => {
      const [container, file, req, res] = values as SignedArguments
      checked(signed, service, 'PUT', container, file, req)
      // The name was agreed on when the address was made.
      const given = { getFilename: undefined, nameConflict: undefined }
      const { files } = await service.upload(container, req, res, given, hooks, undefined, receiveBody(file))
      return files.file?.[0] as UploadedFile
    }),
    presignDownload: both(async (service, [container, file]) =>
      await service.presign('GET', container as string, file as string, { own: signed?.presign() })),
    beginUpload: resumable('beginUpload', 'POST', false),
    statUpload: resumable('statUpload', 'HEAD', true),
    continueUpload: resumable('continueUpload', 'PATCH', true),
    cancelUpload: resumable('cancelUpload', 'DELETE', true),
    describeUpload: resumable('describeUpload', 'OPTIONS', false),
    presignUpload: both(async (service, [container, data, options, req]) => {
      const { name, type, size } = objectOf(data)
      const request = req as StorageRequest | undefined
      return await service.presign('PUT', container as string, name as string, {
        type: typeof type === 'string' ? type : undefined,
        size: typeof size === 'number' ? size : undefined,
        caller: callerOf('presignUpload', options as CallOptions),
        own: signed?.presign('presignUpload', request),
        req: request
      })
    }),
    uploadStream: (container: string, file: string, options?: StorageOptions) => new UploadStream(
      async () => await (await storage()).stage(container, file, options),
      async () => await (await storage()).getFile(container, file)
    ),
    downloadStream: (container: string, file: string, range: ReadRange = {}) =>
      readableLater(async () => await (await storage()).read(container, file, range))
  }
  return methods as unknown as StorageMethods
}

type SignedArguments = [container: string, file: string, req: StorageRequest, res: StorageResponse]

/** @throws RequestError 403 where the model signed no such address: a provider that signs is asked itself */
function checked (
  signed: SignedRequests | undefined,
  { driver }: Storage,
  verb: 'GET' | 'PUT',
  container: string,
  file: string,
  req: StorageRequest
): void {
  if (signed === undefined || driver.presign !== undefined) throw signatureRefused()
  signed.check(verb, container, file, req)
}

/** A stream of bytes that have to be asked for first. */
function readableLater (open: () => Promise<Readable>): Readable {
  const out = new PassThrough()
  open().then(
    bytes => {
      if (out.destroyed) bytes.destroy()
      else pipeline(bytes, out, () => { /* `out` has the error */ })
    },
    (error: unknown) => { out.destroy(error as Error) }
  )
  return out
}

function uploadArguments (
  values: readonly unknown[]
): [container: string, req: StorageRequest, res: StorageResponse | undefined, options: UploadOptions] {
  const isNamed = typeof values[0] === 'string' || values[0] === undefined
  const [req, res, options = {}] = (isNamed ? values.slice(1) : values) as
    [StorageRequest, StorageResponse | undefined, UploadOptions | undefined]
  const container = values[0] as string | undefined
  return [(isNamed && container) || (options.container ?? req.params?.container ?? ''), req, res, options]
}

/** @throws RequestError 400 for anything else */
function objectOf (data: unknown): Readonly<Record<string, unknown>> {
  if (data === undefined || data === null) return {}
  if (typeof data !== 'object' || Array.isArray(data)) throw noObject()
  return data as Record<string, unknown>
}

const pageNames: ReadonlySet<string> = new Set(['limit', 'skip', 'prefix', 'after'])

/**
 * A filter of a list (storage.md, SD-10).
 * @throws RequestError 400 for a filter that is none
 */
function filterOf (given: unknown): ListFilter {
  if (given === undefined || given === null) return {}
  const { limit, skip, prefix, after } = given as Record<string, unknown>
  for (const name of Object.keys(given)) {
    if (!pageNames.has(name)) throw badFilter(`has no "${name}"`)
  }
  return {
    limit: whole('limit', limit), skip: whole('skip', skip), prefix: text('prefix', prefix), after: text('after', after)
  }
}

function whole (name: string, given: unknown): number | undefined {
  if (given === undefined || given === null) return undefined
  const value = typeof given === 'string' && given !== '' ? Number(given) : given
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw badFilter(`needs a whole number as "${name}"`)
  return value as number
}

function text (name: string, given: unknown): string | undefined {
  if (given === undefined || given === null) return undefined
  if (typeof given !== 'string') throw badFilter(`needs a text as "${name}"`)
  return given
}
