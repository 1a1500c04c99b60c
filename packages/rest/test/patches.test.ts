/** PATCH with JSON Merge Patch (RFC 7396) and JSON Patch (RFC 6902). */
import t from 'tap'
import type { ModelDefinitionInput } from '@fastback/core'
import { makeApp } from './app.js'

type Loose = any

const definitions: ModelDefinitionInput[] = [
  {
    name: 'Note',
    version: true,
    hidden: ['secret'],
    properties: {
      title: { type: 'string', required: true, jsonSchema: { maxLength: 20 } },
      fixed: { type: 'string', readOnly: true },
      secret: 'string',
      box: 'object',
      dims: { type: { w: 'number', h: 'number' } },
      tags: ['string']
    },
    relations: { items: { type: 'hasMany', model: 'Plain', foreignKey: 'noteId' } }
  },
  { name: 'Plain', strict: true, properties: { name: 'string', box: 'object' } },
  { name: 'Closed', patchDocuments: false, properties: { name: 'string' } }
]

const merge = 'application/merge-patch+json'
const patch = 'application/json-patch+json'

async function start (t: Parameters<typeof makeApp>[0], parts: Partial<Parameters<typeof makeApp>[1]> = {}) {
  const app = await makeApp(t, { definitions, ...parts })
  const send = async (url: string, data: unknown, type?: string, headers: object = {}) => {
    const method = type === undefined ? 'POST' : 'PATCH'
    const { statusCode, headers: given, body } = await app.inject({
      method, url: `/api${url}`, payload: typeof data === 'string' ? data : JSON.stringify(data),
      headers: { 'content-type': type ?? 'application/json', ...headers }
    })
    return { status: statusCode, headers: given, body: JSON.parse(body) }
  }
  const read = async (url: string): Promise<any> => (await app.inject(`/api${url}`)).json()
  await send('/Notes', { title: 'a', secret: 's', box: { a: 1, b: { c: [1, 2] } }, dims: { w: 1, h: 2 }, tags: ['x'] })
  await send('/Plains', { name: 'a', box: { a: 1 } })
  return { app, send, read }
}

t.test('merge patches', async t => {
  const { send, read } = await start(t)
  t.match(await send('/Notes/1', { title: 'b', tags: ['y'] }, merge), { status: 200, body: { title: 'b', tags: ['y'], version: 2 } })
  t.match((await send('/Notes/1', { box: { b: { d: 1 } }, dims: { w: 7 } }, merge)).body, { box: { a: 1, b: { c: [1, 2], d: 1 } }, dims: { w: 7, h: 2 } })
  t.strictSame((await send('/Notes/1', { box: { a: null, b: { c: null } } }, merge)).body.box, { b: { d: 1 } })
  t.equal((await send('/Notes/1', { box: null }, merge)).body.box, null)
  t.strictSame((await send('/Notes/1', { box: { a: { b: null, c: 1 } } }, merge)).body.box, { a: { c: 1 } })
  t.strictSame((await send('/Plains/1', { box: { b: 2 } }, merge)).body.box, { a: 1, b: 2 }, 'without versions')
  t.strictSame((await send('/Notes/1', { box: { z: 1 } }, 'application/json')).body.box, { z: 1 }, 'JSON stays as it is')
  for (const data of [[], 'null', '1', '"a"']) {
    t.match(await send('/Notes/1', data, merge), { status: 422, body: { error: { code: 'INVALID_PATCH' } } })
  }
  t.match(await send('/Notes/1', { title: null }, merge), { status: 422, body: { error: { details: [{ path: '.title' }] } } })
  t.match(await send('/Notes/1', { title: 'x'.repeat(21) }, merge), { status: 422 })
  t.match(await send('/Notes/1', { fixed: 'x' }, merge), { status: 422, body: { error: { details: [{ path: '.fixed', code: 'readOnly' }] } } })
  t.match(await send('/Notes/1', { secret: { a: 1 } }, merge), { status: 422, body: { error: { code: 'INVALID_PATCH' } } })
  t.match(await send('/Notes/9', { box: { a: 1 } }, merge), { status: 404 })
  t.match(await send('/Notes/1', { title: 'c', version: 1 }, merge), { status: 412 })
  const { version } = await read('/Notes/1')
  t.match(await send('/Notes/1', { box: { y: 1 }, version }, merge), { status: 200, body: { box: { z: 1, y: 1 } } })
  t.match(await send('/Notes/1', { box: { x: 1 } }, merge, { 'if-match': `"${String(version)}"` }), { status: 412 })
})

t.test('JSON patches', async t => {
  const { send, read } = await start(t)
  t.match(await send('/Notes/1', [
    { op: 'test', path: '/title', value: 'a' },
    { op: 'replace', path: '/title', value: 'b' },
    { op: 'add', path: '/tags/0', value: 'w' },
    { op: 'add', path: '/tags/-', value: 'z' },
    { op: 'move', from: '/box/b/c', path: '/box/list' },
    { op: 'copy', from: '/box/list/0', path: '/box/first' },
    { op: 'remove', path: '/box/a' },
    { op: 'add', path: '/box/a~1b', value: null },
    { op: 'test', path: '', value: { title: 'b', tags: ['w', 'x', 'z'], box: { b: {}, list: [1, 2], first: 1, 'a/b': null }, dims: { w: 1, h: 2 }, id: 1, version: 1 } }
  ], patch), {
    status: 200, body: { title: 'b', tags: ['w', 'x', 'z'], box: { b: {}, list: [1, 2], first: 1, 'a/b': null }, version: 2 }
  })
  t.match(await send('/Notes/1', [], patch), { status: 200 }, 'nothing to do')
  t.equal((await send('/Notes/1', [{ op: 'remove', path: '/box' }], patch)).body.box, null)
  t.match(await send('/Plains/1', [{ op: 'replace', path: '/box/a', value: 2 }], patch), { status: 200, body: { box: { a: 2 } } }, 'without versions')
  const before = await read('/Notes/1')
  const refused = async (status: number, code: string, operations: unknown, details?: object): Promise<void> => {
    t.match(await send('/Notes/1', operations, patch), { status, body: { error: { code, ...(details && { details }) } } }, JSON.stringify(operations).slice(0, 80))
  }
  const invalid = async (operations: unknown, path?: string): Promise<void> => {
    await refused(422, 'INVALID_PATCH', operations, path === undefined ? undefined : { path })
  }
  await refused(412, 'PATCH_TEST_FAILED', [{ op: 'test', path: '/title', value: 'x' }, { op: 'replace', path: '/title', value: 'no' }], { operation: 0, path: '/title' })
  for (const path of ['/nope/a', '/tags/9', '/tags/-/a', '/tags/01', '/title/a', '/dims/w/x', '/tags/length', '/box/constructor/x', '/toString/x']) {
    await refused(409, 'PATCH_NOT_APPLICABLE', [{ op: 'replace', path, value: 1 }])
  }
  for (const operations of [{}, 'null', '1', [null], [1], [[]], [{}], [{ op: 'x', path: '' }], [{ op: 'add', path: '/a' }], [{ op: 'add', path: 'a', value: 1 }], [{ op: 'add', path: '/a~2', value: 1 }], [{ op: 'move', path: '/a' }], [{ op: 'add', path: ['a'], value: 1 }], [{ op: 'remove', path: '' }], [{ op: 'replace', path: '', value: [] }], [{ op: 'move', from: '/box', path: '/box/a' }]]) {
    await invalid(operations)
  }
  await invalid([{ op: 'add', path: '/box/__proto__/x', value: 1 }], '/box/__proto__/x')
  await invalid([{ op: 'copy', from: '/__proto__', path: '/box' }])
  for (const op of ['test', 'add', 'replace']) await invalid([{ op, path: '/secret', value: 's' }], '/secret')
  await invalid([{ op: 'copy', from: '/secret', path: '/title' }], '/secret')
  await invalid([{ op: 'replace', path: '/id', value: 9 }], '/id')
  await invalid([{ op: 'remove', path: '/id' }], '/id')
  await invalid([{ op: 'replace', path: '/version', value: 9 }], '/version')
  await invalid([{ op: 'replace', path: '', value: { ...before, secret: 'x' } }], '/secret')
  await refused(422, 'VALIDATION_FAILED', [{ op: 'add', path: '/fixed', value: 'x' }])
  await refused(422, 'VALIDATION_FAILED', [{ op: 'remove', path: '/title' }])
  await refused(422, 'VALIDATION_FAILED', [{ op: 'replace', path: '/dims/w', value: 'x' }])
  await refused(400, 'RELATED_ROWS_IN_DATA', [{ op: 'add', path: '/items', value: [{ name: 'x' }] }])
  await refused(400, 'MALFORMED_JSON', '[{"op":"add","path":"/box","value":{"__proto__":{"x":1}}}]')
  t.strictSame(await read('/Notes/1'), before, 'nothing was written')
  t.equal(({} as any).x, undefined)
  t.match(await send('/Notes/9', [], patch), { status: 404 })
})

t.test('limits of patches', async t => {
  const { send, read } = await start(t, { options: { patchOperations: 40, bodyLimit: 2000, jsonDepth: 10 } })
  const tests = (count: number): object[] => Array.from({ length: count }, () => ({ op: 'test', path: '/title', value: 'a' }))
  t.equal((await send('/Notes/1', tests(40), patch)).status, 200)
  const before = await read('/Notes/1')
  const never = async (operations: unknown, message: RegExp): Promise<void> => {
    t.match(await send('/Notes/1', operations, patch), { status: 422, body: { error: { code: 'INVALID_PATCH', message } } })
  }
  await never(tests(41), /at most 40 operations/)
  await never(Array.from({ length: 20 }, () => ({ op: 'copy', from: '/box', path: '/box/z' })), /levels|characters/)
  await never(Array.from({ length: 40 }, () => ({ op: 'copy', from: '/tags', path: '/tags/-' })), /levels|characters/)
  await never([{ op: 'replace', path: '/box', value: { a: 'x'.repeat(900) } }, ...Array.from({ length: 3 }, (_, i) => ({ op: 'copy', from: '/box/a', path: `/box/b${String(i)}` }))], /more than 2000 characters/)
  await never([{ op: 'add', path: `/box${'/a'.repeat(20)}`, value: 1 }], /more than 10 levels/)
  await never([{ op: 'move', from: '/box', path: '/dims/x' }, { op: 'move', from: '/dims', path: '/a' }, ...Array.from({ length: 9 }, (_, i) => ({ op: 'add', path: `/w${String(i)}`, value: {} })), ...Array.from({ length: 9 }, (_, i) => ({ op: 'move', from: i === 0 ? '/a' : `/w${String(i - 1)}`, path: `/w${String(i)}/x` }))], /levels/)
  t.equal((await send('/Notes/1', JSON.stringify([{ op: 'add', path: '/box', value: 'x'.repeat(3000) }]), patch)).status, 413)
  t.strictSame({ ...await read('/Notes/1') }, before)
})

t.test('where patches are not taken', async t => {
  const { app, send } = await start(t)
  await send('/Closeds', { name: 'a' })
  for (const type of [merge, patch]) t.equal((await send('/Closeds/1', '{}', type)).status, 415)
  t.equal((await send('/Notes', { id: 1, title: 'b' }, merge)).status, 415, 'only by id')
  const reply = await app.inject({ method: 'PATCH', url: '/api/Notes/1', payload: 'x', headers: { 'content-type': 'text/plain' } })
  t.match(reply.headers['accept-patch'], /merge-patch\+json, application\/json-patch\+json/)
  t.equal(reply.statusCode, 415)
})

t.test('patches of several clients at once lose nothing', async t => {
  for (const url of ['/Notes/1', '/Plains/1']) {
    for (const isHooked of [false, true]) {
      const { send, read } = await start(t, {
        prepare (models) {
          if (isHooked) for (const Model of Object.values(models) as Loose[]) Model.beforeRemote('**', (_: unknown, __: unknown, next: () => void) => { next() })
        }
      })
      const writers = Array.from({ length: 6 }, (_, i) => i)
      for (let round = 0; round < 5; round++) {
        const statuses = await Promise.all(writers.map(async i => i % 2 === 0
          ? await send(url, { box: { [`k${String(i)}`]: { [`r${String(round)}`]: 1 } } }, merge)
          : await send(url, [{ op: 'add', path: `/box/k${String(i)}r${String(round)}`, value: 1 }], patch)))
        for (const { status } of statuses) t.ok(status === 200 || status === 412)
        for (const [i, { status }] of statuses.entries()) {
          if (status !== 200) continue
          const { box } = await read(url)
          t.equal(i % 2 === 0 ? box[`k${String(i)}`]?.[`r${String(round)}`] : box[`k${String(i)}r${String(round)}`], 1)
        }
      }
    }
  }
})
