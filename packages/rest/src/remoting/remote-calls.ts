/** What stands around remote calls, of an application's models and of other classes alike. */
import { EventEmitter } from 'node:events'
import type { ArgumentDefinition, RemoteHook, ReturnDefinition } from '@fastback/core'
import { RemovedFunctionError } from '../errors/startup-errors.js'
import type { Coercion } from '../parse/loopback3.js'
import { CallHooks } from './hooks.js'
import { CallPhases, type PhaseHandler } from './phases.js'
import { RemotingTypes, type RemotingType, type RemotingTypesOptions } from './types.js'

/** What is known of every shared method. */
export interface DescribedMethod {
  /** `Note.find`, `Note.prototype.publish`. */
  readonly stringName: string
  readonly accepts: readonly ArgumentDefinition[]
  readonly returns: readonly ReturnDefinition[]
  readonly errors: readonly unknown[]
  readonly http: unknown
}

/** A class, with the methods that are shared now. */
export interface DescribedClass<M> {
  readonly name: string
  methods (): M[]
}

/** Where hooks and phases are kept; default: here. */
export interface CallParts {
  readonly hooks?: RemoteHook[]
  readonly phases?: CallPhases
  readonly types?: RemotingTypesOptions | undefined
  /** How values are taken where the options of a handler say nothing. */
  readonly coercion?: Coercion | undefined
}

/**
 * What `RemoteObjects` and `app.remotes()` have in common.
 *
 * ```js
 * remotes.before('Note.*', async ctx => { ctx.args.startedAt = Date.now() })
 * remotes.on('reloaded', () => { cache.clear() }) // events are those of the application's own
 * remotes.authorization = (ctx, next) => { next(ctx.req.headers['x-key'] === key ? undefined : refusal) }
 * ```
 */
export abstract class RemoteCalls<C extends DescribedClass<M>, M extends DescribedMethod> extends EventEmitter {
  readonly types: RemotingTypes
  readonly coercion: Coercion
  readonly hooks: CallHooks
  /** `auth`, then `invoke`. */
  readonly phases: CallPhases

  constructor ({ hooks, phases, types, coercion = 'strict' }: CallParts = {}) {
    super()
    this.hooks = new CallHooks(hooks)
    this.phases = phases ?? new CallPhases()
    this.coercion = coercion
    this.types = new RemotingTypes(types, coercion)
  }

  /** All classes with methods that are shared. */
  abstract classes (): C[]

  /** All methods that are shared now. */
  methods (): M[] {
    return this.classes().flatMap(sharedClass => sharedClass.methods())
  }

  /** The method of this name: `Note.find`, `Note.prototype.publish`. */
  findMethod (stringName: string): M | undefined {
    return this.methods().find(method => method.stringName === stringName)
  }

  /** What the methods take and give, by their names. */
  toJSON (): Record<string, object> {
    return Object.fromEntries(this.methods().map(({ stringName, http, accepts, returns, errors }) =>
      [stringName, { http, accepts, returns, errors }]))
  }

  /**
   * Before every method that the pattern names: `**`, `*.save`, `Note.find`. Listeners get `(context, next, method)`.
   */
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
}
