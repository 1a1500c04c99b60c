/**
 * Full disks, files that cannot be written, damaged and locked ones: what was acknowledged is there, nothing is
 * doubled, and no hand is needed.
 */
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import t, { type Test } from 'tap'
import { Box } from './box.js'
import { folderFor, makeApplication, ServerProcess } from './server-process.js'

interface Database { exec (sql: string): void, close (): void }
const require = createRequire(import.meta.url)
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const { DatabaseSync } = require(
  major > 22 || (major === 22 && minor >= 13)
    ? 'node:sqlite'
    : require.resolve('@photostructure/sqlite', { paths: [require.resolve('@fastback/connector-sql')] })
) as { DatabaseSync: new (file: string) => Database }

// Each server takes seconds to start on a busy machine.
t.setTimeout(900_000)

const stores = {
  sqlite: (file: string) => ({ connector: 'sql', url: `sqlite:${file}`, busyTimeout: 200 }),
  memory: (file: string) => ({ connector: 'memory', file })
} as const
type Store = keyof typeof stores

/** One line `error CODE: …` on the standard error, no stack, exit code 1. */
async function refusesToStart (t: Test, server: ServerProcess, code: string, file: string): Promise<void> {
  t.equal(await server.exit(), 1, 'the exit code is 1')
  t.match(server.complaints, new RegExp(`^error ${code}: .*${file.replaceAll('.', '\\.')}.*\\n$`))
  t.notMatch(server.complaints, /\n {4}at /)
}

for (const store of Object.keys(stores) as Store[]) {
  t.test(`${store}: a full disk refuses writes and loses none`, async t => {
    const box = await Box.open(t, '1m')
    if (box === undefined) { t.pass('left out: no mount namespaces here'); return }
    const server = await new ServerProcess(
      t,
      makeApplication(t, stores[store](`${box.disk}/notes.db`)),
      box.entrance
    ).ready()
    const text = 'x'.repeat(60_000)
    const kept: string[] = []
    let refused = 0
    for (let i = 0; i < 30 && refused < 4; i++) {
      const title = `note ${String(i).padStart(2, '0')}`
      const { status, body } = await server.send('POST', '/api/Notes', { title, text })
      if (status === 200) kept.push(title)
      else {
        refused++
        t.equal(status, 507)
        t.notMatch(JSON.stringify(body), /notes\.db|SQL|ENOSPC/, 'nothing of the machine is told')
      }
    }
    t.ok(kept.length > 2 && refused > 0, `${kept.length} kept, ${refused} refused`)
    t.strictSame(await server.titles(), kept, 'it reads on, and shows no row that was refused')

    box.run('mount -o remount,size=16m "$1"')
    t.equal((await server.send('POST', '/api/Notes', { title: 'room again', text })).status, 200, 'without a restart')
    t.strictSame(await server.titles(), [...kept, 'room again'])
    t.equal(await server.exit('SIGTERM'), 0)
    t.match(server.output, /FBK_SQL_FULL|FBK_MEMORY_NOT_WRITTEN/, 'the log says why')
    const next = await new ServerProcess(
      t,
      makeApplication(t, stores[store](`${box.disk}/notes.db`)),
      box.entrance
    ).ready()
    t.strictSame(await next.titles(), [...kept, 'room again'], 'and after one')
    t.equal(await next.exit('SIGTERM'), 0)
  })

  t.test(`${store}: a place that cannot be written`, async t => {
    const box = await Box.open(t, '4m')
    if (box === undefined) { t.pass('left out: no mount namespaces here'); return }
    const dir = makeApplication(t, stores[store](`${box.disk}/notes.db`))
    const server = await new ServerProcess(t, dir, box.entrance).ready()
    t.equal((await server.send('POST', '/api/Notes', { title: 'before' })).status, 200)
    // SQLite's file is open for writing, which the system does not take away from a process.
    if (store === 'memory') {
      box.run('mount -o remount,ro "$1"')
      t.equal((await server.send('POST', '/api/Notes', { title: 'refused' })).status, 500)
      t.strictSame(await server.titles(), ['before'])
      box.run('mount -o remount,rw "$1"')
    }
    t.equal((await server.send('POST', '/api/Notes', { title: 'later' })).status, 200)
    t.equal(await server.exit('SIGTERM'), 0)

    box.run('mount -o remount,ro "$1"')
    const next = await new ServerProcess(t, dir, box.entrance).ready()
    t.strictSame(await next.titles(), ['before', 'later'], 'it serves what it can read')
    t.equal((await next.send('POST', '/api/Notes', { title: 'refused' })).status, 500)
    t.strictSame(await next.titles(), ['before', 'later'])
    t.equal(await next.exit('SIGTERM'), 0)
    t.match(next.output, /FBK_SQL_READ_ONLY|FBK_MEMORY_NOT_WRITTEN/, 'the log says why')
  })

  t.test(`${store}: a damaged file is named at the start, and left as it is`, async t => {
    const file = `${folderFor(t)}/notes.db`
    const garbage = 'not what anybody wrote '.repeat(1000)
    writeFileSync(file, garbage)
    await refusesToStart(
      t,
      new ServerProcess(t, makeApplication(t, stores[store](file))),
      store === 'sqlite' ? 'FBK_SQL_OPEN' : 'FBK_MEMORY_DAMAGED_FILE',
      'notes.db'
    )
    t.equal(readFileSync(file, 'utf8'), garbage)
  })
}

t.test('sqlite: a file that is damaged in its middle', async t => {
  const file = `${folderFor(t)}/notes.db`
  const dir = makeApplication(t, { ...stores.sqlite(file), journalMode: 'delete' })
  const first = await new ServerProcess(t, dir).ready()
  for (let i = 0; i < 20; i++) await first.send('POST', '/api/Notes', { title: `note ${i}`, text: 'x'.repeat(3000) })
  t.equal(await first.exit('SIGTERM'), 0)
  const bytes = readFileSync(file)
  // The first page says what tables there are; it stays.
  bytes.fill(0xa5, 4096 * 2, 4096 * 12)
  writeFileSync(file, bytes)
  const server = new ServerProcess(t, dir)
  const outcome = await Promise.race([server.ready().then(() => 'serves'), server.exit()])
  if (outcome !== 'serves') {
    t.equal(outcome, 1)
    t.match(server.complaints, /^error FBK_SQL_(?:DAMAGED|OPEN|STORE): .*\nMore: .*\n$/)
    return
  }
  const { status, body } = await server.send('GET', '/api/Notes')
  t.equal(status, 500)
  t.notMatch(JSON.stringify(body), /malformed|SQL|notes\.db/)
  t.equal((await server.send('GET', '/explorer/openapi.json')).status, 200, 'and it serves on')
  t.equal(await server.exit('SIGTERM'), 0)
  t.match(server.output, /FBK_SQL_DAMAGED/, 'the log says why')
})

t.test('sqlite: a file that another process has locked', async t => {
  const file = `${folderFor(t)}/notes.db`
  const dir = makeApplication(t, stores.sqlite(file))
  const server = await new ServerProcess(t, dir).ready()
  t.equal((await server.send('POST', '/api/Notes', { title: 'before' })).status, 200)
  const other = new DatabaseSync(file)
  other.exec('BEGIN IMMEDIATE')
  t.equal((await server.send('POST', '/api/Notes', { title: 'refused' })).status, 503)
  t.strictSame(await server.titles(), ['before'], 'readers need no lock')
  other.exec('COMMIT')
  t.equal((await server.send('POST', '/api/Notes', { title: 'later' })).status, 200)
  t.strictSame(await server.titles(), ['before', 'later'])
  t.equal(await server.exit('SIGTERM'), 0)

  other.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; UPDATE Note SET title = title; COMMIT')
  await refusesToStart(t, new ServerProcess(t, dir), 'FBK_SQL_OPEN', 'notes.db')
  other.close()
  t.ok(statSync(file).size > 0)
  const next = await new ServerProcess(t, dir).ready()
  t.strictSame(await next.titles(), ['before', 'later'])
  t.equal(await next.exit('SIGTERM'), 0)
})
