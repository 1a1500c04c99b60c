/** The component `@fastback/graphql` of application folders. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import t, { type Test } from 'tap'
import { createServer, type Server } from '@fastback/boot'

async function served (t: Test, components: object): Promise<Server> {
  const root = mkdtempSync(path.join(tmpdir(), 'fastback-graphql-'))
  for (const folder of ['server', 'common/models']) mkdirSync(path.join(root, folder), { recursive: true })
  for (const [name, content] of Object.entries({
    'server/config.json': { restApiRoot: '/api' },
    'server/datasources.json': { db: { connector: 'memory' } },
    'server/model-config.json': { Note: { dataSource: 'db', public: true } },
    'server/component-config.json': components,
    'common/models/note.json': { name: 'Note', properties: { title: 'string' }, relations: { parts: { type: 'hasMany', model: 'Note' } } }
  })) writeFileSync(path.join(root, name), JSON.stringify(content))
  const server = await createServer(root, { log: false, port: 0, host: '127.0.0.1' })
  t.teardown(async () => {
    await server.stop()
    rmSync(root, { recursive: true })
  })
  return server
}

/** Modules of GraphQL that this process has loaded. */
const loaded = (): string[] =>
  Object.keys(createRequire(import.meta.url).cache).filter(file => /node_modules[\\/](?:graphql|mercurius)[\\/]/.test(file))
const query = { method: 'POST', url: '/graphql', payload: { query: '{ notes { title parts { title } } }' } } as const

t.test('a folder that does not ask for it loads nothing of it', async t => {
  const { fastify } = await served(t, {})
  t.equal((await fastify.inject(query)).statusCode, 404)
  t.same(loaded(), [])
})

t.test('the page of the API is told of it where its schema can be asked for', async t => {
  const addressWith = async (options: object): Promise<unknown> => {
    const { fastify } = await served(t, { '@fastback/graphql': options, '@fastback/explorer': {} })
    return (await fastify.inject('/explorer/ui.json')).json().graphql
  }
  t.equal(await addressWith({}), '/graphql')
  t.equal(await addressWith({ path: '/q' }), '/q')
  t.equal(await addressWith({ introspection: false }), undefined)
  t.equal(await addressWith({ persistedQueries: { a: '{ notes { id } }' }, onlyPersisted: true }), undefined)
})

t.test('a folder that asks for it has it, over the methods of its API', async t => {
  const { fastify } = await served(t, { '@fastback/graphql': { limits: { calls: 2 } } })
  t.equal((await fastify.inject({ method: 'POST', url: '/api/Notes', payload: { title: 'Milk' } })).statusCode, 200)
  t.same((await fastify.inject(query)).json(), { data: { notes: [{ title: 'Milk', parts: [] }] } })
  const many = { ...query, payload: { query: '{ a: notesCount b: notesCount c: notesCount }' } }
  t.equal((await fastify.inject(many)).json().errors[0].extensions.code, 'GRAPHQL_LIMIT_EXCEEDED')
  t.ok(loaded().length > 0)
})

t.test('its path and its options', async t => {
  const { fastify } = await served(t, { '@fastback/graphql': { path: '/q' } })
  t.equal((await fastify.inject({ ...query, url: '/q' })).statusCode, 200)
  await t.rejects(served(t, { '@fastback/graphql': { paths: '/q' } }), {
    code: 'FBK_GRAPHQL_INVALID_OPTIONS', message: /"paths"/
  })
})
