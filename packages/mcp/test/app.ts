/** A server over memory with agents and access control, for tests: people ann 1, ben 2, adam 3 (admin). */
import type { Test } from 'tap'
import Fastify, { type FastifyInstance } from 'fastify'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import core, { ModelRegistry, type ModelDefinitionInput } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'
import auth, { installAuthModels } from '@fastback/auth'
import rest from '@fastback/rest'
import acl, { installAclModels } from '@fastback/acl'
import { mcp, type McpOptions } from '@fastback/mcp'

type Loose = any

export interface Parts {
  definitions: ModelDefinitionInput[]
  settings?: Record<string, unknown>
  prepare?: (models: Record<string, Loose>, app: FastifyInstance) => void | Promise<void>
  /** Of `@fastback/rest`. */
  options?: object
  mcp?: McpOptions
  /** Names of models that are not published. */
  hidden?: string[]
  log?: object
}

export type App = FastifyInstance & {
  models: Record<string, Loose>
  tokens: Record<string, string>
  /** Events of the registry. */
  audit: Loose[]
}

export async function makeApp (t: Test, parts: Parts): Promise<App> {
  const { definitions, settings = {}, prepare, options = {}, hidden = [], log } = parts
  const registry = new ModelRegistry({ settings })
  registry.connectors.register('memory', memoryConnector)
  registry.defineDataSource('db', { connector: 'memory' })
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
  await app.register(auth, { rateLimit: false })
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
  await app.register(mcp, parts.mcp ?? {})
  await app.register(rest, { prefix: '/api', remoting: { errorHandler: { log: false } }, ...options })
  await app.ready()
  const audit: Loose[] = []
  registry.on('audit', (event: Loose) => { if (event.event === 'mcp.call') audit.push(event) })
  return Object.assign(app, { tokens, audit })
}

/** Where the server listens. */
export async function addressOf (app: FastifyInstance): Promise<string> {
  const known = app.server.address()
  return known === null || typeof known === 'string'
    ? await app.listen({ port: 0, host: '127.0.0.1' })
    : `http://127.0.0.1:${known.port}`
}

/** The official client, over HTTP, in the name of somebody. */
export async function clientOf (t: Test, app: App, who: string | undefined, path = '/mcp'): Promise<Client> {
  const token = who === undefined ? undefined : app.tokens[who] ?? who
  const transport = new StreamableHTTPClientTransport(new URL(await addressOf(app) + path), {
    requestInit: token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }
  })
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(transport as never)
  t.teardown(async () => { await client.close() })
  return client
}

/** The data of a call. */
export async function data (client: Client, name: string, args: object = {}): Promise<Loose> {
  const result = await client.callTool({ name, arguments: args as never }) as Loose
  if (result.isError === true) throw new Error(result.content[0].text)
  return result.structuredContent.data
}

/** The code of a call that is refused. */
export async function code (client: Client, name: string, args: object = {}): Promise<Loose> {
  const result = await client.callTool({ name, arguments: args as never }) as Loose
  return result.isError === true ? result.structuredContent.error.code : `not refused: ${JSON.stringify(result)}`
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
