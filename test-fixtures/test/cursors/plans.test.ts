/** A page far behind is found by the index of the order, and costs what the first one does. */
import t from 'tap'
import { modelsOn, stores } from '../agreement-stores.js'
import { explainWork } from '@fastback/core/remote'

type Loose = any

const model = {
  name: 'Item',
  properties: {
    id: { type: 'number', id: true },
    stars: 'number',
    at: 'date',
    title: 'string'
  },
  indexes: {
    byTime: { keys: { at: -1, id: 1 } },
    byStars: { keys: { stars: 1, id: 1 } }
  }
}

const rowAt = (i: number): object =>
  ({ id: i, stars: i % 3, at: i % 11 === 0 ? null : new Date(1_700_000_000_000 + (i >> 1) * 1000), title: `t${i}` })

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
    if (name === 'postgres') await Item.dataSource.connector.execute('ANALYZE')
    for (const order of ['at DESC', 'stars ASC', 'id DESC', 'stars DESC']) {
      const { next } = await Item.findPage({ order, limit: 20, before: '' }).then(({ prev }: Loose) => ({ next: prev }))
      const { report } = await explainWork(Item.registry, { model: 'Item' } as Loose, () => Item.find({ order, limit: 20, after: next }), (rows: Loose[]) => rows.length) as Loose
      console.log(name, order, JSON.stringify(report, undefined, 1))
    }
  })
}
