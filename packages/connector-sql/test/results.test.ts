/** What a write answers is what a read answers, in tables of others and in those made here, on each database. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { ModelRegistry } from '@fastback/core'
import { sqlConnector } from '@fastback/connector-sql'
import t, { type Test } from 'tap'
import { discovered } from './support/discovered.js'
import { scratchUrl } from './support/scratch.js'

type Loose = any
type Engine = 'sqlite' | 'postgres' | 'mysql'

const engines: readonly Engine[] = ['sqlite', 'postgres', 'mysql']

const urlOf = async (t: Test, engine: Engine): Promise<string | undefined> =>
  engine === 'sqlite' ? `sqlite:${t.testdir({})}/rows.sqlite` : await scratchUrl(t, engine)

/** The models that discovery makes of tables. */
async function modelsOf (t: Test, url: string, ...statements: readonly string[]): Promise<Loose> {
  const { models } = await discovered(t, url, { statements, settings: { strict: true } })
  return models
}

const number = { sqlite: "('N-' || abs(random() % 1000))", postgres: "'N-' || floor(random() * 1000)", mysql: "(CONCAT('N-', FLOOR(RAND() * 1000)))" }
const id = { sqlite: 'INTEGER PRIMARY KEY AUTOINCREMENT', postgres: 'serial PRIMARY KEY', mysql: 'int AUTO_INCREMENT PRIMARY KEY' }
const lineTable = (engine: Engine, key: string): string => `CREATE TABLE line (
  ${key}, qty int, price numeric(12,2), note char(4), at timestamp${engine === 'postgres' ? '(0)' : ''} NULL,
  total int GENERATED ALWAYS AS (qty * 2) ${engine === 'postgres' ? 'STORED' : 'VIRTUAL'},
  made varchar(20) DEFAULT ${number[engine]}, weight real, empty varchar(9))`

const data = { qty: 2, price: 1.239, note: 'a', at: new Date('2020-01-02T03:04:05.600Z'), weight: 0.1 }
const sorted = (row: object): object => Object.fromEntries(Object.entries(row).sort())
const plain = (row: unknown): Loose => JSON.parse(JSON.stringify(row))

for (const engine of [...engines, 'mysql without RETURNING'] as const) {
  t.test(`${engine}: a table that works out, rounds, pads and has defaults`, async t => {
    const kind = engine === 'mysql without RETURNING' ? 'mysql' : engine
    const url = await urlOf(t, kind)
    if (url === undefined) return
    const { Line } = await modelsOf(t, url, lineTable(kind, `id ${id[kind]}`))
    // MySQL's servers have none, MariaDB's do.
    if (kind !== engine) Line.dataSource.connector.dialect.tellsInserted = () => false
    const told: Loose[] = []
    const isRow = async (answer: Loose, what: string): Promise<void> => {
      const read = plain(await Line.findById(answer.id))
      t.strictSame(sorted(plain(answer)), sorted(read), what)
    }
    await isRow(await Line.create(data), 'create')
    await isRow(await Line.create({}), 'create of nothing')
    await isRow(await Line.create({ ...data, made: 'own' }), 'create with a value in place of a default')
    for (const answer of await Line.create([data, { qty: 3 }])) await isRow(answer, 'create of a list')
    await isRow(await Line.upsertWithWhere({ qty: 77 }, { qty: 77, price: 2.345 }), 'upsertWithWhere, new')
    await isRow(await Line.upsertWithWhere({ qty: 77 }, { price: 2.3456 }), 'upsertWithWhere')
    await isRow((await Line.findOrCreate({ where: { qty: 78 } }, { qty: 78, price: 1.239 }))[0], 'findOrCreate')
    await isRow(await Line.upsert({ qty: 79, price: 1.239 }), 'upsert')
    await isRow(await Line.replaceById(1, { ...data, qty: 9 }), 'replaceById')
    await isRow(await Line.replaceOrCreate({ ...data, id: 1, qty: 8 }), 'replaceOrCreate')
    await isRow(await Line.upsert({ ...data, id: 1, qty: 8 }), 'upsert of a row that is there')
    const line = await Line.findById(1)
    await isRow(await line.updateAttributes({ price: 9.876 }), 'updateAttributes')
    line.price = 3.333
    await isRow(await line.save(), 'save')
    Line.observe('after save', async ({ instance }: Loose) => { told.push(plain(instance)) })
    Line.observe('loaded', async () => {})
    const made = await Line.create(data)
    await isRow(made, 'create with hooks')
    const changed = await made.updateAttributes({ price: 7.777 })
    await isRow(changed, 'updateAttributes with hooks')
    t.equal(told[0].total, 4, 'hooks see what the database works out')
    t.strictSame(told[1], plain(changed), 'and what it rounds')
  })
}

for (const engine of engines) {
  t.test(`${engine}: rows that bring their ids, one by one and many at once`, async t => {
    const url = await urlOf(t, engine)
    if (url === undefined) return
    const { Line } = await modelsOf(t, url, lineTable(engine, 'id varchar(20) NOT NULL PRIMARY KEY'))
    await fc.assert(fc.asyncProperty(
      fc.uniqueArray(fc.string({ minLength: 1, maxLength: 6, unit: fc.constantFrom(...'abcdefgh') }), { minLength: 1, maxLength: 9 }),
      fc.array(fc.record({
        qty: fc.integer({ min: -1000, max: 1000 }),
        price: fc.double({ min: -9999, max: 9999, noNaN: true }),
        note: fc.string({ maxLength: 4, unit: fc.constantFrom(...'xyz') }),
        at: fc.date({ min: new Date('2000-01-01'), max: new Date('2030-01-01'), noInvalidDate: true }),
        made: fc.constantFrom('own', null),
        weight: fc.integer({ min: 0, max: 1000 })
      }, { requiredKeys: [] }), { minLength: 9, maxLength: 9 }),
      async (ids, rows) => {
        await Line.destroyAll()
        const answers = await Line.create(ids.map((id, i) => ({ id, ...rows[i] })))
        for (const answer of answers) assert.deepStrictEqual(plain(answer), plain(await Line.findById(answer.id)))
      }), { numRuns: 20 })
  })
}

t.test('sqlite: a number beyond those that a double holds is stored once, and answered with all digits', async t => {
  const { Wide } = await modelsOf(t, `sqlite:${t.testdir({})}/rows.sqlite`,
    "CREATE TABLE wide (id INTEGER PRIMARY KEY, big BIGINT, at TEXT DEFAULT 'x')")
  const made = await Wide.create({ big: 9007199254740993n })
  t.same([made.big, made.at, await Wide.count()], [9007199254740993n, 'x', 1])
})

t.test('what is made here answers as before: the same statements, and what a row lacks it lacks', async t => {
  for (const engine of engines) {
    const url = await urlOf(t, engine)
    if (url === undefined) continue
    const registry = new ModelRegistry()
    const db: Loose = registry.defineDataSource('db', { connector: sqlConnector, url, migrate: 'update' })
    const Note: Loose = registry.defineModel({ name: 'Note', properties: { title: 'string', stars: 'number', at: 'date' } } as Loose)
    registry.attach(Note, db)
    await registry.start()
    t.teardown(() => registry.stop())
    const sent: string[] = []
    db.connector.observe('before execute', async ({ req }: Loose) => { sent.push(String(req.sql)) })
    const note = await Note.create({ title: 'a' })
    t.same(Object.keys(plain(note)).sort(), ['id', 'title'])
    await Note.replaceById(note.id, { title: 'b' })
    t.equal(sent.filter(sql => /^(?:INSERT|UPDATE)/.test(sql)).length, 2)
    t.notOk(sent.some(sql => /RETURNING .*title/.test(sql)), `${engine}: nothing is asked for that is known`)
  }
})
