/** What a document may ask of the schema: S-206. */
import Fastify from 'fastify'
import tap from 'tap'
import { memoryConnector } from '@fastback/connector-memory'
import core, { ModelRegistry } from '@fastback/core'
import rest from '@fastback/rest'
import { graphql } from '../../../packages/graphql/src/index.js'
import { introspection } from '../graphql/schema.js'

tap.test('S-206 a document has each part of the schema once', async t => {
  // Seen to fail: each of them was run, in two seconds for 40 models and 100 aliases
  const registry = new ModelRegistry()
  registry.defineDataSource('db', { connector: memoryConnector } as any)
  registry.defineModels([{ input: { name: 'Note', properties: { text: 'string' } } }])
  registry.attach('Note', 'db', { public: true })
  const app = Fastify()
  t.teardown(async () => { await app.close() })
  await app.register(core, { registry })
  await app.register(graphql, { introspection: true })
  await app.register(rest, { prefix: '/api' })
  await app.ready()
  const ask = async (query: string): Promise<any> =>
    (await app.inject({ method: 'POST', url: '/graphql', payload: { query } })).json()
  const many = [
    '{ __schema { types { a: fields { name } b: fields { name } } } }',
    '{ a: __schema { types { name } } }',
    '{ __type(name: "Note") { fields { type { fields { name } } } } }',
    '{ __schema { types { ...f } } } fragment f on __Type { fields { type { ...g } } } fragment g on __Type { interfaces { name } }',
    '{ __schema { types { ... on __Type { inputFields { type { inputFields { name } } } } } } }',
    '{ notes { id } ...q } fragment q on Query { __schema { types { other: name } } }'
  ]
  for (const document of many) {
    t.match(await ask(document), { errors: [{ extensions: { code: 'GRAPHQL_LIMIT_EXCEEDED', details: { limit: 'schema' } } }] }, document)
  }
  for (const document of [introspection, '{ t: __type(name: "Note") { fields { name } } }', '{ a: notes { b: id c: __typename } }']) {
    t.match(await ask(document), { data: {}, errors: undefined }, `control: ${document.slice(0, 40)}`)
  }
})
