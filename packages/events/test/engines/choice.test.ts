/** Which engine an application has, and stores that are away. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import t from 'tap'
import core, { ModelRegistry } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'
import { sqlConnector } from '@fastback/connector-sql'
import { events, type EventsOptions } from '@fastback/events'
import { createEngine } from '../../src/engines/create-engine.js'
import { installedPackage, mustBeInstalled } from '../../src/engines/load-package.js'
import { settingsOf } from '../../src/options.js'
import { application } from '../app.js'
import { until } from './suite.js'
import { freePort } from '../../../../test-fixtures/free-port.mjs'

const log = { error () {}, warn () {}, info () {}, debug () {} }

async function kindOf (options: EventsOptions, db: object = { connector: memoryConnector }): Promise<string> {
  const registry = new ModelRegistry({ log })
  const dataSource = registry.defineDataSource('db', db as never)
  // Nothing is opened yet.
  return (await createEngine({ registry, dataSource, settings: settingsOf(options), log })).kind
}

t.test('an engine is chosen by what there is', async t => {
  const postgres = { connector: sqlConnector, url: 'postgres://127.0.0.1:1/none' }
  const redis = 'redis://127.0.0.1:1'
  t.equal(await kindOf({}), 'embedded')
  t.equal(await kindOf({}, { connector: sqlConnector, url: 'sqlite::memory:' }), 'embedded')
  t.equal(await kindOf({}, postgres), 'pg-boss')
  t.equal(await kindOf({ engine: 'embedded' }, postgres), 'embedded')
  t.equal(await kindOf({ redis }, postgres), 'bullmq')
  t.equal(await kindOf({ redis, engine: 'embedded' }), 'embedded')
  await t.rejects(kindOf({ engine: 'pg-boss' }), { code: 'FBK_EVENTS_ENGINE_SETTING', message: /"db" is none/ })
  await t.rejects(kindOf({ engine: 'bullmq' }), { code: 'FBK_EVENTS_ENGINE_SETTING', message: /"redis"/ })
})

t.test('a tool that looks at an application with pg-boss makes no model of jobs, and no table of it', async t => {
  // Before, it took the embedded engine, and `fastback migrate` made the table of its model, which nothing used.
  const registry = new ModelRegistry({ log })
  const dataSource = registry.defineDataSource('db', { connector: memoryConnector, scratch: true })
  const engine = await createEngine({ registry, dataSource, settings: settingsOf({ engine: 'pg-boss' }), log })
  t.equal(engine.kind, 'pg-boss')
  t.equal(registry.findModel('FastbackJob'), undefined)
  await engine.define('mail', {} as never)
  t.equal(await engine.send('mail', {}), undefined)
  t.match(await engine.counts('mail'), { waiting: 0 })
})

t.test('a package that is missing is named', async t => {
  const none = async (): Promise<never> => { throw new Error('not found') }
  const found = await installedPackage('fastback-no-such-package', process.cwd(), none)
  t.equal(found, undefined)
  t.throws(() => mustBeInstalled(found, 'pg-boss', 'pg-boss'), {
    code: 'FBK_EVENTS_MISSING_PACKAGE', message: /npm install pg-boss$/
  })
  t.equal(await installedPackage('tap', process.cwd(), async () => 'here'), 'here')
})

t.test('a Redis server that is away at the start is an error that says so, without its password', async t => {
  const app = Fastify()
  t.teardown(async () => { await app.close() })
  await app.register(core, { dataSources: { db: { connector: memoryConnector } } })
  await app.register(events, { redis: `redis://user:verysecret@127.0.0.1:${await freePort()}` })
  const error = await app.ready().then(() => undefined, (error: unknown) => error)
  t.match(error, { code: 'FBK_EVENTS_ENGINE_UNAVAILABLE', message: /bullmq.*Redis cannot be reached/ })
  t.notMatch(String(error), /verysecret/)
})

t.test('a Redis server that goes away and comes back', async t => {
  const port = await freePort()
  const folder = mkdtempSync(path.join(tmpdir(), 'fastback-redis-'))
  t.teardown(() => { rmSync(folder, { recursive: true, force: true }) })
  let server: ChildProcess | undefined
  const start = async (): Promise<boolean> => {
    server = spawn('redis-server', [
      '--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--appendonly', 'yes', '--appendfsync', 'always', '--save', ''
    ], { stdio: 'ignore' })
    return await Promise.race([once(server, 'spawn').then(() => true), once(server, 'error').then(() => false, () => false)])
  }
  const kill = async (): Promise<void> => {
    server?.kill('SIGKILL')
    await once(server as ChildProcess, 'exit')
  }
  if (!await start().catch(() => false)) {
    t.comment('redis-server is not installed')
    return
  }
  t.teardown(() => { server?.kill('SIGKILL') })
  await sleep(700)
  const seen: unknown[] = []
  const app = await application(t, { redis: `redis://127.0.0.1:${port}`, stopTimeout: 500 }, {
    prepare: app => { app.registry.job('x', {}, ({ data }) => { seen.push(data) }) }
  })
  const { jobs } = app.registry
  await jobs.send('x', 1)
  await until('it ran', () => seen.length === 1)
  await kill()
  await t.rejects(jobs.send('x', 2), { statusCode: 503, code: 'JOBS_UNAVAILABLE' })
  await start()
  await sleep(700)
  await jobs.send('x', 3)
  await until('the one after it ran', () => seen.includes(3), 20_000)
  await kill()
  const from = Date.now()
  await app.close()
  t.ok(Date.now() - from < 8000, 'closing does not wait for a server that is away')
})
