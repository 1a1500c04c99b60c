/** A ticket tracker. `DATABASE_URL=postgres://…` puts it on PostgreSQL; without it, `tickets.db` is made here. */
import Fastify from 'fastify'
import { core } from '@fastback/core'
import { sqlConnector } from '@fastback/connector-sql'
import { explorer } from '@fastback/explorer'
import { rest } from '@fastback/rest'
import { Comment, Person, Ticket } from './models.js'
import { addTicketMethods } from './close-ticket.js'

const url = process.env.DATABASE_URL ?? 'sqlite:tickets.db'
const app = Fastify({ logger: { level: 'warn' } })
await app.register(core, {
  dataSources: { db: { connector: sqlConnector, url, migrate: 'update' } },
  definitions: [Person, Ticket, Comment],
  models: {
    Person: { dataSource: 'db' },
    Ticket: { dataSource: 'db' },
    Comment: { dataSource: 'db' }
  }
})
addTicketMethods(app)
await app.register(rest, { prefix: '/api' })
await app.register(explorer)
const address = await app.listen({ port: Number(process.env.PORT ?? 3000), host: '127.0.0.1' })
console.log(`Tickets at ${address}/api/Tickets, the explorer at ${address}/explorer`)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, async () => { await app.close() })
