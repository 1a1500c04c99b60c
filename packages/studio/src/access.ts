/**
 * Who sees the parts of the studio that tell how an application is made and what it does: users in one of the roles,
 * and, while it is developed, a browser on the server's own machine (security.md, S-129).
 */
import { isIP } from 'node:net'
import { RequestError, type ModelRegistry } from '@fastback/core'
import { accessReviewIn } from '@fastback/core/remote'
import { routedMethods } from '@fastback/rest/published'
import type { FastifyReply, FastifyRequest } from 'fastify'

export interface StudioAccess {
  /** Whether the request comes from who develops the application, on the machine that serves it. */
  isDeveloper (request: FastifyRequest): boolean
  /**
   * @throws RequestError 401 without a token, 403 for a user in none of the roles, and for a write that another site
   * sends
   */
  mustSee (request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** @throws RequestError 403 for all but who develops the application */
  mustDevelop (request: FastifyRequest): void
}

/**
 * Access of one studio.
 *
 * ```js
 * const access = studioAccess(app.registry, { roles: ['admin'], development: true })
 * app.addHook('onRequest', access.mustSee)
 * ```
 */
export function studioAccess (
  registry: ModelRegistry, { roles, development }: { readonly roles: readonly string[], readonly development: boolean }
): StudioAccess {
  const isDeveloper = (request: FastifyRequest): boolean =>
    development && isFromThisMachine(request) && isOwnPage(request)

  const mustSee = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (isDeveloper(request)) return
    if (isWrite(request) && !isOwnPage(request)) {
      throw new RequestError(403, 'Only the studio\'s own page may send this', { code: 'OTHER_ORIGIN' })
    }
    if (!(await isInOneOf(roles, request, reply))) {
      const { accessToken } = request as { readonly accessToken?: unknown }
      throw accessToken === undefined || accessToken === null
        ? new RequestError(401, unknownText, { code: 'AUTHORIZATION_REQUIRED' })
        : new RequestError(403, `The studio is for users in the ${roles.length === 1 ? 'role' : 'roles'} ${roles.join(', ')}`, { code: 'ACCESS_DENIED' })
    }
  }
  const isInOneOf = async (
    names: readonly string[], request: FastifyRequest, reply: FastifyReply
  ): Promise<boolean> => {
    const { isInRole } = accessReviewIn(registry)
    // A role is asked for with regard to some method; of these roles none depends on it.
    const method = routedMethods(registry)[0]?.method
    if (isInRole === undefined || method === undefined) return false
    for (const name of names) if (await isInRole(name, method, request, reply)) return true
    return false
  }
  return {
    isDeveloper,
    mustSee,
    mustDevelop (request) {
      if (!isDeveloper(request)) {
        throw new RequestError(403, 'Only a browser on the machine that serves the application may do this, while it is developed', { code: 'STUDIO_DEVELOPMENT_ONLY' })
      }
    }
  }
}

/** The first thing that somebody sees who begins: it says what else there is. */
const unknownText = 'Log in as a user who may see the studio, or start the application for development: ' +
  '"fastback serve --watch", or NODE_ENV=development'

const forwarding = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'] as const

/**
 * Only where somebody said that the application is being developed: a proxy on the same machine that adds no header and
 * names the server by its own address looks like a browser there, and such servers often run without `NODE_ENV`.
 * Beyond that, a proxy on this machine connects from a loopback address as well, and a
 * name that leads here may be another site's (DNS rebinding): neither counts.
 */
function isFromThisMachine ({ raw: { socket }, headers }: FastifyRequest): boolean {
  return isLoopback(socket.remoteAddress ?? '') &&
    forwarding.every(name => headers[name] === undefined) &&
    isLoopbackHost(headers.host ?? '')
}

const isLoopback = (address: string): boolean =>
  address === '::1' || /^(?:::ffff:)?127\./.test(address)

function isLoopbackHost (host: string): boolean {
  if (!URL.canParse(`http://${host}`)) return false
  const { hostname } = new URL(`http://${host}`)
  const name = hostname.replace(/^\[|\]$/g, '')
  return name === 'localhost' || (isIP(name) > 0 && isLoopback(name))
}

/**
 * Other sites in the same browser must neither read nor write: browsers say where a request comes from
 * (`Sec-Fetch-Site`, and `Origin` of every write).
 */
function isOwnPage ({ headers, method }: FastifyRequest): boolean {
  const { origin, host, 'sec-fetch-site': site } = headers
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
  if (origin !== undefined && origin !== `http://${host ?? ''}` && origin !== `https://${host ?? ''}`) return false
  // A form cannot send JSON to another origin without being asked for first.
  return !isWrite({ method }) || /^application\/json\b/i.test(headers['content-type'] ?? '')
}

const isWrite = ({ method }: Pick<FastifyRequest, 'method'>): boolean => method !== 'GET' && method !== 'HEAD'
