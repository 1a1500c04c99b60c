/** Requests within a request run no route but the one that they were made for: S-164. */
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { memoryConnector } from '@fastback/connector-memory'
import core, { ModelRegistry } from '@fastback/core'
import rest from '@fastback/rest'
import { graphql } from '../../../packages/graphql/src/index.js'

interface Ran { readonly app: FastifyInstance, readonly ran: string[] }

/** Where routes of the application's own stand below the path of the API: in a plugin or beside it, before or after. */
const orders = ['plugin before', 'before', 'plugin after', 'after'] as const

async function serve (t: Test, order: typeof orders[number]): Promise<Ran> {
  const registry = new ModelRegistry()
  registry.defineDataSource('db', { connector: memoryConnector })
  registry.defineModels([{ input: { name: 'Note', properties: { id: { type: 'string', id: true }, title: 'string' } } }])
  registry.attach('Note', 'db', { public: true })
  const app = Fastify()
  t.teardown(async () => { await app.close() })
  const ran: string[] = []
  const own = async (scope: FastifyInstance): Promise<void> => {
    for (const method of ['GET', 'PATCH', 'DELETE'] as const) {
      scope.route({
        method,
        url: '/api/Notes/all',
        preHandler: async () => { ran.push(`${method} hook`) },
        handler: async () => { ran.push(method); return { id: 'all' } }
      })
    }
  }
  const add = async (now: 'before' | 'after'): Promise<void> => {
    if (order === `plugin ${now}`) await app.register(own)
    if (order === now) await own(app)
  }
  await add('before')
  await app.register(core, { registry })
  await app.register(graphql)
  await app.register(rest, { prefix: '/api', accessControl: false, batch: true })
  await add('after')
  await app.ready()
  await (registry.models.Note as unknown as { create (row: object): Promise<unknown> }).create({ id: 'a', title: 'A' })
  return { app, ran }
}

for (const order of orders) {
  t.test(`S-164 S-112 a batch runs no route of the application's own (${order})`, async t => {
    // Seen to fail: the routes ran, and only then the operation was refused
    const { app, ran } = await serve(t, order)
    const batch = async (method: string, path: string, body?: object) => {
      const operations = [{ method, path, ...(body === undefined ? {} : { body }) }]
      const response = await app.inject({ method: 'POST', url: '/api/batch', payload: { operations, atomic: false } })
      return (response.json() as { results: object[] }).results[0]
    }
    t.match(await batch('GET', '/Notes/a'), { status: 200, body: { title: 'A' } }, 'a row')
    for (const [method, body] of [['GET'], ['PATCH', { title: 'b' }], ['DELETE']] as const) {
      t.match(await batch(method, '/Notes/all', body), { status: 400, error: { code: 'BATCH_OPERATION_NOT_SUPPORTED' } })
    }
    t.strictSame(ran, [])
    await app.inject('/api/Notes/all')
    t.strictSame(ran, ['GET hook', 'GET'], 'a request of its own runs it')
  })

  t.test(`S-164 nor does a document of GraphQL (${order})`, async t => {
    // Seen to fail: as above
    const { app, ran } = await serve(t, order)
    const ask = async (query: string) =>
      (await app.inject({ method: 'POST', url: '/graphql', payload: { query } })).json() as object
    t.match(await ask('{ note(id: "a") { title } }'), { data: { note: { title: 'A' } } })
    t.match(await ask('{ note(id: "all") { title } }'), { errors: [{ extensions: { code: 'NO_SUCH_PATH_VALUE' } }] })
    await ask('mutation { updateNote(id: "all", data: { title: "b" }) { title } }')
    await ask('mutation { deleteNote(id: "all") { count } }')
    t.strictSame(ran, [])
  })
}
