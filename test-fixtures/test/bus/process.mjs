// A process of an application on PostgreSQL: serves one open model, and says on which port.
import Fastify from 'fastify'
import { postgresBus, sqlConnector } from '@fastback/connector-sql'
import core from '@fastback/core'
import rest from '@fastback/rest'

const app = Fastify()
await app.register(core, {
  bus: { postgres: 'db' },
  busDrivers: { postgres: postgresBus },
  dataSources: { db: { connector: sqlConnector, url: process.argv[2], migrate: 'update', applicationName: 'long' } },
  definitions: [{ name: 'Note', properties: { number: 'number', at: 'number' } }],
  models: { Note: { dataSource: 'db' } }
})
await app.register(rest, { prefix: '/api' })
await app.listen({ port: 0, host: '127.0.0.1' })
process.send({ port: app.server.address().port })
process.on('message', () => { app.close().then(() => process.exit()) })
