/** The bench from its command line, as short as it can be: that it compares, measures and says what it found. */
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'
import { isReachable, servers, type Server } from '../../../test-fixtures/scratch.mjs'

const main = fileURLToPath(new URL('../src/main.js', import.meta.url))
const both = ['--servers', 'hand-written,fastback']
const short = ['--rounds', '1', '--seconds', '0.1', '--warmup', '0.1', '--starts', '1']

const bench = async (...args: string[]): Promise<string> =>
  (await promisify(execFile)(process.execPath, [main, ...args])).stdout

const linux = existsSync('/proc/self/stat') ? {} : { skip: 'wants /proc' }

t.test('SQLite: rounds, several connections, a pace', linux, async t => {
  const file = path.join(t.testdir(), 'found.json')
  const wanted = ['--loads', 'w1,w5', '--connections', '1,2', '--pace', '0.3']
  const text = await bench(...short, ...both, ...wanted, '--json', file)
  t.match(text, /w1 get by id +bytes/)
  t.match(text, /## 1 connections[^]*## 2 connections/)
  t.match(text, /p99 from when a request was due, ms, at 30 % of what hand-written did/)
  const { suites: [{ runs, findings }] } = JSON.parse(readFileSync(file, 'utf8'))
  t.ok(findings.every((finding: { result: string }) => finding.result === 'bytes'))
  t.match(runs.map((run: { connections: number }) => run.connections), [1, 2])
  for (const { summary, pacedSummary } of runs) {
    t.equal(summary.length, 4)
    const good = (entry: Record<string, number>): boolean => Number(entry.microseconds) > 0 && entry.failures === 0
    t.ok(summary.every(good))
    t.equal(pacedSummary.length, 4)
  }
})

t.test('processes', linux, async t => {
  t.match(await bench('--workers', '2', '--loads', 'w1', ...short), /^2 +\d+ +1\.00 /m)
})

t.test('processes of its own for each round', linux, async t => {
  const text = await bench(...both, '--loads', 'w1', ...short, '--rounds', '2', '--fresh')
  t.match(text, /start to first answer, s +\d+\.\d+ +\d+\.\d+/)
})

t.test('what there is not', linux, async t => {
  await t.rejects(bench('--against', 'no-such-commit'), { code: 2, stderr: /no-such-commit is neither a folder .* nor a commit/ })
})

for (const [store, server] of [['postgres', 'postgres'], ['mariadb', 'mysql']] as const) {
  t.test(`${store}: every load has the same answer as by hand`, linux, async t => {
    if (!await isReachable(server as Server)) {
      t.comment(`no ${server} server: set ${servers[server as Server].variable}`)
      return
    }
    const all = ['--loads', 'w1,w2,w3,w4,w5,w6,w7,w8']
    const text = await bench(...short, ...both, ...all, '--store', store, '--url', servers[server as Server].url)
    t.match(text, /w4 20 rows with two relations +bytes/)
    t.match(text, /Processor time of the database server per request/)
    t.notMatch(text, /left out/)
  })
}

for (const store of ['sqlite', 'postgres']) {
  t.test(`${store}: related rows, aggregates, search and cursors have the same answer as by hand`, linux, async t => {
    if (store === 'postgres' && !await isReachable('postgres')) {
      t.comment(`no postgres server: set ${servers.postgres.variable}`)
      return
    }
    const url = store === 'postgres' ? ['--url', servers.postgres.url] : []
    const text = await bench(...short, '--servers', 'hand-written,fastback,feathers', '--loads', 'q1,q2,q3,q4,q5', '--store', store, ...url)
    for (const load of ['q1', 'q2', 'q3', 'q4', 'q5']) t.match(text, new RegExp(`^${load} .* bytes$`, 'm'), load)
    t.match(text, /^feathers left out: no conditions on related rows/m)
    t.notMatch(text, /fastback q\d left out/)
  })
}

for (const store of ['sqlite', 'postgres']) {
  t.test(`${store}: trusted writes have the same answer as without the settings`, linux, async t => {
    if (store === 'postgres' && !await isReachable('postgres')) {
      t.comment(`no postgres server: set ${servers.postgres.variable}`)
      return
    }
    const url = store === 'postgres' ? ['--url', servers.postgres.url] : []
    const text = await bench(...short, '--loads', 't1,t2,t3,t4,t5,t6', '--store', store, ...url)
    for (const load of ['t1', 't2', 't3', 't4', 't5']) t.match(text, new RegExp(`^${load} .* (bytes|json)$`, 'm'), load)
    t.match(text, /^t6 .* no body$/m)
    t.match(text, /^Targets of the ratio to without$/m)
    t.notMatch(text, /fastback t\d left out|Not every answer was good/)
  })
}

t.test('OpenID Connect: every request is answered well, as by oidc-provider where that is installed', linux, async t => {
  const text = await bench(...short, '--servers', 'oidc-provider,fastback', '--loads', 'o3,o4,o5')
  t.match(text, /^o3 code redeemed, with an id_token +/m)
  if (!text.includes('oidc-provider skipped')) for (const load of ['o3', 'o4', 'o5']) t.match(text, new RegExp(`^${load} .* json$`, 'm'), load)
  t.notMatch(text, /left out|Not every answer was good|fastback skipped/)
})
