/** What is killed: REST over one model and one file. Writes its port to the standard output when it listens. */
import Fastify from 'fastify'
import { memoryConnector } from '@fastback/connector-memory'
import { sqlConnector } from '@fastback/connector-sql'
import { core } from '@fastback/core'
import { rest } from '@fastback/rest'

const [store, file] = process.argv.slice(2)
const app = Fastify()
await app.register(core, {
  dataSources: {
    db: store === 'sqlite' ? { connector: sqlConnector, url: `sqlite:${file}` } : { connector: memoryConnector, file }
  },
  definitions: [
    {
      name: 'Entry',
      strict: true,
      properties: { key: { type: 'string', required: true, index: true }, size: 'number' }
    }
  ],
  models: { Entry: { dataSource: 'db', public: true } }
})
await app.register(rest, { prefix: '/api' })
await app.listen({ port: 0, host: '127.0.0.1' })
process.stdout.write(`${app.server.address().port}\n`)
