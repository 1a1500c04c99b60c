import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import { memoryConnector } from '@fastback/connector-memory'
import { ModelRegistry, type Condition, type ConnectorFactory, type Row } from '@fastback/core'
import { findRowById } from '@fastback/core/remote'
import { installAuthModels } from '../models/index.js'

const token = 'L'.repeat(64)

/** A store with a row of LoopBack's, whose token stands there as it is. `before` is told of what comes next. */
async function start (before: (operation: string) => Promise<void> | void = () => {}) {
  const rows = new Map<unknown, Row>([[token, { id: token, ttl: 3600, created: new Date(), userId: 1 }]])
  const store: ConnectorFactory = (settings, context) => Object.assign(memoryConnector(settings, context), {
    async findById (_model: unknown, id: unknown) {
      await wait(1)
      return rows.get(id)
    },
    async create (_model: unknown, row: Row) {
      await before('create')
      if (rows.has(row.id)) throw Object.assign(new Error('taken'), { statusCode: 409 })
      rows.set(row.id, row)
      await wait(1)
      return row
    },
    async deleteAll (_model: unknown, condition: Condition & { readonly kind: 'compare' }) {
      await before('delete')
      return rows.delete(condition.value) ? 1 : 0
    }
  })
  const registry = new ModelRegistry()
  registry.defineDataSource('db', { connector: store })
  installAuthModels(registry)
  registry.attach('User', 'db')
  registry.attach('AccessToken', 'db')
  await registry.start()
  const { compiled } = registry.getModel('AccessToken')
  return { rows, find: async () => await findRowById(compiled, token, undefined, { notify: false }) }
}

t.test('S-42 a token of before is hashed once, by whichever of many requests', async t => {
  // Seen to fail: adopt that passes the store's 409 on
  const { rows, find } = await start()
  const found = await Promise.all(Array.from({ length: 16 }, find))
  t.ok(found.every(row => row?.id === token && row?.userId === 1), 'each has it')
  t.match([...rows.keys()], [/^sha256-/])
  t.equal(rows.size, 1)
})

t.test('S-43 a token of before that ends while it is hashed is not there afterwards', async t => {
  // Seen to fail: adopt that does not look whether the row of before was there still
  for (const operation of ['create', 'delete']) {
    let isEnded = false
    const { rows, find } = await start(each => {
      if (each !== operation || isEnded) return
      isEnded = true
      // A logout, whichever row it finds.
      rows.clear()
    })
    t.equal(await find(), undefined, operation)
    t.equal(rows.size, 0)
    t.equal(await find(), undefined)
  }
})
