/** Classes and objects whose methods can be called over a transport: what the package `strong-remoting` is. */
import type { RemoteHook } from '@fastback/core'
import { InvalidAdapterError, InvalidSharedClassError, CannotInvokeError, RemovedFunctionError } from '../errors/startup-errors.js'
import type { RemotingSettings } from '../options.js'
import type { RemotesHandler } from './handler.js'
import { CallHooks } from './hooks.js'
import type { RemotingAuth } from './http-request.js'
import { JsonRpcAdapter } from './jsonrpc-adapter.js'
import { CallPhases, type PhaseHandler } from './phases.js'
import { RestAdapter } from './rest-adapter.js'
import { SharedClass, type SharedHolder } from './shared-class.js'
import type { SharedMethod } from './shared-method.js'
import { RemotingTypes, type RemotingType, type RemotingTypesOptions } from './types.js'

type ErrorFunction = (error: unknown, req: any, res: any, next: (error?: unknown) => void) => void

/** The object `remoting` of LoopBack's configuration, and what only code can say. */
export type RemotesOptions = Omit<RemotingSettings, 'errorHandler'> & {
  readonly errorHandler?: Exclude<RemotingSettings['errorHandler'], false> & { readonly handler?: ErrorFunction }
  readonly types?: RemotingTypesOptions
  /** Objects and classes by name, with functions that have `shared: true`. */
  readonly exports?: Record<string, SharedHolder>
}

/** What makes handlers, and perhaps calls to other servers, of a `RemoteObjects`. */
export interface Adapter {
  createHandler (): RemotesHandler
  connect? (url: string): void
  invoke? (name: string, ...rest: unknown[]): void
}

export type AdapterClass = new (remotes: RemoteObjects, options?: Readonly<Record<string, unknown>>) => Adapter

/** The classes that an object belongs to, and what they are called over. */
export interface RemoteSource {
  /** Those that are not exported or added here: models of an application. */
  classes? (): SharedClass[]
  readonly hooks?: RemoteHook[]
  readonly phases?: CallPhases
}

const adapters: ReadonlyMap<string, AdapterClass> = new Map<string, AdapterClass>([
  ['rest', RestAdapter],
  ['jsonrpc', JsonRpcAdapter]
])

export class RemoteObjects {
  static readonly SharedClass = SharedClass
  /** Objects and classes by name; more may be put here at any time before `handler`. */
  readonly exports: Record<string, SharedHolder>
  readonly types: RemotingTypes
  readonly hooks: CallHooks
  /** `auth`, then `invoke`. */
  readonly phases: CallPhases
  /** How `invoke` logs in. */
  auth: RemotingAuth | undefined
  /** The adapter that `connect` made. */
  serverAdapter: Adapter | undefined
  readonly #source: RemoteSource
  readonly #classes = new Map<string, SharedClass>()

  /** @param source for whoever has classes, hooks and phases of its own */
  constructor (readonly options: RemotesOptions = {}, source: RemoteSource = {}) {
    this.exports = options.exports ?? {}
    this.types = new RemotingTypes(options.types)
    this.hooks = new CallHooks(source.hooks)
    this.phases = source.phases ?? new CallPhases()
    this.#source = source
  }

  /**
   * ```js
   * const remotes = RemoteObjects.create()
   * remotes.exports.math = math              // math.sum.shared = true
   * app.use('/api', remotes.handler('rest')) // Express; or http.createServer(remotes.handler('rest'))
   * ```
   */
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

  /** All classes: of the application, exported ones, added ones. */
  classes (): SharedClass[] {
    const exported = Object.entries(this.exports).map(([name, holder]) => new SharedClass(name, holder))
    return [...this.#source.classes?.() ?? [], ...exported, ...this.#classes.values()]
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

  /** All methods that are shared now. */
  methods (): SharedMethod[] {
    return this.classes().flatMap(sharedClass => sharedClass.methods())
  }

  /** The method of this name: `Note.find`, `Note.prototype.publish`. */
  findMethod (stringName: string): SharedMethod | undefined {
    return this.methods().find(method => method.stringName === stringName)
  }

  /** What the methods take and give, by their names. */
  toJSON (): Record<string, object> {
    return Object.fromEntries(this.methods().map(({ stringName, fn, accepts, returns, errors }) =>
      [stringName, { http: fn?.http, accepts, returns, errors }]))
  }

  /** Before every method that the pattern names: `**`, `*.save`, `Note.find`. Listeners get `(context, next, method)`. */
  before (pattern: string, listener: RemoteHook['listener']): this { return this.#hook('before', pattern, listener) }
  /** After every such method; `context.result` may be changed. */
  after (pattern: string, listener: RemoteHook['listener']): this { return this.#hook('after', pattern, listener) }
  /** When such a method, or what stands around it, failed with `context.error`. */
  afterError (pattern: string, listener: RemoteHook['listener']): this { return this.#hook('afterError', pattern, listener) }

  #hook (moment: RemoteHook['moment'], pattern: string, listener: RemoteHook['listener']): this {
    this.hooks.add(moment, pattern, listener)
    return this
  }

  /** Decides of every call, before anything else of it, whether it may happen: `(context, next)`. */
  get authorization (): PhaseHandler | undefined { return this.phases.authorization }
  set authorization (handler: PhaseHandler | undefined) { this.phases.authorization = handler }

  /**
   * Adds a function to a phase of the calls that a pattern names.
   * @throws FBK_REST_UNKNOWN_PHASE
   */
  registerPhaseHandler (phase: string, pattern: string, handler: PhaseHandler): void {
    this.phases.registerFor(phase, pattern, handler)
  }

  /**
   * A type of arguments with its own way to read values.
   * @throws FBK_REST_INVALID_REMOTING_TYPE, FBK_REST_REMOVED_FUNCTION for a function in place of a type
   */
  defineType (name: string, type: RemotingType): void {
    if (typeof type === 'function') throw new RemovedFunctionError('defineType(name, function)', 'defineObjectType(name, function)')
    this.types.registerType(name, type)
  }

  /** A type of arguments whose values are made of objects. */
  defineObjectType (name: string, make: (data: any) => unknown): void {
    this.types.registerObjectType(name, make)
  }

  deleteTypeByName (name: string): void {
    this.types.deleteType(name)
  }

  /** @throws FBK_REST_REMOVED_FUNCTION always: LoopBack 3 has it no more */
  convert (): never {
    throw new RemovedFunctionError('RemoteObjects.convert(name, function)', 'remotes.defineType(name, type)')
  }

  /** @throws FBK_REST_REMOVED_FUNCTION always: LoopBack 3 has it no more */
  static convert (): never {
    throw new RemovedFunctionError('RemoteObjects.convert(name, function)', 'remotes.defineType(name, type)')
  }
}
