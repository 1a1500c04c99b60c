/** Days and times of day: columns of their own on the servers, texts in SQLite, and in columns that others made. */
import { ModelRegistry } from '@fastback/core'
import { sqlConnector } from '@fastback/connector-sql'
import t, { type Test } from 'tap'
import { discovered } from './support/discovered.js'
import { scratchUrl } from './support/scratch.js'

type Loose = any

const visit = {
  name: 'Visit',
  strict: true,
  properties: {
    day: { type: 'dateOnly', index: { unique: true } },
    at: { type: 'time' },
    more: { type: ['dateOnly'] },
    note: 'string'
  }
}

async function started (t: Test, url: string, definition: object = visit): Promise<Loose> {
  const registry = new ModelRegistry()
  const db = registry.defineDataSource('db', { connector: sqlConnector, url, migrate: 'update' })
  registry.attach(registry.defineModel(definition as Loose), db)
  t.teardown(() => registry.stop())
  await registry.start()
  return { db, Visit: registry.models.Visit }
}

const columns = {
  sqlite: "SELECT name, type FROM pragma_table_info('Visit')",
  postgres: "SELECT column_name AS name, data_type AS type FROM information_schema.columns WHERE table_name = 'Visit'",
  mysql: "SELECT COLUMN_NAME AS name, COLUMN_TYPE AS type FROM information_schema.COLUMNS WHERE TABLE_NAME = 'Visit' AND TABLE_SCHEMA = DATABASE()"
}

const types = {
  sqlite: { day: 'TEXT', at: 'TEXT' },
  postgres: { day: 'date', at: 'time without time zone' },
  mysql: { day: 'date', at: 'time(6)' }
}

const columnsOfOthers = {
  sqlite: ['DATE', 'TIME'], postgres: ['date', 'time(0)'], mysql: ['DATE', 'TIME']
}

const key = { sqlite: 'integer primary key', postgres: 'serial primary key', mysql: 'int auto_increment primary key' }

for (const engine of ['sqlite', 'postgres', 'mysql'] as const) {
  t.test(engine, async t => {
    const url = engine === 'sqlite' ? `sqlite:${t.testdir({})}/days.sqlite` : await scratchUrl(t, engine)
    if (url === undefined) return
    const { db, Visit } = await started(t, url)
    const listed = await db.connector.execute(columns[engine]) as Loose[]
    const found = Object.fromEntries(listed.map(({ name, type }) => [name, type]))
    t.match(found, types[engine])
    t.equal(await db.isActual(), true, 'nothing is to be changed')

    const made = await Visit.create({ day: '2024-02-29', at: '08:30', more: ['2024-01-01', new Date('2024-01-02')] })
    t.match(made.toJSON(), { day: '2024-02-29', at: '08:30:00', more: ['2024-01-01', '2024-01-02'] })
    t.match((await Visit.findById(made.id)).toJSON(), made.toJSON())
    await Visit.create([{ day: '2023-12-31', at: '23:59:59.5' }, { day: null, at: null }, { note: 'none' }])
    t.same((await Visit.find({ order: 'day DESC', where: { day: { neq: null } } })).map(({ day }: Loose) => day),
      ['2024-02-29', '2023-12-31'])
    t.equal(await Visit.count({ at: { between: ['08:30', '09:00'] } }), 1)
    t.equal(await Visit.count({ more: '2024-01-02' }), 1)
    await t.rejects(Visit.create({ day: '2023-02-29' }), { statusCode: 422, details: { codes: { day: ['format'] } } } as Loose)
    await t.rejects(Visit.create({ day: '2024-02-29' }), { statusCode: /4(09|22)/ } as Loose)
    await t.rejects(Visit.find({ where: { day: 'soon' } }), { statusCode: 400 } as Loose)
    t.same(await Visit.updateAll({ day: { gte: '2024-01-01' } }, { at: '10:00:00.25' }), { count: 1 })
    t.equal((await Visit.findById(made.id)).at, '10:00:00.25')
  })

  t.test(`${engine}: columns that others made`, async t => {
    const url = engine === 'sqlite' ? `sqlite:${t.testdir({})}/days.sqlite` : await scratchUrl(t, engine)
    if (url === undefined) return
    const registry = new ModelRegistry()
    const db = registry.defineDataSource('db', { connector: sqlConnector, url, migrate: 'none' }) as Loose
    t.teardown(() => registry.stop())
    const [day, time] = columnsOfOthers[engine]
    await db.connect()
    await db.connector.execute(`CREATE TABLE visit (id ${key[engine]}, day ${day as string}, at_time ${time as string}, noted varchar(20))`)
    const settings = { schema: undefined, table: 'visit' }
    registry.attach(registry.defineModel({
      name: 'Visit',
      strict: true,
      sql: settings,
      properties: {
        id: { type: 'number', id: true, generated: true },
        day: 'dateOnly',
        at: { type: 'time', sql: { columnName: 'at_time' } },
        noted: 'dateOnly'
      }
    } as Loose), db)
    await registry.start()
    const { Visit } = registry.models as Loose
    const made = await Visit.create({ day: '2024-02-29', at: '08:30:00', noted: '2024-03-01' })
    t.match((await Visit.findById(made.id)).toJSON(), { day: '2024-02-29', at: '08:30:00', noted: '2024-03-01' })
    t.equal(await Visit.count({ day: '2024-02-29', at: { gt: '08:29:59' }, noted: { lt: '2024-03-02' } }), 1)
    t.equal(await Visit.count({ day: { like: '2024-02-%' } }), 1)
    const plan = await db.plan()
    t.same(plan.changes, [], 'a column keeps its type')
  })
}

for (const engine of ['postgres', 'mysql'] as const) {
  t.test(`${engine}: a day as the key of a table`, async t => {
    const url = await scratchUrl(t, engine)
    if (url === undefined) return
    const { models: { Holiday, Closing } } = await discovered(t, url, {
      statements: [
        'CREATE TABLE holiday (day date PRIMARY KEY, name varchar(20))',
        'CREATE TABLE closing (id int PRIMARY KEY, day date, FOREIGN KEY (day) REFERENCES holiday (day))'
      ],
      options: { careful: true }
    })
    t.match((await Holiday.create({ day: '2024-12-25', name: 'Christmas' })).toJSON(), { day: '2024-12-25' })
    t.match((await Holiday.findById('2024-12-25')).toJSON(), { day: '2024-12-25', name: 'Christmas' })
    t.equal(await Holiday.findById('2024-12-26'), null)
    t.equal(await Holiday.findById('soon'), null)
    await Closing.create({ id: 1, day: '2024-12-25' })
    const [closing] = await Closing.find({ include: Object.keys(Closing.relations) })
    t.match(JSON.stringify(closing), 'Christmas')
    t.same(await Holiday.destroyById('2024-12-26'), { count: 0 })
  })
}
