/** The in-process API of connected models, the same on every store. */
import t from 'tap'
import { ModelRegistry, ValidationError, type HookContext, type ModelClass } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'
import { sqlConnector } from '@fastback/connector-sql'

type Loose = any

const stores = {
  memory: { connector: memoryConnector },
  sqlite: { connector: sqlConnector, url: 'sqlite::memory:' }
}

async function start (
  t: Loose,
  store: Loose,
  define: (registry: ModelRegistry) => void
): Promise<Record<string, Loose>> {
  const registry = new ModelRegistry()
  registry.defineDataSource('db', store)
  define(registry)
  for (const Model of Object.values(registry.models)) { if (Model.state.own.base === 'PersistedModel') registry.attach(Model, 'db') }
  await registry.start()
  t.teardown(() => registry.stop())
  return registry.models as Record<string, Loose>
}

const note = {
  name: 'Note',
  properties: {
    title: { type: 'string', required: true },
    stars: 'number',
    done: { type: 'boolean', default: false },
    at: 'date',
    tags: ['string'],
    key: { type: 'string', defaultFn: 'uuidv4' },
    secret: { type: 'string', hidden: true }
  }
}

for (const [name, store] of Object.entries(stores)) {
  t.test(`${name}: names of methods are data like any other (S-34)`, async t => {
    const { Free } = await start(t, store, registry => {
      registry.defineModel({ name: 'Free', properties: { title: 'string' } })
    })
    const data = {
      title: 'x',
      constructor: 1e21,
      toJSON: 'a',
      toObject: 'b',
      isValid: 'c',
      isNewRecord: 'd',
      patchAttributes: 'e',
      then: 'f',
      hasOwnProperty: 'g',
      getId: 'h'
    }
    const { id } = await Free.create(data)
    t.same(Object.entries(await Free.findById(id)).sort(), Object.entries({ ...data, id }).sort())
    await Free.updateOrCreate({ id, title: 'y' })
    await Free.upsertWithWhere({ id }, { title: 'z' })
    t.same(Object.entries((await Free.find())[0]).sort(), Object.entries({ ...data, id, title: 'z' }).sort())
    t.equal(JSON.parse(JSON.stringify({ rows: await Free.find() })).rows[0].constructor, 1e21)
    await Free.replaceById(id, { ...data, title: 'w' })
    t.equal(await Free.destroyById(id).then((info: { count: number }) => info.count), 1)
  })

  t.test(`${name}: an id of null is none`, async t => {
    const { Note, Tag } = await start(t, store, registry => {
      registry.defineModel(note)
      registry.defineModel({
        name: 'Tag',
        properties: { slug: { type: 'string', id: true, defaultFn: 'uuid' }, title: 'string' }
      })
    })
    for (const method of ['create', 'updateOrCreate', 'replaceOrCreate']) {
      const made = await Tag[method]({ slug: null, title: method })
      t.match(made.slug, /^[0-9a-f-]{36}$/, `${method}: the default of the id`)
      t.same((await Tag.findById(made.slug)).toJSON(), { slug: made.slug, title: method })
      const numbered = await Note[method]({ id: null, title: method })
      t.same(Object.keys((await Note.findById(numbered.id)).toJSON()).filter(key => key === 'id').length, 1)
      t.equal(
        (await Note.findById(numbered.id)).id,
        numbered.id,
        `${method}: the row has the id that the store gave it`
      )
    }
  })

  t.test(`${name}: create, read, change, remove`, async t => {
    const { Note } = await start(t, store, registry => {
      registry.defineModel(note)
    })
    const made = await Note.create({ title: 'a', stars: '4', at: '2020-02-29T12:00:00Z', tags: ['x'], secret: 's' })
    t.equal(made.id, 1)
    t.equal(made.stars, 4, 'text becomes the number of the property')
    t.ok(made.at instanceof Date)
    t.equal(made.done, false)
    t.match(made.key, /^[0-9a-f-]{36}$/)
    t.ok(made instanceof Note)
    t.notOk('secret' in JSON.parse(JSON.stringify(made)), 'hidden properties stay out of JSON')
    t.equal(made.secret, 's', 'code may read them')
    const many = await Note.create([{ title: 'b' }, { title: 'c', stars: 2 }])
    t.same(
      many.map((each: Loose) => each.id),
      [2, 3]
    )
    t.equal(await Note.count(), 3)
    t.equal(await Note.count({ stars: { gt: 1 } }), 2)
    t.same(
      (await Note.find({ where: { stars: { gte: 2 } }, order: 'stars DESC' })).map((each: Loose) => each.title),
      ['a', 'c']
    )
    t.equal((await Note.findOne({ where: { title: 'b' } })).id, 2)
    t.equal(await Note.findOne({ where: { title: 'none' } }), null)
    t.equal(await Note.findById(99), null)
    t.same(
      (await Note.findByIds([3, 1])).map((each: Loose) => each.id),
      [3, 1]
    )
    t.equal(await Note.exists(3), true)
    t.equal(await Note.exists(33), false)
    const second = await Note.findById(2)
    await second.updateAttributes({ stars: 9 })
    t.equal(second.stars, 9)
    t.equal((await Note.findById(2)).stars, 9)
    second.title = 'bb'
    await second.save()
    t.equal((await Note.findById(2)).title, 'bb')
    await second.replaceAttributes({ title: 'only' })
    t.equal((await Note.findById(2)).stars, undefined, 'what is not given is gone')
    t.same(await Note.updateAll({ stars: { gt: 0 } }, { done: true }), { count: 2 })
    t.equal(await Note.count({ done: true }), 2)
    t.same(await Note.destroyById(1), { count: 1 })
    t.same(await Note.destroyAll({ done: true }), { count: 1 })
    t.equal(await Note.count(), 1)
    t.equal((await Note.create({ title: 'later' })).id, 4, 'ids are not used twice')
  })

  t.test(`${name}: a registry can be started again`, async t => {
    const { Note } = await start(t, store, registry => {
      registry.defineModel(note)
    })
    t.same(
      ['title', 'stars', 'done', 'at', 'tags', 'nothing'].map(property => Note.getPropertyType(property)),
      ['String', 'Number', 'Boolean', 'Date', 'Array', null]
    )
    await Note.create({ title: 'a' })
    await Note.registry.stop()
    t.throws(() => Note.registry.defineModel({ name: 'Late' }), { code: 'FBK_CORE_REGISTRY_CLOSED' })
    await Note.registry.start()
    await Note.create({ title: 'b' })
    t.equal(await Note.count({ title: 'b' }), 1, 'its tables are there, also in a database that is new then')
    Note.registry.defineModel({ name: 'Late' })
  })

  t.test(`${name}: instances show their properties and nothing else`, async t => {
    // Strict definitions refuse the setting where it says something: there is nothing to hide.
    for (const hideInternalProperties of [undefined, false]) {
      const { Note, Pad } = await start(t, store, registry => {
        registry.defineModel({
          ...note,
          hideInternalProperties,
          relations: { pad: { type: 'belongsTo', model: 'Pad' } }
        })
        registry.defineModel({ name: 'Pad', properties: { name: 'string' } })
      })
      const pad = await Pad.create({ name: 'p' })
      const made = await Note.create({ title: 'a', padId: pad.id })
      await made.pad.get()
      for (const each of [made, await Note.findById(made.id), await Note.findOne({ include: 'pad' })]) {
        const names = []
        for (const key in each) names.push(key)
        t.same(names.sort(), ['done', 'id', 'key', 'padId', 'title'])
      }
    }
  })

  t.test(`${name}: upserts`, async t => {
    const { Note, Free } = await start(t, store, registry => {
      registry.defineModel(note)
      registry.defineModel({
        name: 'Free',
        forceId: false,
        properties: { word: 'string', size: { type: 'number', default: 1 } }
      })
    })
    const first = await Note.upsert({ title: 'a', stars: 1 })
    t.equal(first.id, 1)
    t.equal((await Note.upsert({ id: 1, stars: 5 })).title, 'a')
    await t.rejects(Note.upsert({ id: 7, title: 'x' }), { statusCode: 404 } as Loose)
    t.equal((await Note.replaceOrCreate({ id: 1, title: 'whole' })).stars, undefined)
    await t.rejects(Note.replaceById(9, { title: 'x' }), { statusCode: 404 } as Loose)
    await t.rejects(Note.replaceById(1, { id: 2, title: 'x' }), { statusCode: 400 } as Loose)
    await t.rejects(Note.create({ id: 5, title: 'own id' }), { statusCode: 422 } as Loose)
    const [found, created] = await Note.findOrCreate({ where: { title: 'whole' } }, { title: 'whole' })
    t.same([found.id, created], [1, false])
    const [fresh, isNew] = await Note.findOrCreate({ where: { title: 'new' } }, { title: 'new' })
    t.same([fresh.title, isNew], ['new', true])
    t.equal((await Note.upsertWithWhere({ title: 'new' }, { title: 'new', stars: 3 })).id, fresh.id)
    await t.rejects(Note.upsertWithWhere({ title: 'new' }, { stars: 3 }), {
      statusCode: 422, details: { codes: { title: ['presence'] } }
    } as Loose, 'what is given is judged as a whole row (behaviour.md, section 1)')
    await t.rejects(Note.upsertWithWhere({}, { stars: 3 }), { statusCode: 400 } as Loose)
    t.same((await Free.upsert({ id: 40, word: 'w' })).toJSON(), { id: 40, word: 'w', size: 1 })
    t.same((await Free.upsert({ id: 40, size: 2 })).toJSON(), { id: 40, word: 'w', size: 2 })
    t.same((await Free.replaceOrCreate({ id: 40 })).toJSON(), { id: 40, size: 1 })
    await t.rejects(Free.create({ id: 40 }), { statusCode: 409 } as Loose)
    t.equal((await Free.create({ word: 'next' })).id, 41, 'given ids move the counter')
  })

  t.test(`${name}: validation says everything at once and stores nothing`, async t => {
    const { Note } = await start(t, store, registry => {
      const Note = registry.defineModel(note) as Loose
      Note.validatesLengthOf('title', { min: 2 })
      Note.validatesUniquenessOf('title')
      Note.validatesNumericalityOf('stars', { int: true, allowNull: true, allowBlank: true })
    })
    await Note.create({ title: 'one' })
    const error = await Note.create({ title: 'x', stars: 1.5 }).catch((error: unknown) => error)
    t.ok(error instanceof ValidationError)
    t.same(error.violations.map((each: Loose) => each.path).sort(), ['.stars', '.title'])
    await t.rejects(Note.create({}), {
      statusCode: 422,
      details: { codes: { title: ['presence', 'length.blank'] } }
    } as Loose)
    await t.rejects(Note.create({ title: 'one' }), {
      statusCode: 422,
      details: { codes: { title: ['uniqueness'] } }
    } as Loose)
    const batch = await Note.create([{ title: 'fine' }, { title: 'y' }]).catch((error: unknown) => error)
    t.same(
      batch.violations.map((each: Loose) => each.path),
      ['[1].title']
    )
    t.equal(await Note.count(), 1, 'a batch is stored whole or not at all')
    const results = await Promise.allSettled(Array.from({ length: 16 }, () => Note.create({ title: 'race' })))
    t.equal(results.filter(each => each.status === 'fulfilled').length, 1, 'uniqueness holds under concurrency')
  })

  t.test(`${name}: callbacks`, async t => {
    const { Note } = await start(t, store, registry => {
      registry.defineModel(note)
    })
    await new Promise<void>(resolve => {
      const returned = Note.create({ title: 'a' }, (error: unknown, made: Loose) => {
        t.equal(error, null)
        t.equal(made.id, 1)
        resolve()
      })
      t.equal(returned, undefined, 'with a callback nothing is returned')
    })
    await new Promise<void>(resolve =>
      Note.findOrCreate({ where: { title: 'a' } }, { title: 'a' }, (_: unknown, found: Loose, created: boolean) => {
        t.same([found.id, created], [1, false])
        resolve()
      })
    )
    await new Promise<void>(resolve =>
      Note.create({}, (error: Loose) => {
        t.equal(error.statusCode, 422)
        resolve()
      })
    )
  })

  t.test(`${name}: operation hooks`, async t => {
    const log: unknown[] = []
    const { Note } = await start(t, store, registry => {
      const Base = registry.defineModel({ name: 'Base', abstract: true }) as Loose
      const Note = registry.defineModel({ ...note, base: 'Base' }) as unknown as ModelClass
      Base.observe('before save', async () => {
        log.push('base')
      })
      for (const hook of [
        'access',
        'before save',
        'persist',
        'loaded',
        'after save',
        'before delete',
        'after delete'
      ]) {
        Note.observe(hook, (context: HookContext, next?: () => void) => {
          log.push(
            [
              hook,
              ...['query', 'where', 'data', 'instance', 'currentInstance', 'info'].filter(
                key => context[key] !== undefined
              ),
              ...(context.isNewInstance === undefined ? [] : [`new:${String(context.isNewInstance)}`])
            ].join(' ')
          )
          next?.()
        })
      }
      registry.attach(Note, 'db')
    })
    const traced = async (run: () => Promise<unknown>): Promise<unknown[]> => {
      log.length = 0
      await run()
      return [...log]
    }
    t.same(await traced(() => Note.create({ title: 'a' })), [
      'base',
      'before save instance new:true',
      'persist data currentInstance new:true',
      'loaded data new:true',
      'after save instance new:true'
    ])
    t.same(await traced(() => Note.find()), ['access query', 'loaded data new:false'])
    t.same(await traced(() => Note.count()), ['access query'])
    const first = await Note.findById(1)
    t.same(await traced(() => first.updateAttributes({ stars: 1 })), [
      'base',
      'before save where data currentInstance',
      'persist where data currentInstance new:false',
      'loaded data new:false',
      'after save instance new:false'
    ])
    t.same(await traced(() => Note.updateAll({}, { stars: 2 })), [
      'access query',
      'base',
      'before save where data',
      'persist where data',
      'after save where data info'
    ])
    t.same(await traced(() => Note.destroyById(1)), ['access query', 'before delete where', 'after delete where info'])
  })

  t.test(`${name}: hooks change what is read and stored, and can refuse`, async t => {
    const { Note } = await start(t, store, registry => {
      const Note = registry.defineModel(note) as unknown as ModelClass
      Note.observe('before save', (context: HookContext) => {
        const target = (context.instance ?? context.data) as Loose
        if (target.title === 'no') throw Object.assign(new Error('refused'), { statusCode: 403 })
        if (typeof target.title === 'string') target.title = target.title.trim()
        context.hookState.seen = true
      })
      Note.observe('after save', (context: HookContext) => {
        t.equal(context.hookState.seen, true)
      })
      Note.observe('access', async (context: HookContext) => {
        const query = context.query as Loose
        query.where = { ...query.where, stars: { neq: 13 } }
      })
      Note.observe('loaded', (context: HookContext) => {
        ;(context.data as Loose).shouted = String(context.data?.title).toUpperCase()
      })
    })
    t.equal((await Note.create({ title: ' a ', stars: 13 })).title, 'a')
    await Note.create({ title: 'b' })
    await t.rejects(Note.create({ title: 'no' }), { statusCode: 403 } as Loose)
    t.same(
      (await Note.find()).map((each: Loose) => each.shouted),
      ['B']
    )
    t.equal(await Note.count(), 1)
    t.equal(await Note.findById(1), null)
  })

  t.test(`${name}: scopes, strict models, given ids`, async t => {
    const { Open, Closed, Filtered, Keyed } = await start(t, store, registry => {
      registry.defineModel({
        name: 'Open',
        scope: { where: { gone: { neq: true } }, order: 'rank ASC' },
        properties: { rank: 'number', gone: 'boolean' }
      })
      registry.defineModel({ name: 'Closed', strict: true, properties: { rank: 'number' } })
      registry.defineModel({ name: 'Filtered', strict: 'filter', properties: { rank: 'number' } })
      registry.defineModel({
        name: 'Keyed',
        idInjection: false,
        properties: { key: { type: 'string', id: true }, value: 'any' }
      })
    })
    await Open.create([{ rank: 3, more: { deep: [1] } }, { rank: 1 }, { rank: 2, gone: true }])
    t.same(
      (await Open.find()).map((each: Loose) => each.toJSON()),
      [
        { rank: 1, id: 2 },
        { rank: 3, id: 1, more: { deep: [1] } }
      ]
    )
    t.equal(await Open.findById(3), null)
    await t.rejects(Closed.create({ rank: 1, colour: 'red' }), { statusCode: 422 } as Loose)
    t.same((await Filtered.create({ rank: 1, colour: 'red' })).toJSON(), { rank: 1, id: 1 })
    await Keyed.create({ key: 'b', value: [1] })
    await Keyed.create({ key: 'a', value: { x: null } })
    t.same(
      (await Keyed.find()).map((each: Loose) => each.toJSON()),
      [
        { key: 'a', value: { x: null } },
        { key: 'b', value: [1] }
      ]
    )
  })
}

t.test('a data source tells when it is open', async t => {
  const heard: string[] = []
  const registry = new ModelRegistry()
  const db = registry.defineDataSource('db', stores.memory)
  const hear = (word: string) => () => { heard.push(word) }
  db.on('connected', hear('on')).once('connected', hear('once')).on('disconnected', hear('gone'))
  t.equal(db.connected, false)
  await registry.start()
  t.equal(db.connected, true)
  await registry.connect()
  t.strictSame(heard.splice(0), ['on', 'once'])
  const taken = hear('taken back')
  db.on('connected', hear('late')).once('connected', hear('late once')).addListener('connected', taken)
  db.removeListener('connected', taken)
  t.strictSame(heard, [], 'in a later turn')
  await new Promise(resolve => { setImmediate(resolve) })
  t.strictSame(heard.splice(0), ['late', 'late once'], 'those that come later are told, too')
  await registry.stop()
  t.equal(db.connected, false)
  await registry.start()
  t.strictSame(heard.splice(0), ['gone', 'on', 'late'])
  await registry.stop()
})

t.test('a call says for itself what models have settings for', async t => {
  const registry = new ModelRegistry()
  registry.defineDataSource('db', { connector: memoryConnector })
  const Note: Loose = registry.defineModel({
    name: 'Note', properties: { stars: 'number', secret: 'string' }, hidden: ['secret'], maxDepthOfQuery: 3
  })
  registry.attach(Note, 'db')
  await Note.create([{ stars: 1, secret: 'x' }, { stars: 3 }])
  const deep = { where: { and: [{ or: [{ and: [{ stars: 3 }] }] }] } }
  await t.rejects(Note.find(deep), { code: 'QUERY_OBJECT_TOO_DEEP' })
  t.equal((await Note.find(deep, { maxDepthOfQuery: 12 })).length, 1)
  t.equal((await Note.find(deep, { disableSanitize: true })).length, 1)
  const mongo = { where: { stars: { $gt: 2 } } }
  await t.rejects(Note.find(mongo), { code: 'OPERATOR_NOT_ALLOWED_IN_QUERY' })
  for (const options of [{ allowExtendedOperators: true }, { disableSanitize: true }]) {
    t.equal((await Note.find(mongo, options)).length, 1)
    t.equal(await Note.count(mongo.where, options), 1)
  }
  Note.observe('access', async () => {})
  t.equal((await Note.find(mongo, { allowExtendedOperators: true })).length, 1, 'read again after the hook')
  const hidden = { where: { secret: 'x' } }
  t.equal((await Note.find(hidden)).length, 1)
  await t.rejects(Note.find(hidden, { prohibitHiddenPropertiesInQuery: true }), { code: 'HIDDEN_PROPERTY_IN_QUERY' })
  await registry.stop()
})
