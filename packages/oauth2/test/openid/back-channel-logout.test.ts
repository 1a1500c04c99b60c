// FASTBACK_TEST_FULL: receivers that are waited for.
/* eslint camelcase: "off" -- parameters of the protocol are written as it has them */
/** Logout tokens that clients are sent (openid.md, section 8.2), to a client on this machine. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { memoryConnector } from '@fastback/connector-memory'
import { sqlConnector } from '@fastback/connector-sql'
import t, { type Test } from 'tap'
import { formOf, type Server } from '../server.js'
import {
  Browser, get, logIn, makeProvider, renew, sharedStore, userinfo, type OpenIdParts, type Redeemed
} from './provider.js'

interface Client {
  readonly uri: string
  /** Logout tokens that came. */
  readonly tokens: string[]
}

/** A client that takes logout tokens. */
async function listening (t: Test, status = 200): Promise<Client> {
  const tokens: string[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', part => { body += String(part) })
    request.on('end', () => {
      if (request.method === 'POST') tokens.push(new URLSearchParams(body).get('logout_token') as string)
      response.writeHead(status).end()
    })
  })
  await new Promise<void>(resolve => { server.listen(0, '127.0.0.1', resolve) })
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return { uri: `http://127.0.0.1:${(server.address() as AddressInfo).port}/backchannel`, tokens }
}

const until = async (holds: () => boolean): Promise<void> => {
  for (let i = 0; i < 300 && !holds(); i++) await new Promise(resolve => setTimeout(resolve, 10))
}
/** Long enough for a message that should not come. */
const pause = async (): Promise<void> => { await new Promise(resolve => setTimeout(resolve, 150)) }

interface Setting {
  readonly server: Server
  readonly one: Client
  readonly two: Client
}

/** `rp` and `rp2` take logout tokens. */
async function setting (t: Test, parts: OpenIdParts = {}): Promise<Setting> {
  const server = await makeProvider(t, parts)
  const [one, two] = [await listening(t), await listening(t)]
  const Client = server.model('OAuthClientApplication')
  await Client.updateAll({ id: 'rp' }, { backchannelLogoutURI: one.uri })
  await Client.updateAll({ id: 'rp2' }, { backchannelLogoutURI: two.uri })
  return { server, one, two }
}

const second = { client: 'rp2', more: { redirect_uri: 'https://other.test/cb' } }

async function person (server: Server): Promise<{ browser: Browser, tokens: Redeemed }> {
  const browser = new Browser(server)
  return { browser, tokens: await logIn(server, { browser }) }
}

const stores = {
  memory: { connector: memoryConnector },
  SQLite: { connector: sqlConnector, settings: { url: 'sqlite::memory:', migrate: 'update' } }
}

for (const [name, parts] of Object.entries(stores)) {
  t.test(`OI-130, OI-131, OI-132: each client of the login gets a token, on ${name}`, async t => {
    const { server, one, two } = await setting(t, parts)
    const { browser, tokens } = await person(server)
    await logIn(server, { browser })
    await logIn(server, { browser, ...second })
    const cookie = browser.cookies.get('fastback.oauth2') as string
    const elsewhere = await person(server)
    await browser.request('GET', `/oauth/logout?id_token_hint=${tokens.body.id_token as string}`)
    await until(() => one.tokens.length > 0 && two.tokens.length > 0)
    await pause()
    t.equal(one.tokens.length, 1, 'one for each client, however many tokens it got')
    t.equal(two.tokens.length, 1)
    const keys = createLocalJWKSet((await get(server, '/oauth/jwks')).json())
    const { payload, protectedHeader } = await jwtVerify(one.tokens[0] as string, keys, {
      issuer: 'http://op.test', audience: 'rp', typ: 'logout+jwt'
    })
    t.match(protectedHeader, { alg: 'RS256', typ: 'logout+jwt', kid: String })
    t.match(payload, {
      sub: tokens.claims.sub, sid: tokens.claims.sid, jti: String,
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} }
    })
    t.equal((payload.exp as number) - (payload.iat as number), 120)
    t.notOk('nonce' in payload)
    const other = await jwtVerify(two.tokens[0] as string, keys, { audience: 'rp2' })
    t.equal(other.payload.sid, payload.sid)
    t.not(other.payload.jti, payload.jti)
    t.not(payload.sid, cookie, 'OI-132')
    t.not(payload.sid, server.provider.states.idOf('session', cookie), 'OI-132')
    t.equal((await userinfo(server, elsewhere.tokens.body.access_token)).statusCode, 200, 'other logins go on')
  })

  t.test(`OI-130: whatever ends the session, on ${name}`, async t => {
    const { server, one } = await setting(t, parts)
    const User = server.model('User')
    const ways: Record<string, (browser: Browser) => Promise<unknown>> = {
      'POST /logout': async browser => await browser.request('POST', '/logout', {}),
      'sessions.end()': async () => await server.provider.sessions.end({ userId: 1 }),
      'another user logs in': async browser => await browser.logIn('bob', 'battery staple'),
      'password change': async () => {
        const user = await User.findById(1)
        await user.updateAttributes({ password: 'another horse' })
        await user.updateAttributes({ password: 'correct horse' })
      },
      'the user is deleted': async () => { await User.destroyById(1) }
    }
    let expected = 0
    for (const [way, end] of Object.entries(ways)) {
      const { browser, tokens } = await person(server)
      await end(browser)
      expected++
      await until(() => one.tokens.length >= expected)
      t.equal(one.tokens.length, expected, way)
      t.equal((await userinfo(server, tokens.body.access_token)).statusCode, 401, way)
    }
    await pause()
    t.equal(one.tokens.length, expected, 'and no more than one each')
  })
}

t.test('OI-130: a user who logs in again goes on with the same login', async t => {
  const { server, one } = await setting(t)
  const { browser, tokens } = await person(server)
  await browser.logIn()
  await pause()
  t.equal(one.tokens.length, 0)
  const again = await logIn(server, { browser })
  t.equal(again.claims.sid, tokens.claims.sid)
  await browser.request('POST', '/logout', {})
  await until(() => one.tokens.length > 0)
  t.equal(one.tokens.length, 1)
  t.equal((await userinfo(server, tokens.body.access_token)).statusCode, 401, 'OI-127: tokens of before as well')
})

t.test('OI-115: taking an application back sends its logout token, and no other', async t => {
  const { server, one, two } = await setting(t)
  const { browser } = await person(server)
  await logIn(server, { browser, ...second })
  const { hidden } = formOf(await browser.request('GET', '/oauth/grants'))
  await browser.request('POST', '/oauth/grants', { _csrf: hidden._csrf, end: 'application', client: 'rp' })
  await until(() => one.tokens.length > 0)
  await pause()
  t.equal(one.tokens.length, 1)
  t.equal(two.tokens.length, 0)
  await browser.request('POST', '/logout', {})
  await until(() => two.tokens.length > 0)
  await pause()
  t.equal(one.tokens.length, 1, 'it has been told')
})

t.test('OI-135: a session that expires by itself sends nothing', async t => {
  const { server, one } = await setting(t)
  const { browser } = await person(server)
  await server.model('OAuthState').updateAll({ kind: 'session' }, { expiredAt: new Date(1000) })
  t.equal((await browser.request('GET', '/oauth/grants')).headers.location, '/login')
  await server.provider.cleanUp()
  await pause()
  t.equal(one.tokens.length, 0)
})

t.test('OI-131: signed as the client\'s id_tokens are, for the subject that it knows', async t => {
  const { server, one } = await setting(t, {
    openid: { signingAlgorithms: ['RS256', 'ES256'], subject: 'pairwise', pairwiseSecret: 'a secret of 16 or more' }
  })
  await server.model('OAuthClientApplication').updateAll({ id: 'rp' }, { idTokenSignedResponseAlg: 'ES256' })
  const { browser, tokens } = await person(server)
  await browser.request('POST', '/logout', {})
  await until(() => one.tokens.length > 0)
  const [token] = one.tokens
  t.equal(decodeProtectedHeader(token as string).alg, 'ES256')
  const { payload } = await jwtVerify(token as string, createLocalJWKSet((await get(server, '/oauth/jwks')).json()))
  t.equal(payload.sub, tokens.claims.sub, 'OI-71')
  t.not(payload.sub, '1')
})

t.test('OI-133: a client that is not there holds nothing up, and is reported', async t => {
  const { server } = await setting(t)
  const failures: any[] = []
  server.provider.on('logout.failed', failure => { failures.push(failure) })
  const backChannel = server.provider.openId?.logins.backChannel
  Object.assign(backChannel?.options as object, { pauses: [10, 10] })
  const Client = server.model('OAuthClientApplication')
  const refusing = await listening(t, 500)
  await Client.updateAll({ id: 'rp' }, { backchannelLogoutURI: refusing.uri })
  await Client.updateAll({ id: 'rp2' }, { backchannelLogoutURI: 'http://127.0.0.1:9/x' })
  const { browser } = await person(server)
  await logIn(server, { browser, ...second })
  const started = Date.now()
  t.equal((await browser.request('POST', '/logout', {})).statusCode, 303)
  t.ok(Date.now() - started < 1000)
  await until(() => failures.length === 2)
  t.strictSame(failures.map(({ client }) => client).sort(), ['rp', 'rp2'])
  t.equal(refusing.tokens.length, 3, 'three tries')
  const text = JSON.stringify(failures) + server.logs.join('')
  t.notMatch(text, refusing.tokens[0] as string, 'OI-272')
})

t.test('OI-12, OI-16: what the metadata says of logout', async t => {
  const { server } = await setting(t)
  const metadata = (await get(server, '/.well-known/openid-configuration')).json()
  t.match(metadata, {
    end_session_endpoint: 'http://op.test/oauth/logout',
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
    acr_values_supported: ['1fa', '2fa', 'phr'],
    prompt_values_supported: ['none', 'login', 'consent', 'select_account']
  })
  t.notOk(metadata.frontchannel_logout_supported)
  t.notOk('check_session_iframe' in metadata)
})

t.test('backchannelLogout: false', async t => {
  const { server, one } = await setting(t, { openid: { backchannelLogout: false } })
  const { browser, tokens } = await person(server)
  await browser.request('POST', '/logout', {})
  await pause()
  t.equal(one.tokens.length, 0)
  t.equal((await userinfo(server, tokens.body.access_token)).statusCode, 401, 'OI-127: tokens end')
  const { backchannel_logout_supported: isOn } = (await get(server, '/.well-known/openid-configuration')).json()
  t.not(isOn, true, 'OI-16')
})

t.test('OI-07: two processes on one data source', async t => {
  const store = sharedStore(t)
  const options = { session: { secret: 'one secret of both processes' }, issuer: 'http://op.test' }
  const { server, one } = await setting(t, { ...store, options, realHashes: true })
  const other = await makeProvider(t, { ...store, options, seed: false, realHashes: true })
  const { browser, tokens } = await person(server)
  const cookies = [...browser.cookies]
  const there = new Browser(other, cookies)
  t.equal((await there.request('GET', '/oauth/grants')).statusCode, 200, 'a session of both')
  const waiting = `/oauth/authorize?${new URLSearchParams({
    response_type: 'code', client_id: 'rp', redirect_uri: 'https://client.test/cb', scope: 'openid', prompt: 'login'
  }).toString()}`
  t.equal((await there.request('GET', waiting)).headers.location, '/login')
  const here = new Browser(server, cookies)
  await here.logIn()
  const back = await Promise.all([server, other].map(async each =>
    (await new Browser(each, here.cookies).request('GET', waiting)).headers.location as string))
  t.equal(back.filter(location => location.includes('code=')).length, 1, 'OI-92: a login satisfies one request once')
  const left = new Browser(other, here.cookies)
  await left.request('POST', '/logout', {})
  await until(() => one.tokens.length > 0)
  t.equal(one.tokens.length, 1, 'the other process knows the client')
  t.equal((await here.request('GET', '/oauth/grants')).headers.location, '/login')
  t.equal((await userinfo(server, tokens.body.access_token)).statusCode, 401)
  t.equal((await renew(server, tokens.body.refresh_token)).status, 400)
  const third = await person(server)
  await Promise.all([server, other].map(async each => { await each.provider.sessions.end({ userId: 1 }) }))
  await until(() => one.tokens.length > 1)
  await pause()
  t.equal(one.tokens.length, 2, 'two that end one session at once send one token')
  t.equal((await third.browser.request('GET', '/oauth/grants')).headers.location, '/login')
})
