/** Requests that other sites make a browser send (O-043, O-049). */
import type { FastifyRequest } from 'fastify'
import { AccessDenied } from '../errors.js'
import type { IssuerOf } from '../issuer.js'

/**
 * Browsers send `Origin: null` for the forms of a page whose policy is `no-referrer`; then their own word that the page
 * is of the same origin counts, which no page can forge.
 * @throws AccessDenied 403
 */
export function checkOrigin (request: FastifyRequest, issuerOf: IssuerOf): void {
  const { origin, 'sec-fetch-site': site } = request.headers
  const own = [new URL(issuerOf(request)).origin, `${request.protocol}://${request.host}`]
  const isOwn = origin === undefined || own.includes(origin) || (origin === 'null' && site === 'same-origin')
  if (site === 'cross-site' || !isOwn) throw new AccessDenied('The request comes from another site.')
}

/** Whether a browser sends a form of another site, and so none of the cookies that are `SameSite`. */
export const isForeignForm = ({ method, headers }: FastifyRequest): boolean =>
  method === 'POST' && headers['sec-fetch-site'] === 'cross-site'
