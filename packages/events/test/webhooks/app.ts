/** A server with webhooks and access control, for tests: people ann 1, ben 2, adam 3 (admin). */
import { randomBytes } from 'node:crypto'
import type { Test } from 'tap'
import Fastify, { type FastifyInstance, type LightMyRequestResponse } from 'fastify'
import { acl, installAclModels } from '@fastback/acl'
import { auth, installAuthModels } from '@fastback/auth'
import { memoryConnector } from '@fastback/connector-memory'
import { core, ModelRegistry } from '@fastback/core'
import { events } from '@fastback/events'
import { rest } from '@fastback/rest'

type Loose = any

export interface Parts {
  readonly definitions: readonly object[]
  readonly store?: object
  readonly webhooks?: object
  readonly events?: object
  readonly prepare?: (models: Record<string, Loose>) => void | Promise<void>
  readonly log?: object
  readonly rest?: object
}

export type App = FastifyInstance & {
  models: Record<string, Loose>
  tokens: Record<string, string>
  send: (who: string | undefined, method: string, url: string, payload?: object) => Promise<Loose>
}

const sealing = { current: 'a', keys: { a: randomBytes(32).toString('base64') } }

export async function makeApp (t: Test, parts: Parts): Promise<App> {
  const registry = new ModelRegistry({ settings: { sealing } })
  registry.defineDataSource('db', { connector: memoryConnector, ...parts.store } as never)
  installAuthModels(registry)
  installAclModels(registry)
  for (const definition of parts.definitions) registry.defineModel(definition as never)
  for (const { name } of parts.definitions as ReadonlyArray<{ name: string }>) registry.attach(name, 'db', { public: true })
  for (const name of ['User', 'AccessToken', 'ACL', 'Role', 'RoleMapping']) {
    registry.attach(name, 'db', { public: name === 'User' })
  }
  const app = Fastify(parts.log === undefined ? {} : { logger: parts.log as never }) as unknown as App
  t.teardown(async () => { await app.close() })
  await app.register(core, { registry })
  await app.register(auth, { rateLimit: false } as never)
  await app.register(acl)
  await app.register(events, {
    engine: 'embedded',
    pollInterval: 30,
    ...parts.events,
    webhooks: { allow: ['127.0.0.0/8'], allowHttp: true, ...parts.webhooks }
  } as never)
  await registry.start()
  const { User, AccessToken, Role } = registry.models as Record<string, Loose>
  const tokens: Record<string, string> = {}
  for (const name of ['ann', 'ben', 'adam']) {
    const user = await User.create({ email: `${name}@x.test`, username: name, password: `$2b$04$${'a'.repeat(53)}` })
    tokens[name] = (await AccessToken.create({ userId: user.id, ttl: 10_000 })).id
  }
  const admin = await Role.create({ name: 'admin' })
  await admin.principals.create({ principalType: 'USER', principalId: 3 })
  await parts.prepare?.(registry.models as Record<string, Loose>)
  await app.register(rest, { prefix: '/api', remoting: { errorHandler: { log: false } }, ...parts.rest } as never)
  await app.ready()
  const send = async (who: string | undefined, method: string, url: string, payload?: object): Promise<Loose> => {
    const response: LightMyRequestResponse = await app.inject({
      method: method as 'GET', url: `/api${url}`, ...(payload === undefined ? {} : { payload }),
      headers: who === undefined ? {} : { authorization: tokens[who] ?? who }
    })
    return { status: response.statusCode, text: response.body, body: response.body === '' ? undefined : response.json() }
  }
  return Object.assign(app, { tokens, send, models: registry.models as Record<string, Loose> })
}
