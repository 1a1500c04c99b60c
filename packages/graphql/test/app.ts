/** A server over memory with GraphQL and access control, for tests: people ann 1, ben 2, adam 3 (admin). */
import type { Test } from 'tap'
import Fastify, { type FastifyInstance } from 'fastify'
import core, { ModelRegistry, type DataSourceSettings, type ModelDefinitionInput } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'
import auth, { installAuthModels } from '@fastback/auth'
import rest from '@fastback/rest'
import acl, { installAclModels } from '@fastback/acl'
import { graphql, type GraphqlOptions } from '@fastback/graphql'

type Loose = any

export interface Parts {
  definitions: ModelDefinitionInput[]
  settings?: Record<string, unknown>
  prepare?: (models: Record<string, Loose>, app: FastifyInstance) => void | Promise<void>
  /** Of `@fastback/rest`. */
  options?: object
  /** Default: in memory. */
  dataSource?: DataSourceSettings
  graphql?: GraphqlOptions
  /** Names of models that are not published. */
  hidden?: string[]
  log?: object
}

export type App = FastifyInstance & { models: Record<string, Loose>, tokens: Record<string, string> }

export async function makeApp (t: Test, parts: Parts): Promise<App> {
  const { definitions, settings = {}, prepare, options = {}, dataSource, hidden = [], log } = parts
  const registry = new ModelRegistry({ settings })
  registry.connectors.register('memory', memoryConnector)
  registry.defineDataSource('db', dataSource ?? { connector: 'memory' })
  installAuthModels(registry)
  installAclModels(registry)
  registry.defineModels(definitions.map(input => ({ input })))
  for (const { name } of definitions) registry.attach(name, 'db', { public: !hidden.includes(name) })
  for (const name of ['User', 'AccessToken', 'ACL', 'Role', 'RoleMapping']) {
    registry.attach(name, 'db', { public: name === 'User' })
  }
  const app = Fastify(log === undefined ? {} : { loggerInstance: log as never }) as unknown as App
  t.teardown(() => app.close())
  await app.register(core, { registry })
  await app.register(auth, { rateLimit: false, currentUserLiteral: 'me' })
  await app.register(acl)
  await registry.start()
  const { User, AccessToken, Role } = registry.models as Record<string, Loose>
  const tokens: Record<string, string> = {}
  for (const name of ['ann', 'ben', 'adam']) {
    // A ready-made hash: hashing is not what is tested here.
    const user = await User.create({ email: `${name}@x.test`, username: name, password: `$2b$04$${'a'.repeat(53)}` })
    tokens[name] = (await AccessToken.create({ userId: user.id, ttl: 1000 })).id
  }
  const admin = await Role.create({ name: 'admin' })
  await admin.principals.create({ principalType: 'USER', principalId: 3 })
  await prepare?.(registry.models as Record<string, Loose>, app)
  await app.register(graphql, parts.graphql ?? {})
  await app.register(rest, { prefix: '/api', remoting: { errorHandler: { log: false } }, ...options })
  await app.ready()
  return Object.assign(app, { tokens })
}

export interface Answered {
  status: number
  data: Loose
  errors: Loose[] | undefined
  headers: Loose
}

/** Sends a document, in the name of somebody. */
export async function ask (
  app: App, who: string | undefined, query: string, variables?: object, more: object = {}
): Promise<Answered> {
  const response = await app.inject({
    method: 'POST',
    url: '/graphql',
    payload: { query, ...(variables === undefined ? {} : { variables }), ...more },
    headers: who === undefined ? {} : { authorization: app.tokens[who] ?? who }
  })
  const { data, errors } = response.json()
  return { status: response.statusCode, data, errors, headers: response.headers }
}

/** The data of a document that has no errors. */
export async function data (app: App, who: string | undefined, query: string, variables?: object): Promise<Loose> {
  const { data, errors } = await ask(app, who, query, variables)
  if (errors !== undefined) throw new Error(JSON.stringify(errors, null, 1))
  return data
}

/** The codes of a document's errors. */
export async function codes (app: App, who: string | undefined, query: string, variables?: object): Promise<string[]> {
  const { errors = [] } = await ask(app, who, query, variables)
  return errors.map(({ extensions }) => extensions.code)
}

/** The same rows over REST. */
export async function overRest (
  app: App, who: string | undefined, path: string
): Promise<{ status: number, body: Loose }> {
  const response = await app.inject({
    method: 'GET', url: `/api${path}`, headers: who === undefined ? {} : { authorization: app.tokens[who] ?? who }
  })
  return { status: response.statusCode, body: response.json() }
}

export const row = (
  permission: string, principalId: string, extra: object = {}
): { permission: string, principalType: string, principalId: string } =>
  ({ principalType: 'ROLE', principalId, permission, ...extra })
