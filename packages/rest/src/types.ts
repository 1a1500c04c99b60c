import type { RouteMethod } from '@fastback/core'
import type { ChangeGuard } from './stream/change-stream.js'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** On every route of a shared method: which it is. Anyone who guards such routes reads it in an `onRoute` hook. */
    sharedMethod?: RouteMethod
  }
  interface FastifyRequest {
    /** Which changes of a model the client of a change stream may see; null: all of them. */
    changeGuard?: ChangeGuard | null
  }
}
