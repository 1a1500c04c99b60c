// A process that sends jobs, or runs them, until it is killed: `node job-process.js '<settings>'`. A sender is told
// `{ from, to }` and says `{ sent: n }` of each that is sent; a worker says `{ ran: n }` when a handler begins.
import Fastify from 'fastify'
import { core, ModelRegistry } from '@fastback/core'
import { sqlConnector } from '@fastback/connector-sql'
import { events } from '@fastback/events'

const { db, isWorker, concurrency, options, hangs } = JSON.parse(process.argv[2])
const registry = new ModelRegistry()
registry.defineDataSource('db', { connector: sqlConnector, ...db })
registry.defineModel({ name: 'Order', properties: { id: { type: 'number', id: true, generated: false } } })
registry.attach('Order', 'db')
const app = Fastify({ logger: { level: 'error', stream: process.stderr } })
await app.register(core, { registry })
await app.register(events, { pollInterval: 50, lease: 1000, work: isWorker, ...options })
const job = app.registry.job('count', { concurrency, retryLimit: 3, retryDelays: [100] }, async ({ data, attempt }) => {
  process.send({ ran: data.n, attempt })
  if (hangs) await new Promise(() => {})
})
await app.ready()

/** The row and its job in one transaction, where the engine has them in one database. */
async function send (n) {
  if (options.engine === 'bullmq') {
    await job.send({ n })
    return
  }
  const transaction = await registry.models.Order.beginTransaction()
  try {
    await registry.models.Order.create({ id: n }, { transaction })
    await job.send({ n }, { transaction })
    await transaction.commit()
  } catch (error) {
    await transaction.rollback().catch(() => {})
    throw error
  }
}

process.on('message', async ({ from, to, together }) => {
  let next = from
  const some = async () => {
    while (next < to) {
      const n = next++
      // The store may be away for a moment: what was not sent is not counted.
      await send(n).then(() => { process.send({ sent: n }) }, () => {})
    }
  }
  await Promise.all(Array.from({ length: together }, some))
  process.send({ ended: to })
})
process.on('disconnect', () => { process.exit() })
process.send({ ready: true })
