/**
 * Writes that wait for nothing but SQLite, with an `Idempotency-Key`: their work and their response are written as one.
 * Two servers share a file, and requests come together; each is done exactly once.
 */
import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { core } from '@fastback/core'
import { sqlConnector } from '@fastback/connector-sql'
import { rest } from '@fastback/rest'

type Loose = any

interface Sent {
  readonly status: number
  readonly body: Loose
  readonly isReplayed: boolean
  readonly etag: string | null
}

async function serve (t: Test, url: string): Promise<FastifyInstance> {
  const app = Fastify()
  await app.register(core, {
    dataSources: { db: { connector: sqlConnector, url, migrate: 'update' } },
    definitions: [{
      name: 'Payment',
      version: true,
      history: true,
      properties: { reference: { type: 'string', required: true, index: { unique: true } }, amount: 'number' }
    }],
    models: { Payment: { dataSource: 'db', public: true } }
  })
  await app.register(rest, { prefix: '/api', accessControl: false, idempotency: true })
  await app.listen({ port: 0, host: '127.0.0.1' })
  t.teardown(() => app.close())
  return app
}

async function send (app: FastifyInstance, method: string, path: string, body: object, key: string): Promise<Sent> {
  const { port } = app.server.address() as AddressInfo
  const response = await fetch(`http://127.0.0.1:${port}/api/Payments${path}`, {
    method, body: JSON.stringify(body), headers: { 'content-type': 'application/json', 'idempotency-key': key }
  })
  return {
    status: response.status,
    body: await response.json(),
    isReplayed: response.headers.get('idempotency-replayed') === 'true',
    etag: response.headers.get('etag')
  }
}

t.test('many at a time, each sent again to either server', async t => {
  const url = `sqlite:${t.testdir({})}/once.sqlite`
  const servers = [await serve(t, url), await serve(t, url)] as const
  const [{ models }] = servers as Loose
  const keys = Array.from({ length: 120 }, () => randomUUID())
  const first = await Promise.all(keys.map((key, i) =>
    send(servers[i % 2] as FastifyInstance, 'POST', '', { reference: key, amount: i }, key)))
  const again = await Promise.all(keys.map((key, i) =>
    send(servers[(i >> 1) % 2] as FastifyInstance, 'POST', '', { amount: i, reference: key }, key)))
  t.same(first.map(({ status, isReplayed }) => [status, isReplayed]), keys.map(() => [200, false]))
  t.same(again, first.map(each => ({ ...each, isReplayed: true })), 'the same response, with its tag')
  t.equal(await models.Payment.count(), keys.length)
  t.equal(await models.PaymentHistory.count(), keys.length)

  const patch = async (app: FastifyInstance): Promise<Sent> => await send(app, 'PATCH', '/1', { amount: 1000 }, 'patch')
  const patched = [await patch(servers[0]), await patch(servers[1]), await patch(servers[0])]
  t.same(patched.map(({ status, body: { version }, isReplayed }) => [status, version, isReplayed]), [
    [200, 2, false], [200, 2, true], [200, 2, true]
  ])
})

t.test('what fails is not stored, takes no other with it, and leaves its key as new', async t => {
  const app = await serve(t, `sqlite:${t.testdir({})}/once.sqlite`)
  const { models } = app as Loose
  await models.Payment.create({ reference: 'taken' })
  const bodies = Array.from({ length: 60 }, (_, i) => i % 3 === 0
    ? { reference: 'taken' }
    : i % 3 === 1 ? { amount: 7 } : { reference: `r${i}` })
  const sent = await Promise.all(bodies.map((body, i) => send(app, 'POST', '', body, `key-${i}`)))
  t.same(sent.map(({ status }) => status), bodies.map((_, i) => i % 3 === 2 ? 200 : 422))
  t.equal(await models.Payment.count(), 21)
  t.equal(await models.IdempotencyKey.count(), 20)
  t.match(await send(app, 'POST', '', { reference: 'new' }, 'key-0'), { status: 200, isReplayed: false })
  t.match(await send(app, 'POST', '', { reference: 'other' }, 'key-2'), { status: 422, body: { error: { code: 'IDEMPOTENCY_KEY_REUSED' } } })
  t.match(await send(app, 'PATCH', '/99999', { amount: 1 }, 'key-none'), { status: 404 })
})

t.test('the claim of a process that was cut off is taken over', async t => {
  const app = await serve(t, `sqlite:${t.testdir({})}/once.sqlite`)
  const { models } = app as Loose
  await send(app, 'POST', '', { reference: 'a' }, 'cut')
  await models.Payment.destroyAll({})
  const cutOff = { status: null, headers: null, body: null, lease: new Date(0) }
  await models.IdempotencyKey.updateAll({}, { ...cutOff, lease: new Date(Date.now() + 60_000) })
  t.match(await send(app, 'POST', '', { reference: 'a' }, 'cut'), { status: 409 }, 'under way elsewhere')
  await models.IdempotencyKey.updateAll({}, cutOff)
  t.match(await send(app, 'POST', '', { reference: 'a' }, 'cut'), { status: 200, isReplayed: false })
  t.match(await send(app, 'POST', '', { reference: 'a' }, 'cut'), { status: 200, isReplayed: true })
  t.equal(await models.Payment.count(), 1)
})
