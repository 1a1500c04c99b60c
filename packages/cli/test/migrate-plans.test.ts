/** `fastback migrate` as a change that is reviewed: plans, files, and exit codes for pipelines. */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import t, { type Test } from 'tap'
import { execute, isReachable, makeScratch } from '../../../test-fixtures/scratch.mjs'
import { migrate, planMigration } from '../src/index.js'
import { run } from './terminal.js'

const folder = (t: Test, url: string): string => t.testdir({
  'package.json': '{ "type": "module" }',
  server: {
    'config.json': '{}',
    'datasources.json': JSON.stringify({ db: { connector: 'sql', url }, cache: { connector: 'memory' } }),
    'model-config.json': JSON.stringify({
      _meta: { sources: ['./models'] }, Thing: { dataSource: 'db' }, Shelf: { dataSource: 'cache' }
    }),
    'component-config.json': '{ "loopback-component-explorer": null }',
    models: {
      'thing.json': JSON.stringify({ name: 'Thing', strict: true, properties: { name: 'string', size: 'number' } }),
      'shelf.json': JSON.stringify({ name: 'Shelf' })
    }
  }
})

const define = (cwd: string, properties: object): void => {
  writeFileSync(path.join(cwd, 'server/models/thing.json'), JSON.stringify({ name: 'Thing', strict: true, properties }))
}

t.test('--dry-run and --check: 0 up to date, 2 changes pending, 3 a decision is needed', async t => {
  const cwd = folder(t, 'sqlite:things.db')
  const first = await run(cwd, ['migrate', '--dry-run'])
  t.match(first, { code: 2, err: /^error FBK_CLI_MIGRATION_NEEDED: .*db: 1 change\./ })
  t.equal(first.out, [
    'db: out of date (Thing): 1 change',
    '  Thing: create table',
    '    CREATE TABLE IF NOT EXISTS "Thing" ("name" TEXT, "size" REAL, "id" INTEGER PRIMARY KEY AUTOINCREMENT, "_extra" TEXT);',
    '    Lock: RESERVED, writes of others wait; 0 rows.',
    'cache: up to date (Shelf)'
  ].join('\n'))
  t.match(await run(cwd, ['migrate', '--check']), { code: 2, out: 'db: out of date (Thing): 1 change\ncache: up to date (Shelf)' })
  t.match(await run(cwd, ['migrate']), { code: 0, out: 'db: brought up to date (Thing)\n' })
  t.match(await run(cwd, ['migrate', '--check']), { code: 0, err: '' })

  define(cwd, { name: { type: 'string', index: true } })
  const second = await run(cwd, ['migrate', '--dry-run'])
  t.match(second, { code: 3, err: /^error FBK_CLI_DIFFERENCES_LEFT: .*1 change, 1 difference that it will not make/ })
  t.match(second.out, '  Thing: create index Thing_name (name)\n    CREATE INDEX "Thing_name" ON "Thing" ("name");\n')
  t.match(second.out, '  Thing.size: column. No property has the column.')
  t.match(await run(cwd, ['migrate']), { code: 0, out: /^db: brought up to date \(Thing\): 1 difference that it will not make\n {2}Thing\.size/ })

  t.match(await run(cwd, ['migrate', '--allow-drop', 'Thing.name']), {
    code: 1, err: /FBK_CLI_NOT_DROPPABLE: "Thing\.name" is no column that could be dropped: those without a property are Thing\.size/
  })
  t.match(await planMigration(cwd, { allowDrop: ['Thing.size'] }), [
    { dataSource: 'db', changes: [{ kind: 'drop column', columns: ['size'] }], differences: [] },
    { dataSource: 'cache', changes: [], differences: [] }
  ])
  t.match(await run(cwd, ['migrate', '--allow-drop', 'Thing.size']), { code: 0 })
  t.match(await run(cwd, ['migrate', '--check']), { code: 0 })
})

async function byFiles (t: Test, cwd: string): Promise<void> {
  const sql = path.join(cwd, 'sql')
  const [written] = await migrate(cwd, { write: sql })
  t.match(written, { upToDate: false, changed: false, written: path.join(sql, '0001.db.sql') })
  t.match(await run(cwd, ['migrate', '--write', 'sql']), {
    code: 1, err: /FBK_CLI_MIGRATION_FILES: .*0001\.db\.sql" is not applied/
  })
  t.match(await run(cwd, ['migrate', '--files', 'sql', '--check']), { code: 2, out: /to be applied: 0001\.db\.sql/ })
  t.match(await run(cwd, ['migrate', '--files', 'sql']), { code: 0, out: / {2}applied: 0001\.db\.sql/ })
  t.match(await run(cwd, ['migrate', '--files', 'sql', '--check']), { code: 0 })
  t.match(await migrate(cwd, { files: sql }), [{ applied: [], changed: false }, { applied: [] }])

  define(cwd, { name: { type: 'string', required: true }, size: 'number', colour: { type: 'string', index: true } })
  t.match(await run(cwd, ['migrate', '--write', 'sql']), { code: 0, out: /written: .*0002\.db\.sql/ })
  t.same(readdirSync(sql), ['0001.db.sql', '0002.db.sql'])
  t.match(readFileSync(path.join(sql, '0002.db.sql'), 'utf8'), /^-- db: 2 changes\..*\n\n-- Thing: add column colour\. Lock: .*\nALTER TABLE .*;\n\n-- Thing: create index/)
  writeFileSync(path.join(sql, '0003.nowhere.sql'), '')
  t.match(await run(cwd, ['migrate', '--files', 'sql']), { code: 1, err: /0003\.nowhere\.sql" names the data source "nowhere"/ })
  writeFileSync(path.join(sql, '0003.nowhere.sql'), '')
  t.match(await run(cwd, ['migrate', '--files', 'sql', '--write', 'sql']), { code: 2, err: /FBK_CLI_USAGE/ })
}

t.test('--write and --files, on SQLite', async t => {
  await byFiles(t, folder(t, 'sqlite:things.db'))
})

t.test('--files on PostgreSQL', await isReachable('postgres') ? {} : { skip: 'no PostgreSQL server' }, async t => {
  const { url, remove } = await makeScratch('postgres')
  t.teardown(remove)
  await byFiles(t, folder(t, url))
  t.match(await execute(url, 'SELECT name, ended IS NOT NULL AS done FROM _fastback_migrations'), [
    { name: '0001.db.sql', done: true }
  ])
})

t.test('a folder whose data source wants foreign keys gets them', async t => {
  const cwd = folder(t, 'sqlite:things.db')
  const edit = (file: string, content: object): void => { writeFileSync(path.join(cwd, 'server', file), JSON.stringify(content)) }
  edit('datasources.json', { db: { connector: 'sql', url: 'sqlite:things.db', foreignKeys: true } })
  edit('model-config.json', { _meta: { sources: ['./models'] }, Thing: { dataSource: 'db' }, Shelf: { dataSource: 'db' } })
  edit('models/shelf.json', { name: 'Shelf', relations: { things: { type: 'hasMany', model: 'Thing', onDelete: 'cascade' } } })
  const [{ changes }] = await planMigration(cwd) as [Awaited<ReturnType<typeof planMigration>>[number]]
  t.match(changes.find(({ table }) => table === 'Thing')?.statements[0],
    /"shelfId" INTEGER, .*CONSTRAINT "Thing_shelfId_fkey" FOREIGN KEY \("shelfId"\) REFERENCES "Shelf" \("id"\) ON DELETE CASCADE/)
})
