/**
 * Live queries of four processes on PostgreSQL, over real sockets. A thousand runs, Redis, processes that are killed
 * and a bus that is cut are in `wire.long.ts`.
 */
import t from 'tap'
import { isReachable } from '../../scratch.mjs'
import { runsOf } from '../../runs.mjs'
import { startProcesses } from './processes.js'
import { makeOwners, runAll } from './wire-agreement.js'

const skip = process.env.FASTBACK_TEST_FULL === undefined && 'with FASTBACK_TEST_FULL'

t.test('clients that are cut have what the query gives in the end', { skip, timeout: 240_000 }, async t => {
  if (!await isReachable('postgres')) return t.pass('no PostgreSQL')
  const processes = await startProcesses(t, 4)
  await makeOwners(processes)
  const runs = runsOf(20)
  await runAll(t, processes, runs)
  t.ok(runs > 0, `${runs} runs`)
})
