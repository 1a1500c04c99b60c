// An authorization server, and an API that its tokens open: node packages/examples/oauth/server.js
import Fastify from 'fastify'
import { core } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'
import { auth } from '@fastback/auth'
import { acl } from '@fastback/acl'
import { oauth2 } from '@fastback/oauth2'
import { rest } from '@fastback/rest'

const app = Fastify()
await app.register(core, {
  dataSources: { db: { connector: memoryConnector } },
  definitions: [{ name: 'Order', properties: { what: { type: 'string', required: true } } }],
  models: { Order: { dataSource: 'db', public: true } }
})
await app.register(oauth2, { dataSource: 'db', defaultScope: 'orders' })
await app.register(auth, { dataSource: 'db' })
await app.register(acl, { dataSource: 'db' })
// Behind this line is only who brings a token of the scope "orders".
app.oauth2.authenticate(['/api/Orders'], { scope: 'orders' })
await app.register(rest, { prefix: '/api' })
await app.ready()

await app.models.OAuthClientApplication.create({
  id: 'till',
  name: 'The till of the shop',
  clientType: 'confidential',
  // In earnest: a random text that the server never prints, and the client gets from its environment.
  clientSecret: process.env.TILL_SECRET ?? 'only for this example',
  redirectURIs: ['https://till.example/cb'],
  scopes: ['orders']
})
await app.models.Order.create({ what: 'bread' })
const address = await app.listen({ port: Number(process.env.PORT ?? 3000), host: '127.0.0.1' })
console.log(`Tokens at ${address}/oauth/token, orders at ${address}/api/Orders`)
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => { app.close() })
