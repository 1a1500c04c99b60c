/**
 * Fastify plugins as middleware: in the order of the phases, and on some paths or methods only where middleware.json
 * asks for that.
 */
import type { FastifyInstance, FastifyPluginAsync, FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { MaybePromise } from '@fastback/core'
import type { Outcome } from './chain.js'
import type { PluginUse } from './native/options.js'
import { matchPaths, pathnameOf } from './paths.js'
import type { AnyPlugin } from './any-plugin.js'

type Hook = (this: unknown, request: FastifyRequest, reply: FastifyReply, ...rest: unknown[]) => unknown

/** Hooks of a request's life, with the number of parameters of their call-back form. */
const requestHooks: Readonly<Record<string, number>> = {
  onRequest: 3,
  preParsing: 4,
  preValidation: 3,
  preHandler: 3,
  preSerialization: 4,
  onError: 4,
  onSend: 4,
  onResponse: 3,
  onTimeout: 3
}

/**
 * Whether a function is meant as a Fastify plugin: wrapped with fastify-plugin, or an `async` function (no Express
 * middleware factory is one).
 */
export function isFastifyPlugin (value: unknown): boolean {
  if (typeof value !== 'function') return false
  const wrapped = Symbol.for('skip-override') in value || Symbol.for('plugin-meta') in value
  return wrapped || value.constructor.name === 'AsyncFunction'
}

/** What middleware.json says of a plugin. */
export interface PluginMiddleware {
  /** As written, for Fastify's messages. */
  readonly name: string
  /** The plugin with its options; asked for when Fastify loads it. */
  load(): MaybePromise<PluginUse>
  readonly paths: ReadonlyArray<string | RegExp>
  readonly methods: readonly string[]
  /** Puts an `onRequest` hook among the middleware; tells for a request whether Fastify is to run it. */
  order(
    handle: (request: FastifyRequest, reply: FastifyReply) => MaybePromise<Outcome>
  ): (request: FastifyRequest) => boolean
}

/**
 * The plugin as a middleware: its hooks of requests hold for the whole application, or for the paths and methods that
 * were given, and those of `onRequest` run in the order of the phases.
 */
export function asMiddleware ({ name, load, paths, methods, order }: PluginMiddleware): AnyPlugin {
  const matches = matchPaths(paths)
  const everything = matches === undefined && methods.length === 0
  const concerns = (request: FastifyRequest): boolean =>
    (methods.length === 0 || methods.includes(request.method)) &&
    (matches === undefined || matches(pathnameOf(request.raw.url as string)))
  return fp(async (fastify: FastifyInstance) => {
    const addHook = (name: string, hook: Hook): FastifyInstance => {
      const own = everything ? hook : filtered(name, hook, concerns)
      fastify.addHook(name as 'onRequest', (name === 'onRequest' ? ordered(own, order, fastify) : own) as never)
      return scoped
    }
    const scoped: FastifyInstance = new Proxy(fastify, {
      get (target, key) {
        const value: unknown = key === 'addHook' ? addHook : target[key as keyof FastifyInstance]
        return typeof value === 'function' ? value.bind(target) as unknown : value
      }
    })
    const { plugin, options } = await load()
    await callPlugin(plugin, scoped, options)
  }, { fastify: '5.x', name: `middleware:${name}` })
}

/** The hook, run by Fastify or as a step among the middleware. */
function ordered (hook: Hook, order: PluginMiddleware['order'], fastify: FastifyInstance): Hook {
  const byFastify = order((request, reply) => outcomeOf(hook, fastify, request, reply))
  return filtered('onRequest', hook.bind(fastify), byFastify, hook.length)
}

/** Fastify takes the end of a hook from its promise and from its call-back, whichever there is: some have both. */
function outcomeOf (
  hook: Hook,
  fastify: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const finish = (result: unknown): void => { resolve(result === reply || reply.sent ? 'done' : 'next') }
    const result = hook.call(fastify, request, reply, (error?: unknown) => {
      if (error === undefined || error === null) resolve('next')
      else reject(error as Error)
    })
    if (isThenable(result)) result.then(finish, reject)
    else if (hook.length < 3) finish(result)
  })
}

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  value !== null && typeof value === 'object' && 'then' in value && typeof value.then === 'function'

/** Calls a plugin of either form directly, so that its hooks go where this instance puts them. */
function callPlugin (plugin: AnyPlugin, fastify: FastifyInstance, options: object): Promise<void> {
  if (plugin.length < 3) return (plugin as FastifyPluginAsync<object>)(fastify, options)
  return new Promise((resolve, reject) => {
    (plugin as FastifyPluginCallback<object>)(fastify, options, error => {
      if (error === undefined || error === null) resolve()
      else reject(error)
    })
  })
}

function filtered (
  name: string,
  hook: Hook,
  concerns: (request: FastifyRequest) => boolean,
  length = hook.length
): Hook {
  const arity = requestHooks[name]
  if (arity === undefined) return hook
  if (length < arity) {
    // A hook that returns a promise. Fastify tells the two forms apart by their number of parameters.
    return arity === 3
      ? async (request, reply) => {
        if (concerns(request)) await hook(request, reply)
      }
      : async (request, reply, payload) => (concerns(request) ? await hook(request, reply, payload) : payload)
  }
  if (arity === 3) {
    return (request, reply, done) => (concerns(request) ? hook(request, reply, done) : (done as () => void)())
  }
  return (request, reply, payload, done) => {
    if (concerns(request)) return hook(request, reply, payload, done)
    ;(done as (error: null, payload: unknown) => void)(null, payload)
  }
}
