/** A property is stored under another name: that name is no way to its value (S-170). */
import tap from 'tap'
import Fastify from 'fastify'
import { core, ModelRegistry } from '@fastback/core'
import { mongodbConnector } from '@fastback/connector-mongodb'
import { rest } from '@fastback/rest'
import { testDatabase } from '../../../packages/connector-mongodb/test/support/database.js'

type Loose = any

tap.test('S-170 the name of a hidden property in the store finds nothing: MongoDB', async t => {
  // Seen to fail: `shapeOf` with every name that no property has: `{ "p": { "gt": "1" } }` found rows by their pins.
  const { settings } = await testDatabase(t)
  const registry = new ModelRegistry({ log: { warn () {}, info () {}, debug () {}, error () {} } as Loose })
  registry.defineDataSource('db', { ...settings, connector: mongodbConnector } as Loose)
  registry.attach(registry.defineModel({
    name: 'Note',
    base: 'PersistedModel',
    hidden: ['pin'],
    properties: {
      name: 'string',
      title: { type: 'string', mongodb: { fieldName: 't' } },
      pin: { type: 'string', mongodb: { fieldName: 'p' } }
    }
  } as Loose), 'db', { public: true })
  const app = Fastify()
  await app.register(core, { registry })
  await registry.start()
  await app.register(rest, { prefix: '/api' })
  await app.ready()
  t.teardown(async () => { await app.close() })
  const Note = registry.models.Note as Loose
  await Note.create([{ name: 'a', title: 'x', pin: '4321' }, { name: 'b', title: 'y', pin: '9999', more: 'm' }])
  const names = async (where: object): Promise<unknown> => {
    const filter = encodeURIComponent(JSON.stringify({ where, order: 'name' }))
    const { payload } = await app.inject(`/api/Notes?filter=${filter}`)
    const rows = JSON.parse(payload) as Loose
    return Array.isArray(rows) ? rows.map(({ name }: Loose) => name) : rows.error.code
  }
  const tests = [
    '4321', { gt: '1' }, { like: '4%' }, { inq: ['4321', '9999'] }, { between: ['4', '5'] }, { exists: true }, { neq: null }
  ]
  for (const test of tests) {
    t.same(await names({ p: test }), [], JSON.stringify(test))
    t.same(await names({ t: test }), [], 'of a property that anybody sees as well')
  }
  for (const test of [{ neq: '4321' }, { nlike: '4%' }, { nin: ['4321'] }]) t.same(await names({ p: test }), ['a', 'b'])
  t.same(await names({ pin: '4321' }), 'HIDDEN_PROPERTY_IN_QUERY')
  t.same(await names({ title: 'x' }), ['a'])
  t.same(await names({ more: 'm' }), ['b'], 'a property that the definition does not have')
})
