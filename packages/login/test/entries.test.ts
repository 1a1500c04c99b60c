/* eslint camelcase: "off" -- parameters of the protocol are written as it has them */
/** What keys of an entry do, one by one. */
import { installAuthModels } from '@fastback/auth'
import { oauth2 } from '@fastback/oauth2'
import t, { type Test } from 'tap'
import { scriptedProvider } from './provider.js'
import { application, Browser, type App } from './server.js'

const ends = { session: true, successRedirect: '/in', failureRedirect: '/out', failureQueryString: true }

async function withOne (t: Test, more: object, parts = {}, options: object = {}): Promise<App> {
  const { issuer } = await scriptedProvider(t)
  const op = { preset: 'oidc', issuer, clientID: 'client', clientSecret: 'client-secret', ...ends, ...more }
  return await application(t, { providers: { op }, ...options } as never, parts)
}

const local = { module: 'passport-local', authPath: '/auth/local', ...ends }
const withLocal = async (t: Test, more: object): Promise<App> => {
  const made = await application(t, { providers: { local: { ...local, ...more } } } as never)
  const ada = { username: 'ada', email: 'ada@example.com', password: 'a password', emailVerified: true }
  await made.model('User').create(ada)
  return made
}
const cookiesOf = (set: unknown): string => [set ?? []].flat().join('\n')

t.test('LG-15: the name of an entry is the provider, and in its paths', async t => {
  const { app, model } = await withOne(t, { successRedirect: undefined })
  t.equal((await new Browser(app).logIn('/auth/op')).location, '/auth/account')
  t.match(await model('UserIdentity').find({}), [{ provider: 'op' }])
})

t.test('LG-32, LG-38: tokens of a login and their cookies', async t => {
  for (const [more, tokens, expected] of [
    [{}, 1, /access_token=s%3A[^\n]+\nuserId=/], [{ autoLogin: false }, 0, undefined],
    [{ domain: 'app.test' }, 1, /access_token=[^\n]+Domain=app\.test[^]+userId=[^\n]+Domain=app\.test/],
    [{ domain: 'app.test', session: false, tokenInRedirect: false }, 1, /access_token=[^\n]+Domain=app\.test/]
  ] as const) {
    const { app, model } = await withOne(t, more)
    const answer = await new Browser(app).logIn('/auth/op')
    t.equal(answer.location, '/in')
    const cookies = cookiesOf(answer.headers['set-cookie'])
    if (expected === undefined) t.notMatch(cookies, /access_token|userId/)
    else t.match(cookies, expected, JSON.stringify(more))
    t.equal(await model('AccessToken').count(), tokens, JSON.stringify(more))
    await app.close()
  }
})

t.test('LG-24, LG-25, LG-31, LG-39: a form of user name and password', async t => {
  const form = { username: 'ada', password: 'a password' }
  const renamed = { usernameField: 'login_name', passwordField: 'word' }
  for (const [name, more, sent, expected] of [
    ['LG-24', { successReturnToOrRedirect: '/back' }, form, '/back'],
    ['LG-39', renamed, { login_name: 'ada@example.com', word: 'a password' }, '/in'],
    ['LG-39: the names of the form alone', renamed, form, '/out?error=LOGIN_FAILED']
  ] as const) {
    const { app } = await withLocal(t, more)
    t.equal((await new Browser(app).post('/auth/local', sent)).location, expected, name)
    await app.close()
  }
  const { app } = await withLocal(t, { ...renamed, setAccessToken: true, successRedirect: undefined })
  const answer = await new Browser(app).post('/auth/local', { login_name: 'ada', word: 'a password' })
  t.match(answer.json(), { userId: 1, access_token: /^\w{64}$/ }, 'LG-31: with any name of the field')

  for (const [failureFlash, successFlash, failed, done] of [
    [true, undefined, { error: ['login failed'] }, undefined],
    ['no', 'welcome', { error: ['no'] }, { success: ['welcome'] }],
    [{ type: 'bad', message: 'x' }, { type: 'good', message: 'y' }, { bad: ['x'] }, { good: ['y'] }]
  ] as const) {
    const { app, model } = await withLocal(t, { failureFlash, successFlash })
    const kept = async (): Promise<unknown> => (await model('LoginSession').findOne({}))?.data.flash
    t.equal((await new Browser(app).post('/auth/local', { ...form, password: 'wrong' })).location, '/out?error=LOGIN_FAILED')
    t.match(await kept(), failed, 'LG-25')
    await model('LoginSession').destroyAll({})
    t.equal((await new Browser(app).post('/auth/local', form)).location, '/in')
    t.strictSame(await kept().then(value => value === undefined ? value : { ...value as object }), done, 'LG-24')
    await app.close()
  }
})

t.test('LG-35: functions of code', async t => {
  const seen: unknown[] = []
  interface Owner { accessTokens: { create (row: object): Promise<unknown> } }
  const createAccessToken = (user: Owner, done: (error: unknown, token?: unknown) => void): void => {
    user.accessTokens.create({ ttl: 77 }).then((token: unknown) => { done(null, token) }, done)
  }
  type Done = (error: unknown, user?: unknown, info?: object) => void
  const loginCallback = (req: { url: string }, done: Done) =>
    (error: unknown, user: { id: unknown }, identity: object, accessToken: object): void => {
      seen.push([req.url.split('?')[0], error, user.id])
      done(null, user, { identity, accessToken })
    }
  const first = await withOne(t, { createAccessToken, loginCallback })
  t.equal((await new Browser(first.app).logIn('/auth/op')).location, '/in')
  t.match(await first.model('AccessToken').find({}), [{ ttl: 77 }])
  t.strictSame(seen, [['/auth/op/callback', null, 1]])
  for (const [answered, expected] of [
    [[null, false], 'ACCESS_DENIED'], [[new Error('SECRET-WORDS')], 'PROFILE_INVALID']
  ] as const) {
    const { app, model, logs } = await withOne(t, {
      loginCallback: (_req: unknown, done: Done) => () => { done(...answered as [unknown]) }
    })
    const browser = new Browser(app)
    const answer = await browser.logIn('/auth/op')
    t.equal(answer.location, `/out?error=${expected}`)
    t.equal((await browser.get('/whoami')).json().id, null)
    t.equal(await model('AccessToken').count(), 0, 'no token is left')
    t.notMatch(cookiesOf(answer.headers['set-cookie']) + logs.join(''), /access_token=s|SECRET-WORDS/)
  }
})

t.test('LG-35: `fn` is told of local logins, and the answer is the usual one', async t => {
  const seen: unknown[] = []
  const fn = (error: unknown, user: false | { username: string }, info: object): void => {
    seen.push([error, user === false ? user : user.username, Object.keys(info)])
  }
  const { app } = await withLocal(t, { fn })
  const browser = new Browser(app)
  t.equal((await browser.post('/auth/local', { username: 'ada', password: 'wrong' })).location, '/out?error=LOGIN_FAILED')
  t.equal((await browser.post('/auth/local', { username: 'ada', password: 'a password' })).location, '/in')
  t.strictSame(seen, [[null, false, ['message']], [null, 'ada', []]])
})

t.test('LG-40: keys that mean nothing here are told of, and do nothing', async t => {
  const { app, logs } = await withOne(t, { colourOfButton: 'red', scop: 'email' })
  t.match(logs.join(''), /"level":30[^\n]*the key \\"colourOfButton\\" of \\"op\\" means nothing here/)
  t.match(logs.join(''), /"level":40[^\n]*unknown key \\"scop\\"; did you mean \\"scope\\"/)
  t.equal((await new Browser(app).logIn('/auth/op')).location, '/in')
})

t.test('LG-86: accounts belong to the user model that they were set up with', async t => {
  const { app, model } = await withOne(t, {}, {
    before: ({ registry }: App['app']) => {
      installAuthModels(registry)
      registry.attach(registry.defineModel({ name: 'Customer', base: 'User' }), 'db')
    }
  }, { userModel: 'Customer' })
  const browser = new Browser(app)
  t.equal((await browser.logIn('/auth/op')).location, '/in')
  t.equal(await model('Customer').count(), 1)
  t.match(await model('Customer').find({ include: 'identities' }), [{ username: 'op.ada' }])
  t.equal((await browser.get('/whoami')).json().profiles, 1)
})

t.test('LG-86: where there are two user models, the token says whose it is', async t => {
  const { app, model } = await withOne(t, {}, {
    before: ({ registry }: App['app']) => {
      installAuthModels(registry)
      registry.attach(registry.defineModel({ name: 'Customer', base: 'User' }), 'db')
      registry.attach(registry.defineModel({ name: 'Clerk', base: 'User' }), 'db')
    }
  }, { userModel: 'Customer' })
  await model('Clerk').create({ username: 'op.ada', email: 'clerk@example.com', password: 'a password' })
  const browser = new Browser(app)
  t.equal((await browser.logIn('/auth/op')).location, '/in')
  const [token] = await model('AccessToken').find()
  t.strictSame([token.principalType, token.userId], ['Customer', 1])
  t.strictSame([await model('Customer').count(), await model('Clerk').count()], [1, 1], 'the other model has a user of that name, and keeps it')
  t.match((await browser.get('/whoami')).json(), { id: 1, profiles: 1 })
  const [customer] = await model('Customer').find({ include: 'identities' })
  t.equal(customer.username, 'op.ada')
  t.equal(customer.toJSON().identities.length, 1)
})

t.test('LG-08: who comes in by a third party is logged in at the pages of the OAuth provider', async t => {
  const { app, model } = await withOne(t, {}, {
    before: async (app: App['app']) => {
      await app.register(oauth2, { dataSource: 'db', session: { secret: 'a secret of the session of pages' } } as never)
    }
  })
  await model('OAuthClientApplication').create({
    id: 'web', name: 'Web', clientType: 'public', tokenEndpointAuthMethod: 'none', redirectURIs: ['https://client.test/cb'],
    grantTypes: ['authorization_code'], responseTypes: ['code'], scopes: ['read']
  })
  const ask = '/oauth/authorize?' + new URLSearchParams({
    response_type: 'code', client_id: 'web', redirect_uri: 'https://client.test/cb', scope: 'read', code_challenge: 'a'.repeat(43),
    code_challenge_method: 'S256'
  }).toString()
  const browser = new Browser(app)
  t.match((await browser.get(ask)).location, /login/)
  const answer = await browser.logIn('/auth/op')
  t.match(answer.location, /^\/oauth\/authorize/, 'on to what waited for the login')
  const page = await browser.get(answer.location)
  t.strictSame([page.status, /name="transaction_id"/.test(page.text)], [200, true], 'it asks for consent, and for no password')
  const sessions = await model('OAuthState').find({ where: { kind: 'session' } })
  t.match(sessions.map(({ data }: any) => data.amr).filter(Boolean), [['fed']], 'OI-102: by an account elsewhere')
})
