// FASTBACK_TEST_FULL: every way through a login, with keys of its own.
/* eslint camelcase: "off" -- parameters of the protocol are written as it has them */
/** What a client gets of somebody's login at the provider, and who can end what: S-125, S-175. */
import { authService } from '@fastback/auth/service'
import { createHmac, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import t, { type Test } from 'tap'
import {
  Browser, logIn, makeProvider, openIdRequest, userinfo, type Redeemed
} from '../../../packages/oauth2/test/openid/provider.js'
import { answerOf, formOf, type Server } from '../../../packages/oauth2/test/server.js'

type Fields = Record<string, string | undefined>

interface Person { readonly browser: Browser, readonly tokens: Redeemed }

async function person (server: Server, who: object = {}): Promise<Person> {
  const browser = new Browser(server)
  return { browser, tokens: await logIn(server, { browser, who }) }
}

const bob = { username: 'bob', password: 'battery staple' }
const ask = async (browser: Browser, more: Fields = {}) => answerOf(await browser.authorize(openIdRequest(more)))
const cookieOf = (browser: Browser): string => browser.cookies.get('fastback.oauth2') as string
const isIn = async (browser: Browser): Promise<boolean> =>
  (await browser.request('GET', '/oauth/grants')).statusCode === 200

/** Users have a second factor from `gain` on, so that a login before lacks it. */
async function withFactorsLater (t: Test): Promise<Server & { gain (): void }> {
  let kinds: string[] = []
  const server = await makeProvider(t, {
    prepare: app => {
      Object.assign(authService(app.registry), {
        secondFactors: () => ({ of: async () => kinds, mustEnrol: async () => false, options: {}, ways: new Map() })
      })
    }
  })
  return { ...server, gain: () => { kinds = ['totp'] } }
}

t.test('S-125 prompt=none shows no page, whatever is missing', async t => {
  // Seen to fail: interaction/checks.ts going to the step with prompt=none as well
  const server = await withFactorsLater(t)
  const { browser, tokens } = await person(server)
  const other = await person(server, bob)
  server.gain()
  const fresh = new Browser(server)
  await server.model('OAuthClientApplication').updateAll({ id: 'rp2' }, { redirectURIs: ['https://client.test/cb'] })
  const attempts: Array<[Browser, Fields, string]> = [
    [fresh, {}, 'login_required'],
    [browser, { scope: 'openid email' }, 'consent_required'],
    [browser, { client_id: 'rp2' }, 'consent_required'],
    [browser, { max_age: '0' }, 'login_required'],
    [browser, { acr_values: '2fa' }, 'interaction_required'],
    [browser, { id_token_hint: other.tokens.body.id_token }, 'login_required'],
    [browser, { claims: '{"id_token":{"sub":{"value":"999"}}}' }, 'login_required'],
    [browser, { claims: '{"id_token":{"acr":{"essential":true,"value":"phr"}}}' }, 'unmet_authentication_requirements'],
    [fresh, { response_mode: 'fragment' }, 'login_required'],
    [browser, { claims: '{"userinfo":{"email":null}}' }, 'consent_required']
  ]
  for (const [who, more, error] of attempts) {
    const { response, url, query, fragment } = await ask(who, { prompt: 'none', ...more })
    t.equal(response.statusCode, 302, JSON.stringify(more))
    t.equal(url?.host, 'client.test')
    t.equal(query.get('error') ?? fragment.get('error'), error, JSON.stringify(more))
    t.notOk(query.has('code') || fragment.has('code'))
  }
  const form = await fresh.authorize(openIdRequest({ prompt: 'none', response_mode: 'form_post' }))
  t.match(form.body, /name="error" value="login_required"/)
  t.ok((await ask(browser, { prompt: 'none', id_token_hint: tokens.body.id_token })).query.has('code'), 'control')
})

t.test('S-125 a login satisfies requests that waited for it, and each once', async t => {
  // Seen to fail: interaction/waiting.ts without `use`; without comparing the login that there was
  const server = await makeProvider(t)
  const { browser } = await person(server)
  const fields = openIdRequest({ prompt: 'login', state: 'one' })
  t.equal(answerOf(await browser.authorize(fields)).url?.pathname, '/login')
  const page = await browser.follow(await browser.logIn())
  t.match(page.headers.location, /code=/, 'control: after the login')
  const waiting = openIdRequest({ prompt: 'login', state: 'two' })
  await browser.authorize(waiting)
  const form = formOf(await browser.request('GET', '/login'))
  await browser.request('POST', form.action, { ...form.hidden, username: 'ada', password: 'correct horse' })
  const all = await Promise.all(Array.from({ length: 8 }, async () => answerOf(await browser.authorize(waiting))))
  t.equal(all.filter(({ query }) => query.has('code')).length, 1, 'eight at once')
  t.equal(answerOf(await browser.authorize(waiting)).url?.pathname, '/login', 'and later')
  const third = openIdRequest({ prompt: 'login', state: 'three' })
  t.equal(answerOf(await browser.authorize(third)).url?.pathname, '/login', 'the login of before does not count')
  t.equal(answerOf(await browser.authorize({ ...third, state: 'four' })).url?.pathname, '/login', 'nor for others')
  await browser.request('POST', form.action, { username: 'ada', password: 'wrong' })
  t.equal(answerOf(await browser.authorize(third)).url?.pathname, '/login', 'a login that failed is none')
})

t.test('S-125 a decision belongs to the login it was asked in', async t => {
  // Seen to fail: session/transactions.ts without comparing the session
  const server = await makeProvider(t)
  const { browser } = await person(server)
  const old = formOf(await browser.authorize(openIdRequest({ prompt: 'consent' })))
  await browser.authorize(openIdRequest({ prompt: 'login' }))
  await browser.logIn('bob', 'battery staple')
  // Without the form's token, as from a page of the application.
  for (const fields of [old.hidden, { transaction_id: old.hidden.transaction_id }]) {
    const response = await browser.request('POST', old.action, fields)
    t.equal(response.statusCode, 403, 'bob does not decide for ada')
    t.equal(response.headers.location, undefined)
  }
})

t.test('S-125 a session that somebody else knows is not logged in', async t => {
  // Seen to fail: session/sessions.ts keeping the id at the login; at the step up
  const server = await makeProvider(t)
  const attacker = new Browser(server)
  await attacker.authorize(openIdRequest({ prompt: 'login' }))
  const planted = cookieOf(attacker)
  const victim = new Browser(server, [['fastback.oauth2', planted]])
  await victim.logIn()
  t.not(cookieOf(victim), planted)
  t.equal((await ask(attacker, { prompt: 'none' })).query.get('error'), 'login_required')
  t.notOk(await isIn(attacker))
  const second = new Browser(server, [['fastback.oauth2', cookieOf(victim)]])
  await second.logIn()
  t.notOk(await isIn(victim), 'the session of before a second login')
  const { sessions } = server.provider
  const headers: string[] = []
  const session = await sessions.load({ headers: { cookie: `fastback.oauth2=${cookieOf(second)}` } } as never)
  await sessions.stepUp({ headers: {}, protocol: 'http', host: 'op.test' } as never,
    { header: (_name: string, value: string) => { headers.push(value) } } as never, session as never, ['otp', 'mfa'])
  t.notOk(await isIn(second), 'the session of before a step up')
  t.ok(await isIn(new Browser(server, [['fastback.oauth2', headers[0]?.split(/[=;]/)[1] as string]])), 'control')
  for (const cookie of ['x', 'A'.repeat(43), `${planted}x`, '']) {
    t.notOk(await isIn(new Browser(server, [['fastback.oauth2', cookie]])))
  }
})

t.test('S-125 an old login is not made younger', async t => {
  // Seen to fail: session/sessions.ts with a new authTime at the step up
  const server = await withFactorsLater(t)
  const { browser, tokens } = await person(server)
  server.gain()
  const State = server.model('OAuthState')
  for (const row of await State.find({ where: { kind: 'session' } })) {
    await State.updateAll({ id: row.id }, { data: { ...row.data, authTime: row.data.authTime - 1000 } })
  }
  await ask(browser, { acr_values: '2fa' })
  const { sessions } = server.provider
  const headers: string[] = []
  const session = await sessions.load({ headers: { cookie: `fastback.oauth2=${cookieOf(browser)}` } } as never)
  await sessions.stepUp({ headers: {}, protocol: 'http', host: 'op.test' } as never,
    { header: (_name: string, value: string) => { headers.push(value) } } as never, session as never, ['otp', 'mfa'])
  const stepped = new Browser(server, [['fastback.oauth2', headers[0]?.split(/[=;]/)[1] as string]])
  t.equal((await ask(stepped, { prompt: 'none', max_age: '500' })).query.get('error'), 'login_required')
  const again = await logIn(server, { browser: stepped })
  t.equal(again.claims.auth_time, tokens.claims.auth_time as number - 1000)
  t.equal(again.claims.acr, '2fa')
  for (const max_age of ['-1', 'NaN', '1e9', ' 1', '0x10', '99999999999']) {
    t.equal((await ask(stepped, { prompt: 'none', max_age })).query.get('error'), 'invalid_request', max_age)
  }
})

t.test('S-125 id_token_hints of others', async t => {
  // Seen to fail: openid/openid.ts without the audience; verify-own.ts without the type of the token
  const server = await makeProvider(t)
  const { browser, tokens } = await person(server)
  const other = await person(server, bob)
  const foreign = await logIn(server, {
    browser, client: 'rp2', more: { redirect_uri: 'https://other.test/cb' }
  })
  const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const { kid } = tokens.header
  const signed = (header: object, key: KeyObject | string): string => {
    const coded = [{ alg: 'RS256', typ: 'JWT', ...header }, tokens.claims]
      .map(part => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
    const signature = typeof key === 'string'
      ? createHmac('sha256', key).update(coded).digest()
      : sign('sha256', Buffer.from(coded), key)
    return `${coded}.${signature.toString('base64url')}`
  }
  const [head, body] = (tokens.body.id_token as string).split('.')
  const own = async (claims: object, typ = 'JWT'): Promise<string> =>
    await server.provider.keys.sign({ ...tokens.claims, ...claims }, { alg: 'RS256', typ })
  const hints = [
    foreign.body.id_token, signed({ kid }, stranger.privateKey),
    signed({ kid, jwk: stranger.publicKey.export({ format: 'jwk' }) }, stranger.privateKey),
    signed({ jku: 'https://evil.test/keys' }, stranger.privateKey),
    signed({ alg: 'HS256', kid }, JSON.stringify((await server.provider.keys.publicSet()).keys[0])),
    `${Buffer.from(JSON.stringify({ alg: 'none', typ: 'JWT' })).toString('base64url')}.${body as string}.`,
    `${head as string}.${body as string}.`, await own({ iss: 'https://evil.test' }), await own({ aud: ['rp', 'rp2'] }),
    await own({}, 'logout+jwt'), await own({}, 'at+jwt'), tokens.body.access_token, '..', 'x'.repeat(20_000)
  ]
  for (const id_token_hint of hints) {
    const { query } = await ask(browser, { prompt: 'none', id_token_hint })
    t.equal(query.get('error'), 'invalid_request', (id_token_hint as string).slice(0, 40))
  }
  const wrong = await ask(browser, { prompt: 'none', id_token_hint: other.tokens.body.id_token })
  t.equal(wrong.query.get('error'), 'login_required', 'of another user')
  t.ok((await ask(browser, { prompt: 'none', id_token_hint: tokens.body.id_token })).query.has('code'), 'control')
})

t.test('S-125 forms of other sites end and grant nothing', async t => {
  // Seen to fail: endpoints/login.ts with `requireFormToken` as `checkFormToken`; grants-endpoint.ts without
  // checkOrigin
  const server = await makeProvider(t)
  const { browser, tokens } = await person(server)
  const attacker = await person(server, bob)
  const foreign = formOf(await attacker.browser.request('GET', '/oauth/grants')).hidden._csrf as string
  const own = formOf(await browser.request('GET', '/oauth/grants')).hidden._csrf as string
  const { sid } = tokens.claims
  const ends: Fields[] = [
    { end: 'application', client: 'rp' }, { end: 'session', session: sid as string }, { end: 'other sessions' }
  ]
  const ways: Array<[string, Fields, Record<string, string>]> = [
    ['no token', {}, {}], ['a token of another session', { _csrf: foreign }, {}], ['an empty token', { _csrf: '' }, {}],
    ['another origin', { _csrf: own }, { origin: 'https://evil.test' }],
    ['origin null', { _csrf: own }, { origin: 'null' }],
    ['a cross-site request', { _csrf: own }, { 'sec-fetch-site': 'cross-site' }]
  ]
  for (const [what, token, headers] of ways) {
    for (const fields of ends) {
      const response = await browser.request('POST', '/oauth/grants', { ...token, ...fields }, headers)
      t.equal(response.statusCode, 403, `${what}: ${fields.end as string}`)
    }
    const out = await browser.request('POST', '/oauth/logout', { ...token, logout: 'yes' }, headers)
    t.equal(out.statusCode, 403, `${what}: logout`)
  }
  const json = await browser.request('POST', '/oauth/grants', JSON.stringify({ _csrf: own, end: 'other sessions' }),
    { 'content-type': 'application/json' })
  t.equal(json.statusCode, 400)
  const twice = await browser.request('POST', '/oauth/grants', `_csrf=${own}&end=session&session=a&session=b`)
  t.equal(twice.statusCode, 400)
  t.equal((await browser.request('POST', '/oauth/grants', { _csrf: own, end: 'everything' })).statusCode, 400)
  await browser.request('GET', `/oauth/grants?end=application&client=rp&_csrf=${own}`)
  await browser.request('GET', `/oauth/logout?logout=yes&_csrf=${own}`)
  t.equal((await userinfo(server, tokens.body.access_token)).statusCode, 200, 'nothing has ended')
  t.ok(await isIn(browser))
})

t.test('S-125 nobody ends what is another users', async t => {
  // Seen to fail: session/sessions.ts `end` looking up by sid alone; stores/permissions.ts without the user
  const server = await makeProvider(t)
  const { browser, tokens } = await person(server)
  const attacker = await person(server, bob)
  const { _csrf } = formOf(await attacker.browser.request('GET', '/oauth/grants')).hidden
  for (const fields of [
    { end: 'session', session: tokens.claims.sid as string }, { end: 'application', client: 'rp' },
    { end: 'other sessions' }
  ]) await attacker.browser.request('POST', '/oauth/grants', { _csrf, ...fields } as Fields)
  t.ok(await isIn(browser))
  t.equal((await userinfo(server, tokens.body.access_token)).statusCode, 200)
  t.ok((await ask(browser, { prompt: 'none' })).query.has('code'), 'the consent is there')
})

t.test('S-125 going on as somebody is no login', async t => {
  // Seen to fail: openid/logins.ts without looking for prompt=login in `#choiceKey`
  const server = await makeProvider(t)
  const { browser } = await person(server)
  const go = async (): Promise<string> => {
    const form = formOf(await browser.request('GET', '/login'))
    const response = await browser.request('POST', '/login', { _csrf: form.hidden._csrf, continue: 'yes' })
    return response.headers.location as string
  }
  await ask(browser, { prompt: 'login' })
  t.equal(await go(), '/login?error=1', 'prompt=login')
  await ask(browser, { prompt: 'select_account login' })
  t.equal(await go(), '/login?error=1', 'with prompt=login')
  await ask(browser, { max_age: '0' })
  t.equal(await go(), '/login?error=1', 'max_age=0')
  await ask(browser, { prompt: 'select_account', max_age: '0' })
  await go()
  t.equal((await ask(browser, { prompt: 'select_account', max_age: '0' })).url?.pathname, '/login', 'an age as well')
  const fields = openIdRequest({ prompt: 'select_account' })
  await browser.authorize(fields)
  t.equal((await browser.request('POST', '/login', { continue: 'yes' })).statusCode, 403, 'without the form\'s token')
  t.match(await go(), /^\/oauth\/authorize/, 'control')
  t.ok(answerOf(await browser.authorize(fields)).query.has('code'))
})

t.test('S-125 addresses of a request lead nowhere after a login', async t => {
  // Seen to fail: account/grants-endpoint.ts showing what stands in the address
  const server = await makeProvider(t, { openid: { registrationPage: '/join' } })
  const browser = new Browser(server)
  await browser.request('GET', '/oauth/grants?returnTo=https://evil.test&page=https://evil.test')
  const form = formOf(await browser.request('GET', '/login?returnTo=https://evil.test'))
  const response = await browser.request('POST', form.action, {
    ...form.hidden, username: 'ada', password: 'correct horse', returnTo: 'https://evil.test', page: 'https://evil.test'
  })
  t.equal(response.headers.location, '/oauth/grants')
  for (const ended of ['call-this-number', '__proto__', 'constructor', '%3Cscript%3E']) {
    const page = await browser.request('GET', `/oauth/grants?ended=${ended}`)
    t.notMatch(page.body, /call-this-number|role="status"|<script/, ended)
  }
})

t.test('S-125 a scope that was not asked for is not given by a form', async t => {
  // Seen to fail: endpoints/decision.ts taking scopes from the form
  const server = await makeProvider(t)
  const browser = new Browser(server)
  await browser.logIn()
  const form = formOf(await browser.authorize(openIdRequest({ scope: 'openid email' })))
  const response = await browser.request('POST', form.action, {
    ...form.hidden, scope: 'openid email admin', 'scope.admin': 'yes', 'scope.openid': 'no'
  })
  t.ok(answerOf(response).query.has('code'))
  const [{ scopes }] = await server.model('OAuthPermission').find()
  t.strictSame([...scopes], ['openid', 'email'])
})

t.test('S-175 a form of another site takes nobody\'s login away', async t => {
  // Seen to fail: endpoints/authorize.ts that opens a session for a form without cookies: the login was gone
  const server = await makeProvider(t)
  const { browser } = await person(server)
  const fields = openIdRequest({ prompt: 'none', state: 'a b&c=ü' })
  // What a browser does: the form goes without its cookies, and what the response sets counts.
  const sent = new Browser(server)
  const response = await sent.request('POST', '/oauth/authorize', fields, { 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' })
  for (const [name, value] of sent.cookies) browser.cookies.set(name, value)
  t.ok(await isIn(browser))
  t.equal(response.statusCode, 303)
  const { query } = answerOf(await browser.request('GET', response.headers.location as string))
  t.ok(query.get('code'), 'and the request goes on with it')
  t.equal(query.get('state'), 'a b&c=ü')
  const foreign = { 'sec-fetch-site': 'cross-site' }
  t.equal((await sent.request('POST', '/oauth/authorize', openIdRequest({ redirect_uri: 'https://evil.test/cb' }), foreign)).statusCode, 400)
})

t.test('S-175 nor does one that is too long for an address', async t => {
  // Seen to fail: endpoints/authorize.ts that opens a session for a form of more than 6,000 characters
  const server = await makeProvider(t)
  const { browser } = await person(server)
  const long = openIdRequest({ state: 'x'.repeat(9000) })
  const sent = new Browser(server)
  const foreign = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' }
  const response = await sent.request('POST', '/oauth/authorize', long, foreign)
  t.strictSame([response.statusCode, response.headers.location, sent.cookies.size], [400, undefined, 0], response.body)
  for (const [name, value] of sent.cookies) browser.cookies.set(name, value)
  t.ok(await isIn(browser))
  const own = await browser.request('POST', '/oauth/authorize', long, { 'sec-fetch-site': 'same-origin' })
  t.not(own.statusCode, 400, 'control')
})
