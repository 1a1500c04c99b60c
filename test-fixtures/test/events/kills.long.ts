/**
 * 100,000 jobs while senders and workers are killed, connections of PostgreSQL are ended and Redis is killed: none is
 * lost, none runs that was not committed, and no more run twice than were on their way. `FASTBACK_EVENTS_JOBS` says how
 * many jobs there are on all engines together. Minutes, for a release.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { execute, isReachable, makeScratch, servers } from '../../scratch.mjs'
import { killJobs, type JobPlan } from './kill-jobs.js'
import { freePort } from '../../free-port.mjs'

t.setTimeout(3_600_000)

const all = Number(process.env.FASTBACK_EVENTS_JOBS ?? 100_000)
const jobs = Math.ceil(all / 3)
const concurrency = 20
const usual = { jobs, concurrency, workers: 2, senders: 2, pause: 4000, patience: 300_000 }

async function run (t: Test, plan: JobPlan): Promise<void> {
  const outcome = await killJobs(t, plan)
  t.comment(JSON.stringify(outcome))
  const { lost, doubles, invented, kills, interruptions } = outcome
  t.equal(lost, 0, 'none is lost')
  t.equal(invented, 0, 'none runs that was not committed')
  t.ok(kills > 0)
  const most = (kills + interruptions * plan.workers) * concurrency
  t.ok(doubles <= most, `${doubles} run twice, of at most ${most}`)
}

const hasPostgres = await isReachable('postgres')

for (const engine of ['embedded', 'pg-boss'] as const) {
  t.test(`${engine} on PostgreSQL`, { skip: !hasPostgres }, async t => {
    const { url, name, remove } = await makeScratch('postgres')
    const schema = `${name}_jobs`
    t.teardown(async () => {
      await execute(servers.postgres.url, `DROP SCHEMA IF EXISTS ${schema} CASCADE`)
      await remove()
    })
    await execute(url, `CREATE TABLE ${name}."Order" (id double precision PRIMARY KEY)`)
    const application = `fastback ${name}`
    const inside = new URL(url)
    inside.searchParams.set('application_name', application)
    await run(t, {
      ...usual,
      db: { url: inside.href, migrate: 'update', poolSize: 5 },
      options: { engine, schema },
      interrupt: async () => {
        await execute(servers.postgres.url,
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '${application}'`)
      },
      committed: async () => {
        const rows = await execute(url, `SELECT id FROM ${name}."Order"`) as Array<{ id: number }>
        return new Set(rows.map(({ id }) => Number(id)))
      }
    })
  })
}

/** A Redis server that loses nothing when it is killed. */
class OwnRedis {
  #child: ChildProcess | undefined
  readonly folder = mkdtempSync(path.join(tmpdir(), 'fastback-redis-'))

  constructor (readonly port: number) {}

  async start (): Promise<void> {
    this.#child = spawn('redis-server', [
      '--port', String(this.port), '--bind', '127.0.0.1', '--dir', this.folder, '--appendonly', 'yes', '--appendfsync', 'always',
      '--save', ''
    ], { stdio: 'ignore' })
    await once(this.#child, 'spawn')
    await sleep(500)
  }

  async kill (): Promise<void> {
    const child = this.#child as ChildProcess
    child.kill('SIGKILL')
    await once(child, 'exit')
  }

  async restart (): Promise<void> {
    await this.kill()
    await sleep(300)
    await this.start()
  }
}

t.test('BullMQ', async t => {
  const redis = new OwnRedis(await freePort())
  t.teardown(async () => {
    await redis.kill()
    rmSync(redis.folder, { recursive: true })
  })
  try {
    await redis.start()
  } catch {
    t.comment('redis-server is not installed')
    return
  }
  await run(t, {
    ...usual,
    db: { url: 'sqlite::memory:', migrate: 'update' },
    options: { engine: 'bullmq', redis: `redis://127.0.0.1:${redis.port}` },
    interrupt: async () => { await redis.restart() }
  })
})
