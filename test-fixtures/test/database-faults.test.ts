// FASTBACK_TEST_FULL: database servers that are cut off in real time.
/**
 * A database that goes away and comes back, behind a proxy that cuts, refuses and stalls: requests fail fast with 503
 * and `Retry-After`, nothing that was acknowledged is lost or there twice, and nobody has to help afterwards.
 */
import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import Fastify from 'fastify'
import { core, type ModelRegistry } from '@fastback/core'
import type { Transaction } from '@fastback/core/juggler'
import { health } from '@fastback/health'
import { rest } from '@fastback/rest'
import { sqlConnector } from '@fastback/connector-sql'
import { isReachable, makeScratch, type Server } from '../scratch.mjs'
import { proxyTo } from './faults/proxy.js'

type Loose = any

for (const name of ['postgres', 'mysql'] as const satisfies readonly Server[]) {
  t.test(name, { timeout: 120_000 }, async t => {
    if (!await isReachable(name)) {
      t.comment(`no ${name} server`)
      return
    }
    const scratch = await makeScratch(name)
    const url = new URL(scratch.url)
    const proxy = await proxyTo(t, url.hostname, Number(url.port))
    url.hostname = '127.0.0.1'
    url.port = String(proxy.port)
    const app = Fastify()
    await app.register(core, {
      dataSources: {
        db: {
          connector: sqlConnector,
          url: url.href,
          poolSize: 4,
          connectionTimeout: 500,
          statementTimeout: 1000,
          migrate: 'update'
        }
      },
      definitions: [{ name: 'Row', properties: { key: 'string' } }],
      models: { Row: { dataSource: 'db', public: true } }
    } as Loose)
    await app.register(health, { freshness: 0, timeout: 1000 })
    await app.register(rest, { prefix: '/api' })
    await app.ready()
    t.teardown(async () => {
      await app.close()
      await scratch.remove()
    })
    const registry = (app as Loose).registry as ModelRegistry
    const post = async (key: string): Promise<Loose> =>
      await app.inject({ method: 'POST', url: '/api/Rows', payload: { key } })
    const recovers = async (): Promise<void> => {
      const from = performance.now()
      const until = from + 30_000
      for (;;) {
        const { statusCode } = await app.inject('/api/Rows/count')
        if (statusCode === 200) {
          t.comment(`recovered after ${Math.round(performance.now() - from)} ms`)
          return
        }
        if (performance.now() > until) throw new Error('it does not recover')
        await wait(20)
      }
    }
    t.ok(registry)
    t.equal((await post('first')).statusCode, 200)

    await t.test('connections that are cut under load lose nothing that was acknowledged, and double nothing', async t => {
      const acknowledged = ['first']
      const asked = new Set(['first'])
      const load = { isOn: true }
      const client = async (who: number): Promise<void> => {
        for (let i = 0; load.isOn; i++) {
          const key = `${who}-${i}`
          asked.add(key)
          const { statusCode, headers } = await post(key)
          if (statusCode === 200) acknowledged.push(key)
          else {
            t.equal(statusCode, 503)
            t.ok(headers['retry-after'])
          }
        }
      }
      const clients = [0, 1, 2, 3, 4, 5].map(client)
      for (let i = 0; i < 10; i++) {
        const before = acknowledged.length
        for (let turns = 0; acknowledged.length < before + 5 && turns < 500; turns++) await wait(10)
        proxy.cut()
      }
      load.isOn = false
      await Promise.all(clients)
      await recovers()
      const keys = (JSON.parse((await app.inject('/api/Rows')).body) as Array<{ key: string }>).map(({ key }) => key)
      const there = new Set(keys)
      t.equal(keys.length, there.size, 'none is there twice')
      t.same(acknowledged.filter(key => !there.has(key)), [], `all ${acknowledged.length} acknowledged rows are there`)
      t.same(keys.filter(key => !asked.has(key)), [])
    })

    await t.test('a server that refuses, and one that does not answer, are 503 in time', async t => {
      for (const mode of ['refuse', 'stall'] as const) {
        proxy.mode = mode
        if (mode === 'refuse') proxy.cut()
        // More than the pool has: those that wait for a connection are answered as well.
        const answers = await Promise.all(Array.from({ length: 8 }, () => app.inject('/api/Rows/count')))
        for (const { statusCode, headers, body } of answers) {
          t.equal(statusCode, 503, `${mode}: ${body}`)
          t.equal(headers['retry-after'], '1')
        }
        const isReady = async (): Promise<boolean> => (await app.inject('/health/ready')).statusCode === 200
        t.notOk(await isReady(), `${mode}: not ready`)
        t.equal((await app.inject('/health/live')).statusCode, 200)
        proxy.mode = 'pass'
        proxy.cut()
        await recovers()
        while (!await isReady()) await wait(20)
      }
    })

    await t.test('no connection is leaked: as many transactions at once as the pool has', async t => {
      const db = registry.dataSources.db as Loose
      const begin = async (): Promise<Transaction> => await db.beginTransaction({ timeout: 1500 })
      const begun = await Promise.all([begin(), begin(), begin(), begin()])
      t.match(await app.inject('/api/Rows/count'), { statusCode: 503 }, 'a full pool is said')
      // Nobody ends them: their time does.
      await recovers()
      while (begun.some(transaction => transaction.isActive())) await wait(20)
      await Promise.all((await Promise.all([begin(), begin(), begin(), begin()])).map(each => each.rollback()))
    })
  })
}
