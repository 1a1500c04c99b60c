/** One shape for all errors, whoever finds them, and its two other forms. */
import t, { type Test } from 'tap'
import Fastify, { type FastifyInstance } from 'fastify'
import { Type } from '@sinclair/typebox'
import { core, type ModelDefinitionInput } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'
import { rest, type RestOptions } from '@fastback/rest'

const properties: ModelDefinitionInput['properties'] = {
  title: { type: 'string', required: true, maxLength: 5 },
  stars: 'number',
  at: 'date',
  kind: { type: 'string', enum: ['a', 'b'] },
  dims: { w: 'number' }
}

async function serve (
  t: Test, options: RestOptions = {}, prepare: (app: FastifyInstance) => void = () => {}
): Promise<FastifyInstance> {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(core, {
    dataSources: { db: { connector: memoryConnector } },
    definitions: [
      { name: 'Note', strict: true, properties },
      // The same rules; its body is not checked, so that the model finds what is wrong.
      { name: 'Memo', strict: true, properties },
      {
        name: 'Ticket',
        properties: {
          state: Type.Union([Type.Literal('open'), Type.Literal('doing'), Type.Literal('done')]),
          email: { type: 'string', index: { unique: true } },
          secretCode: { type: 'string', index: { unique: true } }
        }
      }
    ],
    models: { Note: { dataSource: 'db' }, Memo: { dataSource: 'db' }, Ticket: { dataSource: 'db' } }
  })
  prepare(app)
  await app.register(rest, { prefix: '/api', accessControl: false, ...options })
  return app
}

t.test('schema and model say the same of the same fault, to the byte', async t => {
  const app = await serve(t, {}, ({ models }) => {
    const { Memo } = models as Record<string, any>
    Memo.keep = async (data: object) => await Memo.create(data)
    Memo.remoteMethod('keep', {
      accepts: [{ arg: 'data', type: 'object', http: { source: 'body' } }],
      returns: { arg: 'data', type: 'Memo', root: true },
      http: { path: '/' }
    })
    Memo.disableRemoteMethodByName('create')
  })
  const faults: object[] = [
    {},
    { title: null },
    { title: 'too long' },
    { title: 'x', stars: 'many' },
    { title: 'x', at: 'yesterday' },
    { title: 'x', kind: 'c' },
    { title: 'x', colour: 'red' },
    { title: 'x', dims: 'wide' },
    { title: 'x', dims: { w: 'wide' } },
    { title: 'x', stars: [], colour: 'red', kind: 'c' }
  ]
  for (const payload of faults) {
    const bySchema = await app.inject({ method: 'POST', url: '/api/Notes', payload })
    const byModel = await app.inject({ method: 'POST', url: '/api/Memos', payload })
    t.equal(bySchema.statusCode, 422)
    const sorted = (body: string): unknown => {
      const { error } = JSON.parse(body)
      return { ...error, message: '', details: error.details.map((each: object) => JSON.stringify(each)).sort() }
    }
    // Several violations may come in another order.
    if (Object.keys(payload).length > 2) t.strictSame(sorted(byModel.body), sorted(bySchema.body))
    else t.equal(byModel.body, bySchema.body, JSON.stringify(payload))
  }
})

t.test('violations are sentences', async t => {
  const app = await serve(t)
  const details = async (url: string, payload: object): Promise<Array<Record<string, unknown>>> =>
    (await app.inject({ method: 'POST', url, payload })).json().error.details
  t.strictSame(await details('/api/Tickets', { state: 'closed' }), [{
    path: '.state',
    code: 'enum',
    message: 'must be one of open, doing, done',
    info: { allowedValues: ['open', 'doing', 'done'] }
  }])
  t.match(await details('/api/Notes', { title: 'x', colour: 'red' }), [{
    path: '', message: '"colour" is not a known property', info: { additionalProperty: 'colour' }
  }])
  t.match(await details('/api/Notes', { title: 'x', titel: 'y' }), [{ message: '"titel" is not a known property; "title" is one' }])
  const ticket = { state: 'open', email: 'a@b.c', secretCode: 's3' }
  t.equal((await app.inject({ method: 'POST', url: '/api/Tickets', payload: ticket })).statusCode, 200)
  t.strictSame(await details('/api/Tickets', { ...ticket, secretCode: 's4' }), [{
    path: '.email',
    code: 'uniqueness',
    message: 'is not unique: another "Ticket" has email "a@b.c"',
    info: { properties: ['email'], values: { email: 'a@b.c' } }
  }])
  const [secret] = await details('/api/Tickets', { ...ticket, email: 'd@b.c' })
  t.match(secret, { path: '.secretCode', code: 'uniqueness', info: { values: {} } })
  t.notMatch(JSON.stringify(secret), 's3')
})

t.test('unknown paths and broken JSON have codes', async t => {
  const app = await serve(t)
  const broken = await app.inject({
    method: 'POST', url: '/api/Notes', payload: '{"title":', headers: { 'content-type': 'application/json' }
  })
  t.match(broken.json(), { error: { statusCode: 400, code: 'MALFORMED_JSON' } })
  for (const url of ['/api/Nothing', '/api/Notes/1/nothing', '/api/Notes/chnage-stream']) {
    const answer = await app.inject({ url, headers: { accept: 'text/event-stream' } })
    t.match(answer.json(), { error: { statusCode: 404, code: 'PATH_NOT_FOUND' } }, url)
  }
  const list = await app.inject({ url: '/api/Notes', headers: { accept: 'text/event-stream' } })
  t.equal(list.statusCode, 406, 'what is there has no events')
  const old = await serve(t, { errors: 'loopback' })
  t.notOk('code' in (await old.inject('/api/Nothing')).json().error)
})

t.test('parts of a filter that there are not are refused', async t => {
  const app = await serve(t)
  const filtered = async (model: string, filter: object): Promise<Record<string, unknown>> =>
    (await app.inject(`/api/${model}?filter=${encodeURIComponent(JSON.stringify(filter))}`)).json()
  t.match(await filtered('Notes', { limt: 3 }), {
    error: { statusCode: 400, code: 'UNKNOWN_FILTER_KEY', message: 'The filter has no part "limt". Did you mean "limit"?' }
  })
  t.match(await filtered('Notes', { title: 'x' }), {
    error: { code: 'UNKNOWN_FILTER_KEY', message: 'The filter has no part "title". Conditions stand in "where".' }
  })
  t.match(await filtered('Notes', { where: { titel: 'x' } }), {
    error: { message: 'The where names "titel", which is not a property of "Note". Did you mean "title"?' }
  })
  t.match(await filtered('Notes', { where: { title: { contains: 'x' } } }), {
    error: { message: /unknown operator "contains"; there are eq, neq, gt, .*, regexp, near, exists$/ }
  })
  t.match((await app.inject('/api/Notes?filter={where:1}')).json(), {
    error: { message: 'Invalid value for parameter "filter": must be an object, and is no JSON: names and texts stand in double quotes.' }
  })
  t.strictSame(await filtered('Notes', { limit: 3, skip: 0, offset: 0, where: {}, order: 'id', fields: ['id'], include: [] }), [])
  t.match(await filtered('Tickets', { limt: 3 }), { error: { code: 'UNKNOWN_FILTER_KEY' } }, 'of open models, too')
})

t.test('RFC 9457, by setting or by Accept', async t => {
  const problem = {
    type: 'about:blank',
    title: 'Unprocessable Entity',
    status: 422,
    detail: 'The data is not valid: "title" is required.',
    name: 'UnprocessableEntityError',
    code: 'VALIDATION_FAILED',
    details: [{ path: '', code: 'required', message: '"title" is required', info: { missingProperty: 'title' } }]
  }
  const asked = { method: 'POST', url: '/api/Notes', payload: {} } as const
  const always = await serve(t, { errors: 'problem' })
  for (const accept of [undefined, '*/*', 'application/json']) {
    const answer = await always.inject({ ...asked, headers: accept === undefined ? {} : { accept } })
    t.match(answer.headers['content-type'], /^application\/problem\+json/)
    t.strictSame(answer.json(), problem)
  }
  t.match((await always.inject({ ...asked, headers: { accept: 'text/html' } })).headers['content-type'], 'text/html')
  const app = await serve(t)
  const answer = await app.inject({ ...asked, headers: { accept: 'application/json, application/problem+json' } })
  t.match(answer.headers['content-type'], /^application\/problem\+json/)
  t.strictSame(answer.json(), problem)
  t.equal((await app.inject({ url: '/api/Notes', headers: { accept: 'application/problem+json' } })).statusCode, 200)
  const row = await app.inject({
    ...asked, payload: { title: 'x' }, headers: { accept: 'application/json, application/problem+json' }
  })
  t.match(row, { statusCode: 200, headers: { 'content-type': /^application\/json/ } })
})
