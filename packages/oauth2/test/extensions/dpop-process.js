// One of several processes on a database: asks for a token with the proof that it is told, at the moment it is told to.
import Fastify from 'fastify'
import { core } from '@fastback/core'
import { sqlConnector } from '@fastback/connector-sql'
import { oauth2 } from '@fastback/oauth2'

const [, , url, dpop] = process.argv
const app = Fastify()
await app.register(core, { connectors: { sql: sqlConnector }, dataSources: { db: { connector: 'sql', url } } })
await app.register(oauth2, { dataSource: 'db', dpop: JSON.parse(dpop) })
app.registry.attach('User', 'db')
await app.ready()
process.on('message', async ({ headers, at }) => {
  await new Promise(resolve => setTimeout(resolve, Math.max(0, at - Date.now())))
  const { statusCode } = await app.inject({
    method: 'POST', url: '/oauth/token', payload: 'grant_type=client_credentials&scope=read',
    headers: { host: 'op.test', 'content-type': 'application/x-www-form-urlencoded', ...headers }
  })
  process.send(statusCode)
})
process.send('ready')
