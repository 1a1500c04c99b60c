/** Conditions on related rows over REST, where stores write the text of responses: every way gives the same rows. */
import Fastify from 'fastify'
import t from 'tap'
import { core, ModelRegistry } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'
import { sqlConnector } from '@fastback/connector-sql'
import { rest } from '@fastback/rest'
import { isReachable, makeScratch } from '../../../test-fixtures/scratch.mjs'

type Loose = any

const stores: ReadonlyArray<readonly [string, (t: Loose) => Promise<object | undefined>]> = [
  ['memory', async () => ({ connector: memoryConnector })],
  ['sqlite', async () => ({ connector: sqlConnector, url: 'sqlite::memory:' })],
  ...(['postgres', 'mysql'] as const).map(server => [server, async (t: Loose) => {
    if (!await isReachable(server)) return undefined
    const { url, remove } = await makeScratch(server)
    t.teardown(remove)
    return { connector: sqlConnector, url, migrate: 'reset' }
  }] as const)
]

for (const [name, open] of stores) {
  t.test(name, async t => {
    const db = await open(t)
    if (db === undefined) { t.comment(`no ${name} server`); return }
    const registry = new ModelRegistry({ log: { warn () {}, info () {}, debug () {} } })
    registry.defineDataSource('db', db as never)
    registry.defineModel({
      name: 'Author',
      properties: { name: 'string', born: 'number' },
      relations: { books: { type: 'hasMany', model: 'Book', foreignKey: 'authorId' } },
      scopes: { writing: { where: { books: { some: {} } } } }
    })
    registry.defineModel({
      name: 'Book',
      properties: { title: 'string', pages: 'number' },
      relations: { author: { type: 'belongsTo', model: 'Author' } }
    })
    for (const name of ['Author', 'Book']) registry.attach(name, 'db', { public: true })
    const app = Fastify()
    await app.register(core, { registry })
    await app.register(rest, { prefix: '/api' })
    await app.ready()
    t.teardown(async () => { await app.close() })
    const { Author, Book } = registry.models as Loose
    await Author.create([{ name: 'Ann', born: 1 }, { name: 'Bob', born: 2 }, { name: 'Cid', born: 3 }])
    await Book.create([
      { title: 'A', pages: 1, authorId: 1 }, { title: 'B', pages: 2, authorId: 2 }, { title: 'C', pages: 3, authorId: 1 }, { title: 'D' }
    ])
    const ask = async (method: string, url: string, payload?: object): Promise<Loose> => {
      const response = await app.inject({ method: method as 'GET', url: `/api${url}`, ...(payload && { payload }) })
      return { status: response.statusCode, body: response.payload === '' ? undefined : response.json() }
    }
    const json = (value: object): string => encodeURIComponent(JSON.stringify(value))
    const get = async (path: string, filter: object): Promise<Loose> => (await ask('GET', `${path}?filter=${json(filter)}`)).body
    const titles = (rows: Loose): unknown => rows.map(({ title }: Loose) => title)

    for (let time = 0; time < 2; time++) {
      t.same(titles(await get('/Books', { where: { 'author.name': 'Ann' } })), ['A', 'C'])
      t.same(titles(await get('/Books', { where: { author: { born: { gt: 1 } } }, order: 'title DESC', limit: 1 })), ['B'])
      t.same(titles(await get('/Books', { where: { author: null } })), ['D'])
      t.same((await get('/Authors', { where: { books: { some: { pages: 3 } } } })).map(({ name }: Loose) => name), ['Ann'])
      t.match(await get('/Books/findOne', { where: { 'author.name': 'Bob' } }), { title: 'B' })
      t.same((await ask('GET', `/Books/count?where=${json({ 'author.name': 'Ann' })}`)).body, { count: 2 })
      const including = await get('/Authors', {
        where: { books: { none: {} } }, include: { relation: 'books', scope: { where: { 'author.name': 'Ann' } } }
      })
      t.match(including, [{ name: 'Cid', books: [] }])
      const scoped = await get('/Authors', {
        order: 'name', limit: 5, include: { relation: 'books', scope: { where: { author: { name: 'Ann' } }, fields: ['title', 'authorId'] } }
      })
      t.same(scoped.map(({ books }: Loose) => titles(books)), [['A', 'C'], [], []], 'in the scope of an include')
      t.same(titles(await get('/Authors/1/books', { where: { 'author.name': 'Ann', pages: { gt: 1 } } })), ['C'])
      t.same((await ask('GET', `/Authors/1/books/count?where=${json({ 'author.born': 2 })}`)).body, { count: 0 })
      const counted = await get('/Authors', { order: 'name', limit: 5, include: { relation: 'books', count: true } })
      t.strictSame(counted.map(({ name, books }: Loose) => [name, books]), [['Ann', { count: 2 }], ['Bob', { count: 1 }], ['Cid', { count: 0 }]])
      const long = { relation: 'books', count: true, scope: { where: { pages: { gt: 1 } } } }
      t.match(await get('/Authors/1', { include: long }), { name: 'Ann', books: { count: 1 } })
      t.match(await get('/Books', { limit: 1, include: [{ relation: 'author', scope: { include: { relation: 'books', count: true } } }] }), [
        { title: 'A', author: { name: 'Ann', books: { count: 2 } } }
      ])
      t.strictSame((await get('/Books', { include: { relation: 'author', count: true } })).map(({ author }: Loose) => author.count), [1, 1, 1, 0])
      t.same((await ask('GET', '/Authors/writing')).body.map(({ name }: Loose) => name), ['Ann', 'Bob'], 'a scope of the model')
    }
    for (const bad of [{ count: 1 }, { count: 'true' }, { count: true, scope: { limit: 1 } }, { count: true, scope: { order: 'id' } }]) {
      t.match(await ask('GET', `/Authors?filter=${json({ include: { relation: 'books', ...bad } })}`), {
        status: 400, body: { error: { code: 'INVALID_INCLUDE' } }
      }, JSON.stringify(bad))
    }
    const [ann] = await Author.find({ include: { relation: 'books', count: true } })
    t.strictSame(ann.toJSON().books, { count: 2 })
    t.equal((await ann.books.find()).length, 2, 'the rows themselves are asked for')
    t.same((await ask('POST', `/Books/update?where=${json({ 'author.name': 'Bob' })}`, { pages: 9 })).body, { count: 1 })
    t.match(await Book.findOne({ where: { title: 'B' } }), { pages: 9 })
    const upserted = await ask('POST', `/Books/upsertWithWhere?where=${json({ 'author.name': 'Bob' })}`, { pages: 8 })
    t.match(upserted, { status: 200, body: { title: 'B', pages: 8 } })
    t.same((await ask('DELETE', `/Authors/1/books?where=${json({ 'author.name': 'Bob' })}`)).status, 400, 'reads no condition')
    t.equal(await Book.count({ 'author.name': 'Ann' }), 2)
    t.match(await ask('GET', `/Books?filter=${json({ where: { 'author.nam': 'x' } })}`), { status: 200, body: [] }, 'open models know no wrong name')
    t.match(await ask('GET', `/Books?filter=${json({ where: { author: 1 } })}`), { status: 400, body: { error: { code: 'RELATION_IN_QUERY' } } })
  })
}
