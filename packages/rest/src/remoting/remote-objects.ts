/** Classes and objects whose methods can be called over a transport: what the package `strong-remoting` is. */
import { InvalidAdapterError, InvalidSharedClassError, CannotInvokeError, RemovedFunctionError } from '../errors/startup-errors.js'
import type { RemotingSettings } from '../options-schema.js'
import type { Coercion } from '../parse/loopback3.js'
import type { RemotesHandler } from './handler.js'
import type { RemotingAuth } from './http-request.js'
import { JsonRpcAdapter } from './jsonrpc-adapter.js'
import { RemoteCalls } from './remote-calls.js'
import { RestAdapter } from './rest-adapter.js'
import { SharedClass } from './shared-class.js'
import type { SharedMethod } from './shared-method.js'
import type { RemotingTypesOptions } from './types.js'

type ErrorFunction = (error: unknown, req: any, res: any, next: (error?: unknown) => void) => void

/** The object `remoting` of LoopBack's configuration, and what only code can say. */
export type RemotesOptions = Omit<RemotingSettings, 'errorHandler'> & {
  readonly errorHandler?: Exclude<RemotingSettings['errorHandler'], false> & { readonly handler?: ErrorFunction }
  readonly types?: RemotingTypesOptions
  /** Objects and classes by name, with functions that have `shared: true`. */
  readonly exports?: Record<string, object>
}

/** What makes handlers, and perhaps calls to other servers, of a `RemoteObjects`. */
export interface Adapter {
  createHandler (): RemotesHandler
  connect? (url: string): void
  invoke? (name: string, ...rest: unknown[]): void
}

export type AdapterClass = new (remotes: RemoteObjects, options?: Readonly<Record<string, unknown>>) => Adapter

const adapters: ReadonlyMap<string, AdapterClass> = new Map<string, AdapterClass>([
  ['rest', RestAdapter],
  ['jsonrpc', JsonRpcAdapter]
])

/**
 * Classes and objects, and what makes handlers of them.
 *
 * ```js
 * const remotes = RemoteObjects.create()
 * remotes.exports.math = math              // math.sum.shared = true
 * app.use('/api', remotes.handler('rest')) // Express; or http.createServer(remotes.handler('rest'))
 * ```
 */
export class RemoteObjects extends RemoteCalls<SharedClass, SharedMethod> {
  static readonly SharedClass = SharedClass
  /** Objects and classes by name; more may be put here at any time before `handler`. */
  readonly exports: Record<string, object>
  /** How `invoke` logs in. */
  auth: RemotingAuth | undefined
  /** The adapter that `connect` made. */
  serverAdapter: Adapter | undefined
  readonly #classes = new Map<string, SharedClass>()

  /** @param coercion how values are taken where `options.rest` says nothing */
  constructor (readonly options: RemotesOptions = {}, coercion: Coercion = 'strict') {
    super({ types: options.types, coercion: options.rest?.coercion ?? coercion })
    this.exports = options.exports ?? {}
  }

  /** The same as `new RemoteObjects(options)`. */
  static create (options?: RemotesOptions): RemoteObjects {
    return new RemoteObjects(options)
  }

  /**
   * A function for requests, for the methods that are shared now.
   * @param adapter `rest`, `jsonrpc`, or a class with `createHandler`
   * @throws FBK_REST_INVALID_ADAPTER, FBK_REST_INVALID_OPTIONS
   */
  handler (adapter: string | AdapterClass, options?: Readonly<Record<string, unknown>>): RemotesHandler {
    const made = this.#adapter(adapter, options)
    return Object.assign(made.createHandler(), { adapter: made })
  }

  #adapter (nameOrClass: string | AdapterClass, options?: Readonly<Record<string, unknown>>): Adapter {
    const Made = typeof nameOrClass === 'string' ? adapters.get(nameOrClass) : nameOrClass
    if (typeof Made?.prototype.createHandler !== 'function') {
      throw new InvalidAdapterError(`it needs the method createHandler (${String(nameOrClass)})`)
    }
    return new Made(this, options)
  }

  /**
   * Makes `invoke` call a server; name and password in the address are how it logs in.
   * @throws FBK_REST_INVALID_ADAPTER
   */
  connect (url: string, adapter: string | AdapterClass): void {
    const [, scheme = '', login, rest] = /^([a-z][a-z\d+.-]*:\/\/)(?:([^/@]*)@)?(.*)$/is.exec(url) ?? ['', '', undefined, url]
    if (login !== undefined) {
      const [username, password] = login.split(':').map(decodeURIComponent)
      this.auth = { ...(username === undefined ? {} : { username }), ...(password === undefined ? {} : { password }) }
    }
    const made = this.#adapter(adapter)
    if (made.connect === undefined) throw new InvalidAdapterError('it needs the method connect')
    this.serverAdapter = made
    made.connect(scheme + (rest as string))
  }

  /**
   * Calls a method of the server that `connect` named.
   * @throws FBK_REST_CANNOT_INVOKE before `connect`
   */
  invoke (name: string, ...rest: unknown[]): void {
    if (this.serverAdapter?.invoke === undefined) throw new CannotInvokeError(name, 'there is no connection')
    this.serverAdapter.invoke(name, ...rest)
  }

  /** All classes: exported ones, then added ones. */
  classes (): SharedClass[] {
    const exported = Object.entries(this.exports).map(([name, holder]) => new SharedClass(name, holder))
    return [...exported, ...this.#classes.values()]
  }

  /** @throws FBK_REST_INVALID_SHARED_CLASS */
  addClass (sharedClass: SharedClass): void {
    if (!(sharedClass instanceof SharedClass)) throw new InvalidSharedClassError()
    this.#classes.set(sharedClass.name, sharedClass)
  }

  /** Takes an added class away, with its hooks. */
  deleteClassByName (name: string): void {
    this.#classes.delete(name)
    this.hooks.removeClass(name)
  }

  /** @throws FBK_REST_REMOVED_FUNCTION always: LoopBack 3 has it no more */
  static convert (): never {
    throw new RemovedFunctionError('RemoteObjects.convert(name, function)', 'remotes.defineType(name, type)')
  }
}
