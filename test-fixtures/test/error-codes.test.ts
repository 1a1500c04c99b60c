/** Every error has a code for programs, whoever finds it; in LoopBack's form those alone that LoopBack has. */
import acl from '@fastback/acl'
import auth, { installAuthModels } from '@fastback/auth'
import { memoryConnector } from '@fastback/connector-memory'
import core, { ModelRegistry, type ModelDefinitionInput } from '@fastback/core'
import rest, { type RestOptions } from '@fastback/rest'
import Fastify, { type FastifyInstance, type InjectOptions } from 'fastify'
import t, { type Test } from 'tap'

const everyone = (permission: string, property = '*') =>
  ({ principalType: 'ROLE', principalId: '$everyone', permission, property })

const definitions: ModelDefinitionInput[] = [
  { name: 'Person', base: 'User' },
  {
    name: 'Note',
    strict: true,
    properties: { title: { type: 'string', required: true }, tag: { type: 'string', index: { unique: true } } },
    methods: {
      fail: { http: { verb: 'get' }, accepts: { arg: 'status', type: 'number' } },
      sized: { http: { verb: 'get' }, accepts: { arg: 'size', type: 'number', required: true } }
    }
  },
  { name: 'Secret', aclErrorStatus: 403, acls: [everyone('DENY')] } as ModelDefinitionInput
]

const json = { 'content-type': 'application/json' }

/** What is asked, the status, and the code where it is not that of the status. */
const failing: ReadonlyArray<readonly [request: InjectOptions, status: number, code: string]> = [
  [{ url: '/Notes?filter={where' }, 400, 'INVALID_PARAMETER_VALUE'],
  [{ url: '/Notes/sized' }, 400, 'MISSING_REQUIRED_PARAMETER'],
  [{ url: '/Notes?filter={"limt":1}' }, 400, 'UNKNOWN_FILTER_KEY'],
  [{ method: 'POST', url: '/Notes', payload: '{', headers: json }, 400, 'MALFORMED_JSON'],
  [{ url: '/Notes/fail?status=400' }, 400, 'BAD_REQUEST'],
  [{ url: '/Secrets' }, 401, 'AUTHORIZATION_REQUIRED'],
  [{ method: 'POST', url: '/People/login', payload: { username: 'no', password: 'no' } }, 401, 'LOGIN_FAILED'],
  [{ url: '/Notes/fail?status=401' }, 401, 'UNAUTHORIZED'],
  [{ url: '/Secrets', headers: { as: 'ann' } }, 403, 'ACCESS_DENIED'],
  [{ url: '/Notes/fail?status=403' }, 403, 'FORBIDDEN'],
  [{ url: '/Notes/7' }, 404, 'MODEL_NOT_FOUND'],
  [{ url: '/Nothing' }, 404, 'PATH_NOT_FOUND'],
  [{ method: 'DELETE', url: '/Notes' }, 405, 'METHOD_NOT_ALLOWED'],
  [{ url: '/Notes', headers: { accept: 'image/png' } }, 406, 'NOT_ACCEPTABLE'],
  [{ url: '/Notes/fail?status=409' }, 409, 'CONFLICT'],
  [{ method: 'POST', url: '/Notes', payload: { title: 'x'.repeat(3000) } }, 413, 'PAYLOAD_TOO_LARGE'],
  [{ method: 'POST', url: '/Notes', payload: 'x', headers: { 'content-type': 'text/csv' } }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
  [{ method: 'POST', url: '/Notes', payload: {} }, 422, 'VALIDATION_FAILED'],
  [{ method: 'POST', url: '/Notes', payload: { title: 'b', tag: 'taken' } }, 422, 'VALIDATION_FAILED'],
  [{ url: '/Notes/fail?status=429' }, 429, 'TOO_MANY_REQUESTS'],
  [{ method: 'POST', url: '/People/login', payload: { username: 'often', password: 'no' } }, 429, 'TOO_MANY_REQUESTS'],
  [{ url: '/Notes/fail' }, 500, 'INTERNAL_SERVER_ERROR'],
  [{ url: '/Notes/fail?status=503' }, 503, 'SERVICE_UNAVAILABLE']
]

async function serve (t: Test, options: RestOptions): Promise<(request: InjectOptions) => Promise<any>> {
  const app: FastifyInstance = Fastify()
  t.teardown(() => app.close())
  const registry = new ModelRegistry({})
  registry.defineDataSource('db', { connector: memoryConnector })
  installAuthModels(registry)
  registry.defineModels(definitions.map(input => ({ input })))
  for (const name of ['Person', 'Note', 'Secret']) registry.attach(name, 'db', { public: true })
  await app.register(core, { registry })
  const { Note, Person } = registry.models as Record<string, any>
  Note.sized = async () => {}
  Note.fail = async (status?: number) => {
    throw Object.assign(new Error('no'), status === undefined ? {} : { statusCode: status })
  }
  await app.register(auth, { dataSource: 'db', rateLimit: { account: { max: 3, timeWindow: 60_000 } } })
  await app.register(acl, { dataSource: 'db' })
  await app.register(rest, { prefix: '/api', methodNotAllowed: true, bodyLimit: 2000, ...options })
  await app.ready()
  await Note.create({ title: 'a', tag: 'taken' })
  await Person.create({ username: 'ann', email: 'ann@example.com', password: 'a long secret' })
  const { id } = await Person.login({ username: 'ann', password: 'a long secret' })
  const send = async ({ headers, ...request }: InjectOptions) => {
    const { as, ...others } = headers ?? {}
    return await app.inject({
      ...request,
      url: `/api${request.url as string}`,
      headers: { ...others, ...as === undefined ? {} : { 'x-access-token': id } }
    })
  }
  for (let tries = 0; tries < 6; tries++) {
    await send({ method: 'POST', url: '/People/login', payload: { username: 'often', password: 'no' } })
  }
  return send
}

t.test('where errors are coded, each has a code', async t => {
  const send = await serve(t, {})
  for (const [request, status, code] of failing) {
    const answer = await send(request)
    const name = `${request.method ?? 'GET'} ${request.url as string}`
    t.match({ status: answer.statusCode, code: answer.json().error.code }, { status, code }, name)
  }
})

t.test('as problems (RFC 9457) too', async t => {
  const send = await serve(t, { errors: 'problem' })
  for (const [request, status, code] of failing) {
    const { accept, ...headers } = request.headers ?? {}
    const answer = await send({ ...request, headers: accept === undefined ? headers : { ...headers, accept } })
    t.match(answer.json(), { status, code }, request.url as string)
  }
})

t.test('in LoopBack\'s form an error that nobody gave a code has none', async t => {
  const send = await serve(t, { errors: 'loopback' })
  const withoutCode = ['/Notes/fail?status=400', '/Notes/fail?status=409', '/Notes/fail?status=429', '/Notes/fail', '/Nothing']
  for (const url of withoutCode) {
    const { error } = (await send({ url })).json()
    t.notOk('code' in error, url)
  }
})
