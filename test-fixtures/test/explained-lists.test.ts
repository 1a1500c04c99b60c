/** `Prefer: explain`: a report in place of a list, for administrators who develop; anybody else gets the list. */
import { queryModel } from '@fastback/cli/developing'
import { memoryConnector } from '@fastback/connector-memory'
import { sqlConnector } from '@fastback/connector-sql'
import core from '@fastback/core'
import rest from '@fastback/rest'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { makeApp, row, type App, type Parts } from '../../packages/acl/test/app.js'

const definitions: Parts['definitions'] = [
  {
    name: 'Note',
    strict: true,
    properties: { city: 'string', secret: { type: 'string', hidden: true }, authorId: 'number' },
    scope: { where: { secret: 'never shown' } },
    acls: [row('ALLOW', '$everyone')]
  },
  {
    name: 'Author',
    strict: true,
    properties: { name: 'string' },
    relations: { notes: { type: 'hasMany', model: 'Note', foreignKey: 'authorId' } },
    acls: [row('ALLOW', '$everyone')]
  }
] as Parts['definitions']

const sqlite = { connector: sqlConnector, url: 'sqlite::memory:', migrate: 'update' } as const

const open = async (t: Test, options: object, more: Partial<Parts> = {}): Promise<App> => await makeApp(t, {
  definitions,
  options,
  dataSource: sqlite,
  prepare: async ({ Note, Author }) => {
    await Author.create([{ name: 'ann' }, { name: 'ben' }])
    await Note.create(['Rome', 'Oslo', 'Rome'].map(city => ({ city, secret: 'never shown', authorId: 1 })))
  },
  ...more
})

const url = `/api/Notes?filter=${encodeURIComponent('{"where":{"city":"Rome"}}')}`

async function get (app: App, who: string | undefined, address = url, prefer = 'explain') {
  const authorization = who === undefined ? {} : { authorization: app.tokens[who] as string }
  const response = await app.inject({ url: address, headers: { prefer, ...authorization } })
  const { 'preference-applied': applied, 'cache-control': cache, vary } = response.headers
  return { status: response.statusCode, applied, cache, vary, body: response.json(), text: response.payload }
}

t.test('an administrator gets the report', async t => {
  const app = await open(t, { explain: true })
  const { status, applied, cache, vary, body, text } = await get(app, 'adam')
  t.same({ status, applied, cache, vary }, { status: 200, applied: 'explain', cache: 'no-store', vary: 'Prefer' })
  t.match(body, {
    rows: 2,
    statements: [{
      dataSource: 'db',
      model: 'Note',
      statement: /^SELECT .* FROM "Note" WHERE .*"city" = .*\?/,
      plan: ['SCAN Note'],
      times: 1,
      rowsRead: null
    }],
    missingIndexes: [{ model: 'Note', definition: /^"indexes": \{ "city_1.*": \{ "keys": \{ "city": 1/ }]
  })
  t.ok(body.statements[0].values.includes('"Rome"'), 'what the filter says')
  t.notMatch(text, 'never shown', 'nothing of what the scope says')
  t.equal(body.statements.length, 1, 'what access control reads is not the list\'s')
  t.match((await get(app, 'adam', url, 'respond-async, Explain')).body, { rows: 2 })
  t.match((await get(app, 'adam', '/api/Authors/1/notes')).body, { rows: 3, statements: [{}, {}] }, 'of a relation')
  const included = `/api/Authors?filter=${encodeURIComponent('{"include":"notes"}')}`
  t.same((await get(app, 'adam', included)).body.statements.map(({ model }: { model: string }) => model).sort(), ['Author', 'Note'])
})

t.test('anybody else\'s wish is ignored, and nothing tells them', async t => {
  const app = await open(t, { explain: true })
  const plain = await app.inject(url)
  for (const who of ['ann', undefined]) {
    const { headers, payload } = await app.inject({
      url, headers: { prefer: 'explain', ...who === undefined ? {} : { authorization: app.tokens[who] as string } }
    })
    t.equal(payload, plain.payload, who ?? 'nobody')
    t.notOk('preference-applied' in headers || 'vary' in headers)
  }
  const unasked = await app.inject({ url, headers: { authorization: app.tokens.adam as string } })
  t.equal(unasked.payload, plain.payload, 'nor is an administrator who does not ask')
  t.equal((await get(app, 'adam', '/api/Notes/count')).body.count, 3, 'a count is no list')
})

t.test('off where nothing is said, and in production', async t => {
  const app = await open(t, {})
  t.match(await get(app, 'adam'), { applied: undefined, body: [{}, {}] })
  const { NODE_ENV: before } = process.env
  t.teardown(() => {
    if (before === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = before
  })
  process.env.NODE_ENV = 'production'
  const produced = await open(t, { explain: true })
  t.match(await get(produced, 'adam'), { applied: undefined, body: [{}, {}] })
})

t.test('another role, a model with hooks, a filter that cannot be', async t => {
  const app = await open(t, { explain: 'boss', remoting: { rest: { xml: true } } }, {
    prepare: async ({ Note, Role }, { registry }) => {
      await Note.create({ city: 'Rome', secret: 'never shown' })
      const boss = await Role.create({ name: 'boss' })
      await boss.principals.create({ principalType: 'USER', principalId: 1 })
      Note.afterRemote('find', async () => {})
      t.equal(registry.remoteHooks.length, 0)
    }
  })
  t.equal((await get(app, 'adam')).applied, undefined)
  t.match(await get(app, 'ann'), { applied: 'explain', body: { rows: 1, statements: [{ plan: ['SCAN Note'] }] } })
  t.match((await get(app, 'ann', '/api/Notes?filter={')).status, 400)
  const [hidden] = await Promise.all([get(app, 'ann', `/api/Notes?filter=${encodeURIComponent('{"where":{"secret":"x"}}')}`)])
  t.equal(hidden?.status, 400)
})

t.test('only the statements of the request itself, also when others come meanwhile', async t => {
  const app = await open(t, { explain: true })
  const [told] = await Promise.all([get(app, 'adam'), app.inject('/api/Authors'), app.inject('/api/Authors?filter[order]=name')])
  t.same(told?.body.statements.map(({ model }: { model: string }) => model), ['Note'])
  const two = await Promise.all([get(app, 'adam'), get(app, 'adam', '/api/Authors')])
  t.same(two.map(({ body }) => body.statements.map(({ model }: { model: string }) => model)), [['Note'], ['Author']])
})

t.test('fastback query of an application that code made', async t => {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(core, {
    dataSources: { db: { connector: memoryConnector } },
    definitions: [{ name: 'Note', properties: { city: 'string' } }],
    models: { Note: { dataSource: 'db' } }
  })
  await app.register(rest, { accessControl: false })
  const { Note } = app.models as unknown as Record<string, { create (rows: object[]): Promise<unknown> }>
  await Note?.create([{ city: 'Rome' }, { city: 'Oslo' }])
  const { rows, report } = await queryModel(app, 'Note', { where: { city: 'Oslo' } }, { explain: true })
  t.match(rows, [{ city: 'Oslo', id: 2 }])
  t.match(report, {
    statements: [{ dataSource: 'db', statement: 'find', rowsRead: 2 }],
    missingIndexes: [{ definition: '"indexes": { "city_1": { "keys": { "city": 1 } } }' }]
  })
  await t.rejects(queryModel(app, 'Note', {}, { userId: '1' }), { code: 'FBK_CLI_NOT_ASKED', message: /reads no tokens/ })
})
