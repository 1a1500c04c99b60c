/** Middleware names that run on Fastify's own plugins. The plugins are loaded when a folder names them. */
import type { FastifyCompressOptions } from '@fastify/compress'
import type {
  FastifyInstance,
  FastifyPluginCallback,
  FastifyRequest,
  onRequestHookHandler,
  onSendHookHandler
} from 'fastify'
import fp from 'fastify-plugin'
import { MiddlewareError } from '../../errors.js'
import { corsPlugin } from './cors.js'
import { optionsOf, type Mapping } from './options.js'

/** Options of Express' compression that are zlib's. */
const ofZlib = ['level', 'memLevel', 'strategy', 'chunkSize', 'windowBits']

/** By the package's name, as middleware.json has it. */
export const pluginMiddleware: Readonly<Record<string, Mapping>> = {
  cors: corsPlugin,

  async compression ({ params, where }) {
    const { default: compress } = await import('@fastify/compress')
    const { threshold, ...others } = optionsOf(params[0], where)
    const zlibOptions = Object.fromEntries(
      ofZlib.filter(key => others[key] !== undefined).map(key => [key, others[key]])
    )
    // Request bodies are expanded by @fastback/rest, with its limits.
    const options = { global: true, globalDecompression: false, threshold: bytes(threshold, where), zlibOptions }
    return { plugin: fp(compressEverything(compress, options), { fastify: '5.x', name: 'compression' }), options: {} }
  },

  async 'cookie-parser' ({ params, where }) {
    const { default: cookie } = await import('@fastify/cookie')
    const [secret, parseOptions] = params
    const plugin = fp(async (fastify: FastifyInstance) => {
      const signing = secret === undefined ? {} : { secret: secret as string | string[] }
      await fastify.register(cookie, { ...signing, parseOptions: optionsOf(parseOptions, where) })
      fastify.addHook('onRequest', (request, _reply, done) => { showCookies(request, secret !== undefined); done() })
    }, { fastify: '5.x', name: 'cookie-parser' })
    return { plugin, options: {} }
  }
}

/**
 * @fastify/compress gives each route hooks of its own. Here they become hooks of the context, so that answers of no
 * route (files,
 *   errors) are compressed, too, and
 * paths can be chosen.
 */
function compressEverything (compress: FastifyPluginCallback<FastifyCompressOptions>, options: FastifyCompressOptions) {
  return async (fastify: FastifyInstance): Promise<void> => {
    const hooks: { onRequest?: onRequestHookHandler[], onSend?: onSendHookHandler[] } = {}
    const collector = {
      decorateReply () {},
      addHook: (_name: string, onRoute: (route: object) => void) => {
        onRoute(hooks)
      }
    }
    compress(collector as unknown as FastifyInstance, options, error => { if (error !== undefined) throw error })
    for (const hook of hooks.onRequest ?? []) fastify.addHook('onRequest', hook)
    for (const hook of hooks.onSend ?? []) fastify.addHook('onSend', hook)
  }
}

/**
 * Cookies where Express code and the token look-up read them: `req.cookies`, `req.signedCookies` (false: the signature
 * is wrong).
 */
function showCookies (request: FastifyRequest, signs: boolean): void {
  const plain: Record<string, unknown> = Object.create(null)
  const signed: Record<string, unknown> = Object.create(null)
  for (const [name, value] of Object.entries(request.cookies)) {
    if (!signs || value === undefined || !value.startsWith('s:')) { plain[name] = value; continue }
    const { valid, value: text } = request.unsignCookie(value.slice(2))
    signed[name] = valid ? text : false
  }
  Object.assign(request.raw, { cookies: plain, signedCookies: signed })
}

const units: Readonly<Record<string, number>> = { b: 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 }

/** `"1kb"` or a number of bytes. Default: 1 kB, as in Express. */
export function bytes (size: unknown, where: string): number {
  if (size === undefined || size === null) return 1024
  if (size === false) return 0
  const [, number, unit = 'b'] = /^(\d+(?:\.\d+)?)\s*([kmg]?b)?$/i.exec(String(size).trim()) ?? []
  if (number === undefined) {
    throw new MiddlewareError(where, `"threshold" must be a size such as "1kb", not ${JSON.stringify(size)}`)
  }
  return Math.floor(Number(number) * (units[unit.toLowerCase()] as number))
}
