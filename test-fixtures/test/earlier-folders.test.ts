/**
 * Folders that were written for LoopBack, or before there were such settings, are served as they were: what filters,
 * lists and routes have learned since is off in them until they say that they want it.
 */
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { createServer } from '@fastback/boot'
import { openApiDocument } from '@fastback/explorer'

type Loose = any

const folder = (name: string): string => fileURLToPath(new URL(`../apps/${name}`, import.meta.url))
const folders = ['accounts', 'boot-full', 'boot-plain', 'clinic', 'fuzzed', 'granted', 'guarded', 'wire']

for (const name of folders) {
  t.test(`${name} has no route and no part of a filter that it does not ask for`, async t => {
    const { fastify, stop } = await createServer(folder(name), { log: false })
    t.teardown(stop)
    const models: Loose[] = Object.values(fastify.registry.models)
    t.ok(models.length > 0)
    for (const { modelName, compiled, sharedClass } of models) {
      t.match(compiled, {
        hasRelatedConditions: false, hasAggregates: false, hasCursors: false, refusesFilterKeys: false
      }, modelName)
      t.equal(compiled.textIndex, undefined, modelName)
      t.notOk(sharedClass.methods().some((method: Loose) => method.name === 'aggregate'), modelName)
    }
    t.notMatch(fastify.printRoutes(), 'aggregate')
    const { paths, components: { schemas } } = openApiDocument(fastify.registry) as Loose
    t.notMatch(Object.keys(paths).join(), 'aggregate')
    for (const [schema, { properties = {} }] of Object.entries<Loose>(schemas)) {
      if (schema.endsWith('Filter')) t.notOk(['after', 'before', 'distinct'].some(part => part in properties), schema)
      if (schema.endsWith('Where')) t.notOk('$search' in properties, schema)
    }
    for (const item of Object.values<Loose>(paths)) {
      const { responses = {} } = item.get ?? {}
      const types = Object.values<Loose>(responses).flatMap(({ content = {} }) => Object.keys(content))
      t.notOk(types.some(type => ['text/csv', 'application/x-ndjson'].includes(type)), item.get?.operationId)
    }
  })
}

/** The list of an application that anybody may read. */
async function served (t: Test): Promise<(filter: unknown, headers?: Record<string, string>) => Promise<Loose>> {
  const { fastify, stop } = await createServer(folder('boot-plain'), { log: false })
  t.teardown(stop)
  const { Note } = fastify.registry.models as Loose
  await Note.create([{ title: 'b' }, { title: 'a' }, { title: 'b' }])
  return async (filter, headers = {}) => await fastify.inject({
    url: '/v1/Notes', query: { filter: JSON.stringify(filter) }, headers
  })
}

t.test('requests for what is off have the responses that they had', async t => {
  const get = await served(t)
  const plain = await get({})
  t.equal(plain.json().length, 3)
  for (const filter of [{ after: '' }, { before: '' }, { after: 'x' }, { distinct: ['title'] }, { distinct: 'nothing' }]) {
    const { statusCode, body, headers } = await get(filter)
    t.strictSame([statusCode, body], [200, plain.body], JSON.stringify(filter))
    t.notOk(headers['x-next-cursor'] ?? headers.link, JSON.stringify(filter))
  }
  for (const filter of [{ where: { $search: 'a' } }, { order: '$rank' }, { where: { title: { $search: 'a' } } }]) {
    const { statusCode, body } = await get(filter)
    t.equal(statusCode, 400)
    t.match(body, 'OPERATOR_NOT_ALLOWED_IN_QUERY', JSON.stringify(filter))
  }
  const explained = await get({}, { prefer: 'explain' })
  t.strictSame([explained.statusCode, explained.body], [200, plain.body])
  for (const accept of ['text/csv', 'application/x-ndjson']) t.equal((await get({}, { accept })).statusCode, 406, accept)
  const either = await get({}, { accept: 'text/csv, */*;q=0.1' })
  t.strictSame([either.statusCode, either.body], [200, plain.body])
})
