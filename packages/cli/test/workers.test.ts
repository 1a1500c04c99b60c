// FASTBACK_TEST_FULL: workers as processes, which are killed.
/** `fastback serve --workers`: several processes on one port, and the graceful shutdown of servers under load. */
import { fork } from 'node:child_process'
import { on, once } from 'node:events'
import { appendFileSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { address, start, type Child } from './child.js'
import { keepAliveClients } from './keep-alive-clients.js'

type Folder = NonNullable<Parameters<Test['testdir']>[0]>

/** An application that says which process answers; `/end` ends that. */
const application = (dataSources = '{}', models = '{}'): Folder => ({
  'package.json': '{ "type": "module" }',
  'diary.txt': '',
  server: {
    // Clients on a machine that is busy may take their time until the next request.
    'config.json': '{ "server": { "drainTime": 10000 } }',
    'datasources.json': dataSources,
    'model-config.json': models,
    boot: {
      'pid.js': `
        import { appendFileSync } from 'node:fs'
        const write = what => { appendFileSync(new URL('../../diary.txt', import.meta.url), what + ' ' + process.pid + '\\n') }
        write('begins')
        export default app => {
          app.on('started', () => { write('serves') })
          app.fastify.get('/pid', () => String(process.pid))
          app.fastify.get('/end', () => process.exit(3))
          const heard = new Set()
          const bus = () => app.fastify.registry.bus
          app.on('started', () => { bus().subscribe('news', { message (from) { heard.add(from) }, reset () {} }) })
          app.fastify.get('/heard', () => {
            bus().publish('news', process.pid)
            return { driver: bus().driver, pid: process.pid, heard: [...heard], arenas: process.env.MALLOC_ARENA_MAX }
          })
        }`
    }
  }
})

async function pids (url: string, count: number, others: ReadonlySet<string> = new Set()): Promise<Set<string>> {
  for (;;) {
    const found = new Set<string>()
    for (let i = 0; i < 4 * count; i++) {
      found.add(await (await fetch(`${url}/pid`, { headers: { connection: 'close' } })).text())
    }
    if (found.size === count && [...found].every(pid => !others.has(pid))) return found
    await wait(20)
  }
}

const until = async (what: () => boolean): Promise<void> => { while (!what()) await wait(10) }

const serveFolder = (t: Test, dir: string, ...args: string[]): Child =>
  start(t, ['serve', dir, '--port', '0', '--host', '127.0.0.1', ...args])

t.test('a worker that hears of others before its order serves all the same', async t => {
  // Seen to fail: it took the first message for its order, and ended with 0.
  const worker = fork(fileURLToPath(new URL('../dist/workers/run.js', import.meta.url)))
  t.teardown(() => { worker.kill('SIGKILL') })
  const said = async (key: string): Promise<object> => {
    for await (const [message] of on(worker, 'message', { signal: AbortSignal.timeout(60_000) })) {
      if (key in message) return message
    }
    return {}
  }
  await said('waiting')
  worker.send({ fastbackBus: { namespace: 'other', texts: ['hello'] } })
  const serve = {
    dir: t.testdir(application()), options: { port: 0, host: '127.0.0.1' }, processes: 1, delay: 1000
  }
  worker.send({ serve })
  t.match(await said('serving'), { serving: { url: /^http/ } })
  worker.send({ order: 'leave' })
  t.same(await once(worker, 'exit'), [0, null])
})

t.test('workers: started one after the first, revived, replaced and ended, and no request fails', async t => {
  const dir = t.testdir(application())
  const server = serveFolder(t, dir, '--workers', '3')
  const url = await address(server)
  t.match(server.out, /, with 3 workers\n$/)
  const first = await pids(url, 3)
  const diary = readFileSync(path.join(dir, 'diary.txt'), 'utf8').split('\n')
  t.match(diary.slice(0, 2), [/^begins/, /^serves/], 'the first one serves before others begin')

  await t.rejects(fetch(`${url}/end`))
  await until(() => /A worker ended with code 3; another one takes its place\./.test(server.err))
  const revived = await pids(url, 3)
  t.equal([...revived].filter(pid => first.has(pid)).length, 2, 'the others were left alone')

  const hearing = new Map<number, number>()
  while (hearing.size < 3 || [...hearing.values()].some(others => others < 2)) {
    const answer = await fetch(`${url}/heard`, { headers: { connection: 'close' } })
    interface Told { driver: string, pid: number, heard: number[], arenas?: string }
    const { driver, pid, heard, arenas } = await answer.json() as Told
    t.equal(driver, 'cluster')
    t.equal(arenas, process.env.MALLOC_ARENA_MAX ?? '2', 'memory of threads')
    hearing.set(pid, heard.filter(other => other !== pid && revived.has(String(other))).length)
  }

  const clients = keepAliveClients(`${url}/pid`, 64)
  await until(() => clients.seen.clients === 64)
  server.process.kill('SIGHUP')
  await pids(url, 3, revived)
  const { answered } = clients.seen
  await until(() => clients.seen.answered > answered + 200)
  t.strictSame(clients.seen.failed, [], 'a restart of all')

  // What a restart finds broken is not put in place of what runs.
  const well = await pids(url, 3, revived)
  appendFileSync(path.join(dir, 'server', 'boot', 'pid.js'), '\nthrow new Error("no luck")')
  server.process.kill('SIGHUP')
  await until(() => /The restart ends here, a worker cannot start: server\/boot\/pid\.js:\d+:\d+: no luck\./.test(server.err))
  t.same(await pids(url, 3), well)

  clients.goElsewhere()
  server.process.kill('SIGTERM')
  t.equal(await server.exited, 0)
  await clients.gone
  t.strictSame(clients.seen.failed, [], 'the end')
})

t.test('one process ends under load, and no request fails', async t => {
  const server = serveFolder(t, t.testdir(application()))
  const clients = keepAliveClients(`${await address(server)}/pid`, 64)
  await until(() => clients.seen.clients === 64)
  clients.goElsewhere()
  server.process.kill('SIGTERM')
  t.equal(await server.exited, 0)
  await clients.gone
  t.strictSame(clients.seen.failed, [])
  t.equal(server.err, '')
})

const skip = process.env.FASTBACK_TEST_FULL === undefined && 'with FASTBACK_TEST_FULL'

t.test('workers that cannot serve', { skip }, async t => {
  const dir = t.testdir({
    app: application(),
    failing: {
      'package.json': '{ "type": "module" }',
      server: { 'config.json': '{}', boot: { 'a.js': "export default () => { throw new Error('no luck') }" } }
    },
    ending: { 'package.json': '{ "type": "module" }', server: { 'config.json': '{}', boot: { 'a.js': 'process.exit(7)' } } },
    hanging: {
      'package.json': '{ "type": "module" }',
      server: { 'config.json': '{}', boot: { 'a.js': 'export default () => new Promise(() => { setInterval(() => {}, 1000) })' } }
    },
    filed: application('{ "db": { "connector": "memory", "file": "rows.json" } }', '{ "User": { "dataSource": "db", "public": false } }'),
    memory: application('{ "db": { "connector": "memory" } }', '{ "User": { "dataSource": "db", "public": false } }')
  })
  const taken = serveFolder(t, path.join(dir, 'app'))
  const { port } = new URL(await address(taken))
  const refused: Array<[args: string[], code: number, message: RegExp]> = [
    [['failing'], 1, /^error FBK_BOOT_SCRIPT: server\/boot\/a\.js:1:\d+: no luck\nMore: fastback explain \w+\n$/],
    [['ending'], 1, /^error FBK_CLI_WORKER: A worker ended with code 7 before it served\.\nMore: fastback explain \w+\n$/],
    [['hanging', '--start-timeout', '3'], 1, /^error FBK_CLI_WORKER: A worker did not serve within 3 s\.\nMore: fastback explain \w+\n$/],
    [['filed'], 1, /^error FBK_CLI_ONE_PROCESS_STORE: The data source "db" .+\nMore: fastback explain \w+\n$/],
    [['app', '--port', port], 1, /^error FBK_CLI_ADDRESS_IN_USE: .+\nMore: fastback explain \w+\n$/],
    [['app', '--watch'], 2, /^error FBK_CLI_USAGE: .+\n$/]
  ]
  await Promise.all(refused.map(async ([[folder = '', ...args], code, message]) => {
    const server = serveFolder(t, path.join(dir, folder), '--workers', '2', ...args)
    t.equal(await server.exited, code, folder)
    t.match(server.err, message)
    t.equal(server.out, '')
  }))
  taken.process.kill('SIGTERM')

  const memory = serveFolder(t, path.join(dir, 'memory'), '--workers', '2')
  await address(memory)
  t.equal(memory.err, 'Each of the 2 workers has rows of its own in the data sources in memory: "db".\n')
  memory.process.kill('SIGTERM')
  t.equal(await memory.exited, 0)
})

t.test('lines of the log', async t => {
  const server = serveFolder(t, t.testdir(application()), '--workers', '1', '--log', 'info')
  const url = await address(server)
  const lines = (): Array<Record<string, unknown>> => server.out.trim().split('\n').map(line => JSON.parse(line))
  await until(() => lines().some(({ msg }) => msg === 'serving'))
  t.match(lines().find(({ msg }) => msg === 'serving'), { level: 30, url, api: `${url}/api`, workers: 1, pid: Number })
  server.process.kill('SIGTERM')
  t.equal(await server.exited, 0)
})
