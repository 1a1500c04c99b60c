/**
 * `cors` on @fastify/cors, with Express' defaults. Every origin together with credentials there is not (security.md,
 * S-56).
 */
import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyPluginCallback, FastifyRequest } from 'fastify'
import { optionsOf, type Mapping } from './options.js'

/** Express' default methods; @fastify/cors would allow fewer. */
const methods = 'GET,HEAD,PUT,PATCH,POST,DELETE'

type Options = Record<string, unknown>
type Callback<T> = (error: Error | null, value?: T) => void
type Delegator = (request: FastifyRequest, callback: Callback<Options>) => unknown

export const corsPlugin: Mapping = async ({ params: [given], where }, warn) => {
  const { default: cors } = await import('@fastify/cors')
  const plugin = repeatable(cors as FastifyPluginCallback<object>)
  if (typeof given === 'function') return { plugin, options: { delegator: delegated(given as Delegator) } }
  // Express' middleware answers any OPTIONS request, also one that is no preflight.
  const options = { methods, strictPreflight: false, ...optionsOf(given, where) } as Options
  if (typeof options.origin === 'function') {
    return { plugin, options: options.credentials === true ? { delegator: delegated(asking(options)) } : options }
  }
  const allowed = withoutOpenCredentials(options)
  if (allowed !== options) {
    warn(`${where}: every origin may ask, so credentials are not allowed (tokens in headers need none). ` +
      'Let "origin" name those that may send cookies, such as ["https://app.example"].')
  }
  return { plugin, options: allowed }
}

/**
 * The plugin brings a decorator and a route for preflights, once; a folder may name it again, for other paths or with
 * other options, and then only its hook is new.
 */
function repeatable (plugin: FastifyPluginCallback<object>): FastifyPluginCallback<object> {
  return (fastify, options, done) => {
    if (!fastify.hasRequestDecorator('corsPreflightEnabled')) { plugin(fastify, options, done); return }
    const leftOut = (): FastifyInstance => fastify
    const again = Object.create(fastify, {
      decorateRequest: { value: leftOut }, options: { value: leftOut }
    }) as FastifyInstance
    plugin(again, options, done)
  }
}

/**
 * The options, with credentials only where not everybody is allowed: a page of any site could act in the name of its
 * visitors.
 */
function withoutOpenCredentials (options: Options): Options {
  return Boolean(options.credentials) && isEverybody(options.origin) ? { ...options, credentials: false } : options
}

/** Whether an `origin` allows one that nobody can have named, or `null`, which a frame on any page can have. */
export function isEverybody (origin: unknown): boolean {
  if (Array.isArray(origin)) return origin.some(isEverybody)
  if (origin instanceof RegExp) {
    return ['https', 'http'].some(scheme => `${scheme}://${randomUUID()}.example`.search(origin) !== -1)
  }
  return origin === undefined || origin === true || origin === '*' || origin === 'null'
}

/** A delegator of the application, `(request, callback)` or for a promise; what it says is held to the same rule. */
function delegated (own: Delegator): Delegator {
  return (request, callback) => {
    const answered: Callback<Options> = (error, options = {}) => { callback(error, withoutOpenCredentials(options)) }
    const promise = own(request, answered)
    if (own.length < 2) Promise.resolve(promise as Options).then(options => { answered(null, options) }, answered)
  }
}

/** An `origin` that is a function looks at the origin: its yes is about that one, and the rest of the options hold. */
function asking ({ origin, ...options }: Options): Delegator {
  const own = origin as (this: FastifyInstance, origin: string | undefined, callback: Callback<unknown>) => unknown
  return (request, callback) => {
    const asked = request.headers.origin
    const answered: Callback<unknown> = (error, allowed) => {
      callback(error, { ...options, origin: allowed === true && asked !== undefined ? asked : allowed })
    }
    const promise = own.call(request.server, asked, answered)
    if (typeof (promise as PromiseLike<unknown> | undefined)?.then === 'function') {
      (promise as PromiseLike<unknown>).then(allowed => {
        answered(null, allowed)
      }, answered)
    }
  }
}
