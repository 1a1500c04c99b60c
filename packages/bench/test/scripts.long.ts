/**
 * The scripts of loads and kills, at a hundredth of their size: that they run, and count right. Their figures are taken
 * by hand (`npm run load`, `npm run kills`).
 */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'

/** Continuous integration kills four times. */
const kills = Number(process.env.FASTBACK_TEST_KILLS ?? 1)

const run = async (script: string, ...args: string[]): Promise<{ stdout: string }> =>
  await promisify(execFile)(process.execPath, [
    fileURLToPath(new URL(`../src/${script}/main.js`, import.meta.url)),
    ...args
  ])

t.test('loads', async t => {
  const { stdout } = await run('load', '--scale', '0.001', 'reads')
  t.match(stdout, /10000 reads in .*, 0 not answered with 200/)
  t.match(stdout, /held {3}every answer good/)
})

t.test('loads: reads and writes', async t => {
  const { stdout } = await run('load', '--scale', '0.001', 'mixed')
  t.match(stdout, /1000 requests in .*, 0 of them badly answered; living [1-9]/)
  t.match(stdout, /held {3}every answer good/)
})

t.test('loads: logins at once', async t => {
  // Other requests may be slower than they should be on a machine that tests something else: then the exit code is 1.
  const { stdout } = await run('load', '--scale', '0.05', 'logins-at-once').catch((error: { stdout: string }) => error)
  const [, logins, good] = /(\d+) logins in .*, 32 at once: (\d+) let in/.exec(stdout) ?? []
  t.ok(Number(logins) >= 32, stdout)
  t.equal(good, logins)
  t.match(stdout, /(held {2}|BROKEN) other requests: p50 .* of \d+; allowed p99/)
  t.match(stdout, /held {3}every login let in/)
})

t.test('kills: SQLite, and the file of the memory connector', async t => {
  const { stdout } = await run('kills', '--rounds', String(kills), '--seed', '7', '--json')
  t.match(JSON.parse(stdout), [{ store: 'sqlite', kills, faults: [] }, { store: 'memory', kills, faults: [] }])
})
