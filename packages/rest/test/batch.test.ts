/** Several operations in one request: `POST /batch`. */
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import type { FastifyInstance } from 'fastify'
import Fastify from 'fastify'
import { core, type ModelClass } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'
import { sqlConnector } from '@fastback/connector-sql'
import { rest, type RestOptions } from '@fastback/rest'
import { call } from './app.js'

type Loose = any

const definitions = [
  {
    name: 'Order',
    hidden: ['secret'],
    properties: { title: { type: 'string', required: true }, total: 'number', secret: 'string', about: 'object' },
    relations: { items: { type: 'hasMany', model: 'Item' } },
    methods: {
      count2: { accessType: 'READ', returns: { arg: 'n', type: 'number' }, http: { verb: 'get' } },
      file: { returns: { arg: 'f', type: 'file', root: true }, http: { verb: 'get' } }
    }
  },
  { name: 'Item', properties: { name: 'string', qty: { type: 'number', minimum: 0 } }, relations: { order: { type: 'belongsTo', model: 'Order' } } },
  { name: 'Other', properties: { name: 'string' } }
]

async function makeServer (
  t: Test, options: RestOptions = {},
  prepare: (models: Record<string, ModelClass>, app: FastifyInstance) => void = () => {}
): Promise<FastifyInstance> {
  const app = Fastify({ routerOptions: { caseSensitive: false, ignoreTrailingSlash: true } })
  t.teardown(() => app.close())
  await app.register(core, {
    dataSources: { db: { connector: sqlConnector, url: 'sqlite::memory:' }, memory: { connector: memoryConnector } },
    definitions,
    models: {
      Order: { dataSource: 'db', public: true }, Item: { dataSource: 'db', public: true }, Other: { dataSource: 'memory', public: true }
    }
  } as Loose)
  const models = app.models as unknown as Record<string, ModelClass>
  Object.assign(models.Order as object, { count2: async () => 2, file: async () => 'x' })
  prepare(models, app)
  await app.register(rest, { prefix: '/api', batch: true, remoting: { errorHandler: { log: false } }, ...options })
  await app.ready()
  return app
}

const send = async (app: FastifyInstance, operations: unknown, more: object = {}, headers = {}): Promise<Loose> =>
  await call(app, 'POST', '/batch', { operations, ...more }, headers)
const counts = async ({ models }: FastifyInstance): Promise<number[]> => {
  const all = models as Loose
  return await Promise.all(['Order', 'Item', 'Other'].map(async name => await all[name].count() as number))
}
const post = (path: string, body: unknown, more: object = {}): object => ({ method: 'POST', path, body, ...more })

t.test('operations refer to the responses of earlier ones', async t => {
  const app = await makeServer(t)
  const { status, body, headers } = await send(app, [
    post('/Orders', { title: 'o', about: { list: [{ n: 7 }], $$ref: 1 }, secret: 'hush' }, { id: 'o' }),
    post('/Items', { name: 'a', orderId: { $ref: 'o.id' }, qty: { $ref: 'o.about.list.0.n' } }, { id: 'first' }),
    post('/Orders/{o.id}/items', { name: 'b' }),
    { method: 'PATCH', path: '/Items/{first.id}', body: { qty: 9 } },
    { method: 'PUT', path: '/Orders/{o.id}', body: { title: 'new', about: { $$ref: 'o.id' } } },
    { id: 'all', method: 'GET', path: '/Orders/{o.id}?filter={"include":"items"}' },
    { method: 'DELETE', path: '/Items/{first.id}' },
    { method: 'GET', path: '/orders/count2' }
  ])
  t.equal(status, 200)
  t.match(headers['content-type'], /^application\/json/)
  t.match(body.results, [
    { id: 'o', status: 200, body: { id: 1, title: 'o' } },
    { id: 'first', status: 200, body: { orderId: 1, qty: 7 } },
    { status: 200, body: { name: 'b', orderId: 1 } },
    { status: 200, body: { qty: 9 } },
    { status: 200, body: { title: 'new', about: { $ref: 'o.id' } } },
    { id: 'all', status: 200, body: { items: [{ name: 'a', qty: 9 }, { name: 'b' }] } },
    { status: 200, body: { count: 1 } },
    { status: 200, body: { n: 2 } }
  ])
  t.notMatch(JSON.stringify(body), 'hush')
  t.strictSame(await counts(app), [1, 1, 0])
})

t.test('a failure at any position: nothing is done, and it is named', async t => {
  const app = await makeServer(t)
  const good = [post('/Orders', { title: 'o' }, { id: 'o' }), post('/Items', { orderId: { $ref: 'o.id' } }), post('/Orders', { title: 'p' })]
  const failures: Array<[object, number, string]> = [
    [post('/Items', { qty: -1 }), 422, 'VALIDATION_FAILED'],
    [{ method: 'PATCH', path: '/Items/99', body: { qty: 1 } }, 404, 'MODEL_NOT_FOUND'],
    [post('/Items', { orderId: { $ref: 'nobody.id' } }), 400, 'BATCH_UNKNOWN_REFERENCE'],
    [{ method: 'GET', path: '/Items/{nobody.id}' }, 400, 'BATCH_UNKNOWN_REFERENCE']
  ]
  for (const [bad, status, code] of failures) {
    for (let i = 0; i <= good.length; i++) {
      const answer = await send(app, good.toSpliced(i, 0, bad as never))
      t.match(answer, { status, body: { error: { statusCode: status, code, operation: i } } }, `${code} at ${i}`)
      t.equal(answer.body.results, undefined)
    }
  }
  t.strictSame(await counts(app), [0, 0, 0])
})

t.test('"atomic": false: each by itself', async t => {
  const app = await makeServer(t)
  const { status, body: { results } } = await send(app, [
    post('/Orders', { title: 'o' }, { id: 'o' }), post('/Items', { qty: -1 }, { id: 'i' }),
    post('/Others', { name: { $ref: 'i.name' } }), post('/Others', { name: { $ref: 'o.title' } })
  ], { atomic: false })
  t.equal(status, 200)
  t.match(results, [
    { id: 'o', status: 200, body: { title: 'o' } },
    { id: 'i', status: 422, error: { code: 'VALIDATION_FAILED', statusCode: 422 } },
    { status: 400, error: { code: 'BATCH_UNKNOWN_REFERENCE' } },
    { status: 200, body: { name: 'o' } }
  ])
  t.strictSame(await counts(app), [1, 0, 1])
})

t.test('what cannot be done as one is refused', async t => {
  const app = await makeServer(t)
  const refused = async (operations: object[], why: RegExp): Promise<void> => {
    const { status, body } = await send(app, operations)
    t.match({ status, body }, { status: 422, body: { error: { code: 'BATCH_NOT_ATOMIC', message: why } } })
  }
  await refused([post('/Orders', { title: 'o' }), post('/Others', { name: 'x' })], /more than one data source/)
  await refused([post('/Others', { name: 'x' }), post('/Others', { name: 'x' })], /"memory" has no transactions/)
  await refused([post('/Others', { name: 'x' }), { method: 'GET', path: '/Others' }], /no transactions/)
  t.strictSame(await counts(app), [0, 0, 0])
  t.equal((await send(app, [{ method: 'GET', path: '/Others' }, { method: 'GET', path: '/Orders' }, post('/Others', { name: 'x' })])).status, 200)
  t.strictSame(await counts(app), [0, 0, 1], 'one write that comes last needs no transaction')
})

t.test('bodies that are no batch', async t => {
  const app = await makeServer(t)
  const get = { method: 'GET', path: '/Orders' }
  const violations = async (body: unknown, ...expected: string[]): Promise<void> => {
    const { status, body: { error } } = await call(app, 'POST', '/batch', body)
    t.match({ status, code: error.code }, { status: 400, code: 'INVALID_BATCH' }, JSON.stringify(body))
    t.strictSame(error.details.map(({ path }: Loose) => path), expected, JSON.stringify(body))
  }
  await violations([get], '')
  await violations({}, '.operations')
  await violations({ operations: [] }, '.operations')
  await violations({ operations: [get], atomic: 'no', more: 1 }, '.more', '.atomic')
  await violations({ operations: Array.from({ length: 101 }, () => get) }, '.operations')
  await violations({ operations: [3, {}] }, '.operations[0]', '.operations[1].method', '.operations[1].path')
  await violations({ operations: [{ ...get, id: 'a' }, { ...get, id: 'a' }, { ...get, id: '1' }] }, '.operations[1].id', '.operations[2].id')
  await violations({ operations: [{ ...get, body: {}, token: 'x' }] }, '.operations[0].token', '.operations[0].body')
  for (const method of ['HEAD', 'OPTIONS', 'get', 'TRACE', 'CONNECT', null]) {
    await violations({ operations: [{ ...get, method }] }, '.operations[0].method')
  }
  for (const path of [
    'Orders', '//x/Orders', 'http://x/Orders', '/', '', '/Orders/../Items', '/./Orders', '/Orders/%2e%2e/x', '/Orders%2fx', '/Orders//1',
    '/Orders\\1', '/Orders#x', '/Or ders', '/Orders/é', '/Orders/%zz', '/Orders/%00', `/${'x'.repeat(2001)}`, 3
  ]) await violations({ operations: [{ ...get, path }] }, '.operations[0].path')
  for (const headers of [
    { authorization: 'x' }, { 'Idempotency-Key': 'x' }, { cookie: 'x' }, { 'X-Access-Token': 'x' }, { 'if-match': 'a\r\nx: y' },
    { 'content-type': 'multipart/form-data; boundary=x' }, { prefer: 3 }
  ]) await violations({ operations: [{ ...get, headers }] }, `.operations[0].headers.${Object.keys(headers)[0]}`)
  t.equal((await call(app, 'POST', '/batch', 'operations[0][method]=GET', { 'content-type': 'application/x-www-form-urlencoded' })).status, 415)
  t.equal((await call(app, 'POST', '/batch')).status, 415)
  t.equal((await call(app, 'POST', '/batch', '{', { 'content-type': 'application/json' })).status, 400)
})

t.test('paths that are no routes of models', async t => {
  const app = await makeServer(t, {}, (_models, app) => {
    app.get('/api/Orders/special', async () => ({ special: true }))
    app.get('/api/free', async () => ({ free: true }))
    app.get('/outside', async () => ({ outside: true }))
  })
  for (const path of ['/batch', '/BATCH', '/%62atch', '/batch/', '/free', '/explorer', '/Nobody', '/Orders/file', '/Orders/change-stream', '/Orders/special']) {
    const { status, body } = await send(app, [{ method: path.toLowerCase().includes('atch') ? 'POST' : 'GET', path }])
    t.match({ status, body }, { status: 400, body: { error: { code: 'BATCH_OPERATION_NOT_SUPPORTED' } } }, path)
  }
  const { body } = await send(app, [{ id: 'o', method: 'POST', path: '/Orders', body: { title: 'count2' } }, { method: 'GET', path: '/Orders/{o.title}' }])
  t.match(body, { error: { code: 'BATCH_OPERATION_NOT_SUPPORTED', operation: 1 } }, 'a value leads to no other route')
  t.strictSame(await counts(app), [0, 0, 0])
})

t.test('values in paths are one segment', async t => {
  const app = await makeServer(t)
  for (const title of ['..', '.', 'a/b', 'a\\b', '']) {
    const { status, body } = await send(app, [post('/Orders', { title, about: {} }, { id: 'o' }), { method: 'GET', path: '/Orders/{o.title}' }])
    t.ok(status === 400 || status === 422, JSON.stringify([title, body]))
  }
  for (const reference of ['o', 'o.about', 'o.__proto__', 'o.constructor', 'o.secret', 'o.title.length', 'toString', '__proto__.x', 'o.about.']) {
    const { status, body } = await send(app, [post('/Orders', { title: 'x', secret: 's', about: {} }, { id: 'o' }), { method: 'GET', path: `/Orders/{${reference}}` }])
    t.match({ status, body }, { status: 400, body: { error: { code: 'BATCH_UNKNOWN_REFERENCE', operation: 1 } } }, reference)
  }
  t.equal((await send(app, [post('/Orders', { title: 'x?y=1&z' }, { id: 'o' }), { method: 'GET', path: '/Orders/{o.title}' }])).status, 404)
  t.strictSame(await counts(app), [0, 0, 0])
})

t.test('limits', async t => {
  const app = await makeServer(t, { batch: { maxOperations: 3, bodyLimit: '300kb', maxResponse: 2000 } })
  const get = { method: 'GET', path: '/Orders' }
  t.equal((await send(app, [get, get, get])).status, 200)
  t.equal((await send(app, [get, get, get, get])).status, 400)
  const long = (length: number): object => post('/Orders', { title: 'x'.repeat(length) })
  t.match(await send(app, [long(110_000)]), { status: 413, body: { error: { operation: 0 } } }, 'each has the limit of a request')
  t.equal((await send(app, [long(400_000)])).status, 413)
  t.match(await send(app, [long(900), long(900), long(900)]), { status: 413, body: { error: { code: 'BATCH_RESPONSE_TOO_LARGE' } } })
  t.strictSame(await counts(app), [0, 0, 0])
  const { status, body: { results } } = await send(app, [long(900), long(900), long(900)], { atomic: false })
  t.match([status, results[2]], [200, { status: 200, omitted: true }])
  t.strictSame(await counts(app), [3, 0, 0])
})

t.test('hooks run for each, and what waits for the commit does not run for what is rolled back', async t => {
  const heard: string[] = []
  const app = await makeServer(t, {}, ({ Order }) => {
    Order?.observe('after save', async context => { heard.push(`saved ${(context as Loose).instance.title}`) })
    ;(Order as Loose).beforeRemote('create', async (context: Loose) => { heard.push(`before ${context.args.data.title}`) })
    ;(Order as Loose).afterRemote('create', async (context: Loose) => { heard.push(`after ${context.result.title}`) })
  })
  await send(app, [post('/Orders', { title: 'a' }), post('/Orders', { title: 'b' })])
  t.strictSame(heard, ['before a', 'saved a', 'after a', 'before b', 'saved b', 'after b'])
})

t.test('with a key for repeats', async t => {
  const app = await makeServer(t, { idempotency: true })
  const operations = [post('/Orders', { title: 'a' }, { id: 'o' }), post('/Items', { orderId: { $ref: 'o.id' } })]
  const key = { 'idempotency-key': '"b"' }
  const failing = await send(app, [...operations, post('/Items', { qty: -1 })], {}, key)
  t.match(failing, { status: 422, body: { error: { operation: 2 } } })
  t.strictSame(await counts(app), [0, 0, 0], 'what failed is rolled back, and the key is as new')
  const first = await send(app, operations, {}, key)
  t.equal(first.status, 200)
  const again = await send(app, operations, {}, key)
  t.strictSame([again.body, again.headers['idempotency-replayed']], [first.body, 'true'])
  t.equal((await send(app, operations.slice(1), {}, key)).status, 422)
  const each = await send(app, [post('/Others', { name: 'x' }), post('/Items', { qty: -1 })], { atomic: false }, { 'idempotency-key': 'c' })
  t.strictSame((await send(app, [post('/Others', { name: 'x' }), post('/Items', { qty: -1 })], { atomic: false }, { 'idempotency-key': 'c' })).body, each.body)
  t.strictSame(await counts(app), [1, 1, 1])
  const off = await makeServer(t)
  t.match(await send(off, operations, {}, key), { status: 400, body: { error: { code: 'UNSUPPORTED_HEADER' } } })
})

t.test('off, and a model that has the path', async t => {
  const off = await makeServer(t, { batch: false })
  t.equal((await send(off, [{ method: 'GET', path: '/Orders' }])).status, 404)
  await t.rejects(makeServer(t, {}, ({ Order }) => { (Order as Loose).settings.http = { path: '/Batch' } }), { code: 'FBK_REST_BATCH_PATH_TAKEN' })
})

t.test('errors in the other forms', async t => {
  const app = await makeServer(t, { errors: 'problem' })
  const problem = await send(app, [post('/Items', { qty: -1 })])
  t.match(problem, { status: 422, headers: { 'content-type': /problem/ }, body: { status: 422, code: 'VALIDATION_FAILED', operation: 0 } })
  t.match((await send(app, [post('/Items', { qty: -1 })], { atomic: false })).body.results, [{ status: 422, error: { status: 422 } }])
})

t.test('a large value that is named many times', async t => {
  const app = await makeServer(t)
  const many = Array.from({ length: 5000 }, () => ({ $ref: 'o' }))
  const { status, body } = await send(app, [
    post('/Orders', { title: 'x'.repeat(90_000) }, { id: 'o' }), post('/Orders', { title: 'y', about: { many } })
  ])
  t.match({ status, body }, { status: 413, body: { error: { operation: 1 } } })
  t.strictSame(await counts(app), [0, 0, 0])
})

t.test('requests that a hook makes within an operation', async t => {
  const app = await makeServer(t, { idempotency: { required: true } }, ({ Order }, app) => {
    Order?.observe('after save', async () => {
      const { statusCode } = await app.inject({ method: 'POST', url: '/api/Items', payload: { name: 'by hook' } })
      if (statusCode !== 200) throw new Error(String(statusCode))
    })
  })
  const operations = [post('/Orders', { title: 'a' })]
  t.match(await send(app, operations), { status: 400, body: { error: { code: 'IDEMPOTENCY_KEY_REQUIRED' } } })
  t.equal((await send(app, operations, {}, { 'idempotency-key': 'k' })).status, 200, 'operations need no key of their own')
  t.strictSame(await counts(app), [1, 1, 0])
})

t.test('what takes too long is not gone on with', async t => {
  const app = await makeServer(t, { batch: { seconds: 1 } }, ({ Item }) => {
    (Item as Loose).observe('after save', async ({ instance }: Loose) => { if (instance.qty === 9) await setTimeout(1050) })
  })
  const operations = [post('/Items', { qty: 1 }), post('/Items', { qty: 9 }), post('/Items', { qty: 2 })]
  t.match(await send(app, operations), { status: 422, body: { error: { code: 'BATCH_TIMEOUT', operation: 2 } } })
  t.strictSame(await counts(app), [0, 0, 0], 'nothing was done')
  const { status, body } = await send(app, operations, { atomic: false })
  t.equal(status, 200)
  t.match(body.results.map(({ status, body, error }: Loose) => (body?.error ?? error)?.code ?? status), [200, 200, 'BATCH_TIMEOUT'])
  t.strictSame(await counts(app), [0, 2, 0])
})
