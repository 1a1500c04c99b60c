/** One route of one shared method, for the handler that reads arguments and sends results. */
import type { ArgumentDefinition, ModelInstance, SharedMethod as RouteMethod, RestHook } from '@fastback/core'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { callMethod, type CallRoute } from '../handlers/call.js'
import { chooseFormat } from '../handlers/format.js'
import { invoke, type Callable } from '../handlers/invoke.js'
import { writesByItself } from '../handlers/perform.js'
import { isObjectStream, resultOf, type Targets } from '../handlers/result.js'
import type { RemoteContext } from '../hooks/context.js'
import { runErrorHooks, runHooks } from '../hooks/run.js'
import { compileReader, type MethodReader } from '../parse/arguments.js'
import { RequestInput } from '../parse/input.js'
import type { CallHooks } from './hooks.js'
import { SharedContext } from './context.js'
import type { CallPhases } from './phases.js'
import type { RestRoute } from './rest-class.js'
import type { SharedMethod } from './shared-method.js'
import type { RemotingTypes } from './types.js'

/** What all routes of one handler share. */
export interface SharedRouteSettings {
  readonly types: RemotingTypes
  readonly hooks: CallHooks
  readonly phases: CallPhases
  readonly call: CallRoute['settings'] & { readonly offered: readonly string[] }
}

export class SharedRoute implements CallRoute {
  readonly method: RouteMethod
  readonly reader: MethodReader
  readonly settings: CallRoute['settings']
  readonly offered: readonly string[]
  readonly streams: boolean
  readonly totalCount = false
  /** Reads what the constructor of an instance method takes. */
  readonly #instanceReader: MethodReader | undefined

  constructor (
    readonly shared: SharedMethod, readonly http: RestRoute, readonly given: SharedRouteSettings
  ) {
    this.settings = given.call
    this.offered = given.call.offered
    this.method = routeMethod(shared)
    this.reader = compileReader(this.method, http.path, given.call.readers)
    this.streams = isObjectStream(this.method)
    if (!shared.isStatic && shared.sharedCtor !== undefined) {
      this.#instanceReader = compileReader(routeMethod(shared.sharedCtor), http.path, given.call.readers)
    }
  }

  readonly handle = (request: FastifyRequest, reply: FastifyReply): unknown =>
    callMethod(this, chooseFormat(request, this.offered, this.streams), request, reply)

  context (request: FastifyRequest, reply: FastifyReply): RemoteContext {
    return new SharedContext(this.shared, this.given.types, request, reply)
  }

  hasHooksBefore (): boolean {
    const { shared, method, given: { hooks, phases } } = this
    return hooks.of(shared.stringName).before.length + method.rest.before.length > 0 || !phases.isPlain
  }

  /** That there is no instance is told only to who may call the method. */
  async perform (context: RemoteContext, targets: Targets, demand: () => void): Promise<void> {
    const { shared, given: { phases } } = this
    const hooks = this.given.hooks.of(shared.stringName)
    let missing: { readonly error: unknown } | undefined
    try {
      await this.#findInstance(context)
    } catch (error) {
      missing = { error }
    }
    try {
      await phases.run(context, {
        before: () => {
          if (missing !== undefined) throw missing.error
          return runHooks(hooks.before, context)
        },
        call: () => {
          demand()
          return this.#call(context, targets)
        },
        after: () => runHooks(hooks.after, context)
      })
    } catch (error) {
      context.error = error
      await runErrorHooks(hooks.afterError, context)
      throw context.error
    }
  }

  async #findInstance (context: RemoteContext): Promise<void> {
    const { shared: { sharedCtor, ctor } } = this
    if (this.#instanceReader === undefined || context.instance !== undefined) return
    const input = new RequestInput(context.request, context, this.settings.readers.parseFields)
    const values = this.#instanceReader.read(input)
    context.ctorArgs = Object.fromEntries(this.#instanceReader.names.map((name, index) => [name, values[index]]))
    const [instance] = await invoke(sharedCtor?.getFunction() as Callable, ctor, values, false)
    context.instance = instance as ModelInstance
  }

  async #call (context: RemoteContext, targets: Targets): Promise<void> {
    const { shared } = this
    const fn = shared.getFunction()
    if (typeof fn !== 'function') throw new TypeError(`${shared.stringName} is shared, but there is no such function.`)
    const values = this.reader.names.map(name => context.args[name])
    const hasSeveral = this.method.returns.length > 1
    const given = await invoke(fn, context.getScope(), values, writesByItself(shared), hasSeveral)
    if (isPiped(shared)) targets.headers.push(['content-type', 'application/json'])
    context.result = resultOf(this.method, given, targets)
    shared.checkResult(context.result)
  }
}

const accessorOf = (definition: ArgumentDefinition): ArgumentDefinition =>
  definition.arg === undefined ? { ...definition, arg: String(definition.name) } : definition

/** `http: { pipe: { dest: 'res' } }`: what the method returns is the stream of the response. */
const isPiped = ({ http }: SharedMethod): boolean =>
  ([http].flat() as Array<{ readonly pipe?: { readonly dest?: unknown } }>).some(({ pipe }) => pipe?.dest === 'res')

/** A shared method in the form that the readers of arguments take. No model is asked of it: it has none. */
function routeMethod (shared: SharedMethod): RouteMethod {
  const { name, isStatic, accepts, returns, rest, sharedClass } = shared
  const hooks = (hook: unknown): RestHook[] => hook === undefined ? [] : [hook].flat() as RestHook[]
  return {
    model: undefined as never,
    modelName: sharedClass?.name ?? '',
    name,
    isStatic,
    fullName: isStatic ? name : `prototype.${name}`,
    aliases: shared.aliases,
    accepts: accepts.map(accessorOf),
    returns: isPiped(shared) ? [{ arg: 'body', type: 'file', root: true }] : returns,
    byName: false,
    http: [],
    accessType: shared.accessType,
    accessScopes: undefined,
    documented: shared.documented,
    responses: {},
    description: undefined,
    notes: undefined,
    builtin: undefined,
    relation: undefined,
    nested: undefined,
    rest: { before: hooks(rest.before), after: hooks(rest.after) },
    options: {}
  }
}
