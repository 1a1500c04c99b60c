/**
 * The protocol itself (tus 1.0), by `@tus/server`: headers, offsets and statuses. What is kept, and who may, is not its
 * business.
 */
import { Readable } from 'node:stream'
import type * as Tus from '@tus/server'
import { RequestError } from '@fastback/core'
import { withoutEndSlashes } from '@fastback/core/remote'
import { badUpload, noUpload } from '../errors.js'
import type { Exchange, Speak } from './exchange.js'

/** Headers of a request that the protocol looks at. */
const asked = [
  'tus-resumable', 'upload-length', 'upload-defer-length', 'upload-offset', 'upload-metadata', 'upload-concat',
  'content-type', 'content-length'
]
/** Headers of a response that go to the client; those for other origins are set by the application. */
const answered: ReadonlySet<string> = new Set([
  'tus-resumable', 'tus-version', 'tus-extension', 'tus-max-size', 'upload-offset', 'upload-length', 'upload-metadata',
  'upload-expires', 'location', 'cache-control'
])

/** @param ttl gives the milliseconds that an upload is kept */
export function protocolOf ({ DataStore, Server, Upload }: typeof Tus, ttl: () => number): Speak {
  const exchanges = new Map<string, Exchange>()
  const failures = new WeakMap<Request, unknown>()
  const exchange = (id: string): Exchange => {
    const found = exchanges.get(id)
    if (found === undefined) throw noUpload()
    return found
  }
  const idOf = ({ url }: Request): string => new URL(url).pathname.slice(1)

  class Store extends DataStore {
    override extensions = ['creation', 'creation-with-upload', 'termination', 'expiration']

    override async create (upload: Tus.Upload): Promise<Tus.Upload> {
      await exchange(upload.id).create({ size: upload.size as number, metadata: upload.metadata ?? {} })
      return upload
    }

    override async getUpload (id: string): Promise<Tus.Upload> {
      const { size, offset, metadata, touched } = await exchange(id).state()
      return new Upload({ id, size, offset, metadata: { ...metadata }, creation_date: touched.toISOString() })
    }

    override async write (stream: Readable, id: string, offset: number): Promise<number> {
      return await exchange(id).write(stream, offset)
    }

    override async remove (id: string): Promise<void> {
      await exchange(id).remove()
    }

    override getExpiration (): number {
      return ttl()
    }
  }

  const server = new Server({
    path: '/',
    datastore: new Store(),
    // Of one upload one request is here at a time.
    locker: { newLock: () => ({ lock: async () => {}, unlock: async () => {} }) },
    namingFunction: request => idOf(request),
    getFileIdFromRequest: request => idOf(request),
    // Of the size that is allowed for a file its own rules decide; here it is told.
    maxSize: (request, id) => id === null ? exchange(idOf(request)).maxSize ?? 0 : 0,
    generateUrl: (request, { id }) => `${new URL(request.url).searchParams.get('at') as string}/${id}`,
    onResponseError: (request, error) => {
      failures.set(request, error)
      return undefined
    }
  })

  return async given => {
    const { id, verb, req, body } = given
    const headers = new Headers()
    for (const name of asked) {
      const value = req.headers[name]
      if (typeof value === 'string') headers.set(name, value)
    }
    const [at] = (req.originalUrl ?? req.url ?? '').split('?', 1) as [string]
    const request = new Request(`http://localhost/${id}?at=${encodeURIComponent(withoutEndSlashes(at))}`, {
      method: verb,
      headers,
      ...(body === undefined ? {} : { body: Readable.toWeb(body) as ReadableStream, duplex: 'half' })
    } as RequestInit)
    exchanges.set(id, given)
    try {
      const answer = await server.handleWeb(request)
      if (failures.has(request)) throw errorOf(failures.get(request))
      if (answer.status >= 400) throw badUpload((await answer.text()).trim(), answer.status)
      return new Map([...answer.headers].filter(([name]) => answered.has(name)))
    } finally {
      exchanges.delete(id)
    }
  }
}

/** Faults of the library's own are plain objects with a status. */
function errorOf (failure: unknown): Error {
  if (failure instanceof RequestError || (failure instanceof Error && !('status_code' in failure))) return failure
  const { status_code: status, body } = failure as { readonly status_code: number, readonly body: string }
  if (status === 404 || status === 410) return noUpload()
  return badUpload(body.trim(), status === 403 ? 400 : status, codes[status])
}

const codes: Readonly<Record<number, string>> = { 409: 'UPLOAD_OFFSET', 413: 'FILE_TOO_LARGE', 501: 'NOT_IMPLEMENTED' }
