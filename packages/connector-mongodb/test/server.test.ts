/** Errors of the server, indexes in the database, what is sent, and the end of a data source. */
import t, { type Test } from 'tap'
import { SuiteStore } from '@fastback/connector-tests'
import type { Document } from 'mongodb'
import { asked, testDatabase } from './support/database.js'
import type { TestServer } from './support/server.js'

type Loose = any

const notUnique = (error: object): Loose => error

const definitions = [
  {
    name: 'Item',
    base: 'PersistedModel',
    mongodb: { collection: 'things' },
    properties: { name: { type: 'string', index: { unique: true }, mongodb: { fieldName: 'n' } }, size: 'number' }
  }
]

interface Opened { readonly store: SuiteStore, readonly server: TestServer | undefined, readonly connector: Loose }

async function open (t: Test, more: object = {}): Promise<Opened> {
  const { make, server } = await testDatabase(t)
  const connector = make({ generatedIds: 'number', ...more })
  const store = new SuiteStore(connector, definitions)
  await store.start()
  t.teardown(async () => {
    if (server !== undefined) server.answer = undefined
    await store.stop()
  })
  return { store, server, connector }
}

t.test('errors', { skip: asked !== undefined && 'they are made by the server of the tests' }, async t => {
  const { store, server } = await open(t)
  const failing = (answer: Document): void => {
    (server as TestServer).answer = command => 'find' in command || 'insert' in command ? answer : undefined
  }
  const error = (code: number, more: Document = {}): Document => ({ ok: 0, code, errmsg: 'SECRET of the server', ...more })
  const cases: Array<[answer: Document, expected: object]> = [
    [error(50), { statusCode: 503, code: 'DATABASE_TIMEOUT' }],
    [error(112), { statusCode: 503, code: 'DATABASE_BUSY' }],
    [error(11600), { statusCode: 503, code: 'DATABASE_UNAVAILABLE' }],
    [error(13), { statusCode: 500, code: 'FBK_MONGODB_ACCESS' }],
    [error(121), { statusCode: 422 }],
    [error(10334), { statusCode: 413, code: 'VALUE_TOO_LARGE' }],
    [error(9999), { statusCode: 500, code: 'FBK_MONGODB_STORE', message: 'The database refused the operation (MongoDB error 9999).' }],
    [{ closes: true }, { statusCode: 503, code: 'DATABASE_UNAVAILABLE' }]
  ]
  for (const [answer, expected] of cases) {
    failing(answer)
    for (const work of [() => store.find('Item'), () => store.create('Item', { name: 'a' })]) {
      const found = await work().catch((error: Loose) => error)
      t.match(found, expected, JSON.stringify(answer))
      t.notMatch(found.message, /SECRET/)
      t.ok(found.cause, 'the log has it')
    }
  }
})

t.test('what a unique index refuses', { skip: asked !== undefined && 'they are made by the server of the tests' }, async t => {
  const { store, server } = await open(t)
  const refusing = (more: Document): void => {
    (server as TestServer).answer = command =>
      'insert' in command ? { n: 0, writeErrors: [{ index: 0, code: 11000, ...more }] } : undefined
  }
  const message = 'E11000 duplicate key error collection: x.things index: '
  refusing({ errmsg: 'x', keyPattern: { n: 1 } })
  await t.rejects(store.create('Item', {}), notUnique({ modelName: 'Item', properties: ['name'] }))
  refusing({ errmsg: `${message}Item_name dup key: { n: "a" }` })
  await t.rejects(store.create('Item', {}), notUnique({ modelName: 'Item', properties: ['name'] }))
  await t.rejects(store.createMany('Item', [{}, {}]), notUnique({ modelName: 'Item', properties: ['name'] }))
  refusing({ errmsg: `${message}made_by_hand dup key: { n: "a" }` })
  await t.rejects(store.create('Item', {}), notUnique({ modelName: 'Item', properties: [] }))
  refusing({ errmsg: `${message}_id_ dup key: { _id: 7 }` })
  await t.rejects(store.create('Item', { id: 7 }), { statusCode: 409, code: 'DUPLICATE_ID' })
})

t.test('a document that is too large', async t => {
  const { store } = await open(t)
  await t.rejects(store.create('Item', { name: 'x'.repeat(17_000_000) }), { statusCode: 413, code: 'VALUE_TOO_LARGE' })
})

t.test('what is sent', { skip: asked !== undefined && 'the server of the tests hears it' }, async t => {
  const { store, server } = await open(t, { operationTimeout: 1234 })
  const last = (): Document => (server as TestServer).received.at(-1) as Document
  await store.find('Item', { where: { size: { gt: 1 } }, order: 'name DESC', limit: 3, skip: 2, fields: ['name'] })
  t.match(last(), {
    find: 'things', filter: { size: { $gt: 1 } }, sort: { n: -1, _id: 1 }, limit: 3, skip: 2, projection: { _id: 1, n: 1 }, maxTimeMS: 1234
  })
  await store.find('Item', { where: { size: { gt: 1 } }, limit: 3 })
  t.same(last().projection, undefined)
  await store.count('Item', { name: 'a' })
  t.match(last(), { aggregate: 'things', pipeline: [{ $match: { n: { $eq: 'a' } } }, { $group: {} }] })
  await store.updateAll('Item', { size: 1 }, { size: 2, undeclared: undefined })
  t.match(last(), { update: 'things', updates: [{ q: { size: { $eq: 1 } }, u: { $set: { size: 2 }, $unset: { undeclared: '' } }, multi: true }] })
  await store.deleteAll('Item', { size: 1 })
  t.match(last(), { delete: 'things', deletes: [{ q: { size: { $eq: 1 } }, limit: 0 }] })
})

t.test('plans', { skip: asked !== undefined && 'they are made by the server of the tests' }, async t => {
  const { store, server, connector } = await open(t)
  const model = store.model('Item')
  const query = { where: undefined, order: [], limit: 2, skip: 1, select: { names: ['name'], extra: 'none' }, include: [] }
  const explain = async (winningPlan: Document): Promise<Document> => {
    (server as TestServer).answer = command => 'explain' in command
      ? { queryPlanner: { winningPlan }, executionStats: { totalDocsExamined: 5 } }
      : undefined
    return await connector.explain({ model, operation: 'find', query, others: [] }, undefined)
  }
  t.same(await explain({ stage: 'LIMIT', inputStage: { stage: 'COLLSCAN', filter: { n: { $eq: 'secret' } } } }), {
    plan: ['LIMIT', '  COLLSCAN'], rowsRead: 5, accesses: [{ model: 'Item', kind: 'all' }]
  })
  const received = (server as TestServer).received.at(-1) as Document
  t.match(received, { explain: { find: 'things', limit: 2, skip: 1, sort: { _id: 1 } }, verbosity: 'executionStats' })
  const indexScan = (bounds: string): Document => ({
    queryPlan: { stage: 'FETCH', inputStage: { stage: 'IXSCAN', indexName: 'Item_name', indexBounds: { n: [bounds] } } }
  })
  t.same(await explain(indexScan('["a", "a"]')), {
    plan: ['FETCH', '  IXSCAN Item_name'], rowsRead: 5, accesses: [{ model: 'Item', kind: 'found' }]
  })
  t.match(await explain(indexScan('[MinKey, MaxKey]')), { accesses: [{ kind: 'inOrder' }] })
})

t.test('indexes', async t => {
  const { store, connector } = await open(t)
  const things = connector.collection('Item')
  t.match(await things.listIndexes().toArray(), [{ name: '_id_' }, { name: 'Item_name', key: { n: 1 }, unique: true }])
  const models = [store.model('Item')]
  t.equal(await connector.isActual(models), true)
  await things.dropIndex('Item_name')
  t.equal(await connector.isActual(models), false)
  await things.createIndex({ n: 1 }, { name: 'Item_name' })
  t.equal(await connector.isActual(models), false, 'an index that is not unique')
  await connector.autoupdate(models)
  t.equal(await connector.isActual(models), true)
  await things.dropIndex('Item_name')
  await store.create('Item', { name: 'a' })
  await store.create('Item', { name: 'a' })
  await t.rejects(connector.autoupdate(models), { code: 'FBK_CORE_MIGRATION', message: /unique index "Item_name"/ })
  t.equal(await store.count('Item'), 2)
})

t.test('long lists come in batches', async t => {
  const { store } = await open(t)
  await store.createMany('Item', Array.from({ length: 1234 }, (_, size) => ({ size, tag: size % 2 === 0 ? 'even' : 'odd' })))
  t.equal((await store.find('Item')).length, 1234)
  t.same((await store.find('Item', { where: { tag: { regexp: '^ev' } }, limit: 2, skip: 600 })).map(row => row.size), [1200, 1202])
  t.same((await store.find('Item', { where: { tag: { regexp: '^ev' } }, order: 'tag DESC', limit: 1 })).map(row => row.size), [0])
  t.equal(await store.count('Item', { tag: { regexp: '^ev' } }), 617)
  t.equal(await store.deleteAll('Item', { tag: { regexp: '^ev' } }), 617)
})

t.test('the driver for what models do not say; the end', async t => {
  const { store, connector } = await open(t)
  await store.create('Item', { name: 'a', size: 2 })
  t.equal(connector.collection('Item').collectionName, 'things')
  t.equal(connector.collection('other').collectionName, 'other')
  t.match(await connector.collection('Item').findOne(), { n: 'a' })
  t.equal(connector.db.databaseName, connector.collection('Item').dbName)
  await connector.ping()
  const running = store.find('Item')
  await connector.disconnect()
  t.equal((await running).length, 1, 'what has begun is finished')
  await t.rejects(store.find('Item'), { code: 'FBK_MONGODB_NOT_CONNECTED' })
  t.throws(() => connector.db, { code: 'FBK_MONGODB_NOT_CONNECTED' })
  await connector.connect()
  t.equal(await store.count('Item'), 1)
})
