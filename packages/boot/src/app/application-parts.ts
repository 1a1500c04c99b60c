/** What the application object is made over. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { EnableAuthOptions } from '@fastback/core'
import type { FastifyInstance } from 'fastify'
import type { Next } from '../middleware/exchange.js'
import type { LoopbackObject } from './loopback.js'
import type { middlewareMethods } from './middleware.js'
import type { LoopbackRegistry } from './registry.js'
import type { Settings } from './settings.js'

export interface ApplicationParts {
  readonly settings: Settings
  readonly registry: LoopbackRegistry
  /** The Fastify instance beneath; it may be made later than the application. */
  fastify(): FastifyInstance
  /** Answers a request; `next` gets it where nothing does. */
  handle(req: IncomingMessage, res: ServerResponse, next?: Next): void
  readonly middleware: ReturnType<typeof middlewareMethods>
  readonly loopback: LoopbackObject
  /**
   * Remembers what `enableAuth` was called with and returns the models to attach: name → whether published. Undefined:
   * there is no access control.
   */
  enableAuth(options: EnableAuthOptions): Readonly<Record<string, boolean>> | undefined
  start(): Promise<unknown>
  /** Listens at once: what code gave to `app.listen`. */
  listen(args: readonly unknown[]): Server
  isBooting(): boolean
  isAuthEnabled(): boolean
}
