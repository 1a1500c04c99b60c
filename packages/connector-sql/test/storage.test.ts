/** What lies in the file, and what is read from files that others wrote. */
import t from 'tap'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import type { DataSourceSettings, Row } from '@fastback/core'
import { sqlConnector } from '@fastback/connector-sql'
import { context, openSql } from './support/connectors.js'
import { makeModel, path, query } from './support/models.js'
import { refuses } from './support/refuses.js'

const everything = makeModel('Thing', {
  name: 'string',
  price: 'number',
  stock: 'integer',
  big: 'long',
  active: 'boolean',
  made: 'date',
  data: 'buffer',
  spot: 'geopoint',
  tags: { kind: 'array', items: { kind: 'string' } },
  dims: { kind: 'object', members: { at: { kind: 'date' } } },
  free: 'any'
}, { open: true })

t.test('columns hold plain SQL values; what they cannot carry is in the extra column', async t => {
  const sql = await openSql({ url: 'sqlite::memory:' }, [everything])
  t.teardown(() => sql.disconnect())
  await sql.create(
    everything,
    {
      name: 'Mug',
      price: 12,
      stock: 3,
      big: 2n ** 60n,
      active: true,
      made: new Date('2020-02-03T04:05:06.007Z'),
      data: Buffer.from('ab'),
      spot: { lat: 1, lng: 2 },
      tags: ['x'],
      dims: { at: new Date(0) },
      free: 'text',
      colour: 'red',
      more: { a: [1] }
    },
    {}
  )
  await sql.create(everything, { name: null, stock: 1 }, {})
  await sql.create(everything, {}, {})
  const rows = await sql
    .execute('SELECT *, typeof(price) AS t FROM "Thing" WHERE "id" = 1 AND "big" = 1152921504606846976', [])
    .catch((error: Error) => error)
  t.match(rows, Error, 'rows of execute are the driver\'s: a 64-bit number does not fit')
  const [row] = await sql.execute(
    'SELECT "id", "name", "price", "stock", "active", "made", hex("data") AS data, "spot", "tags", "dims", "free", "_extra" FROM "Thing"'
  )
  t.same(
    { ...row },
    {
      id: 1,
      name: 'Mug',
      price: 12,
      stock: 3,
      active: 1,
      made: '2020-02-03T04:05:06.007Z',
      data: '6162',
      spot: '{"lat":1,"lng":2}',
      tags: '["x"]',
      dims: '{"at":"1970-01-01T00:00:00.000Z"}',
      free: '"text"',
      _extra: '{"colour":"red","more":{"a":[1]}}'
    }
  )
  t.same(
    (await sql.execute('SELECT "_extra" FROM "Thing" WHERE "id" > ?', [1])).map(row => row._extra),
    ['{"name":null}', null]
  )
  t.same(await sql.find(everything, query(everything, { skip: 1 }), {}), [{ id: 2, name: null, stock: 1 }, { id: 3 }])
  t.match(await sql.findById(everything, 1, query(everything).select, {}), {
    big: 2n ** 60n,
    dims: { at: new Date(0) },
    free: 'text',
    data: Buffer.from('ab')
  })
  const [table] = await sql.execute("SELECT sql FROM sqlite_schema WHERE name = 'Thing'")
  t.match(
    table?.sql,
    /"id" INTEGER PRIMARY KEY AUTOINCREMENT, "name" TEXT, "price" REAL, "stock" INTEGER, "big" INTEGER, "active" INTEGER, "made" TEXT, "data" BLOB, .*"_extra" TEXT/
  )
})

t.test('updates keep the extra column in step', async t => {
  const sql = await openSql({ url: 'sqlite::memory:' }, [everything])
  t.teardown(() => sql.disconnect())
  const extra = async (): Promise<unknown> => (await sql.execute('SELECT "_extra" FROM "Thing"'))[0]?._extra
  await sql.create(everything, { name: null, colour: 'red' }, {})
  await sql.updateById(everything, 1, { name: 'a' }, {})
  t.equal(await extra(), '{"colour":"red"}')
  await sql.updateAll(everything, undefined, { colour: undefined, stock: null }, {})
  t.equal(await extra(), '{"stock":null}')
  await sql.updateById(everything, 1, { stock: 4 }, {})
  t.equal(await extra(), null)
  await sql.updateById(everything, 1, { name: undefined, constructor: 1 }, {})
  t.same(await sql.find(everything, query(everything), {}), [{ id: 1, stock: 4, constructor: 1 }])
  t.same(await sql.updateById(everything, 1, {}, {}), { id: 1, stock: 4, constructor: 1 }, 'no changes at all')
  t.equal(await sql.updateAll(everything, undefined, {}, {}), 1)
})

t.test('a table that others made needs no extra column', async t => {
  const database = new DatabaseSync(':memory:')
  t.teardown(() => database.close())
  database.exec(
    'CREATE TABLE "Product" ("id" INTEGER PRIMARY KEY, "name" TEXT, "price" REAL, "available" INTEGER, "releasedAt" TEXT)'
  )
  database.exec(
    "INSERT INTO \"Product\" VALUES (1, NULL, 12.0, 1, '2020-01-01 10:20:30'), (2, 'b', 0.1, NULL, 'nonsense'), (9007199254740993, 'big', 1, 0, NULL)"
  )
  const product = makeModel('Product', { name: 'string', price: 'number', available: 'boolean', releasedAt: 'date' })
  const sql = await openSql({ database }, [])
  await sql.autoupdate([product])
  t.equal(await sql.isActual([product]), true)
  const expected: Row[] = [
    { id: 1, name: null, price: 12, available: true, releasedAt: new Date('2020-01-01T10:20:30.000Z') },
    { id: 2, name: 'b', price: 0.1, available: null, releasedAt: null },
    { id: 9007199254740993n, name: 'big', price: 1, available: false, releasedAt: null }
  ]
  t.same(await sql.find(product, query(product), {}), expected)
  t.equal(
    await sql.text.find(product, query(product), {}),
    '[{"id":1,"name":null,"price":12,"available":true,"releasedAt":"2020-01-01T10:20:30.000Z"},{"id":2,"name":"b","price":0.1,"available":null,"releasedAt":null},' +
      '{"id":"9007199254740993","name":"big","price":1,"available":false,"releasedAt":null}]'
  )
  t.equal((await sql.findById(product, 9007199254740993n, query(product).select, {}))?.name, 'big')
  t.equal(
    await sql.findById(product, 9007199254740992, query(product).select, {}),
    undefined,
    'the number next to it is another id'
  )
  t.equal((await sql.updateById(product, 9007199254740993n, { name: 'large' }, {}))?.id, 9007199254740993n)
  t.same(
    await sql.create(product, { name: 'c', unknown: 1 }, {}),
    { id: 9007199254740994n, name: 'c', price: null, available: null, releasedAt: null },
    'what is kept nowhere is not answered'
  )
  await sql.disconnect()
  t.equal(
    (database.prepare('SELECT count(*) AS n FROM "Product"').get() as { n: number }).n,
    4,
    'a database that was handed in stays open'
  )
})

t.test("LoopBack's tables: names in lower case, dates in milliseconds, names of columns from the settings", async t => {
  const sql = await openSql({ file: ':memory:' }, [])
  t.teardown(() => sql.disconnect())
  await sql.execute('CREATE TABLE "shop_item" ("id" INTEGER PRIMARY KEY, "itemname" TEXT, "madeat" DATETIME)')
  const item = makeModel(
    'Item',
    { name: 'string', madeAt: 'date' },
    { settings: { sqlite3: { table: 'SHOP_ITEM' } }, definitions: { name: { sqlite3: { columnName: 'ItemName' } } } }
  )
  await sql.create(item, { name: 'a', madeAt: new Date(5) }, {})
  await sql.create(item, { name: 'b', madeAt: new Date(1e12) }, {})
  t.same(
    (await sql.execute('SELECT * FROM shop_item')).map(row => ({ ...row })),
    [
      { id: 1, itemname: 'a', madeat: 5 },
      { id: 2, itemname: 'b', madeat: 1e12 }
    ]
  )
  const later = query(item, { where: { kind: 'compare', path: path(item, 'madeAt'), op: 'gt', value: new Date(6) } })
  t.same(await sql.find(item, later, {}), [{ id: 2, name: 'b', madeAt: new Date(1e12) }])
  t.equal(await sql.text.find(item, later, {}), '[{"id":2,"name":"b","madeAt":"2001-09-09T01:46:40.000Z"}]')
})

t.test('values that drivers and columns make trouble with come back as they were', async t => {
  const sql = await openSql({ url: 'sqlite::memory:' }, [everything])
  t.teardown(() => sql.disconnect())
  const years = [
    '-271821-04-20T00:00:00.000Z',
    '-000001-12-31T00:00:00.000Z',
    '0000-01-01T00:00:00.000Z',
    '9999-12-31T23:59:59.999Z',
    '+010000-01-01T00:00:00.000Z',
    '+275760-09-13T00:00:00.000Z'
  ]
  const values: Row[] = [
    { name: 'NUL \0 inside', free: { '\0': '\0' } },
    { name: '\0' },
    { price: 1e-17 },
    { price: -0.9999999999999999 },
    { price: 1.7976931348623157e308 },
    { price: 5e-324 },
    { price: 2 ** 60 },
    { big: 2n ** 63n - 1n },
    { big: -(2n ** 63n) },
    { stock: 2 ** 53 - 1 },
    { data: Buffer.alloc(0) },
    { free: '' },
    { free: 0 },
    { free: false },
    { tags: [] },
    ...years.map(year => ({ made: new Date(year) }))
  ]
  await sql.createMany(everything, values, {})
  const found = await sql.find(everything, query(everything), {})
  t.same(found.map(({ id, ...row }) => row), values)
  const sorted = await sql.find(
    everything,
    query(everything, {
      where: { kind: 'exists', path: path(everything, 'made'), exists: true },
      order: [{ path: path(everything, 'made'), descending: false }]
    }),
    {}
  )
  t.same(sorted.map(row => row.made), years.map(year => new Date(year)), 'dates sort by time, whatever the year')
  const text = JSON.parse(await sql.text.find(everything, query(everything, { limit: 2 }), {})) as Row[]
  t.same(text, [{ id: 1, ...values[0] }, { id: 2, ...values[1] }])
  t.match(await sql.text.findById(everything, 8, query(everything).select, {}), '"big":"9223372036854775807"')
})

t.test('ids', async t => {
  const word = makeModel('Word', { value: 'number' }, { id: 'key', idKind: 'string' })
  const note = makeModel('Note', { text: 'string' })
  const log = makeModel('Log', { line: 'string' }, { id: null })
  const sql = await openSql({ url: 'sqlite::memory:' }, [word, note, log])
  t.teardown(() => sql.disconnect())
  await sql.createMany(note, [{ text: 'a' }, { text: 'b' }], {})
  await sql.deleteAll(note, undefined, {})
  t.equal((await sql.create(note, { text: 'c' }, {})).id, 3, 'a number is not used twice')
  await sql.create(note, { id: 41, text: 'd' }, {})
  t.equal((await sql.create(note, {}, {})).id, 42)
  await refuses(t, () => sql.create(note, { id: 41 }, {}), {
    statusCode: 409,
    code: 'DUPLICATE_ID',
    details: { id: 41 }
  })
  await refuses(t, () => sql.create(note, { id: 1.5 }, {}), { statusCode: 422 })
  const { key } = await sql.create(word, { value: 1 }, {})
  t.match(key, /^[0-9a-f-]{36}$/, 'a text that nobody gave is unique')
  t.equal(await sql.findById(word, 1, query(word).select, {}), undefined, 'a number is no text')
  await sql.createMany(log, [{ line: 'b' }, { line: 'a' }], {})
  t.same(
    await sql.find(log, query(log), {}),
    [{ line: 'b' }, { line: 'a' }],
    'rows without an id come in the order they were stored'
  )
  t.equal(await sql.findById(log, 1, query(log).select, {}), undefined)
  t.equal(await sql.updateById(log, 1, { line: 'c' }, {}), undefined)
})

t.test('names that would clash', async t => {
  const sql = await openSql({ url: 'sqlite::memory:' }, [])
  t.teardown(() => sql.disconnect())
  const own = makeModel('Own', { _extra: 'string' }, { open: true })
  await sql.automigrate([own])
  await sql.create(own, { _extra: 'mine', other: 1 }, {})
  t.same(await sql.find(own, query(own), {}), [{ id: 1, _extra: 'mine', other: 1 }])
  const twins = makeModel('Twins', { name: 'string', Name: 'string' })
  await refuses(t, () => sql.automigrate([twins]), { code: 'FBK_SQL_COLUMN_CONFLICT' })
})

t.test('settings', async t => {
  const folder = t.testdir({})
  const item = makeModel('Item', { name: 'string' })
  const places: Array<readonly [Omit<DataSourceSettings, 'connector'>, string]> = [
    [{ url: 'sqlite:a.db' }, 'a.db'],
    [{ url: 'sqlite:deep/er/b.db' }, 'deep/er/b.db'],
    [{ url: `sqlite:${folder}/c.db` }, 'c.db'],
    [{ url: `sqlite://${folder}/d.db` }, 'd.db'],
    [{ file: './e.db', journalMode: 'DELETE', synchronous: 'full', walAutocheckpoint: 100, cacheSize: 50 }, 'e.db']
  ]
  for (const [settings, file] of places) {
    const sql = await openSql(settings, [item], folder)
    t.equal(existsSync(`${folder}/${file}`), true, file)
    const [mode] = await sql.execute('PRAGMA journal_mode')
    const [synchronous] = await sql.execute('PRAGMA synchronous')
    const [pages] = await sql.execute('PRAGMA wal_autocheckpoint')
    const [cache] = await sql.execute('PRAGMA cache_size')
    const set = [mode?.journal_mode, synchronous?.synchronous, pages?.wal_autocheckpoint, cache?.cache_size]
    t.same(set, file === 'e.db' ? ['delete', 2, 100, -50] : ['wal', 1, 30_000, -16_000])
    await sql.disconnect()
  }
  const wrong: Array<Record<string, unknown>> = [
    {},
    { url: 'sqlite:' },
    { url: 'a.db' },
    { url: 'redis://x' },
    { url: 5 },
    { file: 5 },
    { file: '' },
    { file: 'a\0b' },
    { database: {} },
    { url: 'sqlite:a', journalMode: 'wal; DROP TABLE x' },
    { url: 'sqlite:a', synchronous: 7 },
    { url: 'sqlite:a', walAutocheckpoint: 0 },
    { url: 'sqlite:a', walAutocheckpoint: 100, walLimit: 99 },
    { url: 'sqlite:a', walLimit: 7999 },
    { url: 'sqlite:a', cacheSize: '-5' },
    { url: 'sqlite:a', busyTimeout: -1 },
    { url: 'sqlite:a', busyTimeout: '5; x' },
    { url: 'sqlite:a', statementCache: 1 },
    { url: 'sqlite:a', extraColumn: '' }
  ]
  for (const settings of wrong) {
    await refuses(t, () => sqlConnector({ connector: 'sql', ...settings }, context(folder)), {
      code: 'FBK_CORE_DATA_SOURCE_SETTINGS',
      message: /"db"/
    })
  }
})

t.test('after disconnect everything is in the main file', async t => {
  const file = join(t.testdir(), 'closed.db')
  const sql = await openSql({ url: `sqlite:${file}` }, [everything])
  await sql.create(everything, { name: 'Mug' }, {})
  await sql.disconnect()
  t.equal(
    existsSync(`${file}-wal`) ? statSync(`${file}-wal`).size : 0,
    0,
    'the log is empty, so that the file alone can be copied'
  )
})

t.test('no value that is bound makes the planner prepare a statement anew', async t => {
  // Seen to fail: with a bare `?` behind LIMIT, and with one beside an indexed column where SQLite was built with
  // STAT4, each other value costs 5 to 12 µs.
  const indexed = makeModel('Stock', { name: 'string', size: 'number' })
  const sql = await openSql({ url: 'sqlite::memory:' }, [indexed])
  t.teardown(() => sql.disconnect())
  const { id } = await sql.create(indexed, { name: 'a', size: 1 }, {})
  const texts: string[] = []
  sql.observed?.((request, work) => {
    texts.push((request as unknown as { sql: string }).sql)
    return work(request)
  })
  const where = { kind: 'compare', path: path(indexed, 'size'), op: 'gt', value: 0 } as const
  t.equal((await sql.find(indexed, query(indexed, { where, skip: 0, limit: 5 }), {})).length, 1)
  t.equal(await sql.count(indexed, where, {}), 1)
  await sql.updateById(indexed, id as number, { name: 'b' }, {})
  t.equal(texts.length, 3)
  for (const text of texts) t.match(text, /\+\?/, text)
  for (const text of texts) t.notMatch(text, /(?<!\+)\?/, text)
})
