/** Defaults of rows that are older than the property, and what of defaults is not stored. */
import t from 'tap'
import { ModelRegistry } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'

type Loose = any

/** A model whose one row was stored before it had all of its properties. */
async function grown (settings: object = {}): Promise<Loose> {
  const registry = new ModelRegistry()
  const db = registry.defineDataSource('db', { connector: memoryConnector })
  await (db.createModel('Note', { title: 'string' }) as Loose).create({ title: 'old' })
  return db.createModel('Note', {
    title: 'string',
    state: { type: 'string', default: 'new' },
    at: { type: 'date', defaultFn: 'now' },
    mark: { type: 'string', default: 'none', applyDefaultOnWrites: false },
    lang: { type: 'string', default: 'en', persistDefaultValues: false }
  }, settings as Record<string, unknown>)
}

const json = (value: unknown): Loose => JSON.parse(JSON.stringify(value))

t.test('rows that lack a value are read with its default', async t => {
  const Note = await grown()
  const at = /^\d{4}-.*Z$/
  const whole = { title: 'old', state: 'new', at, lang: 'en', id: 1 }
  t.match(json(await Note.find()), [whole])
  t.match(json(await Note.findById(1)), whole)
  t.match(json(await Note.findOrCreate({ where: { title: 'old' } }, {})), [whole, false])
  t.notOk('mark' in json(await Note.findById(1)), 'a default for documentation alone is none')
  t.strictSame(json(await Note.findOne({ fields: ['title', 'state'] })), { title: 'old', state: 'new' })
  t.equal(await Note.count({ state: 'new' }), 0, 'conditions see what is stored')
  t.match(json(await (await Note.findById(1)).updateAttributes({ title: 'older' })), { ...whole, title: 'older' })
})

t.test('applyDefaultsOnReads: false', async t => {
  const Note = await grown({ applyDefaultsOnReads: false })
  t.strictSame(json(await Note.find()), [{ title: 'old', id: 1 }])
  t.match(json(await Note.create({ title: 'a', mark: 'none' })), { state: 'new', mark: 'none', lang: 'en' })
  const found = json(await Note.findById(2))
  t.match(found, { title: 'a', state: 'new' })
  t.notOk('mark' in found, 'new rows are stored without applyDefaultOnWrites: false')
  t.notOk('lang' in found)
})

t.test('members of objects begin with their defaults, in answers and in the store', async t => {
  const registry = new ModelRegistry()
  const db = registry.defineDataSource('db', { connector: memoryConnector })
  const address = {
    street: 'string',
    city: { type: 'string', default: 'Oslo' },
    flat: { type: { door: { type: 'number', default: 1 }, bell: 'string' } }
  }
  const properties = { address: { type: address }, phones: [{ number: 'string', kind: { type: 'string', default: 'home' } }] }
  const Person: Loose = db.createModel('Person', properties)
  t.strictSame(json(await Person.create({ address: { street: 'x' } })), { address: { street: 'x', city: 'Oslo' }, id: 1 })
  t.strictSame(json(await Person.create({ address: { flat: {} } })), { address: { city: 'Oslo', flat: { door: 1 } }, id: 2 })
  t.strictSame(json(await Person.create({ phones: [{ number: '1' }, {}, { kind: null }] })).phones,
    [{ number: '1', kind: 'home' }, { kind: 'home' }, { kind: null }])
  t.strictSame(json(await Person.create({})), { id: 4 }, 'an object that is not there is not made')
  t.strictSame(json(await Person.create({ address: null })), { address: null, id: 5 })
  t.equal(await Person.count({ 'address.city': 'Oslo' }), 2, 'they are stored')
  t.match(json(await (await Person.findById(1)).updateAttributes({ address: { street: 'y' } })), { address: { street: 'y', city: 'Oslo' } })
  t.match(json(await Person.replaceById(2, { address: {} })), { address: { city: 'Oslo' } })
  t.match(json(new Person({ address: {} })), { address: { city: 'Oslo' } })

  await (db.createModel('Old', { address: 'object', phones: 'array' }) as Loose).create({ address: { flat: {} }, phones: [{}] })
  const Old: Loose = db.createModel('Old', properties, { applyDefaultsOnReads: false })
  const read = { address: { city: 'Oslo', flat: { door: 1 } }, phones: [{ kind: 'home' }], id: 1 }
  t.strictSame(json(await Old.find()), [read], 'what is stored without them is read with them, whatever the setting')
  t.strictSame(json(await Old.findById(1)), read)
  t.equal(await Old.count({ 'address.city': 'Oslo' }), 0, 'conditions see what is stored')
})

t.test('a default of a member that is not of its type is refused at the start', t => {
  const registry = new ModelRegistry()
  t.throws(() => registry.defineModel({ name: 'N', properties: { a: { type: { n: { type: 'number', default: 'x' } } } } }),
    { code: 'FBK_CORE_INVALID_DEFINITION', message: /a\.n/ })
  t.end()
})
