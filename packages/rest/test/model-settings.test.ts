/**
 * Settings of models and properties (behaviour.md, section 9): the same on every store, in the process and over HTTP.
 */
import t, { type Test } from 'tap'
import Fastify from 'fastify'
import { Type } from '@sinclair/typebox'
import { core, ModelRegistry, type ModelDefinitionInput } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'
import { sqlConnector } from '@fastback/connector-sql'
import { rest } from '@fastback/rest'

type Loose = any

const stores = {
  memory: { connector: memoryConnector },
  sqlite: { connector: sqlConnector, url: 'sqlite::memory:' }
}

async function start (
  t: Test,
  dataSource: Loose,
  definitions: ModelDefinitionInput[],
  prepare: (models: Loose) => void = () => {}
) {
  const registry = new ModelRegistry()
  registry.defineDataSource('db', dataSource)
  registry.defineModels(definitions.map(input => ({ input })))
  for (const { name, base } of definitions) registry.attach(name, base === 'Model' ? null : 'db', { public: true })
  prepare(registry.models)
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(core, { registry })
  await registry.start()
  await app.register(rest, { prefix: '/api', remoting: { errorHandler: { log: false } } })
  const send = async (
    method: 'GET' | 'POST' | 'PUT' | 'PATCH',
    url: string,
    payload?: object
  ): Promise<{ status: number; body: Loose }> => {
    const response = await app.inject({ method, url: `/api${url}`, ...(payload === undefined ? {} : { payload }) })
    return { status: response.statusCode, body: response.body === '' ? undefined : response.json() }
  }
  return { models: registry.models as Loose, send }
}

const refusal = (property: string, code: string): never =>
  ({ statusCode: 422, details: { codes: { [property]: [code] } } }) as never

for (const [store, dataSource] of Object.entries(stores)) {
  t.test(`${store}: what properties say of their values is refused in the process as over HTTP`, async t => {
    const {
      models: { Gauge, Typed },
      send
    } = await start(t, dataSource, [
      {
        name: 'Gauge',
        properties: {
          label: { type: 'string', maxLength: 5 },
          code: { type: 'string', pattern: '^[A-Z]+$' },
          grade: { type: 'string', enum: ['low', 'high'] },
          level: { type: 'number', minimum: 0, maximum: 10 },
          tags: { type: ['string'], maxLength: 3, maxItems: 2 },
          day: { type: 'string', jsonSchema: { format: 'date' } },
          precise: { type: 'number', mysql: { dataType: 'decimal(2,2)' } }
        }
      },
      {
        name: 'Typed',
        properties: Type.Object({
          title: Type.String({ minLength: 2 }),
          size: Type.Optional(Type.Integer({ multipleOf: 3 }))
        })
      }
    ])
    const faults: Array<[data: object, path: string, code: string]> = [
      [{ label: 'longer' }, '.label', 'maxLength'],
      [{ code: 'a' }, '.code', 'pattern'],
      [{ grade: 'middle' }, '.grade', 'enum'],
      [{ level: -1 }, '.level', 'minimum'],
      [{ level: 11 }, '.level', 'maximum'],
      [{ tags: ['abcd'] }, '.tags[0]', 'maxLength'],
      [{ tags: ['a', 'b', 'c'] }, '.tags', 'maxItems'],
      [{ day: '2020-02-30' }, '.day', 'format']
    ]
    const stored = await Gauge.create({ label: 'ok' })
    for (const [data, path, code] of faults) {
      const property = path.slice(1)
      for (const [method, url] of [
        ['POST', '/Gauges'],
        ['PATCH', '/Gauges/1'],
        ['PUT', '/Gauges/1'],
        ['POST', '/Gauges/update?where={}']
      ] as const) {
        const { status, body } = await send(method, url, data)
        t.match(
          { status, details: body.error.details },
          { status: 422, details: [{ path, code }] },
          `${method} ${url} ${JSON.stringify(data)}`
        )
      }
      await t.rejects(Gauge.create(data), refusal(property, code))
      await t.rejects(Gauge.create([{ label: 'x' }, data]), {
        statusCode: 422,
        violations: [{ path: `[1]${path}`, code }]
      } as never)
      await t.rejects(stored.updateAttributes(data), refusal(property, code))
      await t.rejects(Gauge.replaceById(1, data), refusal(property, code))
      await t.rejects(Gauge.updateAll({}, data), refusal(property, code))
      t.notOk(new Gauge(data).isValid())
    }
    t.equal(await Gauge.count(), 1, 'nothing was stored')
    const good = {
      label: '12345',
      code: 'AB',
      grade: 'high',
      level: 10,
      tags: ['abc'],
      day: '2020-02-29',
      precise: 12345
    }
    t.equal((await send('POST', '/Gauges', good)).status, 200)
    t.equal(
      (await send('POST', '/Gauges', Object.fromEntries(Object.keys(good).map(key => [key, null])))).status,
      200,
      'null says that there is no value'
    )
    await t.rejects(
      Gauge.create({ label: 'longer', code: 'a' }),
      { violations: [{ path: '.label' }, { path: '.code' }] } as never,
      'all at once'
    )
    await t.rejects(Typed.create({ title: 'x', size: 4 }), {
      violations: [
        { path: '.title', code: 'minLength' },
        { path: '.size', code: 'multipleOf' }
      ]
    } as never)
    t.equal((await Typed.create({ title: 'xx', size: 3 })).size, 3)
  })

  t.test(`${store}: persistUndefinedAsNull`, async t => {
    const {
      models: { Plain, Nulls },
      send
    } = await start(t, dataSource, [
      { name: 'Plain', properties: { a: 'string', b: { type: 'number', default: 1 } } },
      {
        name: 'Nulls',
        persistUndefinedAsNull: true,
        properties: { a: 'string', b: { type: 'number', default: 1 }, c: 'date' }
      }
    ])
    t.strictSame((await Plain.create({})).toJSON(), { b: 1, id: 1 })
    t.strictSame((await send('POST', '/Nulls', { b: 2 })).body, { a: null, b: 2, c: null, id: 1 })
    t.strictSame((await send('PUT', '/Nulls/1', { a: 'x' })).body, { a: 'x', b: 1, c: null, id: 1 })
    const row = await Nulls.findById(1)
    await row.updateAttributes({ a: undefined })
    t.equal(row.a, null)
    await Nulls.updateAll({}, { b: undefined })
    t.strictSame((await Nulls.findById(1)).toJSON(), { a: null, b: null, c: null, id: 1 })
    t.equal(await Nulls.count({ a: null }), 1)
    t.strictSame(
      (await send('PATCH', '/Nulls/1', { b: 5 })).body,
      { a: null, b: 5, c: null, id: 1 },
      'what is not sent stays'
    )
  })

  t.test(`${store}: updateOnLoad`, async t => {
    const shout = (Model: Loose): void => {
      Model.observe('loaded', async (context: Loose) => {
        context.data.name = `${context.data.name}!`
      })
    }
    const {
      models: { Quiet, Loud },
      send
    } = await start(
      t,
      dataSource,
      [
        { name: 'Quiet', properties: { name: 'string' } },
        { name: 'Loud', updateOnLoad: true, properties: { name: 'string' } }
      ],
      ({ Quiet, Loud }) => {
        shout(Quiet)
        shout(Loud)
      }
    )
    t.equal((await send('POST', '/Quiets', { name: 'a' })).body.name, 'a', 'the answer to create shows what was sent')
    t.equal((await send('POST', '/Louds', { name: 'a' })).body.name, 'a!')
    t.equal((await Loud.create({ name: 'b' })).name, 'b!')
    t.strictSame((await Loud.find({}, { notify: false })).map((row: Loose) => row.name), ['a', 'b'], 'it is not stored')
    t.equal((await send('PATCH', '/Quiets/1', { name: 'a' })).body.name, 'a', 'nor does the answer to a patch')
    t.equal((await send('PATCH', '/Quiets', { id: 1, name: 'a' })).body.name, 'a')
    t.equal((await send('PATCH', '/Louds/1', { name: 'a' })).body.name, 'a!')
    t.equal((await Quiet.findById(1)).name, 'a!')
  })

  t.test(`${store}: validateUpsert, validateUpdate, automaticValidation`, async t => {
    const size = (Model: Loose): void => { Model.validatesNumericalityOf('size') }
    const names = ['Checked', 'FreeUpsert', 'FreeUpdate', 'Unchecked']
    const settings: Loose = {
      FreeUpsert: { validateUpsert: false },
      FreeUpdate: { validateUpdate: false },
      Unchecked: { automaticValidation: false }
    }
    const { models } = await start(
      t,
      dataSource,
      names.map(name => ({ name, forceId: false, properties: { title: 'string', size: 'any' }, ...settings[name] })),
      models => {
        for (const name of names) size(models[name])
      }
    )
    const outcomes = async (Model: Loose): Promise<string> => {
      const attempts: Array<() => Promise<unknown>> = [
        () => Model.create({ id: 9, size: 'x' }),
        () => Model.updateOrCreate({ id: 1, size: 'x' }),
        () => Model.replaceOrCreate({ id: 2, size: 'x' }),
        () => Model.upsertWithWhere({ title: 'none' }, { title: 'y', size: 'x' }),
        async () => await (await Model.findById(5)).updateAttributes({ size: 'x' }),
        () => Model.replaceById(5, { size: 'x' })
      ]
      await Model.create({ id: 5, size: 1 })
      const found: string[] = []
      for (const attempt of attempts) {
        found.push(
          await attempt().then(
            () => 'stored',
            (error: Loose) => String(error.statusCode)
          )
        )
      }
      return found.join(' ')
    }
    t.equal(await outcomes(models.Checked), '422 422 422 422 422 422')
    // LoopBack asks the setting in updateOrCreate alone.
    t.equal(await outcomes(models.FreeUpsert), '422 stored 422 422 422 422')
    t.equal(await outcomes(models.FreeUpdate), '422 422 422 422 stored 422')
    t.equal(await outcomes(models.Unchecked), 'stored stored stored stored stored stored')
    await t.rejects(
      models.FreeUpsert.updateOrCreate({ id: 1, size: 'x' }, { validate: true }),
      { statusCode: 422 } as never,
      'the caller may want them'
    )
  })

  t.test(`${store}: strictEmbeddedModels`, async t => {
    const properties = { dims: { w: 'number', box: { depth: 'number' } }, parts: [{ name: 'string' }], free: 'object' }
    const {
      models: { Closed, Open },
      send
    } = await start(t, dataSource, [
      { name: 'Open', properties },
      { name: 'Closed', strictEmbeddedModels: true, properties }
    ])
    const extra = { dims: { w: 1, h: 2 }, parts: [{ name: 'x', size: 1 }], free: { any: 1 } }
    t.match((await Open.create(extra)).toJSON(), extra)
    await t.rejects(Closed.create(extra), {
      statusCode: 422,
      violations: [
        { path: '.dims', code: 'additionalProperties' },
        { path: '.parts[0]', code: 'additionalProperties' }
      ]
    } as never)
    await t.rejects(Closed.create({ dims: { box: { height: 1 } } }), {
      violations: [{ path: '.dims.box' }]
    } as never)
    t.match(await send('POST', '/Closeds', extra), { status: 422 })
    t.equal(
      (await send('POST', '/Closeds', { dims: { w: 1, box: { depth: 2 } }, parts: [{ name: 'x' }], free: { any: 1 } }))
        .status,
      200
    )
  })

  t.test(`${store}: persistDefaultValues, applyDefaultOnWrites, updateOnly`, async t => {
    const {
      models: { Task },
      send
    } = await start(t, dataSource, [
      {
        name: 'Task',
        properties: {
          title: 'string',
          state: { type: 'string', default: 'new', persistDefaultValues: false },
          tags: { type: ['string'], default: ['x'], persistDefaultValues: false },
          done: { type: 'boolean', default: false },
          later: { type: 'string', default: 'd', applyDefaultOnWrites: false },
          closedBy: { type: 'string', updateOnly: true }
        }
      }
    ])
    t.strictSame((await send('POST', '/Tasks', { title: 'a' })).body, {
      title: 'a',
      state: 'new',
      tags: ['x'],
      done: false,
      id: 1
    })
    await Task.create([{ title: 'b', state: 'new' }, { title: 'c', state: 'open', tags: [] }])
    const { connector } = Task.dataSource
    const stored = async () =>
      (
        await connector.find(
          Task.compiled,
          { where: undefined, order: [], limit: undefined, skip: 0, select: Task.compiled.selectAll, include: [] },
          {}
        )
      ).map(({ state, tags, done }: Loose) => [state, tags, done])
    t.strictSame(await stored(), [[undefined, undefined, false], [undefined, undefined, false], ['open', [], false]])
    t.strictSame((await send('GET', '/Tasks')).body.map((row: Loose) => row.state), ['new', 'new', 'open'])
    t.strictSame((await send('GET', '/Tasks/1')).body, { title: 'a', state: 'new', tags: ['x'], done: false, id: 1 })
    t.strictSame((await send('GET', '/Tasks?filter[fields]=title')).body, [
      { title: 'a' },
      { title: 'b' },
      { title: 'c' }
    ])
    t.equal((await send('PATCH', '/Tasks/3', { state: 'new' })).body.state, 'new')
    t.equal((await Task.findOne({ where: { title: 'c' } })).state, 'new')
    t.strictSame((await stored())[2], [undefined, [], false], 'a value that became the default is taken away')
    await Task.updateAll({ title: 'a' }, { state: 'open' })
    t.equal((await Task.findById(1)).state, 'open')
    t.notOk('closedBy' in Task.compiled.schemas.create.properties, 'new rows are not documented to have it')
    t.ok('closedBy' in Task.compiled.schemas.patch.properties)
  })

  t.test(`${store}: excludeBaseProperties, null for what is inherited`, async t => {
    const { models: { Small }, send } = await start(t, dataSource, [
      { name: 'Big', properties: { a: 'string', b: { type: 'string', required: true }, c: 'string' } },
      { name: 'Small', base: 'Big', strict: true, excludeBaseProperties: ['b'], properties: { c: null, d: 'string' } }
    ])
    t.strictSame(Object.keys(Small.definition.properties).sort(), ['a', 'd', 'id'])
    t.strictSame((await send('POST', '/Smalls', { a: '1', d: '2' })).body, { a: '1', d: '2', id: 1 })
    t.match(await send('POST', '/Smalls', { c: '1' }), { status: 422 })
  })

  t.test(`${store}: strictDelete, maxLimit, prohibitProtectedPropertiesInQuery, normalizeUndefinedInQuery`, async t => {
    const {
      models: { Row },
      send
    } = await start(t, dataSource, [
      {
        name: 'Row',
        strictDelete: true,
        maxLimit: 2,
        prohibitProtectedPropertiesInQuery: true,
        normalizeUndefinedInQuery: 'nullify',
        protected: ['phone'],
        properties: { name: 'string', phone: 'string' }
      },
      { name: 'Usual', protected: ['phone'], properties: { name: 'string', phone: 'string' } }
    ])
    await Row.create([{ name: 'a', phone: '1' }, { name: 'b' }, { phone: '3' }])
    await t.rejects(Row.destroyById(99), { statusCode: 404 } as never)
    t.match(await send('GET', '/Rows'), { status: 400, body: { error: { details: { limit: 2 } } } })
    t.match(await send('GET', '/Rows?filter[limit]=3'), { status: 400 })
    t.equal((await send('GET', '/Rows?filter[limit]=2')).body.length, 2)
    t.equal((await Row.find()).length, 3, 'code is not paged')
    for (const query of ['filter[limit]=1&filter[where][phone]=1', 'filter[limit]=1&filter[order]=phone']) {
      t.match(await send('GET', `/Rows?${query}`), {
        status: 400,
        body: { error: { code: 'HIDDEN_PROPERTY_IN_QUERY' } }
      })
      t.equal((await send('GET', `/Usuals?${query}`)).status, 200)
    }
    t.equal((await Row.find({ where: { phone: '1' } })).length, 1, 'code may ask')
    t.equal(await Row.count({ name: undefined }), 1, 'undefined is null')
  })

  t.test(`${store}: what backs a uniqueness refuses no more than the validation does`, async t => {
    const {
      models: { Member, Half, Needed }
    } = await start(
      t,
      dataSource,
      [
        { name: 'Member', properties: { email: 'string', nick: 'string', number: 'number' } },
        { name: 'Half', properties: { email: 'string', active: 'boolean' } },
        { name: 'Needed', properties: { email: { type: 'string', required: true } } }
      ],
      ({ Member, Half, Needed }) => {
        Member.validatesUniquenessOf('email')
        Member.validatesUniquenessOf('nick', { scopedTo: ['number'] })
        Half.validatesUniquenessOf('email', { if: 'active' })
        Needed.validatesUniquenessOf('email')
      }
    )
    for (const blank of ['', '', null, null, undefined, undefined]) {
      await Member.create({ email: blank, nick: '', number: 1 })
    }
    t.equal(await Member.count(), 6, 'blank values are not compared')
    await Member.create({ email: 'a', nick: 'n', number: 1 })
    await t.rejects(Member.create({ email: 'a' }), refusal('email', 'uniqueness'))
    await t.rejects(Member.create({ nick: 'n', number: 1 }), refusal('nick', 'uniqueness'))
    await Member.create({ email: 'b', nick: 'n', number: 2 })
    const storm = await Promise.allSettled(
      Array.from({ length: 16 }, async () => await Member.create({ email: 'storm' }))
    )
    t.equal(storm.filter(({ status }) => status === 'fulfilled').length, 1, 'it holds under concurrency')
    await Half.create({ email: 'a', active: false })
    await Half.create({ email: 'a', active: false })
    await Half.create({ email: 'b', active: true })
    await t.rejects(Half.create({ email: 'b', active: true }), refusal('email', 'uniqueness'))
    await Half.create({ email: 'b', active: false })
    await Needed.create({ email: 'a' })
    await t.rejects(Needed.create({ email: 'a' }), refusal('email', 'uniqueness'))
    t.strictSame(
      Member.compiled.indexes.map(({ name, unique, exceptBlank }: Loose) => [name, unique, exceptBlank]),
      [
        ['Member_email', false, undefined],
        ['Member_email_unique', true, true],
        ['Member_nick_number', false, undefined],
        ['Member_nick_number_unique', true, true]
      ]
    )
    t.strictSame(
      Needed.compiled.indexes.map(({ unique }: Loose) => unique),
      [true],
      'one index does where no value can be blank'
    )
    t.equal(await Member.dataSource.isActual(), true, 'the tables have what the models ask for')
  })

  t.test(`${store}: uniqueness holds under concurrency, also where no index can back it`, async t => {
    const { models } = await start(
      t,
      dataSource,
      [
        {
          name: 'Person',
          properties: {
            email: 'string',
            nick: 'string',
            team: 'string',
            code: 'string',
            active: 'boolean',
            labels: ['string'],
            size: 'number'
          }
        },
        { name: 'Log', properties: { of: 'string' } }
      ],
      ({ Person, Log }) => {
        Person.validatesUniquenessOf('email', { ignoreCase: true, message: 'is taken' })
        Person.validatesUniquenessOf('nick', { scopedTo: ['team'] })
        Person.validatesUniquenessOf('code', { if: 'active' })
        Person.validatesUniquenessOf('labels')
        // Something asynchronous between the check and the write, and writes of its own.
        Person.observe('persist', async ({ data }: Loose) => {
          await Log.create({ of: data.email ?? data.nick ?? data.code ?? '' })
          await new Promise(resolve => {
            setTimeout(resolve, 1)
          })
        })
      }
    )
    const { Person } = models
    const storm = async (run: (i: number) => Promise<unknown>): Promise<Loose[]> =>
      (await Promise.allSettled(Array.from({ length: 16 }, async (_, i) => await run(i)))).map(result =>
        result.status === 'fulfilled' ? 'done' : result.reason.details?.codes
      )
    const once = (outcomes: Loose[], property: string, message: string): void => {
      t.equal(outcomes.filter(each => each === 'done').length, 1, message)
      t.same(outcomes.filter(each => each !== 'done'), Array(15).fill({ [property]: ['uniqueness'] }))
    }
    once(await storm(i => Person.create({ email: i % 2 === 0 ? 'ÉVE@x' : 'éve@X' })), 'email', 'in any case')
    once(await storm(() => Person.create({ nick: 'n', team: 'a' })), 'nick', 'within a scope')
    once(await storm(() => Person.create({ nick: 'loner' })), 'nick', 'where the scope has no value')
    once(await storm(() => Person.create({ code: 'c', active: true })), 'code', 'under a condition')
    once(await storm(() => Person.create({ labels: ['x'] })), 'labels', 'of lists')
    const people = await Person.create(Array.from({ length: 16 }, (_, i) => ({ email: `p${i}` })))
    once(await storm(i => people[i].updateAttributes({ email: i % 2 === 0 ? 'One' : 'ONE' })), 'email', 'updates')
    once(
      await storm(i => Person.replaceById(people[i].id, { email: i % 2 === 0 ? 'two' : 'Two' })),
      'email',
      'replacements'
    )
    once(
      await storm(i => Person.findOrCreate({ where: { size: 99 } }, { email: i % 2 === 0 ? 'three' : 'Three' })),
      'email',
      'rows that are not found'
    )
    t.same(
      await storm(async i => {
        await people[i].updateAttributes({ size: i })
      }),
      Array(16).fill('done'),
      'other changes are no business of it'
    )
    await t.rejects(Person.create([{ email: 'four' }, { email: 'TWO' }]), { statusCode: 422 } as never)
    t.equal(await Person.count({ email: 'four' }), 0)
    // A hook that writes rows of the same model does not wait for itself.
    let nested = 0
    Person.observe('after save', async () => { if (nested++ === 0) await Person.create({ email: 'nested' }) })
    await Person.create({ email: 'outer' })
    t.equal(await Person.count({ email: 'nested' }), 1)
  })

  t.test(`${store}: validations can be taken back`, async t => {
    const {
      models: { Person, Child },
      send
    } = await start(
      t,
      dataSource,
      [
        {
          name: 'Person',
          properties: { email: { type: 'string', required: true }, name: { type: 'string', required: true } }
        },
        { name: 'Child', base: 'Person', properties: {} }
      ],
      ({ Person, Child }) => {
        Person.validatesLengthOf('email', { min: 3 })
        Person.validatesUniquenessOf('email')
        t.strictSame(
          Person.validations.email.map(({ validation }: Loose) => validation),
          ['presence', 'length', 'uniqueness']
        )
        t.ok(delete Child.validations.email)
        Child.validatesLengthOf('email', { max: 4, allowBlank: true })
        t.equal(Child.validations.email.length, 1, 'what is declared afterwards holds')
      }
    )
    t.equal((await send('POST', '/People', { name: 'x' })).status, 422)
    await t.rejects(Person.create({ name: 'x', email: 'ab' }), refusal('email', 'length.min'))
    t.equal((await send('POST', '/Children', { name: 'x' })).status, 200)
    await Child.create({ name: 'x', email: 'ab' })
    await Child.create({ name: 'y', email: 'ab' })
    await t.rejects(Child.create({ name: 'x', email: 'abcde' }), refusal('email', 'length.max'))
    await t.rejects(Child.create({ email: 'ab' }), refusal('name', 'presence'))
  })
}
