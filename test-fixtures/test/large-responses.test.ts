// FASTBACK_TEST_FULL: lists of many megabytes.
/**
 * Lists that are written row by row, over sockets: the rows of JSON on every store, in any order; constant memory; no
 * more is read than a client takes, and nothing for one that has left; a limit in the middle cuts the connection;
 * access rules hold.
 */
import { get as httpGet, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { core } from '@fastback/core'
import { acl } from '@fastback/acl'
import { auth } from '@fastback/auth'
import { memoryConnector } from '@fastback/connector-memory'
import { mongodbConnector } from '@fastback/connector-mongodb'
import { sqlConnector } from '@fastback/connector-sql'
import { rest, type RestOptions } from '@fastback/rest'
import { testDatabase } from '../../packages/connector-mongodb/test/support/database.js'
import { isReachable, makeScratch } from '../scratch.mjs'
import { runsOf } from '../runs.mjs'

type Loose = any
type Store = Record<string, unknown>

const runs = runsOf(8)
const sqlite: Store = { connector: sqlConnector, url: 'sqlite::memory:', migrate: 'reset' }
const stores: ReadonlyArray<readonly [string, (t: Test) => Promise<Store | undefined>]> = [
  ['memory', async () => ({ connector: memoryConnector })],
  ['sqlite', async () => sqlite],
  ...(['postgres', 'mysql'] as const).map(server => [server, async (t: Test) => {
    if (!await isReachable(server)) return undefined
    const { url, remove } = await makeScratch(server)
    t.teardown(remove)
    return { connector: sqlConnector, url, migrate: 'reset' }
  }] as const),
  ['mongodb', async t => ({ ...(await testDatabase(t)).settings, connector: mongodbConnector })]
]

const definitions = [
  { name: 'Shelf', plural: 'Shelves', properties: { name: 'string' }, relations: { books: { type: 'hasMany', model: 'Book' } } },
  {
    name: 'Book',
    hidden: ['secret'],
    properties: {
      title: 'string', pages: 'number', lent: 'boolean', at: { type: 'date', index: true }, about: 'object', secret: 'string'
    },
    relations: { shelf: { type: 'belongsTo', model: 'Shelf' } }
  }
]

/** @param guarded the models with rules, which are enforced then, also for related rows */
async function server (t: Test, store: Store, options: RestOptions, guarded?: object[]): Promise<Loose> {
  const app: FastifyInstance = Fastify()
  t.teardown(() => app.close())
  await app.register(core, {
    dataSources: { db: store },
    definitions: guarded ?? definitions,
    models: { Shelf: { dataSource: 'db' }, Book: { dataSource: 'db' } },
    settings: { relatedAccess: 'related' }
  } as Loose)
  if (guarded !== undefined) {
    await app.register(auth, { dataSource: 'db' })
    await app.register(acl, { dataSource: 'db' })
  }
  await app.registry.start()
  await app.register(rest, { prefix: '/api', accessControl: guarded !== undefined, ...options })
  await app.listen({ port: 0, host: '127.0.0.1' })
  return app
}

interface Asked { readonly accept?: string, readonly path?: string }

function open (
  app: FastifyInstance, filter: object, { accept = 'application/x-ndjson', path = '/Books' }: Asked = {}
): Promise<IncomingMessage> {
  const { port } = app.server.address() as AddressInfo
  const query = `filter=${encodeURIComponent(JSON.stringify(filter))}`
  const headers = { accept }
  return new Promise((resolve, reject) => {
    httpGet({ port, host: '127.0.0.1', path: `/api${path}?${query}`, headers, agent: false }, resolve).on('error', reject)
  })
}

async function read (response: IncomingMessage): Promise<string> {
  let text = ''
  for await (const piece of response.setEncoding('utf8')) text += piece as string
  return text
}

const linesOf = (text: string): Loose[] => text.split('\n').slice(0, -1).map(line => JSON.parse(line) as unknown)
const later = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))

const few = <T>(...values: T[]): fc.Arbitrary<T | null> => fc.constantFrom(null, ...values)
const someBook = fc.record({
  title: few('a', 'B', 'b', 'é', '', ' ', '=1', 'a"b', '😀'),
  pages: few(-1.5, 0, 1, 2, 1e21),
  lent: few(true, false),
  at: few(...[0, 1, 2].map(ms => new Date(1e12 + ms))),
  about: few({ a: 1 }),
  secret: fc.constant('hush')
}, { requiredKeys: ['secret'] })
const term = fc.tuple(fc.constantFrom('title', 'pages', 'lent', 'at', 'id'), fc.constantFrom('ASC', 'DESC'))
const someFilter = fc.record({
  order: fc.array(term.map(([name, direction]) => `${name} ${direction}`), { minLength: 1, maxLength: 3 }),
  where: fc.constantFrom({ pages: { gte: 0 } }, { lent: true }, { or: [{ title: 'a' }, { at: null }] }),
  limit: fc.constantFrom(3, 4, 17, 100),
  skip: fc.constantFrom(0, 0, 0, 5),
  fields: fc.constantFrom(['title'], { at: false }, ['id', 'pages']),
  include: fc.constant('shelf')
}, { requiredKeys: [] })

for (const [name, storeOf] of stores) {
  t.test(`${name}: the rows of JSON, neither doubled nor lost`, async t => {
    const store = await storeOf(t)
    if (store === undefined) return
    const app = await server(t, store, { streaming: { pageSize: 4 } })
    const { Book, Shelf } = app.models
    const shelf = await Shelf.create({ name: 'first' })
    await fc.assert(fc.asyncProperty(
      fc.array(someBook, { minLength: 25, maxLength: 45, size: 'max' }), fc.array(someFilter, { minLength: 5, maxLength: 5 }),
      async (books, filters) => {
        await Book.destroyAll()
        await Book.create(books.map((book, i) => ({ ...book, shelfId: i % 3 === 0 ? null : shelf.id })))
        for (const filter of filters) {
          for (const path of ['/Books', `/Shelves/${shelf.id}/books`]) {
            const json = JSON.parse(await read(await open(app, filter, { path, accept: 'application/json' })))
            const text = await read(await open(app, filter, { path }))
            if (text.includes('hush')) throw new Error('a hidden property is shown')
            t.strictSame(linesOf(text), json, JSON.stringify(filter))
          }
        }
      }
    ), { numRuns: name === 'mongodb' ? 3 : runs })
  })
}

/** What is in use once nothing is left that is not. */
function heap (): number {
  setFlagsFromString('--expose-gc')
  ;(runInNewContext('gc') as () => void)()
  return process.memoryUsage().heapUsed
}

t.test('memory does not grow with the rows', async t => {
  const app = await server(t, sqlite, { streaming: true })
  const body = 'x'.repeat(300)
  const rows = 200_000
  for (let i = 0; i < rows; i += 5_000) {
    await app.models.Book.create(
      Array.from({ length: 5_000 }, (_, j) => ({ title: `${i + j} ${body}`, at: new Date(i + j) }))
    )
  }
  for (const [filter, accept] of [[{}, 'text/csv'], [{ order: 'at DESC' }, 'application/x-ndjson']] as const) {
    const begun = heap()
    let most = 0
    let lines = 0
    let bytes = 0
    for await (const piece of await open(app, filter, { accept })) {
      for (const byte of piece as Buffer) if (byte === 10) lines++
      const before = bytes
      bytes += (piece as Buffer).length
      if (Math.floor(bytes / 10e6) > Math.floor(before / 10e6)) most = Math.max(most, heap() - begun)
    }
    t.equal(lines, accept === 'text/csv' ? rows + 1 : rows)
    // A large page as rows, and as text; all rows would be more than the text of them.
    t.ok(bytes > 60e6 && most < 30e6, `${bytes} bytes, ${most} of heap`)
  }
})

/** Tells how many rows a store has given. */
async function watched (t: Test, options: RestOptions, rows = 20_000): Promise<{ app: Loose, given: () => number }> {
  const app = await server(t, sqlite, options)
  const { Book } = app.models
  await Book.create(Array.from({ length: rows }, (_, i) => ({ title: `${i} ${'x'.repeat(1_000)}` })))
  const store = Book.compiled.connector
  const { find } = store
  let count = 0
  store.find = (...asked: unknown[]) => {
    const found = find.apply(store, asked)
    count += found.length
    return found
  }
  return { app, given: () => count }
}

t.test('a client that does not read stops the reading; one that has left ends it', async t => {
  const { app, given } = await watched(t, { streaming: { pageSize: 100 } })
  const response = await open(app, {})
  // Nobody reads it, so that the process would wait for it where the test ends before.
  t.teardown(() => { response.destroy() })
  response.pause()
  let known = -1
  while (known !== given()) {
    known = given()
    await later(300)
  }
  t.ok(known > 0 && known < 15_000, `${known} of 20,000 rows fit on the way`)
  response.destroy()
  await later(300)
  t.equal(given(), known, 'and none is read for nobody')
  t.equal(linesOf(await read(await open(app, {}))).length, 20_000, 'who reads gets all of them')
})

t.test('a limit in the middle cuts the connection', async t => {
  const { app } = await watched(t, { streaming: { pageSize: 100, rows: 15_000 } })
  const response = await open(app, {})
  t.equal(response.statusCode, 200)
  await t.rejects(read(response), { code: 'ECONNRESET' })
  t.equal(linesOf(await read(await open(app, { limit: 15_000 }))).length, 15_000)
  const slow = await watched(t, { streaming: { seconds: 1 } })
  const late = await open(slow.app, {})
  t.teardown(() => { late.destroy() })
  late.pause()
  await later(1_500)
  await t.rejects(read(late), { code: 'ECONNRESET' }, 'so does the time, for who reads too slowly')
})

t.test('access rules hold for every format', async t => {
  const rule = (permission: string): object => ({ principalType: 'ROLE', principalId: '$everyone', permission, accessType: '*' })
  const guarded = (book: string, shelf: string): object[] =>
    definitions.map(each => ({ ...each, acls: [rule(each.name === 'Book' ? book : shelf)] }))
  const ask = async (app: Loose, filter: object, path: string, status: number): Promise<void> => {
    for (const accept of ['application/json', 'application/x-ndjson', 'text/csv']) {
      if ('include' in filter && accept === 'text/csv') continue
      const response = await open(app, filter, { accept, path })
      t.equal(response.statusCode, status, `${path} ${accept}`)
      if (status !== 200) t.match(response.headers['content-type'], /^application\/json/)
      await read(response)
    }
  }
  const closed = await server(t, { connector: memoryConnector }, { streaming: true }, guarded('DENY', 'ALLOW'))
  const { id } = await closed.models.Shelf.create({})
  await closed.models.Book.create({ shelfId: id })
  await ask(closed, {}, '/Books', 401)
  await ask(closed, {}, '/Shelves', 200)
  await ask(closed, {}, `/Shelves/${id}/books`, 401)
  const half = await server(t, { connector: memoryConnector }, { streaming: true }, guarded('ALLOW', 'DENY'))
  await half.models.Book.create({ shelfId: (await half.models.Shelf.create({})).id })
  await ask(half, {}, '/Books', 200)
  await ask(half, { include: 'shelf' }, '/Books', 401)
})
