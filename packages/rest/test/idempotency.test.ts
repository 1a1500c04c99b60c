/** Requests with an `Idempotency-Key`, in a store without transactions. */
import t, { type Test } from 'tap'
import type { FastifyInstance } from 'fastify'
import { RequestError } from '@fastback/core'
import { KeyStore } from '../src/idempotency/key-store.js'
import { call, makeApp, note, type AppParts } from './app.js'

type Loose = any

const order = { name: 'Order', properties: { title: { type: 'string' as const, required: true } } }

async function app (t: Test, parts: Partial<AppParts> = {}): Promise<FastifyInstance> {
  return await makeApp(t, { definitions: [note, order], options: { idempotency: true }, ...parts })
}

const keyed = (key: string, more: Record<string, string> = {}): Record<string, string> => ({ 'idempotency-key': key, ...more })
const rows = async ({ models }: FastifyInstance, name = 'Note'): Promise<number> =>
  await (models as Loose)[name].count() as number

t.test('a repeat has the response of the first request, and no effect', async t => {
  const server = await app(t)
  const first = await call(server, 'POST', '/Notes', { title: 'a', size: 2 }, keyed('"k-1"'))
  t.equal(first.status, 200)
  t.equal(first.headers['idempotency-replayed'], undefined)
  for (const key of ['"k-1"', 'k-1']) {
    const again = await call(server, 'POST', '/Notes', { size: 2, title: 'a' }, keyed(key))
    t.strictSame([again.status, again.body, again.headers['idempotency-replayed']], [200, first.body, 'true'], key)
    t.equal(again.headers['content-type'], first.headers['content-type'])
  }
  t.equal(await rows(server), 1)
  t.equal((await call(server, 'POST', '/Notes', { title: 'a', size: 2 }, keyed('"k-2"'))).status, 200)
  t.equal((await call(server, 'POST', '/Notes', { title: 'a', size: 2 })).status, 200)
  t.equal(await rows(server), 3, 'other keys, and none, are other requests')
})

t.test('PATCH, PUT, DELETE, relations, forms and methods of the application', async t => {
  const server = await app(t, {
    definitions: [
      {
        ...note,
        relations: { parts: { type: 'hasMany', model: 'Part' } },
        methods: {
          double: { accepts: [{ arg: 'by', type: 'number' }], returns: { arg: 'count', type: 'number' }, http: { verb: 'post' } },
          nothing: { http: { verb: 'post' } },
          look: { accessType: 'READ', returns: { arg: 'calls', type: 'number' }, http: { verb: 'post' } }
        }
      },
      { name: 'Part', properties: { name: 'string' }, relations: { note: { type: 'belongsTo', model: 'Note' } } }
    ],
    prepare (models) {
      let [calls, looks, nothings] = [0, 0, 0]
      Object.assign(models.Note as object, {
        double: async (by: number) => { calls += by; return calls },
        nothing: async () => { nothings++; if (nothings > 1) throw new Error('twice') },
        look: async () => { looks++; return looks }
      })
    }
  })
  await call(server, 'POST', '/Notes', { title: 'a', size: 1 })
  const twice = async (key: string, ...[method, url, body]: [Loose, string, unknown?]): Promise<Loose> => {
    const first = await call(server, method, url, body, keyed(key))
    const second = await call(server, method, url, body, keyed(key))
    t.strictSame([second.status, second.body], [first.status, first.body], `${method} ${url}`)
    t.equal(second.headers['idempotency-replayed'], 'true', `${method} ${url}`)
    return first
  }
  t.match(await twice('p', 'PATCH', '/Notes/1', { size: 5 }), { status: 200, body: { size: 5 } })
  t.match(await twice('u', 'PUT', '/Notes/1', { title: 'b' }), { status: 200, body: { title: 'b' } })
  t.match(await twice('r', 'POST', '/Notes/1/parts', { name: 'x' }), { status: 200, body: { name: 'x', noteId: 1 } })
  t.equal(await rows(server, 'Part'), 1)
  t.match(await twice('m', 'POST', '/Notes/double', { by: 3 }), { body: { count: 3 } })
  t.match(await twice('n', 'POST', '/Notes/nothing'), { status: 204, body: '' })
  t.match(await twice('d', 'DELETE', '/Notes/1'), { status: 200, body: { count: 1 } })
  const looked = [
    await call(server, 'POST', '/Notes/look', {}, keyed('l')), await call(server, 'POST', '/Notes/look', {}, keyed('l'))
  ]
  t.strictSame(looked.map(({ body }) => body.calls), [1, 2], 'what only reads is run each time')
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const forms = [
    await call(server, 'POST', '/Notes', 'title=f', keyed('f', form)), await call(server, 'POST', '/Notes', 'title=f', keyed('f', form))
  ]
  t.same(forms[1]?.body, forms[0]?.body)
  t.equal(await rows(server), 1)
})

t.test('another request with the key is a 422', async t => {
  const server = await app(t)
  await call(server, 'POST', '/Notes', { title: 'a' }, keyed('k'))
  type Sent = [Loose, string, unknown, Record<string, string>?]
  const other = async (...[method, url, body, headers = {}]: Sent): Promise<void> => {
    const { status, body: { error } } = await call(server, method, url, body, keyed('k', headers))
    t.match({ status, error }, { status: 422, error: { code: 'IDEMPOTENCY_KEY_REUSED' } }, `${method} ${url} ${JSON.stringify(body)}`)
  }
  await other('POST', '/Notes', { title: 'b' })
  await other('POST', '/Notes', { title: 'a', size: null })
  await other('POST', '/Notes?x=1', { title: 'a' })
  await other('POST', '/Orders', { title: 'a' })
  await other('PUT', '/Notes', { title: 'a' })
  await other('POST', '/Notes', 'title=a', { 'content-type': 'application/x-www-form-urlencoded' })
  t.equal(await rows(server), 1)
})

t.test('keys that are none are a 400', async t => {
  const server = await app(t)
  for (const key of ['', '""', '"', 'a b', 'a,b', 'a;b', '"a', '"a"b', 'é', `"${'x'.repeat(256)}"`, 'x'.repeat(256), '"\t"']) {
    const { status, body } = await call(server, 'POST', '/Notes', { title: 'a' }, keyed(key))
    t.match({ status, body }, { status: 400, body: { error: { code: 'INVALID_IDEMPOTENCY_KEY' } } }, JSON.stringify(key))
  }
  for (const key of ['x'.repeat(255), `"${'x'.repeat(255)}"`, '"a b, \\"c\\" \\\\"']) {
    t.equal((await call(server, 'POST', '/Notes', { title: key.slice(0, 9) }, keyed(key))).status, key.startsWith('"x') ? 422 : 200, key)
  }
})

t.test('what failed is not stored, and the key is as new', async t => {
  let fails = true
  const server = await app(t, {
    prepare (models) {
      models.Order?.observe('before save', async () => { if (fails) throw new RequestError(409, 'not now', { code: 'NOT_NOW' }) })
    }
  })
  t.equal((await call(server, 'POST', '/Notes', { size: 1 }, keyed('v'))).status, 422)
  t.equal((await call(server, 'POST', '/Notes', { title: 'right', size: 1 }, keyed('v'))).status, 200, 'a corrected body')
  t.equal((await call(server, 'POST', '/Orders', { title: 'o' }, keyed('o'))).status, 409)
  fails = false
  t.equal((await call(server, 'POST', '/Orders', { title: 'o' }, keyed('o'))).status, 200)
  t.equal((await call(server, 'PATCH', '/Notes/99', { size: 1 }, keyed('n'))).status, 404)
  t.equal((await call(server, 'PATCH', '/Notes/99', { size: 2 }, keyed('n'))).status, 404)
})

t.test('a fault of the server: without transactions nobody knows what was done, and it is not done again', async t => {
  let calls = 0
  const server = await app(t, {
    prepare (models) { models.Order?.observe('after save', async () => { calls++; throw new Error('broken') }) }
  })
  t.equal((await call(server, 'POST', '/Orders', { title: 'o' }, keyed('o'))).status, 500)
  const { status, body } = await call(server, 'POST', '/Orders', { title: 'o' }, keyed('o'))
  t.match({ status, body }, { status: 409, body: { error: { code: 'IDEMPOTENCY_OUTCOME_UNKNOWN' } } })
  t.equal(calls, 1)
})

t.test('a request under way is a 409 with Retry-After', async t => {
  let go = (): void => {}
  let calls = 0
  const reached = new Promise<void>(resolve => {
    go = resolve
  })
  let finish = (): void => {}
  const finished = new Promise<void>(resolve => { finish = resolve })
  const server = await app(t, {
    prepare (models) {
      models.Order?.observe('before save', async () => { calls++; go(); await finished })
    }
  })
  const first = call(server, 'POST', '/Orders', { title: 'o' }, keyed('o'))
  await reached
  const second = await call(server, 'POST', '/Orders', { title: 'o' }, keyed('o'))
  t.match(second, { status: 409, body: { error: { code: 'IDEMPOTENCY_KEY_IN_USE' } }, headers: { 'retry-after': '1' } })
  // Another process has the claim only.
  const Key = server.registry.findModel('IdempotencyKey') as Loose
  const [row] = await Key.find() as Loose[]
  t.match({ status: row.status, claim: row.claim }, { status: null, claim: /^[\da-f-]{36}$/ })
  finish()
  t.equal((await first).status, 200)
  t.equal((await call(server, 'POST', '/Orders', { title: 'o' }, keyed('o'))).headers['idempotency-replayed'], 'true')
  t.equal(calls, 1)
})

t.test('claims of other processes: under way, cut off, and over', async t => {
  const server = await app(t)
  await call(server, 'POST', '/Notes', { title: 'a' }, keyed('k'))
  const Key = server.registry.findModel('IdempotencyKey') as Loose
  const put = async (changes: object): Promise<void> => { await Key.updateAll({}, changes as never) }
  const again = async (body: object = { title: 'a' }): Promise<Loose> => await call(server, 'POST', '/Notes', body, keyed('k'))
  const unknown = { status: null, claim: '00000000-0000-4000-8000-000000000000' }
  await put({ ...unknown, lease: new Date(Date.now() + 60_000) })
  t.match(await again(), { status: 409, body: { error: { code: 'IDEMPOTENCY_KEY_IN_USE' } } })
  await put({ ...unknown, lease: new Date(Date.now() - 1) })
  t.match(await again(), { status: 409, body: { error: { code: 'IDEMPOTENCY_OUTCOME_UNKNOWN' } } })
  await put({ expires: new Date(Date.now() - 1) })
  t.match(await again({ title: 'b' }), { status: 200, body: { title: 'b' } }, 'after its time a key is as new')
  t.equal(await rows(server), 2)
})

t.test('what is stored: no secrets beside the response, and not for long', async t => {
  const server = await app(t, { options: { idempotency: { ttl: 60, maxResponse: 200 } } })
  await call(server, 'POST', '/Notes', { title: 'a', secret: 'hush' }, keyed('the-key', { authorization: 'Bearer abc' }))
  const Key = server.registry.findModel('IdempotencyKey') as Loose
  const [row] = await Key.find() as Loose[]
  t.notMatch(JSON.stringify(row), /hush|the-key|abc/)
  t.ok(Math.abs(row.expires - Date.now() - 60_000) < 10_000)
  t.equal((await call(server, 'GET', '/IdempotencyKeys')).status, 404, 'it is not published')
  const long = { title: 'x'.repeat(300) }
  t.equal((await call(server, 'POST', '/Notes', long, keyed('long'))).status, 200)
  t.match(await call(server, 'POST', '/Notes', long, keyed('long')), {
    status: 409, body: { error: { code: 'IDEMPOTENCY_RESPONSE_NOT_STORED', details: { status: 200 } } }
  })
  t.equal(await rows(server), 2)
})

t.test('required keys, and settings of models', async t => {
  const server = await app(t, {
    definitions: [note, { ...order, settings: { idempotency: false } }, { ...order, name: 'Plain' }],
    options: { idempotency: { required: true } }
  })
  t.match(await call(server, 'POST', '/Notes', { title: 'a' }), { status: 400, body: { error: { code: 'IDEMPOTENCY_KEY_REQUIRED' } } })
  t.equal((await call(server, 'POST', '/Notes', { title: 'a' }, keyed('a'))).status, 200)
  t.equal((await call(server, 'GET', '/Notes')).status, 200)
  t.equal((await call(server, 'DELETE', '/Notes/1')).status, 200)
  t.equal((await call(server, 'POST', '/Orders', { title: 'a' })).status, 200)
  t.match(await call(server, 'POST', '/Orders', { title: 'a' }, keyed('a')), { status: 400, body: { error: { code: 'UNSUPPORTED_HEADER' } } })
  const single = await makeApp(t, { definitions: [{ ...note, settings: { idempotency: { required: true } } }, order] })
  t.equal((await call(single, 'POST', '/Notes', { title: 'a' })).status, 400)
  t.equal((await call(single, 'POST', '/Orders', { title: 'a' })).status, 200)
})

t.test('off: the header is refused, there is no model', async t => {
  const server = await makeApp(t, { definitions: [note] })
  t.match(await call(server, 'POST', '/Notes', { title: 'a' }, keyed('a')), { status: 400, body: { error: { code: 'UNSUPPORTED_HEADER' } } })
  t.equal(server.registry.findModel('IdempotencyKey'), undefined)
})

t.test('methods whose response is not stored refuse the header', async t => {
  const server = await app(t, {
    definitions: [{
      ...note,
      methods: {
        file: { returns: { arg: 'file', type: 'file', root: true }, http: { verb: 'post' } },
        own: {
          accepts: [{ arg: 'Idempotency-Key', type: 'string', http: { source: 'header' } }],
          returns: { arg: 'key', type: 'string' }, http: { verb: 'post' }
        }
      }
    }],
    prepare (models) { Object.assign(models.Note as object, { file: async () => 'x', own: async (key: string) => key }) }
  })
  t.match(await call(server, 'POST', '/Notes/file', {}, keyed('a')), { status: 400, body: { error: { code: 'UNSUPPORTED_HEADER' } } })
  t.equal((await call(server, 'POST', '/Notes/file', {})).status, 200)
  t.match(await call(server, 'POST', '/Notes/own', {}, keyed('a')), { status: 200, body: { key: 'a' } }, 'a method may read it itself')
})

t.test('old rows are removed, few at a time', async t => {
  const server = await makeApp(t, { definitions: [note] })
  const store = new KeyStore(server.registry, 'db', 'Keys')
  const row = (i: number): object => ({
    id: String(i), fingerprint: 'f', claim: 'c', lease: new Date(), expires: new Date(Date.now() + (i < 1200 ? -1 : 60_000))
  })
  await (store.Model as Loose).create(Array.from({ length: 1203 }, (_, i) => row(i)) as never)
  await store.sweep()
  t.strictSame((await (store.Model as Loose).find() as Loose[]).map(({ id }) => id), ['1200', '1201', '1202'])
})

t.test('a response that nobody may store is not stored', async t => {
  const server = await app(t, {
    prepare (models) {
      (models.Order as Loose).afterRemote('create', async (context: Loose) => { context.reply.header('cache-control', 'no-store') })
    }
  })
  t.equal((await call(server, 'POST', '/Orders', { title: 'o' }, keyed('o'))).status, 200)
  t.match(await call(server, 'POST', '/Orders', { title: 'o' }, keyed('o')), {
    status: 409, body: { error: { code: 'IDEMPOTENCY_RESPONSE_NOT_STORED' } }
  })
  t.equal(await rows(server, 'Order'), 1)
})
