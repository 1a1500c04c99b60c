// FASTBACK_TEST_FULL: processes that are killed while they write thousands of rows.
/** Values are sealed anew: beside writers, after a kill, and those that were plain before. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sqlConnector } from '@fastback/connector-sql'
import { resealRows } from '@fastback/core/remote'
import { isReachable, makeScratch } from '../../scratch.mjs'
import { account, newer, older, sealedOn, sealing, search } from './sealed-stores.js'

type Loose = any
const plainAccount = { ...account, properties: { ...account.properties, iban: { type: 'string' } } }

type Opened = { readonly url: string, done (): unknown } | undefined
const servers: ReadonlyArray<readonly [string, () => Promise<Opened>]> = [
  ['sqlite', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'rekey-'))
    return { url: `sqlite:${path.join(folder, 'db.sqlite')}`, done: () => { rmSync(folder, { recursive: true }) } }
  }],
  ...(['postgres', 'mysql'] as const).map(server => [server, async () => {
    if (!await isReachable(server)) return undefined
    const { url, remove } = await makeScratch(server)
    return { url, done: remove }
  }] as const)
]

for (const [name, open] of servers) {
  t.test(name, async t => {
    const store = await open()
    if (store === undefined) { t.pass('there is no such server'); return }
    t.teardown(store.done)
    const on = { main: { connector: sqlConnector, url: store.url, migrate: 'update' } }
    const first = await sealedOn(on, t)
    await first.models.Patient.create(Array.from({ length: 300 }, (_, i) => ({ name: String(i), ssn: `s${i}`, note: `n${i}` })))
    const later = await sealedOn(on, t, { ...sealing, current: 'newer' })
    const { Patient } = later.models
    t.match(await resealRows(Patient, { dryRun: true, pageSize: 100 }), { rows: 300, resealed: 600, plain: 0 })
    t.match((await later.raw('Patient'))[0]?.ssn, /^fb1\.older/, 'a dry run writes nothing')

    // A second connection to SQLite in the same process would wait for itself.
    const writing = name === 'sqlite' ? Patient : first.models.Patient
    const writer = (async () => {
      for (let i = 0; i < 60; i++) await writing.updateAll({ name: String(i * 5) }, { note: `w${i}` })
    })()
    const done = await resealRows(Patient, { pageSize: 50 })
    await writer
    t.equal(done.busy, 0)
    t.same(done.unreadable, [])
    const again = await resealRows(Patient)
    t.ok(again.resealed <= 60, 'what the writers sealed with the older key meanwhile')
    t.match(await resealRows(Patient), { rows: 300, resealed: 0 }, 'a third run has nothing to do')
    const rows = await Patient.find({ order: 'id' })
    for (const row of rows) {
      const at = Number(row.name)
      if (row.ssn !== `s${at}` || row.note !== (at % 5 === 0 ? `w${at / 5}` : `n${at}`)) t.fail(`row ${at}: ${row.ssn} ${row.note}`)
    }
    t.equal(rows[0].version, 2, 'versions count the writes of values alone')
    t.ok((await later.raw('Patient')).every(row => String(row.ssn).startsWith('fb1.newer')))

    const searched = await sealedOn(on, t, { keys: { newer }, current: 'newer', searchKey: [older, search] })
    t.equal((await resealRows(searched.models.Patient)).resealed, 300, 'hashes with a new search key')
    const moved = await sealedOn(on, t, { keys: { newer }, current: 'newer', searchKey: older })
    t.equal(await moved.models.Patient.count({ ssn: 's7' }), 1)
  })

  t.test(`${name}: values that were plain`, async t => {
    const store = await open()
    if (store === undefined) { t.pass('there is no such server'); return }
    t.teardown(store.done)
    const on = { main: { connector: sqlConnector, url: store.url, migrate: 'update' } }
    const before = await sealedOn(on, t, sealing, [plainAccount])
    await before.models.Account.create([{ code: 'a', iban: 'DE1' }, { code: 'b', iban: 'DE2' }, { code: 'c' }])
    const strict = await sealedOn(on, t, sealing, [account])
    await t.rejects(strict.models.Account.findById('a'), { statusCode: 500, message: /it is not sealed/ })
    t.match(await resealRows(strict.models.Account), { plain: 0, unreadable: { length: 2 } })
    const lenient = await sealedOn(on, t, { ...sealing, acceptPlain: true }, [account])
    t.equal((await lenient.models.Account.findById('a')).iban, 'DE1')
    t.match(await resealRows(lenient.models.Account), { rows: 3, plain: 2, resealed: 0 })
    t.equal((await strict.models.Account.findById('a')).iban, 'DE1')
    t.equal(await strict.models.Account.count({ iban: 'DE2' }), 1)
  })

  t.test(`${name}: killed in the middle`, async t => {
    const store = await open()
    if (store === undefined) { t.pass('there is no such server'); return }
    t.teardown(store.done)
    const on = { main: { connector: sqlConnector, url: store.url, migrate: 'update' } }
    const first = await sealedOn(on, t)
    await first.models.Account.create(Array.from({ length: 2000 }, (_, i) => ({ code: `c${i}`, iban: `i${i}` })))
    const settings = { ...sealing, current: 'newer' }
    const child = fork(fileURLToPath(new URL('rekey-child.mjs', import.meta.url)), [], {
      execArgv: ['--conditions=unbundled'],
      env: { ...process.env, REKEY: JSON.stringify({ url: store.url, settings, account }) }, stdio: ['ignore', 'ignore', 'inherit', 'ipc']
    })
    const exited = once(child, 'exit')
    await Promise.race([once(child, 'message'), exited])
    child.kill('SIGKILL')
    await exited
    const later = await sealedOn(on, t, settings)
    const keys = (await later.raw('Account')).map(row => String(row.iban).split('.')[1])
    t.ok(keys.includes('older'), 'it was not done')
    t.ok(keys.includes('newer'), 'it had begun')
    const rest = await resealRows(later.models.Account)
    t.equal(rest.resealed, keys.filter(key => key === 'older').length, 'it goes on where it was')
    t.same((await later.models.Account.find()).map((row: Loose) => row.iban).sort(), Array.from({ length: 2000 }, (_, i) => `i${i}`).sort())
  })
}
