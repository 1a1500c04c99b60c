/**
 * JSON-RPC 2.0 for a `RemoteObjects`: `POST /math/jsonrpc` with `{ jsonrpc, method, params, id }`. Static methods only.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { invoke, type Callable } from '../handlers/invoke.js'
import { runErrorHooks, runHooks } from '../hooks/run.js'
import { SharedContext } from './context.js'
import { createHandler, type RemotesHandler } from './handler.js'
import type { RemoteObjects } from './remote-objects.js'
import { joinPaths, routesOf } from './rest-class.js'
import type { SharedClass } from './shared-class.js'
import type { SharedMethod } from './shared-method.js'

interface RpcRequest {
  readonly jsonrpc?: unknown
  readonly method?: unknown
  readonly params?: unknown
  readonly id?: unknown
}

const failures = {
  request: { code: -32600, message: 'Invalid Request' },
  method: { code: -32601, message: 'Method not found' },
  params: { code: -32602, message: 'Invalid params' },
  call: { code: -32000, message: 'Server error' }
} as const

export class JsonRpcAdapter {
  constructor (readonly remotes: RemoteObjects) {}

  /**
   * A function for `app.use()` and `http.createServer()`, for the methods that are shared now.
   * @throws FBK_REST_INVALID_OPTIONS
   */
  createHandler (): RemotesHandler {
    return createHandler(this.remotes, undefined, ({ scope }) => this.remotes.classes().flatMap(sharedClass =>
      routesOf(sharedClass).map(({ path }) => {
        scope.post(joinPaths(path, '/jsonrpc'), (request, reply) => this.#answer(sharedClass, request, reply))
        return { modelName: sharedClass.name, path }
      })))
  }

  async #answer (sharedClass: SharedClass, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const rpc = (request.body ?? {}) as RpcRequest
    const answer = await this.#result(sharedClass, rpc, request, reply)
    await reply.type('application/json; charset=utf-8').send({ jsonrpc: '2.0', ...answer, id: rpc.id ?? null })
  }

  async #result (
    sharedClass: SharedClass, rpc: RpcRequest, request: FastifyRequest, reply: FastifyReply
  ): Promise<object> {
    if (rpc.jsonrpc !== '2.0' || typeof rpc.method !== 'string') return { error: failures.request }
    const method = sharedClass.methods().find(each => each.isDelegateFor(rpc.method, true))
    if (method === undefined) return { error: failures.method }
    const args = this.#arguments(method, rpc.params)
    if (args === undefined) return { error: failures.params }
    const context = new SharedContext(method, this.remotes.types, request, reply)
    context.args = args
    try {
      await this.#call(method, context)
    } catch (error) {
      return { error: { ...failures.call, ...told(error) } }
    }
    return { result: context.result }
  }

  /** By position or by name; undefined where one is missing or of another type. */
  #arguments ({ accepts }: SharedMethod, params: unknown): Record<string, unknown> | undefined {
    if (params !== undefined && (typeof params !== 'object' || params === null)) return undefined
    const args: Record<string, unknown> = {}
    for (const [index, { arg, type, required }] of accepts.entries()) {
      const found: unknown = Array.isArray(params)
        ? params[index]
        : (params as Record<string, unknown> | undefined)?.[arg]
      const result = this.remotes.types.getConverter(type).fromTypedValue({ typeRegistry: this.remotes.types }, found)
      if ('error' in result || (required === true && (found === undefined || found === null))) return undefined
      args[arg] = result.value
    }
    return args
  }

  async #call (method: SharedMethod, context: SharedContext): Promise<void> {
    const { phases, hooks: all } = this.remotes
    const hooks = all.of(method.stringName)
    try {
      await phases.run(context, {
        before: () => runHooks(hooks.before, context),
        call: async () => {
          const values = method.accepts.map(({ arg }) => context.args[arg])
          ;[context.result] = await invoke(method.getFunction() as Callable, context.getScope(), values, false)
        },
        after: () => runHooks(hooks.after, context)
      })
    } catch (error) {
      context.error = error
      await runErrorHooks(hooks.afterError, context)
      throw context.error
    }
  }
}

/** Faults of the client are told, those of the server are not (security.md, S-58). */
function told (error: unknown): { readonly message?: string, readonly data?: object } {
  const { statusCode, status, message } = (error ?? {}) as { statusCode?: unknown, status?: unknown, message?: string }
  const code = Number(statusCode ?? status)
  return code >= 400 && code < 500 && message !== undefined ? { message, data: { statusCode: code } } : {}
}
