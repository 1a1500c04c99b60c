// FASTBACK_TEST_FULL: a server that starts again and again.
/** What helps while developing: doctor, datasource test, seed, completion. */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { examine, seed, testDataSource } from '../src/entries/developing.js'
import { run } from './terminal.js'

const folder = (dataSource: object) => ({
  'package.json': '{ "type": "module" }',
  server: {
    'config.json': '{}',
    'datasources.json': JSON.stringify({ db: dataSource }),
    'model-config.json': JSON.stringify({ _meta: { sources: ['./models'] }, Thing: { dataSource: 'db', public: true } }),
    models: {
      'thing.json': JSON.stringify({
        name: 'Thing',
        strict: true,
        properties: { id: { type: 'number', id: true }, name: { type: 'string', required: true }, size: 'number' },
        acls: [{ principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' }]
      })
    }
  }
})

t.test('doctor: one page of what is well and what is not', async t => {
  const cwd = t.testdir({
    well: folder({ connector: 'sql', url: 'sqlite:things.db', migrate: 'none' }),
    away: folder({ connector: 'sql', url: 'postgres://nobody@127.0.0.1:1/none' }),
    broken: { server: { 'config.json': '{' } }
  })
  const checksOf = async (dir: string) => {
    const { code, out } = await run(cwd, ['doctor', dir, '--json'])
    const { checks } = JSON.parse(out) as { checks: Array<{ name: string, ok: boolean, seen: string[], fix?: string }> }
    return { code, checks, unwell: checks.filter(({ ok }) => !ok) }
  }
  const before = await checksOf('well')
  t.equal(before.code, 3)
  t.match(before.unwell.find(({ name }) => name === 'tables of db'), { fix: 'fastback migrate' })
  t.equal((await run(cwd, ['migrate', 'well'])).code, 0)
  const after = await checksOf('well')
  t.notOk(after.unwell.find(({ name }) => name === 'tables of db'))
  t.strictSame(after.checks.map(({ name }) => name), ['Node.js', 'versions', 'settings', 'start', 'data source db', 'tables of db', 'rules'])

  // Seen to fail: tables() of doctor.ts without the differences of the plan
  const definition = path.join(cwd, 'well/server/models/thing.json')
  const text = readFileSync(definition, 'utf8')
  writeFileSync(definition, text.replace(',"size":"number"', ''))
  const differing = await checksOf('well')
  t.match(differing.unwell.find(({ name }) => name === 'tables of db'), { seen: [/size/], fix: /leaves these/ })
  writeFileSync(definition, text)

  t.match((await checksOf('away')).unwell[0], { name: 'data source db', fix: /running/ })
  const broken = await run(cwd, ['doctor', 'broken'])
  t.equal(broken.code, 3)
  t.match(broken.out, /not ok {2}settings: FBK_BOOT_INVALID_JSON: server\/config\.json, line 1: /)
  t.match(broken.err, /^error FBK_CLI_NOT_WELL: Needs a look: settings, start\.$/)

  t.match(await run(cwd, ['datasource', 'test', 'db', 'well']), { code: 0, out: /^ok {6}data source db: answers after \d+ ms$/ })
  t.match(await run(cwd, ['datasource', 'test', 'db', 'away']), { code: 3, out: /^not ok {2}data source db: / })
  t.match(await run(cwd, ['datasource', 'test', 'nix', 'well']), { code: 1, err: /^error FBK_CLI_UNKNOWN_DATA_SOURCE: / })
  t.match(await run(path.join(cwd, 'well'), ['datasource', 'look', 'db']), { code: 2 })
})

t.test('seed: rows once, by id or key, all or none', async t => {
  const cwd = t.testdir({
    ...folder({ connector: 'sql', url: 'sqlite:things.db' }),
    seeds: {
      '1-thing.csv': 'id,name,size\n1,cup,2\n2,mug,3\n',
      '2-more.json': '{ "Thing": [{ "id": 3, "name": "jug", "size": 4 }] }',
      '3-script.mjs': 'export default async ({ models: { Thing }, optionsOf }) => { await Thing.updateAll({ id: 3 }, { size: 5 }, optionsOf(Thing)) }'
    },
    other: { 'thing.json': '[{ "name": "cup", "size": 9 }]' },
    bad: { 'thing.ndjson': '{"id":7,"name":"pot"}\n{"id":8}\n' }
  })
  t.equal((await run(cwd, ['migrate'])).code, 0)
  const first = await run(cwd, ['seed'])
  t.match(first, { code: 0, out: 'seeds/1-thing.csv: Thing, 2 created, 0 updated, 0 unchanged\nseeds/2-more.json: Thing, 1 created, 0 updated, 0 unchanged\nseeds/3-script.mjs: done' })
  const counts = async (...args: string[]) => JSON.parse((await run(cwd, ['seed', '--json', ...args])).out) as unknown
  t.match(await counts(), [{ created: 0, updated: 0, unchanged: 2 }, { updated: 1 }, {}], 'the script has changed one')
  t.match(await counts('other/thing.json', '--key', 'Thing.name'), [{ created: 0, updated: 1, unchanged: 0 }])
  t.match(await counts('other/thing.json', '--key', 'name'), [{ created: 0, updated: 0, unchanged: 1 }])

  t.match(await run(cwd, ['seed', 'bad/thing.ndjson']), { code: 1, err: /^error FBK_CLI_SEED: bad\/thing\.ndjson: Thing, row 2: .*name/ })
  t.match(await counts('other/thing.json', '--key', 'name'), [{ unchanged: 1 }])
  t.match(await run(cwd, ['seed', 'other/thing.json']), { code: 1, err: /row 1: it has no "id".+--key/ })
  t.match(await run(cwd, ['seed', 'none.json']), { code: 1, err: /no such file/ })
  t.match(await run(cwd, ['seed', '--env', 'production']), { code: 1, err: /^error FBK_CLI_SEED_PRODUCTION: / })
  t.equal((await run(cwd, ['seed', '--env', 'production', '--force'])).code, 0)
  t.match(await run(t.testdir({ memory: folder({ connector: 'memory' }), 'thing.json': '[{ "id": 1, "name": "x" }]' }), ['seed', 'thing.json', '--dir', 'memory']), { code: 0, err: /^In memory, .+: db\./ })
})

t.test('completion, and the command that was meant', async t => {
  const cwd = t.testdir()
  const { out } = await run(cwd, ['completion', 'bash'])
  const script = `${out}\nCOMP_WORDS=(fastback serve --wa); COMP_CWORD=2; _fastback; echo "${'$'}{COMPREPLY[@]}"`
  t.equal(execFileSync('bash', ['-c', script], { encoding: 'utf8' }), '--watch\n')
  t.match((await run(cwd, ['completion', 'zsh'])).out, /^#compdef fastback\n[^]+ {4}serve\) options=\(--port -p /)
  t.match((await run(cwd, ['completion', 'fish'])).out, /-n "__fish_seen_subcommand_from serve" -l port\n/)
  t.match(await run(cwd, ['completion', 'cmd']), { code: 2, err: /These have: bash, zsh, fish\.$/ })
  t.match(await run(cwd, ['serv']), { code: 2, err: /There is no command "serv"\. Did you mean "serve"\? There are: / })
})

t.test('console: a value, statements, and what fails', async t => {
  const cwd = t.testdir(folder({ connector: 'sql', url: 'sqlite:things.db' }))
  await run(cwd, ['migrate'])
  t.match(await run(cwd, ['console', '--eval', "const row = await Thing.create({ id: 1, name: 'cup' }); return row.name"]), { code: 0, out: "'cup'" })
  t.match(await run(cwd, ['console', '--eval', 'await models.Thing.count()']), { code: 0, out: '1' })
  t.match(await run(cwd, ['console', '--eval', 'nope']), { code: 1, err: /nope is not defined/ })
})

t.test('doctor: tables that the start makes are no fault', async t => {
  const tables = async (settings: object): Promise<unknown> => {
    const { checks } = await examine(t.testdir(folder({ connector: 'sql', url: 'sqlite:things.db', ...settings })))
    return checks.find(({ name }) => name === 'tables of db')
  }
  t.match(await tables({}), { ok: true, seen: ['What they lack is made at the start ("migrate": "update").'] })
  t.match(await tables({ migrate: 'none' }), { ok: false, fix: 'fastback migrate' })
})

t.test('doctor: what of queries a connector made for LoopBack does itself', async t => {
  const connector = `exports.initialize = (dataSource, done) => {
    dataSource.connector = { name: 'list', all (model, filter, done) { setImmediate(done, null, []) } }
    setImmediate(done)
  }`
  const cwd = t.testdir({
    ...folder({ connector: 'list' }),
    node_modules: { 'loopback-connector-list': { 'package.json': '{"name":"loopback-connector-list","main":"index.js"}', 'index.js': connector } }
  })
  const { checks } = await examine(cwd)
  t.match(checks.find(({ name }) => name === 'queries of db'), {
    ok: true, seen: [/^where: handed down, and each row is looked at again/, /^order, limit, skip: in JavaScript/]
  })
})

t.test('the same as functions', async t => {
  const files = { ...folder({ connector: 'sql', url: 'sqlite:things.db' }), seeds: { 'Thing.json': '[{ "id": 1, "name": "cup" }]' } }
  const cwd = t.testdir(files)
  t.equal((await run(cwd, ['migrate'])).code, 0)
  t.match(await seed(cwd), { files: [{ model: 'Thing', created: 1, updated: 0 }], forgotten: [] })
  t.match(await seed(cwd), { files: [{ created: 0, unchanged: 1 }] })
  t.match(await testDataSource(cwd, 'db'), { ok: true })
  t.match(await examine(path.relative(process.cwd(), cwd)), { env: String, checks: [{ name: 'Node.js', ok: true }] })
})
