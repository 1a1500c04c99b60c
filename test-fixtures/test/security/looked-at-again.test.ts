/** Rows of stores that find more than rules mean: services that know no conditions, collations: S-200, S-201. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import { acl } from '@fastback/acl'
import { auth, installAuthModels } from '@fastback/auth'
import { loopbackConnector } from '@fastback/connector-loopback'
import { memoryConnector } from '@fastback/connector-memory'
import { restConnector } from '@fastback/connector-rest'
import { core } from '@fastback/core'
import { rest } from '@fastback/rest'
import t, { type Test } from 'tap'

type Loose = any

const deny = { principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' }
const users = { principalType: 'ROLE', principalId: '$authenticated', permission: 'ALLOW' }

/** An application whose models are of one data source, and its users of another. */
async function start (t: Test, store: object, models: readonly Loose[]): Promise<FastifyInstance> {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(core, { dataSources: { store, people: { connector: memoryConnector } } } as Loose)
  const { registry } = app
  installAuthModels(registry)
  registry.defineModel({ name: 'Person', base: 'User', properties: { teams: ['string'] } } as Loose)
  registry.attach('Person', 'people', { public: true })
  await app.register(auth, { rateLimit: false } as Loose)
  registry.attach('AccessToken', 'people')
  await app.register(acl)
  for (const each of models) {
    registry.defineModel(each)
    registry.attach(each.name, each.name === 'Shelf' ? 'people' : 'store', { public: true })
  }
  await app.register(rest, { prefix: '/api' })
  await app.ready()
  return app
}

async function sender (app: FastifyInstance, row: object) {
  const email = `${Math.random().toString(36).slice(2)}@x.test`
  const made = await (app.registry.getModel('Person') as Loose).create({ ...row, email, password: 'secret' })
  const login = await app.inject({ method: 'POST', url: '/api/People/login', payload: { email, password: 'secret' } })
  const send = async (method: string, url: string, payload?: object) => {
    const response = await app.inject({
      method: method as 'GET', url: `/api${url}`, headers: { authorization: login.json().id },
      ...(payload === undefined ? {} : { payload })
    })
    return { status: response.statusCode, body: response.json<Loose>() }
  }
  return { id: made.id as number, send }
}

const ids = ({ body }: { body: Loose }): unknown => Array.isArray(body) ? body.map(({ id }: Loose) => id) : body

t.test('S-200 rules about rows count where a service knows no conditions', async t => {
  // Seen to fail: core/operations/related-conditions.ts without `marked`; connector-rest/resource.ts without
  // `partedWhere`: everybody read the rows of everybody
  const rows = [1, 2, 3, 4].map(id => ({ id, name: `n${id}`, ownerId: id % 2 + 1, team: id === 4 ? 'red' : 'blue' }))
  const server = createServer(({ url = '' }, res) => {
    const [, id] = /\/(\d+)(?:\?|$)/.exec(url) ?? []
    const found = id === undefined ? rows : rows.find(row => row.id === Number(id))
    res.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' })
    res.end(JSON.stringify(found ?? {}))
  })
  await new Promise<void>(resolve => { server.listen(0, '127.0.0.1', resolve) })
  t.teardown(() => { server.closeAllConnections(); server.close() })
  const baseURL = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`
  const properties = { id: { type: 'number', id: true }, name: 'string', ownerId: 'number', team: 'string' }
  const app = await start(t, { connector: restConnector, baseURL }, [
    { name: 'Open', plural: 'Opens', properties },
    { name: 'Mine', plural: 'Mines', properties, acls: [deny, { ...users, rows: { ownerId: '$user.id' } }] },
    { name: 'Ours', plural: 'Ours', properties, tenant: { property: 'team', value: '$user.realm' } },
    {
      name: 'Shelf', plural: 'Shelves', properties: { ownerId: 'number' },
      relations: { mines: { type: 'hasMany', model: 'Mine', foreignKey: 'ownerId', primaryKey: 'ownerId' } }
    }
  ])
  const { id, send } = await sender(app, { realm: 'red' })
  t.equal(id, 1)
  t.strictSame(ids(await send('GET', '/Opens')), [1, 2, 3, 4], 'control')
  t.strictSame(ids(await send('GET', '/Mines')), [2, 4])
  t.strictSame(ids(await send('GET', '/Ours')), [4])
  const { body } = await send('GET', '/Mines?filter={"fields":["name"],"where":{"name":"n2"}}')
  t.strictSame(body.map(({ name, ownerId }: Loose) => [name, ownerId]), [['n2', undefined], ['n4', undefined]])
  t.equal((await send('GET', '/Mines/2')).body.name, 'n2', 'control')
  const [other, none] = [await send('GET', '/Mines/1'), await send('GET', '/Mines/9')]
  t.strictSame([other.status, none.status], [404, 404])
  t.equal(other.body.error.code, none.body.error.code)
  const one = await send('GET', '/Mines/findOne?filter={"where":{"id":1}}')
  t.notMatch(JSON.stringify(one.body), 'n1')
  await (app.registry.getModel('Shelf') as Loose).create([{ ownerId: 1 }, { ownerId: 2 }])
  const shelves = await send('GET', '/Shelves?filter={"include":"mines"}')
  t.equal(shelves.status, 200)
  t.notMatch(JSON.stringify(shelves.body), /n1|n3/)
  for (const method of ['PATCH', 'DELETE']) t.ok((await send(method, '/Mines/1', { name: 'x' })).status >= 400, method)
})

/** A connector made for LoopBack over tables whose collation takes upper and lower case for one. */
function alike (rows: Loose[]): Loose {
  const same = (a: unknown, b: unknown): boolean => String(a).toLowerCase() === String(b).toLowerCase()
  const passes = (row: Loose, where: Loose = {}): boolean => Object.entries<Loose>(where).every(([name, test]) => {
    if (name === 'and') return test.every((each: Loose) => passes(row, each))
    if (name === 'or') return test.some((each: Loose) => passes(row, each))
    if (test?.inq !== undefined) return test.inq.some((each: unknown) => same(each, row[name]))
    if (test?.neq !== undefined) return !same(test.neq, row[name])
    return same(test, row[name])
  })
  type Done = (error: unknown, result: unknown) => void
  return {
    initialize (dataSource: Loose, callback: () => void) {
      dataSource.connector = {
        name: 'mysql',
        getTypes: () => ['db', 'rdbms', 'sql'],
        getDefaultIdType: () => Number,
        all (_model: string, { where }: Loose, _options: object, done: Done) {
          done(null, rows.filter(row => passes(row, where)).map(row => ({ ...row })))
        },
        count (_model: string, where: object, _options: object, done: Done) {
          done(null, rows.filter(row => passes(row, where)).length)
        },
        update (_model: string, where: object, data: object, _options: object, done: Done) {
          const found = rows.filter(row => passes(row, where))
          for (const row of found) Object.assign(row, data)
          done(null, { count: found.length })
        },
        updateAttributes (_model: string, id: unknown, data: object, _options: object, done: Done) {
          const row = rows.find(each => each.id === id)
          done(null, Object.assign(row, data))
        },
        destroy (_model: string, id: unknown, _options: object, done: Done) {
          rows.splice(rows.findIndex(each => each.id === id), 1)
          done(null, { count: 1 })
        },
        destroyAll (_model: string, where: object, _options: object, done: Done) {
          const found = rows.filter(row => passes(row, where))
          for (const row of found) rows.splice(rows.indexOf(row), 1)
          done(null, { count: found.length })
        },
        create: false
      }
      callback()
    }
  }
}

t.test('S-201 a caller\'s value means that value to connectors that were made for LoopBack', async t => {
  // Seen to fail: connector-loopback/trusted-where.ts that does not look at isExact: "acme" read, counted, changed and
  // deleted rows of "ACME"; acl/rows/exactly.ts without `in`: so did one whose teams are ["acme"]
  const acls = (rows: object): object[] => [deny, { ...users, rows }]
  const ways = {
    tenant: { tenant: { property: 'team', value: '$user.realm' } },
    rows: { acls: acls({ team: '$user.realm' }) },
    list: { acls: acls({ team: { inq: '$user.teams' } }) },
    negated: { acls: acls({ nor: [{ team: { neq: '$user.realm' } }] }) }
  }
  for (const [way, rule] of Object.entries(ways)) {
    const rows = ['acme', 'ACME'].map((team, i) => ({ id: i + 1, text: 'as it was', team }))
    const properties = { id: { type: 'number', id: true }, text: 'string', team: 'string' }
    const app = await start(t, { connector: loopbackConnector(alike(rows)) }, [{ name: 'Page', properties, ...rule }])
    const { send } = await sender(app, { realm: 'acme', teams: ['acme', 'b'] })
    t.strictSame(ids(await send('GET', '/Pages')), [1], way)
    t.equal((await send('GET', '/Pages/count')).body.count, 1, way)
    t.equal((await send('GET', '/Pages/1')).status, 200, `${way}: control`)
    t.not((await send('GET', '/Pages/2')).status, 200, way)
    t.equal((await send('PATCH', '/Pages/1', { text: 'mine' })).status, 200, `${way}: control`)
    await send('PATCH', '/Pages/2', { text: 'taken' })
    await send('POST', '/Pages/update?where={}', { text: 'all of mine' })
    await send('DELETE', '/Pages/2')
    t.strictSame(rows.map(({ team, text }) => [team, text]), [['acme', 'all of mine'], ['ACME', 'as it was']], way)
    await app.close()
  }
})
