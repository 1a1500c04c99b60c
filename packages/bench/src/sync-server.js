/** The server of `sync.js`: it tells its parent where it listens, and what its processor did so far. */
import { sqlConnector } from '@fastback/connector-sql'
import { core } from '@fastback/core'
import { rest } from '@fastback/rest'
import { sync } from '@fastback/sync'
import Fastify from 'fastify'
import { makeRow } from './sync-rows.js'

const [url, rows] = process.argv.slice(2)

const properties = {
  id: { type: 'string', id: true, defaultFn: 'guid' },
  title: { type: 'string', required: true },
  body: 'string',
  rank: 'number',
  done: 'boolean',
  at: 'date'
}

const app = Fastify()
const toDb = { dataSource: 'db' }
await app.register(core, {
  dataSources: { db: { connector: sqlConnector, url, migrate: 'update' } },
  definitions: [
    { name: 'Tracked', plural: 'Tracked', trackChanges: true, strict: true, properties },
    { name: 'Plain', plural: 'Plain', strict: true, properties }
  ],
  models: { Tracked: toDb, Plain: toDb }
})
await app.register(sync)
await app.register(rest, { prefix: '/api' })
await app.listen({ port: 0, host: '127.0.0.1' })

const { Tracked } = app.models
for (let from = 0; from < Number(rows); from += 500) {
  await Tracked.create(Array.from({ length: Math.min(500, Number(rows) - from) }, (_, i) => makeRow(from + i)))
}

const answers = {
  /** Milliseconds of the processor. */
  processor () {
    const { user, system } = process.cpuUsage()
    process.send((user + system) / 1000)
  },
  async end () {
    await app.close()
    process.disconnect()
  }
}
process.on('message', question => { answers[question]() })
process.send(app.server.address().port)
