/* eslint camelcase: "off" -- parameters of the protocol are written as it has them */
/** The device authorization grant (OI-140 to OI-147). */
import t from 'tap'
import { bearer, fails, formOf, get, post, refresh, who, asWeb, Browser, basic } from '../server.js'
import { atPage, begin, codesOf, decide, deviceGrant, enter, later, makeExtended, poll } from './provider.js'

const on = { options: { deviceFlow: true } }
const metadata = '/.well-known/oauth-authorization-server'

t.test('OI-18, OI-147: without the option there is no trace of it', async t => {
  const off = await makeExtended(t, {})
  const document = (await get(off, metadata)).json()
  t.notOk('device_authorization_endpoint' in document)
  t.notOk(document.grant_types_supported.includes(deviceGrant))
  t.equal((await begin(off)).statusCode, 404)
  t.equal((await get(off, '/oauth/device')).statusCode, 404)
  fails(t, await poll(off, 'x'.repeat(43)), 400, 'unsupported_grant_type')
  t.strictSame(off.provider.extensions, {})
})

t.test('OI-147: the metadata name the endpoint and the grant', async t => {
  const server = await makeExtended(t, { options: { deviceFlow: { authorizationPath: '/a', verificationPath: '/b' } } })
  const document = (await get(server, metadata)).json()
  t.equal(document.device_authorization_endpoint, 'http://op.test/a')
  t.ok(document.grant_types_supported.includes(deviceGrant))
  t.equal((await post(server, '/a', { client_id: 'tv' })).json().verification_uri, 'http://op.test/b')
})

t.test('OI-140: who may begin', async t => {
  const server = await makeExtended(t, on)
  t.equal((await begin(server)).statusCode, 200)
  t.equal((await begin(server, { client_id: undefined }, basic('box', 'box secret'))).statusCode, 200)
  fails(t, await begin(server, { client_id: 'box' }), 401, 'invalid_client', 'without its secret')
  fails(t, await begin(server, { client_id: 'nobody' }), 401, 'invalid_client')
  fails(t, await begin(server, { client_id: undefined }), 401, 'invalid_client')
  fails(t, await begin(server, { client_id: undefined }, asWeb), 400, 'unauthorized_client')
  fails(t, await begin(server, { scope: 'admin' }), 400, 'invalid_scope')
  fails(t, await post(server, '/oauth/device_authorization', 'client_id=tv&scope=read&scope=read'), 400, 'invalid_request')
  await server.model('OAuthClientApplication').updateAll({ id: 'tv' }, { grantTypes: [] })
  fails(t, await begin(server), 400, 'unauthorized_client', 'no list is no right')
  t.equal((await get(server, '/oauth/device_authorization')).statusCode, 404)
})

t.test('OI-141, OI-142: the codes', async t => {
  const server = await makeExtended(t, on)
  const response = await begin(server)
  t.equal(response.headers['cache-control'], 'no-store')
  const codes = response.json()
  t.match(codes, { verification_uri: 'http://op.test/oauth/device', expires_in: 600, interval: 5 })
  t.match(codes.user_code, /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/)
  t.equal(codes.verification_uri_complete, `http://op.test/oauth/device?user_code=${codes.user_code as string}`)
  t.ok(Buffer.from(codes.device_code, 'base64url').length >= 32)
  const stored = JSON.stringify(await server.model('OAuthState').find())
  t.notMatch(stored, codes.device_code, 'a digest')
  t.notMatch(stored, codes.user_code.replace('-', ''), 'a digest')
  const browser = await atPage(server)
  const plain = codes.user_code.replace('-', '').toLowerCase()
  for (const typed of [plain, codes.user_code, ` ${plain.slice(0, 2)} ${plain.slice(2)} `]) {
    t.match((await enter(browser, typed)).body, codes.user_code, typed)
  }
})

t.test('OI-143: what a device is told while it waits', async t => {
  const server = await makeExtended(t, on)
  const { device_code, user_code } = await codesOf(server)
  fails(t, await poll(server, device_code), 400, 'authorization_pending')
  fails(t, await poll(server, device_code), 400, 'slow_down')
  later(t, 6)
  fails(t, await poll(server, device_code), 400, 'slow_down', 'five seconds are too few now')
  later(t, 16)
  fails(t, await poll(server, device_code), 400, 'authorization_pending')
  fails(t, await poll(server, 'x'.repeat(43)), 400, 'invalid_grant')
  fails(t, await poll(server, undefined), 400, 'invalid_request')
  fails(t, await poll(server, device_code, { client_id: undefined }, basic('box', 'box secret')), 400, 'invalid_grant')
  t.match((await decide(await atPage(server), user_code, 'deny')).body, 'no access')
  fails(t, await poll(server, device_code), 400, 'access_denied')
  fails(t, await poll(server, device_code), 400, 'access_denied')
  const old = await codesOf(server)
  later(t, 601)
  fails(t, await poll(server, old.device_code), 400, 'expired_token')
  t.equal((await enter(await atPage(server), old.user_code)).statusCode, 400, 'nor can it be approved')
  later(t, 601)
  fails(t, await poll(server, old.device_code), 400, 'invalid_grant', 'and is forgotten')
})

t.test('OI-144: an address grants nothing, and the page shows the code and the client', async t => {
  const server = await makeExtended(t, on)
  const { device_code, user_code, verification_uri_complete } = await codesOf(server, { scope: 'read write' })
  const browser = new Browser(server)
  const login = await browser.follow(await browser.request('GET', verification_uri_complete))
  t.match(login.body, 'password', 'nobody is logged in')
  const page = await browser.follow(await browser.logIn())
  t.match(page.body, `value="${user_code}"`, 'the code is there after the login')
  t.match(page.headers['content-security-policy'], /default-src 'none'.*form-action 'self'.*frame-ancestors 'none'/)
  t.equal(page.headers['cache-control'], 'no-store')
  const form = formOf(page)
  t.strictSame(form.names.sort(), ['_csrf', 'user_code'])
  later(t, 6)
  fails(t, await poll(server, device_code), 400, 'authorization_pending')
  const confirm = await browser.request('POST', form.action, { ...form.hidden, user_code })
  t.match(confirm.body, user_code)
  t.match(confirm.body, 'Television &lt;i&gt;')
  t.match(confirm.body, /read[^]*write/)
  later(t, 6)
  fails(t, await poll(server, device_code), 400, 'authorization_pending')
  const decision = formOf(confirm)
  t.equal((await browser.request('POST', decision.action, { ...decision.hidden, decision: 'perhaps' })).statusCode, 400)
  t.match((await browser.request('POST', decision.action, { ...decision.hidden, decision: 'allow' })).body, 'go on')
  t.equal((await poll(server, device_code)).statusCode, 200)
  const hostile = await browser.request('GET', '/oauth/device?user_code=%22%3E%3Cscript%3E')
  t.notMatch(hostile.body, 'script>')
})

t.test('OI-145: wrong codes are limited for the user, and for the address', async t => {
  const server = await makeExtended(t, { options: { deviceFlow: true, rateLimit: false } })
  const { user_code } = await codesOf(server)
  const browser = await atPage(server)
  for (let i = 0; i < 10; i++) t.equal((await enter(browser, 'BBBB-BBBB')).statusCode, 400)
  const refused = await enter(browser, user_code)
  t.equal(refused.statusCode, 429)
  t.ok(refused.headers['retry-after'])
  t.equal((await enter(await atPage(server), user_code)).statusCode, 429, 'another session')
  t.equal((await enter(await atPage(server, 'bob', 'battery staple'), user_code)).statusCode, 429, 'the same address')
  const own = await makeExtended(t, { options: { deviceFlow: { maxWrongCodes: 2 } } })
  const codes = await codesOf(own)
  const other = await atPage(own)
  for (let i = 0; i < 4; i++) t.equal((await enter(other, codes.user_code)).statusCode, 200, 'right ones are no guesses')
  for (const status of [400, 400, 429]) t.equal((await enter(other, 'nothing')).statusCode, status)
})

t.test('OI-146: one poll gets the tokens', async t => {
  const server = await makeExtended(t, on)
  const { device_code, user_code } = await codesOf(server)
  await decide(await atPage(server), user_code)
  const polls = await Promise.all(Array.from({ length: 8 }, async () => await poll(server, device_code)))
  const won = polls.filter(({ statusCode }) => statusCode === 200)
  t.equal(won.length, 1)
  for (const lost of polls.filter(each => !won.includes(each))) fails(t, lost, 400, 'invalid_grant')
  fails(t, await poll(server, device_code), 400, 'invalid_grant')
  const body = won[0]?.json()
  t.match(body, { token_type: 'Bearer', scope: 'read', expires_in: 3600 })
  t.notOk('id_token' in body)
  t.same((await who(server, body.access_token)).json(), { user: 1, client: 'tv', scopes: ['read'] })
  const renewed = await refresh(server, body.refresh_token, { client_id: 'tv' }, {})
  t.equal(renewed.statusCode, 200)
  const [first, second] = await Promise.all([codesOf(server), codesOf(server)])
  t.not(first.user_code, second.user_code)
})

t.test('OI-146: with the scope openid there is an id_token, and a logout ends its tokens', async t => {
  const server = await makeExtended(t, { options: { deviceFlow: true, openid: true } })
  const { device_code, user_code } = await codesOf(server, { scope: 'openid email' })
  const browser = await atPage(server)
  await decide(browser, user_code)
  const body = (await poll(server, device_code)).json()
  const claims = JSON.parse(Buffer.from(body.id_token.split('.')[1], 'base64url').toString())
  t.match(claims, { sub: '1', aud: 'tv', amr: ['pwd'], iss: 'http://op.test' })
  t.notOk('nonce' in claims)
  t.match((await get(server, '/oauth/userinfo', bearer(body.access_token))).json(), { email: 'ada@op.test' })
  await browser.request('POST', '/logout', {})
  t.equal((await get(server, '/oauth/userinfo', bearer(body.access_token))).statusCode, 401)
  const later = await codesOf(server, { scope: 'openid' })
  const other = await atPage(server)
  await decide(other, later.user_code)
  await other.request('POST', '/logout', {})
  const late = await poll(server, later.device_code)
  t.ok(late.statusCode === 400 || (await who(server, late.json().access_token)).statusCode === 401, 'between approval and poll')
})

t.test('OI-146: a change of the password takes an approval back', async t => {
  const server = await makeExtended(t, on)
  const { device_code, user_code } = await codesOf(server)
  await decide(await atPage(server), user_code)
  const ada = await server.model('User').findById(1)
  await ada.setPassword('another horse')
  fails(t, await poll(server, device_code), 400, 'authorization_pending')
})

t.test('OI-02, OI-140: options that do not go together stop the start', async t => {
  for (const options of [
    { deviceFlow: true, session: false }, { deviceFlow: true, tokenPath: false }, { deviceFlow: { ttl: 1 } },
    { deviceFlow: { verificationPath: 'device' } }, { deviceFlow: { verificationPath: '/login' } }
  ]) {
    await t.rejects(makeExtended(t, { options }), { code: 'FBK_OAUTH2_INVALID_OPTIONS' }, JSON.stringify(options))
  }
})
