/** Jobs as applications define and send them. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from '@sinclair/typebox'
import Fastify from 'fastify'
import t from 'tap'
import core, { ModelRegistry } from '@fastback/core'
import { measuresOf } from '@fastback/core/remote'
import { memoryConnector } from '@fastback/connector-memory'
import { sqlConnector } from '@fastback/connector-sql'
import { events, type EventsOptions, type JobContext } from '@fastback/events'
import { application } from './app.js'
import { until } from './engines/suite.js'

type Loose = any

const Reminder = Type.Object({ noteId: Type.Integer(), text: Type.Optional(Type.String()) })

t.test('a job runs with its data, the models and what says which one it is', async t => {
  const lines: string[] = []
  const seen: Array<JobContext<{ noteId: number }>> = []
  const app = await application(t, {}, {
    core: { definitions: [{ name: 'Note', properties: { title: 'string' } }], models: { Note: { dataSource: 'db' } } },
    server: { logger: { level: 'info', stream: { write: (line: string) => { lines.push(line) } } } },
    prepare: app => {
      app.registry.job('remind', { schema: Reminder }, async context => {
        await (context.models as Loose).Note.create({ title: `note ${context.data.noteId}` })
        context.log.info('reminded')
        seen.push(context)
      })
    }
  })
  const id = await app.registry.jobs.send('remind', { noteId: 7 })
  await until('it ran', () => seen.length === 1)
  t.equal((await (app.models as Loose).Note.findOne())?.title, 'note 7')
  const [context] = seen as [JobContext<{ noteId: number }>]
  t.match(context, { attempt: 1, id, data: { noteId: 7 } })
  t.equal(context.registry, app.registry)
  t.equal(context.signal.aborted, false)
  t.ok(lines.some(line => line.includes('"job":"remind"') && line.includes(String(id)) && line.includes('reminded')))
  const measures = measuresOf(app.registry)
  await until('measured', () => measures.read('jobsEnded').get('["remind","completed"]') === 1)
  t.equal(measures.read('jobsEnded').get('["remind","failed"]'), 0)
  t.ok((measures.read('jobSeconds').get('remind') as number) > 0)
})

t.test('data is checked when it is sent, and an error names the property alone', async t => {
  const app = await application(t, { largestData: 2000 }, {
    prepare: app => {
      app.registry.job('remind', { schema: Reminder }, () => {})
      app.registry.job('any', {}, () => {})
    }
  })
  const { jobs } = app.registry
  const code = { statusCode: 422, code: 'INVALID_JOB_DATA' }
  const invalid = { ...code, message: /schema allows: the property "noteId"/ }
  const refused = await jobs.send('remind', { noteId: 'topsecret' }).catch((error: Error) => error)
  t.match(refused, invalid)
  t.notMatch(String(refused), /topsecret/)
  await t.rejects(jobs.send('remind', {}), invalid)
  await t.rejects(jobs.send('remind', null), code)
  await t.rejects(jobs.send('remind', { noteId: new Date() }), invalid, 'as it is in JSON')
  await t.rejects(jobs.send('any', 1n), { ...code, message: /no JSON/ })
  const circle: Record<string, unknown> = {}
  circle.circle = circle
  await t.rejects(jobs.send('any', circle), { ...code, message: /no JSON/ })
  await t.rejects(jobs.send('any', () => {}), { ...code, message: /no JSON/ })
  await t.rejects(jobs.send('any', 'ü'.repeat(1000)), { ...code, message: /larger than 2000 bytes/ })
  await t.resolves(jobs.send('any', 'ü'.repeat(990)))
  await t.rejects(jobs.send('any', 1, { uniqueKey: '' }), { code: 'FBK_EVENTS_INVALID_JOB' })
  await t.rejects(jobs.send('any', 1, { uniqueKey: {} as string }), { code: 'FBK_EVENTS_INVALID_JOB' })
  await t.rejects(jobs.send('any', 1, { startAfter: new Date(NaN) }), { code: 'FBK_EVENTS_INVALID_JOB' })
  await t.rejects(jobs.send('an', 1), { code: 'FBK_EVENTS_UNKNOWN_JOB', message: /Did you mean "any"/ })
  await t.rejects(jobs.send('__proto__', 1), { code: 'FBK_EVENTS_UNKNOWN_JOB' })
})

t.test('what cannot be a job is refused when it is defined', async t => {
  const app = await application(t, {}, { prepare: app => { app.registry.job('once', {}, () => {}) } })
  const define = (name: unknown, options: object, handler: unknown = () => {}) => () => {
    app.registry.job(name as string, options, handler as () => void)
  }
  for (const name of ['', ' ', 'a b', 'a:b', '../x', '-x', '__proto__', 'x\n', 'x'.repeat(101), 1, null, undefined]) {
    t.throws(define(name, {}), { code: 'FBK_EVENTS_INVALID_NAME' }, JSON.stringify(name))
  }
  for (const options of [
    { retryLimit: -1 }, { retryDelays: [] }, { retryDelays: [-1] }, { concurrency: 0 }, { timeout: 0 },
    { timeout: 1e12 },
    { schedule: 'now' }, { schedule: '61 * * * *' }, { schedule: '* * * * *', timeZone: 'Mars/Base' }, { retries: 1 },
    { schema: { type: 'object' } }, { schedule: '0 0 31 2 *' }
  ]) t.throws(define('x', options), { code: 'FBK_EVENTS_INVALID_JOB' }, JSON.stringify(options))
  t.throws(define('x', {}, 'no function'), { code: 'FBK_EVENTS_INVALID_JOB' })
  t.throws(define('once', {}), { code: 'FBK_EVENTS_DUPLICATE_JOB' })
})

t.test('a job that is defined late runs as well', async t => {
  const app = await application(t)
  const seen: unknown[] = []
  const late = app.registry.job('late', {}, ({ data }) => { seen.push(data) })
  await late.send(1)
  await until('it ran', () => seen.length === 1)
})

t.test('jobs are not sent before the application is ready', async t => {
  const app = Fastify()
  t.teardown(async () => { await app.close() })
  await app.register(core, { dataSources: { db: { connector: memoryConnector } } })
  await app.register(events)
  const job = app.registry.job('x', {}, () => {})
  await t.rejects(job.send(1), { code: 'FBK_EVENTS_NOT_STARTED' })
})

t.test('a process that only sends leaves jobs to others', async t => {
  const seen: unknown[] = []
  const app = await application(t, { work: false }, {
    prepare: app => { app.registry.job('x', {}, ({ data }) => { seen.push(data) }) }
  })
  await app.registry.jobs.send('x', 1)
  await sleep(200)
  t.strictSame(seen, [])
})

t.test('a job of a transaction is there when it is committed, and never if it is rolled back', async t => {
  const seen: unknown[] = []
  const app = await application(t, {}, {
    core: {
      dataSources: { db: { connector: sqlConnector, url: 'sqlite::memory:', migrate: 'reset' } },
      definitions: [{ name: 'Note', properties: { title: 'string' } }],
      models: { Note: { dataSource: 'db' } }
    },
    prepare: app => { app.registry.job('x', {}, ({ data }) => { seen.push(data) }) }
  })
  const { Note } = app.models as Loose
  for (const isCommitted of [false, true]) {
    const transaction = await Note.beginTransaction()
    await Note.create({ title: 'a' }, { transaction })
    await app.registry.jobs.send('x', isCommitted, { transaction, uniqueKey: 'once' })
    await app.registry.jobs.send('x', isCommitted, { transaction })
    await sleep(150)
    t.strictSame(seen, [])
    if (isCommitted) await transaction.commit()
    else await transaction.rollback()
  }
  await until('they ran', () => seen.length === 2)
  t.strictSame(seen, [true, true])
})

t.test('the set-up says what is wrong', async t => {
  const register = async (options: object, dataSources: object = { db: { connector: memoryConnector } }) => {
    const app = Fastify()
    t.teardown(async () => { await app.close() })
    await app.register(core, { dataSources: dataSources as never })
    await app.register(events, options as EventsOptions)
  }
  await t.rejects(register({ engine: 'cron' }), { code: 'FBK_EVENTS_INVALID_OPTIONS', message: /"engine"/ })
  await t.rejects(register({ pollInterval: 0 }), { code: 'FBK_EVENTS_INVALID_OPTIONS', message: /"pollInterval"/ })
  await t.rejects(register({ schema: 'a"; DROP' }), { code: 'FBK_EVENTS_INVALID_OPTIONS', message: /"schema"/ })
  await t.rejects(register({ redi: 'x' }), { code: 'FBK_EVENTS_INVALID_OPTIONS', message: /Did you mean "redis"/ })
  await t.rejects(register({ dataSource: 'other' }), { code: 'FBK_EVENTS_NO_DATA_SOURCE', message: /"other"/ })
  await t.rejects(register({}, {}), { code: 'FBK_EVENTS_NO_DATA_SOURCE' })
  const without = Fastify()
  await t.rejects(async () => await without.register(events), { code: 'FBK_EVENTS_MISSING_REGISTRY' })
  const registry = new ModelRegistry()
  registry.defineDataSource('db', { connector: memoryConnector })
  const app = Fastify()
  t.teardown(async () => { await app.close() })
  await app.register(core, { registry })
  await app.register(events)
  await t.rejects(async () => await app.register(events), { code: 'FBK_EVENTS_ALREADY_REGISTERED' })
})
