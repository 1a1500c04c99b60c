/** What comes from outside is data, and what goes out tells nothing of the database. */
import t from 'tap'
import { ModelRegistry } from '@fastback/core'
import { SuiteStore } from '@fastback/connector-tests'
import { mongodbConnector } from '@fastback/connector-mongodb'
import type { Document } from 'mongodb'
import { context, testDatabase } from './support/database.js'

type Loose = any

const operator = { statusCode: 400, code: 'OPERATOR_NOT_ALLOWED_IN_QUERY' }
const definitions = [{ name: 'Note', base: 'PersistedModel', properties: { title: 'string', meta: 'object', free: 'any' } }]

t.test('keys that MongoDB or its driver would take for something else are refused', async t => {
  const store = new SuiteStore((await testDatabase(t)).make({ generatedIds: 'number' }), definitions)
  await store.start()
  t.teardown(() => store.stop())
  await store.create('Note', { title: 'first' })
  const refused = { statusCode: 400, code: 'NAME_NOT_STORABLE' }
  const rows: Document[] = [
    { $set: { title: 'x' } }, { $where: '1' }, { 'title.a': 1 }, { _id: 1 }, { '': 1 }, { 'a\0b': 1 },
    { meta: { $gt: '' } }, { meta: { deep: [{ $ref: 'Note', $id: 1 }] } }, { free: { _bsontype: 'ObjectId' } },
    { free: { _bsontype: 'Code', code: 'function () {}' } }, { meta: { 'a\0b': 1 } }
  ]
  for (const row of rows) {
    await t.rejects(store.create('Note', row), refused, JSON.stringify(row))
    await t.rejects(store.updateById('Note', 1, row), refused, JSON.stringify(row))
    await t.rejects(store.updateAll('Note', {}, row), refused, JSON.stringify(row))
    await t.rejects(store.replaceById('Note', 1, row), refused, JSON.stringify(row))
  }
  t.same(await store.find('Note'), [{ id: 1, title: 'first' }])
})

t.test('keys that are only data stay', async t => {
  const store = new SuiteStore((await testDatabase(t)).make({ generatedIds: 'number' }), definitions)
  await store.start()
  t.teardown(() => store.stop())
  const row = { title: '$where', meta: { 'a.b': 1, toString: 'x', constructor: ['y', { z: 1 }], a$: 1, '': 0 }, free: ['$gt', null, { then: 1 }] }
  await store.create('Note', row)
  t.same(await store.findById('Note', 1), { id: 1, ...row })
  t.same(await store.find('Note', { where: { title: '$where', meta: row.meta }, fields: ['id'] }), [{ id: 1 }])
  const hidden = JSON.parse('{"title": "t", "meta": {"__proto__": {"admin": true}, "b": 1}}')
  const { id } = await store.create('Note', hidden)
  const found = await store.findById('Note', id as number) as Loose
  t.same(Object.keys(found.meta), ['b'])
  t.equal(found.meta.admin, undefined)
})

t.test('values of conditions are never operators', async t => {
  const store = new SuiteStore((await testDatabase(t)).make({ generatedIds: 'number' }), definitions)
  await store.start()
  t.teardown(() => store.stop())
  await store.create('Note', { title: 'a', meta: { a: 1 }, free: 'x' })
  const { connector } = store
  const model = store.model('Note')
  const path = (property: string, declared = true): Loose => ({ property, path: [], type: { kind: 'any' }, declared })
  for (const value of [{ $ne: null }, { $gt: '' }, { $regex: '.*' }, { $where: '1' }] as Loose[]) {
    for (const property of ['title', 'meta', 'free']) {
      t.equal(await connector.count(model, { kind: 'compare', path: path(property), op: 'eq', value }, {}), 0)
      t.equal(await connector.count(model, { kind: 'in', path: path(property), op: 'inq', values: [value] }, {}), 0)
    }
  }
  for (const property of ['$where', '$expr', 'a.$b', '$or']) {
    t.equal(await connector.count(model, { kind: 'compare', path: path(property, false), op: 'eq', value: 'sleep(9)' }, {}), 0)
    t.equal(await connector.count(model, { kind: 'compare', path: path(property, false), op: 'eq', value: null }, {}), 1)
  }
  await t.rejects(store.count('Note', { title: { $ne: 1 } }), operator)
})

t.test('allowExtendedOperators lets the known ones in', async t => {
  const database = await testDatabase(t)
  for (const settings of [{ allowExtendedOperators: true }, { mongodb: { allowExtendedOperators: true } }]) {
    const store = new SuiteStore(database.make({ generatedIds: 'number' }), [{ ...definitions[0], ...settings } as Loose])
    await store.start()
    await store.create('Note', { title: 'a' })
    await store.create('Note', { title: 'b' })
    t.equal(await store.count('Note', { title: { $gt: 'a' } }), 1)
    t.equal(await store.count('Note', { $or: [{ title: { $in: ['a'] } }, { title: { $regex: '^b' } }] }), 2)
    await t.rejects(store.count('Note', { $where: '1' }), operator)
    await t.rejects(store.count('Note', { title: { $function: {} } }), operator)
    await store.stop()
  }
})

t.test('settings', async t => {
  const make = (settings: object): Loose => mongodbConnector({ connector: 'mongodb', ...settings }, context)
  t.equal(make({ url: '', host: 'db1', port: '27018', database: 'shop' }).settings.url, 'mongodb://db1:27018/shop')
  t.equal(make({ url: 'mongodb://a/b', host: 'c' }).settings.url, 'mongodb://a/b')
  t.equal(make({}).settings.url, 'mongodb://localhost:27017/')
  t.equal(make({ host: 'a:1,b:2', replicaSet: 'rs' }).settings.url, 'mongodb://a:1,b:2/')
  t.match(make({ user: 'u', password: 'p@:/', authSource: 'admin' }).settings.options, {
    auth: { username: 'u', password: 'p@:/' }, authSource: 'admin', maxPoolSize: 10, serverSelectionTimeoutMS: 5000
  })
  t.equal(make({ url: 'mongodb://v:w@a/b', user: 'u' }).settings.options.auth, undefined)
  t.equal(make({ url: 'mongodb://a/b?replicaSet=rs' }).transactions !== undefined, true)
  t.equal(make({ url: 'mongodb+srv://a/b', transactions: false }).transactions, undefined)
  for (const [settings, message] of [
    [{ url: 'postgres://secret@x' }, /"url" must begin/],
    [{ port: 'x' }, /"port"/],
    [{ host: 'a/b?c=d' }, /"host"/],
    [{ poolSize: 0 }, /"poolSize"/],
    [{ generatedIds: 'uuid' }, /"generatedIds"/],
    [{ internalCollection: '$x' }, /"internalCollection"/]
  ] as const) t.throws(() => make(settings), { code: 'FBK_CORE_DATA_SOURCE_SETTINGS', message })
  const bad = make({ url: 'mongodb://user:sec%ret@:x/' })
  await t.rejects(Promise.resolve().then(() => bad.connect()), { code: 'FBK_CORE_DATA_SOURCE_SETTINGS' })
  const error = await bad.connect().catch((error: Error) => error)
  t.notMatch(error.message, /sec/)
})

t.test('a server that is not there is a 503 without a word of the driver', async t => {
  const connector = mongodbConnector({ connector: 'mongodb', url: 'mongodb://user:secret@127.0.0.1:1/x', connectionTimeout: 200 }, context)
  const error = await Promise.resolve().then(() => connector.connect()).catch((error: unknown) => error as Loose)
  t.match(error, { statusCode: 503, code: 'DATABASE_UNAVAILABLE', message: 'The database cannot be reached.' })
  t.ok(error.cause)
  t.notMatch(JSON.stringify(error), /secret|127/)
  await t.rejects(Promise.resolve().then(() => connector.ping()), { code: 'FBK_MONGODB_NOT_CONNECTED' })
  const lazy = mongodbConnector({ connector: 'mongodb', url: 'mongodb://127.0.0.1:1/x', connectionTimeout: 200, lazyConnect: true }, context)
  await lazy.connect()
  await t.rejects(Promise.resolve().then(() => lazy.ping()), { statusCode: 503, code: 'DATABASE_UNAVAILABLE' })
  await lazy.disconnect()
})

t.test('names that collections and fields cannot have', async t => {
  const registry = (definition: object): ModelRegistry => {
    const registry = new ModelRegistry()
    registry.defineDataSource('db', { connector: mongodbConnector, url: 'mongodb://127.0.0.1:1/x', lazyConnect: true, connectionTimeout: 200 })
    registry.attach(registry.defineModel({ name: 'Note', base: 'PersistedModel', ...definition }), 'db')
    return registry
  }
  for (const [definition, message] of [
    [{ mongodb: { collection: 'system.users' } }, /"collection"/],
    [{ mongodb: { collection: 'a$b' } }, /"collection"/],
    [{ properties: { a: { type: 'string', mongodb: { fieldName: '$a' } } } }, /property "a"/],
    [{ properties: { a: { type: 'string', mongodb: { fieldName: 'b' } }, b: 'string' } }, /share one field/]
  ] as const) {
    const made = registry(definition)
    await made.start()
    await t.rejects((made.models as Loose).Note.find(), { code: 'FBK_MONGODB_NAME', message })
    await made.stop()
  }
})
