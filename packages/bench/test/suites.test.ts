/** Suites beside the REST ones: what their requests use up, which responses are good, and targets beside ratios. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { source } from './sources.js'

interface Wire {
  readonly method: string
  readonly path: string
  readonly headers?: Record<string, string>
  readonly body?: unknown
}
interface Server {
  readonly statuses?: Record<string, number>
  request (load: string, params: unknown, context: object): Wire
}
interface Load {
  readonly id: string
  readonly suite: string
  readonly target?: number
  normalise? (answer: unknown): unknown
  params (random: unknown): { key?: string }
}

const { LOADS } = await source<{ LOADS: Load[] }>('loads.js')
const { seeded } = await source<{ seeded (seed: number): unknown }>('random.js')
const { isGood, loadServer, SUITES } = await source<{
  isGood (server: Partial<Server>, load: string, status: number): boolean
  loadServer (suite: string, name: string): Promise<Server>
  SUITES: Record<string, { servers: string[] }>
}>('servers/index.js')
const { report } = await source<{
  report (found: { summary: object[], servers: string[], loads: string[], reference: string }): string
}>('report.js')
const { openDatabase } = await source<{
  openDatabase (file: string): { exec (sql: string): void, prepare (sql: string): { get (): unknown }, close (): void }
}>('sqlite.js')
const { seedTrusted, trimTrusted } = await source<Record<'seedTrusted' | 'trimTrusted', (file: string) => void>>('seed.js')

const loadOf = (id: string): Load => LOADS.find(load => load.id === id) as Load
const of = (suite: string): string[] => LOADS.filter(load => load.suite === suite).map(({ id }) => id)

t.test('each load is known to each server of its suite', async t => {
  for (const suite of ['graphql', 'openid', 'trusted']) {
    for (const name of SUITES[suite]?.servers ?? []) {
      const server = await loadServer(suite, name)
      for (const id of of(suite)) {
        const { path } = server.request(id, loadOf(id).params(seeded(1)), { supply: ['a'], token: 'b', tag: '"0"' })
        t.match(path, /^\/[\w/.]+$/, `${name} ${id}`)
      }
    }
  }
})

t.test('a code is redeemed once, and both providers are asked the same', async t => {
  const [ours, theirs] = [await loadServer('openid', 'fastback'), await loadServer('openid', 'oidc-provider')]
  const supply = ['one', 'two']
  const sent = [0, 1].map(() => String(ours.request('o3', {}, { supply }).body))
  t.same(sent.map(body => new URLSearchParams(body).get('code')), ['two', 'one'])
  t.same(supply, [])
  const { path: at, ...request } = ours.request('o3', {}, { supply: ['x'] })
  const { path: there, ...other } = theirs.request('o3', {}, { supply: ['x'] })
  t.same(String(request.body), String(other.body))
  t.same([request.method, request.headers], [other.method, other.headers])
  t.same([at, there], ['/oauth/token', '/token'])
})

t.test('what of tokens and keys must be the same', async t => {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const token = (alg: string): string =>
    `${part({ alg, kid: 'x' })}.${part({ sub: '1', aud: 'bench', iat: 5, exp: 3605, iss: 'https://op.example' })}.sig`
  const answer = { token_type: 'Bearer', expires_in: 3600, access_token: 'abc', id_token: token('RS256') }
  t.same(loadOf('o3').normalise?.(answer), {
    token_type: 'Bearer', expires_in: 3600, alg: 'RS256', sub: '1', aud: 'bench', seconds: 3600
  })
  t.notSame(loadOf('o3').normalise?.({ ...answer, id_token: token('none') }), loadOf('o3').normalise?.(answer))
  const key = { kty: 'RSA', use: 'sig', alg: 'RS256', e: 'AQAB' }
  t.same(loadOf('o5').normalise?.({ keys: [{ ...key, n: 'n', kid: 'k' }] }), { keys: [key] })
})

t.test('a 304 is good where it is wanted, and a 200 is not', async t => {
  const [withIt, without] = [await loadServer('trusted', 'fastback'), await loadServer('trusted', 'without')]
  t.same([200, 304].map(status => isGood(withIt, 't6', status)), [false, true])
  t.same([200, 304].map(status => isGood(without, 't6', status)), [true, false])
  t.same([199, 200, 299, 300, 500].map(status => isGood(withIt, 't1', status)), [false, true, true, false, false])
})

t.test('without the setting there are no headers, and the same bodies', async t => {
  const [withIt, without] = [await loadServer('trusted', 'fastback'), await loadServer('trusted', 'without')]
  for (const id of of('trusted')) {
    const params = loadOf(id).params(seeded(3))
    const { headers, ...request } = withIt.request(id, params, { tag: '"0"' })
    t.same(without.request(id, params, {}), request, id)
    t.equal(headers !== undefined, id === 't5' || id === 't6', id)
  }
  const random = seeded(7)
  const keys = Array.from({ length: 100 }, () => loadOf('t5').params(random).key ?? '')
  t.equal(new Set(keys).size, 100)
  for (const key of keys) t.match(key, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
})

t.test('what writes left behind is taken away, and their records', async t => {
  const file = path.join(t.testdir(), 'trusted.sqlite')
  seedTrusted(file)
  const db = openDatabase(file)
  const count = (table: string): unknown => db.prepare(`SELECT count(*) AS n FROM "${table}"`).get()
  t.match(count('Keyed'), { n: 10_000 })
  db.exec('INSERT INTO "Keyed" ("id") VALUES (10001), (10002)')
  db.exec('CREATE TABLE "HistoriedHistory" ("id" TEXT)')
  db.exec("INSERT INTO \"HistoriedHistory\" VALUES ('a')")
  trimTrusted(file)
  t.match(count('Keyed'), { n: 10_000 })
  t.match(count('HistoriedHistory'), { n: 0 })
  db.close()
})

t.test('targets stand beside the ratios', async t => {
  const entry = (load: string, ratio: number): object => ({ load, server: 'fastback', ratio, ratioWithDatabase: ratio, failures: 0 })
  const base = (load: string): object => ({ load, server: 'without', ratio: 1, ratioWithDatabase: 1, failures: 0 })
  const summary = [base('t1'), entry('t1', 0.96), base('t3'), entry('t3', 0.2)]
  const found = { summary, servers: ['without', 'fastback'], loads: ['t1', 't3'] }
  const text = report({ ...found, reference: 'without' })
  t.match(text, /^Targets of the ratio to without$/m)
  t.match(text, /^t1 create with a version +0\.95 +0\.96 +met$/m)
  t.match(text, /^t3 create with history +0\.60 +0\.20 +missed$/m)
  t.notMatch(report({ ...found, reference: 'before' }), /Targets/)
})

t.test('the documentation names every load', async t => {
  const text = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  for (const id of [...of('openid'), ...of('trusted')]) t.match(text, new RegExp(`^\\| ${id} \\|`, 'm'), id)
})
