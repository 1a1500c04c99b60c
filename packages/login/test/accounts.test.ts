// FASTBACK_TEST_FULL: logins elsewhere, on servers of their own.
/* eslint camelcase: "off" -- parameters of the protocol are written as it has them */
import path from 'node:path'
import { sqlConnector } from '@fastback/connector-sql'
import type { ProviderEntry } from '@fastback/login'
import t, { type Test } from 'tap'
import { scriptedProvider, type ScriptedProvider } from './provider.js'
import { application, Browser, type App } from './server.js'

const entry = (issuer: string, more: object = {}): ProviderEntry => ({
  preset: 'oidc', issuer, clientID: 'client', clientSecret: 'client-secret', session: true, successRedirect: '/in',
  failureRedirect: '/out', failureQueryString: true, ...more
})
const mapping = [{ userField: 'email', providerField: 'emails[0].value' }]

async function both (t: Test, more: object = {}, options: object = {}): Promise<App & { provider: ScriptedProvider }> {
  const provider = await scriptedProvider(t)
  const app = await application(t, {
    providers: {
      op: entry(provider.issuer, { profileMapping: mapping, ...more }),
      add: entry(provider.issuer, { provider: 'op', link: true, successRedirect: '/linked' }),
      credential: entry(provider.issuer, { provider: 'op', link: true, linkForLogin: false, successRedirect: '/linked' }),
      local: { module: 'passport-local', authPath: '/auth/local', successRedirect: '/in', failureRedirect: '/out' }
    },
    ...options
  } as never)
  return { ...app, provider }
}

const person = (more: object = {}): object => ({ username: 'ada', email: 'ada@example.com', password: 'a password', ...more })

t.test('LG-82, LG-84: an account joins a user by an address that is proven on both sides, and by nothing less', async t => {
  const cases: Array<[string, { here?: object, there?: object, more?: object }, string]> = [
    ['proven on both sides', {}, '/in'],
    ['not proven there', { there: { email_verified: false } }, '/out?error=ACCOUNT_EXISTS'],
    ['said as text', { there: { email_verified: 'true' } }, '/out?error=ACCOUNT_EXISTS'],
    ['said as a number', { there: { email_verified: 1 } }, '/out?error=ACCOUNT_EXISTS'],
    ['not said there', { there: { email_verified: undefined } }, '/out?error=ACCOUNT_EXISTS'],
    ['not proven here', { here: { emailVerified: false } }, '/out?error=ACCOUNT_EXISTS'],
    ['neither', { here: { emailVerified: false }, there: { email_verified: false } }, '/out?error=ACCOUNT_EXISTS'],
    ['switched off', { more: { linkByEmail: false } }, '/out?error=ACCOUNT_EXISTS'],
    ['trusted by the entry, not proven here', { more: { trustEmail: true }, here: { emailVerified: false } }, '/out?error=ACCOUNT_EXISTS']
  ]
  for (const [name, { here, there, more }, expected] of cases) {
    const { app, provider, model, events } = await both(t, more)
    const user = await model('User').create(person({ emailVerified: true, ...here }))
    provider.person = { ...provider.person, ...there }
    const browser = new Browser(app)
    t.equal((await browser.logIn('/auth/op')).location, expected, name)
    const joined = expected === '/in'
    t.equal((await browser.get('/whoami')).json().id, joined ? user.id : null, name)
    t.equal(await model('UserIdentity').count(), joined ? 1 : 0, name)
    t.equal(events.some(({ event }) => event === 'identity linked by e-mail'), joined, name)
    t.ok(await (await model('User').findById(user.id)).hasPassword('a password'), 'the password stays')
    await app.close()
  }
})

t.test('LG-33, LG-34, LG-80: what a profile may say of a user', async t => {
  const { app, provider, model, logs } = await both(t, {
    profileMapping: [...mapping, { userField: 'emailVerified', providerField: '_json.yes' }, { userField: 'username', providerField: 'displayName' }]
  })
  t.match(logs.join(''), /does not set \\"emailVerified\\"/)
  provider.person = { sub: 'one', name: 'Grace', email: 'grace@example.com', email_verified: false, yes: true }
  t.equal((await new Browser(app).logIn('/auth/op')).location, '/in')
  t.match(await model('User').findOne({}), { username: 'Grace', email: 'grace@example.com', emailVerified: false })
  provider.person = { sub: 'two', name: 'Hedy', email: 'hedy@example.com', email_verified: true }
  await new Browser(app).logIn('/auth/op')
  t.match(await model('User').findOne({ where: { username: 'Hedy' } }), { emailVerified: true })
  provider.person = { sub: 'three', name: 'Nobody' }
  t.equal((await new Browser(app).logIn('/auth/op')).location, '/out?error=EMAIL_MISSING')
})

t.test('LG-48, LG-49, LG-83: names and numbers of others are no proof', async t => {
  const { app, provider, model } = await both(t, { profileMapping: undefined })
  const squatter = await model('User').create(person({ username: 'op.ada', email: 'ada@op.invalid', emailVerified: true }))
  const browser = new Browser(app)
  t.equal((await browser.logIn('/auth/op')).location, '/in')
  const { id } = (await browser.get('/whoami')).json()
  t.not(id, squatter.id)
  const made = await model('User').findById(id)
  t.match(made.username, /^op\.ada\.[0-9a-f]{6}$/)
  t.match(made.email, /^ada\.[0-9a-f]{6}@op\.invalid$/)
  await model('UserIdentity').create({ provider: 'other', externalId: 'ada', userId: squatter.id })
  t.equal((await browser.logIn('/auth/op')).location, '/in')
  t.equal((await browser.get('/whoami')).json().id, id, 'the same number elsewhere is somebody else')
  provider.person = { ...provider.person, sub: 'ADA' }
  const other = new Browser(app)
  await other.logIn('/auth/op')
  t.not((await other.get('/whoami')).json().id, id, 'LG-127: compared exactly')
})

t.test('LG-49: one of several first logins at once makes the user', async t => {
  const { app, model } = await both(t, { profileMapping: undefined })
  const browsers = Array.from({ length: 6 }, () => new Browser(app))
  const addresses = await Promise.all(browsers.map(browser => browser.toProvider('/auth/op')))
  const answers = await Promise.all(browsers.map((browser, i) => browser.get(addresses[i] as string)))
  t.strictSame(answers.map(({ location }) => location), browsers.map(() => '/in'))
  t.equal(await model('UserIdentity').count(), 1)
  t.equal(await model('User').count(), 1)
})

t.test('LG-85: locked and removed users', async t => {
  const { app, model } = await both(t, { profileMapping: undefined })
  await new Browser(app).logIn('/auth/op')
  const [user] = await model('User').find({})
  await user.updateAttributes({ status: 'locked' })
  t.equal((await new Browser(app).logIn('/auth/op')).location, '/out?error=LOCKED')
  await user.updateAttributes({ status: 'active' })
  t.equal((await new Browser(app).logIn('/auth/op')).location, '/in')
  await model('User').destroyAll({})
  const browser = new Browser(app)
  t.equal((await browser.logIn('/auth/op')).location, '/in')
  t.equal(await model('UserIdentity').count(), 1)
  t.not((await browser.get('/whoami')).json().id, null)
})

t.test('LG-16, LG-28, LG-60 to LG-65, LG-94: linking needs the user who began, in the browser that began', async t => {
  const { app, provider, model } = await both(t, { profileMapping: undefined })
  await model('User').create(person({ emailVerified: true }))
  await model('User').create(person({ username: 'bob', email: 'bob@example.com', emailVerified: true }))
  const signIn = async (username: string): Promise<Browser> => {
    const browser = new Browser(app)
    t.equal((await browser.post('/auth/local', { username, password: 'a password' })).location, '/in')
    return browser
  }
  t.equal((await new Browser(app).get('/link/add')).location, '/out?error=NOT_LOGGED_IN', 'LG-61')
  const ada = await signIn('ada')
  t.equal((await ada.get('/link/add', { 'sec-fetch-site': 'cross-site' })).location, '/out?error=NOT_LOGGED_IN', 'LG-94')
  const bob = await signIn('bob')
  const ofAda = await ada.toProvider('/link/add')
  t.equal((await bob.get(ofAda)).location, '/out?error=STATE_INVALID', 'the answer in another browser')
  t.equal(await model('UserCredential').count(), 0)
  t.equal((await ada.get(ofAda)).location, '/linked')
  t.match(await model('UserCredential').find({}), [{ provider: 'op', externalId: 'ada' }])
  t.equal((await new Browser(app).logIn('/auth/op')).location, '/in')
  t.equal(await model('User').count(), 2, 'LG-64: the linked account logs in')
  t.equal((await bob.logIn('/link/add')).location, '/out?error=IDENTITY_IN_USE')
  t.equal((await bob.logIn('/link/credential')).location, '/linked', 'LG-65: credentials alone open nothing')
  t.equal((await bob.logIn('/link/credential')).location, '/linked')
  t.equal(await model('UserCredential').count({ userId: (await bob.get('/whoami')).json().id }), 1, 'the same again updates it')
  provider.person = { sub: 'third' }
  const changing = await ada.toProvider('/link/add')
  await ada.post('/auth/local', { username: 'bob', password: 'a password' })
  t.equal((await ada.get(changing)).location, '/out?error=STATE_INVALID', 'LG-62: another user in the same browser')
  const over = await ada.toProvider('/link/add')
  await ada.post('/logout', {})
  t.match((await ada.get(over)).location, /\/out\?error=/, 'logged out meanwhile')
  const token = await (await model('User').findOne({ where: { username: 'ada' } })).createAccessToken(1000)
  t.equal((await new Browser(app).get(`/link/add?access_token=${String(token.id)}`)).location, '/out?error=NOT_LOGGED_IN',
    'LG-63: not by a token in the address')
  t.match((await new Browser(app).get('/link/add', { authorization: String(token.id) })).location, /^http:/)
})

t.test('LG-67, LG-96: rows of accounts over REST', async t => {
  const { app, provider, model } = await both(t, { profileMapping: undefined })
  const browser = new Browser(app)
  await browser.logIn('/auth/op')
  const { id } = (await browser.get('/whoami')).json()
  const token = await (await model('User').findById(id)).createAccessToken(1000)
  const send = async (method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE', url: string, payload?: object): Promise<number> =>
    (await app.inject({
      method, url, headers: { authorization: String(token.id) },
      ...(payload === undefined ? {} : { payload })
    })).statusCode
  const identity = await model('UserIdentity').findOne({})
  const at = `/api/UserIdentities/${String(identity.id)}`
  t.equal((await app.inject('/api/UserIdentities')).statusCode, 401)
  t.equal((await app.inject({ method: 'PATCH', url: at, payload: { userId: 5 } })).statusCode, 401)
  t.equal(await send('GET', at), 200)
  const seen = (await app.inject({ url: at, headers: { authorization: String(token.id) } })).json()
  t.notOk('credentials' in seen)
  t.ok('profile' in seen)
  t.ok(await send('PATCH', at, { userId: 5 }) >= 400)
  t.ok(await send('PUT', at, { provider: 'op', externalId: 'victim', userId: id }) >= 400)
  t.ok(await send('POST', '/api/UserIdentities', { provider: 'op', externalId: 'victim', userId: id }) >= 400)
  t.ok(await send('POST', `/api/Users/${String(id)}/identities`, { provider: 'op', externalId: 'victim' }) >= 400)
  t.match(await model('UserIdentity').findById(identity.id), { userId: id, externalId: 'ada' })
  t.equal(await send('GET', '/api/UserIdentities?filter={"where":{"credentials.accessToken":"at-1"}}'), 401)
  t.equal(await send('DELETE', at), 409, 'the last way to log in stays')
  t.equal((await browser.post('/auth/account-data/unlink', { identity: String(identity.id) })).status, 409)
  provider.person = { sub: 'second' }
  await browser.logIn('/link/add')
  t.equal((await browser.post('/auth/account-data/unlink', { identity: String(identity.id) }, { 'sec-fetch-site': 'cross-site' })).status, 401)
  t.equal((await browser.post('/auth/account-data/unlink', { identity: String(identity.id) })).status, 200)
  const [left] = await model('UserIdentity').find({})
  t.equal(left.externalId, 'second')
  t.equal(await send('DELETE', `/api/UserIdentities/${String(left.id)}`), 409, 'what made the user went over to it')
  await (await model('User').findById(id)).updateAttributes({ password: 'one of my own' })
  const fresh = await (await model('User').findById(id)).createAccessToken(1000)
  t.equal((await app.inject({ method: 'DELETE', url: `/api/UserIdentities/${String(left.id)}`, headers: { authorization: String(fresh.id) } })).statusCode, 200)
})

t.test('LG-57, LG-58, LG-91: names and passwords', async t => {
  const { app, model, events } = await both(t, {}, { pages: ['https://pages.shop.test'] })
  await model('User').create(person({ emailVerified: true }))
  await model('User').create(person({ username: 'new', email: 'new@example.com' }))
  await model('User').create(person({ username: 'ada@example.com', email: 'thief@example.com', password: 'of a thief', emailVerified: true }))
  const tried = async (form: Record<string, string>, headers = {}): Promise<string> =>
    (await new Browser(app).post('/auth/local', form, headers)).location
  t.equal(await tried({ username: 'ada', password: 'a password' }), '/in')
  t.equal(await tried({ username: 'ada@example.com', password: 'a password' }), '/in')
  t.equal(await tried({ username: 'ada@example.com', password: 'of a thief' }), '/out', 'an address taken as a name is nobody\'s')
  for (const form of [
    { username: 'ada', password: 'wrong' }, { username: 'nobody', password: 'a password' }, { username: 'ada', password: '' },
    { username: '', password: '' }, { username: 'new', password: 'a password' }, { username: '{"neq":1}', password: 'a password' }
  ]) t.equal(await tried(form), '/out', JSON.stringify(form))
  t.equal(await tried({ username: 'ada', password: 'a password' }, { 'sec-fetch-site': 'cross-site' }), '/out', 'LG-91: login CSRF')
  t.equal(await tried({ username: 'ada', password: 'a password' }, { origin: 'https://evil.example' }), '/out')
  // Seen to fail: `Sec-Fetch-Site: same-site` passed, whichever subdomain it came from.
  const right = { username: 'ada', password: 'a password' }
  t.equal(await tried(right, { 'sec-fetch-site': 'same-site', origin: 'https://forum.shop.test' }), '/out', 'nor by a neighbouring subdomain')
  t.equal(await tried(right, { 'sec-fetch-site': 'same-site', origin: 'https://pages.shop.test' }), '/in', 'but by one that the settings name')
  t.equal(await tried(right, { 'sec-fetch-site': 'same-site' }), '/out', 'and by none that does not say which it is')
  t.equal(await tried(right, { 'sec-fetch-site': 'same-origin', origin: 'null' }), '/in')
  const json = await app.inject({ method: 'POST', url: '/auth/local', payload: { username: { neq: 1 }, password: { neq: 1 } } })
  t.equal(json.headers.location, '/out')
  const answer = await new Browser(app).post('/auth/local', { username: 'ada', password: 'a password' })
  t.notMatch([answer.headers['set-cookie']].flat().join(), /access_token/)
  t.ok(events.some(({ event }) => event === 'login failed'))
})

t.test('LG-59: a logout ends the session and the token that its login made', async t => {
  const { app, model } = await both(t, { profileMapping: undefined, federatedLogout: true })
  const browser = new Browser(app)
  await browser.logIn('/auth/op')
  const before = browser.copy()
  for (const site of ['cross-site', 'same-site']) t.equal((await browser.post('/logout', {}, { 'sec-fetch-site': site })).status, 403)
  t.equal(await model('AccessToken').count(), 1)
  const answer = await browser.post('/logout', {})
  t.match(answer.location, /\/end\?.*id_token_hint=/)
  t.equal(await model('AccessToken').count(), 0)
  t.strictSame((await before.get('/whoami')).json(), { id: null, profiles: 0, token: null })
})

t.test('LG-95: tokens of providers are encrypted at rest, and a secret can be replaced', async t => {
  const file = path.join(t.testdir(), 'db.sqlite')
  const parts = { connector: sqlConnector, settings: { url: `sqlite:${file}`, migrate: 'update' } }
  const provider = await scriptedProvider(t)
  const made = async (secret: string | string[]): Promise<App> =>
    await application(t, { secret, providers: { op: entry(provider.issuer) } } as never, parts)
  const first = await made('the first secret of all')
  await new Browser(first.app).logIn('/auth/op')
  const Identity = first.model('UserIdentity')
  t.match((await Identity.findOne({})).credentials, { accessToken: 'at-1', refreshToken: 'rt-1', expiresAt: /^\d{4}-/ })
  const [raw] = await first.app.registry.dataSources.db?.execute?.('SELECT credentials FROM UserIdentity') as Array<{ credentials: string }>
  t.notMatch(JSON.stringify(raw), /at-1|rt-1/)
  t.match(JSON.stringify(raw), /sealed/)
  const other = await made('quite another secret')
  t.equal((await other.model('UserIdentity').findOne({})).credentials, null, 'another secret opens nothing')
  const both = await made(['quite another secret', 'the first secret of all'])
  const row = await both.model('UserIdentity').findOne({})
  t.equal(row.credentials.accessToken, 'at-1')
  await row.updateAttributes({ credentials: { accessToken: 'at-2' } })
  t.equal((await other.model('UserIdentity').findOne({})).credentials.accessToken, 'at-2', 'written with the first of the list')
  process.env.NODE_ENV = 'production'
  t.teardown(() => { delete process.env.NODE_ENV })
  await t.rejects(made([] as never), { code: 'FBK_LOGIN_INVALID_OPTIONS' })
})

t.test('LG-56: tokens of providers are refreshed when they are used, once for all who ask', async t => {
  const file = path.join(t.testdir(), 'db.sqlite')
  const parts = { connector: sqlConnector, settings: { url: `sqlite:${file}`, migrate: 'update' } }
  const provider = await scriptedProvider(t)
  const made = async (): Promise<App> => await application(t, {
    providers: {
      op: entry(provider.issuer),
      add: entry(provider.issuer, { provider: 'op', link: true, linkForLogin: false, successRedirect: '/linked' })
    }
  } as never, parts)
  const [app, other] = [await made(), await made()]
  const browser = new Browser(app.app)
  await browser.logIn('/auth/op')
  const identity = await app.model('UserIdentity').findOne({})
  const requests = (): number => provider.tokenRequests.filter(form => form.get('grant_type') === 'refresh_token').length
  t.equal(await identity.providerToken(), 'at-1', 'one that lasts is taken as it is')
  t.equal(requests(), 0)
  interface Identity { credentials: object, updateAttributes (changes: object): Promise<unknown> }
  const age = async (row: Identity): Promise<void> => {
    const expiresAt = new Date(Date.now() + 5000).toISOString()
    await row.updateAttributes({ credentials: { ...row.credentials, expiresAt } })
  }
  await age(identity)
  const elsewhere = await other.model('UserIdentity').findOne({})
  const all = [identity, identity, elsewhere, elsewhere, await app.model('UserIdentity').findOne({})]
  t.strictSame(await Promise.all(all.map(row => row.providerToken())), all.map(() => 'at-2'))
  t.equal(requests(), 1, 'one request, also of two applications on one database')
  const stored = await app.model('UserIdentity').findOne({})
  t.match(stored.credentials, { accessToken: 'at-2', refreshToken: 'rt-2' })
  const [raw] = await app.app.registry.dataSources.db?.execute?.('SELECT credentials FROM UserIdentity') as Array<{ credentials: string }>
  t.notMatch(JSON.stringify(raw), /at-2|rt-2/, 'encrypted as before')
  t.equal(await app.model('LoginState').count({ kind: 'refresh' }), 0)

  await age(stored)
  const text = await new Promise((resolve, reject) => {
    stored.providerToken((error: Error | null, token?: string) => {
      if (error === null) resolve(token)
      else reject(error)
    })
  })
  t.equal(text, 'at-3', 'with a callback')
  const refused = { statusCode: 409, code: 'PROVIDER_TOKEN_UNAVAILABLE' }
  const row = await app.model('UserIdentity').findOne({})
  await age(row)
  provider.lies = { claims: claims => ({ ...claims, sub: 'eve' }) }
  await t.rejects(row.providerToken(), refused, 'tokens of somebody else')
  provider.lies = {}
  await t.rejects(row.providerToken(), refused, 'a refresh token that was used')
  t.notMatch(app.logs.join(''), /SECRET-WORDS|[ar]t-\d/, 'LG-97')
  t.equal(await app.model('LoginState').count({ kind: 'refresh' }), 0)
  await row.updateAttributes({ credentials: { accessToken: 'of old' } })
  t.equal(await row.providerToken(), 'of old', 'one that says no end counts')
  await row.updateAttributes({ credentials: {} })
  await t.rejects(row.providerToken(), refused)

  await browser.logIn('/auth/op')
  provider.lies = { token: ({ refresh_token, ...answer }) => answer }
  await browser.logIn('/auth/op')
  t.match(await app.model('UserIdentity').findOne({}), { credentials: { refreshToken: 'rt-1' } }, 'given once, and kept')
  t.equal((await browser.logIn('/link/add')).location, '/linked')
  t.equal(await (await app.model('UserCredential').findOne({})).providerToken(), 'at-1')
  await row.destroy()
  await t.rejects(row.providerToken(), refused)
})

t.test('LG-29, LG-53: tokens go by a one-time code, in a fragment, or not at all', async t => {
  const provider = await scriptedProvider(t)
  const more = { session: false }
  const { app } = await application(t, {
    providers: {
      code: entry(provider.issuer, { ...more, tokenInRedirect: 'code' }), none: entry(provider.issuer, more),
      fragment: entry(provider.issuer, { ...more, tokenInRedirect: 'fragment' }),
      query: entry(provider.issuer, { ...more, tokenInRedirect: 'query', successRedirect: '/in?a=1' }),
      json: entry(provider.issuer, { ...more, json: true })
    }
  })
  const browser = new Browser(app)
  const location = (await browser.logIn('/auth/code')).location
  t.match(location, /^\/in\?login_code=[\w-]{43}$/)
  t.notOk(browser.cookies.has('access_token'))
  const code = location.slice('/in?login_code='.length)
  t.equal((await browser.post('/auth/exchange', { code }, { 'sec-fetch-site': 'cross-site' })).status, 403)
  const twice = await Promise.all([browser.post('/auth/exchange', { code }), browser.post('/auth/exchange', { code })])
  t.strictSame(twice.map(({ status }) => status).sort(), [200, 400], 'once, also when it comes twice at a time')
  const { access_token } = twice.find(({ status }) => status === 200)?.json()
  t.not((await new Browser(app).get('/whoami', { authorization: access_token })).json().token, null)
  t.equal((await new Browser(app).logIn('/auth/none')).location, '/in')
  t.match((await new Browser(app).logIn('/auth/fragment')).location, /^\/in#access-token=\w{64}&user-id=\d$/)
  const query = await new Browser(app).logIn('/auth/query')
  t.match(query.location, /^\/in\?a=1&access-token=\w{64}&user-id=\d$/)
  t.equal(query.headers['referrer-policy'], 'no-referrer')
  t.match((await new Browser(app).logIn('/auth/json')).json(), { access_token: /^\w{64}$/, userId: Number }, 'LG-30')
  const refused = await new Browser(app).get('/auth/json/callback?code=1')
  t.strictSame([refused.status, refused.json()], [401, 'authentication error'])
})

t.test('LG-81: made-up addresses never get mail', async t => {
  const { app, model } = await both(t, { profileMapping: undefined })
  await new Browser(app).logIn('/auth/op')
  const asked: string[] = []
  model('User').on('resetPasswordRequest', ({ email }: { email: string }) => { asked.push(email) })
  await model('User').create(person({ emailVerified: true }))
  await model('User').resetPassword({ email: 'ada@op.invalid' })
  await model('User').resetPassword({ email: 'ada@example.com' })
  const deadline = Date.now() + 10_000
  while (asked.length === 0 && Date.now() < deadline) await new Promise(resolve => { setTimeout(resolve, 10) })
  t.strictSame(asked, ['ada@example.com'])
})

t.test('LG-99: a flood of beginnings', async t => {
  const provider = await scriptedProvider(t)
  const { app } = await application(t,
    { rateLimit: { max: 3, timeWindow: 60_000 }, providers: { op: entry(provider.issuer) } })
  const answers = []
  for (let i = 0; i < 5; i++) answers.push((await app.inject('/auth/op')).statusCode)
  t.strictSame(answers, [302, 302, 302, 429, 429])
  const from = async (remoteAddress: string): Promise<number> =>
    (await app.inject({ url: '/auth/op', remoteAddress })).statusCode
  for (let i = 1; i <= 3; i++) t.equal(await from(`2001:db8:0:1::${String(i)}`), 302)
  t.equal(await from('2001:db8:0:1:ffff::9'), 429, 'whoever has one IPv6 address has all of its network')
  t.equal(await from('2001:db8:0:2::1'), 302)
})

t.test('LG-51, LG-125, LG-126: logins and links of code in the process obey the same rules', async t => {
  const { model } = await both(t)
  const [Identity, Credential, Application] = [model('UserIdentity'), model('UserCredential'), model('ApplicationCredential')]
  const profile = { id: 7, emails: [{ value: 'ada@example.com' }], username: 'x' }
  const made = await new Promise<unknown[]>((resolve, reject) => {
    Identity.login('facebook', 'oAuth 2.0', profile, { accessToken: 'a' }, (error: unknown, ...values: unknown[]) => {
      if (error === null) resolve(values)
      else reject(error instanceof Error ? error : new Error('none'))
    })
  })
  t.match(made, [{ username: 'facebook.x', email: 'x@loopback.facebook.com' }, { externalId: '7' }, { ttl: 1_209_600 }])
  t.match(await Identity.login('facebook', 'oAuth 2.0', profile, {}), { username: 'facebook.x' })
  for (const id of [undefined, null, '', ' ', {}, [], true]) {
    await t.rejects(Identity.login('plain', 'oAuth 2.0', { id }, {}), { code: 'PROFILE_INVALID' }, `LG-50: ${JSON.stringify(id)}`)
  }
  const link = await Credential.link(1, 'github', 'oAuth 2.0', { id: 5 }, { accessToken: 'b' })
  t.match(link, { userId: 1, provider: 'github', externalId: '5' })
  const first = await Application.link('app', 'push', 'key', { key: 1 })
  t.equal((await Application.link('app', 'push', 'key', { key: 2 })).id, first.id, 'LG-66')
})
