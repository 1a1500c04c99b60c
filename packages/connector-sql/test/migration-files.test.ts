/** Files of statements: applied once each, in their order, and never again when they have changed. */
import { ModelRegistry, type DataSource, type MigrationFile, type PlanSupport } from '@fastback/core'
import { sqlConnector } from '@fastback/connector-sql'
import t, { type Test } from 'tap'
import { statementsIn } from '../src/dialects/mysql/script.js'
import { scratchUrl } from './support/scratch.js'

type Loose = any

async function open (t: Test, url: string, properties: Record<string, string>): Promise<DataSource> {
  const registry = new ModelRegistry()
  const db = registry.defineDataSource('db', { connector: sqlConnector, url, migrate: 'none' })
  registry.attach(registry.defineModel({ name: 'Note', strict: false, properties }), db)
  await registry.start()
  t.teardown(() => registry.stop())
  return db
}

const planOf = async (db: DataSource, name: string): Promise<MigrationFile> => {
  const { changes } = await db.plan()
  return { name, text: changes.flatMap(({ statements }) => statements).map(statement => `${statement};\n`).join('') }
}

/** What `psql` would read from its own input is nowhere here. */
async function refusesCopy (t: Test, url: string): Promise<void> {
  const db = await open(t, url, { title: 'string' })
  const plans = db.connector.plans as PlanSupport
  const copy = { name: '0009.db.sql', text: 'CREATE TABLE copied (n INTEGER); COPY copied FROM STDIN; SELECT 1' }
  await t.rejects(plans.applyFiles([], [copy]), { code: 'FBK_SQL_MIGRATION_FILE', message: /cannot be applied: COPY from stdin failed/ })
  t.same(await plans.applyFiles([], [{ ...copy, text: 'CREATE TABLE copied (n INTEGER)' }]), ['0009.db.sql'], 'the connection goes on')
}

async function appliesOnce (t: Test, url: string, isTransactional: boolean): Promise<void> {
  const before = await open(t, url, { title: 'string' })
  const plans = before.connector.plans as PlanSupport
  const models = before.storedModels()
  const first = await planOf(before, '0001.db.sql')
  t.same(await plans.pending([first]), ['0001.db.sql'])
  t.same(await plans.applyFiles(models, [first]), ['0001.db.sql'])
  t.same(await plans.applyFiles(models, [first]), [], 'once')
  t.same(await plans.pending([{ ...first, text: first.text.replaceAll('\n', '\r\n') }]), [], 'line ends do not count')
  const { Note } = before.registry.models as Loose
  await Note.create([{ title: 'a', stars: 3 }, { title: 'b', stars: 'many' }])

  const after = await open(t, url, { title: 'string', stars: 'number' })
  const second = await planOf(after, '0002.db.sql')
  const files = [first, second, { name: '0003.db.fill.sql', text: "UPDATE Note SET title = 'c;' WHERE title = 'b'; -- ;" }]
  const quoted = url.startsWith('postgres') ? files.map(file => ({ ...file, text: file.text.replace('UPDATE Note', 'UPDATE "Note"') })) : files
  t.same(await (after.connector.plans as PlanSupport).applyFiles(after.storedModels(), quoted), ['0002.db.sql', '0003.db.fill.sql'])
  t.same((await after.plan()).changes, [])
  const rows = await (after.registry.models as Loose).Note.find({ order: 'id', fields: ['title', 'stars'] })
  t.same(JSON.parse(JSON.stringify(rows)), [{ title: 'a', stars: 3 }, { title: 'c;', stars: 'many' }],
    'values of a property that got a column have moved to it')
  await t.rejects(plans.applyFiles(models, [{ ...first, text: `${first.text}-- more` }]), {
    code: 'FBK_SQL_MIGRATION_FILE', message: /0001\.db\.sql" has changed since/
  })

  const broken = { name: '0004.db.sql', text: 'CREATE TABLE half (n INTEGER); INSERT INTO nowhere VALUES (1)' }
  await t.rejects(plans.applyFiles(models, [broken]), { code: 'FBK_SQL_MIGRATION_FILE', message: /cannot be applied: .*nowhere/ })
  if (isTransactional) {
    t.same(await plans.pending([broken]), ['0004.db.sql'], 'nothing of it was done')
    t.same(await plans.applyFiles(models, [{ ...broken, text: 'CREATE TABLE half (n INTEGER)' }]), ['0004.db.sql'])
  } else {
    await t.rejects(plans.applyFiles(models, [broken]), { code: 'FBK_SQL_MIGRATION_FILE', message: /broke off/ })
  }
}

t.test('sqlite', async t => { await appliesOnce(t, `sqlite:${t.testdir({})}/rows.sqlite`, true) })
t.test('sqlite in memory keeps other operations out meanwhile', async t => {
  const db = await open(t, 'sqlite::memory:', { title: 'string' })
  const file = await planOf(db, '0001.db.sql')
  const { Note } = db.registry.models as Loose
  const applied = (db.connector.plans as PlanSupport).applyFiles(db.storedModels(), [file])
  await Note.create({ title: 'waits for the table' })
  t.same(await applied, ['0001.db.sql'])
  t.equal(await Note.count(), 1)
})
for (const engine of ['postgres', 'mysql'] as const) {
  t.test(engine, async t => {
    const url = await scratchUrl(t, engine)
    if (url === undefined) return
    await appliesOnce(t, url, engine === 'postgres')
    if (engine === 'postgres') await refusesCopy(t, url)
  })
}

t.test('texts of several statements, as the client of MySQL takes them apart', t => {
  t.same(statementsIn("INSERT INTO a VALUES ('x;''y', \"z;\"); DROP TABLE `a;b` ;\n"), [
    "INSERT INTO a VALUES ('x;''y', \"z;\")", 'DROP TABLE `a;b`'
  ])
  t.same(statementsIn('-- one;\n# two;\n/* three; */ SELECT 1 -- ;\n;;\n  -- end'), [
    '-- one;\n# two;\n/* three; */ SELECT 1 -- ;'
  ])
  t.same(statementsIn('DELIMITER //\nCREATE TRIGGER t BEGIN SELECT 1; END //\ndelimiter ;\nSELECT 2; SELECT 5--1'), [
    'CREATE TRIGGER t BEGIN SELECT 1; END', 'SELECT 2', 'SELECT 5--1'
  ])
  t.same(statementsIn('/*!50001 SET x = 1 */; /* nothing */;'), ['/*!50001 SET x = 1 */'])
  t.same(statementsIn("SELECT 'never ends; SELECT 1"), ["SELECT 'never ends", 'SELECT 1'])
  t.same(statementsIn(''), [])
  t.end()
})

t.test('the memory connector has nothing to plan', async t => {
  const { memoryConnector } = await import('@fastback/connector-memory')
  const registry = new ModelRegistry()
  const db = registry.defineDataSource('db', { connector: memoryConnector })
  registry.attach(registry.defineModel({ name: 'Note', properties: { title: 'string' } }), db)
  t.same(await db.plan(), { dataSource: 'db', changes: [], differences: [] })
  t.same(await db.missing(), [])
})
