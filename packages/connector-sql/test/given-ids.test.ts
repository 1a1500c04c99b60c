// FASTBACK_TEST_FULL: tables of three database servers.
/** Ids that a default of the database makes: discovered, or defined by hand in tables that a migration makes. */
import { ModelRegistry } from '@fastback/core'
import { sqlConnector } from '@fastback/connector-sql'
import t, { type Test } from 'tap'
import { discovered } from './support/discovered.js'
import { scratchUrl } from './support/scratch.js'

type Loose = any
type Engine = 'sqlite' | 'postgres' | 'mysql'

async function urlOf (t: Test, engine: Engine): Promise<string | undefined> {
  return engine === 'sqlite' ? `sqlite:${t.testdir({})}/given.sqlite` : await scratchUrl(t, engine)
}

async function started (t: Test, url: string, migrate = 'none'): Promise<Loose> {
  const registry = new ModelRegistry()
  const db = registry.defineDataSource('db', { connector: sqlConnector, url, migrate })
  t.teardown(() => registry.stop())
  return { registry, db }
}

/** What each write tells is what stands in the table, and finds the row. */
async function givesIds (t: Test, { Ticket, Part }: Loose, ids: () => Promise<unknown[]>, type: string): Promise<void> {
  const { id } = await Ticket.create({ title: 'a' })
  t.equal(typeof id, type)
  t.same(await ids(), [id])
  t.match(await Ticket.findById(id), { title: 'a' })
  t.equal(await Ticket.count({ id: { inq: [id] } }), 1)
  t.equal(await Ticket.count({ id: { neq: id } }), 0)
  const many = await Ticket.create([{ title: 'b' }, { title: 'c' }])
  const [{ id: found }] = await Ticket.findOrCreate({ where: { title: 'd' } }, { title: 'd' })
  const put = await Ticket.upsertWithWhere({ title: 'e' }, { title: 'e' })
  const patched = await Ticket.patchOrCreate({ title: 'f' })
  const replaced = await Ticket.replaceOrCreate({ title: 'g' })
  const told = [id, ...many.map((each: Loose) => each.id), found, put.id, patched.id, replaced.id]
  t.same([...await ids()].sort(), told.sort())
  const part = await (await Ticket.findById(id)).parts.create({ label: 'x' })
  t.equal(part.ticketId, id)
  const [whole] = await Ticket.find({ where: { id }, include: 'parts' })
  t.match(whole.toJSON(), { parts: [{ label: 'x' }] })
  t.match((await Part.findOne({ include: 'ticket' })).toJSON(), { ticket: { id } })
  t.match(await Ticket.replaceById(id, { title: 'z' }), { id, title: 'z' })
  t.same(await Part.deleteAll(), { count: 1 })
  t.same(await Ticket.deleteById(id), { count: 1 })
}

const part = (counted: string, reference: string): string =>
  `CREATE TABLE part (id ${counted}, ticket_id ${reference}, label varchar(10), FOREIGN KEY (ticket_id) REFERENCES ticket (id))`
const table = (key: string): string => `CREATE TABLE ticket (id ${key}, title varchar(20))`

const found: ReadonlyArray<readonly [engine: Engine, what: string, type: string, ...statements: string[]]> = [
  ['postgres', 'uuid', 'string', table('uuid PRIMARY KEY DEFAULT gen_random_uuid()'), part('serial PRIMARY KEY', 'uuid')],
  ['postgres', 'texts that are counted', 'string', 'CREATE SEQUENCE tickets', table("text PRIMARY KEY DEFAULT 'T-' || nextval('tickets')"), 'ALTER SEQUENCE tickets OWNED BY ticket.id', part('serial PRIMARY KEY', 'text')],
  ['mysql', 'uuid', 'string', table('uuid PRIMARY KEY DEFAULT uuid()'), part('int AUTO_INCREMENT PRIMARY KEY', 'uuid')],
  ['mysql', 'char(36)', 'string', table('char(36) PRIMARY KEY DEFAULT (uuid())'), part('int AUTO_INCREMENT PRIMARY KEY', 'char(36)')],
  ['mysql', 'an expression', 'string', table("varchar(40) PRIMARY KEY DEFAULT (concat('T-', uuid()))"), part('int AUTO_INCREMENT PRIMARY KEY', 'varchar(40)')],
  ['mysql', 'numbers of an expression', 'number', 'CREATE SEQUENCE tickets', table('bigint PRIMARY KEY DEFAULT nextval(tickets)'), part('int AUTO_INCREMENT PRIMARY KEY', 'bigint')],
  ['sqlite', 'texts', 'string', table('TEXT PRIMARY KEY DEFAULT (lower(hex(randomblob(16))))'), part('INTEGER PRIMARY KEY', 'TEXT')],
  ['sqlite', 'numbers that are not the row\'s', 'number', table('BIGINT PRIMARY KEY DEFAULT (abs(random() % 1000000))'), part('INTEGER PRIMARY KEY', 'BIGINT')]
]

for (const [engine, what, type, ...statements] of found) {
  t.test(`${engine}: ${what}, discovered`, async t => {
    const url = await urlOf(t, engine)
    if (url === undefined) return
    const { registry, db } = await discovered(t, url, { statements, options: { careful: true } })
    const { Ticket } = registry.models
    t.equal(Ticket.definition.properties.id.type, type === 'string' ? String : Number)
    const ids = async (): Promise<unknown[]> =>
      (await db.connector.execute('SELECT id FROM ticket')).map(({ id }: Loose) => type === 'number' ? Number(id) : id)
    await givesIds(t, registry.models, ids, type)
    t.same(await db.plan(), { dataSource: 'db', changes: [], differences: [] }, 'nothing is to be changed')
  })
}

const types: ReadonlyArray<readonly [engine: Engine, settings: Loose]> = [
  ['postgres', { postgresql: { dataType: 'uuid' } }],
  ['postgres', { sql: { dataType: 'varchar(40)' } }],
  ['mysql', { mysql: { dataType: 'uuid' } }],
  ['mysql', { mariadb: { dataType: 'char(36)' } }],
  ['sqlite', { sqlite3: { dataType: 'TEXT' } }]
]

for (const [engine, settings] of types) {
  t.test(`${engine}: ${JSON.stringify(settings)} by hand, made by a migration`, async t => {
    const url = await urlOf(t, engine)
    if (url === undefined) return
    const { registry, db } = await started(t, url, 'update')
    const Ticket = registry.defineModel({
      name: 'Ticket',
      properties: { id: { type: 'string', id: true, generated: true, ...settings }, title: 'string' },
      relations: { parts: { type: 'hasMany', model: 'Part', foreignKey: 'ticketId' } }
    })
    const Part = registry.defineModel({
      name: 'Part',
      properties: { label: 'string' },
      relations: { ticket: { type: 'belongsTo', model: 'Ticket', foreignKey: 'ticketId' } }
    })
    for (const Model of [Ticket, Part]) registry.attach(Model, db)
    await registry.start()
    t.equal(Part.definition.properties.ticketId.type, String)
    const quoted = engine === 'mysql' ? '`Ticket`' : '"Ticket"'
    const ids = async (): Promise<unknown[]> => (await db.connector.execute(`SELECT id FROM ${quoted}`)).map(({ id }: Loose) => id)
    await givesIds(t, registry.models, ids, 'string')
    await db.connector.execute(`INSERT INTO ${quoted} (title) VALUES ('bare')`)
    const { id } = await Ticket.findOne({ where: { title: 'bare' } })
    t.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/, 'others get an id as well')
  })
}

t.test('a generated id without a type of the database is what the store counts', async t => {
  const { registry, db } = await started(t, 'sqlite::memory:', 'update')
  const Note = registry.defineModel({ name: 'Note', properties: { id: { type: 'string', id: true, generated: true, postgresql: { dataType: 'uuid' } }, text: 'string' } })
  registry.attach(Note, db)
  await registry.start()
  t.match(await Note.create({ text: 'x' }), { id: 1 })
})
