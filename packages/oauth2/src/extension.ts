/** What the provider knows of an extension (openid.md, section 9). */
import type { FastifyInstance } from 'fastify'

/** What every extension has. */
export interface Extension {
  /** Adds its endpoints, in a context of its own. */
  register (scope: FastifyInstance): void | Promise<void>
  /** Its members of the server's metadata. */
  metadata (issuer: string): Readonly<Record<string, unknown>>
}
