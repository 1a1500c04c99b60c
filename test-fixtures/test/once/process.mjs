// A server of the tests of keys and batches: killed in the middle of requests that say so, or by its parent.
import Fastify from 'fastify'
import { core } from '@fastback/core'
import { sqlConnector } from '@fastback/connector-sql'
import { rest } from '@fastback/rest'

const [url] = process.argv.slice(2)
const app = Fastify()
await app.register(core, {
  dataSources: { db: { connector: sqlConnector, url, migrate: 'update', poolSize: 8 } },
  definitions: [{ name: 'Payment', properties: { reference: 'string', amount: 'number' } }],
  models: { Payment: { dataSource: 'db', public: true } }
})
const die = () => new Promise(() => { process.kill(process.pid, 'SIGKILL') })
app.models.Payment.observe('after save', async ({ instance }) => {
  // The row is written, and not committed.
  if (instance.amount === -1) await die()
})
app.addHook('onSend', async request => {
  // Everything is committed, and nothing was sent.
  if (request.headers['x-die'] === 'send') await die()
})
app.addHook('preHandler', async request => {
  if (request.headers['x-die'] === 'save') setImmediate(() => process.kill(process.pid, 'SIGKILL'))
})
await app.register(rest, { prefix: '/api', accessControl: false, idempotency: { lease: 1 }, batch: true })
await app.listen({ port: 0, host: '127.0.0.1' })
process.send(app.server.address().port)
process.on('disconnect', () => process.exit())
