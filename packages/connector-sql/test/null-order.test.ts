/**
 * Orders on PostgreSQL tables of others, whose indexes have NULL behind all values: they are used where no row of a
 * page can be without a value, and rows come in the order of the reference everywhere.
 */
import t, { type Test } from 'tap'
import { ModelRegistry } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'
import { sqlConnector } from '@fastback/connector-sql'
import { scratchUrl } from './support/scratch.js'

type Loose = any
type Filter = Readonly<Record<string, unknown>>

const definition = {
  name: 'Goods',
  strict: true,
  properties: { id: { type: 'number', id: true }, kind: 'number', price: 'number', sold: 'date', label: 'string' },
  settings: { sql: { table: 'goods' } }
} as const

const columns = 'id integer PRIMARY KEY, kind integer, price double precision, sold timestamptz(3) NOT NULL, label text COLLATE "C"'

/** Few values, so that there are equal ones; a NULL among them but for `sold`. */
const rows = Array.from({ length: 120 }, (_, i) => ({
  id: i + 1,
  kind: i % 7 === 0 ? null : i % 3,
  price: i % 5 === 0 ? null : i * 37 % 11,
  sold: new Date(Date.UTC(2026, 0, 1 + i * 13 % 17)),
  label: i % 4 === 0 ? null : `l${String(i * 7 % 13)}`
}))

async function open (t: Test, settings: Loose): Promise<{ Goods: Loose, db: Loose }> {
  const registry = new ModelRegistry()
  const db = registry.defineDataSource('db', settings)
  registry.attach(registry.defineModel(definition), db)
  await registry.start()
  t.teardown(() => registry.stop())
  return { Goods: (registry.models as Loose).Goods, db }
}

async function openTable (
  t: Test, indexes: readonly string[], more: string
): Promise<{ Goods: Loose, db: Loose } | undefined> {
  const url = await scratchUrl(t, 'postgres')
  if (url === undefined) return undefined
  const made = await open(t, { connector: sqlConnector, url, migrate: 'none', poolSize: 1 })
  for (const statement of [`CREATE TABLE goods (${columns})`, ...indexes, more]) await made.db.execute(statement)
  return made
}

const natural = ['kind, price', 'sold', 'label DESC'].map(keys => `CREATE INDEX ON goods (${keys})`)

/** The plan of the statement that finds rows, the last that was prepared. */
async function planOf ({ Goods, db }: { Goods: Loose, db: Loose }, filter: Filter): Promise<string> {
  await Goods.find(filter)
  const [{ name, parameter_types: types }] = await db.execute(
    "SELECT name, parameter_types::text FROM pg_prepared_statements WHERE statement LIKE '%ORDER BY%' ORDER BY prepare_time DESC LIMIT 1"
  )
  // Those of kind, price and the limit.
  const values = ['1', '5', '20'].slice(0, types === '{}' ? 0 : types.split(',').length)
  const lines = await db.execute(`EXPLAIN EXECUTE ${name}${values.length === 0 ? '' : `(${values.join(', ')})`}`)
  return lines.map((line: Loose) => line['QUERY PLAN']).join('\n')
}

t.test('an index with NULL behind all values serves an order of rows that have a value', async t => {
  // Seen to fail: with NULLS LAST, the rows of the condition were all sorted.
  const table = await openTable(t, natural, 'INSERT INTO goods SELECT i, i % 50, i % 997, ' +
    "timestamptz '2026-01-01Z' + i * interval '1 minute', 'l' || i FROM generate_series(1, 20000) i; ANALYZE goods")
  if (table === undefined) return
  const where = { kind: 1, price: { gt: 5 } }
  t.match(await planOf(table, { where, order: 'price DESC', limit: 20 }), /Incremental Sort[^]*Index Scan Backward using goods_kind_price_idx/)
  t.match(await planOf(table, { where, order: 'price', limit: 20 }), /Incremental Sort[^]*Index Scan using goods_kind_price_idx/)
  t.match(await planOf(table, { order: 'sold DESC', limit: 20 }), /Index Scan Backward using goods_sold_idx/, 'NOT NULL')
  t.notMatch(await planOf(table, { order: 'label DESC', limit: 20 }), /goods_label_idx/, 'it may be NULL: these are last')
})

t.test('a page without conditions is one statement for each limit, which keeps its plan', async t => {
  const table = await openTable(t, [], 'INSERT INTO goods SELECT i, 1, 1, now(), NULL FROM generate_series(1, 500) i; ANALYZE goods')
  if (table === undefined) return
  for (let i = 0; i < 8; i++) for (const limit of [3, 20]) t.equal((await table.Goods.find({ order: 'id', limit })).length, limit)
  const found = await table.db.execute(
    "SELECT generic_plans::int AS kept, custom_plans::int AS anew FROM pg_prepared_statements WHERE statement LIKE '%goods% LIMIT %'"
  )
  t.same(found, [{ kept: 8, anew: 0 }, { kept: 8, anew: 0 }])
  for (let i = 0; i < 3; i++) await table.Goods.find({ limit: 101 + i })
  const [{ statements }] = await table.db.execute(
    "SELECT count(*)::int AS statements FROM pg_prepared_statements WHERE statement LIKE '%goods% LIMIT %'"
  )
  t.equal(statements, 3, 'larger limits are bound')
})

t.test('rows come in the order of the reference, whatever the indexes', async t => {
  const reference = await open(t, { connector: memoryConnector })
  await reference.Goods.create(rows)
  const filters: Filter[] = []
  const orders = [
    'price', 'price DESC', ['kind DESC', 'price'], ['price DESC', 'kind'], 'sold DESC', 'label', 'label DESC'
  ]
  const conditions: Array<Filter | undefined> = [
    undefined, { price: { gt: 2 } }, { price: { lte: 8 } }, { price: { between: [2, 8] } }, { price: 3 },
    { price: null },
    { price: { neq: null } }, { price: { neq: 3 } }, { price: { exists: true } }, { price: { exists: false } },
    { price: { inq: [1, 2, null] } }, { and: [{ kind: 1 }, { and: [{ price: { gt: 1 } }] }] },
    { or: [{ price: { gt: 4 } }, { kind: 2 }] }, { kind: { lt: 2 } }, { label: { like: 'l1%' } },
    { label: { nlike: 'l1%' } },
    { label: { gt: 'l2' } }
  ]
  for (const where of conditions) {
    for (const order of orders) {
      filters.push({ ...(where === undefined ? {} : { where }), order, limit: 30 })
    }
  }
  const other = ['kind NULLS FIRST, price', 'price DESC', 'sold', 'label NULLS FIRST']
    .map(keys => `CREATE INDEX ON goods (${keys})`)
  for (const [name, indexes] of Object.entries({ none: [], natural, other })) {
    const table = await openTable(t, indexes, 'SELECT 1')
    if (table === undefined) return
    await table.Goods.create(rows)
    for (const filter of filters) {
      const [expected, found] = [await reference.Goods.find(filter), await table.Goods.find(filter)]
      t.same(found.map(({ id }: Loose) => id), expected.map(({ id }: Loose) => id), `${name} ${JSON.stringify(filter)}`)
    }
  }
})
