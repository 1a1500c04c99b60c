// FASTBACK_TEST_FULL: processes that are killed.
/** A job whose process is killed is done by the next one, on every engine. */
import { fork, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { storeNamed } from '../../../packages/events/test/engines/stores.js'
import { until } from '../../../packages/events/test/engines/suite.js'
import { execute, isReachable, makeScratch, servers } from '../../scratch.mjs'

const script = fileURLToPath(new URL('job-process.js', import.meta.url))
const redis = process.env.FASTBACK_TEST_REDIS ?? 'redis://127.0.0.1:6379'

interface Message { readonly ready?: true, readonly ran?: number, readonly attempt?: number, readonly sent?: number }

/** A process, and what it has said. */
class Process {
  readonly child: ChildProcess
  readonly #said: Message[] = []

  constructor (t: Test, settings: object) {
    this.child = fork(script, [JSON.stringify(settings)], {
      execArgv: ['--conditions=unbundled'], stdio: ['ignore', 'ignore', 'inherit', 'ipc']
    })
    this.child.on('message', (message: Message) => { this.#said.push(message) })
    t.teardown(() => { this.child.kill('SIGKILL') })
  }

  /** Until it has said something. */
  async said (isWanted: (message: Message) => boolean): Promise<Message> {
    let found: Message | undefined
    await until('the process says it', () => {
      found = this.#said.find(isWanted)
      return found !== undefined
    }, 60_000)
    return found as Message
  }
}

async function dies (t: Test, db: object, options: object): Promise<void> {
  const start = async (settings: object): Promise<Process> => {
    const started = new Process(t, { db, concurrency: 1, options, isWorker: true, ...settings })
    await started.said(({ ready }) => ready === true)
    return started
  }
  const first = await start({ hangs: true })
  first.child.send({ from: 1, to: 2, together: 1 })
  t.match(await first.said(({ ran }) => ran === 1), { ran: 1, attempt: 1 })
  first.child.kill('SIGKILL')
  await once(first.child, 'exit')
  const second = await start({})
  t.match(await second.said(({ ran }) => ran !== undefined), { ran: 1, attempt: 2 })
}

const name = `fastback-test-${process.pid}-${randomBytes(4).toString('hex')}`
const withoutRedis = storeNamed('BullMQ').skip
const hasPostgres = await isReachable('postgres')
t.jobs = 2

t.test('embedded, SQLite in a file', { buffered: true }, async t => {
  const folder = mkdtempSync(path.join(tmpdir(), 'fastback-jobs-'))
  t.teardown(() => { rmSync(folder, { recursive: true }) })
  await dies(t, { url: `sqlite:${path.join(folder, 'jobs.db')}`, migrate: 'update' }, { engine: 'embedded' })
})

for (const engine of ['embedded', 'pg-boss'] as const) {
  t.test(`${engine} on PostgreSQL`, { buffered: true, skip: !hasPostgres }, async t => {
    const { url, name, remove } = await makeScratch('postgres')
    t.teardown(remove)
    const schema = `${name}_jobs`
    t.teardown(async () => { await execute(servers.postgres.url, `DROP SCHEMA IF EXISTS ${schema} CASCADE`) })
    await dies(t, { url, migrate: 'update' }, { engine, schema })
  })
}

t.test('BullMQ', { buffered: true, skip: withoutRedis !== false }, async t => {
  await dies(t, { url: 'sqlite::memory:', migrate: 'update' }, { engine: 'bullmq', redis, prefix: name })
})
