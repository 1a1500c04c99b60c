/** Aggregates and pages of the written client: their types follow from the request, and from the list. */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { serve, writeClient } from '../src/index.js'
import { compileClient } from './compile-client.js'

const use = `
import { ApiError, createClient, type CursorPage, type Sale } from './api.js'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false
const expect = <T extends true>(): T | undefined => undefined

export async function use (baseUrl: string): Promise<unknown> {
  const api = createClient({ baseUrl })
  const shop = await api.Shop.create({ city: 'Lyon' })
  await api.Sale.create([
    { status: 'open', amount: 1, price: '0.10', serial: 3, at: '2026-03-05T00:00:00.000Z', shopId: shop.id },
    { status: 'open', amount: 3, price: '0.20', serial: '9007199254740993', at: '2026-03-31T23:00:00.000Z' },
    { status: 'paid', amount: 5, price: '12345678901234567890.01', at: '2026-04-01T00:00:00.000Z', shopId: shop.id }
  ])

  const all = await api.Sale.aggregate({ filter: { aggregate: { n: { count: '*' }, total: { sum: 'amount' }, last: { max: 'at' }, exact: { sum: 'price' }, mean: { avg: 'price' }, most: { sum: 'serial' } } } })
  expect<Equal<typeof all, Array<{ n: number, total: number | null, last: string | null, exact: string | null, mean: string | null, most: string | number | null }>>>()

  const grouped = await api.Sale.aggregate({ filter: {
    where: { and: [{ amount: { gt: 0 } }, { status: { inq: ['open', 'paid'] } }] },
    groupBy: ['status', { at: 'month' }, 'shop.city'],
    aggregate: { kinds: { countDistinct: 'paid' }, first: { min: 'status' }, mean: { avg: 'amount' }, sizes: { count: 'more.size' } },
    having: { mean: { gt: 1 }, or: [{ status: 'paid' }, { first: { like: 'o%' } }] },
    order: ['kinds DESC', 'status', 'mean'],
    timeZone: 'America/Lima'
  } })
  expect<Equal<typeof grouped[number], { 'status': string | null, at: string | null, 'shop.city': string | null, kinds: number, first: string | null, mean: number | null, sizes: number }>>()

  const months = await api.Sale.aggregate({ filter: { groupBy: { 'shop.opened': 'year', timeZone: 'Europe/Paris' }, aggregate: { n: { count: '*' } }, order: 'n' } })
  expect<Equal<typeof months[number], { 'shop.opened': string | null, n: number }>>()
  const loose = await api.Loose.aggregate({ filter: { groupBy: ['anything'], aggregate: { n: { count: 'else' } } } })
  expect<Equal<typeof loose[number], { anything: unknown, n: number }>>()

  const first: CursorPage<Sale> = await api.Sale.findPage({ filter: { order: 'amount DESC', limit: 2 } })
  const second = await api.Sale.findPage({ filter: { order: 'amount DESC', limit: 2, after: first.next ?? '' } })
  const back = await api.Sale.findPage({ filter: { order: 'amount DESC', limit: 2, before: second.prev ?? '' } })
  const related = await api.Shop.getSalesPage({ id: shop.id })
  const whole = await api.Sale.findPage()
  const plain = await api.Sale.find({ filter: { after: '', limit: 1 } })
  const wrongCursor = await api.Sale.findPage({ filter: { after: 'x' } }).catch((error: unknown) => error instanceof ApiError ? error.code : error)
  const amounts = ({ rows }: CursorPage<Sale>) => rows.map(({ amount }) => amount)
  return {
    all, grouped, loose, wrongCursor, plain: plain.length,
    pages: [first, second, back, related, whole].map(page => [amounts(page), page.prev !== undefined, page.next !== undefined])
  }
}

export async function wrong (): Promise<void> {
  const { Sale, Shop } = createClient({ baseUrl: '' })
  // @ts-expect-error no such property
  void Sale.aggregate({ filter: { groupBy: ['state'] } })
  // @ts-expect-error the period of what is no date
  void Sale.aggregate({ filter: { groupBy: [{ status: 'month' }] } })
  // @ts-expect-error no such period
  void Sale.aggregate({ filter: { groupBy: { at: 'minute' } } })
  // @ts-expect-error no such property of the shop
  void Sale.aggregate({ filter: { groupBy: ['shop.town'] } })
  // @ts-expect-error rows of a list are no group
  void Shop.aggregate({ filter: { groupBy: ['sales.status'] } })
  // @ts-expect-error the sum of texts
  void Sale.aggregate({ filter: { aggregate: { n: { sum: 'status' } } } })
  // @ts-expect-error no such function
  void Sale.aggregate({ filter: { aggregate: { n: { median: 'amount' } } } })
  // @ts-expect-error a condition on what is no result
  void Sale.aggregate({ filter: { aggregate: { n: { count: '*' } }, having: { amount: 1 } } })
  // @ts-expect-error a condition of another type
  void Sale.aggregate({ filter: { aggregate: { n: { count: '*' } }, having: { n: 'many' } } })
  // @ts-expect-error an order by what is no result
  void Sale.aggregate({ filter: { aggregate: { n: { count: '*' } }, order: 'amount' } })
  // @ts-expect-error no such part
  void Sale.aggregate({ filter: { aggregate: { n: { count: '*' } }, fields: ['status'] } })
  // @ts-expect-error a condition on what is no property
  void Shop.aggregate({ filter: { where: { state: 1 }, aggregate: { n: { count: '*' } } } })
  // @ts-expect-error no such property in pages
  console.log((await Sale.findPage()).rows[0]?.colour)
}
`

const model = (definition: object): string => JSON.stringify({ base: 'PersistedModel', strict: true, ...definition })
const attached = (settings: object = {}): object => ({ dataSource: 'db', public: true, ...settings })
const folder = {
  'package.json': '{ "type": "module" }',
  server: {
    'config.json': JSON.stringify({ aggregates: true, cursors: true, relatedConditions: true, foreignKeyTypes: 'declared', modelDefinitions: 'strict' }),
    'datasources.json': '{ "db": { "connector": "memory" } }',
    'model-config.json': JSON.stringify({
      _meta: { sources: ['./models'] }, Shop: attached(), Sale: attached(), Loose: attached(), AggregateRequest: attached(), CursorPage: attached()
    }),
    models: {
      'shop.json': model({
        name: 'Shop',
        properties: { city: 'string', opened: 'date' },
        relations: { sales: { type: 'hasMany', model: 'Sale', foreignKey: 'shopId' } }
      }),
      'sale.json': model({
        name: 'Sale',
        properties: {
          status: { type: 'string', required: true }, amount: 'number', price: { type: 'decimal', scale: 2 }, serial: 'bigint',
          at: 'date', paid: 'boolean', more: 'object'
        },
        relations: { shop: { type: 'belongsTo', model: 'Shop', foreignKey: 'shopId' } }
      }),
      'loose.json': model({ name: 'Loose', strict: false, properties: { name: 'string' } }),
      'aggregate-request.json': model({ name: 'AggregateRequest', properties: { name: 'string' } }),
      'cursor-page.json': model({ name: 'CursorPage', properties: { name: 'string' } })
    }
  }
}

t.test('results of aggregates follow from the request, pages have cursors', async t => {
  const dir = t.testdir({ 'package.json': '{ "type": "module" }', app: folder, 'use.ts': use })
  writeFileSync(path.join(dir, 'api.ts'), (await writeClient(path.join(dir, 'app'))).text)
  t.strictSame(compileClient(dir), [])
  const served = await serve(path.join(dir, 'app'), { port: 0, host: '127.0.0.1', log: false })
  t.teardown(() => served.close())
  const { use: drive } = (await import(pathToFileURL(path.join(dir, 'use.js')).href)) as {
    use: (url: string) => Promise<unknown>
  }
  t.strictSame(await drive(served.apiUrl), {
    all: [{
      n: 3, total: 9, last: '2026-04-01T00:00:00.000Z',
      exact: '12345678901234567890.31', mean: '4115226300411522630.10333333333333333333', most: '9007199254740996'
    }],
    grouped: [
      { status: 'open', at: '2026-03-01T05:00:00.000Z', 'shop.city': null, kinds: 0, first: 'open', mean: 3, sizes: 0 },
      { status: 'paid', at: '2026-03-01T05:00:00.000Z', 'shop.city': 'Lyon', kinds: 0, first: 'paid', mean: 5, sizes: 0 }
    ],
    loose: [],
    wrongCursor: 'INVALID_CURSOR',
    plain: 1,
    pages: [
      [[5, 3], false, true], [[1], true, false], [[5, 3], false, true],
      [[1, 5], false, false], [[1, 3, 5], false, false]
    ]
  })
})

t.test('an application without them has none of it', async t => {
  const plain = { ...folder, server: { ...folder.server, 'config.json': '{}' } }
  const { text } = await writeClient(path.join(t.testdir({ app: plain }), 'app'))
  t.notMatch(text, /AggregateCall|findPage|pageOf|Page</)
})
