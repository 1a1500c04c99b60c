import t from 'tap'
import { openSql } from './support/connectors.js'
import { makeModel, path, query, withSecondId } from './support/models.js'
import { refuses } from './support/refuses.js'

const index = (name: string, unique: boolean, ...properties: string[]) => ({
  name,
  unique,
  columns: properties.map(property => ({ property, descending: false }))
})

t.test('autoupdate adds tables, columns and indexes and keeps the rows', async t => {
  const sql = await openSql({ url: 'sqlite::memory:' }, [])
  t.teardown(() => sql.disconnect())
  const before = makeModel('Item', { name: 'string' })
  t.equal(await sql.isActual([before]), false)
  await sql.autoupdate([before])
  t.equal(await sql.isActual([before]), true)
  await sql.create(before, { name: 'a' }, {})
  const after = makeModel(
    'Item',
    { name: 'string', price: 'number', 'odd "name"': 'string' },
    { indexes: [index('name', true, 'name'), index('both', false, 'price', 'name')] }
  )
  t.equal(await sql.isActual([after]), false)
  await sql.autoupdate([after])
  t.equal(await sql.isActual([after]), true)
  t.same(
    (await sql.execute("SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL ORDER BY name")).map(
      row => row.name
    ),
    ['Item_both', 'Item_name']
  )
  t.same(await sql.updateById(after, 1, { price: 2, 'odd "name"': 'x' }, {}), {
    id: 1,
    name: 'a',
    price: 2,
    'odd "name"': 'x'
  })
  await refuses(t, () => sql.create(after, { name: 'a' }, {}), { modelName: 'Item', properties: ['name'] })
  await sql.createMany(after, [{}, {}], {})
  t.equal(await sql.count(after, undefined, {}), 3, 'rows without the value are not refused')
  const fewer = makeModel('Item', { name: 'string' })
  await sql.autoupdate([fewer])
  t.match(
    await sql.execute('SELECT price FROM "Item" ORDER BY id LIMIT 1'),
    [{ price: 2 }],
    'nothing that holds data is dropped'
  )
})

t.test('an index that changed is made anew; one that cannot be made changes nothing', async t => {
  const sql = await openSql({ url: 'sqlite::memory:' }, [])
  t.teardown(() => sql.disconnect())
  const plain = makeModel('Item', { name: 'string', team: 'string' }, { indexes: [index('seat', false, 'name')] })
  await sql.autoupdate([plain])
  await sql.createMany(plain, [{ name: 'a', team: 'x' }, { name: 'a', team: 'y' }], {})
  const unique = makeModel(
    'Item',
    { name: 'string', team: 'string', more: 'string' },
    { indexes: [index('seat', true, 'name')] }
  )
  await refuses(t, () => sql.autoupdate([unique]), { code: 'FBK_CORE_MIGRATION', message: /same name/ })
  t.equal(await sql.isActual([plain]), true, 'the table is as it was')
  const wider = makeModel(
    'Item',
    { name: 'string', team: 'string' },
    {
      indexes: [
        {
          name: 'seat',
          unique: true,
          columns: [
            { property: 'name', descending: false },
            { property: 'team', descending: true }
          ]
        }
      ]
    }
  )
  await sql.autoupdate([wider])
  t.equal(await sql.isActual([wider]), true)
  await refuses(t, () => sql.create(wider, { name: 'a', team: 'x' }, {}), { properties: ['name', 'team'] })
})

t.test('automigrate begins anew', async t => {
  const sql = await openSql({ url: 'sqlite::memory:' }, [])
  t.teardown(() => sql.disconnect())
  const [a, b] = [makeModel('A', { x: 'string' }), makeModel('B', { x: 'string' })]
  await sql.autoupdate([a, b])
  await sql.createMany(a, [{}, {}], {})
  await sql.create(b, {}, {})
  await sql.automigrate([a])
  t.equal(await sql.count(a, undefined, {}), 0)
  t.equal(await sql.count(b, undefined, {}), 1)
  t.same(await sql.create(a, {}, {}), { id: 1 })
})

t.test('a property that is declared later takes over its values', async t => {
  const sql = await openSql({ url: 'sqlite::memory:' }, [])
  t.teardown(() => sql.disconnect())
  const before = makeModel('Item', { name: 'string' }, { open: true })
  await sql.autoupdate([before])
  await sql.createMany(
    before,
    [
      { name: 'a', size: 3, at: '2020-01-01T00:00:00.000Z' },
      { size: 'large', other: 1 },
      { size: null },
      { name: 'd' }
    ],
    {}
  )
  const after = makeModel('Item', { name: 'string', size: 'number', at: 'date' }, { open: true })
  await sql.autoupdate([after])
  t.same(
    (await sql.execute('SELECT size, at, _extra FROM "Item"')).map(row => ({ ...row })),
    [
      { size: 3, at: '2020-01-01T00:00:00.000Z', _extra: null },
      { size: null, at: null, _extra: '{"size":"large","other":1}' },
      { size: null, at: null, _extra: '{"size":null}' },
      { size: null, at: null, _extra: null }
    ]
  )
  t.same(
    await sql.find(
      after,
      query(after, { where: { kind: 'compare', path: path(after, 'size'), op: 'gt', value: 2 } }),
      {}
    ),
    [{ id: 1, name: 'a', size: 3, at: new Date('2020-01-01') }]
  )
})

t.test('an open model gets an extra column in a table that has none; a view stays as it is', async t => {
  const sql = await openSql({ url: 'sqlite::memory:' }, [])
  t.teardown(() => sql.disconnect())
  await sql.execute('CREATE TABLE "Item" (id INTEGER PRIMARY KEY, name TEXT)')
  await sql.execute("INSERT INTO \"Item\" (name) VALUES ('a')")
  await sql.execute('CREATE VIEW "Names" AS SELECT id, name FROM "Item"')
  const item = makeModel('Item', { name: 'string' }, { open: true })
  const names = makeModel('Names', { name: 'string', more: 'string' }, { indexes: [index('name', false, 'name')] })
  t.equal(await sql.isActual([item]), false)
  await sql.autoupdate([item, names])
  t.same(await sql.updateById(item, 1, { colour: 'red' }, {}), { id: 1, name: 'a', colour: 'red' })
  t.same(await sql.find(names, query(names, { select: { names: ['id', 'name'], extra: 'none' } }), {}), [
    { id: 1, name: 'a' }
  ])
  await refuses(t, () => sql.find(names, query(names), {}), { code: 'FBK_SQL_COLUMN_MISSING' })
})

t.test('compound keys and types that the definition asks for', async t => {
  const sql = await openSql({ url: 'sqlite::memory:' }, [])
  t.teardown(() => sql.disconnect())
  const seat = makeModel(
    'Seat',
    { row: 'number', place: 'number', note: 'string' },
    {
      id: 'row',
      definitions: {
        note: { sqlite3: { dataType: 'VARCHAR(20)' } },
        place: { sqlite3: { dataType: 'x); DROP TABLE a' } }
      }
    }
  )
  const both = withSecondId(seat, 'place')
  await sql.autoupdate([both])
  await sql.createMany(both, [{ row: 1, place: 1 }, { row: 1, place: 2 }], {})
  await refuses(t, () => sql.create(both, { row: 1, place: 2 }, {}), { code: 'DUPLICATE_ID' })
  const [table] = await sql.execute("SELECT sql FROM sqlite_schema WHERE name = 'Seat'")
  t.match(table?.sql, /"note" VARCHAR\(20\)/)
  t.match(table?.sql, /PRIMARY KEY \("row", "place"\)/)
  t.notMatch(table?.sql, /DROP/)
})

t.test('of equal indexes one is made: a unique one stays unique', async t => {
  const sql = await openSql({ url: 'sqlite::memory:' }, [])
  t.teardown(() => sql.disconnect())
  const twice = makeModel('Item', { name: 'string' }, { indexes: [index('own', true, 'name'), index('named', true, 'name')] })
  const names = async (): Promise<unknown[]> => (await sql.execute('SELECT name FROM pragma_index_list(\'Item\')')).map(({ name }) => name)
  await sql.automigrate([twice])
  t.equal((await names()).length, 1)
  await sql.create(twice, { name: 'a' }, {})
  await refuses(t, () => sql.create(twice, { name: 'a' }, {}), { properties: ['name'] })
  await sql.autoupdate([twice])
  t.equal((await names()).length, 1, 'and no other one after that')
  t.equal(await sql.isActual([twice]), true)
  const plain = makeModel('Other', { name: 'string' })
  await sql.automigrate([plain])
  const later = makeModel('Other', { name: 'string' }, { indexes: [index('a', true, 'name'), index('b', true, 'name')] })
  await sql.autoupdate([later])
  await sql.create(later, { name: 'a' }, {})
  await refuses(t, () => sql.create(later, { name: 'a' }, {}), { properties: ['name'] })
})
