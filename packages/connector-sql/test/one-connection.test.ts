/** Statements that have one connection of a server after another. */
import t from 'tap'
import { openSql } from './support/connectors.js'
import { makeModel, query } from './support/models.js'
import { scratchUrl } from './support/scratch.js'

const item = makeModel('Item', { name: 'string' })

for (const server of ['postgres', 'mysql'] as const) {
  t.test(`${server}: an error is that of one statement, and not of those after it`, async t => {
    const url = await scratchUrl(t, server)
    if (url === undefined) return
    const sql = await openSql({ url, poolSize: 1 }, [item])
    t.teardown(() => sql.disconnect())
    const work = [
      () => sql.create(item, { id: 7001, name: 'once' }, {}),
      () => sql.execute('SELECT nothing'),
      () => sql.findById(item, 7001, query(item).select, {})
    ]
    const settled = await Promise.allSettled(Array.from({ length: 30 }, async (_, at) => await work[at % 3]?.()))
    const done = (at: number): number =>
      settled.filter(({ status }, i) => i % 3 === at && status === 'fulfilled').length
    t.same([done(0), done(1), done(2)], [1, 0, 10])
    t.equal(await sql.count(item, undefined, {}), 1)
  })
}
