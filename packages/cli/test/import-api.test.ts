import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { createServer, newApplication } from '../src/index.js'
import { run } from './terminal.js'

const openapi = `
openapi: 3.1.0
info: { title: Zoo, version: '1' }
paths:
  /pets:
    get: { tags: [pets], operationId: listPets, responses: { '200': { description: all } } }
    post: { tags: [pets], operationId: addPet, responses: { '200': { description: made } } }
  /pets/search:
    get:
      tags: [pets]
      operationId: find-by-name
      summary: Finds them
      parameters:
        - { name: q, in: query, required: true, schema: { type: string } }
        - { name: max, in: query, schema: { type: [integer, 'null'] } }
      responses:
        '200': { description: found, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Pet' } } } } }
  /pets/{petId}/feed:
    post:
      tags: [pets]
      parameters: [{ name: petId, in: path, required: true, schema: { type: integer } }]
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Food' } } } }
      responses: { '204': { description: fed } }
  /status:
    get: { responses: { default: { description: how it is } } }
components:
  schemas:
    Pet:
      type: object
      description: An animal
      required: [name]
      properties:
        id: { type: integer }
        name: { type: string, maxLength: 5 }
        born: { type: string, format: date-time }
        kind: { $ref: '#/components/schemas/Kind' }
        food: { $ref: '#/components/schemas/Food' }
        tags: { type: array, items: { type: string } }
    Food: { allOf: [{ type: object, properties: { grams: { type: number } } }, { properties: { dry: { type: boolean } } }] }
    Kind: { type: string, enum: [cat, dog] }
    Elsewhere: { type: object, properties: { x: { $ref: 'other.yaml#/X' } } }
`

t.test('an API that is described becomes models and methods, which are served', async t => {
  const { folder } = await newApplication({ name: 'zoo', template: 'empty-server', cwd: t.testdir() })
  const json = (file: string) => JSON.parse(readFileSync(path.join(folder, file), 'utf8'))
  writeFileSync(path.join(folder, 'server/datasources.json'), '{\n  "db": { "connector": "memory" }\n}\n')
  writeFileSync(path.join(folder, 'zoo.yaml'), openapi)
  const args = ['import-api', 'zoo.yaml', '--acl', 'open', '--allow-dirty']
  const { code, out, err } = await run(folder, args)
  t.equal(code, 0, err)
  t.match(out, 'POST /pets (addPet) is a method that stored models have')
  t.match(json('common/models/pet.json'), {
    base: 'PersistedModel',
    http: { path: '/pets' },
    properties: {
      id: { type: 'number', id: true },
      name: { type: 'string', required: true, maxLength: 5 },
      born: { type: 'date' },
      kind: { type: 'string' },
      food: { type: 'Food' },
      tags: { type: ['string'] }
    },
    methods: {
      findByName: { returns: [{ arg: 'result', type: ['Pet'], root: true }], http: [{ path: '/search', verb: 'get' }] }
    }
  })
  t.same(Object.keys(json('common/models/food.json').properties), ['grams', 'dry'])
  t.equal(json('server/model-config.json').Food.public, false)
  t.match((await run(folder, args)).out, 'Nothing to do.')
  writeFileSync(path.join(folder, 'zoo.yaml'), openapi.replace('An animal', 'A beast'))
  t.match((await run(folder, args)).err, '"Pet" is there already')

  // Node keeps modules that were loaded, by their paths.
  cpSync(folder, `${folder}-served`, { recursive: true })
  const server = await createServer(`${folder}-served`)
  t.teardown(async () => { await server.stop() })
  const { fastify } = server
  const made = await fastify.inject({ method: 'POST', url: '/api/pets', payload: { name: 'Tom', food: { grams: 5 } } })
  t.match(made.json(), { id: 1, name: 'Tom', food: { grams: 5 } })
  t.equal((await fastify.inject({ url: '/api/pets/search?q=x' })).statusCode, 501)
  t.equal((await fastify.inject({ url: '/api/pets/search' })).statusCode, 400)
  t.equal((await fastify.inject({ method: 'POST', url: '/api/pets/1/feed', payload: { grams: 1 } })).statusCode, 501)
  t.equal((await fastify.inject({ url: '/api/status' })).statusCode, 501)

  // And back again.
  for (const [file, more, key, value] of [
    ['api.yaml', [], 'openapi', /^3\.1/], ['api.json', ['--version', '3.0'], 'openapi', /^3\.0/], ['old.yml', ['--swagger2'], 'swagger', '2.0']
  ] as const) {
    const exported = await run(folder, ['export-api', file, ...more])
    t.equal(exported.code, 0, exported.err)
    const text = readFileSync(path.join(folder, file), 'utf8')
    const document = file.endsWith('json') ? JSON.parse(text) : parse(text)
    t.match(document[key], value)
    t.ok('/pets/search' in document.paths, Object.keys(document.paths).join(' '))
  }
  const { folder: other } = await newApplication({ name: 'copy', template: 'empty-server', cwd: path.dirname(folder) })
  const again = await run(other, ['import-api', '../zoo/old.yml', '--json', '--allow-dirty'])
  t.equal(again.code, 0, again.err)
  t.ok(JSON.parse(again.out).written.some(({ file }: { file: string }) => file === 'common/models/pet.json'))
})

t.test('--service: a described API becomes a data source that calls it, and a model for each tag', async t => {
  const api = createHttpServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ url: request.url }))
  })
  await new Promise<void>(resolve => { api.listen(0, '127.0.0.1', resolve) })
  t.teardown(() => { api.close() })
  const { port } = api.address() as AddressInfo
  const { folder } = await newApplication({ name: 'front', template: 'empty-server', cwd: t.testdir() })
  writeFileSync(path.join(folder, 'zoo.yaml'), `${openapi}servers: [{ url: 'http://127.0.0.1:${String(port)}/zoo' }]\n`)
  const args = ['import-api', 'zoo.yaml', '--service', 'zoo', '--acl', 'open', '--allow-dirty']
  const { code, err } = await run(folder, args)
  t.equal(code, 0, err)
  const json = (file: string) => JSON.parse(readFileSync(path.join(folder, file), 'utf8'))
  t.match(json('server/datasources.json').zoo, { name: 'zoo', connector: 'openapi', spec: './zoo.openapi.yaml' })
  t.match(json('common/models/pet.json'), { base: 'Model', openapi: { tags: ['pets'] }, acls: [] })
  t.strictSame(json('server/model-config.json').Zoo, { dataSource: 'zoo', public: true })
  t.match((await run(folder, args)).out, 'Nothing to do.')
  const server = await createServer(folder)
  t.teardown(async () => { await server.stop() })
  const { fastify } = server
  t.strictSame((await fastify.inject('/api/Pets/findByName?q=x')).json(), { url: '/zoo/pets/search?q=x' })
  t.equal((await fastify.inject('/api/Pets/findByName')).statusCode, 400, 'arguments are checked')
  t.strictSame((await fastify.inject('/api/Zoos/getStatus')).json(), { url: '/zoo/status' })
  t.equal((await fastify.inject('/api/Zoos/findByName?q=x')).statusCode, 404, 'each has the operations of its tag')
})

t.test('what is no description is told', async t => {
  const { folder } = await newApplication({ name: 'zoo', template: 'empty-server', cwd: t.testdir() })
  for (const [text, message] of [
    ['{', /neither JSON nor YAML/], ['a: [', /neither JSON nor YAML/], ['openapi: 4.0.0', /neither OpenAPI/], ['- 1', /neither OpenAPI|no object/]
  ] as const) {
    writeFileSync(path.join(folder, 'zoo.yaml'), text)
    const { code, err } = await run(folder, ['import-api', 'zoo.yaml'])
    t.equal(code, 1)
    t.match(err, message)
    t.match(err, 'FBK_CLI_API_DESCRIPTION')
  }
  t.match((await run(folder, ['import-api', 'none.yaml'])).err, 'cannot be read')
})
