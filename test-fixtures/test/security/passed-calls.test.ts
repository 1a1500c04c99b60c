/** AUDIT and ALARM are written down, `acl explain` asks as a request does: S-107. Replacing asks the hooks: S-105. */
import tap, { type Test } from 'tap'
import { acl, explainAccess } from '@fastback/acl'
import { auth } from '@fastback/auth'
import { memoryConnector } from '@fastback/connector-memory'
import { sqlConnector } from '@fastback/connector-sql'
import { core } from '@fastback/core'
import { rest } from '@fastback/rest'
import Fastify from 'fastify'
import { join } from './clients.js'
import { temporaryApp } from './folders.js'
import { attack } from './harness.js'

type Loose = any

const row = (permission: string, principalId: string, property: string): object =>
  ({ principalType: 'ROLE', principalId, permission, property })

tap.test('S-107 calls that AUDIT and ALARM let pass are lines of the log', { timeout: 60_000 }, async t => {
  // Seen to fail: Guard without recordPassed: no such lines
  const server = await attack(t, temporaryApp(t, {
    'server/boot/auth.js': 'export default app => { app.enableAuth() }',
    'server/models/note.json': {
      name: 'Note',
      properties: { text: 'string', userId: 'number' },
      relations: { parts: { type: 'hasMany', model: 'Part', foreignKey: 'noteId' } },
      acls: [
        row('DENY', '$everyone', '*'),
        row('AUDIT', '$everyone', 'find'),
        row('ALARM', '$authenticated', 'create'),
        row('AUDIT', '$owner', 'deleteById'),
        row('ALLOW', '$everyone', 'count'),
        row('ALLOW', '$everyone', '__get__parts')
      ]
    },
    'server/models/part.json': { name: 'Part', relatedAccess: 'related', acls: [row('ALARM', '$everyone', 'find')] },
    'server/models/free.json': { name: 'Free', defaultPermission: 'AUDIT' },
    'server/model-config.json': {
      _meta: { sources: ['loopback/common/models', './models'] },
      ...Object.fromEntries(['User', 'AccessToken', 'ACL', 'Role', 'RoleMapping'].map(name =>
        [name, { dataSource: 'db', public: name === 'User' }])),
      ...Object.fromEntries(['Note', 'Part', 'Free'].map(name => [name, { dataSource: 'db', public: true }]))
    }
  }), 'memory')
  const { send, logged } = server
  const lines = (): Loose[] => logged().split('\n').filter(line => line.includes('"acl.')).map(line => JSON.parse(line))
  const ann = await join(server, 'ann')
  t.equal((await send('GET', '/Notes')).status, 200)
  t.match(lines().at(-1), {
    level: 30, msg: 'acl.audit', event: 'acl.audit', model: 'Note', method: 'find', reqId: /./,
    rule: { permission: 'AUDIT', property: 'find' }
  })
  t.equal(lines().at(-1).principal, undefined, 'nobody is logged in')
  t.equal((await send('POST', '/Notes', { token: ann.token, json: { text: 'a', userId: ann.id } })).status, 200)
  t.match(lines().at(-1), {
    level: 40, msg: 'acl.alarm', method: 'create', principal: { type: 'USER', id: ann.id }, rule: { permission: 'ALARM' }
  })
  t.equal((await send('GET', '/Notes/1/parts')).status, 200)
  t.match(lines().at(-1), { level: 40, model: 'Part', method: 'find' }, 'rules of related models as well')
  t.equal((await send('GET', '/Frees')).status, 200)
  t.match(lines().at(-1), { level: 30, model: 'Free', method: 'find', rule: 'default' })
  t.equal((await send('DELETE', '/Notes/1', { token: ann.token })).status, 200)
  t.match(lines().at(-1), { level: 30, model: 'Note', method: 'deleteById', principal: { id: ann.id } })
  const { length } = lines()
  t.equal((await send('GET', '/Notes/count')).status, 200)
  t.equal((await send('POST', '/Notes', { json: {} })).status, 401)
  t.equal(lines().length, length, 'what is allowed, and what is refused, is no such call')
  t.notMatch(lines().map(line => JSON.stringify(line)).join(), ann.token)
})

async function serve (t: Test, store: Loose, { definitions, settings, prepare }: Loose): Promise<Loose> {
  const app: Loose = Fastify()
  t.teardown(() => app.close())
  await app.register(core, {
    dataSources: { db: store },
    definitions,
    models: Object.fromEntries(definitions.map(({ name }: Loose) => [name, { dataSource: 'db', public: true }])),
    settings
  })
  await app.register(auth, { dataSource: 'db' })
  await app.register(acl, { dataSource: 'db' })
  prepare?.(app.models)
  await app.register(rest, { prefix: '/api' })
  await app.ready()
  const { User } = app.models
  const tokens: string[] = []
  for (const email of ['ann@x.test', 'ben@x.test']) {
    await User.create({ email, password: 'correct horse' })
    tokens.push(String((await User.login({ email, password: 'correct horse' })).id))
  }
  return {
    app,
    call: async (who: number, method: string, url: string, payload?: object) =>
      await app.inject({ method, url: `/api${url}`, payload, headers: { authorization: tokens[who] } })
  }
}

tap.test('S-107 explainAccess gives resolvers the id that a request gives', async t => {
  // Seen to fail: explainAccess with the text of the command line: refused, where the request was answered with 200
  const given: unknown[] = []
  const { app, call } = await serve(t, { connector: memoryConnector }, {
    definitions: [{ name: 'Report', acls: [row('DENY', '$everyone', '*'), row('ALLOW', 'second', '*')] }],
    prepare: ({ Role }: Loose) => Role.registerResolver('second', async (_role: string, context: Loose) => {
      given.push(context.accessToken.userId, context.getUserId())
      return context.accessToken.userId === 2
    })
  })
  t.equal((await call(1, 'GET', '/Reports')).statusCode, 200)
  t.equal((await call(0, 'GET', '/Reports')).statusCode, 401)
  for (const [userId, allowed] of [['2', true], [2, true], ['1', false], ['none', false]] as const) {
    t.equal((await explainAccess(app.registry, { model: 'Report', method: 'find', userId })).allowed, allowed, `${userId}`)
  }
  t.strictSame(given, [2, 2, 1, 1, 2, 2, 2, 2, 1, 1, 'none', 'none'])
})

const stores: Array<[string, Loose]> = [
  ['memory', { connector: memoryConnector }],
  ['sqlite', { connector: sqlConnector, url: 'sqlite::memory:', migrate: 'update' }]
]

for (const [name, store] of stores) {
  tap.test(`${name}: S-105 nobody takes over a row that the hook hides, in code that does not say`, async t => {
    // Seen to fail: accessOnReplace as it was, false: PUT /Docs/b was 200, and the row of t2 was of t1
    const properties = { id: { type: 'string', id: true }, text: 'string', tenant: 'string', boxId: 'number' }
    const tenantOf = ({ accessToken }: Loose): string => `t${accessToken.userId as number}`
    const { app, call } = await serve(t, store, {
      definitions: [
        { name: 'Doc', forceId: false, properties },
        { name: 'Loose', forceId: false, properties, accessOnReplace: false },
        { name: 'Box', plural: 'Boxes', relations: { docs: { type: 'hasMany', model: 'Doc', foreignKey: 'boxId' } } }
      ],
      prepare: (models: Loose) => {
        for (const Model of [models.Doc, models.Loose]) {
          Model.observe('access', async ({ options, query }: Loose) => {
            if (options.accessToken === undefined) return
            query.where = { and: [query.where ?? {}, { tenant: tenantOf(options) }] }
          })
        }
      }
    })
    const { Doc, Loose, Box } = app.models
    await Box.create({})
    for (const Model of [Doc, Loose]) {
      await Model.create([{ id: 'a', text: 'mine', tenant: 't1', boxId: 1 }, { id: 'b', text: 'theirs', tenant: 't2', boxId: 1 }])
    }
    const data = { text: 'taken', tenant: 't1' }
    for (const [verb, url, json] of [
      ['PUT', '/Docs/b', data],
      ['POST', '/Docs/b/replace', data],
      ['PUT', '/Docs', { id: 'b', ...data }],
      ['POST', '/Docs/replaceOrCreate', { id: 'b', ...data }],
      ['PATCH', '/Docs', { id: 'b', ...data }],
      ['PATCH', '/Docs/b', data],
      ['POST', '/Docs/upsertWithWhere?where={"id":"b"}', { id: 'b', ...data }],
      ['PUT', '/Boxes/1/docs/b', data],
      ['DELETE', '/Boxes/1/docs/b', undefined]
    ] as const) {
      const { statusCode, payload } = await call(0, verb, url, json)
      t.ok([404, 409].includes(statusCode), `${verb} ${url}: ${statusCode}`)
      t.notMatch(payload, 'theirs')
    }
    t.match(await Doc.findById('b'), { text: 'theirs', tenant: 't2' })
    t.equal((await call(0, 'PUT', '/Docs/a', { text: 'own', tenant: 't1' })).statusCode, 200)
    t.equal((await call(0, 'PUT', '/Looses/b', data)).statusCode, 200, 'unless somebody says so')
  })
}
