/** Writes by a list of keys find their rows by the index, on every engine: the plan of the very statement says so. */
import t from 'tap'
import { openSql } from './support/connectors.js'
import { makeModel, path } from './support/models.js'
import { scratchUrl } from './support/scratch.js'

type Loose = any
type Plan = ReadonlyArray<Readonly<Record<string, unknown>>>

/** Whether a plan reads the rows of the table one by one from its index. */
const usesIndex: Readonly<Record<string, (plan: Plan) => boolean>> = {
  sqlite: plan => plan.some(({ detail }) => /^SEARCH Item USING/.test(String(detail))),
  postgres: plan => plan.some(row => /Index (Only )?Scan/.test(String(row['QUERY PLAN']))),
  mysql: plan => plan.some(({ table, type }) => table === 'Item' && ['eq_ref', 'ref', 'range', 'const'].includes(String(type)))
}

for (const engine of ['sqlite', 'postgres', 'mysql'] as const) {
  t.test(engine, async t => {
    const url = engine === 'sqlite' ? `sqlite:${t.testdir({})}/rows.sqlite` : await scratchUrl(t, engine)
    if (url === undefined) return
    const item = makeModel('Item', { name: 'string', code: 'string', one: 'number' }, {
      indexes: [{ name: 'code', unique: false, columns: [{ property: 'code', descending: false }] }]
    })
    const sql = await openSql({ url }, [item]) as Loose
    t.teardown(() => sql.disconnect())
    const count = 4000
    await sql.createMany(item, Array.from({ length: count }, (_, i) => ({ name: 'x', code: `c${String(i)}`, one: 0 })), {})
    // Each engine gathers its figures in the background, at times after the plan is made; here they are there.
    if (engine === 'postgres') await sql.execute('ANALYZE "Item"')
    if (engine === 'mysql') await sql.execute('ANALYZE TABLE `Item`')
    let seen: { sql: string, params: unknown[] } | undefined
    sql.observed((request: Loose, run: Loose) => {
      if (/^(?:UPDATE|DELETE)/.test(request.sql)) seen = request
      return run(request)
    })
    const explain = engine === 'sqlite' ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN'
    const planOf = async (work: () => Promise<unknown>): Promise<boolean> => {
      seen = undefined
      await work()
      const { sql: text, params } = seen as unknown as { sql: string, params: unknown[] }
      return usesIndex[engine]?.(await sql.execute(`${explain} ${text}`, params)) === true
    }
    const isIn = (property: string, values: unknown[]): Loose => ({ kind: 'in', op: 'inq', path: path(item, property), values })
    const keys = Array.from({ length: 10 }, (_, i) => i + 1)
    const codes = keys.map(i => `c${String(i)}`)

    t.ok(await planOf(async () => { t.equal(await sql.updateAll(item, isIn('id', keys), { name: 'y' }, {}), 10) }), 'UPDATE by ids')
    t.ok(await planOf(async () => {
      t.equal(await sql.updateAll(item, {
        kind: 'and', conditions: [isIn('id', keys), { kind: 'compare', op: 'eq', path: path(item, 'name'), value: 'y' }]
      }, { one: 2 }, {}), 10)
    }), 'and something else')
    t.ok(await planOf(async () => { t.equal(await sql.updateAll(item, isIn('code', codes), { name: 'z' }, {}), 10) }), 'by another index')
    t.ok(await planOf(async () => { t.equal(await sql.deleteAll(item, isIn('id', keys), {}), 10) }), 'DELETE by ids')
    t.equal(await sql.updateAll(item, {
      kind: 'or', conditions: [isIn('id', [1, count]), { kind: 'compare', op: 'eq', path: path(item, 'code'), value: null }]
    }, { name: 'last' }, {}), 1, 'a list among others')
    t.equal(await sql.count(item, undefined, {}), count - 10)
  })
}
