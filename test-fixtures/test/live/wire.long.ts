/**
 * Live queries of four processes on PostgreSQL, over real sockets: a thousand runs; with Redis in between; while one
 * process or another is killed; while the bus is cut.
 */
import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import { isReachable } from '../../scratch.mjs'
import { runsOf } from '../../runs.mjs'
import { proxyTo } from '../faults/proxy.js'
import { random } from './agreement.js'
import { startProcesses } from './processes.js'
import { makeOwners, runAll } from './wire-agreement.js'

t.setTimeout(7_200_000)

/** Below the runs of each subtest: others have other seeds. */
const first = Number(process.env.FASTBACK_TEST_SEED ?? 1)
const skip = !await isReachable('postgres') && 'no PostgreSQL'
const next = random(first)

t.test('a thousand runs', { skip }, async t => {
  const processes = await startProcesses(t, 4)
  await makeOwners(processes)
  const begun = performance.now()
  await runAll(t, processes, runsOf(1_000), undefined, first)
  t.comment(`${runsOf(1_000)} runs in ${Math.round((performance.now() - begun) / 1_000)} s`)
  t.equal(processes.deaths(), 0)
})

t.test('a bus by Redis', { skip }, async t => {
  const namespace = `live-${process.pid}`
  const redis = process.env.FASTBACK_TEST_REDIS ?? 'redis://127.0.0.1:6379'
  const processes = await startProcesses(t, 4, () => ({ redis, namespace }))
  await makeOwners(processes)
  await runAll(t, processes, runsOf(100), undefined, first + 10_000)
  t.equal(processes.deaths(), 0)
})

t.test('processes that are killed while they write, and come back', { skip }, async t => {
  const processes = await startProcesses(t, 4)
  await makeOwners(processes)
  await runAll(t, processes, runsOf(200), async () => {
    await wait(next(150))
    processes.kill(next)
  }, first + 20_000)
  t.ok(processes.deaths() >= 10, `${processes.deaths()} deaths`)
})

t.test('a bus whose connections are cut, and refused for a while', { skip }, async t => {
  let cuts = 0
  const { hostname, port } = new URL(process.env.FASTBACK_TEST_POSTGRES ?? 'postgres://127.0.0.1:5432')
  const proxy = await proxyTo(t, hostname, Number(port === '' ? 5432 : port))
  const processes = await startProcesses(t, 4, url => {
    const through = new URL(url)
    through.host = `127.0.0.1:${proxy.port}`
    return { postgres: through.href }
  })
  await makeOwners(processes)
  await runAll(t, processes, runsOf(200), async () => {
    await wait(next(100))
    proxy.mode = next(2) === 0 ? 'refuse' : 'pass'
    proxy.cut()
    cuts++
    await wait(next(300))
    proxy.mode = 'pass'
  }, first + 30_000)
  t.equal(processes.deaths(), 0)
  t.ok(cuts >= 10, `${cuts} cuts`)
})
