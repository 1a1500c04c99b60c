import t from 'tap'
import { json, resource, rest, service } from './service.js'

const definition = {
  name: 'Station',
  properties: { id: { type: 'number', id: true }, name: 'string', height: 'number', since: 'date' },
  options: { resourceName: 'stations' }
}
const row = { id: 1, name: 'Blindern', height: 94, since: '1931-01-01T00:00:00.000Z', extra: 'kept' }

/** A resource of one row. */
async function station (t: any, settings = {}, answer = (url: string): [number, unknown] => [200, /\/1$/.test(url) ? row : [row]]) {
  const up = await service(t, ({ url }, req, res) => { json(res, ...answer(url)) })
  const { registry, dataSource } = await rest(t, { baseURL: `${up.base}/v1/`, ...settings })
  const Station = resource(registry, dataSource, definition) as any
  const asked = () => up.seen.splice(0).map(({ method, url, body }) => [method, decodeURIComponent(url), body === '' ? undefined : JSON.parse(body)])
  return { Station, asked }
}

t.test('find spreads the filter over the query (SC-C3, SC-C4)', async t => {
  const { Station, asked } = await station(t)
  const [found] = await Station.find()
  t.ok(found.since instanceof Date)
  t.equal(found.extra, 'kept')
  await Station.find({ where: { name: 'a', height: { gt: 5, lt: 9 } }, limit: 2, skip: 1, order: ['name ASC', 'id DESC'], fields: ['name'] })
  await Station.find({ where: { or: [{ name: { like: 'a%' } }, { height: { inq: [1, 2] } }], since: { lt: new Date(0) } } })
  await Station.findOne({ where: { name: 'a' } })
  t.strictSame(asked().map(([, url]) => url), [
    '/v1/stations',
    '/v1/stations?where[name]=a&where[height][gt]=5&where[height][lt]=9&limit=2&order[0]=name ASC&order[1]=id DESC&skip=1&fields[0]=name&offset=1',
    '/v1/stations?where[or][0][name][like]=a%&where[or][1][height][inq][0]=1&where[or][1][height][inq][1]=2&where[since][lt]=1970-01-01T00:00:00.000Z',
    '/v1/stations?where[name]=a&limit=1'
  ])
})

t.test('filterStyle "json" sends what another LoopBack reads', async t => {
  const { Station, asked } = await station(t, { filterStyle: 'json' })
  await Station.find({ where: { name: 'a' }, limit: 2 })
  await Station.find()
  t.strictSame(asked().map(([, url]) => url), ['/v1/stations?filter={"where":{"name":"a"},"limit":2}', '/v1/stations'])
})

t.test('one row: by its address; 404 is an error (SC-C5, SC-C6)', async t => {
  const { Station, asked } = await station(t, {}, url => /\/1$/.test(url) ? [200, row] : [404, {}])
  t.equal((await Station.findById(1)).name, 'Blindern')
  t.equal((await Station.findOne({ where: { id: 1 } })).name, 'Blindern')
  await t.rejects(Station.findById(9), { statusCode: 404, message: 'HTTP code: 404' })
  t.strictSame(await Promise.all([Station.exists(1), Station.exists(9)]), [true, false])
  t.strictSame([...new Set(asked().map(([method, url]) => `${method} ${url}`))], ['GET /v1/stations/1', 'GET /v1/stations/9'])
})

t.test('writes (SC-C2, SC-C8, SC-C9)', async t => {
  const { Station, asked } = await station(t, {}, url => /\/1$/.test(url) ? [200, row] : /\/9$/.test(url) ? [404, {}] : [201, { id: 7, other: 1 }])
  const made = await Station.create([{ name: 'a', height: null }, { name: 'b' }])
  t.strictSame(made.map(({ id, other }: any) => [id, other]), [[7, undefined], [7, undefined]])
  t.strictSame(asked(), [['POST', '/v1/stations', { name: 'a', height: null }], ['POST', '/v1/stations', { name: 'b' }]])
  const first = await Station.findById(1)
  t.equal((await first.updateAttributes({ height: 95 })).name, 'Blindern')
  await Station.replaceById(1, { name: 'only' })
  await Station.updateOrCreate({ id: 9, name: 'new' })
  t.match(await Station.deleteById(1), { count: 1 })
  await t.rejects(Station.deleteById(9), { statusCode: 404, message: 'HTTP code: 404' })
  t.match(asked(), [
    ['GET', '/v1/stations/1'], ['PUT', '/v1/stations/1', { height: 95 }], ['PUT', '/v1/stations/1', { id: 1, name: 'only' }],
    ['GET', '/v1/stations/9'], ['POST', '/v1/stations', { id: 9, name: 'new' }],
    ['DELETE', '/v1/stations/1'], ['DELETE', '/v1/stations/9']
  ])
})

t.test('"patch" sends the changes as PATCH', async t => {
  const { Station, asked } = await station(t, { patch: true })
  await (await Station.findById(1)).updateAttributes({ height: 95 })
  t.match(asked(), [['GET'], ['PATCH', '/v1/stations/1', { height: 95 }]])
})

t.test('what no service can be asked for is 501 (SC-C7, SC-C10)', async t => {
  const { Station, asked } = await station(t)
  const refused = { statusCode: 501, code: 'NOT_SUPPORTED' }
  await t.rejects(Station.count(), refused)
  await t.rejects(Station.updateAll({ name: 'a' }, { height: 1 }), refused)
  await t.rejects(Station.deleteAll({ name: 'a' }), refused)
  await t.rejects(Station.deleteAll(), { ...refused, message: /allowDeleteAll/ })
  t.strictSame(asked(), [])
  const { Station: Open, asked: told } = await station(t, { allowDeleteAll: true }, () => [200, { count: 3 }])
  t.strictSame(await Open.deleteAll(), { count: 3 })
  t.match(told(), [['DELETE', '/v1/stations']])
})

t.test('answers that are no rows are 502', async t => {
  const { Station } = await station(t, {}, url => [200, /\/1$/.test(url) ? ['no row'] : { rows: [] }])
  await t.rejects(Station.find(), { statusCode: 502, code: 'BAD_GATEWAY' })
  await t.rejects(Station.findById(1), { statusCode: 502, code: 'BAD_GATEWAY' })
})

t.test('a data source of operations has no rows; with both, functions come first (SC-D4, SC-D5)', async t => {
  const { base } = await service(t)
  const operations = [{ template: { url: `${base}/instead/{id}` }, functions: { findById: ['id'] } }]
  const { registry, dataSource } = await rest(t, { operations })
  const Alone = resource(registry, dataSource, { ...definition, name: 'Alone' }) as any
  await t.rejects(Alone.find(), { statusCode: 501, code: 'NOT_SUPPORTED' })
  const both = await rest(t, { operations, crud: true, baseURL: base }, 'both')
  const Both = resource(both.registry, both.dataSource, { ...definition, name: 'Both' }) as any
  t.match(await Both.findById(5), { url: '/instead/5' })
})

t.test('ping: any answer will do', async t => {
  const { base } = await service(t, (seen, req, res) => { res.writeHead(404).end() })
  const { dataSource } = await rest(t, { operations: [{ template: { url: `${base}/a/{b}` }, functions: { get: ['b'] } }] })
  await dataSource.ping()
  await dataSource.disconnect()
  await dataSource.ping()
  const { dataSource: dead } = await rest(t, { baseURL: 'http://127.0.0.1:1' }, 'dead')
  await t.rejects(async () => dead.ping(), { code: 'BAD_GATEWAY' })
})
