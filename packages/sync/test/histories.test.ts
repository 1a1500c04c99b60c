// FASTBACK_TEST_FULL: random histories of replicas.
/**
 * Replicas agree after whatever happened: writes at many places, lost answers, clocks that go wrong, deletes that are
 * forgotten, servers that are killed. FASTBACK_SYNC_HISTORIES: how many for each store (default: 200 in all;
 * `histories.long.ts`: 10,000); FASTBACK_SYNC_KILLED: with killed processes (default 1);
 * FASTBACK_SYNC_STORES=memory,sqlite: on these alone.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { history, historyWithKills, run } from './histories.js'
import { siteHere, siteOfProcesses, type Site } from './history-sites.js'
import { stores, type Scratch } from './support.js'

t.setTimeout(14_400_000)

// A server of its own costs most for each.
const usual = new Map([['memory', 100], ['sqlite', 80], ['postgres', 20]])
const killed = Number(process.env.FASTBACK_SYNC_KILLED ?? 1)
const asked = (process.env.FASTBACK_SYNC_STORES ?? 'memory,sqlite,postgres').split(',')
const open = new Map(stores)

async function fileScratch (): Promise<Scratch> {
  const folder = await mkdtemp(join(tmpdir(), 'fastback-histories-'))
  return {
    url: `sqlite:${folder}/notes.db`,
    async remove () { await rm(folder, { recursive: true, force: true }) }
  }
}

/** Histories on a site, which ends with the test. */
async function check (
  t: Test, scratch: Scratch | undefined, makeSite: () => Promise<Site>, histories: typeof history, numRuns: number
): Promise<void> {
  const site = await makeSite()
  t.teardown(async () => {
    await site.stop()
    await scratch?.remove()
  })
  // Making the example smaller takes longer than finding it.
  const endOnFailure = numRuns > 1000
  await fc.assert(fc.asyncProperty(histories, async rounds => { await run(site, rounds) }), { numRuns, endOnFailure })
  t.pass(`${String(numRuns)} histories`)
}

for (const name of asked) {
  const numRuns = Number(process.env.FASTBACK_SYNC_HISTORIES ?? usual.get(name))
  t.test(`SYD-20, SYD-22: histories of chance, ${name}`, async t => {
    const scratch = await open.get(name)?.(t)
    if (scratch === undefined) { t.comment(`no ${name} server`); return }
    await check(t, scratch, async () => await siteHere(scratch.url), history, numRuns)
  })
}

const killable = [['sqlite', fileScratch, 1], ['postgres', open.get('postgres'), 2]] as const
for (const [name, make, processes] of killable.filter(([name]) => asked.includes(name))) {
  t.test(`SYD-1, SYD-7, SYD-22: histories with killed processes, ${name}`, async t => {
    const scratch = await make?.(t)
    if (scratch?.url === undefined) { t.comment(`no ${name} server`); return }
    const { url } = scratch
    await check(t, scratch, async () => await siteOfProcesses(url, processes), historyWithKills, killed)
  })
}
