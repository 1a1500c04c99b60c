// FASTBACK_TEST_FULL: logins with full hashing, from end to end.
/* eslint camelcase: "off" -- parameters of the protocol are written as it has them */
/** Tokens of the application's OAuth provider: those that are for this endpoint, and no others. */
import t, { type Test } from 'tap'
import Fastify, { type FastifyInstance } from 'fastify'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { ClientCredentialsProvider } from '@modelcontextprotocol/sdk/client/auth-extensions.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { acl } from '@fastback/acl'
import { auth } from '@fastback/auth'
import { memoryConnector } from '@fastback/connector-memory'
import { core } from '@fastback/core'
import { mcp, type McpOptions } from '@fastback/mcp'
import { oauth2 } from '@fastback/oauth2'
import { rest } from '@fastback/rest'
import { row } from './app.js'
import { freePort } from '../../../test-fixtures/free-port.mjs'

type Loose = any

interface Served { app: FastifyInstance, origin: string, audit: Loose[], tokenFor: (more?: object) => Promise<string> }

interface Parts { guardApi?: boolean, options?: McpOptions, oauth?: object }

/** A server with two resources: agents', and another one's. The user ada is 1. */
async function serve (t: Test, { guardApi = false, options = {}, oauth = {} }: Parts = {}): Promise<Served> {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(core, { dataSources: { db: { connector: memoryConnector } } })
  const { registry } = app
  await app.register(oauth2, {
    dataSource: 'db',
    supportedGrantTypes: ['authorizationCode', 'clientCredentials', 'resourceOwnerPasswordCredentials'],
    resourceMetadata: true,
    resourceIndicators: {
      resources: { [`${origin}/mcp`]: { scopes: ['notes', 'vault'] }, [`${origin}/other`]: { scopes: ['notes'] } }
    },
    ...oauth
  })
  if (guardApi) app.oauth2.authenticate(['/api/Notes'], { scope: 'notes' })
  if (guardApi) app.oauth2.authenticate(['/api/Vaults'], { scope: 'vault' })
  await app.register(auth)
  registry.attach('User', 'db', { public: true })
  registry.attach('AccessToken', 'db')
  await app.register(acl)
  for (const name of ['ACL', 'Role', 'RoleMapping']) registry.attach(name, 'db')
  for (const input of [
    { name: 'Note', properties: { text: 'string', userId: 'number' }, acls: [row('DENY', '$everyone'), row('ALLOW', '$everyone', { property: 'find', rows: { userId: '$user.id' } })] },
    { name: 'Vault', properties: { gold: 'string' } }
  ]) registry.attach(registry.defineModel(input as never) as never, 'db', { public: true })
  await app.register(mcp, { resource: `${origin}/mcp`, models: ['Note', 'Vault'], ...options })
  await app.register(rest, { prefix: '/api', remoting: { errorHandler: { log: false } } })
  await app.listen({ port, host: '127.0.0.1' })
  const { User, OAuthClientApplication, Note, Vault } = registry.models as Loose
  await User.create({ username: 'ada', email: 'ada@x.test', password: 'correct horse' })
  await OAuthClientApplication.create({
    id: 'agent', name: 'Agent', clientType: 'confidential', clientSecret: 'a long random text',
    grantTypes: ['client_credentials', 'password'], scopes: ['notes', 'vault']
  })
  await Note.create([{ text: 'of ada', userId: 1 }, { text: 'of bob', userId: 2 }])
  await Vault.create({ gold: 'much' })
  const audit: Loose[] = []
  registry.on('audit', (event: Loose) => { if (event.event === 'mcp.call') audit.push(event) })
  return {
    app,
    origin,
    audit,
    tokenFor: async (more = {}) => {
      const response = await fetch(`${origin}/oauth/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${Buffer.from('agent:a+long+random+text').toString('base64')}` },
        body: new URLSearchParams({ grant_type: 'password', username: 'ada', password: 'correct horse', scope: 'notes', ...more })
      })
      const { access_token: token } = await response.json() as Loose
      if (token === undefined) throw new Error(`no token: ${response.status}`)
      return token
    }
  }
}

const message = (name: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } })

async function call (origin: string, token: string | undefined, name = 'Note_find'): Promise<Loose> {
  const response = await fetch(`${origin}/mcp`, {
    method: 'POST',
    body: message(name),
    headers: {
      accept: 'application/json, text/event-stream', 'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` })
    }
  })
  const { result, ...others } = await response.json() as Loose
  return { status: response.status, challenge: response.headers.get('www-authenticate'), data: result?.structuredContent?.data, error: result?.structuredContent?.error ?? others }
}

t.test('the official client finds the authorization server, and gets a token for this endpoint', async t => {
  const { origin, audit } = await serve(t)
  const authProvider = new ClientCredentialsProvider({ clientId: 'agent', clientSecret: 'a long random text', scope: 'notes' })
  const transport = new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { authProvider })
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(transport as never)
  t.teardown(async () => { await client.close() })
  const { tools } = await client.listTools()
  t.same(tools.map(({ name }) => name).sort(), ['Note_find', 'Vault_count', 'Vault_find', 'Vault_findById'])
  const { structuredContent } = await client.callTool({ name: 'Note_find', arguments: {} })
  t.same(structuredContent, { data: [] }, 'it has no user, and sees the rows of none')
  t.match(audit, [{ tool: 'Note_find', client: 'agent', status: 200, userId: undefined }])
})

t.test('without a token: where to get one', async t => {
  const { origin } = await serve(t)
  const { status, challenge } = await call(origin, undefined)
  t.equal(status, 401)
  const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`
  t.match(challenge, `resource_metadata="${metadata}"`)
  t.match(await (await fetch(metadata)).json(), { resource: `${origin}/mcp`, authorization_servers: [origin] })
})

for (const guardApi of [false, true]) {
  t.test(`tokens for others are refused; API ${guardApi ? 'guarded' : 'open'}`, async t => {
    const { origin, app, audit, tokenFor } = await serve(t, { guardApi })
    const good = await tokenFor({ resource: `${origin}/mcp` })
    t.match(await call(origin, good), { status: 200, data: [{ text: 'of ada' }] })
    t.same((await call(origin, good)).data.length, 1, 'rules of rows')
    t.match(audit[0], { userId: 1, client: 'agent', tool: 'Note_find' })
    for (const [what, token] of [
      ['for this server as a whole', await tokenFor()],
      ['for another resource', await tokenFor({ resource: `${origin}/other` })],
      ['made up', 'zzz']
    ] as const) {
      const { status, challenge } = await call(origin, token)
      t.equal(status, 401, what)
      t.match(challenge, /error="invalid_token"/, what)
    }
    const { AccessToken, OAuthAccessToken } = app.registry.models as Loose
    const own = await AccessToken.create({ userId: 1, ttl: 1000 })
    t.equal((await call(origin, own.id)).status, 401, 'a token of the application')
    const overRest = await fetch(`${origin}/api/Notes`, { headers: { authorization: `Bearer ${good}` } })
    if (guardApi) {
      t.equal(overRest.status, 401, 'a token for agents is none for the API')
      t.match((await call(origin, good, 'Vault_find')).error, { statusCode: 403, error: 'insufficient_scope' }, 'scopes of the API hold')
      const wide = await tokenFor({ resource: `${origin}/mcp`, scope: 'notes vault' })
      t.match(await call(origin, wide, 'Vault_find'), { status: 200, data: [{ gold: 'much' }] })
    }
    await OAuthAccessToken.destroyAll()
    t.equal((await call(origin, good)).status, 401, 'revoked')
  })
}

t.test('scopes of the endpoint', async t => {
  const { origin, tokenFor } = await serve(t, { options: { scope: 'vault' } })
  const { status, challenge } = await call(origin, await tokenFor({ resource: `${origin}/mcp` }))
  t.equal(status, 403)
  t.match(challenge, /insufficient_scope.*scope="vault"/)
  t.equal((await call(origin, await tokenFor({ resource: `${origin}/mcp`, scope: 'vault' }))).status, 200)
})

t.test('"oauth": false takes tokens of the application', async t => {
  const { origin, app, tokenFor } = await serve(t, { options: { oauth: false, resource: undefined as never } })
  const { AccessToken } = app.registry.models as Loose
  t.equal((await call(origin, (await AccessToken.create({ userId: 1, ttl: 1000 })).id)).status, 200)
  t.equal((await call(origin, await tokenFor())).status, 401)
  t.equal((await call(origin, undefined)).status, 401)
})

t.test('what cannot work does not start', async t => {
  const wrong = { code: 'FBK_MCP_INVALID_OPTIONS' }
  await t.rejects(serve(t, { options: { anonymous: true } }), { ...wrong, message: /"anonymous"/ })
  await t.rejects(serve(t, { options: { resource: undefined as never } }), { ...wrong, message: /"resource"/ })
  await t.rejects(serve(t, { oauth: { resourceMetadata: false } }), { ...wrong, message: /resourceMetadata/ })
  await t.rejects(serve(t, { options: { resource: 'https://elsewhere.test/mcp' } }), { message: /resourceIndicators/ })
  await t.rejects(serve(t, { options: { resource: 'https://op.test/x' }, oauth: { issuer: 'https://op.test' } }), wrong)
})
