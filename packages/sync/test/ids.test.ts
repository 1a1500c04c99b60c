/** Ids of pushes that are numbers, in whatever way a client writes them (SYD-22). */
import t from 'tap'
import { ModelRegistry } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'
import { installSync } from '@fastback/sync'
import type { Loose } from './support.js'

t.test('a row that somebody writes meanwhile is a conflict, however its id is written', async t => {
  // Seen to fail: the row was found by "01", and compared with nothing when it was written
  for (const id of [1, '1', '01', '1.0']) {
    const registry = new ModelRegistry()
    registry.defineDataSource('db', { connector: memoryConnector })
    const properties = { id: { type: 'number', id: true, generated: false }, text: 'string', n: 'number' }
    registry.defineModels([{ input: { name: 'Item', trackChanges: true, properties } } as Loose])
    registry.attach('Item', 'db', { public: true })
    installSync(registry)
    await registry.start()
    const { Item } = registry.models as Loose
    await Item.create({ id: 1, text: 'a', n: 0 })
    const { changes: [{ rev: base }] } = await Item.syncPull()
    let isFirst = true
    Item.observe('before save', async (ctx: Loose) => {
      if (!isFirst || ctx.data?.text !== 'mine') return
      isFirst = false
      await Item.updateAll({ id: 1 }, { n: 7 })
    })
    const { results: [result] } = await Item.syncPush({ changes: [{ id, base, fields: { text: 'mine' } }] })
    t.match(result, { conflict: { data: { id: 1, text: 'a', n: 7 } } }, JSON.stringify(id))
  }
})
