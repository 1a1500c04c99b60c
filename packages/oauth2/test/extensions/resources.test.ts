/* eslint camelcase: "off" -- parameters of the protocol are written as it has them */
/** Resource indicators (openid.md, section 9.4). */
import t from 'tap'
import { asWeb, bearer, Browser, callback, fails, formOf, get, makeServer, post, request, token, verifier, origin, type Server } from '../server.js'
import { logIn, makeProvider, userinfo } from '../openid/provider.js'

const [a, b] = ['https://api.test/a', 'https://api.test/b'] as const
const resources = { [a]: { scopes: ['read'], ttl: 60 }, [b]: { scopes: ['read', 'write'] }, 'urn:open': {} }
const on = {
  options: {
    resourceIndicators: { resources },
    authenticate: [
      { paths: ['/api/Notes/who'], options: { resource: a } },
      { paths: ['/api/Notes/forWriters'], options: { resource: a, scope: 'write' } },
      { paths: ['/api/Notes/scoped'], options: { resource: b, scope: 'write' } },
      { paths: ['/api/Notes/forWeb'], options: {} }
    ]
  }
}
const introspected = async (server: Server, text: string): Promise<any> =>
  (await post(server, '/oauth/introspect', { token: text }, asWeb)).json()
const several = (fields: Record<string, string | undefined>, ...uris: string[]): string =>
  [new URLSearchParams(fields as Record<string, string>).toString(), ...uris.map(uri => `resource=${encodeURIComponent(uri)}`)].join('&')

/** Tokens of a login whose request names resources. */
async function codeFor (server: Server, uris: string[], scope = 'read write'): Promise<Record<string, string>> {
  const secret = verifier()
  const { query } = await new Browser(server).walk(several(request({ scope }, secret), ...uris))
  return { grant_type: 'authorization_code', code: query.get('code') as string, code_verifier: secret, redirect_uri: callback }
}

t.test('OI-170: what is no URI, has a fragment or is not known is invalid_target', async t => {
  const server = await makeServer(t, on)
  for (const resource of ['x', '/api', `${a}#x`, 'https://other.test', 'javascript:alert(1)', 'https://', `${a}/`, `${a}\u0000`]) {
    fails(t, await token(server, { grant_type: 'client_credentials', scope: 'read', resource }), 400, 'invalid_target', resource)
    const { headers } = await get(server, `/oauth/authorize?${several(request(), resource)}`)
    t.match(headers.location, /error=invalid_target/, resource)
  }
  fails(t, await token(server, several({ grant_type: 'client_credentials' }, a, 'x')), 400, 'invalid_target')
  fails(t, await token(server, 'grant_type=client_credentials&scope=read&scope=read'), 400, 'invalid_request', 'nothing else may be repeated')
  t.equal((await token(server, several({ grant_type: 'client_credentials', scope: 'read' }, a, b, a))).statusCode, 200)
})

t.test('OI-171, OI-173: the token request narrows, and the refresh token keeps all', async t => {
  const server = await makeServer(t, on)
  const first = (await token(server, { ...await codeFor(server, [a, b]), resource: a })).json()
  t.match(first, { scope: 'read', expires_in: 60 })
  t.match(await introspected(server, first.access_token), { aud: a, scope: 'read' }, 'OI-172')
  const second = (await token(server, { grant_type: 'refresh_token', refresh_token: first.refresh_token, resource: b })).json()
  t.match(second, { scope: 'read write' })
  t.match(await introspected(server, second.access_token), { aud: b })
  const third = (await token(server, { grant_type: 'refresh_token', refresh_token: second.refresh_token })).json()
  t.strictSame((await introspected(server, third.access_token)).aud, [a, b])
  const fields = { grant_type: 'refresh_token', refresh_token: third.refresh_token }
  fails(t, await token(server, { ...fields, resource: 'urn:open' }), 400, 'invalid_target')
  fails(t, await token(server, { ...await codeFor(server, []), resource: a }), 400, 'invalid_target', 'none was authorized')
})

t.test('OI-172: without a resource a token is for this server', async t => {
  const server = await makeServer(t, on)
  const { access_token } = (await token(server, { grant_type: 'client_credentials', scope: 'read' })).json()
  t.match(await introspected(server, access_token), { aud: origin })
  t.equal((await get(server, '/api/Notes/forWeb', bearer(access_token))).statusCode, 200)
})

t.test('OI-174: a path is for tokens of its resource, with its scopes', async t => {
  const server = await makeServer(t, on)
  const of = async (...uris: string[]): Promise<Record<string, string>> =>
    bearer((await token(server, several({ grant_type: 'client_credentials', scope: 'read write' }, ...uris))).json().access_token)
  const [none, forA, forB, both] = [await of(), await of(a), await of(b), await of(a, b)]
  t.match((await get(server, '/api/Notes/who', forA)).json(), { client: 'web', scopes: ['read'] })
  t.match((await get(server, '/api/Notes/who', both)).json(), { scopes: ['read'] }, 'scopes of the other resource do not count')
  fails(t, await get(server, '/api/Notes/who', forB), 401, 'invalid_token')
  fails(t, await get(server, '/api/Notes/who', none), 401, 'invalid_token')
  fails(t, await get(server, '/api/Notes/forWriters', both), 403, 'insufficient_scope')
  t.equal((await get(server, '/api/Notes/scoped', both)).statusCode, 200)
  t.equal((await get(server, '/api/Notes/scoped', forB)).statusCode, 200)
  fails(t, await get(server, '/api/Notes/forWeb', forA), 401, 'invalid_token', 'a path of this server is for none of them')
})

t.test('OI-175: openid requests keep this server', async t => {
  const server = await makeProvider(t, { options: { resourceIndicators: { resources } } })
  const { body } = await logIn(server, { more: { resource: a, scope: 'openid email read write' } })
  t.match(body, { scope: 'openid email read', id_token: /./ })
  t.strictSame((await introspected(server, body.access_token)).active, false, 'of another client')
  t.equal((await userinfo(server, body.access_token)).statusCode, 200)
  const other = await server.model('OAuthAccessToken').findOne({ where: { appId: 'rp' } })
  t.strictSame([...other.resource], [a, origin])
  await server.model('OAuthAccessToken').updateAll({ appId: 'rp' }, { resource: [a] })
  fails(t, await userinfo(server, body.access_token), 401, 'invalid_token')
})

t.test('several resources wait for a login', async t => {
  const server = await makeServer(t, on)
  const browser = new Browser(server)
  const secret = verifier()
  const sent = await browser.authorize(several(request({}, secret), a, b))
  const consent = await browser.follow(await browser.logIn())
  t.match(sent.headers.location, '/login')
  const form = formOf(consent)
  const { headers } = await browser.request('POST', form.action, form.hidden)
  const code = new URL(String(headers.location)).searchParams.get('code') as string
  const tokens = (await token(server, { grant_type: 'authorization_code', code, code_verifier: secret, redirect_uri: callback })).json()
  t.strictSame((await introspected(server, tokens.access_token)).aud, [a, b])
})

t.test('options that are wrong stop the start; off is off', async t => {
  const code = { code: 'FBK_OAUTH2_INVALID_OPTIONS' }
  for (const uri of ['x', `${a}#y`]) {
    await t.rejects(makeServer(t, { options: { resourceIndicators: { resources: { [uri]: {} } } } }), code)
  }
  await t.rejects(makeServer(t, { options: { authenticate: [{ paths: '/x', options: { resource: a } }] } }), code)
  await t.rejects(makeServer(t, { options: { resourceIndicators: { resources: { [a]: { claims: ['email'] } } } } }), code)
  const server = await makeServer(t)
  const response = (await token(server, { grant_type: 'client_credentials', scope: 'read', resource: 'x' })).json()
  t.equal((await introspected(server, response.access_token)).aud, undefined)
  fails(t, await token(server, several({ grant_type: 'client_credentials' }, a, b)), 400, 'invalid_request')
})

t.test('OI-170: the dialog says what the access is for', async t => {
  const named = { ...resources, [a]: { ...resources[a], name: 'Orders <b>' } }
  const shown: any[] = []
  const server = await makeServer(t, { options: { resourceIndicators: { resources: named } } })
  const browser = new Browser(server)
  await browser.authorize(request())
  await browser.logIn()
  const dialog = await browser.request('GET', `/oauth/authorize?${several(request(), a, b)}`)
  t.match(dialog.body, /The access is for: <strong>Orders &lt;b&gt; \(https:\/\/api\.test\/a\), https:\/\/api\.test\/b<\/strong>/)
  t.notMatch((await browser.authorize(request())).body, /The access is for/)
  const own = await makeServer(t, {
    options: {
      resourceIndicators: { resources: named },
      pages: { views: { decision: values => { shown.push(values); return '' } } }
    }
  })
  const other = new Browser(own)
  await other.authorize(request())
  await other.logIn()
  await other.request('GET', `/oauth/authorize?${several(request(), a)}`)
  t.match(shown, [{ resources: [{ uri: a, name: 'Orders <b>' }] }])
})
