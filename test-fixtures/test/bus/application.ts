/** One of several processes of an application: a registry, a bus and a server of its own, over a store of all. */
import Fastify, { type FastifyInstance } from 'fastify'
import acl, { installAclModels } from '@fastback/acl'
import auth, { installAuthModels } from '@fastback/auth'
import { redisBus } from '@fastback/connector-redis'
import { outboxBus, postgresBus, sqlConnector } from '@fastback/connector-sql'
import core, { ModelRegistry } from '@fastback/core'
import rest from '@fastback/rest'

export type Loose = any
export type Process = FastifyInstance & { models: Record<string, Loose> }

/** Nothing that is looked up is looked up again by itself: what another process changes is heard of, or not seen. */
const ever = 3_600_000

export const attempts = 6

const row = (permission: string, principalId: string, extra: object = {}): object =>
  ({ permission, principalType: 'ROLE', principalId, ...extra })

export async function startProcess (url: string, bus: unknown, port?: number): Promise<Process> {
  const registry = new ModelRegistry({ settings: { bus, aclCacheTtl: ever } })
  for (const [name, driver] of Object.entries({ outbox: outboxBus, postgres: postgresBus, redis: redisBus })) {
    registry.busDrivers.set(name, driver)
  }
  registry.defineDataSource('db', { connector: sqlConnector, url, migrate: 'update' })
  installAuthModels(registry)
  installAclModels(registry)
  registry.defineModel({
    name: 'Note',
    properties: { text: 'string', stars: 'number', secret: 'string' },
    hidden: ['secret'],
    acls: [row('DENY', '$everyone'), row('ALLOW', 'reader', { accessType: 'READ' })]
  } as never)
  registry.defineModel({ name: 'Open', properties: { text: 'string' } })
  for (const name of ['Note', 'Open']) registry.attach(name, 'db', { public: true })
  for (const name of ['User', 'AccessToken', 'ACL', 'Role', 'RoleMapping']) {
    registry.attach(name, 'db', { public: name === 'User' })
  }
  const app = Fastify() as unknown as Process
  await app.register(core, { registry })
  await app.register(auth, {
    tokenCache: { ttl: ever }, rateLimit: { account: { max: attempts, timeWindow: ever } }
  })
  await app.register(acl)
  await app.register(rest, { prefix: '/api' })
  if (port === undefined) await app.ready()
  else await app.listen({ port, host: '127.0.0.1' })
  return app
}

export async function call (
  app: Process, method: string, path: string, { token, body }: { token?: string, body?: object } = {}
): Promise<{ status: number, body: Loose }> {
  const response = await app.inject({
    method: method as 'GET',
    url: `/api${path}`,
    ...(body === undefined ? {} : { payload: body }),
    headers: token === undefined ? {} : { authorization: token }
  })
  return { status: response.statusCode, body: response.payload === '' ? undefined : response.json() }
}

/** Waits until something holds; false when it does not within a generous time. */
export async function comesTrue (what: () => boolean | Promise<boolean>): Promise<boolean> {
  for (const end = Date.now() + 20_000; Date.now() < end;) {
    if (await what()) return true
    await new Promise(resolve => setTimeout(resolve, 5))
  }
  return await what()
}
