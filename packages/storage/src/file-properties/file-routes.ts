/** The routes of properties with files: downloads below the row, and addresses that files can be sent to before. */
import type { CompiledProperty, FileReference, ModelClass, OperationOptions, RemoteMethodOptions } from '@fastback/core'
import { isFileType } from '@fastback/core/connector'
import { opensWrite, optionsArgument, ownRemoteMethod, ruleOf, setRemoteMethod, withoutEndSlashes } from '@fastback/core/remote'
import type { SignedAddress } from '../driver.js'
import { sendFile } from '../download/send-file.js'
import { fileOf } from '../entries.js'
import { noFile, noObject, signatureRefused, writeRefused } from '../errors.js'
import type { StorageRequest, StorageResponse } from '../http.js'
import { defaultDownloadTimeout } from '../service.js'
import { open } from '../signed/routes.js'
import { receiveBody } from '../signed/receive-body.js'
import { admitAnnounced } from '../upload/admit.js'
import { references } from './file-references.js'
import { containerOf, type FileKeeper } from './file-keeper.js'
import type { FileLocation } from './file-location.js'
import { openToken } from './sent-file.js'
import { sentName, storedName } from './stored-name.js'

const req = { arg: 'req', type: 'object', http: { source: 'req' } } as const
const res = { arg: 'res', type: 'object', http: { source: 'res' } } as const
const inPath = (arg: string, description: string) =>
  ({ arg, type: 'string', required: true, description, http: { source: 'path' } }) as const
const bytes = { type: '*/*', schema: { type: 'string', format: 'binary' } } as const

/** What a row that its route has loaded holds. */
type LoadedRow = Readonly<Record<string, unknown>>

/**
 * Publishes what a property of a model with files offers. Rules of the model hold: a download is a method of the row
 * (`__get__photo`, READ), an address for an upload one of the model (`__upload__photo`, WRITE).
 */
export function publishFiles (place: FileLocation, isList: boolean, keeper: FileKeeper): void {
  const { Model, property: { name, definition } } = place
  if (definition.hidden === true) return
  publish(Model, `prototype.__get__${name}`, downloadRoute(name, isList), isList
    ? async function (
      this: LoadedRow, id: string, req: StorageRequest, res: StorageResponse, options?: OperationOptions
    ) {
      await mustRead(place, options ?? {})
      await download(place, keeper, references(this[name]).find(each => each.id === id), req, res)
    }
    : async function (this: LoadedRow, req: StorageRequest, res: StorageResponse, options?: OperationOptions) {
      await mustRead(place, options ?? {})
      await download(place, keeper, references(this[name])[0], req, res)
    })
  if (keeper.connector.presign !== true) return
  const upload = async (data: unknown, req: StorageRequest, options?: OperationOptions): Promise<unknown> => {
    await mustTakeFiles(place, options ?? {})
    return await address(place, keeper, data, req)
  }
  publish(Model, `__upload__${name}`, uploadRoute(name), upload)
  if (keeper.signsItself) {
    publish(Model, `__receive__${name}`, receiveRoute(name), async (token: string, req: StorageRequest, res: StorageResponse) =>
      await receive(place, keeper, token, req, res))
  }
}

function publish (Model: ModelClass, name: string, options: RemoteMethodOptions, run: unknown): void {
  const holder = name.startsWith('prototype.') ? Model.prototype as object : Model
  const own = name.replace(/^prototype\./, '')
  if (!Object.hasOwn(holder, own)) {
    Object.defineProperty(holder, own, { value: run, writable: true, configurable: true })
  }
  // Not by `remoteMethod`, which would open what the application has closed.
  if (ownRemoteMethod(Model, name) === undefined) setRemoteMethod(Model, name, options)
}

const downloadRoute = (name: string, isList: boolean): RemoteMethodOptions => ({
  description: isList ? `Sends a file of ${name}` : `Sends the file of ${name}`,
  accepts: [...isList ? [inPath('file', 'The id of the file')] : [], req, res, optionsArgument],
  http: { verb: 'get', path: isList ? `/${name}/:file` : `/${name}` },
  accessType: 'READ',
  responses: {
    200: { description: 'The file', body: bytes },
    206: { description: 'The bytes that were asked for with `Range`', body: bytes },
    304: { description: 'The file that the client has is the current one' },
    404: 'There is no such row, or it has no such file'
  }
})

const uploadRoute = (name: string): RemoteMethodOptions => ({
  description: `Gives a signed address that a file for ${name} can be sent to`,
  accepts: [
    { arg: 'data', type: 'any', required: true, description: 'An object with "name", "type" and "size" of the file', http: { source: 'body' } },
    req,
    optionsArgument
  ],
  returns: { arg: 'address', type: 'object', root: true },
  http: { verb: 'post', path: `/uploads/${name}` },
  accessType: 'WRITE',
  judgesRows: true
})

const receiveRoute = (name: string): RemoteMethodOptions => ({
  description: `Takes the file of a signed address for ${name}`,
  accepts: [{ arg: 'signature', type: 'string', required: true, description: 'What stands in the place of an access token', http: { source: 'query' } }, req, res],
  requestBody: bytes,
  returns: { arg: 'file', type: 'object', root: true },
  http: { verb: 'put', path: `/uploads/${name}` },
  accessType: 'EXECUTE',
  acls: open(`__receive__${name}`),
  responses: { 403: 'The address is not signed for this request, or not any more', 413: 'The file is too large', 415: 'The file is not of a type that is taken' }
})

async function download (
  place: FileLocation, keeper: FileKeeper, file: FileReference | undefined, req: StorageRequest, res: StorageResponse
): Promise<void> {
  const { driver, options } = await keeper.connector.storage()
  const { disposition = 'auto', downloadTimeout = defaultDownloadTimeout } = options
  const found = file === undefined ? undefined : await driver.stat(containerOf(place), storedName(file.id, file.name))
  if (file === undefined || found === undefined) throw noFile(place.property.name)
  await keeper.hooksOf(place.Model).beforeDownload({ file: fileOf({ ...found, name: file.name }), req })
  await sendFile(driver, found, req, res, { disposition, downloadTimeout, shownAs: file.name })
}

/**
 * A property that rules do not let the caller read has no file for them.
 * @throws RequestError 404
 */
async function mustRead ({ Model, property: { name } }: FileLocation, options: OperationOptions): Promise<void> {
  const rule = await ruleOf(Model.compiled, 'read', options)
  if (rule?.reads?.(name) === false) throw noFile(name)
}

/**
 * A file for a row is sent by who may write one: somebody may create rows, or change some (security.md, S-98), and may
 * set the property.
 * @throws RequestError 401, 403
 */
async function mustTakeFiles ({ Model, property }: FileLocation, options: OperationOptions): Promise<void> {
  const mayWrite = await opensWrite(Model, ['create', 'update'], options) &&
    (await maySet(Model, 'create', property.name, options) || await maySet(Model, 'update', property.name, options))
  if (!mayWrite) throw writeRefused(options.accessToken != null)
}

async function maySet (
  { compiled }: ModelClass, action: 'create' | 'update', name: string, options: OperationOptions
): Promise<boolean> {
  return (await ruleOf(compiled, action, options))?.writes?.(name) !== false
}

/** A signed address, and how the row names what is sent there: `{ "photo": { "upload": … } }`. */
async function address (
  place: FileLocation, keeper: FileKeeper, data: unknown, req: StorageRequest
): Promise<SignedAddress & { readonly upload: string }> {
  if (data === null || typeof data !== 'object' || Array.isArray(data)) throw noObject()
  const { name, type, size } = data as Readonly<Record<string, unknown>>
  const { token, file, storage } = await keeper.address(place, name, typeof type === 'string' ? type : undefined)
  const { driver, names, options } = storage
  if (driver.presign !== undefined) {
    const sent = { type: file.type, size: typeof size === 'number' ? size : undefined }
    const container = containerOf(place)
    const incoming = { container, name: file.name, type: file.type, field: place.property.name }
    await admitAnnounced(incoming, { names, options: { ...options, ...keeper.optionsOf(place) } }, sent.size, req)
    const ttl = file.expires - Math.floor(Date.now() / 1000)
    const signed = await driver.presign('PUT', container, sentName(file.id, file.name), ttl, sent)
    return { ...signed, upload: token }
  }
  const { originalUrl = req.url ?? '' } = req as StorageRequest & { readonly originalUrl?: string }
  const own = withoutEndSlashes(originalUrl.split(/[?#]/, 1)[0] as string)
  return { url: `${own}?signature=${token}`, method: 'PUT', headers: { 'content-type': file.type }, upload: token }
}

async function receive (
  place: FileLocation, keeper: FileKeeper, token: string, req: StorageRequest, res: StorageResponse
): Promise<{ readonly upload: string }> {
  const storage = await keeper.connector.storage()
  const file = openToken(keeper.connector.signer, place, token, true)
  if (file === undefined || storage.driver.presign !== undefined) throw signatureRefused()
  if ((req.headers['content-type'] ?? '') !== file.type) throw signatureRefused()
  const read = receiveBody(sentName(file.id, file.name))
  await storage.upload(containerOf(place), req, res, keeper.optionsOf(place), undefined, undefined, read)
  return { upload: token }
}

/** The properties of a model that a data source keeps the files of, as they are written. */
export function fileProperties (Model: ModelClass, storage: string): CompiledProperty[] {
  const isOurs = Object.values(Model.definition.properties).some(definition => definition.storage === storage)
  return isOurs
    ? Model.compiled.properties.filter(({ definition, type }) => definition.storage === storage && isFileType(type))
    : []
}
