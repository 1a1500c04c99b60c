/** An application with events over one store, for tests. */
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import type { Test } from 'tap'
import core, { type CoreOptions } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'
import { events, type EventsOptions } from '@fastback/events'

interface Parts {
  readonly core?: CoreOptions
  readonly server?: FastifyServerOptions
  readonly prepare?: (app: FastifyInstance) => void
}

/** Ready, and closed with the test. */
export async function application (t: Test, options: EventsOptions = {}, parts: Parts = {}): Promise<FastifyInstance> {
  const app = Fastify(parts.server ?? {})
  t.teardown(async () => { await app.close() })
  await app.register(core, { dataSources: { db: { connector: memoryConnector } }, ...parts.core })
  await app.register(events, { pollInterval: 50, ...options })
  parts.prepare?.(app)
  await app.ready()
  return app
}
