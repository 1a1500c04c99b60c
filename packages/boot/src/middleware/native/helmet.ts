/**
 * `helmet` and its parts (`helmet#hsts`, `helmet#frameguard` …). On helmet itself: @fastify/helmet makes its middleware
 * anew for each request, which for the generator's six entries cost more than reading a row.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { MiddlewareError } from '../../errors.js'
import type { MiddlewareConfig } from '../../load/middleware-config.js'
import type { AnyPlugin } from '../any-plugin.js'
import { optionsOf, type PluginUse } from './options.js'

/**
 * Parts of helmet by their names in middleware.json, as LoopBack's generator wrote them, and as helmet calls them now.
 */
const parts: Readonly<Record<string, string>> = {
  xssFilter: 'xXssProtection',
  frameguard: 'xFrameOptions',
  hsts: 'strictTransportSecurity',
  hidePoweredBy: 'xPoweredBy',
  ieNoOpen: 'xDownloadOptions',
  noSniff: 'xContentTypeOptions',
  dnsPrefetchControl: 'xDnsPrefetchControl',
  permittedCrossDomainPolicies: 'xPermittedCrossDomainPolicies',
  referrerPolicy: 'referrerPolicy',
  contentSecurityPolicy: 'contentSecurityPolicy',
  csp: 'contentSecurityPolicy',
  crossOriginEmbedderPolicy: 'crossOriginEmbedderPolicy',
  crossOriginOpenerPolicy: 'crossOriginOpenerPolicy',
  crossOriginResourcePolicy: 'crossOriginResourcePolicy',
  originAgentCluster: 'originAgentCluster'
}

const allParts = [...new Set(Object.values(parts))]

const uncached = {
  'surrogate-control': 'no-store',
  'cache-control': 'no-store, no-cache, must-revalidate, proxy-revalidate',
  pragma: 'no-cache',
  expires: '0'
}

const noCache = fp(async (fastify: FastifyInstance) => {
  fastify.addHook('onRequest', (_request, reply, done) => {
    reply.headers(uncached)
    done()
  })
}, { fastify: '5.x', name: 'helmet-no-cache' })

type Protect = (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void

const protecting = (protect: Protect): AnyPlugin => fp(async (fastify: FastifyInstance) => {
  fastify.addHook('onRequest', (request, reply, done) => {
    protect(request.raw, reply.raw, done as (error?: unknown) => void)
  })
}, { fastify: '5.x', name: 'helmet' })

/**
 * The plugin for one entry. Parts are switched on one by one, so each is a middleware of its own with all other parts
 * off.
 * @throws FBK_BOOT_MIDDLEWARE for a part that helmet does not have
 */
export async function helmetPlugin ({ fragment, params, where }: MiddlewareConfig): Promise<PluginUse> {
  if (fragment === 'noCache') return { plugin: noCache, options: {} }
  const { default: helmet } = await import('helmet')
  if (fragment === undefined) return { plugin: protecting(helmet(optionsOf(params[0], where))), options: {} }
  const part = parts[fragment]
  if (part === undefined) {
    throw new MiddlewareError(where, `helmet has no part "${fragment}"; it has ${Object.keys(parts).join(', ')}`)
  }
  const off = Object.fromEntries(allParts.map(name => [name, false]))
  const protect = helmet({ ...off, [part]: partOptions(fragment, params[0], where) })
  return { plugin: protecting(protect), options: {} }
}

/**
 * Helmet takes true for a part's defaults; earlier versions took a word for frameguard, and wrote `includeSubdomains`.
 */
function partOptions (fragment: string, given: unknown, where: string): unknown {
  if (given === undefined) return true
  if (fragment === 'frameguard' && typeof given === 'string') return { action: given.toLowerCase() }
  const { includeSubdomains, ...options } = optionsOf(given, where)
  if (includeSubdomains !== undefined) return { includeSubDomains: includeSubdomains, ...options }
  return Object.keys(options).length === 0 ? true : options
}
