// FASTBACK_TEST_FULL: descriptions of large applications.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import SwaggerParser from '@apidevtools/swagger-parser'
import { restRoutes, type RestOptions } from '@fastback/rest'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import openapiTS, { astToString } from 'openapi-typescript'
import t from 'tap'
import ts from 'typescript'
import { compileFiles } from '../../../test-fixtures/compiler.mjs'
import { openApiDocument, type OpenApiDocument } from '../src/index.js'
import { application } from './helpers/application.js'

const { app, models } = await application()
t.teardown(() => app.close())
const document = openApiDocument(app.registry, { info: { title: 'Notes', version: '2.0.0' } })
const { schemas } = document.components
const resolve = (schema: unknown): any => {
  const { $ref } = schema as { $ref?: string }
  return $ref === undefined ? schema : schemas[$ref.split('/').at(-1) as string]
}
const operation = (verb: string, path: string): any => document.paths[path]?.[verb]

t.test('public tools take the description, in every version', async t => {
  const swagger = (await app.inject('/explorer/swagger.json')).json()
  for (const [version, each] of [
    ['3.1.0', document],
    ['3.0.3', openApiDocument(app.registry, { openapi: '3.0' })],
    ['2.0', swagger]
  ] as Array<[string, any]>) {
    t.equal(each.openapi ?? each.swagger, version)
    await t.resolves(SwaggerParser.validate(structuredClone(each)), `${version}: swagger-parser`)
    const { valid, errors } = await new Validator().validate(structuredClone(each))
    t.equal(valid, true, `${version}: openapi-schema-validator ${JSON.stringify(errors)}`)
  }
})

t.test('types made of the description compile, and say what the API takes', async t => {
  const folder = fileURLToPath(new URL('../.types-test/', import.meta.url))
  mkdirSync(folder, { recursive: true })
  t.teardown(() => { rmSync(folder, { recursive: true }) })
  for (const [openapi, nested] of [['3.1', false], ['3.0', true]] as const) {
    writeFileSync(
      `${folder}api.d.ts`,
      astToString(await openapiTS(structuredClone(openApiDocument(app.registry, { openapi, nested })) as never))
    )
    writeFileSync(
      `${folder}use.ts`,
      `
      import type { components, operations, paths } from './api.js'
      type Schemas = components['schemas']
      const filter: Schemas['NoteFilter'] = { where: { rating: { gt: 1, lte: 5 }, or: [{ done: true }, { title: { like: '%milk%' } }] }, order: ['rating DESC'], limit: 3, include: { author: true } }
      const created: paths['/Notes']['post']['requestBody']['content']['application/json'] = { title: 'milk', authorId: 1 }
      const note: operations['Note.findById']['responses'][200]['content']['application/json'] = { id: 1, author: { name: 'Ann'${nested ? ", notes: [{ title: 'x' }]" : ''} } }
      // @ts-expect-error a title is needed
      const nameless: Schemas['NewNote2'] = { authorId: 1 }
      // @ts-expect-error hidden properties are not in responses
      note.pinCode
      // @ts-expect-error nor may a query ask for them
      const asking: Schemas['NoteFilter'] = { where: { pinCode: '1' } }
      // @ts-expect-error rating is a number
      const text: Schemas['NotePartial'] = { rating: 'good' }
      export { filter, created, note, nameless, asking, text }
    `
    )
    const options = {
      noEmit: true, strict: true, target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.NodeNext, types: []
    }
    t.strictSame(compileFiles([`${folder}use.ts`], options, { own: folder }), [], `${openapi} ${String(nested)}`)
  }
})

t.test('every public route is described once, and nothing else', async t => {
  const described = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map(verb => `${verb} ${path}`)
  )
  const routes = restRoutes(app.registry).filter(({ verb }) => verb !== 'REPORT')
  t.equal(routes.length, restRoutes(app.registry).length - 1)
  const explicit = routes.filter(({ method }) => method.documented && method.http.every(({ verb }) => verb !== 'all'))
  const expected = explicit.map(({ verb, path }) => `${verb.toLowerCase()} ${path.replaceAll(/:(\w+)/g, '{$1}')}`)
  t.same([...described].sort(), [...expected, 'post /Notes/move', 'post /Accounts/logout'].sort())
  t.equal(
    new Set(Object.values(document.paths).flatMap(item => Object.values(item).map(each => each.operationId))).size,
    described.length,
    'each has an id of its own'
  )
  t.match(document, { openapi: '3.1.0', info: { title: 'Notes', version: '2.0.0' }, servers: [{ url: '/api' }] })
  t.same(document.tags.find(({ name }) => name === 'Note'), { name: 'Note', description: 'What somebody wrote down' })
  t.same(
    openApiDocument(app.registry, { info: { title: 'Notes', version: '2.0.0' } }),
    document,
    'the same models give the same document'
  )
})

t.test('what is not public does not occur (security.md, S-57)', async t => {
  const text = JSON.stringify(document)
  for (const name of [
    'BackstagePass',
    'AccessToken',
    'Address',
    '"User"',
    'unmentioned',
    'secretSwitch',
    '"Note.upsertWithWhere"',
    'optionsFromRequest'
  ]) { t.notOk(text.includes(name), name) }
  const { secret, passes } = schemas.Author?.properties as Record<string, unknown>
  t.equal(secret, undefined, 'no hidden property in answers')
  t.same(passes, { type: 'array', items: { type: 'object' } }, 'an unpublished model is any object')
  t.ok(Object.hasOwn(schemas.NewAuthor?.properties as object, 'secret'), 'it can be sent')
  for (const name of ['AuthorWhere', 'AuthorFilter', 'AuthorByIdFilter', 'NoteWhere', 'NoteFilter']) {
    t.notMatch(JSON.stringify(schemas[name]), /secret|pinCode/, `${name} cannot ask for it`)
  }
  t.notMatch(JSON.stringify(schemas.AuthorInclude), /shadow/, 'a relation that cannot be included')
  const pass = operation('get', '/Authors/{id}/passes').responses[200].content['application/json'].schema.items
  t.match(
    pass,
    { type: 'object', properties: { code: { type: 'string' }, stage: { properties: { street: { type: 'string' } } } } },
    'relation routes to it are described in place'
  )
})

t.test('no filter leads to the filter of another model', async t => {
  // Seen to fail: Author led to Note, Note to Author and to all that Author leads to, and so on each way.
  const led = (name: string, found: Set<string> = new Set()): Set<string> => {
    for (const [, next = ''] of JSON.stringify(schemas[name]).matchAll(/#\/components\/schemas\/([\w.-]+)/g)) {
      if (!found.has(next)) led(next, found.add(next))
    }
    return found
  }
  const filters = Object.keys(schemas).filter(name => name.endsWith('Filter'))
  t.ok(filters.length > 3)
  for (const name of filters) t.same([...led(name)].filter(other => /Filter$/.test(other)), [], name)
  t.match(schemas.AuthorInclude, { anyOf: [{}, { properties: { scope: { $ref: '#/components/schemas/Scope' } } }] })
  t.match(openApiDocument(app.registry, { nested: true }).components.schemas.AuthorInclude, {
    anyOf: [{}, { properties: { scope: { $ref: '#/components/schemas/NoteScope' } } }]
  }, 'conditions of related rows are said to compilers of types')
})

t.test('conditions on related rows', async t => {
  const { notes, passes, shadow } = schemas.AuthorWhere?.properties as Record<string, any>
  t.match(notes, {
    type: 'object',
    'x-related': 'Note',
    properties: { some: { type: 'object' }, every: { type: 'object' }, none: { type: 'object' } }
  })
  t.notOk('x-related' in passes, 'an unpublished model is not named')
  t.equal(shadow, undefined, 'a relation that cannot be included')
  const { author } = schemas.NoteWhere?.properties as Record<string, any>
  t.match(author, { type: ['object', 'null'], 'x-related': 'Author' })
})

t.test('no row leads to the row of another model, and on', async t => {
  // Seen to fail: swagger-client wrote out every way from model to model, and took 108 s for thirty models.
  t.match(schemas.Author?.properties, { notes: { items: { $ref: '#/components/schemas/NoteRow' } } })
  t.notMatch(JSON.stringify(schemas.NoteRow), 'components/schemas/Author')
  t.match(
    operation('put', '/Notes/{id}').responses[200].content['application/json'].schema,
    { $ref: '#/components/schemas/StoredNote' }
  )
  t.strictSame(schemas.StoredNote, {
    allOf: [
      { $ref: '#/components/schemas/NoteRow' },
      { type: 'object', properties: { id: { type: 'number' } }, required: ['id'] }
    ]
  }, 'what is written comes back with its id, and without related rows')
  const nested = openApiDocument(app.registry, { nested: true }).components.schemas
  t.match(nested.Author?.properties, { notes: { items: { $ref: '#/components/schemas/Note' } } })
  t.notOk(Object.hasOwn(nested, 'NoteRow'))
})

t.test('components of a model', async t => {
  t.match(schemas.Note, {
    type: 'object',
    properties: {
      id: { type: 'number', readOnly: true },
      title: { type: 'string', minLength: 3, description: 'What it is about' },
      rating: { type: ['number', 'null'], exclusiveMinimum: 0, maximum: 5 },
      kind: { enum: ['private', 'work', null] },
      written: { type: ['string', 'null'], format: 'date-time' },
      author: { $ref: '#/components/schemas/AuthorRow' }
    }
  })
  t.equal(schemas.Note?.required, undefined, 'a filter may leave out any property')
  t.equal(schemas.Note?.additionalProperties, undefined, 'included relations may be there')
  const create = resolve(operation('post', '/Notes').requestBody.content['application/json'].schema.anyOf[0])
  t.same([...create.required].sort(), ['authorId', 'title'])
  t.equal(create.properties.id, undefined, 'the id is generated')
  t.equal(create.additionalProperties, false)
  t.equal(schemas.NotePartial?.required, undefined)
  t.match(schemas.NewNote, { properties: { text: {} } }, 'a model keeps its name')
  t.same(
    operation('post', '/Authors/{id}/notes').requestBody.content['application/json'].schema.anyOf[0],
    { $ref: '#/components/schemas/NewNoteInAuthor' },
    'a relation sets the foreign key'
  )
  t.same((schemas.NewNoteInAuthor as any).required, ['title'])
  t.match(schemas.Author, {
    properties: {
      place: { anyOf: [{ $ref: '#/components/schemas/GeoPoint' }, { type: 'null' }] },
      others: { type: ['array', 'null'], items: { properties: { city: {} } } }
    }
  })
  t.match(schemas.Measure, {
    properties: {
      marks: { type: 'array', prefixItems: [{ type: 'number' }, { type: 'string' }] },
      unit: { type: 'string', enum: ['m', 's'] },
      at: { format: 'date-time' }
    }
  })
})

t.test('filters have the grammar of the parser', async t => {
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  ajv.addSchema(document, 'api')
  const valid = (name: string, value: unknown): boolean =>
    ajv.compile({ $ref: `api#/components/schemas/${name}` })(value) as boolean
  const { parseFilter, defaultQueryLimits } = await import('@fastback/core/connector')
  const parses = (filter: unknown): boolean => {
    try {
      parseFilter((models.Author as { compiled: any }).compiled, filter, { external: true, limits: defaultQueryLimits })
      return true
    } catch {
      return false
    }
  }
  const good: unknown[] = [
    {},
    { where: { name: 'Ann' } },
    { where: { name: { like: 'A%', neq: null } } },
    { where: { and: [{ name: { inq: ['a', 'b'] } }, { id: { between: [1, 5] } }] } },
    { where: { place: { near: { lat: 1, lng: 2 }, maxDistance: 3, unit: 'kilometers' } } },
    { where: { 'home.city': 'Rome' } },
    { where: { name: { regexp: '/^a/i' } } },
    { order: 'name DESC' },
    { order: ['name', 'id ASC'] },
    { limit: 0, skip: 3 },
    { fields: ['name'] },
    { fields: { name: true } },
    { fields: 'name' },
    { include: 'notes' },
    { include: ['notes', { relation: 'friends', scope: { where: { name: 'Ben' }, limit: 2 } }] },
    { include: { notes: 'author', friends: ['notes', { friends: true }] } }
  ]
  for (const filter of good) t.ok(valid('AuthorFilter', filter) && parses(filter), JSON.stringify(filter))
  const bad: unknown[] = [
    { limit: -1 },
    { limit: 1.5 },
    { skip: 2 ** 31 },
    { where: { name: { almost: 'x' } } },
    { where: { id: { between: [1] } } },
    { where: { name: { inq: 'a' } } },
    { where: { and: {} } },
    { include: 'nothing' },
    { include: { relation: 'nothing' } },
    { order: { name: 1 } },
    { fields: 3 },
    { where: { name: { like: 'x'.repeat(300) } } }
  ]
  for (const filter of bad) t.ok(!valid('AuthorFilter', filter) && !parses(filter), JSON.stringify(filter))
  const { $ref } = (schemas.MeasureFilter?.properties as any).limit
  t.equal((schemas[$ref.split('/').at(-1)] as any).maximum, 50, 'the largest page')
  t.same(operation('get', '/Authors').parameters[0].content['application/json'].schema, {
    $ref: '#/components/schemas/AuthorFilter'
  })
  t.same(
    operation('get', '/Authors/{id}').parameters.map((each: any) => [
      each.name,
      each.in,
      each.required,
      each.schema?.type
    ]),
    [
      ['id', 'path', true, 'number'],
      ['filter', 'query', undefined, undefined]
    ]
  )
  t.same(operation('get', '/Authors/count').parameters[0].content['application/json'].schema, {
    $ref: '#/components/schemas/AuthorWhere'
  })
  t.equal(operation('post', '/Authors/update').parameters[0].required, true)
})

t.test('parameters, bodies and answers of remote methods', async t => {
  const search = operation('get', '/Notes/search')
  t.match(search.parameters, [
    { name: 'words', in: 'query', schema: { type: 'array', items: { type: 'string' } }, description: 'All of them' },
    { name: 'since', in: 'query', required: true, schema: { type: 'string', format: 'date-time' } },
    { name: 'done', in: 'query', schema: { type: 'boolean' } },
    { name: 'client', in: 'header', schema: { type: 'string' } }
  ])
  t.match(search.responses[200], {
    headers: { 'X-Total': { schema: {} } },
    content: {
      'application/json': {
        schema: {
          properties: {
            notes: { items: { $ref: '#/components/schemas/Note' } },
            at: { properties: { $type: { enum: ['date'] } } }
          }
        }
      }
    }
  })
  const move = operation('post', '/Notes/move')
  t.match(move, {
    description: 'Both must be there.\nAnswers every verb.',
    requestBody: { required: true, content: { 'application/x-www-form-urlencoded': {} } },
    responses: { 204: {} }
  })
  t.match(move.requestBody.content['application/json'].schema, {
    properties: { from: { type: 'number' } },
    required: ['from']
  })
  t.match(operation('post', '/Notes/{id}/finish'), {
    summary: 'Marks a note as done',
    description: 'It can be done twice.',
    operationId: 'Note.prototype.finish',
    parameters: [{ name: 'id', in: 'path', required: true }],
    responses: { 200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Note' } } } }, 404: {} }
  })
  t.match(operation('post', '/Notes/save'), {
    requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/NoteReplacement' } } } },
    responses: { 201: {} }
  })
  t.match(operation('get', '/Notes/{year}/file'), {
    parameters: [{ name: 'year', in: 'path', schema: { type: 'integer' } }],
    responses: { 200: { content: { 'application/octet-stream': {} } } }
  })
  t.match(operation('get', '/Notes/change-stream').responses[200].content, { 'text/event-stream': {} })
  t.match(operation('get', '/Notes/{id}/author').responses[200].content['application/json'].schema, {
    anyOf: [{ $ref: '#/components/schemas/Author' }, { type: 'null' }]
  })
  t.match(operation('delete', '/Notes/{id}').responses[200].content['application/json'].schema, {
    properties: { count: { type: 'integer' } }
  })
  t.match(
    operation('post', '/Accounts/login').requestBody.content['application/json'].schema,
    { required: ['password'], properties: { email: {} }, examples: [{}] },
    'what a login takes'
  )
  t.match(
    operation('post', '/Accounts/login').responses[200].content['application/json'].schema,
    { required: ['id'] },
    'and gives'
  )
  t.notOk(operation('head', '/Notes/{id}').responses[200].content, 'HEAD has no body')
  t.same(operation('head', '/Notes/{id}').operationId, 'Note.exists.head')
})

t.test('forms with files, and answers that a method makes by itself', async t => {
  const { requestBody } = operation('post', '/Authors/attach')
  t.strictSame(requestBody, {
    required: true,
    content: {
      'multipart/form-data': {
        schema: {
          type: 'object',
          properties: {
            photo: { description: 'A face', type: 'string', format: 'binary', maxLength: 1024 * 1024 },
            title: { type: 'string' },
            kinds: { type: 'array', items: { type: 'string' } },
            more: { type: 'array', items: { type: 'string', format: 'binary', maxLength: 10 * 1024 * 1024 } }
          },
          required: ['photo', 'title']
        },
        encoding: { photo: { contentType: 'image/*' } }
      }
    }
  })
  const { responses } = operation('get', '/Authors/picture')
  t.strictSame(Object.keys(responses), ['200', '304', '307', '400', '401', '406', '416', '431', 'default'])
  const text = { schema: { type: 'string' } }
  t.strictSame([responses[200], responses[304], responses[307], responses[416].headers], [
    {
      description: 'A face',
      headers: { ETag: { description: 'Its state', ...text } },
      content: { 'image/png': { schema: { type: 'string', format: 'binary' } } }
    },
    { description: 'Still the same' },
    { description: 'Somewhere else', headers: { Location: text } },
    { 'Content-Range': { description: 'How much there is', ...text } }
  ])
  t.match(responses[416].content['application/json'].schema, { $ref: '#/components/schemas/Error' })
  const swagger = (await app.inject('/explorer/swagger.json')).json()
  t.strictSame(swagger.paths['/Authors/attach'].post.parameters, [
    { name: 'photo', in: 'formData', required: true, description: 'A face', type: 'file' },
    { name: 'title', in: 'formData', required: true, type: 'string' },
    { name: 'kinds', in: 'formData', required: false, type: 'array', items: { type: 'string' }, collectionFormat: 'multi' },
    { name: 'more', in: 'formData', required: false, type: 'file' }
  ])
})

t.test('errors and access', async t => {
  const create = operation('post', '/Notes')
  t.same(Object.keys(create.responses), ['200', '400', '401', '406', '409', '413', '415', '422', '431', 'default'])
  const { content } = document.components.responses.UnprocessableEntity as { content: any }
  t.same(Object.keys(content), ['application/json', 'text/html', 'application/xml', 'application/problem+json'])
  t.same(content['application/json'].schema, { $ref: '#/components/schemas/DetailedError' })
  t.same(Object.keys(operation('get', '/Notes/{id}').responses), ['200', '400', '401', '404', '406', '431', 'default'])
  const refused = (await app.inject({ url: '/api/Notes?filter=3' })).json()
  const ajv = new Ajv2020({ strict: false })
  ajv.addSchema(document, 'api')
  const validate = ajv.compile({ $ref: 'api#/components/schemas/Error' })
  for (const error of [
    refused,
    (await app.inject({ method: 'POST', url: '/api/Authors', payload: { name: 3, home: {} } })).json(),
    (await app.inject('/api/Authors/99')).json()
  ]) { t.ok(validate(error), JSON.stringify(error)) }
  const problem = await app.inject({
    method: 'POST', url: '/api/Authors', payload: { name: 3 }, headers: { accept: 'application/problem+json' }
  })
  t.match(problem.headers['content-type'], 'application/problem+json')
  const isProblem = ajv.compile({ $ref: 'api#/components/schemas/Problem' })
  t.ok(isProblem(problem.json()), problem.body)
  t.match(problem.json(), { status: 422, code: 'VALIDATION_FAILED', details: [{ path: '.name', code: 'type' }] })
  t.same(document.security, [{}, { accessToken: [] }, { accessTokenInQuery: [] }])
  t.match(document.components.securitySchemes, {
    accessToken: { in: 'header', name: 'X-Access-Token' },
    accessTokenInQuery: { in: 'query', name: 'access_token' }
  })
})

t.test('what a setting adds to answers is described where it is on', async t => {
  const described = async (rest: RestOptions): Promise<any> => {
    const { app } = await application({ rest })
    t.teardown(() => app.close())
    const made = openApiDocument(app.registry, { underPressure: rest.methodNotAllowed === true })
    await t.resolves(SwaggerParser.validate(structuredClone(made) as never), 'valid')
    const { valid, errors } = await new Validator().validate(structuredClone(made) as never)
    t.equal(valid, true, JSON.stringify(errors))
    return made
  }
  const always = await described({
    totalCount: true,
    methodNotAllowed: true,
    remoting: {
      errorHandler: { rootProperty: 'fault', negotiateContentType: false },
      rest: { xml: true },
      json: { type: 'application/vnd.notes+json' }
    }
  })
  const list = always.paths['/Notes'].get
  t.match(list.responses[200].headers, {
    'X-Total-Count': { required: true, schema: { type: 'integer' } },
    'Content-Range': { required: true }
  })
  t.notOk(list.parameters.some(({ name }: { name: string }) => name === 'Prefer'))
  t.match(always.paths['/Authors/{id}/notes'].get.responses[200].headers, { 'X-Total-Count': {} }, 'lists of relations')
  for (const path of ['/Notes/{id}', '/Notes/{id}/author', '/Notes/count']) {
    t.equal(always.paths[path].get.responses[200].headers, undefined, path)
  }
  t.match(always.components.responses.MethodNotAllowed, { headers: { Allow: { required: true } } })
  t.match(always.paths['/Notes'].post.responses[503], { $ref: '#/components/responses/ServiceUnavailable' })
  t.match(always.components.responses.ServiceUnavailable, {
    headers: { 'Retry-After': { schema: { type: 'integer' } } }
  })
  t.same(Object.keys(always.components.responses.NotFound.content), ['application/json'])
  t.match(always.components.schemas.Error, {
    properties: { fault: { type: 'object' } },
    required: ['fault']
  })
  t.same(Object.keys(list.responses[200].content), ['application/json', 'application/xml', 'text/xml'])
  t.same(Object.keys(always.paths['/Notes'].post.requestBody.content), [
    'application/json',
    'application/vnd.notes+json'
  ])

  const { paths } = await described({ streaming: true, totalCount: true })
  for (const path of ['/Notes', '/Authors/{id}/notes']) {
    const { content, headers } = paths[path].get.responses[200]
    t.match(content, {
      'application/json': { schema: { type: 'array', items: { $ref: /Note/ } } },
      'application/x-ndjson': { schema: { $ref: /Note/ } },
      'text/csv': { schema: { type: 'string' } }
    }, path)
    t.notOk(headers['Content-Range'].required, 'not with rows that are still to be read')
  }
  t.same(Object.keys(paths['/Notes/{id}'].get.responses[200].content), ['application/json'], 'no list')

  const asked = (await described({ totalCount: 'asked' })).paths['/Notes'].get
  t.match(asked.parameters.find(({ name }: { name: string }) => name === 'Prefer'), { in: 'header' })
  t.match(asked.responses[200].headers, { 'X-Total-Count': { schema: {} }, 'Preference-Applied': {} })
  t.notOk(asked.responses[200].headers['X-Total-Count'].required)
  t.equal(operation('get', '/Notes').responses[200].headers, undefined, 'off')
  t.notOk(
    'MethodNotAllowed' in document.components.responses || 'ServiceUnavailable' in document.components.responses,
    'off'
  )
})

t.test('methods say what else they answer with', async t => {
  const declare = (Note: any): void => {
    Note.pick = Note.choose = Note.show = async () => {}
    const result = { arg: 'x', type: 'object', root: true }
    Note.remoteMethod('pick', {
      returns: result,
      http: { verb: 'get', errorStatus: 418 },
      responses: { 302: 'Elsewhere', 409: 'Taken already', 429: 'Too often' }
    })
    Note.remoteMethod('choose', {
      returns: [result, { arg: 'status', type: 'number', http: { target: 'status' } }],
      http: { verb: 'get' }
    })
    Note.remoteMethod('show', {
      accepts: { arg: 'res', type: 'object', http: { source: 'res' } },
      returns: [
        { arg: 'body', type: 'file', root: true },
        { arg: 'Content-Type', type: 'string', http: { target: 'header' } }
      ],
      http: { verb: 'get' }
    })
  }
  const { app } = await application({ prepare: ({ Note }: any) => { declare(Note) } })
  t.teardown(() => app.close())
  const { paths } = openApiDocument(app.registry) as any
  t.match(paths['/Notes/pick'].get.responses, {
    302: { description: 'Elsewhere', headers: { Location: {} } },
    409: { description: 'Taken already', content: { 'application/json': {} } },
    418: { description: 'The method failed' },
    429: { headers: { 'Retry-After': {} } }
  })
  t.match(paths['/Notes/choose'].get.responses['2XX'], { content: { 'application/json': {} } })
  t.match(paths['/Notes/show'].get.responses, { 200: { content: { '*/*': { schema: {} } } }, '2XX': {}, '3XX': {} })
  t.equal(paths['/Notes/show'].get.responses[200].headers, undefined, 'the type of a body is no header of its own')
})

t.test('a stream says what its pieces are', async t => {
  const { content } = operation('get', '/Notes/change-stream').responses[200]
  t.match(content, {
    'text/event-stream': { 'x-itemSchema': { allOf: [{ $ref: '#/components/schemas/NoteChange' }] } },
    'application/json; boundary=NL': { 'x-itemSchema': { anyOf: Array } }
  })
  t.match(schemas.NoteChange, {
    properties: { type: { enum: ['create', 'update', 'remove'] }, data: { $ref: '#/components/schemas/Note' } },
    required: ['type', 'target']
  })
})

t.test('every example satisfies its schema, and the server takes it', async t => {
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  ajv.addSchema(document, 'api')
  let checked = 0
  for (const [name, { examples = [] }] of Object.entries(schemas) as Array<[string, { examples?: unknown[] }]>) {
    const validate = ajv.compile({ $ref: `api#/components/schemas/${name}` })
    for (const example of examples) {
      t.ok(validate(example), `${name} ${JSON.stringify(validate.errors)}`)
      checked++
    }
  }
  t.ok(checked > 15)
  t.notOk((schemas.NewAuthor as any).examples[0].zip, 'no guess at a pattern')
  t.notOk((schemas.NotePartial as any).examples[0].id, 'a change leaves the id alone')
  const made = await app.inject({
    method: 'POST',
    url: '/api/Authors',
    payload: (schemas.NewAuthor as any).examples[0]
  })
  t.equal(made.statusCode, 200, made.body)
  const answer = made.json()
  t.ok(ajv.compile({ $ref: 'api#/components/schemas/Author' })(answer), 'and its answer is as described')
})

t.test('3.0 says the same in its own words', async t => {
  const { schemas: old } = openApiDocument(app.registry, { openapi: '3.0' }).components
  t.match(old.Note, {
    properties: {
      rating: { type: 'number', nullable: true, minimum: 0, exclusiveMinimum: true, maximum: 5 },
      kind: { nullable: true, enum: ['private', 'work', null] }
    },
    example: { title: 'title' }
  })
  t.notMatch(JSON.stringify(old), /"null"|"examples"|"const"|prefixItems/)
  // Seen to fail: `nullable` without a type, which Redocly and Spectral refuse.
  const place = { type: 'object', nullable: true, allOf: [{ $ref: '#/components/schemas/GeoPoint' }] }
  t.strictSame((old.Author?.properties as any).place, place)
  t.match((old.NewAuthor?.properties as any).place.anyOf, [
    { $ref: '#/components/schemas/GeoPoint' }, { type: 'array', nullable: true }, { type: 'string' }
  ])
  const { definitions } = (await app.inject('/explorer/swagger.json')).json()
  t.strictSame(
    definitions.Author.properties.place,
    { type: 'object', 'x-nullable': true, allOf: [{ $ref: '#/definitions/GeoPoint' }] }
  )
  t.match(old.Measure, {
    properties: { marks: { type: 'array', items: {} }, unit: { type: 'string', enum: ['m', 's'] } }
  })
})

t.test('several places, one place, another address', async t => {
  const two = await application()
  t.teardown(() => two.app.close())
  const paths = ({ paths }: OpenApiDocument): string[] => Object.keys(paths)
  t.match(openApiDocument(two.app.registry, { basePath: 'https://api.example.com/v1' }).servers, [
    { url: 'https://api.example.com/v1' }
  ])
  const routes = restRoutes(two.app.registry)
  const both = openApiDocument(two.app.registry, {
    routes: [...routes, ...routes.map(route => ({ ...route, prefix: '/v2' }))]
  })
  t.ok(paths(both).includes('/api/Notes') && paths(both).includes('/v2/Notes'))
  t.same(both.servers, [{ url: '/' }])
  const one = openApiDocument(two.app.registry, {
    routes: [...routes, ...routes.map(route => ({ ...route, prefix: '/v2' }))],
    restApiRoot: '/v2/'
  })
  t.ok(paths(one).includes('/Notes'))
  t.same(one.servers, [{ url: '/v2' }])
  t.same(paths(openApiDocument({ models: {} }, { routes: [] })), [], 'an application without models')
})
