/**
 * Writes as a LoopBack application sees them, found by random applications beside a real one: what is judged, what is
 * shown, what a model has of its base.
 */
import t, { type Test } from 'tap'
import { ModelRegistry, type HookContext } from '@fastback/core'
import { sharedMethodsOf } from '@fastback/core/remote'
import { memoryConnector } from '@fastback/connector-memory'
import { sqlConnector } from '@fastback/connector-sql'

type Loose = any

const stores = {
  memory: { connector: memoryConnector },
  SQLite: { connector: sqlConnector, url: 'sqlite::memory:' }
}

async function start (
  t: Test, store: Loose, definitions: readonly Loose[], settings: Loose = {}
): Promise<Record<string, Loose>> {
  const registry = new ModelRegistry({ settings })
  registry.defineDataSource('db', store)
  registry.defineModels(definitions.map(input => ({ input })))
  for (const { name } of definitions) registry.attach(name, 'db')
  await registry.start()
  t.teardown(() => registry.stop())
  return registry.models as Record<string, Loose>
}

const json = (value: unknown): Loose => JSON.parse(JSON.stringify(value))
const word = { properties: { word: 'string', size: { type: 'number', required: true } } }

for (const [name, store] of Object.entries(stores)) {
  t.test(`${name}: what a persist hook makes of a change is stored, and shown from the next read on`, async t => {
    const { Note } = await start(t, store, [{ name: 'Note', ...word }])
    Note.observe('persist', async (context: HookContext) => { (context.data as Loose).word = 'kept' })
    const made = await Note.create({ word: 'a', size: 1 })
    t.equal(json(await made.updateAttributes({ word: 'b' })).word, 'b')
    t.equal(json(await Note.findById(made.id)).word, 'kept')
  })

  t.test(`${name}: updateOrCreate judges a whole row where validateUpsert is true, and clients choose ids`, async t => {
    const { Whole, Part } = await start(t, store, [
      { name: 'Whole', forceId: false, validateUpsert: true, ...word }, { name: 'Part', forceId: false, ...word }
    ])
    for (const Model of [Whole, Part]) await Model.create({ id: 1, word: 'a', size: 1 })
    await t.rejects(Whole.updateOrCreate({ id: 1, word: 'b' }), { details: { codes: { size: ['presence'] } } } as never)
    t.match(json(await Whole.updateOrCreate({ id: 1, word: 'b', size: 2 })), { word: 'b', size: 2 })
    t.match(json(await Part.updateOrCreate({ id: 1, word: 'b' })), { word: 'b', size: 1 })
  })

  t.test(`${name}: validateUpsert: false is for updateOrCreate alone`, async t => {
    const { Note } = await start(t, store, [{ name: 'Note', forceId: false, validateUpsert: false, ...word }])
    await t.rejects(Note.upsertWithWhere({ word: 'a' }, { word: 'a' }), { statusCode: 422 } as never)
    await t.rejects(Note.replaceOrCreate({ id: 3, word: 'a' }), { statusCode: 422 } as never)
    t.match(json(await Note.updateOrCreate({ id: 3, word: 'a' })), { id: 3, word: 'a' })
  })

  t.test(`${name}: a default scope without a condition hides nothing from a replace`, async t => {
    const { Note } = await start(t, store, [{ name: 'Note', scope: { order: 'word ASC', limit: 1 }, ...word }])
    await t.rejects(Note.replaceById(7, { word: 'a' }), { statusCode: 422 } as never, 'what is wrong is said first')
    await t.rejects(Note.replaceById(7, { word: 'a', size: 1 }), { statusCode: 404 } as never)
  })

  t.test(`${name}: what hooks set beyond a strict model is no fault of updateAll`, async t => {
    const { Note } = await start(t, store, [{ name: 'Note', strict: true, ...word }])
    await Note.create({ word: 'a', size: 1 })
    Note.observe('before save', async (context: HookContext) => { (context.data as Loose).slug = 's' })
    t.same(await Note.updateAll({ word: 'a' }, { size: 2 }), { count: 1 })
    t.strictSame(json(await Note.findOne()), { word: 'a', size: 2, id: 1 })
    await t.rejects(Note.updateAll({ word: 'a' }, { slug: 's' }), { statusCode: 422 } as never, 'of callers it is')
  })

  t.test(`${name}: an embedded row that is taken away leaves null`, async t => {
    const { Owner } = await start(t, store, [
      { name: 'Owner', relations: { part: { type: 'embedsOne', model: 'Part', property: 'held' } } },
      { name: 'Part', properties: { word: 'string' } }
    ])
    const owner = await Owner.create({ held: { word: 'a' } })
    await owner.part.destroy()
    t.equal(json(owner).held, null)
    t.equal(json(await Owner.findById(owner.id)).held, null)
  })
}

t.test('an embedded list is named after the plural that the embedded model has of its base', async t => {
  const { Owner } = await start(t, stores.memory, [
    { name: 'Base', plural: 'stuff', properties: { word: 'string' } },
    { name: 'Kid', base: 'Base' },
    { name: 'Owner', relations: { kids: { type: 'embedsMany', model: 'Kid' } } }
  ])
  t.strictSame(json(await Owner.create({})), { id: 1, stuff: [] })
})

t.test('validations in code are inherited unless the application says otherwise', async t => {
  const properties = { word: 'string', must: { type: 'string', required: true } }
  const models = [{ name: 'Base', properties }, { name: 'Kid', base: 'Base' }]
  const refused = async (Model: Loose): Promise<unknown> =>
    await Model.create({ word: 'long' }).then(() => 'stored', ({ details }: Loose) => Object.keys(details.codes))
  for (const [settings, expected] of [
    [{}, ['must', 'word', 'sized']],
    [{ inheritValidations: false }, ['must', 'sized']]
  ] as const) {
    const { Base, Kid } = await start(t, stores.memory, models, settings)
    Base.validatesLengthOf('word', { max: 2 })
    Base.validatesPresenceOf('sized', { inherited: true })
    t.same(await refused(Base), ['must', 'word', 'sized'])
    t.same(await refused(Kid), expected)
  }
})

t.test('of two methods on one route that of the model itself stands before that of its base', async t => {
  const { Base, Kid } = await start(t, stores.memory, [{ name: 'Base' }, { name: 'Kid', base: 'Base' }])
  const http = { verb: 'get', path: '/say' }
  Base.remoteMethod('sayBase', { http })
  Kid.remoteMethod('sayKid', { http })
  const said = (Model: Loose): string[] =>
    sharedMethodsOf(Model).map(({ name }) => name).filter(name => name.startsWith('say'))
  t.same(said(Kid), ['sayKid', 'sayBase'])
  t.same(said(Base), ['sayBase'])
})

t.test('a declared foreign key has the type of what it points at where the application says so', async t => {
  const definitions = [
    { name: 'City', relations: { homes: { type: 'hasMany', model: 'Home', foreignKey: 'townId' } } },
    { name: 'Tag', properties: { id: { type: 'string', id: true } } },
    {
      name: 'Home',
      properties: {
        cityId: { type: 'string', description: 'where' }, tagId: 'number', townId: 'string', holderId: 'string'
      },
      relations: {
        city: { type: 'belongsTo', model: 'City' },
        tag: { type: 'belongsTo', model: 'Tag' },
        holder: { type: 'belongsTo', polymorphic: true }
      }
    },
    { name: 'Flat', base: 'Home', properties: { cityId: 'string' } }
  ]
  for (const [name, store] of Object.entries(stores)) {
    const { City, Home, Flat } = await start(t, store, definitions, { foreignKeyTypes: 'related' })
    const { id } = await City.create({})
    for (const Model of [Home, Flat]) {
      const home = await Model.create({ cityId: `${id}`, townId: id, tagId: 5, holderId: 'x' })
      t.match(json(home), { cityId: 1, townId: 1, tagId: '5', holderId: 'x' }, name)
      t.equal((await Model.findOne({ where: { cityId: id }, include: 'city' })).city().id, id)
      t.equal(Model.definition.properties.cityId.description, 'where', 'the rest is as declared')
    }
    const { Home: Declared } = await start(t, store, definitions)
    t.match(json(await Declared.create({ cityId: '1', townId: '1' })), { cityId: '1', townId: '1' })
  }
})
