/** Lists of 64-bit numbers are compared with all their digits, also those that no double tells apart. */
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
