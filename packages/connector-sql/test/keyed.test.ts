/** Tables whose key is another property than the id (`key` in the settings of the model). */
import t, { type Test } from 'tap'
import type { Row, StoredModel } from '@fastback/core'
import type { SqlConnector } from '../src/connector.js'
import { openSql } from './support/connectors.js'
import { makeModel, query, selectAll } from './support/models.js'
import { refuses } from './support/refuses.js'
import { scratchUrl } from './support/scratch.js'

const indexes = [{ name: 'code', columns: [{ property: 'code', descending: false }], unique: false }]
const part = (settings: Record<string, unknown>): StoredModel =>
  makeModel('Part', { code: 'string', count: 'number' }, { idKind: 'string', indexes, settings })

const byCode = part({ sql: { key: 'code' } })
const byId = part({})

const rowOf = (number: number, count = number): Row => ({ id: `hash ${number}`, code: `c${number}`, count })
const known = (number: number) => ({ also: { property: 'code', value: `c${number}` } })

/** The same whichever the key is; the table is left with ten rows. */
async function writesAndReads (t: Test, sql: SqlConnector, model: StoredModel): Promise<void> {
  const find = (number: number, options = {}) => sql.findById(model, `hash ${number}`, selectAll(model), options)
  await sql.createMany(model, Array.from({ length: 10 }, (_, i) => rowOf(i)), {})
  t.same(await find(3, known(3)), rowOf(3))
  t.same(await find(3), rowOf(3), 'the id alone is enough')
  t.same(await sql.updateById(model, 'hash 3', { count: 30 }, known(3)), rowOf(3, 30))
  t.same(await sql.updateById(model, 'hash 3', {}, known(3)), rowOf(3, 30), 'nothing to change')
  t.equal(await sql.updateById(model, 'hash 99', { count: 1 }, known(99)), undefined)
  t.same(await sql.replaceById(model, 'hash 4', rowOf(4, 40), {}), rowOf(4, 40))
  await sql.together?.put(model, [rowOf(5, 50), rowOf(10)], {})
  t.equal(await sql.deleteAll(model, undefined, {}), 11)
  await sql.createMany(model, Array.from({ length: 10 }, (_, i) => rowOf(i)), {})
}

async function isKeyedBy (t: Test, sql: SqlConnector, model: StoredModel, isByCode: boolean): Promise<void> {
  const found = await sql.findById(model, 'hash 3', selectAll(model), known(4))
  t.same(found, isByCode ? undefined : rowOf(3), 'whether the row is looked for by its key')
  t.equal(await sql.isActual([model]), true, 'there is nothing to change')
  t.same((await sql.plans?.plan([model], {}))?.differences, [], 'nor to decide')
}

for (const engine of ['sqlite', 'postgres', 'mysql'] as const) {
  t.test(engine, async t => {
    const url = engine === 'sqlite' ? 'sqlite::memory:' : await scratchUrl(t, engine)
    if (url === undefined) return

    await t.test('a table that is made has the key', async t => {
      const sql = await openSql({ url }, [byCode])
      t.teardown(() => sql.disconnect())
      await writesAndReads(t, sql, byCode)
      await isKeyedBy(t, sql, byCode, true)
      await refuses(t, () => sql.create(byCode, { id: 'another', code: 'c1' }, {}), {})
      const rows = await sql.find(byCode, query(byCode, { where: undefined, limit: 2 }), {})
      t.same(rows, [rowOf(0), rowOf(1)], 'in the order of the ids')
    })

    await t.test('one that is there keeps its own', async t => {
      const sql = await openSql({ url }, [byId])
      t.teardown(() => sql.disconnect())
      await sql.autoupdate([byCode])
      await writesAndReads(t, sql, byCode)
      await isKeyedBy(t, sql, byCode, false)
    })
  })
}

t.test('a key that is no property is refused; the id is what it is without', async t => {
  const sql = await openSql({ url: 'sqlite::memory:' })
  t.teardown(() => sql.disconnect())
  await refuses(t, () => sql.automigrate([part({ sqlite3: { key: 'kode' } })]), { code: 'FBK_SQL_UNKNOWN_KEY' })
  const own = part({ sqlite3: { key: 'id' } })
  await sql.automigrate([own])
  await writesAndReads(t, sql, own)
  await isKeyedBy(t, sql, own, false)
})

t.test('on SQLite rows stand by such a key, and by their number where there is none', async t => {
  const sql = await openSql({ url: 'sqlite::memory:' })
  t.teardown(() => sql.disconnect())
  const statement = async (model: StoredModel): Promise<unknown> => {
    await sql.automigrate([model])
    const [made] = await sql.execute('SELECT "sql" FROM "sqlite_master" WHERE "name" = \'Part\'') as [{ sql: unknown }]
    return made.sql
  }
  t.match(await statement(byCode), /WITHOUT ROWID$/)
  t.notMatch(await statement(byId), /ROWID/)
})

t.test('an index that the key serves is not made', async t => {
  const sql = await openSql({ url: 'sqlite::memory:' }, [byCode])
  t.teardown(() => sql.disconnect())
  await sql.autoupdate([byCode])
  const indexes = await sql.execute('SELECT origin FROM pragma_index_list(\'Part\')')
  t.same(indexes.map(({ origin }) => origin), ['pk'])
})
