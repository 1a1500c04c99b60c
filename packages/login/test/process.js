// One of several processes on a database: answers what it is told to ask itself.
import Fastify from 'fastify'
import { auth } from '@fastback/auth'
import { core } from '@fastback/core'
import { sqlConnector } from '@fastback/connector-sql'
import { login } from '@fastback/login'

const [, , url, issuer] = process.argv
const entry = { preset: 'oidc', issuer, clientID: 'client', clientSecret: 'client-secret', successRedirect: '/in', failureRedirect: '/out' }
const app = Fastify()
await app.register(core, { connectors: { sql: sqlConnector }, dataSources: { db: { connector: 'sql', url, migrate: 'update' } } })
await app.register(login, {
  secret: 'a secret of sixteen and more',
  origin: 'http://app.test',
  rateLimit: false,
  providers: { op: { ...entry, session: true }, code: { ...entry, tokenInRedirect: 'code' } }
})
await app.register(auth, { dataSource: 'db' })
app.get('/whoami', async request => ({ id: request.user?.id ?? null }))
await app.ready()
process.on('message', async ({ method, url, cookie, payload }) => {
  const headers = { host: 'app.test', ...(cookie === '' ? {} : { cookie }) }
  if (payload !== undefined) headers['content-type'] = 'application/x-www-form-urlencoded'
  const answer = await app.inject({ method, url, headers, payload })
  process.send({ status: answer.statusCode, headers: answer.headers, text: answer.body })
})
process.send('ready')
