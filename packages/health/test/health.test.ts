/** Probes, metrics and the graceful shutdown of a server (issue "Databases and processes", item 5). */
import { EventEmitter, once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { tracingChannel } from 'node:diagnostics_channel'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { core } from '@fastback/core'
import { ClusterHub, clusterBus, type BusChannel } from '@fastback/core/bus'
import { backgroundJobsIn, measuresOf } from '@fastback/core/remote'
import { memoryConnector } from '@fastback/connector-memory'
import { sqlConnector } from '@fastback/connector-sql'
import { health, type HealthOptions } from '@fastback/health'
import { rest } from '@fastback/rest'

type Loose = any

async function start (
  t: Test, options: HealthOptions = {}, dataSource: object = { connector: memoryConnector }, more: object = {}
): Promise<FastifyInstance> {
  const app = Fastify()
  await app.register(core, {
    dataSources: { db: dataSource as never },
    definitions: [{ name: 'Note', properties: { title: 'string' } }],
    models: { Note: { dataSource: 'db', public: true } },
    ...more
  })
  await app.register(health, { freshness: 0, ...options })
  await app.register(rest, { prefix: '/api' })
  app.get('/slow', async () => { await wait(200); return 'done' })
  await app.ready()
  t.teardown(async () => { await app.close() })
  return app
}

t.test('probes', async t => {
  const app = await start(t)
  t.strictSame((await app.inject('/health/live')).json(), { status: 'up' })
  const ready = await app.inject('/health/ready')
  t.equal(ready.statusCode, 200)
  t.equal(ready.headers['cache-control'], 'no-store')
  t.match(ready.json(), {
    status: 'up', components: { db: { status: 'up', milliseconds: Number }, eventLoop: { status: 'up' } }
  })
  const stranger = await app.inject({ url: '/health/ready', remoteAddress: '192.0.2.1' })
  t.strictSame(stranger.json(), { status: 'up' }, 'others are told no more')
  t.match(await app.health.look(), { status: 'up' })
})

t.test('a data source that hangs, or refuses, is down within the bound', async t => {
  let ping: () => unknown = () => {}
  const connector = (settings: Loose, context: Loose): Loose => {
    const made: Loose = memoryConnector(settings, context)
    made.ping = () => ping()
    return made
  }
  const app = await start(t, { timeout: 50 }, { connector })
  t.equal((await app.inject('/health/ready')).statusCode, 200)
  ping = () => new Promise(() => {})
  const before = performance.now()
  const hanging = await app.inject('/health/ready')
  t.ok(performance.now() - before < 1_000)
  t.equal(hanging.statusCode, 503)
  t.match(hanging.json(), { status: 'down', components: { db: { status: 'down', reason: 'no response within 50 ms' } } })
  ping = () => { throw new Error('password of the database') }
  const refusing = await app.inject('/health/ready')
  t.match(refusing.json(), { components: { db: { status: 'down', reason: 'it cannot be reached' } } })
  t.notMatch(refusing.body, 'password')
  t.equal((await app.inject('/health/live')).statusCode, 200, 'it lives')
  ping = () => {}
  t.equal((await app.inject('/health/ready')).statusCode, 200, 'and is well again by itself')
  const without = await start(t, { except: ['db'] }, { connector })
  ping = () => { throw new Error('away') }
  t.equal((await without.inject('/health/ready')).statusCode, 200, 'what does not count')
})

t.test('tables that are missing', async t => {
  const app = await start(t, {}, { connector: sqlConnector, url: 'sqlite::memory:', migrate: 'none' })
  const ready = await app.inject('/health/ready')
  t.equal(ready.statusCode, 503)
  t.match(ready.json(), { components: { db: { missing: [{ model: 'Note' }], reason: /fastback migrate/ } } })
  await (app.registry.dataSources.db as Loose).autoupdate()
  t.equal((await app.inject('/health/ready')).statusCode, 200)
})

t.test('many that ask at once cost as much as one', async t => {
  let pings = 0
  const connector = (settings: Loose, context: Loose): Loose => {
    const made: Loose = memoryConnector(settings, context)
    made.ping = () => { pings++ }
    return made
  }
  const app = await start(t, { freshness: 10_000 }, { connector })
  pings = 0
  await Promise.all(Array.from({ length: 50 }, () => app.inject('/health/ready')))
  t.equal(pings, 1)
})

t.test('metrics', async t => {
  const app = await start(t)
  for (const url of ['/api/Notes', '/api/Notes', '/api/Notes/1', '/api/Notes/2', '/none-1', '/none-2', '/none-3']) {
    await app.inject(url)
  }
  await app.inject({ method: 'PROPFIND' as never, url: '/api/Notes' })
  tracingChannel('fastback:service.call').asyncEnd.publish(
    { dataSource: 'weather', operation: 'byCity', status: 200, milliseconds: 12 }
  )
  const read = await app.inject('/metrics')
  t.match(read.headers['content-type'], /^text\/plain; version=0\.0\.4/)
  const lines = read.body.split('\n')
  t.ok(lines.includes('http_request_duration_seconds_count{method="GET",route="/api/Notes",status="200"} 2'))
  t.ok(lines.includes('http_request_duration_seconds_count{method="GET",route="/api/Notes/:id",status="404"} 2'))
  t.ok(lines.includes('http_request_duration_seconds_count{method="GET",route="unknown",status="404"} 3'))
  t.ok(lines.includes('fastback_data_source_up{data_source="db"} 1'))
  t.ok(lines.includes('fastback_service_call_duration_seconds_count{data_source="weather",operation="byCity",status="200"} 1'))
  t.ok(lines.includes('http_requests_in_flight 1'), 'this one')
  t.notMatch(read.body, /none-1|PROPFIND/)
  t.equal((await app.inject({ url: '/metrics', remoteAddress: '192.0.2.1' })).statusCode, 404, 'not for others')
  const off = await start(t, { metrics: false })
  t.equal((await off.inject('/metrics')).statusCode, 404)
})

t.test('the rules of promtool', async t => {
  const app = await start(t, { statements: true }, { connector: sqlConnector, url: 'sqlite::memory:' })
  await app.inject('/api/Notes')
  const { body } = await app.inject('/metrics')
  const types = new Map([...body.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => [name, type]))
  const helps = new Set([...body.matchAll(/^# HELP (\S+) \S/gm)].map(([, name]) => name))
  t.ok(types.size >= 15)
  for (const [name, type] of types) {
    t.ok(helps.has(name), `${name} has a help text`)
    t.match(name, /^[a-z][a-z0-9_]*$/, 'no capitals, no colons')
    t.equal(name.endsWith('_total'), type === 'counter', `${name}: counters, and they alone, end in _total`)
    t.notMatch(name, /_(?:count|sum|bucket)$/, 'no suffix that histograms have')
    t.notMatch(name, /milliseconds|minutes|hours|kilobytes|_ms\b|_mb\b|percent/, 'base units')
    t.notMatch(name, new RegExp(`(?:^|_)${type}(?:_|$)`), 'no type in the name')
  }
})

t.test('what packages measure, and the times of statements', async t => {
  const app = await start(t, { statements: true }, { connector: sqlConnector, url: 'sqlite::memory:' })
  const measures = measuresOf(app.registry)
  measures.add('cacheHits', () => 3, 'tokens')
  measures.add('cacheHits', () => 4, 'tokens')
  measures.add('cacheMisses', () => 1, 'tokens')
  measures.add('hashesWaiting', () => 2)
  app.registry.dataSources.db!.connector.poolUsage = () => ({ used: 1, size: 10, waiting: 5 })
  await app.inject({ method: 'POST', url: '/api/Notes', payload: { title: 'a' } })
  await app.inject('/api/Notes')
  for (let reads = 0; reads < 2; reads++) {
    const lines = (await app.inject('/metrics')).body.split('\n')
    for (const line of [
      'fastback_cache_requests_total{cache="tokens",result="hit"} 7',
      'fastback_cache_requests_total{cache="tokens",result="miss"} 1',
      'fastback_password_hashes_waiting 2',
      'fastback_open_streams 0',
      'fastback_pool_connections{data_source="db"} 1',
      'fastback_pool_size{data_source="db"} 10',
      'fastback_pool_waiting{data_source="db"} 5',
      'fastback_statement_duration_seconds_count{data_source="db",command="insert"} 1',
      'fastback_statement_duration_seconds_count{data_source="db",command="select"} 1'
    ]) t.ok(lines.includes(line), line)
  }
  const unasked = await start(t, {}, { connector: sqlConnector, url: 'sqlite::memory:' })
  t.notMatch((await unasked.inject('/metrics')).body, 'fastback_statement')
})

t.test('labels are bounded, whatever clients send', async t => {
  const app = await start(t)
  for (let i = 0; i < 300; i++) {
    await app.inject(`/api/Notes/${String(i)}?x=${String(i)}`)
    await app.inject(`/${String(i)}/${String(i)}`)
  }
  const { body } = await app.inject('/metrics')
  const series = body.split('\n').filter(line => line.startsWith('http_request_duration_seconds_count'))
  t.equal(series.length, 2)
})

t.test('a quiet end: not ready first, connections close with their answers, nothing fails', async t => {
  // Long enough for three requests on a machine that is busy.
  const app = await start(t, { drainDelay: 2_000 })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as { port: number }
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  let text = ''
  socket.on('data', chunk => { text += String(chunk) })
  const send = async (path: string): Promise<void> => {
    text = ''
    socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`)
    while (!/\r\n\r\n./s.test(text)) await wait(5)
  }
  await send('/api/Notes')
  t.match(text, /connection: keep-alive/i)
  const ending = app.health.drain().then(() => app.close())
  t.equal((await fetch(`http://127.0.0.1:${String(port)}/health/ready`)).status, 503, 'the balancer sees it')
  t.equal((await fetch(`http://127.0.0.1:${String(port)}/slow`)).status, 200, 'what comes all the same is answered')
  await send('/api/Notes')
  t.match(text, /HTTP\/1\.1 200/)
  t.match(text, /connection: close/i)
  await ending
})

t.test('clients in the middle of many requests lose none of them, without a delay as well', async t => {
  const app = await start(t)
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const results: string[] = []
  const client = async (): Promise<void> => {
    const result = await fetch(`${address}/api/Notes`).then(async response => {
      await response.text()
      return response.headers.get('connection') === 'close' ? 'the last' : String(response.status)
    }, (error: Loose) => String(error.cause?.code ?? error))
    results.push(result)
    if (result === '200') await client()
  }
  const clients = Array.from({ length: 16 }, client)
  while (results.length < 200) await wait(5)
  await app.health.drain()
  await app.close()
  await Promise.all(clients)
  t.strictSame([...new Set(results)].sort(), ['200', 'the last'])
})

t.test('on a port of its own', async t => {
  const app = await start(t, { port: 0 })
  t.equal((await app.inject('/health/ready')).statusCode, 404)
  await app.listen({ port: 0, host: '127.0.0.1' })
  while (app.health.address === undefined) await wait(5)
  const { address } = app.health
  t.equal((await fetch(`${String(address)}/health/ready`)).status, 200)
  t.match(await (await fetch(`${String(address)}/metrics`)).text(), 'http_request_duration_seconds')
  await app.close()
  await t.rejects(fetch(`${String(address)}/health/live`))
})

t.test('who is told more', async t => {
  const app = await start(t, { allow: ['192.0.2.0/24', '2001:db8::1'] })
  const told = async (remoteAddress: string): Promise<boolean> =>
    'components' in (await app.inject({ url: '/health/ready', remoteAddress })).json()
  t.strictSame(
    await Promise.all(['192.0.2.7', '::ffff:192.0.2.7', '2001:db8::1', '192.0.3.1', '127.0.0.1', '2001:db8::2'].map(told)),
    [true, true, true, false, false, false]
  )
})

t.test('a proxy on this machine that is not trusted tells nobody more', async t => {
  const app = await start(t)
  for (const headers of [{ 'x-forwarded-for': '127.0.0.1' }, { forwarded: 'for=127.0.0.1' }]) {
    t.strictSame((await app.inject({ url: '/health/ready', headers })).json(), { status: 'up' })
    t.equal((await app.inject({ url: '/metrics', headers })).statusCode, 404)
  }
})

t.test('options', async t => {
  const refused = async (options: object): Promise<void> => {
    await t.rejects(start(t, options), { code: 'FBK_HEALTH_INVALID_OPTIONS' }, JSON.stringify(options))
  }
  for (const options of [{ path: 'health' }, { allow: ['nowhere'] }, { allow: ['10.0.0.0/40'] }, { timeout: 0 }, { paths: '/x' }]) {
    await refused(options)
  }
  const app = Fastify()
  app.register(health)
  await t.rejects(async () => { await app.ready() }, { code: 'FBK_HEALTH_MISSING_REGISTRY' })
})

/** Two ends of a channel between processes. */
function channel (): [BusChannel, BusChannel] {
  const [one, other] = [new EventEmitter(), new EventEmitter()]
  const end = (mine: EventEmitter, theirs: EventEmitter): BusChannel => Object.assign(mine, {
    send (message: unknown, done: (error?: unknown) => void) {
      setImmediate(() => {
        theirs.emit('message', structuredClone(message))
        done()
      })
    }
  }) as unknown as BusChannel
  return [end(one, other), end(other, one)]
}

t.test('workers answer as one', async t => {
  const hub = new ClusterHub()
  const worker = async (): Promise<FastifyInstance> => {
    const [inFirst, inWorker] = channel()
    hub.add(inFirst)
    return await start(t, {}, undefined, { busDrivers: { cluster: clusterBus(inWorker) }, bus: false })
  }
  const [one, two] = [await worker(), await worker()]
  const read = async (app: FastifyInstance, name: string): Promise<number> => {
    const { body } = await app.inject('/metrics')
    return Number(body.split('\n').find(line => line.startsWith(`${name} `))?.split(' ')[1])
  }
  const requests = 'http_request_duration_seconds_count{method="GET",route="/api/Notes",status="200"}'
  for (const app of [one, one, two]) await app.inject('/api/Notes')
  while (await read(one, requests) !== 3);
  while (await read(two, requests) !== 3);
  t.equal(await read(two, 'fastback_data_source_up{data_source="db"}'), 1)
  t.ok(await read(two, 'process_start_time_seconds') < Date.now() / 1000)
  await two.close()
  t.equal(await read(one, requests), 2, 'who has left is not waited for')
  const three = await worker()
  await three.inject('/api/Notes')
  while (await read(one, requests) !== 3);
  while (await read(three, requests) !== 3);
})

t.test('background jobs, by queue and state', async t => {
  const app = await start(t)
  const text = async (): Promise<string> => (await app.inject('/metrics')).body
  t.notMatch(await text(), /fastback_jobs\{/)
  let isReachable = true
  const queue = { name: 'mail', waiting: 1, delayed: 2, active: 3, completed: 4, failed: 5 }
  backgroundJobsIn(app.registry).by = {
    delivers: new Set(),
    send: async () => undefined,
    queues: async () => { if (isReachable) return [queue]; throw new Error('no store') },
    failed: async () => undefined,
    retry: async () => false,
    discard: async () => false
  }
  measuresOf(app.registry).add('jobsEnded', () => 7, '["mail","failed"]')
  measuresOf(app.registry).add('jobSeconds', () => 1.5, 'mail')
  const found = await text()
  for (const line of [
    'fastback_jobs{queue="mail",state="delayed"} 2', 'fastback_jobs{queue="mail",state="failed"} 5',
    'fastback_job_attempts_total{queue="mail",status="failed"} 7', 'fastback_job_seconds_total{queue="mail"} 1.5'
  ]) t.ok(found.includes(line), line)
  isReachable = false
  t.notMatch(await text(), /fastback_jobs\{/, 'a store that does not respond does not stop the others')
})
