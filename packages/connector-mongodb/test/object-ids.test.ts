/** ObjectIDs: made by the store, texts in rows; what looks like one is stored as one. */
import t from 'tap'
import { ModelRegistry, type ModelDefinitionInput } from '@fastback/core'
import { SuiteStore } from '@fastback/connector-tests'
import { Decimal128, ObjectId, type Collection } from 'mongodb'
import { isObjectIdText, leastObjectId } from '../src/documents/object-ids.js'
import { testDatabase, type TestDatabase } from './support/database.js'

type Loose = any

const hex = '507f1f77bcf86cd799439011'
const other = '507f1f77bcf86cd799439012'

const definitions: ModelDefinitionInput[] = [
  {
    name: 'Person',
    base: 'PersistedModel',
    mongodb: { collection: 'people' },
    properties: {
      id: { type: 'string', id: true, generated: true },
      name: { type: 'string', mongodb: { fieldName: 'full_name' } },
      bossId: 'string',
      friendIds: ['string'],
      salary: { type: 'number', mongodb: { dataType: 'Decimal128' } },
      balance: { type: 'string', mongodb: { dataType: 'decimal128' } },
      extra: 'any'
    },
    relations: { boss: { type: 'belongsTo', model: 'Person', foreignKey: 'bossId' } }
  } as Loose,
  {
    name: 'Strict',
    base: 'PersistedModel',
    strictObjectIDCoercion: true,
    properties: {
      id: { type: 'string', id: true, generated: true },
      code: 'string',
      ownerId: { type: 'string', mongodb: { dataType: 'ObjectID' } }
    }
  } as Loose,
  {
    name: 'Sale',
    base: 'PersistedModel',
    properties: {
      id: { type: 'string', id: true },
      price: 'decimal',
      exact: { type: 'decimal', mongodb: { dataType: 'Decimal128' } },
      amount: { type: 'decimal', precision: 30, scale: 2 }
    }
  } as Loose
]

interface Opened { readonly store: SuiteStore, readonly raw: (name: string) => Promise<Loose[]> }

async function open (database: TestDatabase, more: object = {}): Promise<Opened> {
  const connector = database.make(more)
  const store = new SuiteStore(connector, definitions)
  await store.start()
  const raw = async (name: string): Promise<Loose[]> =>
    await (connector.collection(name) as Collection).find().sort({ _id: 1 }).toArray()
  return { store, raw }
}

t.test('ids are ObjectIDs in the database and texts in rows', async t => {
  const { store, raw } = await open(await testDatabase(t))
  t.teardown(() => store.stop())
  t.equal(store.connector.generatedIdType, 'string')
  const made = await store.create('Person', { name: 'Ada' })
  t.match(made.id, /^[0-9a-f]{24}$/)
  t.match((await raw('Person'))[0], { _id: new ObjectId(made.id as string), full_name: 'Ada' })
  t.same(await store.findById('Person', made.id as string), made)
  t.same(await store.findById('Person', (made.id as string).toUpperCase()), made)
  t.same(await store.find('Person', { where: { id: made.id } }), [made])
  t.same(await store.find('Person', { where: { id: { inq: [made.id, other] } }, fields: ['name'] }), [{ name: 'Ada' }])
  t.equal(await store.findById('Person', other), undefined)
  t.equal(await store.findById('Person', 'no such id'), undefined)
  const own = await store.create('Person', { id: 'own', name: 'Eve' })
  t.equal(own.id, 'own')
  t.same(await store.findById('Person', 'own'), own)
  t.equal(await store.deleteAll('Person', { id: { gt: '000000000000000000000000' } }), 2)
})

t.test('texts that look like ObjectIDs are stored as such', async t => {
  const { store, raw } = await open(await testDatabase(t))
  t.teardown(() => store.stop())
  const row = { name: 'Bob', bossId: hex, friendIds: [hex, 'none'], extra: { ref: hex } }
  const { id } = await store.create('Person', row)
  const [document] = await raw('Person')
  t.ok(document.bossId instanceof ObjectId)
  t.ok(document.friendIds[0] instanceof ObjectId)
  t.equal(document.friendIds[1], 'none')
  t.equal(document.extra.ref, hex, 'not where no type says that it is a text')
  t.same(await store.findById('Person', id as string), { ...row, id })
  for (const where of [
    { bossId: hex }, { bossId: { inq: [hex] } }, { bossId: { neq: other } }, { friendIds: hex }, { 'extra.ref': hex },
    { bossId: { like: '507f%' } }, { bossId: { like: hex } }, { bossId: { ilike: '507F%' } }, { bossId: { regexp: '^507f' } },
    { bossId: { gt: '5' } }, { bossId: { gte: hex } }, { bossId: { lt: 'Mug' } }, { bossId: { lt: 'tea' } },
    { bossId: { between: ['4', '6'] } }, { bossId: { nin: [other] } }
  ]) t.equal(await store.count('Person', where), 1, JSON.stringify(where))
  for (const where of [
    { bossId: other }, { bossId: { like: 'tea%' } }, { bossId: { nlike: '507f%' } }, { bossId: { gt: hex } },
    { bossId: { lt: '5' } }, { bossId: { gt: 'Mug' } }, { bossId: { neq: hex } }, { bossId: null }
  ]) t.equal(await store.count('Person', where), 0, JSON.stringify(where))
  const capitals = hex.toUpperCase()
  await store.updateById('Person', id as string, { bossId: capitals })
  t.equal((await store.findById('Person', id as string))?.bossId, capitals, 'a text that would come back otherwise stays one')
})

t.test('strictObjectIDCoercion: only ids and properties that say so', async t => {
  for (const more of [{}, { strictObjectIDCoercion: true }]) {
    const { store, raw } = await open(await testDatabase(t), more)
    t.teardown(() => store.stop())
    const { id } = await store.create('Strict', { code: hex, ownerId: hex })
    const [document] = await raw('Strict')
    t.ok(document._id instanceof ObjectId)
    t.equal(document.code, hex)
    t.ok(document.ownerId instanceof ObjectId)
    t.same(await store.find('Strict', { where: { code: hex, ownerId: hex } }), [{ id, code: hex, ownerId: hex }])
    await store.create('Person', { name: hex })
    t.equal(typeof (await raw('Person'))[0].full_name, more.strictObjectIDCoercion === true ? 'string' : 'object')
  }
})

t.test('Decimal128', async t => {
  const { store, raw } = await open(await testDatabase(t))
  t.teardown(() => store.stop())
  const { id } = await store.create('Person', { salary: 1.1, balance: '12345678901234567890.12' })
  t.ok((await raw('Person'))[0].salary instanceof Decimal128)
  t.same(await store.findById('Person', id as string), { id, salary: 1.1, balance: '12345678901234567890.12' })
  t.equal(await store.count('Person', { salary: 1.1, balance: '12345678901234567890.12' }), 1)
})

t.test('decimals', async t => {
  const { store, raw } = await open(await testDatabase(t))
  t.teardown(() => store.stop())
  const digits = '12345678901234567890.01'
  await store.create('Sale', { id: 'a', price: digits, exact: digits, amount: '1.5' })
  await store.create('Sale', { id: 'b', price: '-9.5', exact: '0.0000000001', amount: '10' })
  const [first, second] = await raw('Sale')
  t.strictSame([first.price, second.price], ['p00201234567890123456789001', 'n999804~'], 'texts that sort as numbers')
  t.ok(first.exact instanceof Decimal128)
  t.strictSame(await store.find('Sale', { order: 'price DESC' }), [
    { id: 'a', price: digits, exact: digits, amount: '1.50' },
    { id: 'b', price: '-9.5', exact: '0.0000000001', amount: '10.00' }
  ])
  t.equal(await store.count('Sale', { price: { gt: '9' } }), 1)
  t.equal(await store.count('Sale', { amount: 1.5 }), 1)
  await t.rejects(store.create('Sale', { id: 'c', exact: '1'.repeat(35) }), { message: /digits/ })
})

t.test('relations join by ObjectIDs', async t => {
  const database = await testDatabase(t)
  const registry = new ModelRegistry()
  registry.defineDataSource('db', { ...database.settings, connector: () => database.make() })
  for (const definition of definitions) registry.attach(registry.defineModel(definition), 'db')
  await registry.start()
  t.teardown(() => registry.stop())
  const { Person } = registry.models as Loose
  const boss = await Person.create({ name: 'Ada' })
  await Person.create({ name: 'Bob', bossId: boss.id })
  const [found] = await Person.find({ where: { name: 'Bob' }, include: 'boss' })
  t.equal(found.toJSON().boss.name, 'Ada')
  t.equal((await Person.findById(boss.id)).name, 'Ada')
  await t.rejects(Person.findById(other, undefined, {}).then((row: unknown) => { if (row === null) throw new Error('none') }))
})

t.test('the least ObjectID from a text on', async t => {
  const zeros = (start: string): string => start.padEnd(24, '0')
  t.equal(leastObjectId(''), zeros(''))
  t.equal(leastObjectId('5'), zeros('5'))
  t.equal(leastObjectId(hex), hex)
  t.equal(leastObjectId(`${hex}!`), other)
  t.equal(leastObjectId('Mug'), zeros('a'))
  t.equal(leastObjectId('1M'), zeros('1a'))
  t.equal(leastObjectId('1g'), zeros('2'))
  t.equal(leastObjectId('9z'), zeros('a'))
  t.equal(leastObjectId('ffg'), undefined)
  t.equal(leastObjectId('tea'), undefined)
  for (const text of ['', '5', 'Mug', '1g', 'afz', '0', 'é', 'f'.repeat(24), 'f'.repeat(25)]) {
    const least = leastObjectId(text)
    t.ok(least === undefined || (isObjectIdText(least) && least >= text), text)
  }
})
