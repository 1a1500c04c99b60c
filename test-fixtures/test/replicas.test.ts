/**
 * Replicas over HTTP: another database on the same server takes the place of one, with rows of its own that tell which
 * of the two answered. How far a real standby is, and who waits for it, is in `replicas.long.ts`.
 */
import { setImmediate as turn } from 'node:timers/promises'
import t, { type Test } from 'tap'
import Fastify, { type FastifyInstance } from 'fastify'
import { core, type CoreOptions } from '@fastback/core'
import { rest } from '@fastback/rest'
import { sqlConnector } from '@fastback/connector-sql'
import { context, openSql } from '../../packages/connector-sql/test/support/connectors.js'
import { makeModel, query } from '../../packages/connector-sql/test/support/models.js'
import { scratchUrl } from '../../packages/connector-sql/test/support/scratch.js'
import { proxyTo } from './faults/proxy.js'

type Loose = any

const note = makeModel('Note', { title: 'string' })

async function application (t: Test, url: string, settings: object): Promise<FastifyInstance> {
  const app = Fastify()
  await app.register(core, {
    dataSources: { db: { connector: sqlConnector, url, connectionTimeout: 5000, replicaRetry: 0, ...settings } },
    definitions: [{ name: 'Note', properties: { title: 'string' } }],
    models: { Note: { dataSource: 'db', public: true } }
  } as CoreOptions)
  // Who asks, in the place of a token.
  app.addHook('onRequest', async request => {
    const { user } = request.headers
    Object.assign(request, { accessToken: user === undefined ? undefined : { userId: user } })
  })
  await app.register(rest, { prefix: '/api' })
  await app.ready()
  t.teardown(() => app.close())
  return app
}

/** Titles that a response has. */
async function titles (app: FastifyInstance, user?: string, path = '/api/Notes'): Promise<string> {
  const { body, statusCode } = await app.inject({ url: path, headers: user === undefined ? {} : { user } })
  return statusCode === 200 ? [body].flat().join() : String(statusCode)
}

async function until (what: () => Promise<boolean>): Promise<void> {
  while (!await what()) await turn()
}

for (const server of ['postgres', 'mysql'] as const) {
  t.test(server, { timeout: 120_000 }, async t => {
    const [url, replica] = [await scratchUrl(t, server), await scratchUrl(t, server)]
    if (url === undefined || replica === undefined) return
    for (const [at, title] of [[url, 'from the primary'], [replica, 'from the replica']] as const) {
      const sql = await openSql({ url: at, poolSize: 1 }, [note])
      await sql.create(note, { title }, {})
      await sql.disconnect()
    }
    const isReplicas = (body: string): boolean => body.includes('from the replica')

    t.test('requests that read are answered by replicas, all others by the primary', async t => {
      const app = await application(t, url, { replicas: [replica], primaryAfterWrite: 600_000 })
      const { Note } = app.registry.models as Loose
      // The first read of a model looks at its table.
      await until(async () => isReplicas(await titles(app)))
      for (const path of ['/api/Notes/1', '/api/Notes/findOne', '/api/Notes?filter={"where":{"id":1}}']) {
        t.ok(isReplicas(await titles(app, undefined, path)), path)
      }
      const patched = await app.inject({ method: 'PATCH', url: '/api/Notes/1', payload: {}, headers: { user: 'Ann' } })
      t.equal(patched.json().title, 'from the primary')
      t.notOk(isReplicas(await titles(app, 'Ann')), 'who wrote reads it')
      t.ok(isReplicas(await titles(app, 'Bob')))
      t.match(await Note.find(), [{ title: 'from the primary' }], 'code in the process reads from the primary')
      t.match(await Note.find(undefined, { primary: false }), [{ title: 'from the replica' }])
      t.match(await Note.find(undefined, { primary: false, session: ' Ann' }), [{ title: 'from the primary' }])
      const { db } = app.registry.dataSources
      await db?.transaction(async (models: Loose) => {
        t.match(await models.Note.find(undefined, { primary: false }), [{ title: 'from the primary' }])
      })
      await Note.create({ title: 'by code' })
      t.notOk(isReplicas(await titles(app, 'Bob')), 'what nobody in particular wrote is everybody\'s')
      await Note.destroyAll({ title: 'by code' })
    })

    t.test('a replica that goes away costs nothing, and comes back by itself', async t => {
      const target = new URL(replica)
      const proxy = await proxyTo(t, target.hostname, Number(target.port))
      target.host = `127.0.0.1:${String(proxy.port)}`
      const app = await application(t, url, { replicas: [target.href] })
      await until(async () => isReplicas(await titles(app)))
      proxy.mode = 'refuse'
      proxy.cut()
      const during = await Promise.all(Array.from({ length: 20 }, () => titles(app)))
      t.ok(during.every(body => body.includes('from the primary')), during.join())
      proxy.mode = 'pass'
      await until(async () => isReplicas(await titles(app)))
    })

    t.test('a table that has not come yet is read from the primary', async t => {
      const early = makeModel('Early', { title: 'string' })
      const sql = await openSql({ url, replicas: [replica], primaryAfterWrite: 0 }, [early])
      t.teardown(() => sql.disconnect())
      await until(async () => isReplicas(JSON.stringify(await sql.find(note, query(note), { mayBeOld: true }))))
      for (let i = 0; i < 5; i++) t.same(await sql.find(early, query(early), { mayBeOld: true }), [])
    })
  })
}

t.test('an application starts without its replicas', async t => {
  const url = await scratchUrl(t, 'postgres')
  if (url === undefined) return
  const sql = await openSql({ url }, [note])
  await sql.disconnect()
  const app = await application(t, url, { replicas: [{ url: 'postgres://postgres@127.0.0.1:1/none' }] })
  t.equal(await titles(app), '[]')
})

t.test('settings', async t => {
  const make = (settings: object) => () =>
    sqlConnector({ connector: 'sql', url: 'postgres://me:secret@one/shop', ...settings }, context())
  t.throws(make({ replicas: 'postgres://two' }), { message: /"replicas" must be a list/ })
  t.throws(make({ replicas: [{ port: 'x' }] }), { message: /"replicas\[0\]": "port"/ })
  t.throws(make({ replicas: [7] }), { message: /"replicas\[0\]": must be a URL/ })
  t.throws(make({ replicas: ['postgres://two'], replicaRetry: -1 }), { message: /"replicaRetry"/ })
  const connector = make({ replicas: [{ host: 'two' }, 'postgres://you@three/x'], poolSize: 3 })() as unknown as
    { settings: { replicas: { servers: object[] } }, replicated: boolean }
  t.match(connector.settings.replicas.servers, [
    { host: 'two', user: 'me', password: 'secret', database: 'shop', poolSize: 3 },
    { host: 'three', user: 'you', password: undefined, database: 'x', poolSize: 3 }
  ])
  t.equal(connector.replicated, true)
  t.equal((make({})() as unknown as { replicated: boolean }).replicated, false)
})
