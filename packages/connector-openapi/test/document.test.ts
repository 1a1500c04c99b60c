/** Descriptions: where they come from, which versions, what is refused (service-connectors.md, section 9). */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import t from 'tap'
import { stringify } from 'yaml'
import { description, echo, serve, use } from './service.js'

type Loose = any

t.test('from a file, as YAML and as JSON', async t => {
  const url = await serve(t)
  const folder = await mkdtemp(path.join(tmpdir(), 'fastback-openapi-'))
  t.teardown(() => rm(folder, { recursive: true }))
  for (const [name, text] of [['a.yaml', stringify(description())], ['a.json', JSON.stringify(description())]] as const) {
    await writeFile(path.join(folder, name), text)
    const { Model } = await use(t, { spec: path.join(folder, name), url })
    t.equal((await Model.listPets({})).url, '/pets', name)
  }
})

t.test('from an address, with servers relative to it', async t => {
  const spec: Loose = description()
  spec.paths['/photo'].servers = [{ url: '/{stage}/x', variables: { stage: { default: 'beta' } } }]
  const url = await serve(t, (asked, response) => {
    if (asked.url === '/openapi.json') response.end(JSON.stringify(spec))
    else echo(asked, response)
  })
  const { Model } = await use(t, { spec: `${url}/openapi.json` })
  t.equal((await Model.listPets({})).url, '/v1/pets')
  t.equal((await Model.upload({ requestBody: {} })).url, '/beta/x/photo')
})

t.test('SC-S4: a description from the network names no other host by itself', async t => {
  const spec = description({ servers: [{ url: 'http://localhost:1/' }] })
  const url = await serve(t, (_, response) => { response.end(JSON.stringify(spec)) })
  const { Model } = await use(t, { spec: `${url}/openapi.json` })
  await t.rejects(Model.listPets({}), { statusCode: 400, code: 'HOST_NOT_ALLOWED' })
})

t.test('what cannot be used stops the start', async t => {
  const refused = async (settings: Record<string, unknown>, message: RegExp): Promise<void> => {
    await t.rejects(use(t, settings), { code: 'FBK_OPENAPI_DOCUMENT', message })
  }
  const url = 'http://127.0.0.1:1'
  await refused({ spec: '/nowhere/a.yaml', url }, /ENOENT/)
  await refused({ spec: { openapi: '4.0.0' }, url }, /neither OpenAPI/)
  await refused({ spec: description() }, /no address/)
  const missing = description({ paths: { '/a': { get: { parameters: [{ $ref: '#/components/parameters/No' }] } } } })
  await refused({ spec: missing, url }, /"#\/components\/parameters\/No" leads nowhere/)
  const outside = description({ paths: { '/a': { get: { parameters: [{ $ref: 'other.yaml#/a' }] } } } })
  await refused({ spec: outside, url }, /leads out of the document/)
  const circle = description({ paths: { '/a': { $ref: '#/paths/~1a' } } })
  await refused({ spec: circle, url }, /leads to itself/)
  const html = await serve(t, (_, response) => { response.writeHead(404).end('<html>') })
  await refused({ spec: `${html}/x` }, /answered 404/)
  await t.rejects(use(t, { url }), { code: 'FBK_CORE_DATA_SOURCE_SETTINGS' })
})

t.test('Swagger 2.0: parameters, bodies, forms, answers, security', async t => {
  const url = await serve(t)
  const spec = {
    swagger: '2.0',
    host: new URL(url).host,
    basePath: '/v2',
    schemes: ['http'],
    securityDefinitions: { basic: { type: 'basic' } },
    security: [{ basic: [] }],
    parameters: { Id: { name: 'id', in: 'path', required: true, type: 'integer' } },
    definitions: { Pet: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } } },
    paths: {
      '/pets/{id}': {
        parameters: [{ $ref: '#/parameters/Id' }],
        get: {
          operationId: 'get',
          parameters: ['csv', 'multi', 'pipes'].map(form => ({ name: form, in: 'query', type: 'array', items: { type: 'string' }, collectionFormat: form })),
          responses: { 200: { description: 'A pet', schema: { $ref: '#/definitions/Pet' } } }
        },
        put: { operationId: 'put', parameters: [{ name: 'pet', in: 'body', required: true, schema: { $ref: '#/definitions/Pet' } }], responses: {} },
        post: { operationId: 'post', parameters: [{ name: 'a', in: 'formData', type: 'string' }, { name: 'f', in: 'formData', type: 'file' }], responses: {} },
        patch: { operationId: 'form', parameters: [{ name: 'a', in: 'formData', type: 'string' }], responses: {} }
      }
    }
  }
  const { Model } = await use(t, { spec, credentials: { basic: { username: 'a', password: 'b' } } })
  const list = ['x', 'y']
  t.match(await Model.get({ id: 1, csv: list, multi: list, pipes: list }), {
    url: '/v2/pets/1?csv=x,y&multi=x&multi=y&pipes=x%7Cy', headers: { authorization: /^Basic / }
  })
  await t.rejects(Model.put({ id: 1, requestBody: {} }), { statusCode: 422, code: 'VALIDATION_FAILED' })
  t.match(await Model.put({ id: 1, requestBody: { name: 'Rex' } }), { body: '{"name":"Rex"}' })
  t.match(await Model.post({ id: 1, requestBody: { a: 'x', f: Buffer.from('y') } }), { headers: { 'content-type': /multipart/ } })
  t.match(await Model.form({ id: 1, requestBody: { a: 'x' } }), { body: 'a=x', headers: { 'content-type': /urlencoded/ } })
})

t.test('OpenAPI 3.0: nullable and exclusive bounds', async t => {
  const spec = description({ openapi: '3.0.3' }) as Loose
  spec.paths['/pets'].get.parameters = [
    { name: 'n', in: 'query', schema: { type: 'integer', minimum: 1, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false } }
  ]
  spec.components.schemas.Pet.properties.name = { type: 'string', nullable: true, enum: ['a'] }
  const { Model } = await use(t, { spec, url: await serve(t) })
  await t.rejects(Model.listPets({ n: 1 }), { statusCode: 422, code: 'VALIDATION_FAILED' })
  t.equal((await Model.listPets({ n: 9 })).url, '/pets?n=9')
  t.ok(await Model.createPet({ requestBody: { name: null } }))
  await t.rejects(Model.createPet({ requestBody: { name: 'b' } }), { statusCode: 422, code: 'VALIDATION_FAILED' })
})
