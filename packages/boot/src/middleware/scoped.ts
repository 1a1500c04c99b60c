/** Fastify plugins that act on some paths or methods only, as middleware.json may ask for. */
import type { FastifyInstance, FastifyPluginAsync, FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { matchPaths, pathnameOf } from './paths.js'

/** A plugin of either form, with options of its own kind. */
export type AnyPlugin = FastifyPluginAsync<any> | FastifyPluginCallback<any>

type Hook = (request: FastifyRequest, reply: FastifyReply, ...rest: unknown[]) => unknown

/** Hooks of a request's life, with the number of parameters of their call-back form. */
const requestHooks: Readonly<Record<string, number>> = {
  onRequest: 3, preParsing: 4, preValidation: 3, preHandler: 3, preSerialization: 4, onError: 4, onSend: 4, onResponse: 3, onTimeout: 3
}

/**
 * Whether a function is meant as a Fastify plugin: wrapped with fastify-plugin, or an `async` function (no Express middleware factory
 * is one).
 */
export function isFastifyPlugin (value: unknown): boolean {
  if (typeof value !== 'function') return false
  const wrapped = Symbol.for('skip-override') in value || Symbol.for('plugin-meta') in value
  return wrapped || value.constructor.name === 'AsyncFunction'
}

/** The plugin, with its hooks of requests bound to paths and methods. Without any, the plugin itself. */
export function onlyOn (plugin: AnyPlugin, paths: ReadonlyArray<string | RegExp>, methods: readonly string[]): AnyPlugin {
  const matches = matchPaths(paths)
  if (matches === undefined && methods.length === 0) return plugin
  const concerns = (request: FastifyRequest): boolean =>
    (methods.length === 0 || methods.includes(request.method)) && (matches === undefined || matches(pathnameOf(request.raw.url as string)))
  return fp(async (fastify: FastifyInstance, options: object) => {
    const addHook = (name: string, hook: Hook): FastifyInstance => {
      fastify.addHook(name as 'onRequest', filtered(name, hook, concerns) as never)
      return scoped
    }
    const scoped: FastifyInstance = new Proxy(fastify, {
      get (target, key) {
        const value: unknown = key === 'addHook' ? addHook : target[key as keyof FastifyInstance]
        return typeof value === 'function' ? value.bind(target) as unknown : value
      }
    })
    await callPlugin(plugin, scoped, options)
  }, { fastify: '5.x', name: `only-on-some-paths:${plugin.name}` })
}

/** Calls a plugin of either form directly, so that its hooks go where this instance puts them. */
export function callPlugin (plugin: AnyPlugin, fastify: FastifyInstance, options: object): Promise<void> {
  if (plugin.length < 3) return (plugin as FastifyPluginAsync<object>)(fastify, options)
  return new Promise((resolve, reject) => {
    (plugin as FastifyPluginCallback<object>)(fastify, options, error => {
      if (error === undefined || error === null) resolve()
      else reject(error)
    })
  })
}

function filtered (name: string, hook: Hook, concerns: (request: FastifyRequest) => boolean): Hook {
  const arity = requestHooks[name]
  if (arity === undefined) return hook
  if (hook.length < arity) {
    // A hook that returns a promise. Fastify tells the two forms apart by their number of parameters.
    return arity === 3
      ? async (request, reply) => { if (concerns(request)) await hook(request, reply) }
      : async (request, reply, payload) => concerns(request) ? await hook(request, reply, payload) : payload
  }
  if (arity === 3) return (request, reply, done) => concerns(request) ? hook(request, reply, done) : (done as () => void)()
  return (request, reply, payload, done) => {
    if (concerns(request)) return hook(request, reply, payload, done)
    ;(done as (error: null, payload: unknown) => void)(null, payload)
  }
}
