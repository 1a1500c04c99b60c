// FASTBACK_TEST_FULL: plans of database servers.
/** A page far behind is found by the index of the order, and costs what the first one does. */
import t from 'tap'
import { sqlConnector } from '@fastback/connector-sql'
import { explainWork } from '@fastback/core/remote'
import { modelsOn, stores } from '../agreement-stores.js'

type Loose = any

const model = {
  name: 'Item',
  properties: {
    id: { type: 'number', id: true },
    stars: 'number',
    at: 'date',
    serial: 'number',
    title: 'string'
  },
  indexes: {
    bySerial: { keys: { serial: -1, id: 1 } },
    byTime: { keys: { at: -1, id: 1 } },
    byStars: { keys: { stars: 1, id: 1 } }
  }
}

const rowAt = (i: number): object =>
  ({ id: i, stars: i % 3, serial: 50_000 - i * 2, at: i % 11 === 0 ? null : new Date(1_700_000_000_000 + (i >> 1) * 1000), title: `t${i}` })

/** A page in the middle of an order, and what its database does for it. */
async function middle (Item: Loose, order: string): Promise<{ count: number, plan: string, statements: number }> {
  let after = ''
  for (let page = 0; page < 3; page++) after = (await Item.findPage({ order, limit: 3000, after })).next
  const filter = { order, limit: 20, after }
  const { result, report } = await explainWork(
    Item.registry, filter, () => Item.find(filter) as Promise<unknown[]>, rows => rows.length)
  return {
    count: result.length,
    plan: report.statements.flatMap(({ plan }: Loose) => plan as string[]).join('\n'),
    statements: report.statements.length
  }
}

for (const [name, open] of stores.filter(([name]) => ['sqlite', 'postgres', 'mysql'].includes(name))) {
  t.test(name, { timeout: 0 }, async t => {
    const opened = await open(t)
    if (opened === undefined) {
      t.comment('no server')
      return
    }
    if (opened.done !== undefined) t.teardown(opened.done)
    const { Item } = await modelsOn(opened, t, [model], ['Item']) as { Item: Loose }
    for (let i = 0; i < 20_000; i += 2000) await Item.create(Array.from({ length: 2000 }, (_, j) => rowAt(i + j)))
    if (name !== 'sqlite') await Item.dataSource.connector.execute(name === 'postgres' ? 'ANALYZE' : 'ANALYZE TABLE Item')
    for (const order of ['at DESC', 'stars ASC', 'serial DESC', 'id DESC']) {
      const { count, plan, statements } = await middle(Item, order)
      t.equal(count, 20)
      t.match(plan, /byTime|byStars|bySerial|PRIMARY|pkey/i, `${order}: an index finds the page`)
      t.notMatch(plan, /SCAN Item|TEMP B-TREE|Seq Scan|Incremental Sort|filesort|\bALL\b/, `${order}: nothing is sorted: ${plan}`)
      // Beside other rows of the same value there are two parts.
      const most = order === 'serial DESC' || order === 'id DESC' ? 1 : 2
      t.ok(statements <= most, `${order}: ${statements} statements`)
    }
  })
}

t.test('a page behind 199,900 rows costs what the first one does', { timeout: 0 }, async t => {
  const { Item } = await modelsOn({ main: { connector: sqlConnector, url: 'sqlite::memory:', migrate: 'reset' } }, t, [model], ['Item']) as {
    Item: Loose
  }
  await Item.dataSource.connector.execute(`INSERT INTO "Item" ("id", "stars", "title") WITH RECURSIVE n(i) AS
    (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 199999) SELECT i, i % 3, 't' || i FROM n`)
  for (const order of ['stars', 'id']) {
    const last = { order, limit: 100, before: '' }
    const { prev } = await Item.findPage({ ...last, limit: 100 })
    const first = await timeOf(async () => await Item.find({ order, limit: 100, after: '' }))
    const far = await timeOf(async () => await Item.find({ order, limit: 100, before: prev }))
    const skipped = await timeOf(async () => await Item.find({ order, limit: 100, skip: 199_800 }))
    t.ok(far < first * 4, `${order}: ${far} ms, and ${first} ms of the first page`)
    t.ok(far < skipped, `${order}: ${skipped} ms with skip`)
  }
})

/** Of the fastest of some runs. */
async function timeOf (work: () => Promise<unknown>): Promise<number> {
  let least = Infinity
  for (let run = 0; run < 15; run++) {
    const begun = performance.now()
    await work()
    least = Math.min(least, performance.now() - begun)
  }
  return least
}
