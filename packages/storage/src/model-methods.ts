/** Gives models the methods of storage, with their routes (storage.md, section 2). */
import { isRemote, type HttpRoute, type ModelClass, type OperationOptions, type RemoteHook, type RemoteMethodOptions } from '@fastback/core'
import { addRemoteHook, closeRowMethods, ownRemoteMethod, setRemoteMethod } from '@fastback/core/remote'
import type { Caller } from './access.js'
import { invalidName } from './errors.js'
import type { StorageRequest } from './http.js'
import { resumableRoutes } from './resumable/routes.js'
import type { StorageConnector } from './storage-connector.js'
import { signsItself } from './providers.js'
import { signedRoutes } from './signed/routes.js'
import { SignedRequests } from './signed/signed-requests.js'
import { storageMethods, type CallerOf, type StorageMethods } from './storage-methods.js'
import type { StorageHooks } from './service.js'

const container = { arg: 'container', type: 'string', required: true, http: { source: 'path' } } as const
const file = { arg: 'file', type: 'string', required: true, http: { source: 'path' } } as const
const filter = {
  arg: 'filter',
  type: 'object',
  description: 'Part of the list: "limit", "skip", "prefix" (what names begin with), "after" (a name to go on after)',
  http: { source: 'query' }
} as const
/** Any value: what is wrong with it is a 400 here (ST-24, SD-1). */
const named = { arg: 'data', type: 'any', required: true, description: 'An object with a "name"', http: { source: 'body' } } as const
const options = { arg: 'options', type: 'object', http: 'optionsFromRequest' } as const
const req = { arg: 'req', type: 'object', http: { source: 'req' } } as const
const res = { arg: 'res', type: 'object', http: { source: 'res' } } as const
const entry = { type: 'object', root: true } as const
/** 200 with an empty object, as the original answers (ST-13). */
const nothing = { arg: 'result', type: 'object' } as const
const entries = { type: ['object'], root: true } as const

/** What every response with a file, or with nothing new of it, says of it (SD-9). */
const validators = {
  ETag: 'The state of the file',
  'Last-Modified': 'When the file was written',
  'Accept-Ranges': 'The unit of `Range`: bytes'
} as const
const contentRange = { 'Content-Range': 'Which bytes these are, and of how many: bytes 0-4/10; bytes */10' } as const
/** The bytes, of the type that the name of the file says (ST-40). */
const bytes = { type: '*/*', schema: { type: 'string', format: 'binary' } } as const
const described = {
  ...validators,
  'Content-Disposition': 'The name of the file, and whether it may be shown in its place'
} as const

/** Access types are those of the original: what changes something is EXECUTE (ST-60). */
const routes = {
  getContainers: {
    description: 'Lists the containers',
    accepts: [filter, options],
    returns: { arg: 'containers', ...entries },
    http: { verb: 'get', path: '/' },
    accessType: 'READ'
  },
  createContainer: {
    description: 'Makes a container of the given name',
    accepts: [named, options],
    returns: { arg: 'container', ...entry },
    http: { verb: 'post', path: '/' },
    accessType: 'EXECUTE',
    responses: { 409: 'There is such a container already' }
  },
  getContainer: {
    description: 'Tells about a container',
    accepts: [container, options],
    returns: { arg: 'container', ...entry },
    http: { verb: 'get', path: '/:container' },
    accessType: 'READ'
  },
  destroyContainer: {
    description: 'Removes a container with its files',
    accepts: [container, options],
    returns: nothing,
    http: { verb: 'delete', path: '/:container' },
    accessType: 'EXECUTE',
    responses: { 409: 'The container holds something else than files' }
  },
  getFiles: {
    description: 'Lists the files of a container',
    accepts: [container, filter, options],
    returns: { arg: 'files', ...entries },
    http: { verb: 'get', path: '/:container/files' },
    accessType: 'READ'
  },
  getFile: {
    description: 'Tells about a file',
    accepts: [container, file, options],
    returns: { arg: 'file', ...entry },
    http: { verb: 'get', path: '/:container/files/:file' },
    accessType: 'READ'
  },
  removeFile: {
    description: 'Removes a file',
    accepts: [container, file, options],
    returns: nothing,
    http: { verb: 'delete', path: '/:container/files/:file' },
    accessType: 'EXECUTE'
  },
  upload: {
    description: 'Takes the files of a form (multipart/form-data)',
    accepts: [container, req, res],
    requestBody: {
      type: 'multipart/form-data',
      schema: {
        type: 'object',
        properties: { file: { type: 'array', items: { type: 'string', format: 'binary' } } },
        // Files and texts may have any name.
        additionalProperties: {
          anyOf: [
            { type: 'string', format: 'binary' },
            { type: 'array', items: { type: 'string', format: 'binary' } },
            { type: 'string' },
            { type: 'array', items: { type: 'string' } }
          ]
        }
      }
    },
    returns: { arg: 'result', type: 'object' },
    http: { verb: 'post', path: '/:container/upload' },
    accessType: 'EXECUTE',
    responses: {
      409: 'Something that is no file is in the way of a file',
      413: 'A file, a field or the form is too large, or there are too many of them',
      415: 'The body is no form with files, or a file is not of a type that is taken',
      503: 'Too many uploads at a time',
      507: 'There is no room left'
    }
  },
  download: {
    description: 'Sends a file',
    accepts: [container, file, req, res],
    http: { verb: 'get', path: '/:container/download/:file' },
    accessType: 'READ',
    responses: {
      200: { description: 'The file', headers: described, body: bytes },
      206: {
        description: 'The bytes that were asked for with `Range`',
        headers: { ...described, ...contentRange },
        body: bytes
      },
      304: { description: 'The file that the client has is the current one', headers: validators },
      412: 'A condition does not hold',
      416: { description: 'None of the bytes that were asked for is there', headers: contentRange }
    }
  }
} as const satisfies Record<string, RemoteMethodOptions>

/** Rules and hooks for `upload` hold for it, and closing that closes it (security.md, S-98). */
const presignUpload: RemoteMethodOptions & { readonly http: HttpRoute } = {
  aliases: ['upload'],
  description: 'Gives a signed address that one file can be sent to',
  accepts: [container, { ...named, description: 'An object with "name", "type" and "size" of the file' }, options, req],
  returns: { arg: 'address', ...entry },
  http: { verb: 'post', path: '/:container/presign-upload' },
  accessType: 'EXECUTE'
}

/** A request to a route, as rest leaves it on Node's request. */
type RoutedRequest = StorageRequest & {
  readonly remotingContext?: { readonly method?: { readonly ctor?: unknown, readonly name?: string } }
}

/**
 * Puts the methods on a model and publishes them. What a model that keeps rows would have beside them goes: there are
 * none (ST-02).
 */
export function mixIn (Model: ModelClass, connector: StorageConnector): void {
  closeRowMethods(Model)
  const continued = new WeakMap<object, string>()
  const methods = storageMethods(async () => await connector.storage(), {
    callerOf: callersOf(Model),
    hooks: hooksOf(Model),
    signed: new SignedRequests(Model, connector),
    tellNext: (entries, nextAfter) => { continued.set(entries, nextAfter) }
  })
  for (const [name, method] of Object.entries(methods) as Array<[keyof StorageMethods, unknown]>) {
    // What the application put there before the model came to its data source is its own.
    if (Object.hasOwn(Model, name)) continue
    Object.defineProperty(Model, name, { value: method, writable: true, configurable: true, enumerable: true })
  }
  const published = {
    ...routes,
    ...(connector.presign === true ? { presignUpload, ...(signsItself(connector.settings) ? {} : signedRoutes) } : {}),
    ...(connector.resumable === true ? resumableRoutes : {})
  }
  for (const [name, route] of Object.entries(published)) {
    // Not by `remoteMethod`, which would open what the application has closed.
    if (ownRemoteMethod(Model, name) !== undefined) continue
    setRemoteMethod(Model, name, { ...route as RemoteMethodOptions, refusedTarget: () => invalidName(kindOf(route)) })
  }
  const tellNext = (ctx: ListContext, _result: unknown, next: () => void): void => {
    const after = continued.get(ctx.result)
    if (after !== undefined) ctx.reply.header('x-next-after', encodeURIComponent(after))
    next()
  }
  for (const name of ['getContainers', 'getFiles']) {
    addRemoteHook(Model, { moment: 'after', pattern: name, listener: tellNext as RemoteHook['listener'] })
  }
}

/** What the last parameter of a path names. */
const kindOf = ({ http }: { readonly http: HttpRoute | readonly HttpRoute[] }): 'container' | 'file' =>
  'path' in http && http.path?.endsWith(':file') === true ? 'file' : 'container'

/** What of the context of a remote hook is used here. */
interface ListContext { readonly result: object, readonly reply: { header (name: string, value: string): unknown } }

/**
 * Who asks: a request to the model's own route is somebody outside. An application that hands its own request on asks
 * on its own account, and has made its decision.
 */
const callersOf = (Model: ModelClass): CallerOf => (method, asked): Caller | undefined => {
  if (asked === undefined) return undefined
  if ('headers' in asked) {
    const { remotingContext, accessToken } = asked as RoutedRequest
    const routed = remotingContext?.method
    return routed?.ctor === Model && routed.name === method ? { principal: accessToken ?? undefined } : undefined
  }
  const options = asked as OperationOptions
  return isRemote(options) ? { principal: (options.accessToken ?? undefined) as Caller['principal'] } : undefined
}

interface Observed { notifyObserversOf (hook: string, context: object): Promise<unknown> }

/** Observers of `before upload`, `after upload` and `before download`. */
export const hooksOf = (Model: ModelClass): StorageHooks => {
  const tell = async (hook: string, context: object): Promise<void> => {
    await (Model as ModelClass & Observed).notifyObserversOf(hook, { Model, ...context })
  }
  return {
    beforeUpload: async context => { await tell('before upload', context) },
    afterUpload: async context => { await tell('after upload', context) },
    beforeDownload: async context => { await tell('before download', context) }
  }
}
