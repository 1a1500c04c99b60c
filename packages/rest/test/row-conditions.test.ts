/** Conditions on rows: ETag, If-Match, If-None-Match, and versions among the data. */
import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import type { FastifyInstance } from 'fastify'
import type { ModelDefinitionInput } from '@fastback/core'
import { instrument, type Instrument } from '@fastback/core/remote'
import { makeApp } from './app.js'

type Loose = any

const definitions: ModelDefinitionInput[] = [
  {
    name: 'Note',
    version: true,
    hidden: ['secret'],
    properties: { title: { type: 'string', required: true }, secret: 'string', box: 'object' },
    relations: {
      items: { type: 'hasMany', model: 'Item', foreignKey: 'noteId' },
      cover: { type: 'hasOne', model: 'Item', foreignKey: 'coverId' }
    }
  },
  {
    name: 'Item',
    version: 'rev',
    requireMatch: true,
    properties: { rev: 'number', name: 'string' },
    relations: { note: { type: 'belongsTo', model: 'Note', foreignKey: 'noteId' } }
  },
  { name: 'Plain', etag: true, properties: { name: 'string' } },
  { name: 'Bare', properties: { name: 'string' } },
  { name: 'Free', version: true, forceId: false, properties: { id: { type: 'number', id: true }, name: 'string' } },
  { name: 'Seen', version: true, scope: { include: 'parts' }, properties: { name: 'string' }, relations: { parts: { type: 'hasMany', model: 'Bare', foreignKey: 'seenId' } } }
]

interface Answer { readonly status: number, readonly etag: string | undefined, readonly body: any }
type Send = (method: string, url: string, data?: unknown, headers?: Record<string, string>) => Promise<Answer>

const sender = (app: FastifyInstance): Send => async (method, url, data, headers = {}) => {
  const { statusCode, headers: given, body } = await app.inject({
    method: method as 'GET', url: `/api${url}`, headers, ...(data === undefined ? {} : { payload: data as object })
  })
  return { status: statusCode, etag: given.etag as string | undefined, body: body === '' ? undefined : JSON.parse(body) }
}

const match = (tag: string): Record<string, string> => ({ 'if-match': tag })
const none = (tag: string): Record<string, string> => ({ 'if-none-match': tag })

/** The same requests, straight to the operations and through hooks of the application. */
for (const isHooked of [false, true]) {
  t.test(isHooked ? 'with hooks' : 'without hooks', async t => {
    const app = await makeApp(t, {
      definitions,
      prepare (models) {
        if (!isHooked) return
        for (const Model of Object.values(models) as Loose[]) {
          Model.beforeRemote('**', (_: unknown, __: unknown, next: () => void) => { next() })
        }
      }
    })
    const send = sender(app)

    await t.test('tags of one row', async t => {
      t.match(await send('POST', '/Notes', { title: 'a', secret: 's' }), { status: 200, etag: '"1"', body: { version: 1 } })
      t.match(await send('GET', '/Notes/1'), { status: 200, etag: '"1"', body: { title: 'a', version: 1 } })
      t.match(await send('PATCH', '/Notes/1', { title: 'b' }), { etag: '"2"', body: { version: 2 } })
      t.match(await send('PUT', '/Notes/1', { title: 'c' }), { etag: '"3"', body: { version: 3 } })
      t.match(await send('POST', '/Notes/1/replace', { title: 'd' }), { etag: '"4"' })
      t.match(await send('PATCH', '/Notes', { id: 1, title: 'e' }), { etag: '"5"' })
      t.match(await send('PUT', '/Notes', { id: 1, title: 'f' }), { etag: '"6"' })
      t.match(await send('POST', '/Notes/upsertWithWhere?where={"id":1}', { title: 'g' }), { etag: '"7"' })
      t.equal((await send('GET', '/Notes')).etag, undefined, 'lists have none')
      t.equal((await send('GET', '/Notes/count')).etag, undefined)
      t.equal((await send('POST', '/Notes/update?where={"id":1}', { title: 'h' })).etag, undefined)
      t.match(await send('GET', '/Notes/1'), { etag: '"8"', body: { version: 8 } }, 'a bulk update counts')
      t.match(await send('GET', '/Notes/findOne'), { etag: /^"8-[\w-]{22}"$/ })
    })

    await t.test('other forms of the row have other tags', async t => {
      const plain = (await send('GET', '/Notes/1')).etag
      const included = (await send('GET', '/Notes/1?filter={"include":"items"}')).etag as string
      t.match(included, /^"8-[\w-]{22}"$/)
      t.not(included, plain)
      t.match((await send('GET', '/Notes/1?filter={"fields":["title"]}')).etag, /^"h[\w-]{22}"$/)
      t.match(await send('POST', '/Notes/1/items', { name: 'x' }), { status: 200, etag: '"1"' })
      const later = (await send('GET', '/Notes/1?filter={"include":"items"}')).etag as string
      t.not(later, included, 'an included row is part of it')
      t.equal((await send('GET', '/Notes/1', undefined, none(included))).status, 200)
      t.equal((await send('PATCH', '/Notes/1', { title: 'i' }, match(later))).status, 200, 'its version is compared')
      t.match(await send('POST', '/Seens', { name: 'a' }), { status: 200 })
      t.match((await send('GET', '/Seens/1')).etag, /^"1-[\w-]{22}"$/, 'includes of the default scope')
    })

    await t.test('304', async t => {
      const { etag } = await send('GET', '/Notes/1')
      for (const header of [etag, `W/${etag as string}`, `"x", ${etag as string}`, '*']) {
        const reply = await send('GET', '/Notes/1', undefined, none(header as string))
        t.match(reply, { status: 304, etag, body: undefined }, String(header))
      }
      for (const header of ['"1"', '"x"', 'x', '']) {
        t.equal((await send('GET', '/Notes/1', undefined, none(header))).status, 200, header)
      }
      t.equal((await send('GET', '/Notes/99', undefined, none('*'))).status, 404)
      if (isHooked) return
      t.match(await send('HEAD', '/Notes/1'), { status: 200, etag })
      t.match(await send('HEAD', '/Notes/1', undefined, none(etag as string)), { status: 304, etag })
      t.match(await send('HEAD', '/Notes/99'), { status: 404 })
    })

    await t.test('412, with the row as it is', async t => {
      const { etag, body } = await send('GET', '/Notes/1')
      for (const header of ['"1"', `W/${etag as string}`, '"x"', '"1", "2"', '"99999999999999999999"', '""', `"${'9'.repeat(5000)}"`]) {
        for (const [method, url] of [['PATCH', '/Notes/1'], ['PUT', '/Notes/1'], ['POST', '/Notes/1/replace'], ['DELETE', '/Notes/1']] as const) {
          const refused = await send(method, url, method === 'DELETE' ? undefined : { title: 'no' }, match(header))
          t.match(refused, { status: 412, etag, body: { error: { code: 'VERSION_CONFLICT', current: body } } }, `${method} ${header.slice(0, 30)}`)
          t.equal(refused.body.error.current?.secret, undefined)
        }
      }
      t.match(await send('PATCH', '/Notes', { id: 1, title: 'no' }, match('"1"')), { status: 412 })
      t.match(await send('PATCH', '/Notes/1', { title: 'no', version: 1 }), { status: 412, etag })
      t.match(await send('PUT', '/Notes/1', { title: 'no', version: 1 }), { status: 412, etag })
      t.match(await send('GET', '/Notes/1'), { etag, body }, 'nothing was written')
    })

    await t.test('what matches', async t => {
      const { body: { version } } = await send('GET', '/Notes/1')
      t.match(await send('PATCH', '/Notes/1', { title: 'a' }, match(`"${String(version)}"`)), { status: 200 })
      t.match(await send('PATCH', '/Notes/1', { title: 'a' }, match(`"1" ,W/"2",\t"${String(version + 1)}"`)), { status: 200 })
      t.match(await send('PATCH', '/Notes/1', { title: 'a' }, match('*')), { status: 200 })
      t.match(await send('PATCH', '/Notes/1', { title: 'a', version: version + 3 }), { status: 200, body: { version: version + 4 } })
      t.match(await send('PATCH', '/Notes/1', { title: 'a', version: 1 }, match(`"${String(version + 4)}"`)), { status: 200 })
      for (const header of ['x', '"a', 'W/', '"a" "b"', '*, "a"', ',']) {
        t.match(await send('PATCH', '/Notes/1', { title: 'no' }, match(header)), { status: 400, body: { error: { code: 'INVALID_ENTITY_TAG' } } }, header)
      }
      for (const header of ['*', '"1"', '"1", "2"']) {
        t.equal((await send('PATCH', '/Notes/99', { title: 'no' }, match(header))).status, 404, 'a row that is not there')
        t.equal((await send('PUT', '/Notes/99', { title: 'no' }, match(header))).status, 404)
        t.equal((await send('DELETE', '/Notes/99', undefined, match(header))).status, 404)
      }
    })

    await t.test('versions are made, and not taken', async t => {
      t.match(await send('POST', '/Notes', { title: 'v', version: 9 }), { status: 422, body: { error: { details: [{ path: '.version', code: 'readOnly' }] } } })
      t.match(await send('POST', '/Notes', [{ title: 'v' }, { title: 'w', version: 9 }]), { status: 422, body: { error: { details: [{ path: '[1].version' }] } } })
      t.match(await send('POST', '/Notes', { title: 'v', version: null }), { status: 200, etag: '"1"' })
      t.match(await send('PATCH', '/Notes/2', { title: 'w', version: 'x' }), { status: 422 })
      t.match(await send('POST', '/Notes/update?where={"id":2}', { version: 77 }), { status: 200 })
      t.match((await send('GET', '/Notes/2')).body.version, 2)
    })

    await t.test('428', async t => {
      const required = { status: 428, body: { error: { code: 'PRECONDITION_REQUIRED' } } }
      const { body: { id } } = await send('POST', '/Items', { name: 'a' })
      for (const [method, url] of [['PATCH', `/Items/${String(id)}`], ['PUT', '/Items/99'], ['DELETE', `/Items/${String(id)}`], ['PUT', '/Notes/1/items/1'], ['DELETE', '/Notes/1/items/1'], ['PATCH', '/Items']] as const) {
        t.match(await send(method, url, method === 'DELETE' ? undefined : { name: 'b', ...(url === '/Items' ? { id } : {}) }), required, `${method} ${url}`)
      }
      t.match(await send('PATCH', `/Items/${String(id)}`, { name: 'b', rev: 1 }), { status: 200, etag: '"2"' })
      t.match(await send('PATCH', `/Items/${String(id)}`, { name: 'b' }, match('"2"')), { status: 200 })
    })

    await t.test('relations', async t => {
      t.match(await send('GET', '/Notes/1/items/1'), { etag: '"1"' })
      const { body: { version } } = await send('GET', '/Notes/1')
      t.match(await send('GET', '/Items/1/note'), { etag: new RegExp(`^"${String(version)}-`) }, 'it may lead to another row')
      t.match(await send('PUT', '/Notes/1/items/1', { name: 'b' }, match('"9"')), { status: 412, etag: '"1"', body: { error: { current: { name: 'x' } } } })
      t.match(await send('PUT', '/Notes/1/items/1', { name: 'b' }, match('"1"')), { status: 200, etag: '"2"' })
      t.match(await send('DELETE', '/Notes/1/items/1', undefined, match('"1"')), { status: 412 })
      t.match(await send('DELETE', '/Notes/1/items/1', undefined, match('"2"')), { status: 204 })
      t.match(await send('POST', '/Notes/1/cover', { name: 'c' }), { status: 200, etag: '"1"' })
      t.match(await send('GET', '/Notes/1/cover'), { etag: /^"1-/ })
      t.match(await send('PUT', '/Notes/1/cover', { name: 'd' }, match('"7"')), { status: 412 })
      t.match(await send('PUT', '/Notes/1/cover', { name: 'd' }, match('"1"')), { status: 200, etag: '"2"' })
      t.match(await send('DELETE', '/Notes/1/cover', undefined, match('"1"')), { status: 412 })
      t.match(await send('DELETE', '/Notes/1/cover', undefined, match('"2"')), { status: 204 })
    })

    await t.test('If-None-Match: * makes rows, and changes none', async t => {
      t.match(await send('PUT', '/Frees', { id: 5, name: 'a' }, none('*')), { status: 200, etag: '"1"' })
      t.match(await send('PUT', '/Frees', { id: 5, name: 'b' }, none('*')), { status: 412, body: { error: { code: 'PRECONDITION_FAILED' } } })
      t.match(await send('PATCH', '/Frees', { id: 5, name: 'b' }, none('*')), { status: 412 })
      t.match((await send('GET', '/Frees/5')).body, { name: 'a', version: 1 })
      t.match(await send('PUT', '/Frees', { id: 6, name: 'b' }, match('"1"')), { status: 404 })
      t.match(await send('PUT', '/Frees', { id: 6, name: 'b' }, match('*')), { status: 404 })
      t.match(await send('PUT', '/Frees/5', { name: 'b' }, none('*')), { status: 412 })
    })

    await t.test('without versions: a hash of the text', async t => {
      await send('POST', '/Plains', { name: 'a' })
      const { etag } = await send('GET', '/Plains/1')
      t.match(etag, /^"h[\w-]{22}"$/)
      t.match(await send('GET', '/Plains/1', undefined, none(etag as string)), { status: 304, etag })
      t.match(await send('PATCH', '/Plains/1', { name: 'b' }, match('"1"')), { status: 412, etag, body: { error: { current: { name: 'a' } } } })
      t.match(await send('PATCH', '/Plains/1', { name: 'b' }, match(`W/${etag as string}`)), { status: 412 })
      t.match(await send('PATCH', '/Plains/1', { name: 'b' }, match(`"x", ${etag as string}`)), { status: 200 })
      t.match(await send('PATCH', '/Plains/1', { name: 'c' }, match(etag as string)), { status: 412 })
      t.match(await send('DELETE', '/Plains/1', undefined, match(etag as string)), { status: 412 })
      t.match(await send('DELETE', '/Plains/1', undefined, match((await send('GET', '/Plains/1')).etag as string)), { status: 200 })
      t.match(await send('PATCH', '/Plains/1', { name: 'c' }, match(etag as string)), { status: 404 })
    })

    await t.test('other models are as they were', async t => {
      t.match(await send('POST', '/Bares', { name: 'a' }), { status: 200, etag: undefined })
      t.match(await send('GET', '/Bares/1', undefined, none('*')), { status: 200, etag: undefined })
      t.match(await send('PATCH', '/Bares/1', { name: 'b' }, match('"1"')), { status: 400, body: { error: { code: 'UNSUPPORTED_HEADER' } } })
      t.match(await send('GET', '/Notes/1', undefined, match('"1"')), { status: 400 })
    })
  })
}

t.test('of two who saw the same row, one writes it', async t => {
  const send = sender(await makeApp(t, { definitions }))
  await send('POST', '/Notes', { title: '0' })
  await send('POST', '/Plains', { name: '0' })
  for (const [url, key] of [['/Notes/1', 'title'], ['/Plains/1', 'name']] as const) {
    let written = 0
    const write = async (): Promise<void> => {
      const { etag, body } = await send('GET', url)
      const { status } = await send('PATCH', url, { [key]: String(Number(body[key]) + 1) }, match(etag as string))
      if (status === 200) written++
      else t.equal(status, 412)
    }
    for (let i = 0; i < 30; i++) await Promise.all([write(), write()])
    t.ok(written >= 30)
    t.equal((await send('GET', url)).body[key], String(written))
  }
})

t.test('the version is not seen through rules that hide the row', async t => {
  const app = await makeApp(t, {
    definitions: [{ name: 'Mine', plural: 'Mine', version: true, properties: { owner: 'string', text: 'string' } }],
    prepare ({ Mine }) { Mine?.observe('access', async (ctx: any) => { ctx.query.where = { ...ctx.query.where, owner: 'me' } }) }
  })
  const send = sender(app)
  await send('POST', '/Mine', { owner: 'you', text: 'secret' })
  for (const header of ['"1"', '"2"', '"1", "2"', '*']) {
    const statuses = [
      await send('PATCH', '/Mine/1', { text: 'x' }, match(header)), await send('PUT', '/Mine/1', { text: 'x' }, match(header)),
      await send('DELETE', '/Mine/1', undefined, match(header)), await send('GET', '/Mine/1', undefined, none(header))
    ]
    for (const { status, etag, body } of statuses) {
      t.equal(status, 404, header)
      t.equal(etag, undefined)
      t.notMatch(JSON.stringify(body), /secret/)
    }
  }
})

t.test('what listens to calls may await them: one response is sent, whether there is a body or not', async t => {
  const awaiting: Instrument = (({ kind }: { kind: string }, work: () => unknown) =>
    kind === 'method' ? (async () => await work())() : work()) as never
  let sent = 0
  const app = await makeApp(t, {
    definitions,
    async prepare (_, app) {
      instrument(app.registry, awaiting)
      app.addHook('onSend', async () => {
        sent++
        await setImmediate()
      })
    }
  })
  const send = sender(app)
  const statuses = [
    await send('POST', '/Notes', { title: 'a' }), await send('GET', '/Notes/1'),
    await send('GET', '/Notes/1', undefined, none('"1"')), await send('HEAD', '/Notes/1'),
    await send('PATCH', '/Notes/1', { title: 'b' }), await send('DELETE', '/Notes/1'), await send('GET', '/Notes/1')
  ].map(({ status }) => status)
  t.strictSame([statuses, sent], [[200, 200, 304, 200, 200, 200, 404], 7])
})
