import type { ModelInstance, Row } from '@fastback/core'
import type { Access } from './resource/access.js'
import type { Provider } from './provider.js'

declare module 'fastify' {
  interface FastifyInstance {
    oauth2: Provider
  }
  interface FastifyRequest {
    /** Who sent the token of a protected path. Null: the request was on no such path. */
    authInfo: {
      accessToken: Access['accessToken']
      user: Readonly<Row>
      app: Readonly<Row>
      client: Readonly<Row>
    } | null
    /** The client application of the token. */
    client: Readonly<Row> | null
    /** The caller's access token; null for anonymous callers. */
    accessToken: ModelInstance | null
  }
}
