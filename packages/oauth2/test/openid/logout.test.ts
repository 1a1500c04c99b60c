/* eslint camelcase: "off" -- parameters of the protocol are written as it has them */
/** Logout that a client asks for (openid.md, section 8.1). */
import * as client from 'openid-client'
import { SignJWT } from 'jose'
import { memoryConnector } from '@fastback/connector-memory'
import { sqlConnector } from '@fastback/connector-sql'
import t, { type Test } from 'tap'
import { formOf, formText, type Answer, type Server } from '../server.js'
import {
  addressOf, Browser, logIn, makeProvider, openIdRequest, post, renew, userinfo, type OpenIdParts, type Redeemed
} from './provider.js'

const after = 'https://client.test/bye?kept=1'

type Fields = Record<string, string | undefined>

async function server (t: Test, parts: OpenIdParts = {}): Promise<Server> {
  const made = await makeProvider(t, parts)
  await made.model('OAuthClientApplication').updateAll({ id: 'rp' }, { postLogoutRedirectURIs: [after] })
  await made.model('OAuthClientApplication').updateAll({ id: 'rp2' }, { postLogoutRedirectURIs: ['https://other.test/bye'] })
  return made
}

const logOut = async (browser: Browser, fields: Fields = {}) =>
  await browser.request('GET', `/oauth/logout?${formText(fields)}`)

const isIn = async (browser: Browser): Promise<boolean> =>
  (await browser.request('GET', '/oauth/grants')).statusCode === 200

interface Person { readonly browser: Browser, readonly tokens: Redeemed, readonly hint: string }

async function person (made: Server, more: Fields = {}): Promise<Person> {
  const browser = new Browser(made)
  const tokens = await logIn(made, { browser, more })
  return { browser, tokens, hint: tokens.body.id_token }
}

const stores = {
  memory: { connector: memoryConnector },
  SQLite: { connector: sqlConnector, settings: { url: 'sqlite::memory:', migrate: 'update' } }
}

for (const [name, parts] of Object.entries(stores)) {
  t.test(`OI-121, OI-124, OI-127: logout with an id_token, on ${name}`, async t => {
    const made = await server(t, parts)
    const { browser, tokens, hint } = await person(made)
    const other = await logIn(made, { browser, client: 'rp2', more: { redirect_uri: 'https://other.test/cb' } })
    const elsewhere = await person(made)
    const cookie = browser.cookies.get('fastback.oauth2') as string
    const response = await logOut(browser, { id_token_hint: hint, post_logout_redirect_uri: after, state: 'a b&c=%' })
    t.equal(response.statusCode, 302)
    const to = new URL(response.headers.location as string)
    t.equal(to.origin + to.pathname, 'https://client.test/bye')
    t.strictSame([...to.searchParams], [['kept', '1'], ['state', 'a b&c=%']], 'OI-124: state as it came')
    t.match(response.headers, { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    t.equal(browser.cookies.size, 0, 'OI-127: the cookie is removed')
    t.notOk(await isIn(new Browser(made, [['fastback.oauth2', cookie]])), 'and the record behind it')
    t.equal((await userinfo(made, tokens.body.access_token)).statusCode, 401, 'OI-127: tokens of the login')
    t.equal((await renew(made, tokens.body.refresh_token)).status, 400)
    t.equal((await userinfo(made, other.body.access_token)).statusCode, 401, 'of all clients')
    t.equal((await userinfo(made, elsewhere.tokens.body.access_token)).statusCode, 200, 'other logins stay')
    t.ok(await isIn(elsewhere.browser))
  })

  t.test(`OI-127: offline_access outlives the login; POST /logout does the same, on ${name}`, async t => {
    const made = await server(t, parts)
    const { browser, tokens } = await person(made, { scope: 'openid offline_access', prompt: 'consent' })
    const online = await logIn(made, { browser })
    await browser.request('POST', '/logout', {})
    t.equal((await renew(made, tokens.body.refresh_token)).status, 200, 'offline_access')
    t.equal((await userinfo(made, online.body.access_token)).statusCode, 401)
  })
}

t.test('OI-127: tokens of OAuth that are no openid grants stay', async t => {
  const made = await server(t)
  const { browser, hint } = await person(made)
  const plain = await logIn(made, { browser, client: 'rp', more: { scope: '' } })
  await logOut(browser, { id_token_hint: hint })
  t.equal((await made.app.inject({
    url: '/api/Notes/who', headers: { host: 'op.test', authorization: `Bearer ${plain.body.access_token as string}` }
  })).statusCode, 200)
})

t.test('OI-122: without the id_token of the login a page asks', async t => {
  const made = await server(t)
  const { browser } = await person(made)
  const bob = new Browser(made)
  const foreign = await logIn(made, { browser: bob, who: { username: 'bob', password: 'battery staple' } })
  for (const fields of [{}, { client_id: 'rp' }, { id_token_hint: foreign.body.id_token }]) {
    const page = await logOut(browser, { ...fields, logout_hint: 'x', ui_locales: 'de' })
    t.equal(page.statusCode, 200)
    const form = formOf(page)
    t.equal(form.action, '/oauth/logout')
    t.ok(form.hidden._csrf)
    t.ok(form.names.includes('logout'))
    t.ok(await isIn(browser), 'nothing ends before it is confirmed')
    t.notMatch(page.body, foreign.body.id_token, 'OI-128')
    t.match(page.headers['content-security-policy'], /default-src 'none'/)
  }
  const page = await logOut(browser, { client_id: 'rp', post_logout_redirect_uri: after, state: 's' })
  t.match(page.body, /Party rp/)
  const { hidden } = formOf(page)
  const evil = await browser.request('POST', '/oauth/logout', { ...hidden, logout: 'yes' }, { origin: 'https://evil.test' })
  t.equal(evil.statusCode, 403, 'origin check')
  const without = await browser.request('POST', '/oauth/logout', { logout: 'yes' })
  t.equal(without.statusCode, 403, 'no token of the form')
  t.ok(await isIn(browser))
  const done = await browser.request('POST', '/oauth/logout', { ...hidden, logout: 'yes' })
  t.equal(done.statusCode, 303)
  t.equal(done.headers.location, `${after}&state=s`)
  t.notOk(await isIn(browser))
})

t.test('OI-121: an id_token of another login of the same user is confirmed', async t => {
  const made = await server(t)
  const { browser } = await person(made)
  const elsewhere = await person(made)
  t.equal((await logOut(browser, { id_token_hint: elsewhere.hint })).statusCode, 200)
  t.ok(await isIn(browser))
})

t.test('OI-123: addresses are compared to the character', async t => {
  const made = await server(t)
  const { browser, hint } = await person(made)
  for (const post_logout_redirect_uri of [
    'https://evil.test/', `${after}&x=1`, 'https://client.test/bye', after.toUpperCase(), `${after}#x`, '//evil.test',
    'https://other.test/bye', 'javascript:alert(1)', `${after} `, 'https://client.test/cb'
  ]) {
    const response = await logOut(browser, { id_token_hint: hint, post_logout_redirect_uri })
    t.equal(response.statusCode, 400, post_logout_redirect_uri)
    t.equal(response.headers.location, undefined, 'OI-129: errors are pages')
    t.ok(await isIn(browser), 'the session is untouched')
  }
  t.equal((await logOut(browser, { post_logout_redirect_uri: after })).statusCode, 400, 'no client')
  t.equal((await logOut(browser, { client_id: 'ghost' })).statusCode, 400, 'no such client')
  t.equal((await logOut(browser, { id_token_hint: hint, client_id: 'rp2' })).statusCode, 400, 'two clients')
  t.equal((await logOut(browser, { id_token_hint: hint, client_id: 'rp' })).statusCode, 200, 'the same one')
})

t.test('OI-120: repeated parameters, by GET and POST', async t => {
  const made = await server(t)
  const { browser, hint } = await person(made)
  t.equal((await browser.request('GET', '/oauth/logout?state=1&state=2')).statusCode, 400)
  t.equal((await browser.request('POST', '/oauth/logout', 'client_id=rp&client_id=rp')).statusCode, 400)
  const response = await browser.request('POST', '/oauth/logout?state=ignored', {
    id_token_hint: hint, post_logout_redirect_uri: after
  })
  t.equal(response.statusCode, 303)
  t.equal(response.headers.location, after, 'a POST takes its form only')
})

t.test('OI-125: hints that are not ours; an old one is', async t => {
  const made = await server(t)
  const { browser, tokens, hint } = await person(made)
  const [header, payload, signature] = hint.split('.') as [string, string, string]
  const swap = (claims: object): string => Buffer.from(JSON.stringify({ ...tokens.claims, ...claims })).toString('base64url')
  const forged = await new SignJWT({ ...tokens.claims }).setProtectedHeader({ alg: 'HS256', kid: tokens.header.kid })
    .sign(Buffer.from('x'.repeat(32)))
  const sign = async (claims: object, typ = 'JWT'): Promise<string> =>
    await made.provider.keys.sign({ ...tokens.claims, ...claims }, { alg: 'RS256', typ })
  for (const id_token_hint of [
    'x', `${header}.${payload}.`, `${header}.${swap({ sub: '2' })}.${signature}`, forged,
    `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`,
    await sign({ iss: 'https://evil.test' }), await sign({}, 'logout+jwt'), await sign({}, 'at+jwt'), 'y'.repeat(20_000)
  ]) {
    const response = await logOut(browser, { id_token_hint, post_logout_redirect_uri: after })
    t.equal(response.statusCode, 400, id_token_hint.slice(0, 30))
    t.equal(response.headers.location, undefined)
    t.notMatch(response.body, id_token_hint.length > 10 ? id_token_hint : 'a text that is nowhere', 'OI-128')
  }
  t.ok(await isIn(browser))
  const old = await sign({ exp: 1000, iat: 900 })
  t.equal((await logOut(browser, { id_token_hint: old, post_logout_redirect_uri: after })).headers.location, after)
  t.notOk(await isIn(browser))
  t.notMatch(made.logs.join(''), old, 'OI-128: nor in the log')
})

t.test('OI-126: nobody is logged in', async t => {
  const made = await server(t)
  const { hint } = await person(made)
  const nobody = new Browser(made)
  t.equal((await logOut(nobody, { id_token_hint: hint, post_logout_redirect_uri: after })).headers.location, after)
  t.match((await logOut(nobody)).body, /signed out/)
  t.equal((await logOut(nobody, { client_id: 'rp', post_logout_redirect_uri: 'https://evil.test' })).statusCode, 400)
})

t.test('OI-120: a form of the client comes without cookie, and the browser comes back with it', async t => {
  const made = await server(t)
  const { browser, hint } = await person(made)
  const cross = { 'sec-fetch-site': 'cross-site', origin: 'https://client.test' }
  const fields = { id_token_hint: hint, post_logout_redirect_uri: after, state: 's' }
  const response = await post(made, '/oauth/logout', fields, cross)
  t.equal(response.statusCode, 303)
  const { location } = response.headers
  t.match(location, /^\/oauth\/logout\?request=[\w-]{43}$/, 'OI-128: without any token')
  t.ok(await isIn(browser))
  t.equal((await browser.request('GET', location as string)).headers.location, `${after}&state=s`)
  t.notOk(await isIn(browser))
  t.equal((await browser.request('GET', location as string)).statusCode, 400, 'once')
  const wrong = await post(made, '/oauth/logout', { ...fields, post_logout_redirect_uri: 'https://evil.test' }, cross)
  t.equal(wrong.statusCode, 400)
})

t.test('endSessionPath: false', async t => {
  const made = await makeProvider(t, { openid: { endSessionPath: false } })
  t.equal((await new Browser(made).request('GET', '/oauth/logout')).statusCode, 404)
})

t.test('a client library: openid-client finds the endpoint, and its address works', async t => {
  const made = await server(t)
  await made.app.listen({ port: 0, host: '127.0.0.1' })
  const url = addressOf(made)
  const config = await client.discovery(url, 'rp', {}, client.ClientSecretBasic('w3b secret:&+'), {
    execute: [client.allowInsecureRequests]
  })
  const browser = new Browser({
    app: {
      inject: (options: any) => made.app.inject({ ...options, headers: { ...options.headers, host: url.host } })
    } as never
  })
  const pkceCodeVerifier = client.randomPKCECodeVerifier()
  const nonce = client.randomNonce()
  const address = client.buildAuthorizationUrl(config, {
    redirect_uri: 'https://client.test/cb',
    scope: 'openid email',
    prompt: 'login',
    max_age: '300',
    nonce,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256'
  })
  const { url: answer }: Answer = await browser.walk(address.search.slice(1))
  const tokens = await client.authorizationCodeGrant(config, answer as URL, {
    pkceCodeVerifier, expectedNonce: nonce, maxAge: 300, idTokenExpected: true
  })
  const out = client.buildEndSessionUrl(config, {
    id_token_hint: tokens.id_token as string, post_logout_redirect_uri: after, state: 'x'
  })
  t.equal(out.pathname, '/oauth/logout')
  t.equal((await browser.request('GET', out.pathname + out.search)).headers.location, `${after}&state=x`)
  t.notOk(await isIn(browser))
  t.equal((await browser.authorize(openIdRequest({ prompt: 'none' }))).statusCode, 302)
})
