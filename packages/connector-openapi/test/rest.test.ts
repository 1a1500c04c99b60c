/** Described operations over REST: routes, conversion, description (service-connectors.md, section 9). */
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import core from '@fastback/core'
import explorer from '@fastback/explorer'
import rest from '@fastback/rest'
import { openapiConnector } from '@fastback/connector-openapi'
import { description, echo, serve, type Answer } from './service.js'

async function app (t: Test, answer: Answer = echo): Promise<FastifyInstance> {
  const url = await serve(t, answer)
  const made = Fastify()
  await made.register(core, {
    dataSources: { pets: { connector: openapiConnector, spec: description(), url } },
    definitions: [{ name: 'Pet', base: 'Model' }],
    models: { Pet: { dataSource: 'pets', public: true } }
  })
  await made.registry.connect()
  await made.register(rest, { prefix: '/api' })
  await made.register(explorer, { prefix: '/explorer' })
  t.teardown(() => made.close())
  await made.ready()
  return made
}

t.test('parameters and bodies reach their places', async t => {
  const made = await app(t)
  const list = await made.inject({ url: '/api/Pets/listPets?tags=a&tags=b&limit=3', headers: { 'x-tenant': 'north' } })
  t.equal(list.statusCode, 200)
  t.match(list.json(), { url: '/pets?tags=a&tags=b&limit=3', headers: { 'x-tenant': 'north' } })
  t.match((await made.inject('/api/Pets/getPet/a%2Fb')).json(), { url: '/pets/a%2Fb' })
  const created = await made.inject({ method: 'POST', url: '/api/Pets/createPet', payload: { name: 'Rex' } })
  t.match(created.json(), { method: 'POST', body: '{"name":"Rex"}' })
  t.equal((await made.inject({ method: 'POST', url: '/api/Pets/createPet', payload: {} })).statusCode, 422)
  t.equal((await made.inject('/api/Pets/listPets?limit=101')).statusCode, 400)
  t.equal((await made.inject('/api/Pets/getPet/%2e')).statusCode, 400)
  t.equal((await made.inject('/api/Pets/getPet/%252e%252e')).json().url, '/pets/%252e%252e', 'SC-S2')
})

t.test('answers: nothing, bytes, errors', async t => {
  const made = await app(t, (asked, response) => {
    if (asked.method === 'DELETE') response.writeHead(204).end()
    else if (asked.url === '/photo') response.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.from([255, 0]))
    else response.writeHead(503).end('secret')
  })
  t.equal((await made.inject({ method: 'DELETE', url: '/api/Pets/deletePetsId/7' })).statusCode, 204)
  const photo = await made.inject('/api/Pets/photo')
  t.match(photo.headers, { 'content-type': 'image/png' })
  t.strictSame(photo.rawPayload, Buffer.from([255, 0]))
  const failed = await made.inject('/api/Pets/listPets')
  t.equal(failed.statusCode, 503)
  t.notMatch(failed.body, 'secret')
})

t.test('the description has the types of the service', async t => {
  const made = await app(t)
  const { paths } = (await made.inject('/explorer/openapi.json')).json()
  const at = (path: string): Record<string, any> => paths[path] ?? paths[`/api${path}`]
  const { parameters, description: about, summary } = at('/Pets/listPets').get
  t.match(`${String(summary)}${String(about)}`, /Lists pets/)
  t.match(parameters.find(({ name }: { name: string }) => name === 'limit'), { in: 'query', schema: { maximum: 100 } })
  t.match(at('/Pets/createPet').post.requestBody.content['application/json'].schema, {
    required: ['name'], properties: { name: { type: 'string' }, parent: { properties: { name: {} } } }
  })
  t.match(at('/Pets/getPet/{id}').get.responses[200].content['application/json'].schema, { properties: { name: {} } })
})
