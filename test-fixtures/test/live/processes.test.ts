// FASTBACK_TEST_FULL: processes that are killed.
/** Live queries of several processes, which hear of each other's writes over a bus. */
import { join } from 'node:path'
import tap, { type Test } from 'tap'
import Fastify from 'fastify'
import { core, ModelRegistry } from '@fastback/core'
import { MemoryHub, memoryBus } from '@fastback/core/bus'
import { sqlConnector } from '@fastback/connector-sql'
import { isReachable, makeScratch } from '../../scratch.mjs'
import { runsOf } from '../../runs.mjs'
import { compare, definitions, run } from './agreement.js'

type Loose = any

async function start (t: Test, url: string, hub: MemoryHub): Promise<Record<string, Loose>> {
  const registry = new ModelRegistry({
    settings: { bus: { memory: 'all' } }, log: { warn () {}, info () {}, debug () {} } as Loose
  })
  registry.busDrivers.set('memory', memoryBus(hub))
  registry.defineDataSource('db', { connector: sqlConnector, url, migrate: 'update' })
  for (const definition of definitions) registry.defineModel({ strict: true, ...definition } as never)
  for (const { name } of definitions) registry.attach(name, 'db', { public: true })
  const app = Fastify()
  await app.register(core, { registry })
  await app.ready()
  t.teardown(async () => { await app.close() })
  return registry.models as Record<string, Loose>
}

for (const name of ['sqlite', 'postgres'] as const) {
  tap.test(`${name}: readers of two processes have what the query gives`, { timeout: 120_000 }, async t => {
    if (name === 'postgres' && !await isReachable('postgres')) return t.pass('no PostgreSQL')
    const scratch = name === 'postgres' ? await makeScratch('postgres') : undefined
    if (scratch !== undefined) t.teardown(scratch.remove)
    const url = scratch?.url ?? `sqlite:${join(t.testdir(), 'live.db')}`
    const hub = new MemoryHub()
    const processes = [await start(t, url, hub), await start(t, url, hub)]
    for (let id = 1; id < 4; id++) await processes[0]?.Owner.create({ id, name: id === 1 ? 'x' : 'y' })
    const runs = runsOf(10)
    for (let from = 0; from < runs; from += 10) {
      const seeds = Array.from({ length: 10 }, (_, i) => from + i + 1)
      const done = await Promise.all(seeds.map(seed => run(processes, seed, 2, 4)))
      await Promise.all(done.map(each => compare(t, processes[0]?.Task, each)))
    }
    t.ok(runs > 0, `${runs} runs`)
  })
}
