/** Settings of models and properties (behaviour.md, section 9): the same on every store, in the process and over HTTP. */
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

async function start (t: Test, dataSource: Loose, definitions: ModelDefinitionInput[], prepare: (models: Loose) => void = () => {}) {
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
  const send = async (method: 'GET' | 'POST' | 'PUT' | 'PATCH', url: string, payload?: object): Promise<{ status: number, body: Loose }> => {
    const response = await app.inject({ method, url: `/api${url}`, ...(payload === undefined ? {} : { payload }) })
    return { status: response.statusCode, body: response.body === '' ? undefined : response.json() }
  }
  return { models: registry.models as Loose, send }
}

const refusal = (property: string, code: string) => ({ statusCode: 422, details: { codes: { [property]: [code] } } })

for (const [store, dataSource] of Object.entries(stores)) {
  t.test(`${store}: what properties say of their values is refused in the process as over HTTP`, async t => {
    const { models: { Gauge, Typed }, send } = await start(t, dataSource, [{
      name: 'Gauge',
      properties: {
        label: { type: 'string', length: 5 },
        code: { type: 'string', pattern: '^[A-Z]+$' },
        grade: { type: 'string', enum: ['low', 'high'] },
        level: { type: 'number', minimum: 0, maximum: 10 },
        tags: { type: ['string'], length: 3, maxItems: 2 },
        day: { type: 'string', jsonSchema: { format: 'date' } },
        precise: { type: 'number', length: 2, precision: 2 }
      }
    }, { name: 'Typed', properties: Type.Object({ title: Type.String({ minLength: 2 }), size: Type.Optional(Type.Integer({ multipleOf: 3 })) }) }])
    const faults: Array<[data: object, path: string, code: string]> = [
      [{ label: 'longer' }, '.label', 'maxLength'], [{ code: 'a' }, '.code', 'pattern'], [{ grade: 'middle' }, '.grade', 'enum'], [{ level: -1 }, '.level', 'minimum'],
      [{ level: 11 }, '.level', 'maximum'], [{ tags: ['abcd'] }, '.tags[0]', 'maxLength'], [{ tags: ['a', 'b', 'c'] }, '.tags', 'maxItems'], [{ day: '2020-02-30' }, '.day', 'format']
    ]
    const stored = await Gauge.create({ label: 'ok' })
    for (const [data, path, code] of faults) {
      const property = path.slice(1)
      for (const [method, url] of [['POST', '/Gauges'], ['PATCH', '/Gauges/1'], ['PUT', '/Gauges/1'], ['POST', '/Gauges/update?where={}']] as const) {
        const { status, body } = await send(method, url, data)
        t.match({ status, details: body.error.details }, { status: 422, details: [{ path, code }] }, `${method} ${url} ${JSON.stringify(data)}`)
      }
      await t.rejects(Gauge.create(data), refusal(property, code))
      await t.rejects(Gauge.create([{ label: 'x' }, data]), { statusCode: 422, violations: [{ path: `[1]${path}`, code }] })
      await t.rejects(stored.updateAttributes(data), refusal(property, code))
      await t.rejects(Gauge.replaceById(1, data), refusal(property, code))
      await t.rejects(Gauge.updateAll({}, data), refusal(property, code))
      t.notOk(new Gauge(data).isValid())
    }
    t.equal(await Gauge.count(), 1, 'nothing was stored')
    const good = { label: '12345', code: 'AB', grade: 'high', level: 10, tags: ['abc'], day: '2020-02-29', precise: 12345 }
    t.equal((await send('POST', '/Gauges', good)).status, 200)
    t.equal((await send('POST', '/Gauges', Object.fromEntries(Object.keys(good).map(key => [key, null])))).status, 200, 'null says that there is no value')
    await t.rejects(Gauge.create({ label: 'longer', code: 'a' }), { violations: [{ path: '.label' }, { path: '.code' }] }, 'all at once')
    await t.rejects(Typed.create({ title: 'x', size: 4 }), { violations: [{ path: '.title', code: 'minLength' }, { path: '.size', code: 'multipleOf' }] })
    t.equal((await Typed.create({ title: 'xx', size: 3 })).size, 3)
  })
}
