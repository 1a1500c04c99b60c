// FASTBACK_TEST_FULL: random rows on each store.
/** What a pull over REST says, which may be text that the store has written, is what one in the process says. */
import { sqlConnector } from '@fastback/connector-sql'
import { core } from '@fastback/core'
import { rest } from '@fastback/rest'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { isReachable, makeScratch } from '../../../test-fixtures/scratch.mjs'
import { sync } from '../src/index.js'

const properties = {
  id: { type: 'string', id: true },
  title: 'string',
  secret: { type: 'string', hidden: true },
  rank: 'number',
  done: 'boolean',
  at: 'date',
  'a "name"': 'string'
} as const

const texts = ['', 'é 😀', '\u007f\u009f\u00ad', '\u2028\u2029\ufeff', '"\\/\b\f\n\r\t', '\u0001\u001f', '{"a":1}', '</script>']
const numbers = [0, -0, 1, -1, 0.1, 1e-6, 1e-7, 1.5e-9, 123456.789012, 1e15, 1e16, 1e21, -1e300, 2 ** 53, 0.1 + 0.2]
const dates = ['2026-01-02T03:04:05.678Z', '1969-12-31T23:59:59.999Z', '0001-01-01T00:00:00.000Z']

const rows = [
  ...texts.map((title, i) => ({ id: `t${i}`, title, secret: title, 'a "name"': title })),
  ...numbers.map((rank, i) => ({ id: `n${i}`, rank, done: i % 2 === 0 })),
  ...dates.map((at, i) => ({ id: `d${i}`, at })),
  // Rows that have all their values are written in another way.
  ...numbers.map((rank, i) => (
    { id: `w${i}`, title: '100 %', secret: 's', rank, done: i % 2 === 0, at: dates[i % 3], 'a "name"': texts[i % 8] }
  )),
  { id: 'null at first', at: null, done: null, rank: 1, title: 'a' },
  { id: 'null at last', at: dates[0], done: true, rank: 1, title: null },
  { id: 'text like members', title: '":null,":1.0,":-0,":1e5' },
  { id: 'nulls', title: null, rank: null, done: null, at: null },
  { id: 'nothing' },
  { id: 'a "quoted" id' },
  { id: ',"at":,"data":{}' },
  ...[90, 100, 101, 200].map(length => ({ id: 'x'.repeat(length) }))
]

async function makeApp (t: Test, url: string): Promise<FastifyInstance> {
  const app = Fastify()
  t.teardown(() => app.close())
  const toDb = { dataSource: 'db' }
  await app.register(core, {
    dataSources: { db: { connector: sqlConnector, url, migrate: 'update' } },
    definitions: [
      { name: 'Flat', plural: 'Flat', trackChanges: true, strict: true, properties },
      { name: 'Open', plural: 'Open', trackChanges: true, properties: { ...properties, any: 'object' } },
      { name: 'Filled', plural: 'Filled', trackChanges: true, properties: { ...properties, state: { type: 'string', default: 'new' } } },
      { name: 'Long', plural: 'Long', trackChanges: true, strict: true, properties: { ...properties, id: { type: 'number', id: true } } }
    ],
    models: { Flat: toDb, Open: toDb, Filled: toDb, Long: toDb }
  })
  await app.register(sync)
  await app.register(rest, { prefix: '/api' })
  await app.ready()
  return app
}

/** What is used here of a tracked model. */
interface Tracked {
  readonly dataSource: { readonly connector: { execute (sql: string): Promise<unknown> } }
  create (data: object): Promise<unknown>
  deleteById (id: string): Promise<unknown>
  findLastChange (id: string): Promise<{ readonly rev?: string | null }>
  syncPull (after: undefined, limit: number, filter?: object): Promise<Pulled>
}

interface Pulled { changes: Array<{ id: string, rev: string, data: object }>, cursor: string, more: boolean }

async function pulled (app: FastifyInstance, name: string, limit: number): Promise<Pulled['changes']> {
  const changes: Pulled['changes'] = []
  for (let after = '', more = true; more;) {
    const { payload } = await app.inject({ url: `/api/${name}/sync/pull?limit=${limit}${after}` })
    const page = JSON.parse(payload) as Pulled
    changes.push(...page.changes)
    after = `&after=${encodeURIComponent(page.cursor)}`
    more = page.more
  }
  return changes
}

async function agrees (t: Test, url: string, quote = '"'): Promise<void> {
  const app = await makeApp(t, url)
  for (const name of ['Flat', 'Open', 'Filled']) {
    const Model = app.models[name] as unknown as Tracked
    for (const row of rows) await Model.create(row)
    if (name === 'Open') await Model.create({ id: 'open', any: { z: 1, a: [{ y: null, b: 2 }] }, 'undeclared \u2028': { b: 1, a: 2 } })
    // Past the model: such rows lack what has a default.
    if (name === 'Filled') {
      const sql = 'UPDATE "Filled" SET "state" = NULL WHERE "id" = \'n1\''.replaceAll('"', quote)
      await Model.dataSource.connector.execute(sql)
    }
    const inProcess = JSON.parse(JSON.stringify((await Model.syncPull(undefined, 1000)).changes)) as Pulled['changes']
    t.equal(inProcess.length, name === 'Open' ? rows.length + 1 : rows.length)
    t.same(await pulled(app, name, 1000), inProcess, `${name}, at once`)
    t.same(await pulled(app, name, 4), inProcess, `${name}, in pages`)
    for (const { id, rev } of inProcess) {
      if (name === 'Filled') continue
      t.equal((await Model.findLastChange(id)).rev, rev, `${name} ${id}: the revision is that of its change`)
    }
    await Model.deleteById('n3')
    await Model.deleteById('n4')
    t.notOk((await pulled(app, name, 3)).some(({ id, data }) => id === 'n3' && data !== undefined), 'what is gone is gone')
  }
}

/** Rows of half a megabyte, of many lengths, which neither come in one statement nor go out in one piece. */
async function agreesAtLength (t: Test, url: string): Promise<void> {
  const app = await makeApp(t, url)
  const Model = app.models.Long as unknown as Tracked
  await Model.create(Array.from({ length: 900 }, (_, i) =>
    ({ id: i * 7 - 300, title: 'é'.repeat(i % 3) + 'word '.repeat(i % 250), rank: i / 8, done: i % 2 === 0, at: dates[i % 3] })))
  for (const filter of [{}, { where: { done: true } }, { where: { id: 0 } }]) {
    const { changes } = JSON.parse(JSON.stringify(await Model.syncPull(undefined, 1000, filter))) as Pulled
    const query = `filter=${encodeURIComponent(JSON.stringify(filter))}&limit=`
    const { rawPayload, headers } = await app.inject({ url: `/api/Long/sync/pull?${query}1000` })
    t.equal(headers['content-type'], 'application/json; charset=utf-8')
    t.equal(Number(headers['content-length']), rawPayload.length)
    t.same((JSON.parse(rawPayload.toString()) as Pulled).changes, changes, `${changes.length} changes`)
    const { payload } = await app.inject({ url: `/api/Long/sync/pull?${query}400` })
    t.same((JSON.parse(payload) as Pulled).changes, changes.slice(0, 400), 'and the first of them')
  }
}

t.test('sqlite', async t => {
  await agrees(t, 'sqlite::memory:')
  await agreesAtLength(t, 'sqlite::memory:')
})

t.test('postgres', { skip: await isReachable('postgres') ? false : 'no server' }, async t => {
  const scratch = await makeScratch('postgres')
  t.teardown(() => scratch.remove())
  await agrees(t, scratch.url)
  await agreesAtLength(t, scratch.url)
})

// Its rows come one by one, with their keys.
t.test('mysql', { skip: await isReachable('mysql') ? false : 'no server' }, async t => {
  const scratch = await makeScratch('mysql')
  t.teardown(() => scratch.remove())
  await agrees(t, scratch.url, '`')
  await agreesAtLength(t, scratch.url)
})
