import { createServer as createHttpServer } from 'node:http'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { ModelRegistry } from '@fastback/core'
import { introspect } from '../src/entries/folder.js'
import { createServer, newApplication } from '../src/index.js'
import type { Rows } from './rows.js'
import { run } from './terminal.js'

const lines = [
  { id: 'a1', status: 'new', at: '2024-01-01T10:00:00Z', mail: 'a@example.com', lines: [{ sku: 'x', n: 1 }], ship: { city: 'Wien' } },
  { id: 'a2', status: 'new', at: '2024-01-02T10:00:00Z', mail: 'b@example.com', lines: [{ sku: 'y', n: 1.5, gift: true }], note: null },
  { id: 'a3', status: 'paid', at: '2024-01-03T10:00:00Z', mail: 'c@example.com', lines: [], note: 'late', odd: 1 },
  { id: 'a4', status: 'paid', at: '2024-01-03T10:00:00Z', mail: 'c@example.com', lines: [], odd: 'one' }
]

const orders = {
  Order: {
    base: 'PersistedModel',
    idInjection: false,
    properties: {
      id: { type: 'string', required: true, id: true, generated: false },
      status: { type: 'string', required: true },
      at: { type: 'date', required: true },
      mail: { type: 'string', required: true, format: 'email' },
      lines: { type: ['OrderLine'], required: undefined },
      ship: { type: 'OrderShip' },
      note: { type: 'string' },
      odd: { type: 'any' }
    }
  },
  OrderLine: {
    base: 'Model',
    properties: { sku: { type: 'string', required: true }, n: { type: 'number', required: true }, gift: { type: 'boolean' } }
  },
  OrderShip: { base: 'Model', properties: { city: { type: 'string', required: true } } }
}

const folderOf = async (t: Test): Promise<string> =>
  (await newApplication({ name: 'shop', template: 'api-server', cwd: t.testdir() })).folder

const json = (folder: string, name: string) => JSON.parse(readFileSync(path.join(folder, 'common/models', name), 'utf8'))

t.test('lines of JSON become models that serve them', async t => {
  const folder = await folderOf(t)
  writeFileSync(path.join(folder, 'orders.ndjson'), lines.map(line => JSON.stringify(line)).join('\n'))
  const { code, out, err } = await run(folder, ['introspect', 'orders.ndjson', '--model', 'Order', '--json', '--allow-dirty'])
  t.equal(code, 0, err)
  const { models, samples } = JSON.parse(out)
  t.equal(samples, 4)
  t.match(models[0].notes, [/^odd: /])
  for (const [name, file] of [['Order', 'order.json'], ['OrderLine', 'order-line.json'], ['OrderShip', 'order-ship.json']] as const) {
    t.match(json(folder, file), orders[name])
    t.same(Object.keys(json(folder, file).properties), Object.keys(orders[name].properties))
  }
  t.match(json(folder, 'order.json').acls, [{ permission: 'DENY' }])
  const again = await run(folder, ['introspect', 'orders.ndjson', '--model', 'Order', '--allow-dirty'])
  t.match(again.out, 'Nothing to do.')

  const server = await createServer(folder, { log: false, dataSources: { db: { connector: 'memory' } } })
  t.teardown(() => server.stop())
  await server.fastify.ready()
  t.equal((await server.fastify.inject('/api/Orders')).statusCode, 401)
  const { Order } = server.app.models as unknown as Record<string, Rows>
  for (const line of lines) await Order?.create(structuredClone(line))
  t.match(JSON.parse(JSON.stringify(await Order?.findById('a2'))), { lines: [{ sku: 'y', n: 1.5, gift: true }], at: '2024-01-02T10:00:00.000Z' })
  await t.rejects(Promise.resolve(Order?.create({ id: 'a5', status: 'new' })), { name: 'ValidationError' })
})

t.test('tables with commas, lists, addresses and the standard input', async t => {
  const folder = await folderOf(t)
  const server = createHttpServer((_, res) => { res.end('{"rows":[{"a":1},{"a":2,"b":true}]}') }).listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  await once(server, 'listening')
  const source = `http://127.0.0.1:${(server.address() as AddressInfo).port}/x`
  const served = await introspect(folder, { source, model: 'Served' })
  t.match(served.models, [{ properties: { a: { type: 'integer', required: true }, b: { type: 'boolean' } } }])
  const csv = 'code,n,ok,day\n007,1,true,2024-01-01\n008,2.5,false,2024-01-02\n009,,true,2024-01-03\n'
  const table = await introspect(folder, { source: Readable.from([csv]), model: 'Row' })
  t.match(table.models, [{
    properties: {
      code: { type: 'string', required: true }, n: { type: 'number', required: undefined }, ok: { type: 'boolean' }, day: { type: 'date' }
    }
  }])
  t.equal(table.changes.changes.length, 3, 'planned, and not written')
})

t.test('what cannot be is said', async t => {
  const folder = await folderOf(t)
  const samples = (text: string) => introspect(folder, { source: Readable.from([text]), model: 'X', format: 'json' })
  await t.rejects(samples('[]'), { code: 'FBK_CLI_NO_SAMPLES' })
  await t.rejects(samples('[1]'), { code: 'FBK_CLI_SAMPLES', message: /number 1/ })
  await t.rejects(samples('{'), { code: 'FBK_CLI_SAMPLES' })
  await t.rejects(samples('[{"constructor":1}]'), { code: 'FBK_UNSAFE_NAME' })
  await t.rejects(samples('[{"a":{"__proto__":{"x":1}}}]'), { code: 'FBK_UNSAFE_NAME' })
  await t.rejects(samples(`[{"a":${'['.repeat(40)}1${']'.repeat(40)}}]`), { code: 'FBK_CORE_TOO_DEEP' })
  t.match(await run(folder, ['introspect', '-', '--format', 'xml']), { code: 2 })
  t.match(await run(folder, ['introspect', 'x.json', '--model', 'a b']), { code: 2, err: /cannot be the name/ })
})

t.test('every sample fits the models that were made of all', async t => {
  const folder = await folderOf(t)
  const number = fc.double({ noNaN: true, noDefaultInfinity: true })
  const value = fc.oneof(fc.string(), fc.integer(), number, fc.boolean(), fc.constant(null))
  const name = fc.constantFrom('alpha', 'beta', 'gamma', 'delta')
  const sample = fc.dictionary(name, fc.oneof(value, fc.array(fc.integer()), fc.dictionary(name, value)))
  await fc.assert(fc.asyncProperty(fc.array(sample, { minLength: 1, maxLength: 6 }), async samples => {
    const { models } = await introspect(folder, { source: Readable.from([JSON.stringify(samples)]), model: 'S' })
    const registry = new ModelRegistry()
    for (const { file, notes, ...definition } of models) registry.defineModel({ ...definition, base: 'Model' })
    for (const each of samples) {
      const row = new (registry.getModel('S'))(structuredClone(each)) as unknown as { isValid (): Promise<boolean> }
      t.ok(await row.isValid(), JSON.stringify([each, models]))
    }
  }), { numRuns: 30 })
})
