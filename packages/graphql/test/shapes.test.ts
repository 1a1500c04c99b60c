/** Models of unusual shapes and names. */
import t from 'tap'
import { Type } from '@sinclair/typebox'
import Fastify from 'fastify'
import { buildClientSchema, getIntrospectionQuery, printType, validateSchema } from 'graphql'
import { core } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'
import { graphql } from '@fastback/graphql'
import { rest } from '@fastback/rest'
import { codes, data, makeApp, type App } from './app.js'

type Loose = any

const typesOf = async (app: App): Promise<Loose> => {
  const schema = buildClientSchema(await data(app, undefined, getIntrospectionQuery()))
  t.same(validateSchema(schema), [])
  return (name: string) => printType(schema.getType(name) as Loose)
}

t.test('models that are written with TypeBox', async t => {
  const app = await makeApp(t, {
    definitions: [{
      name: 'Task',
      properties: {
        title: Type.String({ minLength: 2, description: 'What is to do.' }),
        state: Type.Union([Type.Literal('open'), Type.Literal('done')]),
        marks: Type.Optional(Type.Array(Type.Number())),
        size: Type.Optional(Type.Integer()),
        about: Type.Optional(Type.Object({ w: Type.Number() }))
      }
    }] as Loose
  })
  const type = await typesOf(app)
  const task = type('Task')
  for (const field of ['title: String', 'state: TaskState', 'marks: [Float]', 'size: SafeInt', 'about: JSON']) t.ok(task.includes(`  ${field}\n`), field)
  t.same(
    await data(app, undefined, 'mutation { createTask(data: { title: "wash", state: open, about: { w: 1 } }) { title state about marks } }'),
    { createTask: { title: 'wash', state: 'open', about: { w: 1 }, marks: null } }
  )
  t.same(await data(app, undefined, '{ tasks(where: { state: { inq: [open, done] } }, order: [state_ASC]) { id } }'), { tasks: [{ id: 1 }] })
  t.same(await codes(app, undefined, 'mutation { createTask(data: { title: "x", state: open }) { id } }'), ['VALIDATION_FAILED'])
})

t.test('keys of several properties', async t => {
  const app = await makeApp(t, {
    definitions: [
      {
        name: 'Seat',
        properties: { row: { type: 'number', id: 1 }, place: { type: 'number', id: 2 }, guestId: 'number' },
        relations: { guest: { type: 'belongsTo', model: 'Guest' } }
      },
      { name: 'Guest', properties: { name: 'string' }, relations: { seats: { type: 'hasMany', model: 'Seat' } } }
    ] as Loose,
    prepare: async ({ Seat, Guest }) => {
      await Guest.create([{ name: 'Ann' }, { name: 'Ben' }])
      await Seat.create([
        { row: 1, place: 1, guestId: 1 }, { row: 1, place: 2, guestId: 2 }, { row: 2, place: 1, guestId: 1 }
      ])
    }
  })
  const type = await typesOf(app)
  t.notMatch(type('Query'), / seat\(/, 'no row is told by one value')
  const { seats } = await data(app, undefined, `{
    seats(order: [row_ASC, place_ASC]) { row guest { name low: seats(where: { row: { lt: 2 } }) { place } all: seats { place } seatsCount } }
  }`)
  const counted = seats.map(({ guest }: Loose) => [guest.name, guest.low.length, guest.all.length, guest.seatsCount])
  t.same(counted, [['Ann', 1, 2, 2], ['Ben', 1, 1, 1], ['Ann', 1, 2, 2]])
  t.same(await data(app, undefined, 'mutation { createSeats(data: [{ row: 9, place: 1, guestId: 2 }, { row: 9, place: 2, guestId: 1 }]) { place guest { name } } }'), {
    createSeats: [{ place: 1, guest: { name: 'Ben' } }, { place: 2, guest: { name: 'Ann' } }]
  })
})

t.test('names that GraphQL has for itself, or that two models would have', async t => {
  const app = await makeApp(t, {
    definitions: [
      { name: 'Query', plural: 'queries', properties: { text: 'string' } },
      { name: 'DateTime', properties: { text: 'string' } },
      { name: 'Note', properties: { text: 'string', search: 'string', _where: 'string' } },
      { name: 'NoteWhere', properties: { text: 'string' } },
      { name: 'Sheep', plural: 'Sheep', properties: { valueOf: 'string', toString: 'string', hasOwnProperty: 'string' } },
      { name: '2fa', plural: '2fas', properties: { text: 'string' } }
    ] as Loose
  })
  await typesOf(app)
  t.same(await data(app, undefined, `mutation {
    createQuery_(data: { text: "a" }) { text }
    createNote(data: { text: "b", search: "c" }) { text search }
    createNoteWhere(data: { text: "d" }) { text }
    createSheep(data: { valueOf: "e", toString: "f", hasOwnProperty: "g" }) { valueOf toString hasOwnProperty }
    create_2fa(data: { text: "h" }) { text }
  }`), {
    createQuery_: { text: 'a' },
    createNote: { text: 'b', search: 'c' },
    createNoteWhere: { text: 'd' },
    createSheep: { valueOf: 'e', toString: 'f', hasOwnProperty: 'g' },
    create_2fa: { text: 'h' }
  })
  t.same(await data(app, undefined, '{ queries { text } sheepList(where: { valueOf: { eq: "e" } }) { toString } notes(where: { text: { eq: "b" }, _where: { search: "c" } }) { text } }'), {
    queries: [{ text: 'a' }], sheepList: [{ toString: 'f' }], notes: [{ text: 'b' }]
  })
})

t.test('a model that only has methods, and one that nobody may call', async t => {
  const app = await makeApp(t, {
    definitions: [{ name: 'Tool', base: 'Model', properties: {} }] as Loose,
    prepare: ({ Tool }) => {
      Tool.ping = async () => 'pong'
      Tool.remoteMethod('ping', { returns: { arg: 'text', type: 'string' }, http: { verb: 'get' } })
    }
  })
  t.same(await data(app, undefined, '{ toolPing }'), { toolPing: 'pong' })
})

t.test('folders as LoopBack has them: fewer parts of filters, rows joined by the keys that are read', async t => {
  const app = await makeApp(t, {
    settings: { unknownFilterKeys: 'ignore', relatedConditions: false, aggregates: false, cursors: false, modelDefinitions: 'open' },
    definitions: [
      { name: 'Shop', properties: { name: 'string' }, relations: { products: { type: 'hasMany', model: 'Product' } } },
      { name: 'Product', properties: { name: 'string' }, relations: { shop: { type: 'belongsTo', model: 'Shop' } } }
    ],
    prepare: async ({ Shop, Product }) => {
      await Shop.create({ name: 's' })
      await Product.create({ name: 'p', shopId: 1 })
    }
  })
  const type = await typesOf(app)
  t.notMatch(type('Query'), /Connection|Aggregate/)
  t.notMatch(type('Shop'), /productsCount/)
  t.notMatch(type('ProductWhere'), /shop:/)
  t.same(await data(app, undefined, '{ products { name shop { name products { name } } } shops { products { name } } }'), {
    products: [{ name: 'p', shop: { name: 's', products: [{ name: 'p' }] } }], shops: [{ products: [{ name: 'p' }] }]
  })
})

t.test('a wrong set-up stops the start', async t => {
  const withCore = async (): Promise<Loose> => {
    const app = Fastify()
    t.teardown(() => app.close())
    await app.register(core, {
      dataSources: { db: { connector: memoryConnector } },
      definitions: [{ name: 'Note', properties: { text: 'string' } }],
      models: { Note: { dataSource: 'db', public: true } }
    })
    return app
  }
  await t.rejects(async () => { await Fastify().register(graphql) }, { code: 'FBK_GRAPHQL_MISSING_REGISTRY' })
  const late = await withCore()
  await late.register(rest, { prefix: '/api' })
  await t.rejects(async () => { await late.register(graphql) }, { code: 'FBK_GRAPHQL_REGISTERED_LATE' })
  const alone = await withCore()
  await alone.register(graphql)
  await t.rejects(alone.ready(), { code: 'FBK_GRAPHQL_NO_METHODS' })
  const elsewhere = await withCore()
  await elsewhere.register(graphql, { restApiRoot: '/other' })
  await elsewhere.register(rest, { prefix: '/api' })
  await t.rejects(elsewhere.ready(), { code: 'FBK_GRAPHQL_NO_METHODS', message: /"\/other"/ })
})

t.test('two APIs of one registry have an endpoint each', async t => {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(core, {
    dataSources: { db: { connector: memoryConnector } },
    definitions: [{ name: 'Note', properties: { text: 'string' } }, { name: 'Other', properties: { text: 'string' } }],
    models: { Note: { dataSource: 'db', public: true }, Other: { dataSource: 'db', public: true } }
  })
  await app.register(graphql, { path: '/v1/graphql', restApiRoot: '/v1' })
  await app.register(graphql, { path: '/v2/graphql', restApiRoot: '/v2' })
  await app.register(rest, { prefix: '/v1', models: { Other: false } })
  await app.register(rest, { prefix: '/v2' })
  const status = async (url: string, query: string): Promise<number> =>
    (await app.inject({ method: 'POST', url, payload: { query } })).statusCode
  t.same(
    [await status('/v1/graphql', '{ notes { id } }'), await status('/v1/graphql', '{ others { id } }'), await status('/v2/graphql', '{ others { id } }')],
    [200, 400, 200]
  )
})
