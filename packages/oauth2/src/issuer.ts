/** Who this server is. */
import type { FastifyRequest } from 'fastify'

/** The issuer: one text for `iss`, the metadata, the audience of assertions and the realm of challenges. */
export type IssuerOf = (request: FastifyRequest) => string

export const issuerWith = (fixed: string | undefined): IssuerOf =>
  fixed === undefined ? ({ protocol, host }) => `${protocol}://${plainHost(host)}` : () => fixed

/** The header stands in challenges and addresses: what no host has is left out. */
const plainHost = (host: string | undefined): string => host?.replace(/[^\w.:[\]-]/g, '') || 'localhost'

/** Endpoints stand at the origin of the issuer. */
export const endpointUrl = (issuer: string, path: string): string => new URL(issuer).origin + path

export const isSecure = (issuer: string): boolean => issuer.startsWith('https:')
