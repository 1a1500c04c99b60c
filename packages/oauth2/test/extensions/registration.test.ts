/* eslint camelcase: "off" -- parameters of the protocol are written as it has them */
/** Dynamic registration of clients, and its management (OI-190 to OI-202). */
import type { LightMyRequestResponse } from 'fastify'
import t, { type Test } from 'tap'
import {
  basic, bearer, Browser, fails, formOf, get, publicPem, redeem, refresh, request, token, verifier, who, type Server
} from '../server.js'
import { createPublicKey } from 'node:crypto'
import { proof, proofKey } from './proofs.js'
import { deviceGrant, makeExtended } from './provider.js'

const initial = 'an-initial-access-token'
const redirect = 'https://new.test/cb'
const on = (more: object = {}, others: object = {}) =>
  ({ options: { dynamicRegistration: { initialAccessToken: initial, allowedScopes: ['read', 'email'], ...more }, ...others } })
const jwk = createPublicKey(publicPem).export({ format: 'jwk' })

async function send (server: Pick<Server, 'app'>, method: string, url: string, body?: unknown, text?: string,
  more: object = {}): Promise<LightMyRequestResponse> {
  return await server.app.inject({
    method: method as 'GET', url: url.replace('http://op.test', ''), ...more,
    headers: {
      host: 'op.test', ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(text === undefined ? {} : bearer(text))
    },
    ...(body === undefined ? {} : { payload: JSON.stringify(body) })
  })
}

const register = async (server: Pick<Server, 'app'>, body: object = {}, text: string | undefined = initial) =>
  await send(server, 'POST', '/oauth/register', { redirect_uris: [redirect], ...body }, text)

/** Login, consent, tokens. */
async function tokensOf (server: Server, client: any, more: object = {}): Promise<any> {
  const secret = verifier()
  const { query } = await new Browser(server).walk(request({
    client_id: client.client_id, redirect_uri: redirect, ...more
  }, secret))
  return await redeem(server, { code: query.get('code') as string, secret }, { redirect_uri: redirect },
    basic(client.client_id, client.client_secret))
}

t.test('OI-18, OI-190: off, or with a token', async t => {
  const off = await makeExtended(t, {})
  t.equal((await register(off)).statusCode, 404)
  t.notOk('registration_endpoint' in (await get(off, '/.well-known/oauth-authorization-server')).json())
  t.notOk('registeredAt' in off.model('OAuthClientApplication').definition.properties)
  await t.rejects(makeExtended(t, { options: { dynamicRegistration: true } }), { code: 'FBK_OAUTH2_INVALID_OPTIONS' })
  await t.rejects(makeExtended(t, { options: { dynamicRegistration: {} } }), { code: 'FBK_OAUTH2_INVALID_OPTIONS' })
  await t.rejects(makeExtended(t, on({ allowedGrantTypes: ['magic'] })), { code: 'FBK_OAUTH2_INVALID_OPTIONS' })
  const server = await makeExtended(t, on())
  t.equal((await get(server, '/.well-known/oauth-authorization-server')).json().registration_endpoint,
    'http://op.test/oauth/register')
  for (const text of [undefined, 'another-initial-access-token', '']) {
    const response = await send(server, 'POST', '/oauth/register', { redirect_uris: [redirect] }, text)
    fails(t, response, 401, 'invalid_token')
    t.match(response.headers['www-authenticate'], /^Bearer .*error="invalid_token"/)
  }
  const asked: unknown[] = []
  const own = await makeExtended(t, on({
    initialAccessToken: async (text: string, { ip }: any) => {
      asked.push([text, ip])
      return text === 'yes'
    }
  }))
  t.equal((await register(own, {}, 'yes')).statusCode, 201)
  fails(t, await register(own, {}, 'no'), 401, 'invalid_token')
  t.strictSame(asked, [['yes', '127.0.0.1'], ['no', '127.0.0.1']])
})

t.test('OI-190: open to anybody, with a warning and a limit', async t => {
  const server = await makeExtended(t, on({ initialAccessToken: false }))
  t.ok(server.logs.some(line => line.includes('anybody can register')))
  for (let i = 0; i < 20; i++) t.equal((await send(server, 'POST', '/oauth/register', { redirect_uris: [redirect] })).statusCode, 201)
  const refused = await send(server, 'POST', '/oauth/register', { redirect_uris: [redirect] })
  t.equal(refused.statusCode, 429)
  t.ok(Number(refused.headers['retry-after']) > 600)
})

t.test('OI-191, OI-192: what a client is told, and what it can do then', async t => {
  const server = await makeExtended(t, on())
  const response = await register(server, { client_name: 'New', contacts: ['a@new.test'], grant_types: ['authorization_code', 'refresh_token'] })
  t.equal(response.statusCode, 201)
  t.equal(response.headers['cache-control'], 'no-store')
  const client = response.json()
  t.match(client, {
    client_secret_expires_at: 0, token_endpoint_auth_method: 'client_secret_basic', response_types: ['code'],
    redirect_uris: [redirect], client_name: 'New', contacts: ['a@new.test'], application_type: 'web', scope: 'read email',
    registration_client_uri: `http://op.test/oauth/register/${client.client_id as string}`
  })
  t.ok(Math.abs(client.client_id_issued_at - Date.now() / 1000) < 10)
  t.ok(client.registration_access_token.length >= 43, 'OI-201')
  const row = await server.model('OAuthClientApplication').findById(client.client_id)
  const stored = JSON.stringify(row.__data ?? row)
  t.notMatch(stored, client.client_secret, 'a hash')
  t.notMatch(stored, client.registration_access_token, 'a digest')
  t.notOk('registrationAccessToken' in row.toJSON())
  t.type(row.registeredAt, Date, 'OI-202')
  const tokens = (await tokensOf(server, client)).json()
  t.equal(tokens.scope, 'read')
  const own = basic(client.client_id, client.client_secret)
  t.equal((await refresh(server, tokens.refresh_token, {}, own)).statusCode, 200)
  const least = (await register(server)).json()
  t.strictSame(least.grant_types, ['authorization_code'])
  const open = (await register(server, { token_endpoint_auth_method: 'none' })).json()
  t.notOk('client_secret' in open)
  t.equal((await server.model('OAuthClientApplication').findById(open.client_id)).clientType, 'public')
  const keyed = (await register(server, { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [jwk] } })).json()
  t.notOk('client_secret' in keyed)
  t.equal(keyed.jwks.keys[0].n, jwk.n)
})

t.test('OI-193: what does not go together', async t => {
  const server = await makeExtended(t, on({}, { openid: true, deviceFlow: true }))
  for (const body of [
    { grant_types: ['authorization_code'], response_types: [] }, { grant_types: ['refresh_token'], response_types: ['code'] },
    { grant_types: [] }, { grant_types: ['magic'] }, { grant_types: 'authorization_code' }, { response_types: ['id_token'] },
    { grant_types: ['implicit'], response_types: ['token'] }, { token_endpoint_auth_method: 'tls_client_auth' },
    { token_endpoint_auth_method: 'private_key_jwt' }, { token_endpoint_auth_signing_alg: 'none' },
    { jwks: { keys: [] }, jwks_uri: 'https://new.test/jwks' }, { jwks_uri: 'http://new.test/jwks' },
    { jwks: { keys: [{ ...jwk, d: 'x' }] } }, { jwks: 'x' }, { jwks: { keys: [{ kty: 'RSA' }] } },
    { id_token_signed_response_alg: 'none' }, { id_token_signed_response_alg: 'HS256' }, { default_max_age: -1 },
    { subject_type: 'pairwise' }, { subject_type: 'x' }, { default_acr_values: ['x'] }, { backchannel_logout_uri: 'http://127.0.0.1/x' },
    { application_type: 'desktop' }, { scope: 7 }, { scope: 'a "b"' }, { require_auth_time: 'yes' }
  ]) fails(t, await register(server, body), 400, 'invalid_client_metadata', JSON.stringify(body))
  for (const body of ['text', 7, null, [], ['x']]) {
    fails(t, await send(server, 'POST', '/oauth/register', body, initial), 400, 'invalid_client_metadata')
  }
  for (const type of ['text/plain', 'application/json']) {
    const headers = { ...bearer(initial), 'content-type': type }
    const response = await server.app.inject({ method: 'POST', url: '/oauth/register', headers, payload: '{' })
    fails(t, response, 400, 'invalid_client_metadata', type)
  }
  t.equal((await register(server, { client_name: 'x'.repeat(70_000) })).statusCode, 413)
  const device = await register(server, { grant_types: [deviceGrant], redirect_uris: [] })
  t.equal(device.statusCode, 201, device.body)
  t.strictSame(device.json().response_types, [])
  t.strictSame((await register(server, { default_max_age: 60, id_token_signed_response_alg: 'RS256' })).json().default_max_age, 60)
})

t.test('OI-194: redirect URIs', async t => {
  const server = await makeExtended(t, on({}, { allowInsecureRedirects: true }))
  const web = async (...redirect_uris: unknown[]) => await register(server, { redirect_uris })
  const native = async (...redirect_uris: unknown[]) => await register(server, { redirect_uris, application_type: 'native' })
  for (const uri of [
    'http://new.test/cb', 'http://127.0.0.1/cb', 'com.new.app:/cb', 'https://new.test/cb#x', 'https://a@new.test/', '/cb',
    'javascript:alert(1)', 'https://new.test/\ncb', ' https://new.test/cb', 'https://new.test/ü', 7, {}, null, ''
  ]) fails(t, await web(uri), 400, 'invalid_redirect_uri', String(uri))
  fails(t, await web(), 400, 'invalid_redirect_uri')
  for (const uri of ['http://new.test/cb', 'https://new.test/cb', 'newapp:/cb', 'javascript:alert(1)', 'data:text/html,x']) {
    fails(t, await native(uri), 400, 'invalid_redirect_uri', uri)
  }
  for (const uri of ['com.new.app:/cb', 'http://127.0.0.1/cb', 'http://[::1]/cb', 'http://localhost:7000/cb']) {
    t.equal((await native(uri)).statusCode, 201, uri)
  }
  t.equal((await web(redirect, 'https://other.test/cb')).statusCode, 201)
})

t.test('OI-195: nothing more than registration gives', async t => {
  const server = await makeExtended(t, on())
  const client = (await register(server, {
    scope: 'admin read write', trusted: true, resourceServer: true, client_id: 'mine', id: 'mine', scopes: ['admin'],
    clientSecret: 'chosen by me', client_secret: 'chosen by me', redirectURIs: ['https://evil.test/'], status: 'x',
    registrationAccessToken: 'x', grantTypes: ['password'], allowedOrigins: ['https://evil.test']
  })).json()
  t.not(client.client_id, 'mine')
  t.equal(client.scope, 'read')
  const row = await server.model('OAuthClientApplication').findById(client.client_id)
  t.match(row, { scopes: ['read'], redirectURIs: [redirect], grantTypes: ['authorization_code'], status: 'sandbox' })
  for (const name of ['trusted', 'resourceServer', 'allowedOrigins', 'jwks']) {
    t.ok([undefined, null].includes(row[name]) || row[name].length === 0, name)
  }
  fails(t, await register(server, { scope: 'admin' }), 400, 'invalid_client_metadata')
  const usual = await makeExtended(t, { options: { dynamicRegistration: { initialAccessToken: initial } } })
  t.equal((await register(usual)).json().scope, 'openid profile email')
  for (const grant of ['password', 'client_credentials', 'implicit', 'urn:ietf:params:oauth:grant-type:jwt-bearer']) {
    fails(t, await register(usual, { grant_types: [grant], response_types: [] }), 400, 'invalid_client_metadata', grant)
  }
  const wide = await makeExtended(t, on({ allowedGrantTypes: ['client_credentials'] }))
  const machine = (await register(wide, { grant_types: ['client_credentials'] })).json()
  const got = await token(wide, { grant_type: 'client_credentials', scope: 'read' }, basic(machine.client_id, machine.client_secret))
  t.equal(got.statusCode, 200)
  fails(t, await register(wide, { grant_types: ['client_credentials'], token_endpoint_auth_method: 'none' }), 400, 'invalid_client_metadata')
})

t.test('OI-196, OI-197: texts, and what is not known', async t => {
  const server = await makeExtended(t, on())
  const client = (await register(server, { unknown: 'x', client_name: '<b>Ünïque</b>', 'client_name#de': 'x' })).json()
  t.notOk('unknown' in client)
  const browser = new Browser(server)
  await browser.logIn()
  const page = await browser.authorize(request({ client_id: client.client_id, redirect_uri: redirect }))
  t.match(page.body, '&lt;b&gt;Ünïque&lt;/b&gt;')
  t.ok(formOf(page).names.includes('transaction_id'))
  for (const body of [
    { client_name: 'x'.repeat(201) }, { client_name: 'a\u0000b' }, { client_name: 'a\u202eb' }, { client_name: 7 },
    { client_name: ' ' }, { logo_uri: 'http://new.test/x' }, { tos_uri: 'javascript:alert(1)' }, { policy_uri: 'x' },
    { client_uri: 'https://a:b@new.test' }, { logo_uri: 'data:image/png,x' }, { contacts: 'a@b' },
    { contacts: Array.from({ length: 21 }, (_, i) => String(i)) }
  ]) fails(t, await register(server, body), 400, 'invalid_client_metadata', JSON.stringify(body))
  fails(t, await register(server, { software_statement: 'a.b.c' }), 400, 'invalid_software_statement')
})

async function managed (t: Test, more: object = {}) {
  const server = await makeExtended(t, on({}, more))
  const client = (await register(server, { client_name: 'New', logo_uri: 'https://new.test/logo' })).json()
  const manage = async (
    method: string, body?: object, text = client.registration_access_token, uri = client.registration_client_uri
  ) => await send(server, method, uri, body, text)
  return { server, client, manage }
}

t.test('OI-198: a client reads itself', async t => {
  const { client, manage } = await managed(t)
  const response = await manage('GET')
  t.equal(response.statusCode, 200)
  t.equal(response.headers['cache-control'], 'no-store')
  const { client_secret, client_secret_expires_at, ...registered } = client
  t.strictSame(response.json(), registered)
})

t.test('OI-199: an update replaces all', async t => {
  const { server, client, manage } = await managed(t)
  const { client_id, client_secret } = client
  const body = { client_id, redirect_uris: [redirect], client_name: 'Newer' }
  for (const wrong of [
    { client_id: undefined }, { client_id: 'web' }, { registration_access_token: 'x' }, { registration_client_uri: 'x' },
    { client_id_issued_at: 1 }, { client_secret_expires_at: 0 }, { client_secret: 'wrong' }, { client_secret: 7 },
    { grant_types: ['password'] }
  ]) fails(t, await manage('PUT', { ...body, ...wrong }), 400, 'invalid_client_metadata', JSON.stringify(wrong))
  const response = await manage('PUT', { ...body, client_secret, trusted: true })
  t.equal(response.statusCode, 200, response.body)
  t.match(response.json(), { client_id, client_name: 'Newer', scope: 'read email', client_id_issued_at: client.client_id_issued_at })
  t.notOk('logo_uri' in response.json(), 'what is left out has its default')
  t.strictSame((await manage('GET')).json(), response.json())
  t.equal((await tokensOf(server, client)).statusCode, 200, 'the secret is as before')
  const open = await manage('PUT', { ...body, token_endpoint_auth_method: 'none' })
  t.notOk('client_secret' in open.json())
  fails(t, await tokensOf(server, client), 401, 'invalid_client', 'the secret has ended')
  const again = (await manage('PUT', body)).json()
  t.ok(again.client_secret)
  t.not(again.client_secret, client_secret)
  t.equal((await tokensOf(server, { ...client, ...again })).statusCode, 200)
})

t.test('OI-200: a client removes itself, and all that it has', async t => {
  const { server, client, manage } = await managed(t)
  const tokens = (await tokensOf(server, client)).json()
  t.equal((await who(server, tokens.access_token)).statusCode, 200)
  const response = await manage('DELETE')
  t.equal(response.statusCode, 204)
  t.equal(response.body, '')
  t.equal((await who(server, tokens.access_token)).statusCode, 401)
  t.equal(await server.model('OAuthPermission').count({ appId: client.client_id }), 0)
  t.equal(await server.model('OAuthAccessToken').count({ appId: client.client_id, revoked: false }), 0)
  t.equal(await server.model('OAuthClientApplication').count({ id: client.client_id }), 0)
  fails(t, await manage('DELETE'), 401, 'invalid_token')
})

t.test('OI-201: whatever is wrong, the response is the same', async t => {
  const { server, client, manage } = await managed(t)
  const other = (await register(server)).json()
  const body = { client_id: client.client_id, redirect_uris: [redirect] }
  const gone = (await register(server)).json()
  await manage('DELETE', undefined, gone.registration_access_token, gone.registration_client_uri)
  for (const method of ['GET', 'PUT', 'DELETE']) {
    const sent = method === 'PUT' ? body : undefined
    const responses = await Promise.all([
      manage(method, sent, 'x'.repeat(43)), manage(method, sent, other.registration_access_token),
      manage(method, sent, initial), manage(method, sent, gone.registration_access_token, gone.registration_client_uri),
      manage(method, sent, client.registration_access_token, '/oauth/register/web'),
      manage(method, sent, client.registration_access_token, '/oauth/register/%00'),
      manage(method, sent, client.registration_access_token, `/oauth/register/${'x'.repeat(43)}`),
      send(server, method, client.registration_client_uri, sent)
    ])
    for (const response of responses) {
      fails(t, response, 401, 'invalid_token')
      t.equal(response.body, responses[0]?.body)
      t.equal(response.headers['www-authenticate'], responses[0]?.headers['www-authenticate'])
    }
  }
  t.equal((await manage('GET')).statusCode, 200)
})

t.test('OI-202: clients that nobody uses are removed', async t => {
  const age = async (server: Server, id: string, seconds: number) => {
    const registeredAt = new Date(Date.now() - seconds * 1000)
    await server.model('OAuthClientApplication').updateAll({ id }, { registeredAt })
  }
  const never = await managed(t)
  await age(never.server, never.client.client_id, 1000 * 86_400)
  await never.server.provider.cleanUp()
  t.equal((await never.manage('GET')).statusCode, 200, 'not by default')
  const server = await makeExtended(t, on({ expireUnused: 3600 }))
  const [used, unused, fresh] = [
    (await register(server)).json(), (await register(server)).json(), (await register(server)).json()
  ]
  t.equal((await tokensOf(server, used)).statusCode, 200)
  for (const { client_id } of [used, unused]) await age(server, client_id, 3700)
  await age(server, fresh.client_id, 3500)
  await server.provider.cleanUp()
  const ids = (await server.model('OAuthClientApplication').find()).map(({ id }: { id: string }) => id)
  t.ok(ids.includes(used.client_id))
  t.ok(ids.includes(fresh.client_id))
  t.notOk(ids.includes(unused.client_id))
  t.ok(ids.includes('web'), 'others are left alone')
})

t.test('OI-159, OI-192: a client that registers with dpop_bound_access_tokens gets no other tokens', async t => {
  const server = await makeExtended(t, on({ allowedGrantTypes: ['client_credentials', 'authorization_code'] }, { dpop: true }))
  const body = { grant_types: ['client_credentials'], response_types: [], redirect_uris: [], dpop_bound_access_tokens: true }
  const made = await register(server, body)
  t.equal(made.statusCode, 201, made.body)
  const client = made.json()
  t.equal(client.dpop_bound_access_tokens, true)
  const headers = basic(client.client_id, client.client_secret)
  // Seen to fail: without the field in a registration this is a token that anybody can use who has it.
  fails(t, await token(server, { grant_type: 'client_credentials' }, headers), 400, 'invalid_dpop_proof')
  const proved = { ...headers, dpop: await proof(await proofKey()) }
  t.match((await token(server, { grant_type: 'client_credentials' }, proved)).json(), { token_type: 'DPoP' })
  fails(t, await register(server, { ...body, dpop_bound_access_tokens: 'yes' }), 400, 'invalid_client_metadata')
  const off = await makeExtended(t, on({ allowedGrantTypes: ['client_credentials'] }))
  t.notOk('dpop_bound_access_tokens' in (await register(off, body)).json())
})

t.test('OI-136: a registration names an address for logouts where its redirects are', async t => {
  const server = await makeExtended(t, on({}, { openid: { frontchannelLogout: true } }))
  const good = { frontchannel_logout_uri: 'https://new.test/out', frontchannel_logout_session_required: true }
  t.match((await register(server, good)).json(), good)
  for (const frontchannel_logout_uri of ['https://evil.test/out', 'http://new.test/out', 'x', 7]) {
    fails(t, await register(server, { frontchannel_logout_uri }), 400, 'invalid_client_metadata')
  }
  const off = await makeExtended(t, on({}, { openid: true }))
  t.notOk('frontchannel_logout_uri' in (await register(off, good)).json())
})
