/** A server over memory with access control, for tests: people ann 1, ben 2, adam 3 (admin). */
import type { Test } from 'tap'
import Fastify, { type FastifyInstance } from 'fastify'
import core, { ModelRegistry, type DataSourceSettings, type ModelDefinitionInput } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'
import auth, { installAuthModels } from '@fastback/auth'
import rest from '@fastback/rest'
import acl, { installAclModels } from '@fastback/acl'

export interface Parts {
  definitions: ModelDefinitionInput[]
  settings?: Record<string, unknown>
  prepare?: (models: Record<string, any>, app: FastifyInstance) => void | Promise<void>
  log?: object
  /** Of `@fastback/rest`. */
  options?: object
  /** Default: in memory. */
  dataSource?: DataSourceSettings
  /** Names of models that are not published. */
  hidden?: string[]
  /** Adds what comes before `@fastback/rest`. */
  register?: (app: FastifyInstance) => Promise<void>
  /** The log of the server. */
  serverLog?: object | undefined
}

export type App = FastifyInstance & { models: Record<string, any>, tokens: Record<string, string> }

export async function makeApp (t: Test, parts: Parts): Promise<App> {
  const { definitions, settings = {}, prepare, log, options = {}, dataSource, hidden = [], register, serverLog } = parts
  const registry = new ModelRegistry({ settings, ...(log === undefined ? {} : { log: log as never }) })
  registry.connectors.register('memory', memoryConnector)
  registry.defineDataSource('db', dataSource ?? { connector: 'memory' })
  installAuthModels(registry)
  installAclModels(registry)
  registry.defineModels(definitions.map(input => ({ input })))
  for (const { name } of definitions) registry.attach(name, 'db', { public: !hidden.includes(name) })
  for (const name of ['User', 'AccessToken', 'ACL', 'Role', 'RoleMapping']) {
    registry.attach(name, 'db', { public: name === 'User' })
  }
  const app = Fastify(serverLog === undefined ? {} : { loggerInstance: serverLog as never }) as unknown as App
  t.teardown(() => app.close())
  await app.register(core, { registry })
  await app.register(auth, { rateLimit: false, currentUserLiteral: 'me' })
  await app.register(acl)
  await registry.start()
  const { User, AccessToken, Role } = registry.models as Record<string, any>
  const tokens: Record<string, string> = {}
  for (const name of ['ann', 'ben', 'adam']) {
    // A ready-made hash: hashing is not what is tested here.
    const user = await User.create({ email: `${name}@x.test`, username: name, password: `$2b$04$${'a'.repeat(53)}` })
    tokens[name] = (await AccessToken.create({ userId: user.id, ttl: 1000 })).id
  }
  const admin = await Role.create({ name: 'admin' })
  await admin.principals.create({ principalType: 'USER', principalId: 3 })
  await prepare?.(registry.models as Record<string, any>, app)
  await register?.(app)
  await app.register(rest, { prefix: '/api', ...options })
  await app.ready()
  return Object.assign(app, { tokens })
}

export async function call (
  app: App,
  who: string | undefined,
  method: string,
  url: string,
  body?: unknown
): Promise<{ status: number; body: any; headers: any }> {
  const token = who === undefined ? undefined : (app.tokens[who] ?? who)
  const response = await app.inject({
    method: method as 'GET',
    url: `/api${url}`,
    ...(body === undefined ? {} : { payload: body as object }),
    headers: token === undefined ? {} : { authorization: token }
  })
  return {
    status: response.statusCode,
    headers: response.headers,
    body: response.payload === '' ? undefined : response.json()
  }
}

export const row = (
  permission: string,
  principalId: string,
  extra: object = {}
): { permission: string; principalType: string; principalId: string } => ({
  principalType: 'ROLE',
  principalId,
  permission,
  ...extra
})
