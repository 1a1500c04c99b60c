// FASTBACK_TEST_FULL: an attempt on each extension of OAuth.
/* eslint camelcase: "off" -- parameters of the protocol are written as it has them */
/** Devices, pushed requests and clients that register themselves, against somebody who means harm: S-127. */
import t, { type Test } from 'tap'
import {
  answerOf, asWeb, basic, bearer, Browser, callback, codeOf, fails, formOf, formText, get, pairOf, post, redeem,
  request, token, verifier, who, type Server
} from '../../../packages/oauth2/test/server.js'
import {
  atPage, begin, codesOf, decide, deviceGrant, enter, makeExtended, poll
} from '../../../packages/oauth2/test/extensions/provider.js'

const initial = 'an-initial-access-token'
const redirect = 'https://new.test/cb'

const setting = async (t: Test, options: object = {}): Promise<Server> => await makeExtended(t, {
  options: {
    deviceFlow: { interval: 1 }, pushedRequests: true,
    dynamicRegistration: { initialAccessToken: initial, allowedScopes: ['read'] }, ...options
  }
})

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

const send = async (server: Server, method: Method, url: string, text?: string, body?: unknown) =>
  await server.app.inject({
    method, url: url.replace('http://op.test', ''),
    headers: {
      host: 'op.test', ...(text === undefined ? {} : bearer(text)),
      ...(body === undefined ? {} : { 'content-type': 'application/json' })
    },
    ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) })
  })
const register = async (server: Server, body: object = {}) =>
  await send(server, 'POST', '/oauth/register', initial, { redirect_uris: [redirect], ...body })
const pushed = async (server: Server, fields = request(), headers: Record<string, string> = asWeb): Promise<string> =>
  (await post(server, '/oauth/par', fields, headers)).json().request_uri
const isPending = async (t: Test, server: Server, device_code: string, what: string): Promise<void> => {
  const { error } = (await poll(server, device_code)).json()
  t.ok(error === 'authorization_pending' || error === 'slow_down', `${what} ${String(error)}`)
}

// ----- devices

t.test('S-127 nothing but a form of the page approves a device', async t => {
  // Seen to fail: device/page.ts without requireFormToken; without checkOrigin
  const server = await setting(t)
  const { device_code, user_code, verification_uri_complete } = await codesOf(server)
  const victim = await atPage(server)
  await victim.request('GET', verification_uri_complete)
  await isPending(t, server, device_code, 'a link')
  for (const query of [
    `user_code=${user_code}&decision=allow`, `user_code=${user_code}&_csrf=x&decision=allow`,
    `decision=allow&user_code=${user_code}&user_code=${user_code}`
  ]) {
    await victim.request('GET', `/oauth/device?${query}`)
    await isPending(t, server, device_code, query)
  }
  const { hidden } = formOf(await enter(victim, user_code))
  const tries: Array<[Record<string, string>, Record<string, string>, number]> = [
    [{ user_code, decision: 'allow' }, {}, 403],
    [{ user_code, decision: 'allow', _csrf: 'wrong' }, {}, 403],
    [{ ...hidden, decision: 'allow' }, { origin: 'https://evil.test' }, 403],
    [{ ...hidden, decision: 'allow' }, { 'sec-fetch-site': 'cross-site' }, 403],
    [{ ...hidden, decision: 'allow' }, { origin: 'null' }, 403]
  ]
  for (const [fields, headers, status] of tries) {
    t.equal((await victim.request('POST', '/oauth/device', fields, headers)).statusCode, status)
  }
  const attacker = await atPage(server, 'bob', 'battery staple')
  const foreign = formOf(await enter(attacker, user_code)).hidden
  t.equal((await victim.request('POST', '/oauth/device', { ...foreign, decision: 'allow' })).statusCode, 403, 'of another session')
  const json = await server.app.inject({
    method: 'POST', url: '/oauth/device', payload: { ...hidden, decision: 'allow' },
    headers: { host: 'op.test', cookie: [...victim.cookies].map(each => each.join('=')).join('; ') }
  })
  t.equal(json.statusCode, 400)
  await isPending(t, server, device_code, 'after all of them')
})

t.test('S-127 nobody approves a device who is not logged in, or only half', async t => {
  // Seen to fail: device/page.ts taking session.data.userId, which a session of a token has, for a login
  const server = await setting(t, { authenticate: [{ paths: ['/api/Notes'], options: { session: true } }] })
  const { device_code, user_code } = await codesOf(server)
  const stranger = new Browser(server)
  const { _csrf } = formOf(await stranger.request('GET', '/login')).hidden
  const response = await stranger.request('POST', '/oauth/device', { _csrf, user_code, decision: 'allow' })
  t.equal(response.headers.location, '/login')
  const program = new Browser(server)
  await program.request('GET', '/api/Notes/who', undefined, bearer((await pairOf(server)).access_token))
  t.ok(program.cookies.size > 0, 'it has a session')
  t.equal((await program.request('GET', '/oauth/device')).headers.location, '/login', 'which is no login')
  await isPending(t, server, device_code, 'after both')
})

t.test('S-127 codes of devices cannot be guessed, and say nothing when they are wrong', async t => {
  // Seen to fail: device/page.ts without the count for the address
  const server = await setting(t)
  const { user_code } = await codesOf(server)
  const statuses: number[] = []
  for (const [name, password] of [['ada', 'correct horse'], ['bob', 'battery staple']] as const) {
    const browser = await atPage(server, name, password)
    for (let i = 0; i < 8; i++) statuses.push((await enter(browser, `BCDF-GHJ${'BCDFGHJK'[i] as string}`)).statusCode)
  }
  t.equal(statuses.filter(status => status === 400).length, 10, 'from one address, whoever it is')
  t.equal(statuses.filter(status => status === 429).length, 6)
  const logged = server.logs.join()
  t.notMatch(logged, user_code)
  const other = await setting(t)
  const ada = await atPage(other)
  const guesses = await Promise.all(Array.from({ length: 30 }, async () => await enter(ada, 'BBBB-BBBB')))
  t.equal(guesses.filter(({ statusCode }) => statusCode === 400).length, 10, 'all at once')
})

t.test('S-127 what is typed into the field of a code is a code or nothing', async t => {
  // Seen to fail: device/page.ts showing the form for a wrong code with the status 200
  const server = await setting(t)
  const browser = await atPage(server)
  await codesOf(server)
  for (const typed of [
    '%', '*', '.*', '________', "' OR 1=1 --", '{"$ne":""}', '\u0000', '__proto__', 'x'.repeat(5000), 'BBBB-BBB', '<b>'
  ]) {
    const response = await enter(await atPage(await setting(t)), typed)
    t.equal(response.statusCode, 400, typed)
    t.notMatch(response.body, '<b>')
  }
  const { user_code } = await codesOf(server)
  t.match((await enter(browser, user_code)).body, 'Television &lt;i&gt;')
  const framed = await browser.request('GET', '/oauth/device')
  t.equal(framed.headers['x-frame-options'], 'DENY')
  t.match(framed.headers['content-security-policy'], "frame-ancestors 'none'")
})

t.test('S-127 a device code is of one client, once, as it was approved', async t => {
  // Seen to fail: device/device-codes.ts without the comparison of clients; device/device.ts without codes.use
  const server = await setting(t)
  const { device_code, user_code } = await codesOf(server)
  const ada = await atPage(server)
  await decide(ada, user_code)
  fails(t, await poll(server, device_code, { client_id: undefined }, basic('box', 'box secret')), 400, 'invalid_grant')
  fails(t, await poll(server, device_code, { client_id: 'spa' }), 400, 'unauthorized_client')
  fails(t, await token(server, { grant_type: 'authorization_code', code: device_code }, asWeb), 400, 'invalid_grant')
  fails(t, await token(server, { grant_type: 'refresh_token', refresh_token: device_code, client_id: 'tv' }, {}), 400, 'invalid_grant')
  const code = await codeOf(server)
  fails(t, await poll(server, code.code), 400, 'invalid_grant', 'a code of another kind')
  fails(t, await poll(server, user_code), 400, 'invalid_grant')
  const won = await Promise.all(Array.from({ length: 6 }, async () => await poll(server, device_code, { scope: 'read write admin' })))
  t.equal(won.filter(({ statusCode }) => statusCode === 200).length, 1)
  t.equal(won.find(({ statusCode }) => statusCode === 200)?.json().scope, 'read', 'no poll adds scopes')
  t.equal((await enter(ada, user_code)).statusCode, 400, 'nor is it approved twice')
})

t.test('S-127 of two decisions one counts', async t => {
  // Seen to fail: device/device-codes.ts deciding without removing the user code
  const server = await setting(t)
  const { device_code, user_code } = await codesOf(server)
  const [ada, bob] = [await atPage(server), await atPage(server, 'bob', 'battery staple')]
  const forms = [formOf(await enter(ada, user_code)).hidden, formOf(await enter(bob, user_code)).hidden]
  const made = await Promise.all([
    ada.request('POST', '/oauth/device', { ...forms[0], decision: 'deny' }),
    bob.request('POST', '/oauth/device', { ...forms[1], decision: 'allow' })
  ])
  t.equal(made.filter(({ statusCode }) => statusCode === 200).length, 1)
  const polled = (await poll(server, device_code)).json()
  if (made[0]?.statusCode === 200) t.equal(polled.error, 'access_denied')
  else t.equal((await who(server, polled.access_token)).json().user, 2)
})

t.test('S-127 a device has no right that its client has not', async t => {
  // Seen to fail: device/device.ts asking mayUse, to which no list of grants is a right
  const server = await setting(t)
  fails(t, await begin(server, { scope: 'admin' }), 400, 'invalid_scope')
  fails(t, await begin(server, { client_id: 'spa' }), 400, 'unauthorized_client')
  await server.model('OAuthClientApplication').create({ id: 'old', name: 'Old', clientType: 'public', redirectURIs: [callback] })
  fails(t, await begin(server, { client_id: 'old' }), 400, 'unauthorized_client', 'a client of before the option')
  const { device_code, user_code } = await codesOf(server)
  await decide(await atPage(server), user_code)
  await server.model('OAuthClientApplication').updateAll({ id: 'tv' }, { grantTypes: ['refresh_token'] })
  fails(t, await poll(server, device_code), 400, 'unauthorized_client', 'taken away meanwhile')
  await server.model('OAuthClientApplication').updateAll({ id: 'tv' }, { status: 'disabled', grantTypes: [deviceGrant] })
  fails(t, await poll(server, device_code), 401, 'invalid_client')
})

// ----- pushed requests

t.test('S-127 a pushed request is of its client, and says all', async t => {
  // Seen to fail: authorize.ts reading what the address has beside a pushed request
  const server = await setting(t)
  const request_uri = await pushed(server)
  const browser = await atPage(server)
  for (const client_id of ['guest', 'spa', 'cli']) {
    const response = await browser.authorize({ client_id, request_uri, redirect_uri: 'https://guest.test/cb', response_type: 'code' })
    t.equal(response.statusCode, 400)
    t.equal(response.headers.location, undefined)
  }
  const response = await browser.authorize({
    client_id: 'web', request_uri, redirect_uri: 'https://evil.test/cb', scope: 'admin', response_mode: 'fragment',
    code_challenge: verifier(), prompt: 'none'
  })
  t.notMatch(response.body, 'evil.test')
  t.notMatch(response.body, 'admin')
  const { hidden, action } = formOf(response)
  const answer = answerOf(await browser.request('POST', action, { ...hidden, request_uri: 'x', redirect_uri: 'https://evil.test' }))
  t.equal(answer.url?.host, 'client.test')
  const twice = await browser.request('GET', `/oauth/authorize?client_id=web&request_uri=${request_uri}&request_uri=${request_uri}`)
  t.equal(twice.statusCode, 400)
})

t.test('S-127 a pushed request gets one response, however often it is brought', async t => {
  // Seen to fail: authorize.ts issuing without pushed.use
  const server = await setting(t)
  const browser = await atPage(server)
  await browser.walk(request())
  const fields = { client_id: 'web', request_uri: await pushed(server) }
  const answers = await Promise.all(Array.from({ length: 6 }, async () => answerOf(await browser.authorize(fields))))
  t.equal(answers.filter(({ query }) => query.get('code') !== null).length, 1)
  t.equal((await browser.authorize(fields)).statusCode, 400)
  const secret = verifier()
  const own = { client_id: 'web', request_uri: await pushed(server, request({ scope: 'write' }, secret)) }
  const forms = [formOf(await browser.authorize(own)), formOf(await browser.authorize(own))]
  const made = await Promise.all(forms.map(async ({ action, hidden }) => answerOf(await browser.request('POST', action, hidden))))
  t.equal(made.filter(({ query }) => query.get('code') !== null).length, 1, 'two dialogs of one request')
  const code = made.find(({ query }) => query.get('code') !== null)?.query.get('code') as string
  fails(t, await redeem(server, { code, secret: verifier() }), 400, 'invalid_grant', 'the pushed challenge counts')
})

t.test('S-127 nobody pushes what the authorization endpoint would refuse, or in the name of another', async t => {
  // Seen to fail: pushed/pushed-requests.ts without its #check
  const server = await setting(t)
  const refused: Array<[object, Record<string, string>, number]> = [
    [{ redirect_uri: 'https://evil.test/cb' }, asWeb, 400], [{ redirect_uri: `${callback}.evil.test` }, asWeb, 400],
    [{ redirect_uri: 'https://guest.test/cb' }, asWeb, 400], [{ client_id: 'guest' }, asWeb, 400],
    [{ scope: 'read root' }, asWeb, 400], [{ code_challenge_method: 'plain' }, asWeb, 400],
    [{ client_id: 'web' }, {}, 401], [{ client_id: 'web', client_secret: 'x' }, {}, 401],
    [{ request_uri: 'https://evil.test' }, asWeb, 400], [{ client_secret: 'w3b secret:&+' }, asWeb, 400]
  ]
  for (const [more, headers, status] of refused) {
    const response = await post(server, '/oauth/par', request(more as never), headers)
    t.equal(response.statusCode, status, JSON.stringify(more))
    t.equal(response.headers.location, undefined)
    t.notOk('request_uri' in response.json())
  }
  t.equal((await post(server, '/oauth/par?client_id=web', request(), asWeb)).statusCode, 400)
  t.equal((await post(server, '/oauth/par', `${formText(request())}&scope=admin`, asWeb)).statusCode, 400)
  const uri = await pushed(server)
  t.notMatch(server.logs.join(), uri.slice(-43), 'in no log line')
})

t.test('S-127 what must be pushed is not gone around', async t => {
  // Seen to fail: pushed/pushed-requests.ts whose checkPushed refuses nothing
  const server = await setting(t, { pushedRequests: { require: true } })
  const browser = await atPage(server)
  for (const request_uri of [undefined, '', 'x', 'https://evil.test/r', 'urn:ietf:params:oauth:request_uri:', `urn:ietf:params:oauth:request_uri:${'A'.repeat(43)}`]) {
    const response = await browser.authorize(request({ request_uri }))
    t.equal(answerOf(response).query.get('code'), null, String(request_uri))
    t.notOk(formOf(response).names.includes('transaction_id'), String(request_uri))
  }
  const posted = await browser.request('POST', '/oauth/authorize', request())
  t.equal(answerOf(posted).query.get('error'), 'invalid_request')
})

// ----- registration

t.test('S-127 a client that registers itself has what the option gives', async t => {
  // Seen to fail: registration/check-client.ts storing an empty list of scopes; without the check of grants
  const server = await setting(t)
  for (const body of [
    { scope: '' }, { scope: 'admin' }, { scope: ['admin'] }, { scope: { $ne: '' } }, { grant_types: [] }, { grant_types: ['password'] },
    { grant_types: ['client_credentials'], response_types: [] }, { grant_types: ['implicit'], response_types: ['token'] },
    { grant_types: ['authorization_code', 'implicit'], response_types: ['code', 'token'] },
    { grant_types: ['authorization_code'], response_types: ['token'] }, { grant_types: { length: 1 } },
    { grant_types: ['urn:ietf:params:oauth:grant-type:jwt-bearer'], response_types: [] }, { grant_types: ['__proto__'] }
  ]) fails(t, await register(server, body), 400, 'invalid_client_metadata', JSON.stringify(body))
  const body = {
    scope: 'admin read', scopes: ['admin'], trusted: true, resourceServer: true, clientSecret: 'mine', client_secret: 'mine',
    client_id: 'web', id: 'web', status: 'x', clientType: 'public', grantTypes: [], restApiKey: 'mine', masterKey: 'mine',
    registrationAccessToken: 'mine', registeredAt: '2001-01-01', userId: 1, owner: '1', publicKey: 'x', requirePkce: false,
    callbackUrls: ['https://evil.test'], redirectUris: ['https://evil.test'], allowedOrigins: ['https://evil.test']
  }
  const client = (await register(server, body)).json()
  const row = (await server.model('OAuthClientApplication').findById(client.client_id)).toObject()
  t.strictSame([...row.scopes], ['read'])
  t.strictSame([...row.grantTypes], ['authorization_code'])
  t.equal(row.clientType, 'confidential')
  for (const name of ['trusted', 'resourceServer', 'owner', 'publicKey', 'userId']) t.notOk(row[name], name)
  t.notMatch(JSON.stringify(row), /evil|"mine"/)
  t.equal((await token(server, { grant_type: 'client_credentials', scope: 'read' }, basic(client.client_id, 'mine'))).statusCode, 401)
  t.equal((await server.model('OAuthClientApplication').findById('web')).name, 'Web <b>shop</b>')
  const browser = await atPage(server)
  const wide = answerOf(await browser.authorize(request({ client_id: client.client_id, redirect_uri: redirect, scope: 'read admin' })))
  t.equal(wide.query.get('error'), 'invalid_scope')
  const again = await send(server, 'PUT', client.registration_client_uri, client.registration_access_token, {
    ...body, client_id: client.client_id, client_secret: undefined, redirect_uris: [redirect]
  })
  t.equal(again.json().scope, 'read', 'nor by an update')
  t.notOk((await server.model('OAuthClientApplication').findById(client.client_id)).trusted)
})

t.test('S-127 no redirect URI runs a script, leaves a header or a policy, or is plain http', async t => {
  // Seen to fail: registration/fields.ts without plainUri; check-client.ts taking schemes without a dot
  const server = await setting(t)
  const hostile = [
    'javascript:alert(1)', 'JAVASCRIPT:alert(1)', 'java\nscript:alert(1)', 'data:text/html,x', 'vbscript:x', 'blob:https://x/1',
    'https://new.test/\r\nset-cookie: a=b', 'https://new.test/\tcb', "https://new.test/;script-src 'unsafe-inline'", 'https://new.test/"x',
    'https://new.test/<script>', 'https://new.test\\@evil.test', 'https://a:b@new.test/', 'https://new.test/#x', '//new.test/cb',
    'http://new.test/cb', 'file:///etc/passwd', 'about:blank', 'intent://x', `https://new.test/${'x'.repeat(3000)}`, 'https://nëw.test/'
  ]
  for (const uri of hostile) {
    for (const application_type of ['web', 'native']) {
      fails(t, await register(server, { redirect_uris: [uri], application_type }), 400, 'invalid_redirect_uri', uri)
    }
  }
  fails(t, await register(server, { redirect_uris: 'https://new.test/cb' }), 400, 'invalid_client_metadata')
  const tooMany = Array.from({ length: 21 }, (_, i) => `https://new.test/${i}`)
  fails(t, await register(server, { redirect_uris: tooMany }), 400, 'invalid_client_metadata')
})

t.test('S-127 a name on a page is text', async t => {
  // Seen to fail: registration/fields.ts without its hidden characters;
  // pages/device-page.ts with Html of the client's name
  const server = await setting(t)
  for (const client_name of ['Bank\u202Egpj', 'Bank\u0000', 'Bank\r\nX', 'B\u200Bank', 'Bank\u2028', '\uD800', 'x'.repeat(201), '   ', ['Bank'], {}]) {
    const response = await register(server, { client_name })
    fails(t, response, 400, 'invalid_client_metadata', encodeURIComponent(JSON.stringify(client_name)))
  }
  const name = '"><script>alert(1)</script><form action=https://evil.test>'
  const client = (await register(server, {
    client_name: name, grant_types: ['authorization_code', deviceGrant], token_endpoint_auth_method: 'none'
  })).json()
  const browser = await atPage(server)
  const decision = await browser.authorize(request({ client_id: client.client_id, redirect_uri: redirect }))
  const { user_code } = (await begin(server, { client_id: client.client_id })).json()
  for (const page of [decision, await enter(browser, user_code)]) {
    t.match(page.body, '&lt;script&gt;')
    t.notMatch(page.body, /<script|<form action=https/)
  }
  for (const more of [{ logo_uri: 'javascript:alert(1)' }, { tos_uri: 'http://127.0.0.1' }, { policy_uri: 'data:text/html,x' }, { client_uri: 'https://new.test/<b>' }]) {
    fails(t, await register(server, more), 400, 'invalid_client_metadata')
  }
})

t.test('S-127 a registration token opens its own registration', async t => {
  // Seen to fail: registration/registration.ts comparing no digest
  const server = await setting(t)
  const [one, two] = [(await register(server)).json(), (await register(server)).json()]
  const bodies = { GET: undefined, PUT: { client_id: two.client_id, redirect_uris: ['https://evil.test/cb'] }, DELETE: undefined }
  for (const text of [one.registration_access_token, initial, two.client_secret, '', 'x'.repeat(5000), undefined]) {
    for (const method of ['GET', 'PUT', 'DELETE'] as const) {
      fails(t, await send(server, method, two.registration_client_uri, text, bodies[method]), 401, 'invalid_token')
    }
  }
  for (const id of ['web', 'spa', '..%2f..', '%27%20OR%201=1', '%00', 'x'.repeat(99)]) {
    fails(t, await send(server, 'DELETE', `/oauth/register/${id}`, one.registration_access_token), 401, 'invalid_token', id)
  }
  const own = await send(server, 'PUT', one.registration_client_uri, one.registration_access_token, {
    client_id: two.client_id, redirect_uris: ['https://evil.test/cb']
  })
  fails(t, own, 400, 'invalid_client_metadata', 'nor by the id in the body')
  t.strictSame((await send(server, 'GET', two.registration_client_uri, two.registration_access_token)).json().redirect_uris, [redirect])
  t.equal((await who(server, one.registration_access_token)).statusCode, 401, 'it is no access token')
  fails(t, await post(server, '/oauth/introspect', { token: one.registration_access_token }, basic(one.client_id, one.registration_access_token)), 401, 'invalid_client')
  t.equal((await send(server, 'POST', '/oauth/register', one.registration_access_token, { redirect_uris: [redirect] })).statusCode, 401)
  const logged = server.logs.join()
  for (const secret of [one.registration_access_token, one.client_secret, initial]) t.notMatch(logged, secret)
})

t.test('S-127 a client that is gone leaves nothing behind', async t => {
  // Seen to fail: registration.ts removing the row alone, without end-client.ts
  const server = await setting(t)
  const client = (await register(server, { grant_types: ['authorization_code', 'refresh_token', deviceGrant] })).json()
  const own = basic(client.client_id, client.client_secret)
  const secret = verifier()
  const codeFor = async (): Promise<string> => (await new Browser(server).walk(request({
    client_id: client.client_id, redirect_uri: redirect
  }, secret))).query.get('code') as string
  const tokens = (await redeem(server, { code: await codeFor(), secret }, { redirect_uri: redirect }, own)).json()
  const code = await codeFor()
  const device = (await begin(server, { client_id: undefined }, own)).json()
  const request_uri = await pushed(server, request({ client_id: client.client_id, redirect_uri: redirect }), own)
  t.equal((await send(server, 'DELETE', client.registration_client_uri, client.registration_access_token)).statusCode, 204)
  t.equal((await who(server, tokens.access_token)).statusCode, 401)
  for (const fields of [
    { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }, { grant_type: deviceGrant, device_code: device.device_code },
    { grant_type: 'authorization_code', code, code_verifier: secret, redirect_uri: redirect }
  ]) fails(t, await token(server, fields, own), 401, 'invalid_client')
  t.equal((await enter(await atPage(server), device.user_code)).statusCode, 400)
  t.equal((await new Browser(server).authorize({ client_id: client.client_id, request_uri })).statusCode, 400)
  t.equal(await server.model('OAuthAccessToken').count({ appId: client.client_id, revoked: false }), 0)
  t.equal(await server.model('OAuthPermission').count({ appId: client.client_id }), 0)
})

t.test('S-127 nobody joins the sector of another, and no body is more than data', async t => {
  // Seen to fail: check-client.ts without checkSubjects; with one that takes the grant of devices, by which a client
  // got the names that users have at the host of its redirect URIs
  const server = await setting(t, { openid: { subject: 'pairwise', pairwiseSecret: 'a secret of 16 letters' } })
  for (const body of [
    { sector_identifier_uri: 'https://victim.test/x' }, { redirect_uris: [redirect, 'https://victim.test/cb'] },
    { redirect_uris: [redirect, 'https://victim.test/cb'], sector_identifier_uri: 'https://victim.test/x' },
    { redirect_uris: [], grant_types: [deviceGrant], subject_type: 'pairwise' },
    { redirect_uris: ['https://victim.test/cb'], grant_types: ['authorization_code', deviceGrant] },
    { redirect_uris: ['https://victim.test/cb'], grant_types: ['authorization_code', deviceGrant], subject_type: 'pairwise' },
    { redirect_uris: ['com.new.app:/cb'], application_type: 'native', subject_type: 'pairwise' }
  ]) fails(t, await register(server, body), 400, 'invalid_client_metadata', JSON.stringify(body))
  const polluted = await send(server, 'POST', '/oauth/register', initial,
    '{"redirect_uris":["https://new.test/cb"],"__proto__":{"trusted":true,"scope":"admin"},"constructor":{"prototype":{"trusted":true}},"jwks":{"keys":[],"__proto__":{"x":1}}}')
  t.equal(polluted.statusCode, 201)
  t.equal(polluted.json().scope, 'read')
  t.notOk(({} as any).trusted)
  for (const body of ['{', '[]', 'null', '"x"', '1', '']) {
    const response = await send(server, 'POST', '/oauth/register', initial, body)
    t.ok(response.statusCode === 400, `${body} ${response.body}`)
  }
  fails(t, await register(server, { software_statement: 'eyJhbGciOiJub25lIn0.e30.' }), 400, 'invalid_software_statement')
  t.equal((await get(server, '/oauth/register')).statusCode, 404)
})
