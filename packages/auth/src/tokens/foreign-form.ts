/**
 * Requests that a page of another site has a browser send without asking first: with the cookies of its visitor
 * (security.md, S-158).
 */
import { sharedMethodOf } from '@fastback/core/remote'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Media types of bodies that browsers send to other origins without a preflight request; so is none. */
const ofForms = /^(?:application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)\s*(?:;|$)/i

/**
 * Whether a page of another origin sent a form, or what a script sends like one, and CORS does not let that origin send
 * credentials. So is what leads by a link to a method that takes every verb, and may write. Of all else browsers ask
 * first, or say nothing as they are none.
 *
 * ```js
 * isForeignForm(request, reply) // true: a cookie in it says nothing of who sent it
 * ```
 */
export function isForeignForm (request: FastifyRequest, reply: FastifyReply | undefined): boolean {
  const { headers, host } = request
  const { origin, 'sec-fetch-site': site } = headers
  if (!isForm(request)) return false
  if (site === 'same-origin' || site === 'none') return false
  if (origin === undefined) return site !== undefined
  // What a proxy says of the name that the browser knows: no page can send that without being asked.
  return !isOf(origin, [host, headers.host, headers['x-forwarded-host']]) && !isLetIn(origin, reply)
}

function isForm (request: FastifyRequest): boolean {
  const { method, headers: { 'content-type': type = '' } } = request
  if (method === 'POST') return type === '' || ofForms.test(type)
  return (method === 'GET' || method === 'HEAD') && isOfEveryVerb(request)
}

/** A remote method without a verb is called by links as well, as in LoopBack. */
function isOfEveryVerb ({ routeOptions }: FastifyRequest): boolean {
  const method = sharedMethodOf(routeOptions)
  return method !== undefined && method.accessType !== 'READ' && method.http.every(({ verb }) => verb !== 'get') &&
    method.http.some(({ verb }) => verb === 'all')
}

function isOf (origin: string, hosts: ReadonlyArray<string | string[] | undefined>): boolean {
  if (!URL.canParse(origin)) return false
  const { host } = new URL(origin)
  return hosts.some(each => typeof each === 'string' && each.split(',').some(one => one.trim().toLowerCase() === host))
}

/** By the headers of CORS, which come before tokens are read, from plugins of Fastify or middleware of Express. */
function isLetIn (origin: string, reply: FastifyReply | undefined): boolean {
  const said = (name: string): unknown => reply?.getHeader(name) ?? reply?.raw.getHeader(name)
  return said('access-control-allow-credentials') === 'true' && said('access-control-allow-origin') === origin
}
