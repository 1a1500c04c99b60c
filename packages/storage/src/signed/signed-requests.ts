import { RequestError, type ModelClass } from '@fastback/core'
import { withoutEndSlashes } from '@fastback/core/remote'
import { bareType } from '@fastback/rest/multipart'
import type { SignedAddress } from '../driver.js'
import { signatureRefused } from '../errors.js'
import type { StorageRequest } from '../http.js'
import type { Presign } from '../service.js'
import type { StorageConnector } from '../storage-connector.js'
import type { SignedFor } from './address-signer.js'

/** Segments of a path behind that of the model, for each route that makes addresses. */
const behind = { download: 3, presignUpload: 2 } as const

/** Makes the signed addresses of one model, and knows them again. */
export class SignedRequests {
  constructor (readonly Model: ModelClass, readonly connector: StorageConnector) {}

  /**
   * What signs addresses; undefined where nobody knows where the routes of the model are: `presignBase` says it, or the
   * request that came to one of them.
   * @param method the route that the request may have come to
   */
  presign (method?: keyof typeof behind, req?: StorageRequest): Presign | undefined {
    const { presign, presignBase } = this.connector
    if (presign !== true) return undefined
    const base = presignBase === undefined ? this.#baseOf(method, req) : withoutEndSlashes(presignBase)
    if (base === undefined) return method === 'download' ? undefined : async () => { throw noBase() }
    return async (verb, container, file, ttl, { type } = {}) => this.#address(base, {
      model: this.Model.modelName, verb, container, file, type, expires: Math.floor(Date.now() / 1000) + ttl
    })
  }

  /**
   * Whether a request is the one that its address was signed for. Whatever is wrong is one response.
   * @throws RequestError 403 SIGNATURE_REFUSED
   */
  check (verb: 'GET' | 'PUT', container: string, file: string, req: StorageRequest): void {
    const query = queryOf(req)
    const one = (name: string): string | undefined => {
      const [value, ...more] = query.getAll(name)
      if (more.length > 0) throw signatureRefused()
      return value
    }
    const [type, expires, signature = ''] = [one('type'), one('expires'), one('signature')]
    if (expires === undefined || !/^[1-9]\d{0,14}$/.test(expires)) throw signatureRefused()
    const address = { model: this.Model.modelName, verb, container, file, type, expires: Number(expires) }
    if (!this.connector.signer.holds(address, signature)) throw signatureRefused()
    const sent = req.headers['content-type']
    if (type !== undefined && (sent === undefined || bareType(sent) !== bareType(type))) throw signatureRefused()
  }

  #address (base: string, address: SignedFor): SignedAddress {
    const { verb, container, file, type, expires } = address
    const query = new URLSearchParams({
      expires: String(expires), ...(type === undefined ? {} : { type }), signature: this.connector.signer.sign(address)
    })
    return {
      url: `${base}/${encodeURIComponent(container)}/signed/${encodeURIComponent(file)}?${query.toString()}`,
      method: verb,
      headers: verb === 'PUT' && type !== undefined ? { 'content-type': type } : {}
    }
  }

  /** The path of the model in a request to a route of its own; its host is what the client says, and not used. */
  #baseOf (method: keyof typeof behind | undefined, req: StorageRequest | undefined): string | undefined {
    if (method === undefined || req === undefined) return undefined
    const { remotingContext, originalUrl, url = '' } = req as RoutedRequest
    const routed = remotingContext?.method
    if (routed?.ctor !== this.Model || routed.name !== method) return undefined
    const path = (originalUrl ?? url).split(/[?#]/, 1)[0] as string
    return withoutEndSlashes(path).split('/').slice(0, -behind[method]).join('/')
  }
}

type RoutedRequest = StorageRequest & {
  readonly originalUrl?: string
  readonly remotingContext?: { readonly method?: { readonly ctor?: unknown, readonly name?: string } }
}

const queryOf = ({ url = '' }: StorageRequest): URLSearchParams => {
  const at = url.indexOf('?')
  return new URLSearchParams(at === -1 ? '' : url.slice(at + 1))
}

/** For code of the application: a 500 on the wire. */
const noBase = (): RequestError => new RequestError(
  500,
  'Nobody knows where clients reach the model: give its data source "presignBase", the address of its routes (https://example.org/api/photos).',
  { code: 'NO_PRESIGN_BASE' }
)
