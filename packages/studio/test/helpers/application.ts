/** An application with rules, hooks and a database, an administrator and two users. */
import acl, { installAclModels } from '@fastback/acl'
import auth, { installAuthModels } from '@fastback/auth'
import { sqlConnector } from '@fastback/connector-sql'
import core, { ModelRegistry, type ModelDefinitionInput } from '@fastback/core'
import rest from '@fastback/rest'
import Fastify, { type FastifyInstance, type InjectOptions } from 'fastify'
import type { Test } from 'tap'
import { studio, type StudioOptions } from '../../src/index.js'

process.env.NODE_ENV ??= 'development'

const everyone = { principalType: 'ROLE', principalId: '$everyone' }
export const denied = { ...everyone, permission: 'DENY' }
export const toAdmins = { principalType: 'ROLE', principalId: 'admin', permission: 'ALLOW' }
export const toUsers = { ...everyone, principalId: '$authenticated', permission: 'ALLOW' }
export const toOwn = { ...toUsers, rows: 'own' }

const definitions: ModelDefinitionInput[] = [
  {
    name: 'Note',
    description: 'What somebody wrote down',
    apiKey: 'setting-secret',
    properties: {
      title: { type: 'string', required: true, description: 'What it is about' },
      city: 'string',
      secret: { type: 'string', hidden: true, default: 'hidden-default' },
      kind: { type: 'string', enum: ['private', 'work'], default: 'private' },
      slug: 'string'
    },
    indexes: { city_1: { keys: { city: 1 } } },
    relations: { owner: { type: 'belongsTo', model: 'User', foreignKey: 'ownerId' } },
    acls: [
      denied, { ...toOwn, accessType: 'READ' }, { ...toAdmins, accessType: 'READ' }, { ...toUsers, property: 'create' }, toAdmins
    ]
  },
  {
    name: 'Visit',
    properties: { place: 'string', at: 'date' },
    relations: { note: { type: 'belongsTo', model: 'Note', foreignKey: 'noteId' } },
    acls: [{ ...everyone, permission: 'ALLOW' }]
  }
]

export const password = 'a-long-secret-password'

export interface Person { readonly id: unknown, readonly token: string }

export interface TestApplication {
  readonly app: FastifyInstance
  /** Of the studio, those of the page among them. */
  readonly routes: ReadonlyArray<{ readonly method: 'GET' | 'POST', readonly path: string }>
  readonly root: Person
  readonly ann: Person
  /** As a browser on the server's own machine sends it. */
  get (url: string, headers?: Record<string, string>): Promise<Received>
  post (url: string, payload: object, headers?: Record<string, string>): Promise<Received>
}

export interface Received { readonly status: number, readonly body: any, readonly text: string }

export async function application (t: Test, options: StudioOptions = {}): Promise<TestApplication> {
  const registry = new ModelRegistry({ settings: { unsupportedHeaders: 'ignore' } })
  registry.defineDataSource('db', { connector: sqlConnector, dialect: 'sqlite', file: ':memory:', migrate: 'update' })
  installAuthModels(registry)
  installAclModels(registry)
  registry.defineModels(definitions.map(input => ({ input })))
  for (const name of ['User', 'Role', 'RoleMapping', 'Note', 'Visit']) registry.attach(name, 'db', { public: true })
  for (const name of ['AccessToken', 'ACL']) registry.attach(name, 'db', { public: false })
  const Note = registry.getModel('Note')
  Note.observe('before save', async context => {
    const row = (context.instance ?? context.data) as Record<string, unknown>
    row.slug = String(row.title).toLowerCase()
  })
  const Visit = registry.getModel('Visit')
  Visit.observe('loaded', async () => { await (Note.count as () => Promise<number>)() })
  const app = Fastify()
  t.teardown(async () => { await app.close() })
  await app.register(core, { registry })
  await app.register(auth, { rateLimit: false })
  await app.register(acl)
  const routes: Array<TestApplication['routes'][number]> = []
  app.addHook('onRoute', ({ method, url }) => {
    if (!url.startsWith('/studio/')) return
    for (const verb of ['GET', 'POST'] as const) if (method === verb) routes.push({ method: verb, path: url })
  })
  await app.register(studio, options)
  await app.register(rest, { prefix: '/api' })
  await app.ready()
  const make = async (model: string, data: object): Promise<{ id: unknown }> =>
    await (registry.getModel(model).create as (data: object) => Promise<{ id: unknown }>)(data)
  const person = async (name: string): Promise<Person> => {
    const { id } = await make('User', { email: `${name}@example.com`, username: name, password })
    const login = await app.inject({
      method: 'POST', url: '/api/Users/login', payload: { email: `${name}@example.com`, password }
    })
    return { id, token: (login.json() as { id: string }).id }
  }
  const [root, ann] = [await person('root'), await person('ann')]
  const role = await make('Role', { name: 'admin' })
  await make('RoleMapping', { principalType: 'USER', principalId: String(root.id), roleId: role.id })
  for (let i = 1; i <= 12; i++) {
    await make('Note', { title: `Note ${i}`, city: i % 2 === 0 ? 'Rome' : 'Oslo', ownerId: i <= 4 ? ann.id : root.id })
    await make('Visit', { place: `Place ${i}`, noteId: i })
  }
  const send = async (request: InjectOptions): Promise<Received> => {
    const { statusCode, body, headers } = await app.inject(request)
    const isJson = String(headers['content-type']).startsWith('application/json')
    return { status: statusCode, body: isJson ? JSON.parse(body) : undefined, text: body }
  }
  return {
    app,
    routes,
    root,
    ann,
    get: async (url, headers = {}) => await send({ url, headers: { host: 'localhost:3000', ...headers } }),
    post: async (url, payload, headers = {}) =>
      await send({ method: 'POST', url, payload, headers: { host: 'localhost:3000', ...headers } })
  }
}
