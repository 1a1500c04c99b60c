// One of several processes on a database: redeems and refreshes what it is told to, at the moment it is told to.
import Fastify from 'fastify'
import { core } from '@fastback/core'
import { sqlConnector } from '@fastback/connector-sql'
import { oauth2 } from '@fastback/oauth2'

const app = Fastify()
await app.register(core, { connectors: { sql: sqlConnector }, dataSources: { db: { connector: 'sql', url: process.argv[2] } } })
await app.register(oauth2, { dataSource: 'db' })
app.registry.attach('User', 'db')
await app.ready()
process.on('message', async ({ fields, authorization, at }) => {
  await new Promise(resolve => setTimeout(resolve, Math.max(0, at - Date.now())))
  const headers = { authorization, host: 'op.test', 'content-type': 'application/x-www-form-urlencoded' }
  const { statusCode } = await app.inject({ method: 'POST', url: '/oauth/token', headers, payload: new URLSearchParams(fields).toString() })
  process.send(statusCode)
})
process.send('ready')
