/**
 * A real standby of PostgreSQL: who wrote finds what they wrote, whatever the standby has replayed. Needs PostgreSQL's
 * programs (`FASTBACK_TEST_POSTGRES_BIN`, else those under /usr/lib/postgresql) and a user that is not root, for which
 * `postgres` is taken where root runs this.
 */
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { openSql } from '../../packages/connector-sql/test/support/connectors.js'
import { makeModel, query } from '../../packages/connector-sql/test/support/models.js'
import { freePort } from '../free-port.mjs'

const run = promisify(execFile)
const note = makeModel('Note', { title: 'string' })

function programs (): string | undefined {
  const { FASTBACK_TEST_POSTGRES_BIN: named } = process.env
  const usual = '/usr/lib/postgresql'
  if (named !== undefined || !existsSync(usual)) return named
  return readdirSync(usual).map(version => join(usual, version, 'bin')).findLast(bin => existsSync(join(bin, 'initdb')))
}

t.test('a standby', { timeout: 300_000 }, async t => {
  const bin = programs()
  if (bin === undefined) {
    t.comment('no programs of PostgreSQL: set FASTBACK_TEST_POSTGRES_BIN')
    return
  }
  const isRoot = process.getuid?.() === 0
  const as = async (program: string, ...rest: string[]): Promise<string> => {
    const command = [join(bin, program), ...rest]
    const [file, ...args] = isRoot
      ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups', ...command]
      : command
    return (await run(file as string, args, { cwd: tmpdir() })).stdout
  }
  const folder = mkdtempSync(join(tmpdir(), 'fastback-standby-'))
  if (isRoot) await run('chown', ['postgres', folder])
  const [one, two] = [join(folder, 'primary'), join(folder, 'standby')]
  const [port, standbyPort] = [await freePort(), await freePort()]
  const start = async (data: string, port: number): Promise<void> => {
    const options = `-p ${String(port)} -k ${folder} -c listen_addresses=127.0.0.1 -c fsync=off`
    await as('pg_ctl', '-D', data, '-o', options, '-l', `${data}.log`, '-w', 'start')
  }
  t.teardown(async () => {
    for (const data of [two, one]) await as('pg_ctl', '-D', data, '-m', 'immediate', 'stop').catch(() => {})
    rmSync(folder, { recursive: true })
  })
  await as('initdb', '-D', one, '-U', 'postgres', '-A', 'trust', '--no-sync')
  await start(one, port)
  await as('pg_basebackup', '-h', '127.0.0.1', '-p', String(port), '-U', 'postgres', '-D', two, '-R', '--no-sync')
  await start(two, standbyPort)
  const urlOf = (port: number): string => `postgres://postgres@127.0.0.1:${String(port)}/postgres`
  const standby = await openSql({ url: urlOf(standbyPort), poolSize: 1 })
  const sql = await openSql({ url: urlOf(port), replicas: [urlOf(standbyPort)], replicaWait: 20 }, [note])
  const readsOf = async (): Promise<number> => {
    const [row] = await standby.execute(
      'SELECT sum(idx_scan + seq_scan)::int AS n FROM pg_stat_user_tables WHERE relname = $1', ['Note']
    ) as [{ n: number }]
    return row.n
  }
  t.teardown(async () => {
    await sql.disconnect()
    await standby.disconnect()
  })
  const titlesFor = async (session: string): Promise<unknown[]> =>
    (await sql.find(note, query(note), { mayBeOld: true, session })).map(({ title }) => title)

  const seen: string[] = []
  for (let i = 0; i < 300; i++) {
    await sql.create(note, { title: String(i) }, { session: 'Ann' })
    seen.push(String(i))
    t.same(await titlesFor('Ann'), seen)
  }
  const before = await readsOf()
  while (await readsOf() === before) await titlesFor('Bob')
  t.pass('the standby answers reads')

  await standby.execute('SELECT pg_wal_replay_pause()')
  await sql.create(note, { title: 'late' }, { session: 'Ann' })
  const transaction = await sql.transactions.begin({})
  await sql.create(note, { title: 'later' }, { session: 'Cid', transaction })
  await sql.transactions.commit(transaction)
  const all = [...seen, 'late', 'later']
  t.same(await titlesFor('Ann'), all, 'who wrote does not wait for a standby that stands still')
  t.same(await titlesFor('Cid'), all)
  t.same(await titlesFor('Bob'), seen, 'others read what the standby has')
  await standby.execute('SELECT pg_wal_replay_resume()')
  while ((await titlesFor('Bob')).length < all.length);

  await as('pg_ctl', '-D', two, '-m', 'immediate', 'stop')
  const began = performance.now()
  for (let i = 0; i < 50; i++) t.equal((await titlesFor('Bob')).length, all.length)
  t.comment(`50 reads while the standby is away: ${(performance.now() - began).toFixed(0)} ms`)
})
