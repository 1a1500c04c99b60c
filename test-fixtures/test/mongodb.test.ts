// FASTBACK_TEST_FULL: a database server.
/**
 * An application folder in LoopBack's layout on MongoDB: users, tokens, owners, relations and hostile requests, over
 * HTTP.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import t, { type Test } from 'tap'
import { createServer, type Server } from '@fastback/boot'
import { TestServer } from '../../packages/connector-mongodb/test/support/server.js'

type Loose = any

const files = (url: string): Record<string, unknown> => ({
  'package.json': { name: 'shop' },
  'server/config.json': { restApiRoot: '/api', host: '127.0.0.1', port: 0 },
  'server/datasources.json': { db: { connector: 'loopback-connector-mongodb', url, database: 'shop', migrate: 'update' } },
  'server/model-config.json': {
    _meta: { sources: ['../common/models'] },
    Customer: { dataSource: 'db', public: true },
    Order: { dataSource: 'db', public: true },
    User: { dataSource: 'db', public: false },
    ...Object.fromEntries(
      ['AccessToken', 'ACL', 'Role', 'RoleMapping'].map(name => [name, { dataSource: 'db', public: false }])
    )
  },
  'common/models/customer.json': {
    name: 'Customer', base: 'User', relations: { orders: { type: 'hasMany', model: 'Order', foreignKey: 'ownerId' } }
  },
  'common/models/order.json': {
    name: 'Order',
    base: 'PersistedModel',
    properties: { title: 'string', lines: [{ sku: 'string', count: 'number' }] },
    relations: { owner: { type: 'belongsTo', model: 'Customer', foreignKey: 'ownerId' } },
    acls: [
      { principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' },
      { principalType: 'ROLE', principalId: '$authenticated', permission: 'ALLOW', accessType: 'READ' },
      { principalType: 'ROLE', principalId: '$authenticated', permission: 'ALLOW', property: 'create' },
      { principalType: 'ROLE', principalId: '$owner', permission: 'ALLOW', accessType: 'WRITE' }
    ]
  },
  'server/boot/auth.js': 'module.exports = app => { app.enableAuth() }'
})

async function boot (t: Test): Promise<{ server: Server, store: TestServer }> {
  const store = await TestServer.start()
  const folder = mkdtempSync(path.join(tmpdir(), 'fastback-mongodb-'))
  t.teardown(async () => {
    rmSync(folder, { recursive: true })
    await store.stop()
  })
  for (const [name, content] of Object.entries(files(store.url))) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
  }
  const server = await createServer(folder, { log: false })
  t.teardown(() => server.stop())
  return { server, store }
}

t.test('an application folder on MongoDB', async t => {
  const { server, store } = await boot(t)
  await server.start()
  const ask = async (method: Loose, url: string, body?: object, token?: string): Promise<Loose> => {
    const answer = await server.fastify.inject({
      method,
      url: `/api${url}`,
      ...(body === undefined ? {} : { payload: body }),
      headers: token === undefined ? {} : { authorization: token }
    })
    return { status: answer.statusCode, body: answer.body === '' ? undefined : answer.json() }
  }
  const signUp = async (name: string): Promise<{ id: string, token: string }> => {
    const account = { email: `${name}@shop.example`, password: 'a long password' }
    t.equal((await ask('POST', '/Customers', account)).status, 200)
    const { body } = await ask('POST', '/Customers/login', account)
    return { id: body.userId, token: body.id }
  }
  const ada = await signUp('ada')
  const eve = await signUp('eve')
  t.match(ada.id, /^[0-9a-f]{24}$/)
  t.equal((await ask('POST', '/Customers', { email: 'ada@shop.example', password: 'a long password' })).status, 422)

  const order = { title: 'tea', ownerId: ada.id, lines: [{ sku: 'a', count: 2 }] }
  const made = (await ask('POST', '/Orders', order, ada.token)).body
  t.match(made, order)
  const sent = store.received.findLast(command => command.insert === 'Order') as Loose
  t.equal(sent.documents[0].ownerId._bsontype, 'ObjectId', 'foreign keys are ObjectIDs')
  t.equal((await ask('GET', `/Orders/${made.id}`, undefined, ada.token)).body.title, 'tea')
  const query = encodeURIComponent(JSON.stringify({ where: { 'lines.sku': 'a' }, include: 'owner' }))
  t.match((await ask('GET', `/Orders?filter=${query}`, undefined, ada.token)).body, [{ owner: { id: ada.id } }])

  t.equal((await ask('PATCH', `/Orders/${made.id}`, { title: 'x' }, eve.token)).status, 401)
  t.equal((await ask('PATCH', `/Orders/${made.id}`, { title: 'green tea' }, ada.token)).status, 200)
  t.equal((await ask('GET', '/Orders/507f1f77bcf86cd799439011', undefined, ada.token)).status, 404)

  for (const where of [{ $where: 'sleep(9)' }, { title: { $gt: '' } }, { 'title.$x': 1 }, { lines: { $elemMatch: {} } }]) {
    const url = `/Orders?filter=${encodeURIComponent(JSON.stringify({ where }))}`
    t.equal((await ask('GET', url, undefined, ada.token)).status, 400, JSON.stringify(where))
  }
  for (const body of [{ $set: { title: 'x' } }, { 'lines.0': 1 }, { free: { $gt: 1 } }, { free: { _bsontype: 'Code' } }]) {
    const { status } = await ask('PATCH', `/Orders/${made.id}`, body, ada.token)
    t.ok(status === 400 || status === 422, `${JSON.stringify(body)}: ${status}`)
  }
  for (const password of [{ $gt: '' }, { $ne: null }, ['a long password']]) {
    const { status } = await ask('POST', '/Customers/login', { email: 'ada@shop.example', password })
    t.ok(status >= 400 && status < 500, JSON.stringify(password))
  }
  const login = await ask('POST', '/Customers/login', { email: { $gt: '' }, password: 'a long password' })
  t.ok(login.status >= 400 && login.status < 500)

  store.answer = command => 'find' in command ? { closes: true } : undefined
  const broken = await ask('GET', '/Orders', undefined, ada.token)
  t.equal(broken.status, 503)
  t.notMatch(JSON.stringify(broken.body), /mongo|127\.0\.0\.1/i)
  store.answer = undefined
  t.equal((await ask('GET', `/Orders/${made.id}`, undefined, ada.token)).body.title, 'green tea')
})
