import { createServer } from 'node:http'
import Fastify from 'fastify'
import { Provider } from 'oidc-provider'

const { BENCH_PORT, BENCH_CLIENT, BENCH_SECRET, BENCH_SCOPE } = process.env
const issuer = `http://127.0.0.1:${BENCH_PORT}`

/** As it comes: opaque tokens in its own memory adapter. Everything that these loads do not need is left off. */
const provider = new Provider(issuer, {
  clients: [{
    client_id: BENCH_CLIENT,
    client_secret: BENCH_SECRET,
    grant_types: ['client_credentials'],
    redirect_uris: [],
    response_types: [],
    scope: BENCH_SCOPE
  }],
  scopes: [BENCH_SCOPE],
  features: { clientCredentials: { enabled: true }, devInteractions: { enabled: false } },
  ttl: { ClientCredentials: 3600 }
})

const api = Fastify()

/** What its users write, since it has no guard for paths: the token is looked up by its own model, then its scope. */
api.addHook('onRequest', async (request, reply) => {
  const [, value] = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '') ?? []
  const token = value === undefined ? undefined : await provider.ClientCredentials.find(value)
  if (token === undefined || !token.isValid) return await reply.code(401).header('www-authenticate', 'Bearer error="invalid_token"').send({ error: 'invalid_token' })
  if (!token.scope?.split(' ').includes(BENCH_SCOPE)) return await reply.code(403).send({ error: 'insufficient_scope' })
  const client = await provider.Client.find(token.clientId)
  if (client === undefined) return await reply.code(401).send({ error: 'invalid_token' })
  request.token = token
})
api.get('/api/Vault/who', async ({ token }) => ({ client: token.clientId }))
await api.ready()

const tokens = provider.callback()
createServer((request, response) => {
  if (request.url.startsWith('/api/')) api.routing(request, response)
  else tokens(request, response)
}).listen(Number(BENCH_PORT), '127.0.0.1')
