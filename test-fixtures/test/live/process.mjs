// One of several processes that serve the same rows: `node process.mjs SETTINGS`. Sends its port once it listens.
import Fastify from 'fastify'
import { core } from '@fastback/core'
import { redisBus } from '@fastback/connector-redis'
import { postgresBus, sqlConnector } from '@fastback/connector-sql'
import { rest } from '@fastback/rest'

const { url, bus, definitions } = JSON.parse(process.argv[2])
const app = Fastify({ forceCloseConnections: true })
await app.register(core, {
  dataSources: { db: { connector: sqlConnector, url, migrate: 'update', poolSize: 5 } },
  settings: { live: true, bus, maxFilterDepth: 10 },
  busDrivers: { postgres: postgresBus, redis: redisBus },
  definitions,
  models: Object.fromEntries(definitions.map(({ name }) => [name, { dataSource: 'db', public: true }]))
})
const { Task } = app.models
// A write by a condition, which REST has not by itself.
Task.clear = async ids => await Task.destroyAll({ id: { inq: ids } })
Task.remoteMethod('clear', {
  accepts: [{ arg: 'ids', type: ['number'], required: true }], returns: { arg: 'info', type: 'object', root: true },
  http: { verb: 'post', path: '/clear' }
})
await app.register(rest, { prefix: '/api', liveSocket: true })
await app.listen({ port: 0, host: '127.0.0.1' })
process.send({ port: app.server.address().port })
process.on('disconnect', () => { process.exit() })
