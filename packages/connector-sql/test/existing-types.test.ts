/**
 * Tables of others, with each type: discovered, read and written over the model, compared with what the database itself
 * says, and found as they should be by the plan.
 */
import { ModelRegistry, type DataSource } from '@fastback/core'
import { sqlConnector } from '@fastback/connector-sql'
import t, { type Test } from 'tap'
import { discovered } from './support/discovered.js'
import { scratchUrl } from './support/scratch.js'
import * as tables from './types/columns.js'
import type { ColumnCase } from './types/columns.js'

type Loose = any
type Engine = 'sqlite' | 'postgres' | 'mysql'

async function open (t: Test, url: string): Promise<DataSource> {
  const registry = new ModelRegistry()
  const db = registry.defineDataSource('db', { connector: sqlConnector, url, migrate: 'none' })
  await registry.start()
  t.teardown(() => registry.stop())
  return db
}

/** Discovers all tables and views, and defines what was found. */
const all = async (t: Test, url: string, options: object = {}): Promise<Loose> =>
  await discovered(t, url, { options: { views: true, ...options }, settings: { strict: true } })

const keyType = { sqlite: 'INTEGER PRIMARY KEY', postgres: 'serial PRIMARY KEY', mysql: 'int AUTO_INCREMENT PRIMARY KEY' }
const asText: Readonly<Record<Engine, (column: string, type: string) => string>> = {
  sqlite: column => `CAST(${column} AS TEXT)`,
  // A cast of an address has its mask, too; what the database writes by itself has not.
  postgres: (column, type) => type === 'inet' ? `format('%s', ${column})` : `${column}::text`,
  mysql: (column, type) => /^point/.test(type) ? `ST_AsText(${column})` : /^bit/.test(type) ? `CAST(${column} + 0 AS CHAR)` : `CAST(${column} AS CHAR)`
}

async function readsAndWrites (t: Test, url: string, engine: Engine, before: readonly string[]): Promise<void> {
  const cases: readonly ColumnCase[] = tables[engine]
  const quote = (name: string): string =>
    engine === 'mysql' ? `\`${name.replaceAll('`', '``')}\`` : `"${name.replaceAll('"', '""')}"`
  const db = await open(t, url)
  for (const statement of before) await db.execute(statement)
  const columns = cases.map(({ column, type }) => `${quote(column)} ${type}`)
  await db.execute(`CREATE TABLE ${quote('kinds')} (${quote('id')} ${keyType[engine]}, ${columns.join(', ')})`)
  const given = cases.filter(({ stored }) => stored !== '')
  await db.execute(`INSERT INTO ${quote('kinds')} (${given.map(({ column }) => quote(column)).join(', ')}) VALUES (${given.map(({ stored }) => stored).join(', ')})`)

  const { db: own, models: { Kind } } = await all(t, url)
  t.same(await own.plan(), { dataSource: 'db', changes: [], differences: [] }, 'what was discovered is as it should be')
  const nameOf = (column: string): string => Object.keys(Kind.definition.properties).find(name =>
    Object.values<Loose>(Kind.definition.properties[name]).some(own => own?.columnName === column)) as string
  const [row] = JSON.parse(JSON.stringify(await Kind.find())) as Array<Record<string, unknown>>
  for (const { column, type, read } of cases) t.strictSame(row?.[nameOf(column)], read, `${column} ${type} is read`)

  const writable = cases.filter(({ write }) => write !== undefined)
  const data = Object.fromEntries(writable.map(({ column, write }) => [nameOf(column), write]))
  const { id } = await Kind.create(data)
  const selected = writable.map(({ column, type }, i) => `${asText[engine](quote(column), type)} AS c${i}`)
  const [told] = await db.execute(`SELECT ${selected.join(', ')} FROM ${quote('kinds')} WHERE id = ${Number(id)}`) as Loose[]
  writable.forEach(({ column, type, told: expected }, i) => {
    t.equal(String(told[`c${i}`]), expected, `${column} ${type} is written`)
  })
  const again = JSON.parse(JSON.stringify(await Kind.findById(id))) as Record<string, unknown>
  for (const { column, type, write, told } of writable) {
    // A text comes back as the database writes it: "-1.5" of ten decimals is "-1.5000000000".
    const expected = typeof write === 'string' && typeof again[nameOf(column)] === 'string' && !/T.*Z$/.test(write) ? told : write
    t.strictSame(again[nameOf(column)], JSON.parse(JSON.stringify(expected)), `${column} ${type} comes back`)
  }
  const whole = await Kind.findById(id)
  whole[nameOf('select')] = 'changed'
  await whole.save()
  t.match(await Kind.findById(id), { select: 'changed' }, 'a row with columns that the database works out is saved')
  await whole.updateAttributes({ select: 'd', doubled: 7 })
  t.notSame((await Kind.findById(id)).doubled, 7)
  for (const { column, read, finds = 1 } of cases.filter(({ read }) => typeof read !== 'object')) {
    t.same((await Kind.find({ where: { [nameOf(column)]: read } })).length, finds, `${column} is found by its value`)
  }
}

t.test('sqlite', async t => { await readsAndWrites(t, `sqlite:${t.testdir({})}/rows.sqlite`, 'sqlite', []) })
t.test('postgres', async t => {
  const url = await scratchUrl(t, 'postgres')
  if (url === undefined) return
  await readsAndWrites(t, url, 'postgres', [
    "CREATE TYPE mood AS ENUM ('glad', 'sad')",
    "CREATE DOMAIN mail AS text CHECK (value LIKE '%@%')",
    'CREATE DOMAIN percentage AS integer CHECK (value BETWEEN 0 AND 100)'
  ])
})
t.test('mysql', async t => {
  const url = await scratchUrl(t, 'mysql')
  if (url !== undefined) await readsAndWrites(t, url, 'mysql', [])
})

t.test('whole and decimal numbers of any length, as texts', async t => {
  for (const engine of ['postgres', 'mysql'] as const) {
    const url = await scratchUrl(t, engine)
    if (url === undefined) continue
    const db = await open(t, url)
    const [big, dec] = ['9223372036854775807', '0.1234567890123456789012345']
    await db.execute('CREATE TABLE numbers (id bigint PRIMARY KEY, dec_value numeric(40,25), big bigint)')
    await db.execute(`INSERT INTO numbers VALUES (${big}, ${dec}, -${big})`)
    const { models: { Number: Model } } = await all(t, url, { bigints: 'text', decimals: 'text' })
    t.match(JSON.parse(JSON.stringify(await Model.find())), [{ id: big, decValue: dec, big: `-${big}` }])
    await Model.create({ id: '9223372036854775806', decValue: `-${dec}`, big: '1' })
    t.match(JSON.parse(JSON.stringify(await Model.findById('9223372036854775806'))), { decValue: `-${dec}`, big: '1' })
    t.same((await Model.find({ where: { big: { gt: '0' } } })).length, 1)
    t.same((await Model.find({ order: 'id DESC' })).map((row: Loose) => row.id), [big, '9223372036854775806'])
  }
})

t.test('mysql: zero dates, unsigned numbers above the safe ones', async t => {
  const url = await scratchUrl(t, 'mysql')
  if (url === undefined) return
  const db = await open(t, url)
  await db.execute('CREATE TABLE odd (id int PRIMARY KEY, at datetime, day date, big bigint unsigned)')
  await db.execute("INSERT INTO odd VALUES (1, '0000-00-00 00:00:00', '0000-00-00', 18446744073709551615), (2, NULL, '2020-00-00', 0)")
  const { models: { Odd } } = await all(t, url)
  const rows = await Odd.find({ order: 'id' })
  t.same([rows[0].at, rows[0].day, rows[1].at, rows[1].day], [null, null, null, null])
  t.same([rows[0].big, rows[1].big], [18446744073709551615n, 0], 'nothing is rounded')
})

t.test('postgres: a partitioned table is one table', async t => {
  const url = await scratchUrl(t, 'postgres')
  if (url === undefined) return
  const db = await open(t, url)
  await db.execute('CREATE TABLE parts (id bigint, at date, PRIMARY KEY (id, at)) PARTITION BY RANGE (at)')
  await db.execute("CREATE TABLE parts_2020 PARTITION OF parts FOR VALUES FROM ('2020-01-01') TO ('2021-01-01')")
  const { models, db: own } = await all(t, url)
  t.same(Object.keys(models).filter(name => /part/i.test(name)), ['Part'])
  await models.Part.create({ id: 5, at: new Date('2020-05-06') })
  t.match(await models.Part.find(), [{ id: 5, at: new Date('2020-05-06') }])
  t.same((await own.plan()).changes, [])
})

async function viewIsRead (t: Test, url: string): Promise<void> {
  const db = await open(t, url)
  await db.execute('CREATE TABLE base (id int PRIMARY KEY)')
  await db.execute('INSERT INTO base VALUES (3)')
  await db.execute('CREATE VIEW counted AS SELECT count(*) AS n, max(id) AS top FROM base')
  const { models: { Counted }, db: own } = await all(t, url)
  t.match(await Counted.find(), [{ n: 1, top: 3 }])
  await t.rejects(Counted.create({ n: 2 }), { statusCode: 405, code: 'READ_ONLY' })
  await t.rejects(Counted.updateAll({ top: 3 }, { n: 2 }), { statusCode: 405, code: 'READ_ONLY' })
  t.same((await own.plan()).changes, [])
}

t.test('a view is read, whatever the model says: sqlite', async t => {
  await viewIsRead(t, `sqlite:${t.testdir({})}/rows.sqlite`)
})
for (const engine of ['postgres', 'mysql'] as const) {
  t.test(`a view is read, whatever the model says: ${engine}`, async t => {
    const url = await scratchUrl(t, engine)
    if (url !== undefined) await viewIsRead(t, url)
  })
}
