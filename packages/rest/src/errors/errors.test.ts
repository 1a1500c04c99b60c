import t from 'tap'
import Fastify, { type FastifyInstance } from 'fastify'
import { RequestError, ValidationError } from '@fastback/core'
import { createErrorHandler, type ErrorHandlerOptions } from './error-handler.js'
import { errorBody } from './error-body.js'
import { xmlText } from './xml.js'

const app = (error: unknown, options: ErrorHandlerOptions = {}): FastifyInstance => {
  const fastify = Fastify({ logger: false })
  t.teardown(() => fastify.close())
  fastify.setErrorHandler(createErrorHandler(options))
  fastify.get('/', (_request, reply) => { reply.send(error) })
  return fastify
}

t.test('client faults are told, server faults are not', async t => {
  const known = Object.assign(new Error('with code'), {
    statusCode: 402,
    code: 'PAY',
    details: { due: 12 },
    secret: 'x'
  })
  t.strictSame(errorBody(known), {
    statusCode: 402,
    name: 'Error',
    message: 'with code',
    code: 'PAY',
    details: { due: 12 }
  })
  t.strictSame(errorBody(Object.assign(new Error('by status'), { status: 410 })), {
    statusCode: 410,
    name: 'Error',
    message: 'by status',
    code: 'GONE'
  })
  const internal = Object.assign(new TypeError('secret internals'), {
    statusCode: 503,
    details: { hidden: true },
    errorCode: 'E503'
  })
  t.strictSame(errorBody(internal), {
    statusCode: 503, message: 'Service Unavailable', code: 'SERVICE_UNAVAILABLE'
  })
  t.strictSame(errorBody(internal, { safeFields: ['errorCode'] }), {
    statusCode: 503,
    message: 'Service Unavailable',
    code: 'SERVICE_UNAVAILABLE',
    errorCode: 'E503'
  })
  for (const odd of [
    new Error('x'),
    'text',
    undefined,
    null,
    Object.assign(new Error('x'), { statusCode: 302 }),
    { statusCode: 'many' }
  ]) {
    t.strictSame(errorBody(odd), { statusCode: 500, message: 'Internal Server Error', code: 'INTERNAL_SERVER_ERROR' })
    t.strictSame(errorBody(odd, { errors: 'loopback' }), { statusCode: 500, message: 'Internal Server Error' })
  }
  const plain = { statusCode: 404, message: 'plain' }
  t.strictSame(errorBody(plain), { ...plain, code: 'NOT_FOUND' })
  t.strictSame(errorBody(plain, { errors: 'loopback' }), plain)
  t.match([413, 418, 499, 505].map(statusCode => errorBody({ statusCode }).code), [
    'PAYLOAD_TOO_LARGE', 'I_M_A_TEAPOT', 'STATUS_499', 'HTTP_VERSION_NOT_SUPPORTED'
  ])
})

t.test('validation errors list their violations, or LoopBack 3\'s object', async t => {
  const error = new ValidationError('Note', [{ path: '.title', code: 'presence', message: "can't be blank", info: {} }])
  t.match(errorBody(error), {
    statusCode: 422,
    name: 'UnprocessableEntityError',
    code: 'VALIDATION_FAILED',
    message: "The data is not valid: `title` can't be blank.",
    details: [{ path: '.title', code: 'presence', message: "can't be blank", info: {} }]
  })
  t.match(errorBody(error, { errorDetails: 'loopback3' }), {
    name: 'ValidationError',
    message: "The `Note` instance is not valid. Details: `title` can't be blank.",
    details: { context: 'Note', codes: { title: ['presence'] }, messages: { title: ["can't be blank"] } }
  })
})

t.test('violations of properties that are called like members of every object', async t => {
  const at = (name: string): { path: string; code: string; message: string; info: Record<string, unknown> } => ({
    path: `.${name}`,
    code: 'type',
    message: 'is no text',
    info: {}
  })
  const { details } = new ValidationError('Note', ['constructor', '__proto__', 'toString', 'constructor'].map(at)) as {
    details: { codes: object; messages: object }
  }
  t.strictSame(Object.entries(details.codes), [
    ['constructor', ['type', 'type']],
    ['__proto__', ['type']],
    ['toString', ['type']]
  ])
  t.equal(Object.getPrototypeOf(details.messages), Object.prototype)
})

t.test('a list of errors', async t => {
  t.match(errorBody([null, new RequestError(404, 'gone'), new Error('secret')]), {
    statusCode: 500,
    message: 'Failed with multiple errors, see `details` for more information.',
    details: [null, { statusCode: 404, message: 'gone' }, { statusCode: 500, message: 'Internal Server Error' }]
  })
})

t.test('debug shows everything', async t => {
  t.match(errorBody(Object.assign(new Error('inner'), { extra: 1 }), { debug: true }), {
    statusCode: 500,
    name: 'Error',
    message: 'inner',
    extra: 1,
    stack: /inner/
  })
})

t.test('answers in the type that the client takes', async t => {
  const fastify = app(new RequestError(400, 'no <script>', { details: [{ path: "'" }] }))
  const get = async (accept?: string, url = '/') =>
    await fastify.inject({ url, headers: accept === undefined ? {} : { accept } })
  const json = await get()
  t.equal(json.statusCode, 400)
  t.match(json.headers, { 'content-type': 'application/json; charset=utf-8', 'x-content-type-options': 'nosniff' })
  t.strictSame(json.json(), {
    error: { statusCode: 400, name: 'Error', message: 'no <script>', code: 'BAD_REQUEST', details: [{ path: "'" }] }
  })
  const html = await get('text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8')
  t.match(html.headers['content-type'], 'text/html')
  t.match(html.body, 'no &lt;script&gt;')
  t.notMatch(html.body, /<script>/)
  t.match((await get('application/xml')).body, /<error>[^]*<statusCode>400<\/statusCode>/)
  t.match((await get('application/json', '/?_format=html')).headers['content-type'], 'text/html')
  t.match((await get('image/png')).headers['content-type'], 'application/json')
})

t.test('options of the handler', async t => {
  t.match((await app(new RequestError(400, 'x'), { rootProperty: 'fault' }).inject('/')).json(), {
    fault: { statusCode: 400 }
  })
  t.match((await app(new RequestError(400, 'x'), { rootProperty: false }).inject('/')).json(), { statusCode: 400 })
  const fixed = app(new RequestError(400, 'x'), { negotiateContentType: false, defaultType: 'html' })
  t.match(
    (await fixed.inject({ url: '/', headers: { accept: 'application/json' } })).headers['content-type'],
    'text/html'
  )
})

t.test('what JSON cannot hold', async t => {
  const details: Record<string, unknown> = { big: 1n }
  details.self = details
  t.strictSame((await app(new RequestError(409, 'cyclic', { code: 'C', details })).inject('/')).json(), {
    error: { statusCode: 409, name: 'Error', message: 'cyclic', code: 'C' }
  })
})

t.test('server faults carry the id of their request; HEAD has no body', async t => {
  const fastify = app(new Error('x'))
  const failed = await fastify.inject('/')
  t.match(failed.headers['x-request-id'], /^req-/)
  const head = await fastify.inject({ method: 'HEAD', url: '/' })
  t.equal(head.statusCode, 500)
  t.equal(head.body, '')
})

t.test('XML of names that are none', async t => {
  const body = (value: unknown): string => (xmlText('response', value) as string).replace(/^.*\n/, '').replace(/\s*\n\s*/g, '')
  t.equal(body({ '': 1 }), '<response><\ufffd>1</\ufffd></response>')
  t.equal(body([{ '': { '': null } }]), '<response><result><\ufffd><\ufffd>null</\ufffd></\ufffd></result></response>')
  t.equal(
    body({ '@': { x: 'y' }, '#': 'text' }),
    '<response><\ufffd><x>y</x></\ufffd><\ufffd>text</\ufffd></response>',
    'no attributes'
  )
  t.equal(body({ a: { '=': 'b' } }), '<response><a><\ufffd>b</\ufffd></a></response>', 'no other name')
  t.equal(
    body({ '<x y="z">': '<&>' }),
    '<response><\ufffdx\ufffdy\ufffd\ufffdz\ufffd\ufffd>&lt;&amp;></\ufffdx\ufffdy\ufffd\ufffdz\ufffd\ufffd></response>'
  )
})
