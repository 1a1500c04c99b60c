/** Rows within a row, by the rules of their own model (S-143), and by what clients may set there (S-145). */
import tap from 'tap'
import { join } from './clients.js'
import { appWith } from './folders.js'
import { attack, filterText, storeNames, type Answer } from './harness.js'

type Loose = any

const users = { principalType: 'ROLE', principalId: '$authenticated', permission: 'ALLOW' }
const deny = { principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' }
const without = { read: ['*', '-b'], write: ['*', '-b'] }
const holder = (line: string): object => ({
  trackChanges: true,
  history: true,
  forceId: false,
  properties: { id: { type: 'string', id: true, defaultFn: 'guid' }, text: 'string', adr: line, many: [line], box: { inner: line } },
  relations: {
    lines: { type: 'embedsMany', model: line, property: '_lines' },
    one: { type: 'embedsOne', model: line, property: '_one' },
    parent: { type: 'belongsTo', model: line === 'Line' ? 'Closed' : 'Open', foreignKey: 'parentId' }
  },
  acls: [deny, users, { ...users, accessType: 'REPLICATE' }]
})
const properties = {
  id: { type: 'number', id: true }, a: 'string', b: 'string', set: { type: 'string', readOnly: true, hidden: true }
}
const models: Readonly<Record<string, object>> = {
  Closed: holder('Line'),
  Open: holder('Free'),
  Line: {
    properties,
    acls: [deny, { ...users, accessType: 'READ', fields: { read: without.read } }, { ...users, accessType: 'WRITE', fields: { write: without.write } }]
  },
  Free: { properties, acls: [deny, users] }
}
const served = appWith(models)
const config = {
  relatedAccess: 'related', relatedConditions: true, aggregates: true, distinct: true, cursors: true, readOnlyProperties: 'refuse'
}
const line = (id: number): object => ({ id, a: 'seen', b: 'hush', set: 'by the server' })
const row = (id: string, more: object = {}): object => ({
  id, text: 't', adr: line(1), many: [line(1), line(2)], box: { inner: line(1) }, _lines: [line(1), line(2)], _one: line(1), ...more
})

const query = (filter: object): string => `?${filterText(filter)}`
const reads: readonly string[] = [
  '', '/a', '/findOne', query({ fields: ['_lines', 'adr', 'box'] }), query({ include: ['lines', 'one', 'parent'] }),
  '/a/lines', '/a/lines/1', '/a/one', '/c/parent', '/changes?since=-1', '/sync/pull', '/a/history',
  query({ after: '', limit: 2 })
]
const asked: readonly string[] = [
  ...[
    { where: { 'adr.b': 'hush' } }, { where: { '_lines.b': 'hush' } }, { where: { '_lines.0.b': 'hush' } },
    { where: { 'box.inner.b': 'hush' } }, { where: { adr: line(1) } }, { where: { many: { inq: [line(1)] } } },
    { where: { box: { inner: line(1) } } }, { where: { or: [{ '_one.b': { like: 'h%' } }] } },
    { where: { lines: { some: { b: 'hush' } } } }, { where: { one: { b: 'hush' } } }, { order: 'adr.b' },
    { order: '_one.b DESC' }, { distinct: ['adr.b'] }, { where: { parent: { 'adr.b': 'hush' } } }, { order: 'parent.adr.b' },
    { order: 'parent.adr' }, { order: 'parent._lines' },
    ...[{ where: { b: 'hush' } }, { order: 'b' }].flatMap(scope =>
      ['lines', 'one'].map(relation => ({ include: { relation, scope } })))
  ].map(query),
  `/a/lines${query({ where: { b: 'hush' } })}`, `/a/lines${query({ order: 'b' })}`,
  `/a/lines/count?${filterText({ b: 'hush' }, 'where')}`, `/count?${filterText({ '_one.b': 'hush' }, 'where')}`,
  `/aggregate${query({ groupBy: ['adr.b'], aggregate: { n: { count: '*' } } })}`,
  `/aggregate${query({ aggregate: { n: { max: 'adr.b' } } })}`, `/sync/pull${query({ where: { 'adr.b': 'hush' } })}`
]
type Write = readonly [verb: string, path: string, json: object]
const writes: readonly Write[] = [
  ...['hush', 'other'].flatMap((b): Write[] => [
    ['PATCH', '/a', { adr: { id: 1, a: 'x', b } }], ['PATCH', '/a', { box: { inner: { id: 1, b } } }],
    ['PATCH', '/a', { _lines: [{ id: 1, b }] }], ['PUT', '/a', { id: 'a', many: [{ id: 1, b }] }]
  ]),
  ['PUT', '/a/lines/1', { b: 'x' }], ['POST', '/a/lines', { id: 9, b: 'x' }], ['PUT', '/a/one', { b: 'x' }],
  ['POST', '', { id: 'n', adr: { id: 1, b: 'x' } }], ['POST', `/update?${filterText({ id: 'a' }, 'where')}`, { adr: { id: 1, a: 'x' } }]
]

for (const store of new Set(['memory', ...storeNames])) {
  tap.test(`${store}: S-143 rows within rows are read, asked about and set by the rules of their model`, { timeout: 120_000 }, async t => {
    // Seen to fail: findAll of acl/guard/request-row-rules that adds nothing to the rule of the row itself;
    // embeddedQuery of core/relations that judges nothing; valueOf of core/query/related-value that says nothing of
    // isShown: rows were put in order by a related value with what may not be read in it
    const server = await attack(t, served(t, config), store)
    const { token } = await join(server, 'ben')
    const loose = server.models as Loose
    for (const name of ['Closed', 'Open']) await loose[name].create([row('a'), { id: 'c', parentId: 'a' }])
    const as = (name: string) => async (verb: string, path: string, json?: object): Promise<Answer> =>
      await server.send(verb, `/${String(loose[name].pluralModelName)}${path}`, { token, ...json && { json } })
    const [closed, open] = [as('Closed'), as('Open')]
    for (const path of reads) {
      const { status, text } = await closed('GET', path)
      t.match([status, /hush/.test(text)], [200, false], decodeURIComponent(path))
      if (!path.startsWith('/changes')) t.match((await open('GET', path)).text, /hush/, `control ${path}`)
    }
    for (const path of asked) {
      const { status, code } = await closed('GET', path)
      t.same([status, code], [400, 'HIDDEN_PROPERTY_IN_QUERY'], decodeURIComponent(path))
    }
    for (const filter of [{ where: { 'adr.a': 'seen' } }, { where: { adr: null } }, { order: 'adr.a' }, { where: { lines: { some: { a: 'seen' } } } }]) {
      t.equal((await closed('GET', query(filter))).status, 200, `control ${JSON.stringify(filter)}`)
    }
    t.equal((await open('GET', query({ where: { 'adr.b': 'hush' } }))).status, 200, 'control')
    const before = await server.rows('Closed')
    for (const [verb, path, json] of writes) {
      const { status, code } = await closed(verb, path, json)
      t.same([status, code], [403, 'FIELD_NOT_WRITABLE'], `${verb} ${path} ${JSON.stringify(json)}`)
      t.equal(await server.rows('Closed'), before)
    }
    t.equal((await closed('PATCH', '/a', { adr: { id: 1, a: 'new' }, _lines: [{ id: 2, a: 'new' }] })).status, 200)
    t.match((await loose.Closed.find({ where: { id: 'a' } }))[0].toObject(), {
      adr: { a: 'new', b: 'hush' }, _lines: [{ id: 2, a: 'new', b: 'hush' }]
    }, 'what may not be set stays')
    t.equal((await closed('POST', '/a/revert', { version: 1 })).status, 200)
    t.match((await loose.Closed.find({ where: { id: 'a' } }))[0].toObject(), { adr: { a: 'seen', b: 'hush', set: 'by the server' } })
    t.equal((await open('PATCH', '/a', { adr: { id: 1, b: 'x' } })).status, 200, 'control')
  })

  tap.test(`${store}: S-145 rows within rows keep what clients do not set there`, { timeout: 60_000 }, async t => {
    // Seen to fail: judged of core/operations/client-values that takes rows within rows as new ones: `set` was gone,
    // and a right guess was 200, a wrong one 422
    const server = await attack(t, served(t, config), store)
    const { token } = await join(server, 'ben')
    const loose = server.models as Loose
    await loose.Open.create(row('a'))
    const send = async (verb: string, path: string, json: object): Promise<number> =>
      (await server.send(verb, `/Opens${path}`, { token, json })).status
    const stored = async (): Promise<any> => (await loose.Open.find({ where: { id: 'a' } }))[0]
    t.equal(await send('PATCH', '/a', { adr: { id: 1, a: 'new' }, many: [{ id: 2, a: 'new' }] }), 200)
    t.equal(await send('PUT', '/a/lines/1', { a: 'new' }), 200)
    const { adr, many, _lines } = await stored()
    t.same([adr.set, many[0].set, _lines[0].set], ['by the server', 'by the server', 'by the server'])
    for (const set of ['by the server', 'a guess']) {
      for (const json of [{ adr: { id: 1, a: 'new', b: null, set } }, { many: [{ id: 2, a: 'new', set }] }]) {
        t.equal(await send('PATCH', '/a', json), 422, JSON.stringify(json))
      }
    }
    t.equal(await send('POST', `/update?${filterText({ id: 'a' }, 'where')}`, { adr: { id: 1, a: 'x' } }), 422, 'of many rows')
    t.equal((await stored()).adr.set, 'by the server')
  })
}
