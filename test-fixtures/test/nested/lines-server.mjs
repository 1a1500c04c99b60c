/** A server by itself, so that its memory is known: says its port, and for each message how large it has been (MB). */
import Fastify from 'fastify'
import { core } from '@fastback/core'
import { rest } from '@fastback/rest'
import { sqlConnector } from '@fastback/connector-sql'

const [url] = process.argv.slice(2)
const app = Fastify()
await app.register(core, {
  dataSources: { db: { connector: sqlConnector, url, migrate: 'reset' } },
  definitions: [{ name: 'Note', bulk: true, properties: { number: 'number', text: 'string' } }],
  models: { Note: { dataSource: 'db' } }
})
await app.registry.start()
await app.register(rest, { prefix: '/api', accessControl: false, lines: { bytes: '1gb', seconds: 600 } })
await app.listen({ port: 0, host: '127.0.0.1' })
process.send({ port: app.server.address().port })
process.on('message', () => process.send({ most: process.resourceUsage().maxRSS / 1024 }))
