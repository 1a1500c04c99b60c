/**
 * What would have no effect is refused: relations in conditions and orders, parts of filters that there are not,
 * related rows within data, headers of conditional requests. By every route and every call, in every store; where an
 * application says "ignore", it has no effect, and the log tells of it once.
 */
import t, { type Test } from 'tap'
import Fastify from 'fastify'
import { core, ModelRegistry, type ModelDefinitionInput } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'
import { sqlConnector } from '@fastback/connector-sql'
import { rest } from '@fastback/rest'

type Loose = any
type Call = readonly [what: string, run: (app: World) => Promise<unknown>]

interface World {
  readonly Author: Loose
  readonly Book: Loose
  readonly Tag: Loose
  readonly author: Loose
  readonly told: string[]
  send (method: string, url: string, payload?: object, headers?: Record<string, string>): Promise<Loose>
}

const definitions: ModelDefinitionInput[] = [
  {
    name: 'Author',
    properties: { name: 'string', homeList: ['Home'] },
    relations: {
      books: { type: 'hasMany', model: 'Book' },
      profile: { type: 'hasOne', model: 'Profile' },
      homes: { type: 'embedsMany', model: 'Home', property: 'homeList' }
    }
  },
  {
    name: 'Book',
    strict: true,
    properties: { title: 'string' },
    relations: {
      author: { type: 'belongsTo', model: 'Author' },
      tags: { type: 'hasAndBelongsToMany', model: 'Tag' }
    }
  },
  { name: 'Tag', properties: { word: 'string' }, relations: { books: { type: 'hasAndBelongsToMany', model: 'Book' } } },
  { name: 'Profile', properties: { bio: 'string' }, relations: { author: { type: 'belongsTo', model: 'Author' } } },
  {
    name: 'Home',
    idInjection: false,
    properties: { id: { type: 'number', id: true }, street: 'string' },
    relations: { town: { type: 'hasOne', model: 'Profile' } }
  }
]

const stores = { memory: { connector: 'memory' }, sqlite: { connector: 'sqlite', url: 'sqlite::memory:' } }

async function start (t: Test, store: object, settings: object): Promise<World> {
  const told: string[] = []
  const log: Loose = { warn: (_: object, line: string) => { told.push(line) }, info () {}, debug () {}, error () {} }
  const registry = new ModelRegistry({ settings: settings as Loose, log })
  registry.connectors.register('memory', memoryConnector)
  registry.connectors.register('sqlite', sqlConnector)
  registry.defineDataSource('db', store as Loose)
  registry.defineModels(definitions.map(input => ({ input })))
  for (const { name } of definitions) registry.attach(name, 'db', { public: true })
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(core, { registry })
  await app.register(rest, { prefix: '/api', accessControl: false })
  await app.ready()
  await registry.dataSources.db?.automigrate()
  const { Author, Book, Tag } = registry.models as Loose
  const author = await Author.create({ name: 'Ann' })
  const book = await author.books.create({ title: 'x' })
  await book.tags.create({ word: 'w' })
  await author.profile.create({ bio: 'b' })
  await author.homes.create({ id: 1, street: 's' })
  told.length = 0
  return {
    Author, Book, Tag, author, told,
    async send (method, url, payload, headers = {}) {
      const { statusCode, body } = await app.inject({ method: method as 'GET', url: `/api${url}`, headers, ...payload && { payload } })
      if (method === 'HEAD') return statusCode
      const read = body === '' ? undefined : JSON.parse(body)
      if (statusCode >= 400) throw Object.assign(new Error(read.error.message), read.error)
      return read
    }
  }
}

const filtered = (url: string, filter: object, name = 'filter'): string =>
  `${url}?${name}=${encodeURIComponent(JSON.stringify(filter))}`

/** What reads a filter of authors, and what reads a condition alone. */
const readFilter = (what: string, filter: Loose): Call[] => [
  [`GET /Authors ${what}`, async ({ send }) => await send('GET', filtered('/Authors', filter))],
  [`GET /Authors/findOne ${what}`, async ({ send }) => await send('GET', filtered('/Authors/findOne', filter))],
  [`GET /Tags/1/books, in a scope ${what}`, async ({ send }) =>
    await send('GET', filtered('/Tags/1/books', { include: [{ relation: 'author', scope: filter }] }))],
  [`GET /Tags, in a scope of a scope ${what}`, async ({ send }) => await send('GET', filtered('/Tags', {
    include: [{ relation: 'books', scope: { include: { relation: 'author', scope: filter } } }]
  }))],
  [`find ${what}`, async ({ Author }) => await Author.find(filter)],
  [`findOne ${what}`, async ({ Author }) => await Author.findOne(filter)],
  [`findOrCreate ${what}`, async ({ Author }) => await Author.findOrCreate(filter, { name: 'Ann' })],
  [`in the scope of an include ${what}`, async ({ Book }) => await Book.find({ include: { relation: 'author', scope: filter } })],
  [`in a scope of a scope ${what}`, async ({ Tag }) => await Tag.find({
    include: { relation: 'books', scope: { include: { relation: 'author', scope: filter } } }
  })],
  [`findById, in a scope ${what}`, async ({ Book }) => await Book.findById(1, { include: { relation: 'author', scope: filter } })],
  [`GET /Books/1, in a scope ${what}`, async ({ send }) =>
    await send('GET', filtered('/Books/1', { include: [{ relation: 'author', scope: filter }] }))]
]
/** The same of books, by the relations that lead to them. */
const readRelated = (what: string, filter: Loose): Call[] => [
  [`GET /Authors/1/books ${what}`, async ({ send }) => await send('GET', filtered('/Authors/1/books', filter))],
  [`GET /Tags/1/books ${what}`, async ({ send }) => await send('GET', filtered('/Tags/1/books', filter))],
  [`author.books() ${what}`, async ({ author }) => await author.books(filter)],
  [`author.books.find ${what}`, async ({ author }) => await author.books.find(filter)]
]
const readWhere = (what: string, where: Loose): Call[] => [
  [`GET /Authors/count ${what}`, async ({ send }) => await send('GET', filtered('/Authors/count', where, 'where'))],
  [`POST /Authors/update ${what}`, async ({ send }) => await send('POST', filtered('/Authors/update', where, 'where'), { name: 'Ann' })],
  [`POST /Authors/upsertWithWhere ${what}`, async ({ send }) =>
    await send('POST', filtered('/Authors/upsertWithWhere', where, 'where'), { name: 'Ann' })],
  [`count ${what}`, async ({ Author }) => await Author.count(where)],
  [`updateAll ${what}`, async ({ Author }) => await Author.updateAll(where, { name: 'Ann' })],
  [`upsertWithWhere ${what}`, async ({ Author }) => await Author.upsertWithWhere(where, { name: 'Ann' })],
  [`destroyAll ${what}`, async ({ Author }) => await Author.destroyAll(where)]
]
const readRelatedWhere = (what: string, where: Loose): Call[] => [
  [`GET /Authors/1/books/count ${what}`, async ({ send }) => await send('GET', filtered('/Authors/1/books/count', where, 'where'))],
  [`GET /Tags/1/books/count ${what}`, async ({ send }) => await send('GET', filtered('/Tags/1/books/count', where, 'where'))],
  [`author.books.count ${what}`, async ({ author }) => await author.books.count(where)],
  [`author.books.updateAll ${what}`, async ({ author }) => await author.books.updateAll(where, { title: 'y' })],
  [`author.books.destroyAll ${what}`, async ({ author }) => await author.books.destroyAll(where)]
]

/** Conditions that name a relation, at every depth. */
const wheres = (name: string): ReadonlyArray<readonly [string, object]> => [
  ['where', { [name]: 'x' }],
  ['where, into the row', { [`${name}.title`]: 'x' }],
  ['where, with an operator', { [name]: { neq: null } }],
  ['and', { and: [{ id: 1 }, { [name]: 'x' }] }],
  ['or in and', { and: [{ or: [{ id: 1 }, { [name]: 'x' }] }] }],
  ['nor', { nor: [{ [name]: 'x' }] }]
]
const orders = (name: string): ReadonlyArray<readonly [string, object]> => [
  ['order', { order: name }],
  ['order, in a list', { order: ['id', `${name} DESC`] }],
  ['order, in a text', { order: `id, ${name}.title ASC` }]
]

const relationCalls: Call[] = [
  ...['books', 'profile', 'homes'].flatMap(name => [
    ...wheres(name).flatMap(([what, where]) =>
      [...readFilter(`${name}: ${what}`, { where }), ...readWhere(`${name}: ${what}`, where)]),
    ...orders(name).flatMap(([what, filter]) => readFilter(`${name}: ${what}`, filter))
  ]),
  ...['author', 'tags'].flatMap(name => [
    ...wheres(name).flatMap(([what, where]) =>
      [...readRelated(`${name}: ${what}`, { where }), ...readRelatedWhere(`${name}: ${what}`, where)]),
    ...orders(name).flatMap(([what, filter]) => readRelated(`${name}: ${what}`, filter))
  ])
]

const keyCalls: Call[] = [{ limt: 1 }, { page: 2 }, { where: { id: 1 }, grouped: 'name' }, { name: 'x' }].flatMap(filter => {
  const what = JSON.stringify(filter)
  return [...readFilter(what, filter), ...readRelated(what, filter)]
})

/** Filters and parts of them where a method has no such parameter. */
const placeCalls: Call[] = [
  ['GET', '/Authors?limit=1'], ['GET', '/Authors?where={"id":1}'], ['GET', '/Authors?order=name&limit=1'],
  ['GET', '/Authors?filter={"limit":1}&where[id]=1'], ['GET', '/Authors/findOne?include=books'],
  ['GET', '/Authors/1?where={"id":1}'], ['GET', '/Authors/count?filter={"where":{"id":1}}'],
  ['GET', '/Authors/1/exists?filter={}'], ['DELETE', '/Authors/99?where={"id":1}'],
  ['DELETE', '/Authors/1/books?where={"title":"y"}'], ['DELETE', '/Tags/1/books?filter={"where":{"title":"y"}}'],
  ['DELETE', '/Authors/1/books?where%5Btitle%5D=y'], ['GET', '/Authors/1/books?skip=1'],
  ['GET', '/Books/1/author?filter={"fields":["name"]}'], ['GET', '/Authors/1/books/1?fields=title'],
  ['POST', '/Authors?filter={"include":"books"}', { name: 'x' }], ['PATCH', '/Authors/1?where={"id":2}', { name: 'x' }]
].map(([method, url, data]): Call =>
  [`${method as string} ${url as string}`, async ({ send }) => await send(method as string, url as string, data as object)])

/** Data of authors that carry rows of a relation, of a list and of one. */
const related = (row: Loose): Call[] => {
  const what = JSON.stringify(row)
  const [key, value] = Object.entries(row)[0] as [string, Loose]
  return [
    ['POST', '/Authors', row], ['POST', '/Authors', [{ name: 'a' }, row]], ['PUT', '/Authors', { id: 1, ...row }],
    ['PATCH', '/Authors', { id: 1, ...row }], ['PUT', '/Authors/1', row], ['PATCH', '/Authors/1', row],
    ['POST', '/Authors/replaceOrCreate', { id: 1, ...row }], ['POST', '/Authors/1/replace', row],
    ['POST', '/Authors/update?where={"id":1}', row], ['POST', '/Authors/upsertWithWhere?where={"id":1}', row]
  ].map(([method, url, data]): Call =>
    [`${method as string} ${url as string} ${JSON.stringify(data)}`, async ({ send }) => await send(method as string, url as string, data as object)])
    .concat([
      [`create ${what}`, async ({ Author }) => await Author.create(row)],
      [`create a list ${what}`, async ({ Author }) => await Author.create([{ name: 'a' }, row])],
      [`new ${what}`, async ({ Author }) => await new Author(row).save()],
      [`upsert ${what}`, async ({ Author }) => await Author.upsert({ id: 1, ...row })],
      [`replaceOrCreate ${what}`, async ({ Author }) => await Author.replaceOrCreate({ id: 1, ...row })],
      [`replaceById ${what}`, async ({ Author }) => await Author.replaceById(1, row)],
      [`updateAll ${what}`, async ({ Author }) => await Author.updateAll({ id: 1 }, row)],
      [`upsertWithWhere ${what}`, async ({ Author }) => await Author.upsertWithWhere({ id: 1 }, row)],
      [`findOrCreate ${what}`, async ({ Author }) => await Author.findOrCreate({ where: { name: 'nobody' } }, row)],
      [`updateAttributes ${what}`, async ({ author }) => await author.updateAttributes(row)],
      [`updateAttribute ${what}`, async ({ author }) => await author.updateAttribute(key, value)],
      [`replaceAttributes ${what}`, async ({ author }) => await author.replaceAttributes(row)]
    ])
}
const relatedOf = (url: string, row: object, method = 'POST'): Call =>
  [`${method} ${url} ${JSON.stringify(row)}`, async ({ send }) => await send(method, url, row)]

const dataCalls: Call[] = [
  { books: [{ title: 'x' }] }, { books: { title: 'x' } }, { profile: { bio: 'x' } }, { homes: [{ id: 2, street: 'x' }] }
].flatMap(related).concat([
  relatedOf('/Books', { author: { name: 'x' } }),
  relatedOf('/Books', { tags: [{ word: 'x' }] }),
  relatedOf('/Authors/1/books', { title: 'y', tags: [{ word: 'x' }] }),
  relatedOf('/Authors/1/books', { title: 'y', author: { name: 'x' } }),
  relatedOf('/Authors/1/books/1', { tags: [{ word: 'x' }] }, 'PUT'),
  relatedOf('/Authors/1/profile', { author: { name: 'x' } }, 'PUT'),
  relatedOf('/Authors/2/profile', { author: { name: 'x' } }),
  relatedOf('/Tags/1/books', { tags: [{ word: 'x' }] }),
  relatedOf('/Tags/1/books/1', { tags: [{ word: 'x' }] }, 'PUT'),
  relatedOf('/Authors/1/homes', { id: 3, town: { bio: 'x' } }),
  relatedOf('/Authors/1/homes/1', { town: { bio: 'x' } }, 'PUT'),
  ['author.books.create', async ({ author }) => await author.books.create({ tags: [{ word: 'x' }] })],
  ['author.books.create, of a list', async ({ author }) => await author.books.create([{ tags: [{ word: 'x' }] }])],
  ['author.books.build', async ({ author }) => await author.books.build({ tags: [{ word: 'x' }] }).save()],
  ['author.profile.update', async ({ author }) => await author.profile.update({ author: { name: 'x' } })],
  ['author.homes.create', async ({ author }) => await author.homes.create({ id: 3, town: { bio: 'x' } })]
])

const headers: Readonly<Record<string, string>> = {
  'if-match': '"1"', 'if-unmodified-since': 'Sun, 06 Nov 1994 08:49:37 GMT', 'idempotency-key': 'k'
}
const headerCalls: Call[] = Object.entries(headers).flatMap(([name, value]) => [
  ['GET', '/Authors'], ['GET', '/Authors/1'], ['POST', '/Authors', { name: 'x' }],
  ['PATCH', '/Authors/1', { name: 'x' }], ['PUT', '/Authors/1', { name: 'x' }], ['DELETE', '/Authors/99'],
  ['GET', '/Authors/count'], ['GET', '/Authors/1/books'], ['POST', '/Authors/1/books', { title: 'x' }],
  ['PUT', '/Authors/1/books/1', { title: 'x' }], ['GET', '/Tags/1/books/1'], ['GET', '/Authors/1/homes/1']
].map(([method, url, data]): Call =>
  [`${method as string} ${url as string} ${name}`, async ({ send }) => await send(method as string, url as string, data as object, { [name]: value })]))

const codes: ReadonlyArray<readonly [code: string, calls: readonly Call[]]> = [
  ['RELATION_IN_QUERY', relationCalls],
  ['UNKNOWN_FILTER_KEY', [...keyCalls, ...placeCalls]],
  ['RELATED_ROWS_IN_DATA', dataCalls],
  ['UNSUPPORTED_HEADER', headerCalls]
]

/** What the log tells where an application says "ignore". */
const tells: Readonly<Record<string, RegExp>> = {
  RELATION_IN_QUERY: /^The (where|order) names "\w+", which is a relation of "\w+"; it has no effect$/,
  UNKNOWN_FILTER_KEY: /^The filter part "\w+" of "\w+" has no effect: nobody reads it$|^The parameter "\w+" of the query has no effect on /,
  RELATED_ROWS_IN_DATA: /^Data of \w+ have "\w+", which is a relation; it is left out: /,
  UNSUPPORTED_HEADER: /^Requests have the header [\w-]+, which has no effect on the routes of models$/
}
const ignoring = { unknownFilterKeys: 'ignore', relatedConditions: false, nestedWrites: 'ignore', unsupportedHeaders: 'ignore' }

for (const [store, settings] of Object.entries(stores)) {
  for (const [code, calls] of codes) {
    t.test(`${code}, ${store}`, async t => {
      const world = await start(t, settings, { relatedConditions: false })
      for (const [what, run] of calls) {
        await t.rejects(run(world), { statusCode: 400, code } as Loose, what)
      }
      t.equal(await world.Author.count(), 1, 'nothing was written')
      t.equal(await world.Book.count(), 1)
      t.match(await world.Author.findById(1), { name: 'Ann' })
      t.strictSame(world.told, [])
    })

    t.test(`${code}, ${store}, where it is ignored`, async t => {
      const world = await start(t, settings, ignoring)
      for (const [what, run] of calls) {
        // What is not found where a relation is no condition, or by then is gone, is said as ever.
        const error = await run(world).then(() => undefined, (error: Loose) => error)
        if (error === undefined) continue
        t.ok([400, 404, 409, 422].includes(error.statusCode), `${what}: ${String(error.message)}`)
        t.not(error.code, code, what)
      }
      t.ok(world.told.length > 0)
      t.equal(new Set(world.told).size, world.told.length, 'each is told once')
      t.strictSame(world.told.filter(line => !(tells[code] as RegExp).test(line)), [])
    })
  }
}

t.test('what is ignored does nothing', async t => {
  for (const store of Object.values(stores)) {
    const { Author, Book, author, send } = await start(t, store, ignoring)
    await Author.create({ name: 'Bob' })
    const names = async (filter: object): Promise<string[]> =>
      (await send('GET', filtered('/Authors', filter))).map(({ name }: Loose) => name)
    t.strictSame(await names({ where: { books: 'x' } }), [], 'a condition finds nothing')
    t.strictSame(await names({ where: { or: [{ books: 'x' }, { name: 'Bob' }] } }), ['Bob'])
    t.strictSame(await names({ order: ['books DESC', 'name DESC'] }), ['Bob', 'Ann'], 'an order says nothing')
    t.strictSame(await names({ limt: 1, order: 'name' }), ['Ann', 'Bob'])
    t.equal((await send('GET', '/Authors?limit=1')).length, 2)
    t.notOk('books' in await send('PATCH', '/Authors/1', { books: [{ title: 'z' }] }))
    await author.updateAttributes({ books: [{ title: 'z' }] })
    await new Author({ name: 'Cid', books: [{ title: 'z' }] }).save()
    t.equal(await Book.count(), 1, 'rows of relations are left out')
    t.match(await send('PATCH', '/Authors/1', { name: 'Eve' }, headers), { name: 'Eve' })
  }
})

t.test('instances and rows that belong to one stand for its key', async t => {
  const { Book, author } = await start(t, stores.memory, {})
  t.equal((await Book.create({ title: 'y', author })).authorId, 1)
  t.equal((await new Book({ title: 'y', author }).save()).authorId, 1)
  t.match(await Book.findOne({ include: 'author' }).then((book: Loose) => book.save()), { id: 1 }, 'what was included is no data')
})

t.test('HEAD is refused as GET is', async t => {
  const { send } = await start(t, stores.memory, {})
  for (const [name, value] of Object.entries(headers)) t.equal(await send('HEAD', '/Authors/1', undefined, { [name]: value }), 400)
})
