/**
 * Conditions on rows of other tables are one statement with EXISTS, whose plan finds them by the key's index; what such
 * a statement cannot say exactly is no link.
 */
import t from 'tap'
import { openSql } from './support/connectors.js'
import { makeModel, path } from './support/models.js'
import { scratchUrl } from './support/scratch.js'

type Loose = any
type Plan = ReadonlyArray<Readonly<Record<string, unknown>>>

/** Whether no table is read through for each row of the other one. */
const usesIndex: Readonly<Record<string, (plan: Plan) => boolean>> = {
  sqlite: plan => plan.some(({ detail }) => /^SEARCH linked_1 USING/.test(String(detail))),
  postgres: plan => plan.some(row => /Index (Only )?Scan/.test(String(row['QUERY PLAN']))),
  mysql: plan => plan.every(({ table, type }) => table === 'Order' || ['eq_ref', 'ref', 'const'].includes(String(type)))
}

for (const engine of ['sqlite', 'postgres', 'mysql'] as const) {
  t.test(engine, async t => {
    const url = engine === 'sqlite' ? `sqlite:${t.testdir({})}/rows.sqlite` : await scratchUrl(t, engine)
    if (url === undefined) return
    const order = makeModel('Order', { customerId: 'number', text: 'string' })
    const customer = makeModel('Customer', { city: 'string', code: 'string', far: 'number' }, {
      indexes: [{ name: 'code', unique: false, columns: [{ property: 'code', descending: false }] }]
    })
    const sql = await openSql({ url }, [order, customer]) as Loose
    t.teardown(() => sql.disconnect())
    const count = 3000
    await sql.createMany(customer, Array.from({ length: count }, (_, i) => ({ city: `c${String(i % 100)}`, code: `k${String(i)}` })), {})
    await sql.createMany(order, Array.from({ length: count }, (_, i) => ({ customerId: i + 1, text: 'x' })), {})
    if (engine === 'postgres') await sql.execute('ANALYZE')
    const seen: Array<{ sql: string, params: unknown[] }> = []
    sql.observed((request: Loose, run: Loose) => {
      if (/^(?:SELECT|UPDATE|DELETE)/.test(request.sql)) seen.push(request)
      return run(request)
    })
    const isCity = (value: string): Loose => ({ kind: 'compare', op: 'eq', path: path(customer, 'city'), value })
    const link = (condition: Loose, more: object = {}): Loose =>
      ({ kind: 'linked', from: 'customerId', model: customer, to: 'id', condition, ...more })
    const nor = (condition: Loose): Loose => ({ kind: 'nor', conditions: [condition] })
    const first = { kind: 'compare', op: 'lt', path: path(order, 'id'), value: 200 }

    await t.test('one statement, by the index', async t => {
      for (const [what, where, expected] of [
        ['some', link(isCity('c7')), 30],
        ['none, of few', { kind: 'and', conditions: [first, nor(link(isCity('c7')))] }, 197],
        ['beside another condition', { kind: 'and', conditions: [link(isCity('c7')), first] }, 2],
        ['within or', { kind: 'or', conditions: [link(isCity('c7')), link(isCity('c8'))] }, 60]
      ] as const) {
        t.ok(sql.supportsLinks(order, where, false, {}), what)
        seen.length = 0
        t.equal(await sql.count(order, where, {}), expected, what)
        t.equal(seen.length, 1, what)
        t.match(seen[0]?.sql, /EXISTS \(SELECT 1 FROM/)
        t.notMatch(seen[0]?.sql, /JOIN/)
      }
      // For many rows a server may read the other table once instead, which costs less.
      seen.length = 0
      await sql.count(order, { kind: 'and', conditions: [{ ...first, value: 20 }, nor(link(isCity('c7')))] }, {})
      const { sql: text, params } = seen[0] as Loose
      const explain = engine === 'sqlite' ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN'
      const plan = await sql.execute(`${explain} ${String(text)}`, params)
      t.ok(usesIndex[engine]?.(plan), `by the index: ${JSON.stringify(plan)}`)
    })

    await t.test('updates and deletes', async t => {
      t.equal(await sql.updateAll(order, link(isCity('c7')), { text: 'y' }, {}), 30)
      t.equal(await sql.deleteAll(order, link(isCity('c7')), {}), 30)
      t.equal(await sql.count(order, undefined, {}), count - 30)
    })

    await t.test('what is no link', async t => {
      t.notOk(sql.supportsLinks(order, link(undefined, { to: 'far' }), false, {}), 'a key without an index')
      t.notOk(sql.supportsLinks(order, link(undefined, { to: 'code' }), false, {}), 'keys that the database compares otherwise')
      t.notOk(sql.supportsLinks(order, link(undefined, { model: makeModel('Unknown', {}) }), false, {}), 'another table')
      const own = { kind: 'linked', from: 'customerId', model: order, to: 'id', condition: undefined }
      t.ok(sql.supportsLinks(order, own, false, {}))
      t.equal(sql.supportsLinks(order, own, true, {}), engine !== 'mysql', 'MySQL reads no rows of what it changes')
    })
  })
}
