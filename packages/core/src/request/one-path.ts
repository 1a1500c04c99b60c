/** Gives every request its one path, before anything else looks at it (security.md, S-70). */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sharedMethodOf } from '../contracts/shared-route.js'
import { RequestError } from '../errors.js'
import { authorityOf, canonicalTarget, foldPath } from './target.js'

/**
 * For requests whose target is not in the one spelling: writes the one spelling over it, or refuses the request with
 * 400. The router has read the target by then; what it read otherwise than the one spelling says (it folds KELVIN SIGN
 * to `k`, and takes a missing segment for an empty parameter) is on no route: 404.
 */
export function onePath (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void {
  const { raw } = request
  const given = raw.url as string
  if (given === '*' && raw.method === 'OPTIONS') { done(); return }
  const target = canonicalTarget(given)
  if (target === undefined) {
    done(sharedMethodOf(request.routeOptions)?.options.refusedTarget?.() ?? refusedTarget())
    return
  }
  const authority = authorityOf(given)
  if (authority !== undefined) raw.headers.host = authority
  raw.url = target
  if (request.is404 || isOn(request.routeOptions.url as string, target)) done()
  else reply.callNotFound()
}

const refusedTarget = (): RequestError =>
  new RequestError(
    400,
    'The request target is no path of this server: send it as "/path?query", without segments "." and "..", with valid escapes.',
    { code: 'INVALID_REQUEST_TARGET', name: 'BadRequestError' }
  )

/**
 * Whether a path is on a route: literal parts alike but for the case of ASCII letters, and something in the place of
 * each parameter.
 */
function isOn (route: string, target: string): boolean {
  const parts = segmentsOf(route)
  const segments = segmentsOf(target.split('?', 1)[0] as string)
  for (const [i, part] of parts.entries()) {
    const [start] = part.split(/[:*(?]/, 1) as [string]
    const given = segments[i] === undefined ? undefined : foldPath(decodeURIComponent(segments[i]))
    // Wildcards, patterns and parameters that may be missing end a route, or may hold slashes: the router matched them.
    if (/[*(?]/.test(part)) return given === undefined ? start === '' : given.startsWith(foldPath(start))
    if (given === undefined) return false
    if (
      start === part ? given !== foldPath(part) : !given.startsWith(foldPath(start)) || given.length === start.length
    ) {
      return false
    }
  }
  return parts.length === segments.length
}

/** Without the slashes at the ends. */
const segmentsOf = (path: string): string[] => path.replace(/^\/|\/$/g, '').split('/')
