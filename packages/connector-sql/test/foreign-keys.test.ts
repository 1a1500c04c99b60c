// FASTBACK_TEST_FULL: tables of three database servers.
/** Constraints for relations: with `"foreignKeys": true` the database keeps the rule as well as the core. */
import { ModelRegistry, type DataSource, type ModelDefinitionInput } from '@fastback/core'
import { sqlConnector } from '@fastback/connector-sql'
import t, { type Test } from 'tap'
import { scratchUrl } from './support/scratch.js'

type Loose = any
type Rule = 'restrict' | 'cascade' | 'setNull'

/** Writers and books lead to each other; shelves have texts for keys. */
const definitions = (onDelete: Rule | undefined): ModelDefinitionInput[] => [
  {
    name: 'Book',
    strict: true,
    properties: { title: 'string', shelfCode: 'string' },
    relations: {
      writer: { type: 'belongsTo', model: 'Writer', foreignKey: 'writerId', ...(onDelete === undefined ? {} : { onDelete }) },
      shelf: { type: 'belongsTo', model: 'Shelf', foreignKey: 'shelfCode' }
    }
  },
  {
    name: 'Writer',
    strict: true,
    properties: { name: 'string' },
    relations: { best: { type: 'belongsTo', model: 'Book', foreignKey: 'bestId', onDelete: 'setNull' } }
  },
  { name: 'Shelf', strict: true, idInjection: false, properties: { code: { type: 'string', id: true, generated: false } } }
]

async function open (t: Test, url: string, foreignKeys: boolean, onDelete: Rule | undefined): Promise<DataSource> {
  const registry = new ModelRegistry()
  const db = registry.defineDataSource('db', { connector: sqlConnector, url, migrate: 'none', foreignKeys })
  for (const definition of definitions(onDelete)) registry.attach(registry.defineModel(definition), db)
  await registry.start()
  t.teardown(() => registry.stop())
  return db
}

const q = (url: string, sql: string): string => url.startsWith('mysql') ? sql.replaceAll('"', '`') : sql

async function keeps (t: Test, url: string, altersKeys: boolean): Promise<void> {
  const db = await open(t, url, true, 'cascade')
  const { Book, Writer, Shelf } = db.registry.models as Loose
  const { changes } = await db.plan()
  t.equal(changes.filter(({ kind }) => kind === 'add foreign key').length, altersKeys ? 3 : 0, 'keys come last, or with the table')
  await db.autoupdate()
  t.same(await db.plan(), { dataSource: 'db', changes: [], differences: [] })
  t.equal(await db.isActual(), true)
  t.equal((await db.discoverForeignKeys('Book'))?.length, 2)

  const { id } = await Writer.create({ name: 'a' })
  await Shelf.create({ code: 's' })
  const book = await Book.create({ title: 'b', writerId: id, shelfCode: 's' })
  await Writer.updateAll({ id }, { bestId: book.id })
  const refused = { statusCode: 409, code: 'FOREIGN_KEY' }
  await t.rejects(Book.create({ writerId: 99 }), refused, 'a key that leads nowhere')
  await t.rejects(Shelf.destroyAll(), refused, 'without a word the database lets nobody go that rows lead to')
  t.same(await Writer.destroyById(id), { count: 1 })
  t.equal(await Book.count(), 0)

  const { id: next } = await Writer.create({ name: 'b' })
  await Book.create({ writerId: next })
  await db.execute(q(url, `DELETE FROM "Writer" WHERE id = ${next as number}`))
  t.equal(await Book.count(), 0, 'also where others delete')

  const { id: last } = await Writer.create({})
  await Book.create({ writerId: last })
  await db.automigrate()
  t.equal(await Writer.count(), 0)
  t.equal(await db.isActual(), true, 'tables that lead to each other are made anew')
  await t.rejects(Book.create({ writerId: 99 }), refused, 'and their keys')
}

async function changes (t: Test, url: string, altersKeys: boolean): Promise<void> {
  const before = await open(t, url, false, undefined)
  await before.automigrate()
  await (before.registry.models.Book as Loose).create({ writerId: 5 })
  const after = await open(t, url, true, 'cascade')
  const plan = await after.plan()
  t.match(plan.differences.filter(({ columns }) => columns[0] === 'writerId'), [{
    kind: 'foreign key', message: altersKeys ? /^1 row leads to no row of "Writer"/ : /only be made with the table/
  }])
  if (!altersKeys) return
  await t.rejects(async () => { await after.autoupdate() }, { code: 'FBK_CORE_MIGRATION', message: /foreign key "Book_writerId_fkey"/ })
  await (after.registry.models.Book as Loose).destroyAll()
  await after.autoupdate()
  t.same((await after.plan()).changes, [])
  const other = await open(t, url, true, 'restrict')
  t.match((await other.plan()).changes, [{ kind: 'drop foreign key' }, { kind: 'add foreign key', columns: ['writerId'] }])
  await other.autoupdate()
  t.same((await other.plan()).changes, [])
}

t.test('sqlite', async t => {
  await keeps(t, `sqlite:${t.testdir({})}/rows.sqlite`, false)
  await changes(t, `sqlite:${t.testdirName}/more.sqlite`, false)
})
t.test('sqlite: a column that comes later brings its key', async t => {
  const url = `sqlite:${t.testdir({})}/rows.sqlite`
  const before = await open(t, url, true, 'cascade')
  await before.automigrate()
  await before.execute('ALTER TABLE "Writer" DROP COLUMN name')
  const later = new ModelRegistry()
  const db = later.defineDataSource('db', { connector: sqlConnector, url, migrate: 'update', foreignKeys: true })
  for (const definition of definitions('cascade')) later.attach(later.defineModel(definition), db)
  const { Shelf, Writer } = later.models as Loose
  Shelf.belongsTo(Writer, { as: 'maker', foreignKey: 'makerId' })
  await later.start()
  t.teardown(() => later.stop())
  t.match(await db.discoverForeignKeys('Shelf'), [{ fkColumnName: 'makerId', pkTableName: 'Writer' }])
})
for (const engine of ['postgres', 'mysql'] as const) {
  t.test(engine, async t => {
    const [url, other] = [await scratchUrl(t, engine), await scratchUrl(t, engine)]
    if (url === undefined || other === undefined) return
    await keeps(t, url, true)
    await changes(t, other, true)
  })
}
