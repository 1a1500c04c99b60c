/** Requests that other sites make a browser send (O-043, O-049). */
import type { FastifyRequest } from 'fastify'
import { AccessDenied } from '../errors.js'
import type { IssuerOf } from '../issuer.js'

/** @throws AccessDenied 403 */
export function checkOrigin (request: FastifyRequest, issuerOf: IssuerOf): void {
  const { origin, 'sec-fetch-site': site } = request.headers
  const own = [new URL(issuerOf(request)).origin, `${request.protocol}://${request.host}`]
  if (site === 'cross-site' || (origin !== undefined && !own.includes(origin))) throw new AccessDenied('The request comes from another site.')
}
