import type { FastifyReply } from 'fastify'
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
    /**
     * Set by anyone who decides about access. Gives a signal that is aborted when the client may not call the method
     * any more: for responses that take a while.
     */
    watchRights?: ((reply: FastifyReply) => AbortSignal) | null
  }
}
