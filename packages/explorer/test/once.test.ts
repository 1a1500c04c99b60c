/** Keys for repeats, batches and live queries in the description. */
import Fastify from 'fastify'
import t from 'tap'
import { core } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'
import { rest, type RestOptions } from '@fastback/rest'
import { openApiDocument } from '../src/index.js'

type Loose = any

async function described (options: RestOptions, settings: object = {}): Promise<Loose> {
  const app = Fastify()
  await app.register(core, {
    dataSources: { db: { connector: memoryConnector } },
    definitions: [{ name: 'Note', properties: { text: 'string' }, ...settings }],
    models: { Note: { dataSource: 'db', public: true } }
  } as Loose)
  await app.register(rest, { prefix: '/api', ...options })
  await app.ready()
  const document = openApiDocument(app.registry)
  await app.close()
  return document
}

t.test('keys for repeats, and batches', async t => {
  const { paths, tags } = await described({ idempotency: { required: true }, batch: { maxOperations: 7 } })
  const keyOf = (path: string, verb: string): unknown =>
    paths[path][verb].parameters?.find(({ name }: { name: string }) => name === 'Idempotency-Key')
  t.match(keyOf('/Notes', 'post'), { in: 'header', required: true })
  t.match(keyOf('/Notes/{id}', 'put'), { in: 'header' })
  t.equal((keyOf('/Notes/{id}', 'put') as { required?: boolean }).required, undefined)
  t.equal(keyOf('/Notes', 'get'), undefined)
  t.equal(paths['/Notes'].post['x-idempotency-key'], 'required')
  const { post } = paths['/batch']
  t.match(post, { operationId: 'Batch.run', tags: ['Batch'], 'x-idempotency-key': 'required' })
  t.equal(post.requestBody.content['application/json'].schema.properties.operations.maxItems, 7)
  t.ok(tags.some(({ name }: { name: string }) => name === 'Batch'))
  t.notOk('/batch' in (await described({})).paths)
})

t.test('rows that come as lines', async t => {
  const types = async (settings: object): Promise<string[]> =>
    Object.keys((await described({}, settings)).paths['/Notes'].post.requestBody.content)
  t.ok((await types({ bulk: true })).includes('application/x-ndjson'))
  t.notOk((await types({})).includes('application/x-ndjson'))
})

t.test('live queries', async t => {
  const { paths, components } = await described({}, { live: true })
  const { content } = paths['/Notes/live'].get.responses[200]
  const [rows, changes] = content['text/event-stream']['x-itemSchema'].anyOf
  t.match(rows.properties.rows.items, { $ref: '#/components/schemas/Note' })
  t.match(changes.properties.changes.items.properties.row, { $ref: '#/components/schemas/Note' })
  t.ok(components.schemas.LiveEventStream)
  t.notOk('/Notes/live' in (await described({})).paths)
})
