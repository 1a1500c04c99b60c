/** What a 404 says to who develops, and that every error has a code. */
import { core, RequestError } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'
import { rest } from '@fastback/rest'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { call, makeApp, note } from './app.js'

/** Code as a newcomer writes it: letters of paths count in Fastify by itself, and "models" was forgotten. */
async function plainApp (t: Test) {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(core, {
    connectors: { memory: memoryConnector },
    dataSources: { db: { connector: 'memory' } },
    definitions: [note, { ...note, name: 'Other' }],
    models: { Note: { dataSource: 'db', public: true } }
  })
  await app.register(rest, { prefix: '/api' })
  return app
}

t.test('a 404 says that a model is defined and not published, but not in production', async t => {
  const { NODE_ENV: before } = process.env
  t.teardown(() => {
    if (before === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = before
  })
  process.env.NODE_ENV = 'development'
  const { status, body } = await call(await plainApp(t), 'GET', '/Others')
  t.equal(status, 404)
  t.match(body.error, { code: 'PATH_NOT_FOUND', message: /^There is no method to handle GET \/Others: the model "Other" is defined and not published/ })
  process.env.NODE_ENV = 'production'
  t.equal((await call(await plainApp(t), 'GET', '/Others')).body.error.message, 'There is no method to handle GET /Others')
})

t.test('a 404 says that letters of paths count, where they do', async t => {
  const { body } = await call(await plainApp(t), 'GET', '/notes/1')
  t.match(body.error.message, /^Shared class "Note" has no method handling GET \/1: its path is \/Notes, and letters count here/)
  const folding = await makeApp(t, { definitions: [note] })
  t.equal((await call(folding, 'GET', '/notes')).status, 200)
  t.equal((await call(folding, 'GET', '/notes/1/2')).body.error.message, 'Shared class "Note" has no method handling GET /1/2')
})

t.test('every error has a code, whoever made it; in LoopBack\'s form those that LoopBack has', async t => {
  const statuses = [400, 401, 402, 403, 404, 405, 409, 410, 413, 415, 418, 422, 423, 429, 500, 501, 502, 503]
  const prepare = ({ Note }: Record<string, any>): void => {
    Note.fail = async (status: number) => {
      throw status === 400 ? new RequestError(400, 'bare') : Object.assign(new Error('bare'), { statusCode: status })
    }
    Note.remoteMethod('fail', {
      accepts: { arg: 'status', type: 'number', http: { source: 'path' } }, http: { verb: 'get', path: '/fail/:status' }
    })
  }
  const options = { bodyLimit: 200, remoting: { rest: { methodNotAllowed: true } } } as const
  const app = await makeApp(t, { definitions: [note], prepare, options })
  for (const status of statuses) {
    const answer = await call(app, 'GET', `/Notes/fail/${status}`)
    t.equal(answer.status, status)
    t.match(answer.body.error.code, /^[A-Z_]+$/, String(status))
  }
  const json = { 'content-type': 'application/json' }
  const requests: Array<[number, ...Parameters<typeof call> extends [unknown, ...infer R] ? R : never]> = [
    [400, 'POST', '/Notes', '{', json],
    [400, 'GET', '/Notes?filter={"where":{"title":{"nope":1}}}'],
    [400, 'GET', '/Notes?filter={'],
    [400, 'GET', '/Notes/fail/many'],
    [404, 'GET', '/Notes/77'],
    [404, 'GET', '/Nothing'],
    [406, 'GET', '/Notes', undefined, { accept: 'image/png' }],
    [413, 'POST', '/Notes', { title: 'x'.repeat(300) }],
    [415, 'POST', '/Notes', '<a/>', { 'content-type': 'image/png' }],
    [415, 'POST', '/Notes', '{}', { 'content-type': 'application/json; charset=nope' }],
    [422, 'POST', '/Notes', {}]
  ]
  for (const [status, ...request] of requests) {
    const answer = await call(app, ...request)
    const [method, url] = request
    t.equal(answer.status, status, `${method} ${url}`)
    t.match(answer.body.error?.code, /^[A-Z_]+$/, `${status} ${method} ${url}: ${answer.body.error?.message}`)
  }
  const old = await makeApp(t, { definitions: [note], prepare, options: { remoting: { rest: { errors: 'loopback' } } } })
  t.strictSame((await call(old, 'GET', '/Notes/fail/500')).body.error, { statusCode: 500, message: 'Internal Server Error' })
})
