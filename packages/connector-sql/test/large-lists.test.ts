/** Lists of 64-bit numbers are compared with all their digits, also those that no double tells apart. */
import { ModelRegistry } from '@fastback/core'
import { remoteOptions } from '@fastback/core/remote'
import { sqlConnector } from '@fastback/connector-sql'
import t from 'tap'
import { openSql } from './support/connectors.js'
import { makeModel, path, query, selectAll } from './support/models.js'
import { scratchUrl } from './support/scratch.js'

const odd = 2n ** 53n + 1n
const lists = [[odd], [odd - 1n], [odd + 1n], [2n ** 63n - 1n], [odd, -(2n ** 63n)], [1, 2]]

for (const engine of ['sqlite', 'postgres', 'mysql'] as const) {
  t.test(engine, async t => {
    const url = engine === 'sqlite' ? 'sqlite::memory:' : await scratchUrl(t, engine)
    if (url === undefined) return
    const model = makeModel('Large', { large: { kind: 'array', items: { kind: 'bigint' } } })
    const connector = await openSql({ url }, [model])
    t.teardown(() => connector.disconnect())
    await connector.createMany(model, lists.map(large => ({ large })), {})
    const place = path(model, 'large')
    for (const [i, wanted] of lists.entries()) {
      for (const where of [
        { kind: 'in', op: 'inq', path: place, values: [wanted] } as const,
        { kind: 'compare', op: 'eq', path: place, value: wanted } as const
      ]) {
        const found = await connector.find(model, query(model, { where, select: selectAll(model) }), {})
        t.strictSame(found.map(({ id }) => id), [i + 1], `${where.op} ${wanted.join()}`)
      }
    }
  })
}

t.test('sqlite: a list in another order than that of the ids has all rows, whatever the numbers in them', async t => {
  // SQLite gives whole batches as bigints where one value needs that: their ids were none of those looked for.
  const registry = new ModelRegistry()
  registry.defineDataSource('db', { connector: sqlConnector, url: 'sqlite::memory:' })
  const Item = registry.attach(registry.defineModel({ name: 'Item', properties: { large: 'bigint' } }), 'db') as any
  await registry.start()
  t.teardown(() => registry.stop())
  const values = [...Array.from({ length: 300 }, (_, i) => i), odd, 2n ** 63n - 1n]
  await Item.create(values.map(large => ({ large })))
  for (const [order, wanted] of [['large ASC', values], ['large DESC', [...values].reverse()]] as const) {
    const found = await Item.find({ order }, remoteOptions({}))
    t.strictSame(found.map(({ large }: { large: unknown }) => large), wanted, order)
  }
})
