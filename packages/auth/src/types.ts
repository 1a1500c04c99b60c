import type { ModelInstance } from '@fastback/core'
import type { Authentication } from './authentication.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** Reads the access tokens of this context. */
    authentication: Authentication
  }
  interface FastifyRequest {
    /** The caller's access token; null for anonymous callers. */
    accessToken: ModelInstance | null
  }
}
