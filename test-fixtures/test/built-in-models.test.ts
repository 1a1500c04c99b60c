/** Models that extend built-in ones, and places of built-in ones, in the order in which applications write them. */
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import t, { type Test } from 'tap'
import Fastify, { type FastifyInstance } from 'fastify'
import { core, ModelRegistry, type CoreOptions } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'
import { sqlConnector } from '@fastback/connector-sql'
import { auth } from '@fastback/auth'
import { acl } from '@fastback/acl'
import { rest } from '@fastback/rest'
import { createServer } from '@fastback/boot'

const stores = {
  memory: { connector: memoryConnector },
  sqlite: { connector: sqlConnector, url: 'sqlite::memory:' }
}

async function ask (app: FastifyInstance, request: string, payload?: object, token?: string) {
  const [method, url] = request.split(' ') as ['GET', string]
  const headers = token === undefined ? {} : { authorization: token }
  const answer = await app.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) })
  return { status: answer.statusCode, body: answer.payload === '' ? null : answer.json() }
}

/** Core first, then what brings the built-in models. */
async function usual (t: Test, options: CoreOptions): Promise<FastifyInstance> {
  const app = Fastify()
  t.teardown(async () => { await app.close() })
  await app.register(core, options)
  await app.register(auth)
  await app.register(acl)
  await app.register(rest, { prefix: '/api' })
  await app.ready()
  return app
}

const staff: CoreOptions['definitions'] = [
  { name: 'Chief', base: 'Staff', properties: { title: 'string' } },
  { name: 'Staff', base: 'User', properties: { ward: 'string' } },
  { name: 'Post', base: 'Role', properties: { floor: 'number' } },
  {
    name: 'Note',
    properties: { text: 'string' },
    acls: [
      { principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' },
      { principalType: 'ROLE', principalId: 'nurse', permission: 'ALLOW', property: 'find' }
    ]
  }
]

const places: CoreOptions['models'] = {
  Post: { dataSource: 'db', public: false },
  RoleMapping: { dataSource: 'db', public: false },
  ACL: { dataSource: 'db', public: false },
  Staff: { dataSource: 'db' },
  AccessToken: { dataSource: 'db', public: false },
  Note: { dataSource: 'db' }
}

for (const [name, db] of Object.entries(stores)) {
  t.test(`plugins in their usual order, ${name}`, async t => {
    const app = await usual(t, { dataSources: { db }, definitions: staff, models: places })
    const made = await ask(app, 'POST /api/Staffs', { email: 'ann@example.com', password: 'correct horse', ward: 'west' })
    t.equal(made.status, 200)
    t.match(made.body, { ward: 'west', password: undefined })
    t.equal((await ask(app, 'POST /api/Staffs', { email: 'ann@example.com', password: 'x' })).status, 422, 'a hook of User')
    const login = await ask(app, 'POST /api/Staffs/login', { email: 'ann@example.com', password: 'correct horse' })
    t.equal(login.status, 200)
    t.equal((await ask(app, 'GET /api/Notes', undefined, login.body.id)).status, 401)
    const { Post, RoleMapping, Chief } = app.models as Record<string, any>
    const { id } = await Post.create({ name: 'nurse', floor: 2 })
    await RoleMapping.create({ principalType: 'USER', principalId: made.body.id, roleId: id })
    t.equal((await ask(app, 'GET /api/Notes', undefined, login.body.id)).status, 200, 'by a role of the model Post')
    t.equal((await ask(app, 'GET /api/Users')).status, 404, 'User itself is not attached')
    t.equal(Chief.base, app.models.Staff as unknown, 'also what extends a model that extends it')
    t.equal((await ask(app, 'GET /api/Posts')).status, 404)
  })
}

t.test('what nobody brings stops the start, with the package that has it', async t => {
  const start = async (options: CoreOptions): Promise<unknown> => {
    const app = Fastify()
    t.teardown(async () => { await app.close() })
    await app.register(core, { dataSources: { db: { connector: memoryConnector } }, ...options })
    return await app.ready()
  }
  await t.rejects(start({ definitions: staff }), {
    code: 'FBK_CORE_UNKNOWN_BASE',
    message: 'Model "Staff" extends "User", which is not defined. It is a model of @fastback/auth: register that plugin as well.'
  })
  await t.rejects(start({ models: { Role: { dataSource: 'db' } } }), {
    code: 'FBK_CORE_UNKNOWN_MODEL',
    message: 'There is no model named "Role". It is a model of @fastback/acl: register that plugin as well.'
  })
  await t.rejects(start({ definitions: [{ name: 'Staff', base: 'Usr' }] }), { code: 'FBK_CORE_UNKNOWN_BASE' })
  await t.rejects(start({ models: { Rle: { dataSource: 'db' } } }), { code: 'FBK_CORE_UNKNOWN_MODEL' })
  const twice = [{ name: 'Staff', base: 'User' }, { name: 'Staff', base: 'User' }]
  const app = Fastify()
  t.teardown(async () => { await app.close() })
  await app.register(core, { definitions: twice })
  await t.rejects(async () => { await app.register(auth) }, { code: 'FBK_CORE_DUPLICATE_MODEL' })
})

t.test('a model that still waits says what for', async t => {
  const app = Fastify()
  t.teardown(async () => { await app.close() })
  await app.register(core, { definitions: staff })
  t.throws(() => app.registry.getModel('Chief'), {
    message: 'There is no model named "Chief". It waits for "Staff", which it extends.'
  })
  t.throws(() => app.registry.getModel('Staff'), { message: /waits for "User".* @fastback\/auth/ })
  t.throws(() => new ModelRegistry().defineModel({ name: 'Own', base: 'User' }), { message: /@fastback\/auth/ })
  await app.register(auth)
  t.equal(app.registry.getModel('Chief').modelName, 'Chief')
  await app.register(acl)
  await app.ready()
})

/** A folder with users in SQLite, and a boot script. */
async function folder (t: Test, script: string, files: Record<string, unknown> = {}): Promise<FastifyInstance> {
  const root = t.testdir({})
  const all: Record<string, unknown> = {
    'package.json': { type: 'commonjs' },
    'server/config.json': { port: 0, host: '127.0.0.1', restApiRoot: '/api' },
    'server/datasources.json': {
      db: { connector: 'sql', url: `sqlite:${path.join(root, 'own.sqlite')}`, migrate: 'update' }
    },
    'server/model-config.json': {
      User: { dataSource: 'db' }, AccessToken: { dataSource: 'db', public: false },
      ACL: { dataSource: 'db', public: false }, Role: { dataSource: 'db', public: false },
      RoleMapping: { dataSource: 'db', public: false }
    },
    'server/boot/1-auth.js': 'module.exports = app => { app.enableAuth() }',
    'server/boot/2-own.js': script,
    ...files
  }
  for (const [name, content] of Object.entries(all)) {
    const file = path.join(root, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  }
  const nothing = (): void => {}
  const log: object = {
    level: 'warn', trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing, fatal: nothing, child: () => log
  }
  const server = await createServer(root, { env: 'test', log: log as never })
  t.teardown(async () => { await server.stop() })
  return server.fastify
}

t.test('a second user model that a boot script makes, with "migrate": "update"', async t => {
  const app = await folder(t, `module.exports = async app => {
    await app.models.User.create({ email: 'first@example.com', password: 'correct horse' })
    const Merchant = app.dataSources.db.createModel('Merchant', { shop: 'string' }, { base: 'User' })
    app.model(Merchant, { dataSource: 'db', public: true })
  }`)
  const credentials = { email: 'ann@example.com', password: 'correct horse' }
  t.equal((await ask(app, 'POST /api/Merchants', { ...credentials, shop: 'tea' })).status, 200)
  const login = await ask(app, 'POST /api/Merchants/login', credentials)
  t.equal(login.status, 200)
  t.equal((await ask(app, `GET /api/Merchants/${login.body.userId}`, undefined, login.body.id)).body.shop, 'tea')
  t.equal((await ask(app, `GET /api/Users/${login.body.userId}`, undefined, login.body.id)).status, 401, 'no user of the other model')
})

t.test('a base that nothing has asked for yet', async t => {
  const app = await folder(t, `module.exports = app => {
    const Customer = app.dataSources.db.createModel('Customer', {}, { base: 'User' })
    app.dataSources.db.createModel('Rank', {}, { base: 'Role' })
    app.model(Customer, { dataSource: 'db', public: true })
  }`, {
    'server/model-config.json': {}, 'server/boot/1-auth.js': '', 'server/boot/3-auth.js': 'module.exports = app => { app.enableAuth({ dataSource: "db" }) }'
  })
  const credentials = { email: 'ann@example.com', password: 'correct horse' }
  t.equal((await ask(app, 'POST /api/Customers', credentials)).status, 200)
  t.equal((await ask(app, 'POST /api/Customers/login', credentials)).status, 200)
})
