/** Searches in requests: lists, counts, includes and writes answer alike in memory and on databases. */
import { memoryConnector } from '@fastback/connector-memory'
import { sqlConnector } from '@fastback/connector-sql'
import { core, type ModelDefinitionInput } from '@fastback/core'
import { explorer } from '@fastback/explorer'
import { rest } from '@fastback/rest'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { isReachable, makeScratch } from '../../scratch.mjs'

type Loose = any

const definitions = [
  {
    name: 'Note',
    hidden: ['secret'],
    properties: { title: 'string', body: 'string', secret: 'string', stars: 'number' },
    indexes: { search: { text: ['title', 'body'] } },
    relations: { shelf: { type: 'belongsTo', model: 'Shelf', foreignKey: 'shelfId' } }
  },
  {
    name: 'Shelf',
    properties: { name: 'string' },
    relations: { notes: { type: 'hasMany', model: 'Note', foreignKey: 'shelfId' } }
  }
] as unknown as ModelDefinitionInput[]

const rows = [
  { title: 'fast fast', body: 'Food, fast', shelfId: 1, secret: 'pearl', stars: 1 },
  { title: 'Slow', body: 'food', shelfId: 1, secret: 'pearl', stars: 2 },
  { title: 'fast', body: 'food and more of it, that says nothing', shelfId: 2, stars: 3 },
  ...Array.from({ length: 150 }, (_, i) => ({ title: `word${i} common`, shelfId: 3, stars: 0 }))
]

async function serve (t: Test, dataSource: object): Promise<FastifyInstance> {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(core, {
    connectors: { memory: memoryConnector, sql: sqlConnector },
    dataSources: { db: { migrate: 'reset', ...dataSource } as Loose },
    definitions,
    models: { Note: { dataSource: 'db', public: true }, Shelf: { dataSource: 'db', public: true } }
  })
  await app.registry.start()
  await app.register(rest, { prefix: '/api', remoting: { errorHandler: { log: false } } } as Loose)
  await app.register(explorer, { prefix: '/explorer' } as Loose)
  await app.ready()
  const { Note, Shelf } = app.registry.models as Loose
  await Shelf.create([{ name: 'a' }, { name: 'b' }, { name: 'c' }])
  await Note.create(rows)
  return app
}

const stores: ReadonlyArray<readonly [string, (t: Test) => Promise<object | undefined>]> = [
  ['memory', async () => ({ connector: 'memory' })],
  ['sqlite', async t => ({ connector: 'sql', url: `sqlite:${t.testdir({})}/rows.sqlite` })],
  ...(['postgres', 'mysql'] as const).map(server => [server, async (t: Test) => {
    if (!await isReachable(server)) return undefined
    const { url, remove } = await makeScratch(server)
    t.teardown(remove)
    return { connector: 'sql', url }
  }] as const)
]

for (const [name, store] of stores) {
  t.test(name, async t => {
    const dataSource = await store(t)
    if (dataSource === undefined) return
    const app = await serve(t, dataSource)
    const get = async (path: string, filter?: object): Promise<Loose> => {
      const query = filter === undefined ? '' : `?filter=${encodeURIComponent(JSON.stringify(filter))}`
      const response = await app.inject(`/api/${path}${query}`)
      return response.statusCode === 200 ? response.json() : response.json().error
    }
    const titles = async (filter: object): Promise<unknown> => {
      const found = await get('Notes', filter)
      return Array.isArray(found) ? found.map(({ title }: Loose) => title) : found.code
    }
    t.same(await titles({ where: { $search: 'food fast' }, order: '$rank' }), ['fast fast', 'fast'])
    t.same(await titles({ where: { $search: 'food -slow' }, order: 'id', fields: ['title'] }), ['fast fast', 'fast'])
    t.same(await titles({ where: { $search: 'food', stars: { gt: 1 } }, order: 'title' }), ['Slow', 'fast'])
    t.equal((await get('Notes', { where: { $search: 'common' }, order: '$rank', limit: 30 })).length, 30)
    t.equal((await get('Notes', { where: { $search: 'common' } })).length, 150)
    t.same(await titles({ where: { $search: 'common word149' } }), ['word149 common'])
    t.same(await titles({ where: { $search: 'pearl' } }), [], 'hidden properties are not searched')
    for (const filter of [
      { where: { $search: '' } }, { where: { $search: ['a'] } }, { order: '$rank' }, { where: { or: [{ $search: 'a' }] } }
    ]) t.equal(await titles(filter), 'INVALID_SEARCH', JSON.stringify(filter))
    t.equal(await titles({ where: { $search: 'a '.repeat(30) } }), 'QUERY_LIMIT_EXCEEDED')
    t.equal((await get('Shelves', { where: { $search: 'a' } })).code, 'INVALID_SEARCH', 'no text index')

    const counted = await app.inject(`/api/Notes/count?where=${encodeURIComponent('{"$search":"food"}')}`)
    t.same(counted.json(), { count: 3 })
    const nested = await app.inject('/api/Notes?filter[where][$search]=slow')
    t.same(nested.json().map(({ title }: Loose) => title), ['Slow'])

    for (const limit of [undefined, 1]) {
      const scope = { where: { $search: 'food' }, order: '$rank', ...(limit === undefined ? {} : { limit }) }
      const [first, , third] = await get('Shelves', { include: { relation: 'notes', scope }, order: 'id', limit: 10 })
      t.same(first.notes.map(({ title }: Loose) => title).sort(), limit === 1 ? [first.notes[0].title] : ['Slow', 'fast fast'])
      t.same(third.notes, [])
    }
    const shelves = await get('Shelves', { where: { notes: { some: { $search: '"food and"' } } } })
    t.same(shelves.map(({ name }: Loose) => name), ['b'])
    t.equal((await get('Shelves', { where: { notes: { none: { $search: 'food' } } } })).code, 'INVALID_SEARCH')
    t.same((await get('Shelves/1/notes', { where: { $search: 'slow' } })).length, 1)

    const changed = await app.inject({
      method: 'POST', url: `/api/Notes/update?where=${encodeURIComponent('{"$search":"slow"}')}`, payload: { title: 'quick' }
    })
    t.same(changed.json(), { count: 1 })
    t.same(await titles({ where: { $search: 'quick' } }), ['quick'])

    const document = (await app.inject('/explorer/openapi.json')).json()
    t.match(document.components.schemas.NoteWhere.properties.$search, { type: 'string', description: /title, body/ })
    t.equal(document.components.schemas.ShelfWhere.properties.$search, undefined)
    t.match(document.components.schemas.NoteFilter.properties.order.description, /\$rank/)
  })
}
