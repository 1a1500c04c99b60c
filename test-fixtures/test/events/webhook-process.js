// One of several processes that write orders and deliver what happens to them, until it is killed:
// `node webhook-process.js '<settings>'`. Tells its parent of each write once it is committed: `{ id, seq }`.
import Fastify from 'fastify'
import { core, ModelRegistry } from '@fastback/core'
import { sqlConnector } from '@fastback/connector-sql'
import { events } from '@fastback/events'

const { db, url, secret, rows, writes, pause, webhooks, engine } = JSON.parse(process.argv[2])
const registry = new ModelRegistry()
registry.defineDataSource('db', { connector: sqlConnector, ...db })
registry.defineModel({
  name: 'Order', events: true, properties: { id: { type: 'number', id: true, generated: false }, seq: 'number' }
})
registry.attach('Order', 'db')
const app = Fastify()
await app.register(core, { registry })
await app.register(events, {
  engine: 'embedded', pollInterval: 25, lease: 400, ...engine,
  webhooks: { allow: ['127.0.0.0/8'], allowHttp: true, sealSecrets: false, timeout: 300, ...webhooks }
})
await app.ready()
const { Order, WebhookSubscription } = registry.models
// One of all processes makes it.
const id = '00000000-0000-4000-8000-000000000000'
await WebhookSubscription.create({ id, url, events: ['Order.*'], ordered: true, secret }).catch(error => {
  if (error.statusCode !== 409) throw error
})
process.on('disconnect', () => { process.exit() })
process.send({ ready: true })

/** Each write of a row counts it up, by one of several ways. */
async function write (id, way) {
  const seq = Number((await Order.findById(id))?.seq ?? 0) + 1
  if (seq === 1) await Order.create({ id, seq })
  else if (way === 0) await Order.patchById(id, { seq })
  else if (way === 1) await Order.updateAll({ id }, { seq })
  else if (way === 2) await Order.replaceById(id, { id, seq })
  else {
    // What is taken back is told to nobody.
    await Order.transaction(async within => {
      await within.Order.patchById(id, { seq: -1 })
      throw new Error('taken back')
    }).catch(() => {})
    await Order.upsert({ id, seq })
  }
  process.send({ id, seq })
}

for (let i = 0; i < writes; i++) {
  await write(rows[i % rows.length], i % 4).catch(error => { process.send({ failed: String(error) }) })
  if (pause > 0) await new Promise(resolve => { setTimeout(resolve, pause) })
}
process.send({ done: true })
