/**
 * Replicas agree after whatever happened, on memory, SQLite and PostgreSQL. FASTBACK_SYNC_HISTORIES: how many for each
 * store (default 12; `histories.long.ts`: 10,000 in all).
 */
import fc from 'fast-check'
import t from 'tap'
import { history, run } from './histories.js'
import { serve, stores, type Loose } from './support.js'

const numRuns = Number(process.env.FASTBACK_SYNC_HISTORIES ?? 12)

for (const [name, open] of stores.filter(([name]) => name !== 'mysql')) {
  t.test(`SYD-20, SYD-22: histories of chance, ${name}`, async t => {
    const scratch = await open()
    if (scratch === undefined) { t.comment(`no ${name} server`); return }
    const served = await serve(t, [{ name: 'Note' }], scratch.url)
    t.teardown(async () => { await scratch.remove() })
    const { Note } = served.models
    Note.reached = new Set<string>()
    Note.observe('after save', async ({ instance }: Loose) => {
      if (instance !== undefined) Note.reached.add(`${String(instance.id)} ${String(instance.title)}`)
    })
    await fc.assert(fc.asyncProperty(history, async rounds => { await run(served, rounds) }), { numRuns })
    t.pass(`${String(numRuns)} histories`)
  })
}
