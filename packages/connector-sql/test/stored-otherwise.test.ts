// FASTBACK_TEST_FULL: random values in columns of other types, on three database servers.
/**
 * Values of tables that others made which are stored finer, or in another form, than rows show them: anyone who reads a
 * value finds its row by it, and conditions and orders are those of the values that are shown, as memory has them.
 */
import { memoryConnector } from '@fastback/connector-memory'
import { ModelRegistry, type DataSource } from '@fastback/core'
import { sqlConnector } from '@fastback/connector-sql'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { scratchUrl } from './support/scratch.js'

type Loose = any
type Engine = 'sqlite' | 'postgres' | 'mysql'

interface Given {
  readonly statements: readonly string[]
  readonly models: Readonly<Record<string, Loose>>
}

const urlOf = async (t: Test, engine: Engine): Promise<string | undefined> =>
  engine === 'sqlite' ? `sqlite:${t.testdir({})}/others.sqlite` : await scratchUrl(t, engine)

/** Tables made by others, with models on them. */
async function others (t: Test, url: string, { statements, models }: Given): Promise<Loose> {
  const making = new ModelRegistry()
  const maker = making.defineDataSource('db', { connector: sqlConnector, url, migrate: 'none' })
  await making.start()
  for (const statement of statements) await maker.execute(statement)
  await making.stop()
  const registry = new ModelRegistry()
  const db: DataSource = registry.defineDataSource('db', { connector: sqlConnector, url, migrate: 'none' })
  const memory = registry.defineDataSource('memory', { connector: memoryConnector })
  for (const [name, definition] of Object.entries(models)) {
    const { relations, ...same } = definition
    registry.attach(registry.defineModel({ strict: true, ...definition, name }), db)
    registry.attach(registry.defineModel({ strict: true, ...same, name: `Memory${name}` }), memory)
  }
  await registry.start()
  t.teardown(() => registry.stop())
  return { db, ...registry.models }
}

const numbered = (v: Loose): Loose => ({ properties: { id: { type: 'number', id: true, generated: false }, v } })

/** What conditions find, and the orders, compared with memory's on the rows that are shown. */
async function answersAsShown (t: Test, Model: Loose, Memory: Loose, probes: readonly Loose[]): Promise<void> {
  await Memory.deleteAll()
  for (const row of await Model.find()) await Memory.create(JSON.parse(JSON.stringify(row)))
  const ids = async (From: Loose, filter: Loose): Promise<Loose> =>
    (await From.find(filter)).map((row: Loose) => row.id)
  const texts = async (From: Loose, filter: Loose): Promise<Loose> =>
    (await From.find(filter)).map((row: Loose) => String(row.v ?? ''))
  for (const [i, probe] of probes.entries()) {
    const other = probes[(i + 1) % probes.length]
    const conditions = [
      probe, { neq: probe }, { inq: [probe, other, null] }, { inq: [probe] },
      { nin: [probe, other] }, { nin: [probe, null] },
      { gt: probe }, { gte: probe }, { lt: probe }, { lte: probe }, { between: [probe, other] },
      ...(typeof probe === 'string' ? [{ like: probe }, { nlike: probe }, { like: `${probe}%` }] : [])
    ]
    for (const v of conditions) {
      const filter = { where: { v }, order: 'id' }
      t.same(await ids(Model, filter), await ids(Memory, filter), JSON.stringify(v))
    }
  }
  for (const order of ['v', 'v DESC']) t.same(await texts(Model, { order }), await texts(Memory, { order }), order)
}

/** Each shown instant with those just before and behind it. */
const around = (shown: readonly Loose[]): Loose[] => shown.filter(value => value !== null).flatMap((value: Date) =>
  [-1, 0, 1].map(step => new Date(value.getTime() + step)))

const shownBy = async (Model: Loose): Promise<Loose[]> => (await Model.find()).map(({ v }: Loose) => v)

const instants = [
  '2021-07-01 10:20:30.123456', '2021-07-01 10:20:30.123999', '2021-07-01 10:20:30.124', '2021-07-01 10:20:31',
  '1969-12-31 23:59:59.999999'
]
const finer: ReadonlyArray<readonly [Engine, string]> = [
  ['postgres', 'timestamptz'], ['postgres', 'timestamp'], ['postgres', 'timestamp(5)'], ['mysql', 'datetime(6)']
]
for (const [engine, type] of finer) {
  t.test(`microseconds: ${engine} ${type}`, async t => {
    const url = await urlOf(t, engine)
    if (url === undefined) return
    const values = instants.map((instant, i) => `(${i + 1}, '${instant}', '${instant}')`)
    const { db, Entry, MemoryEntry, Keyed, Stamped } = await others(t, url, {
      statements: [
        `CREATE TABLE entry (id int PRIMARY KEY, v ${type} NULL, same ${type} NULL)`,
        'CREATE INDEX entry_v ON entry (v)',
        `INSERT INTO entry VALUES ${values.join(', ')}, (9, NULL, NULL)`,
        `CREATE TABLE keyed (k ${type} PRIMARY KEY, n int)`,
        `INSERT INTO keyed VALUES ('${instants[0] as string}', 1), ('${instants[4] as string}', 2)`,
        `CREATE TABLE stamped (a int, k ${type}, n int, PRIMARY KEY (a, k))`,
        `INSERT INTO stamped VALUES (1, '${instants[0] as string}', 1), (1, '${instants[3] as string}', 2)`
      ],
      models: {
        Entry: { ...numbered('date'), properties: { ...numbered('date').properties, same: 'date' } },
        Keyed: { properties: { k: { type: 'date', id: true, generated: false }, n: 'number' } },
        Stamped: { properties: { a: { type: 'number', id: 1 }, k: { type: 'date', id: 2 }, n: 'number' } }
      }
    })
    await answersAsShown(t, Entry, MemoryEntry, around(await shownBy(Entry)))
    const many = Array.from({ length: 2000 }, (_, i) => new Date(Date.UTC(2021, 6, 1, 10, 20, 30, i)))
    t.equal(await Entry.count({ v: { inq: many } }), 4, 'a long list')

    const first = await Entry.findById(1)
    await first.save()
    const later = new Date('2022-01-01T00:00:00Z')
    await Entry.updateAll({ id: 2 }, { v: new Date('2021-07-01T10:20:30.123Z'), same: later })
    await Entry.updateAll({ id: 3 }, { v: null })
    const text = engine === 'mysql' ? 'CAST(v AS CHAR)' : "to_char(v, 'US')"
    const stored = await db.execute(`SELECT ${text} AS v FROM entry WHERE id < 4 ORDER BY id`)
    // Of five digits the second is 10:20:30.124, which is not what is written.
    const kept = type === 'timestamp(5)' ? [/123460/, /123000/] : [/123456/, /123999/]
    t.match(stored, [...kept, null].map(v => ({ v })), 'what is put back as it was shown stays as it was stored')
    t.match(await Entry.findById(2), { same: later })

    const [key] = (await Keyed.find({ where: { n: 1 } })).map(({ k }: Loose) => k)
    t.equal((await Keyed.updateAll({ k: key }, { n: 5 })).count, 1)
    t.match(await Keyed.findOne({ where: { k: { inq: [key] } } }), { n: 5 })
    t.equal((await Keyed.deleteAll({ k: key })).count, 1)
    t.equal(await Keyed.count(), 1)
    for (const row of await Stamped.find()) {
      t.match(await Stamped.findById({ a: row.a, k: row.k }), { n: row.n })
      await Stamped.upsert({ a: row.a, k: row.k, n: row.n })
      t.equal(await Stamped.count({ k: { lte: row.k } }), row.n)
    }
  })
}

const dateTexts = [
  '2021-07-01 10:20:30', '2021-07-01T10:20:30', '2021-07-01', '2021-07-01 10:20', '2021-07-01T10:20:30.5Z',
  '2021-07-01 10:20:30.123456', '2021-07-01 10:20:30 UTC', '2021-07-01 12:20:31+02:00', '2021-07-01T23:00:00-0130',
  '1969-12-31 23:59:59.999', '2021-07-02 00:00:00'
]
for (const type of ['datetime', 'varchar(30)', 'integer', '']) {
  t.test(`dates as texts: sqlite ${type}`, async t => {
    const url = await urlOf(t, 'sqlite') as string
    const rows = dateTexts.map((text, i) => `(${i + 1}, '${text}')`)
    const { db, Event, MemoryEvent, Seen } = await others(t, url, {
      statements: [
        `CREATE TABLE event (id integer PRIMARY KEY, v ${type})`,
        `INSERT INTO event VALUES ${rows.join(', ')}, (20, 1625134830000), (21, NULL)`,
        'CREATE VIEW seen AS SELECT id, v FROM event'
      ],
      models: { Event: numbered('date'), Seen: numbered('date') }
    })
    t.equal((await Event.findById(2)).v.toISOString(), '2021-07-01T10:20:30.000Z', 'without a zone it is UTC')
    t.equal((await Event.findById(9)).v.toISOString(), '2021-07-02T00:30:00.000Z')
    const shown = await shownBy(Event)
    const some = [...shown.slice(0, 3), shown[8]]
    const probes = [...around(some), ...shown.filter(value => value !== null)]
    await answersAsShown(t, Event, MemoryEvent, probes)
    await answersAsShown(t, Seen, MemoryEvent, probes.slice(0, 4))
    for (const row of await Event.find()) await row.save()
    const same = await db.execute('SELECT id, v FROM event WHERE id < 20 ORDER BY id')
    t.same(same.map(({ v }: Loose) => v), dateTexts, 'what is put back stays as it was stored')
  })
}

/** What is written into a column: a second, a minute, a day, and what takes a fraction. */
const given = ['2021-03-04T05:06:07', '2021-03-04T05:06:00', '2021-03-04T00:00:00', '2021-03-04T05:06:07.089']
const forms: Readonly<Record<string, readonly unknown[]>> = {
  '2021-07-01 10:20:30': given.map(text => text.replace('T', ' ')),
  '2021-07-01T10:20:30Z': given.map(text => `${text}Z`),
  '2021-07-01': ['2021-03-04 05:06:07', '2021-03-04 05:06:00', '2021-03-04', '2021-03-04 05:06:07.089'],
  '2021-07-01 10:20': ['2021-03-04 05:06:07', '2021-03-04 05:06', '2021-03-04 00:00', '2021-03-04 05:06:07.089'],
  '2021-07-01T10:20:30+02:00': given.map(text => `${text}+00:00`),
  '2021-07-01T10:20:30.000Z': given.map(text => `${text.length === 23 ? text : `${text}.000`}Z`),
  'DEFAULT CURRENT_TIMESTAMP': given.map(text => text.replace('T', ' ')),
  'DEFAULT NULL': given.map(text => Date.parse(`${text}Z`))
}
for (const [form, written] of Object.entries(forms)) {
  t.test(`sqlite: a write keeps the form of the column: ${form}`, async t => {
    const isEmpty = form.startsWith('DEFAULT')
    const { db, Event } = await others(t, await urlOf(t, 'sqlite') as string, {
      statements: [
        `CREATE TABLE event (id integer PRIMARY KEY, v datetime ${isEmpty ? form : ''})`,
        ...(isEmpty ? [] : [`INSERT INTO event VALUES (1, '${form}')`])
      ],
      models: { Event: numbered('date') }
    })
    for (const [i, text] of given.entries()) await Event.create({ id: i + 2, v: `${text}Z` })
    const rows = await db.execute('SELECT v FROM event WHERE id > 1 ORDER BY id')
    t.same(rows.map(({ v }: Loose) => v), written)
    const shown = (await Event.find({ where: { id: { gt: 1 } } })).map(({ v }: Loose) => v.getTime())
    t.same(shown, given.map(text => Date.parse(`${text}Z`)))
    const later = new Date('2022-01-01T01:01:01Z')
    await Event.updateAll({ id: 2 }, { v: later })
    t.equal(await Event.count({ v: { gte: later } }), 1)
  })
}

t.test('sqlite: ids that are dates, and columns that say nothing', async t => {
  const { db, Day } = await others(t, await urlOf(t, 'sqlite') as string, {
    statements: [
      'CREATE TABLE day (k datetime PRIMARY KEY, n int, ended datetime) WITHOUT ROWID',
      "INSERT INTO day VALUES ('2021-07-01 10:00:00', 1, NULL), ('2021-07-01', 2, NULL), (1625184000000, 3, NULL)"
    ],
    models: {
      Day: { properties: { k: { type: 'date', id: true, generated: false }, n: 'number', ended: 'date' } }
    }
  })
  const days = await Day.find()
  t.same(days.map(({ n }: Loose) => n), [2, 1, 3])
  for (const { k, n } of days) {
    t.match(await Day.findOne({ where: { k } }), { n })
    await Day.updateAll({ k }, { n: n + 10, ended: k })
  }
  t.same(await db.execute('SELECT k, n, ended FROM day ORDER BY n'), [
    { k: '2021-07-01 10:00:00', n: 11, ended: '2021-07-01 10:00:00' },
    { k: '2021-07-01', n: 12, ended: '2021-07-01 00:00:00' },
    { k: 1625184000000, n: 13, ended: '2021-07-02 00:00:00' }
  ])
  await Day.deleteAll({ k: new Date('2021-07-02T00:00:00Z') })
  t.equal(await Day.count(), 2)
})

t.test('postgres: texts filled with blanks', async t => {
  const url = await urlOf(t, 'postgres')
  if (url === undefined) return
  const { Code, MemoryCode, Land, Town } = await others(t, url, {
    statements: [
      'CREATE TABLE code (id int PRIMARY KEY, v char(5))',
      "INSERT INTO code VALUES (1, 'ab'), (2, 'ab c'), (3, ''), (4, 'abcde'), (5, NULL), (6, ' x')",
      'CREATE INDEX code_v ON code (v)',
      'CREATE TABLE land (code char(3) PRIMARY KEY, n int)',
      'CREATE TABLE town (id int PRIMARY KEY, landCode varchar(3), padded char(3))',
      "INSERT INTO land VALUES ('no', 1), ('swe', 2)",
      "INSERT INTO town VALUES (1, 'no', 'no'), (2, 'swe', 'swe')"
    ],
    models: {
      Code: numbered('string'),
      Land: {
        properties: { code: { type: 'string', id: true, generated: false }, n: 'number' },
        relations: {
          towns: { type: 'hasMany', model: 'Town', foreignKey: 'landCode' },
          others: { type: 'hasMany', model: 'Town', foreignKey: 'padded' }
        }
      },
      Town: {
        properties: { id: { type: 'number', id: true, generated: false }, landCode: 'string', padded: 'string' },
        relations: {
          land: { type: 'belongsTo', model: 'Land', foreignKey: 'landCode' },
          other: { type: 'belongsTo', model: 'Land', foreignKey: 'padded' }
        }
      }
    }
  })
  t.same((await shownBy(Code)), ['ab', 'ab c', '', 'abcde', null, ' x'])
  const probes = ['ab', 'ab ', 'ab   ', 'ab c', '', ' ', 'abcde', 'abcdef', ' x', 'ab!', '_b']
  await answersAsShown(t, Code, MemoryCode, probes)
  t.match(await Land.findById('no'), { code: 'no', n: 1 })
  t.equal(await Land.findById('no '), null)
  t.match(await Land.upsert({ code: 'no', n: 7 }), { code: 'no', n: 7 })
  t.equal(await Land.count(), 2)
  const json = async (rows: Promise<Loose>): Promise<Loose> => JSON.parse(JSON.stringify(await rows))
  t.match(await json(Land.find({ include: ['towns', 'others'], order: 'code' })), [
    { code: 'no', n: 7, towns: [{ id: 1 }], others: [{ id: 1 }] },
    { code: 'swe', towns: [{ id: 2 }], others: [{ id: 2 }] }
  ])
  t.match(await json(Town.find({ include: ['land', 'other'], order: 'id' })), [
    { padded: 'no', land: { n: 7 }, other: { n: 7 } }, { padded: 'swe', land: { n: 2 }, other: { n: 2 } }
  ])
})

for (const [engine, type] of [['mysql', 'float'], ['postgres', 'real']] as const) {
  t.test(`numbers of 32 bits: ${engine}`, async t => {
    const url = await urlOf(t, engine)
    if (url === undefined) return
    const numbers = [0.1, 0.3, -0.1, 0, 16777216, 1e-40, 3.4e38, 33554432.5, 2097152.25, 123456.789, 1 / 3]
    const { db, Measure, MemoryMeasure } = await others(t, url, {
      statements: [
        `CREATE TABLE measure (id int PRIMARY KEY, v ${type})`,
        `INSERT INTO measure VALUES ${numbers.map((number, i) => `(${i + 1}, ${number})`).join(', ')}, (20, NULL)`
      ],
      models: { Measure: numbered('number') }
    })
    const shown = await shownBy(Measure)
    t.same(shown.slice(0, 5), [0.1, 0.3, -0.1, 0, 16777216])
    const unlike = [0.10000000149011612, 0.1000001, -0.10000000001, 16777217, 1e39, -1e39, 1e-60]
    await answersAsShown(t, Measure, MemoryMeasure, [...shown.filter(value => value !== null), ...unlike])
    const finite = { noNaN: true, noDefaultInfinity: true }
    const exact = engine === 'mysql' ? 'CAST(v AS DOUBLE)' : 'v::float8'
    await fc.assert(fc.asyncProperty(fc.float(finite), fc.double(finite), async (stored, probe) => {
      await Measure.updateAll({ id: 1 }, { v: stored })
      const { v } = await Measure.findById(1)
      const [told] = await db.execute(`SELECT ${exact} AS v FROM measure WHERE id = 1`)
      if (Math.fround(v) !== Number(told.v)) return false
      const near = v + (Math.abs(probe) > 1 ? 1 / probe : probe) * Math.abs(v) * 1e-7
      for (const value of [v, near]) {
        const holds = { gt: v > value, gte: v >= value, lt: v < value, lte: v <= value, neq: v !== value }
        for (const [op, expected] of Object.entries(holds)) {
          if (await Measure.count({ id: 1, v: { [op]: value } }) !== Number(expected)) return false
        }
        if (await Measure.count({ id: 1, v: { inq: [value] } }) !== Number(v === value)) return false
      }
      return await Measure.count({ id: 1, v }) === 1
    }), { numRuns: 20 })
  })
}

t.test('mysql: values that a character set lacks equal nothing', async t => {
  const url = await urlOf(t, 'mysql')
  if (url === undefined) return
  for (const set of ['utf8mb3', 'latin1', 'ascii', 'cp1250', 'gbk', 'ucs2']) {
    const { Word, MemoryWord, Term } = await others(t, url, {
      statements: [
        'DROP TABLE IF EXISTS word', 'DROP TABLE IF EXISTS term',
        `CREATE TABLE word (id int PRIMARY KEY, v varchar(20) CHARACTER SET ${set} COLLATE ${set}_bin, KEY (v))`,
        "INSERT INTO word VALUES (1, 'a'), (2, 'a?'), (3, '?'), (4, NULL), (5, '')",
        ...(set === 'ascii' || set === 'gbk' ? [] : ["INSERT INTO word VALUES (6, 'ä')"]),
        `CREATE TABLE term (v char(20) CHARACTER SET ${set} PRIMARY KEY)`,
        "INSERT INTO term VALUES ('a'), ('?')"
      ],
      models: { Word: numbered('string'), Term: { properties: { v: { type: 'string', id: true, generated: false } } } }
    })
    await answersAsShown(t, Word, MemoryWord, ['a', 'a😀', '😀', '?', 'я', '\u0081', '€', 'a?', '', '中'])
    t.equal(await Word.count({ v: { regexp: '😀' } }), 0)
    t.equal(await Term.findById('😀'), null)
    t.equal(await Term.findById('a '), null, 'nor blanks that a column loses')
    t.equal((await Term.findById('?')).v, '?')
    await t.rejects(Word.create({ id: 9, v: '😀' }), { statusCode: 422 } as Loose)
  }
})
