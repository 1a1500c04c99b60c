/** Routes of writes of many rows, and rows that are created from lines of JSON. */
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import type { ModelDefinitionInput } from '@fastback/core'
import { makeApp } from './app.js'

const properties = {
  code: { type: 'string', required: true, index: { unique: true } },
  stars: { type: 'number', jsonSchema: { maximum: 5 } },
  fixed: { type: 'string', readOnly: true },
  secret: 'string'
}
const definitions: ModelDefinitionInput[] = [
  { name: 'Note', bulk: true, hidden: ['secret'], properties },
  { name: 'Small', bulk: true, maxBulkRows: 2, properties },
  { name: 'Named', bulk: true, properties: { id: { type: 'string', id: true }, text: 'string' } },
  { name: 'Closed', properties }
]

type Parts = Partial<Parameters<typeof makeApp>[1]>

async function start (t: Parameters<typeof makeApp>[0], parts: Parts = {}) {
  const app = await makeApp(t, { definitions, ...parts })
  const send = async (method: 'POST' | 'PATCH' | 'PUT', url: string, data: unknown, type = 'application/json', headers: object = {}) => {
    const { statusCode, body } = await app.inject({
      method, url: `/api${url}`, payload: typeof data === 'string' ? data : JSON.stringify(data),
      headers: { 'content-type': type, ...headers }
    })
    return { status: statusCode, body: JSON.parse(body) }
  }
  return { app, send }
}

t.test('routes', async t => {
  const { app, send } = await start(t)
  t.match(await send('PUT', '/Notes/bulk', { rows: [{ code: 'a', stars: 1, secret: 's' }, { code: 'b' }], by: ['code'], return: 'rows' }), {
    status: 200, body: { count: 2, rows: [{ id: 1, code: 'a', stars: 1, secret: undefined }, { id: 2, code: 'b' }] }
  })
  t.strictSame(await send('PATCH', '/Notes/bulk', { ids: [1, '2', 99], data: { stars: 3 } }), { status: 200, body: { count: 2 } })
  t.match(await send('PATCH', '/Notes/bulk', { where: { stars: { gt: 2 } }, data: { stars: 4 }, return: 'rows' }), {
    status: 200, body: { count: 2, rows: [{ stars: 4 }, { stars: 4 }] }
  })
  t.match(await send('POST', '/Notes/bulk/delete', { ids: [2], return: 'rows' }), { status: 200, body: { count: 1, rows: [{ code: 'b' }] } })
  t.strictSame(await send('POST', '/Notes/bulk/delete', { all: true }), { status: 200, body: { count: 1 } })
  for (const [verb, path, body, status, code] of [
    ['PATCH', '/Notes/bulk', { data: { stars: 1 } }, 400, 'INVALID_BULK'],
    ['PATCH', '/Notes/bulk', { where: {}, data: { stars: 1 } }, 400, 'INVALID_BULK'],
    ['PATCH', '/Notes/bulk', { where: { and: [{}] }, data: { stars: 1 } }, 400, 'INVALID_BULK'],
    ['PATCH', '/Notes/bulk', { where: { secret: 'x' }, data: { stars: 1 } }, 400, 'HIDDEN_PROPERTY_IN_QUERY'],
    ['PATCH', '/Notes/bulk', { all: true, data: { fixed: 'x' } }, 422, 'VALIDATION_FAILED'],
    ['PATCH', '/Notes/bulk', { all: true, data: { id: 7 } }, 400, 'INVALID_BULK'],
    ['PATCH', '/Notes/bulk', { all: true, data: { stars: 6 } }, 422, 'VALIDATION_FAILED'],
    ['PUT', '/Notes/bulk', { rows: [{ code: 'x', fixed: 'y' }], by: ['code'] }, 422, 'VALIDATION_FAILED'],
    ['PUT', '/Notes/bulk', { rows: [{ code: 'x' }], by: ['stars'] }, 400, 'INVALID_BULK'],
    ['PUT', '/Notes/bulk', { rows: [{ code: { ne: 1 } }], by: ['code'] }, 422, 'VALIDATION_FAILED'],
    ['PUT', '/Smalls/bulk', { rows: [{ code: 'a' }, { code: 'b' }, { code: 'c' }], by: ['code'] }, 422, 'BULK_LIMIT'],
    ['PATCH', '/Smalls/bulk', { ids: [1, 2, 3], data: {} }, 422, 'BULK_LIMIT'],
    ['PATCH', '/Closeds/bulk', { all: true, data: { stars: 1 } }, 404, undefined]
  ] as const) {
    const error = code === undefined ? {} : { code }
    t.match(await send(verb, path, body), { status, body: { error } }, JSON.stringify([path, body]))
  }
  t.equal(await (app.models.Note as any).count(), 0)
  t.match(await send('PATCH', '/Nameds', { id: 'bulk', text: 'a' }), { status: 200, body: { id: 'bulk', text: 'a' } }, 'a row with that id')
})

t.test('lines', async t => {
  const { app, send } = await start(t, { options: { bodyLimit: 500, lines: { rows: 3000, bytes: '200kb', seconds: 1 } } })
  const lines = 'application/x-ndjson'
  const Note = app.models.Note as any
  const many = Array.from({ length: 2500 }, (_, i) => JSON.stringify({ code: `c${i}`, stars: i % 5 }))
  t.strictSame(await send('POST', '/Notes', `${many.join('\n')}\n\n`, lines), { status: 200, body: { count: 2500 } })
  t.equal(await Note.count(), 2500)
  t.match(await Note.findOne({ where: { code: 'c2499' } }), { stars: 4 })
  t.strictSame(await send('POST', '/Notes', '', lines), { status: 200, body: { count: 0 } })
  const wrong = [...many.slice(0, 1200).map(line => line.replace(':"c', ':"d')), '{"code":"e","stars":9}']
  t.match(await send('POST', '/Notes', wrong.join('\n'), lines), { status: 422, body: { error: { details: [{ path: '[1200].stars' }] } } })
  t.match(await send('POST', '/Notes', '{"code":"x"}\n{"code":', lines), { status: 400, body: { error: { code: 'MALFORMED_JSON', message: /row 1/ } } })
  t.match(await send('POST', '/Notes', '[{"code":"x"}]', lines), { status: 422 })
  t.match(await send('POST', '/Notes', '{"code":"x","fixed":"y"}', lines), { status: 422, body: { error: { details: [{ path: '[0].fixed', code: 'readOnly' }] } } })
  t.match(await send('POST', '/Notes', `{"code":"${'x'.repeat(600)}"}`, lines), { status: 413 })
  t.match(await send('POST', '/Notes', Array.from({ length: 3001 }, (_, i) => `{"code":"r${i}"}`).join('\n'), lines), { status: 413, body: { error: { code: 'LINES_LIMIT' } } })
  t.match(await send('POST', '/Notes', ' '.repeat(400).concat('\n').repeat(600), lines), { status: 413 })
  t.match(await send('POST', '/Closeds', '{"code":"x"}', lines), { status: 415 }, 'where bulk is off')
  t.match(await send('POST', '/Notes', '{"code":"x"}', lines, { 'content-encoding': 'gzip' }), { status: 415 })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const slow = await new Promise<number | undefined>((resolve, reject) => {
    const outgoing = request({ port, method: 'POST', path: '/api/Notes', headers: { 'content-type': lines, 'transfer-encoding': 'chunked' } }, incoming => {
      resolve(incoming.statusCode)
      incoming.resume()
      outgoing.destroy()
    })
    outgoing.on('error', reject)
    outgoing.write('{"code":"slow"}\n')
  })
  t.equal(slow, 408, 'a body that does not end')
  const gone = request({ port, method: 'POST', path: '/api/Notes', headers: { 'content-type': lines, 'transfer-encoding': 'chunked' } })
  gone.on('error', () => {})
  gone.write('{"code":"gone"}\n')
  await setTimeout(50)
  gone.destroy()
  await setTimeout(50)
  t.equal(await Note.count({ code: { inq: ['slow', 'gone'] } }), 0)
  Note.beforeRemote('create', async () => {})
  t.match(await send('POST', '/Notes', '{"code":"hooked"}', lines), { status: 415 }, 'remote hooks see rows, and no lines')
})
