/** Tables in which two texts are one, as MySQL's usual collations have it: S-173, S-174. */
import Fastify, { type FastifyInstance } from 'fastify'
import { acl } from '@fastback/acl'
import { auth, installAuthModels } from '@fastback/auth'
import { memoryConnector } from '@fastback/connector-memory'
import { sqlConnector } from '@fastback/connector-sql'
import { core } from '@fastback/core'
import { rest } from '@fastback/rest'
import t, { type Test } from 'tap'
import { execute, isReachable, makeScratch } from '../../scratch.mjs'

type Loose = any

const skip = await isReachable('mysql') ? false : 'no server answers'
const text = { type: 'string', length: 50 }
const deny = { principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' }
const users = { principalType: 'ROLE', principalId: '$authenticated', permission: 'ALLOW' }
const models = [
  { name: 'Page', properties: { text: 'string', team: text }, tenant: { property: 'team', value: '$user.realm' } },
  { name: 'Memo', properties: { text: 'string', team: text }, acls: [deny, { ...users, rows: { team: '$user.realm' } }] },
  {
    name: 'Item', properties: { text: 'string' },
    relations: { memo: { type: 'belongsTo', model: 'Memo', foreignKey: 'memoId' } },
    acls: [deny, { ...users, rows: { memo: { team: '$user.realm' } } }]
  },
  {
    name: 'Rest', plural: 'Rests', properties: { text: 'string', team: text },
    acls: [deny, { ...users, rows: { nor: [{ team: { neq: '$user.realm' } }] } }]
  },
  {
    name: 'Safe', plural: 'Safes', properties: { text: 'string' },
    acls: [deny, { principalType: 'ROLE', principalId: 'admin', permission: 'ALLOW' }]
  }
]

/** An application whose tables were made with another collation than the one that this connector gives them. */
async function start (t: Test): Promise<{ app: FastifyInstance, model: (name: string) => Loose }> {
  const { url, name, remove } = await makeScratch('mysql')
  t.teardown(remove)
  const make = async (): Promise<FastifyInstance> => {
    const app = Fastify()
    t.teardown(() => app.close())
    await app.register(core, {
      dataSources: { db: { connector: sqlConnector, url, migrate: 'update', poolSize: 2 }, people: { connector: memoryConnector } },
      settings: { relatedConditions: true }
    } as Loose)
    const { registry } = app
    installAuthModels(registry)
    registry.defineModel({ name: 'Person', base: 'User', properties: { id: { ...text, id: true } }, forceId: false } as Loose)
    registry.attach('Person', 'people', { public: true })
    await app.register(auth, { rateLimit: false } as Loose)
    registry.attach('AccessToken', 'people')
    await app.register(acl)
    for (const each of ['ACL', 'Role', 'RoleMapping']) registry.attach(each, 'db')
    for (const each of models) {
      registry.defineModel(each as Loose)
      registry.attach(each.name, 'db', { public: true })
    }
    await app.register(rest, { prefix: '/api' })
    await app.ready()
    return app
  }
  await (await make()).close()
  const tables: Loose[] = await execute(url, `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = '${name}'`)
  for (const { name: table } of tables) {
    await execute(url, `ALTER TABLE \`${String(table)}\` CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci`)
  }
  const app = await make()
  return { app, model: each => app.registry.getModel(each) }
}

async function loginAs (app: FastifyInstance, row: { id: string, realm?: string }): Promise<string> {
  const email = `${Buffer.from(row.id).toString('hex')}@x.test`
  await (app.registry.getModel('Person') as Loose).create({ ...row, email, password: 'secret' })
  const response = await app.inject({ method: 'POST', url: '/api/People/login', payload: { email, password: 'secret' } })
  return response.json().id
}

const send = async (app: FastifyInstance, token: string, method: string, url: string, payload?: object) => {
  const response = await app.inject({
    method: method as 'GET', url: `/api${url}`, headers: { authorization: token }, ...(payload === undefined ? {} : { payload })
  })
  return { status: response.statusCode, body: response.json<Loose>() }
}

t.test('S-173 a role is of the user whom its mapping names, and of none who is written alike', { skip }, async t => {
  // Seen to fail: acl/roles/role-store.ts that takes every mapping which the data source finds: "BOSS" was an admin
  const { app, model } = await start(t)
  const role = await model('Role').create({ name: 'admin' })
  await model('RoleMapping').create({ principalType: 'USER', principalId: 'boss', roleId: role.id })
  t.equal((await send(app, await loginAs(app, { id: 'boss' }), 'GET', '/Safes')).status, 200)
  for (const id of ['BOSS', 'boss ', 'bóss', 'boß']) {
    t.equal((await send(app, await loginAs(app, { id }), 'GET', '/Safes')).status, 401, JSON.stringify(id))
  }
})

t.test('S-174 rows of a tenant are those of its very name', { skip }, async t => {
  // Seen to fail: acl/rows/bound-rule.ts without `exactly`; connector-sql/query/comparison.ts that does not look at
  // isExact: "acme" read and deleted rows of "ACME"
  const { app, model } = await start(t)
  const others = [['acme', 'ACME'], ['b', 'b '], ['e', 'é'], ['ß', 's']] as const
  for (const [i, [mine, other]] of others.entries()) {
    const [own, foreign] = [
      await loginAs(app, { id: `u${i}`, realm: mine }), await loginAs(app, { id: `v${i}`, realm: other })
    ]
    for (const name of ['Page', 'Memo', 'Rest']) {
      const [{ id }, kept] = [
        await model(name).create({ text: 'of the other', team: other }), await model(name).create({ text: 'mine', team: mine })
      ]
      const at = `/${name}s`
      const what = `${name} ${JSON.stringify(mine)} ${JSON.stringify(other)}`
      t.strictSame((await send(app, own, 'GET', at)).body.map((row: Loose) => row.id), [kept.id], what)
      t.strictSame((await send(app, foreign, 'GET', at)).body.map((row: Loose) => row.id), [id], what)
      t.equal((await send(app, own, 'GET', `${at}/count`)).body.count, 1, what)
      t.not((await send(app, own, 'GET', `${at}/${id}`)).status, 200, what)
      t.not((await send(app, own, 'PATCH', `${at}/${id}`, { text: 'taken' })).status, 200, what)
      await send(app, own, 'DELETE', `${at}/${id}`)
      t.equal((await model(name).findById(id))?.text, 'of the other', what)
      if (name === 'Memo') {
        const item = await model('Item').create({ text: 'in it', memoId: id })
        t.strictSame((await send(app, own, 'GET', '/Items')).body, [], what)
        t.strictSame((await send(app, foreign, 'GET', '/Items')).body.map((row: Loose) => row.id), [item.id], what)
        await model('Item').deleteAll()
      }
      await model(name).deleteAll()
    }
  }
})
