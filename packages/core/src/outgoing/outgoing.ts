/**
 * Calls to addresses that a stranger named (key sets, redirects, services): only the public internet can be reached by
 * them, never what stands beside this server (security.md, S-83). It is judged when a connection is made, after
 * the name was looked up: whatever the name leads to then, at every hop.
 */
import { lookup as resolve, type LookupAddress, type LookupOptions } from 'node:dns'
import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { ForbiddenAddressError } from '../errors.js'
import { isGlobalUnicast, Networks } from './networks.js'

export interface OutgoingOptions {
  /** Addresses and networks (`10.1.0.0/16`) that may be called though they are not public. Default: none. */
  readonly allow?: readonly string[] | undefined
  /** Looks names up, all addresses of one. Default: as the system does. */
  readonly resolve?: (hostname: string, options: LookupOptions,
    callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void) => void
}

type Connect = HttpAgent['createConnection']

/**
 * ```js
 * const outgoing = new Outgoing({ allow: ['10.1.0.0/16'] })
 * https.get(url, { agent: outgoing.https }, response => …)
 * ```
 * Clients with sockets of their own take `lookup`, and ask `permits` for addresses that stand in the URL themselves:
 * those are not looked up.
 */
export class Outgoing {
  /**
   * Agents for `node:http` and `node:https`. A connection elsewhere ends with FBK_CORE_FORBIDDEN_ADDRESS, before a byte
   * was sent.
   */
  readonly http: HttpAgent
  readonly https: HttpsAgent
  readonly #allowed: Networks
  readonly #resolve: NonNullable<OutgoingOptions['resolve']>

  /** @throws FBK_CORE_INVALID_NETWORK */
  constructor ({ allow = [], resolve: own }: OutgoingOptions = {}) {
    this.#allowed = new Networks(allow)
    this.#resolve = own ?? ((hostname, options, callback) => { resolve(hostname, { ...options, all: true }, callback) })
    this.http = this.#guarding(new HttpAgent())
    this.https = this.#guarding(new HttpsAgent())
  }

  /** Whether an address, as text without brackets, may be called. A name may not: it has to be looked up. */
  permits (address: string): boolean {
    return isGlobalUnicast(address) || this.#allowed.has(address)
  }

  /**
   * For the option `lookup` of sockets: gives only addresses that may be called. Those of a name that leads to several
   * are left out one by one.
   */
  readonly lookup: LookupFunction = (hostname, options, callback) => {
    this.#resolve(hostname, options, (error, addresses) => {
      const found = error === null ? addresses.filter(({ address }) => this.permits(address)) : []
      const [first] = found
      if (first === undefined) callback(error ?? new ForbiddenAddressError(hostname), '')
      else if (options.all === true) callback(null, found)
      else callback(null, first.address, first.family)
    })
  }

  #guarding<Agent extends HttpAgent> (agent: Agent): Agent {
    const connect = agent.createConnection.bind(agent) as Connect
    const createConnection: Connect = (options, callback) => {
      const { host = '', socketPath } = options
      const address = String(host).replace(/^\[|\]$/g, '')
      if ((isIP(address) === 0 || this.permits(address)) &&
        typeof socketPath !== 'string') return connect({ ...options, lookup: this.lookup }, callback)
      const error = new ForbiddenAddressError(socketPath ?? address)
      if (callback === undefined) throw error
      callback(error, undefined as never)
    }
    return Object.assign(agent, { createConnection })
  }
}
