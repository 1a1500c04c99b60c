/** The component `@fastback/studio` of application folders: what it knows of their files. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import t, { type Test } from 'tap'
import { createServer, type Server } from '../src/index.js'

process.env.NODE_ENV ??= 'development'

const denied = { principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' }
const note = {
  name: 'Note',
  base: 'PersistedModel',
  properties: { title: 'string' },
  acls: [denied, { ...denied, permission: 'ALLOW', property: 'find' }]
}

async function served (t: Test, components: object, files: Readonly<Record<string, string>> = {}): Promise<Server> {
  const root = mkdtempSync(path.join(tmpdir(), 'fastback-studio-'))
  for (const folder of ['server/boot', 'common/models']) mkdirSync(path.join(root, folder), { recursive: true })
  for (const [name, content] of Object.entries({
    'common/models/note.json': JSON.stringify(note, null, 2),
    'server/boot/authentication.js': 'module.exports = app => { app.enableAuth({ dataSource: "db" }) }',
    'server/config.json': '{ "restApiRoot": "/v1" }',
    'server/datasources.json': '{ "db": { "connector": "memory" } }',
    'server/model-config.json': JSON.stringify({
      Note: { dataSource: 'db', public: true }, Draft: { dataSource: 'db', public: true }, User: { dataSource: 'db' }
    }),
    'common/models/draft.json': JSON.stringify({ name: 'Draft', base: 'Note' }),
    'server/component-config.json': JSON.stringify(components),
    ...files
  })) writeFileSync(path.join(root, name), content)
  const server = await createServer(root, { log: false, port: 0, host: '127.0.0.1' })
  t.teardown(async () => {
    await server.stop()
    rmSync(root, { recursive: true })
  })
  return server
}

const at = async ({ fastify }: Server, url: string): Promise<any> =>
  (await fastify.inject({ url, headers: { host: 'localhost' } })).json()

t.test('models and rules have their files and lines', async t => {
  const server = await served(t, { '@fastback/studio': {} })
  const { models } = await at(server, '/studio/definitions.json')
  const model = (name: string): any => models.find((each: any) => each.name === name)
  t.match(model('Note'), { source: { file: 'common/models/note.json', line: 1 }, path: '/v1/Notes', builtin: false })
  t.match(model('Draft'), { source: { file: 'common/models/draft.json' }, base: 'Note' })
  t.notOk('source' in model('User'))
  const rights = await at(server, '/studio/rights.json')
  t.equal(rights.enforced, true)
  t.match(rights.models.find((each: any) => each.model === 'Note').rules, [
    { rule: denied, source: { file: 'common/models/note.json', line: 8 } },
    { rule: { property: 'find' }, source: { file: 'common/models/note.json', line: 13 } }
  ])
  t.match(rights.models.find((each: any) => each.model === 'Draft').rules[1].source, { file: 'common/models/note.json' })
  const why = await at(server, '/studio/rights/why.json?model=Draft&method=find')
  t.match(why, { allowed: true, rule: { source: { file: 'common/models/note.json', line: 13 } } })
})

t.test('requests of the folder are followed, those that its middleware answers as well', async t => {
  const server = await served(t, { '@fastback/studio': {} }, {
    'server/boot/hello.js': 'module.exports = app => { app.get("/hello", (req, res) => { res.send("hello") }) }'
  })
  t.equal((await server.fastify.inject('/hello')).body, 'hello')
  await server.fastify.inject('/v1/Notes')
  const { requests } = await at(server, '/studio/activity/requests.json')
  t.match(requests, [{ model: 'Note', status: 200, statements: 2 }, { status: 200 }])
  t.equal(requests.length, 2)
  const detail = await at(server, `/studio/activity/requests/${requests[0].id as string}.json`)
  t.same(detail.spans.map(({ kind }: any) => kind), ['query', 'rule', 'method', 'query'],
    'stored rules are looked up first')
})

t.test('browsers are sent to it before the folder\'s own middleware, others are not', async t => {
  const server = await served(t, { '@fastback/studio': { home: true } }, {
    'server/boot/root.js': 'module.exports = app => { app.get("/", (req, res) => { res.json({ runs: true }) }) }'
  })
  const { fastify } = server
  const browser = await fastify.inject({ url: '/', headers: { accept: 'text/html,*/*' } })
  t.match(browser, { statusCode: 302, headers: { location: './studio/' } })
  t.same((await fastify.inject({ url: '/', headers: { accept: '*/*' } })).json(), { runs: true })
  const plain = await served(t, { '@fastback/studio': { home: true } }, {
    'server/boot/root.js': 'module.exports = app => { app.fastify.get("/", () => ({ runs: true })) }'
  })
  t.equal((await plain.fastify.inject({ url: '/', headers: { accept: 'text/html' } })).statusCode, 302)
  t.same((await plain.fastify.inject('/')).json(), { runs: true })
})

t.test('it is nowhere else, and an option that is not there stops the start', async t => {
  for (const components of [{}, { '@fastback/studio': false }, { '@fastback/studio': null }]) {
    const { fastify } = await served(t, components)
    t.equal((await fastify.inject('/studio/ui.json')).statusCode, 404, JSON.stringify(components))
  }
  await t.rejects(served(t, { '@fastback/studio': { paths: '/x' } }), {
    code: 'FBK_STUDIO_INVALID_OPTIONS', message: /"paths"/
  })
})
