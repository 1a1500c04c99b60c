/* eslint camelcase: "off" -- parameters of the protocol are written as it has them */
import type { ProviderEntry } from '@fastback/login'
import t from 'tap'
import { application, Browser, origin } from './server.js'
import { scriptedProvider, type Lies } from './provider.js'

const entry = (issuer: string, more: object = {}): ProviderEntry => ({
  preset: 'oidc', issuer, clientID: 'client', clientSecret: 'client-secret', session: true, successRedirect: '/in',
  failureRedirect: '/out', failureQueryString: true, ...more
})

t.test('LG-45, LG-46, LG-47, LG-52, LG-54, LG-56, LG-80: a first login makes a user, the next finds it', async t => {
  const provider = await scriptedProvider(t)
  const { app, model, events, logs } = await application(t, { providers: { op: entry(provider.issuer) } })
  const browser = new Browser(app)
  const answer = await browser.logIn('/auth/op')
  t.equal(answer.status, 302)
  t.equal(answer.location, '/in')
  t.equal(answer.headers['cache-control'], 'no-store')
  const set = [answer.headers['set-cookie']].flat().join('\n')
  t.match(set, /access_token=s%3A[^;]+; Max-Age=1209600; Path=\/; HttpOnly; SameSite=Lax/)
  t.match(set, /userId=s%3A/)
  const [user] = await model('User').find({})
  t.match(user, { username: 'op.ada', emailVerified: false })
  t.equal(user.email, 'ada@op.invalid')
  const [identity] = await model('UserIdentity').find({})
  t.match(identity, {
    provider: 'op', externalId: 'ada', authScheme: 'openid connect',
    profile: { provider: 'op', id: 'ada', displayName: 'Ada L', emails: [{ value: 'ada@example.com', verified: true }] },
    credentials: { accessToken: 'at-1', refreshToken: 'rt-1' }
  })
  t.strictSame(await browser.get('/whoami').then(each => each.json()), { id: user.id, profiles: 1, token: user.id },
    'LG-07, LG-55: by the session, and by the cookie')
  t.equal((await new Browser(app).logIn('/auth/op')).location, '/in')
  t.equal(await model('User').count(), 1)
  t.equal(events.filter(({ event }) => event === 'login').length, 2)
  t.notMatch(logs.join(''), /at-1|rt-1|client-secret|ada@example/, 'LG-97')
  t.equal((await new Browser(app).get('/auth/op')).status, 302)
  const head = await app.inject({ method: 'HEAD', url: '/auth/op' })
  t.equal(head.statusCode, 404, 'HEAD starts nothing')
})

t.test('LG-27, LG-37, LG-72: what the authorization request says', async t => {
  const provider = await scriptedProvider(t)
  const { app } = await application(t, {
    providers: {
      op: entry(provider.issuer, { authOptions: { display: 'popup', state: 'mine', nonce: 'mine', redirect_uri: 'http://evil/' } }),
      two: entry(provider.issuer, { scope: ['one', 'two'], pkce: false, callbackURL: 'https://other.example/auth/two/callback' })
    }
  })
  const first = new URL((await new Browser(app).get('/auth/op')).location)
  const query = Object.fromEntries(first.searchParams)
  t.match(query, {
    response_type: 'code', client_id: 'client', scope: 'openid email profile', code_challenge_method: 'S256', display: 'popup',
    redirect_uri: `${origin}/auth/op/callback`
  })
  for (const name of ['state', 'nonce', 'code_challenge']) {
    t.match(query[name], /^[\w-]{22,}$/, name)
  }
  const second = new URL((await new Browser(app).get('/auth/two')).location).searchParams
  t.equal(second.get('scope'), 'openid one two')
  t.equal(second.get('code_challenge'), null)
  t.equal(second.get('redirect_uri'), 'https://other.example/auth/two/callback', 'LG-21')
})

const now = (): number => Math.floor(Date.now() / 1000)
const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Each logs nobody in. */
const dishonest: Record<string, Lies> = {
  'alg none': { idToken: claims => `${part({ alg: 'none' })}.${part(claims)}.` },
  'alg HS256 with the client secret': {
    idToken: async claims => {
      const { SignJWT } = await import('jose')
      return await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from('client-secret'))
    },
    discovery: document => ({ ...document, id_token_signing_alg_values_supported: ['HS256', 'none', 'RS256'] })
  },
  'another key': {
    idToken: async claims => {
      const { generateKeyPair, SignJWT } = await import('jose')
      const { privateKey } = await generateKeyPair('RS256')
      return await new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(privateKey)
    }
  },
  'a changed signature': { idToken: async () => `${part({ alg: 'RS256', kid: 'one' })}.${part({ sub: 'x' })}.AAAA` },
  'another issuer': { claims: claims => ({ ...claims, iss: 'https://other.example' }) },
  'another audience': { claims: claims => ({ ...claims, aud: 'somebody' }) },
  'several audiences without azp': { claims: claims => ({ ...claims, aud: ['client', 'other'] }) },
  'azp of another': { claims: claims => ({ ...claims, azp: 'other' }) },
  over: { claims: claims => ({ ...claims, exp: now() - 600 }) },
  'made in the future': { claims: claims => ({ ...claims, iat: now() + 6000, exp: now() + 9000 }) },
  'without iat': { claims: ({ iat, ...claims }) => claims },
  'another nonce': { claims: claims => ({ ...claims, nonce: 'other' }) },
  'without nonce': { claims: ({ nonce, ...claims }) => claims },
  'no id_token': { idToken: () => undefined },
  'no sub': { claims: ({ sub, ...claims }) => claims },
  'an empty sub': { claims: claims => ({ ...claims, sub: '' }) },
  'an id that is an object': { claims: claims => ({ ...claims, sub: { a: 1 } as never }) },
  'an id too long': { claims: claims => ({ ...claims, sub: 'a'.repeat(300) }), userInfo: claims => ({ ...claims, sub: 'a'.repeat(300) }) },
  'another sub at userinfo': { userInfo: claims => ({ ...claims, sub: 'victim' }) },
  'no sub at userinfo': { userInfo: ({ sub, ...claims }) => claims },
  'userinfo that is a list': { userInfo: () => [] },
  'an answer of another issuer': { answer: query => { query.set('iss', 'https://other.example') } },
  'no iss though promised': { discovery: document => ({ ...document, authorization_response_iss_parameter_supported: true }) },
  'an injected code': { answer: query => { query.set('code', 'of-somebody-else') } },
  'two codes': { answer: query => { query.append('code', 'another') } },
  'two states': { answer: query => { query.append('state', 'another') } },
  'a state of its own': { answer: query => { query.set('state', 'x'.repeat(43)) } },
  'no state': { answer: query => { query.delete('state') } },
  'no code': { answer: query => { query.delete('code') } },
  'refused by the user': { answer: query => { query.delete('code'); query.set('error', 'access_denied') } },
  'an error with a script': { answer: query => { query.delete('code'); query.set('error', '<script>'); query.set('error_description', '<script>alert(1)</script>') } },
  'an issuer of another name in the description': { discovery: document => ({ ...document, issuer: 'https://other.example' }) },
  'a description without https': { discovery: document => ({ ...document, token_endpoint: 'http://198.51.100.7/token' }) },
  'a description that is too large': { discovery: document => ({ ...document, more: 'x'.repeat(1_100_000) }) },
  'a token answer that is an error': { tokenStatus: 500 },
  'a token answer without a token': { token: ({ access_token, ...answer }) => answer },
  'a token answer that redirects': { tokenStatus: 302 }
}

t.test('LG-23, LG-26, LG-50, LG-71, LG-73, LG-74, LG-79, LG-98: what a dishonest provider does logs nobody in', async t => {
  const provider = await scriptedProvider(t)
  const { app, model, events, logs } = await application(t, {
    providers: Object.fromEntries(Object.keys(dishonest).map((_name, i) => [`p${i}`, entry(provider.issuer)]))
  })
  for (const [i, [name, lies]] of Object.entries(dishonest).entries()) {
    provider.lies = lies
    const browser = new Browser(app)
    const begun = await browser.get(`/auth/p${i}`)
    const answer = begun.location.startsWith(provider.issuer)
      ? await browser.get((await fetch(begun.location, { redirect: 'manual' })).headers.get('location') as string)
      : begun
    t.equal(answer.status, 302, name)
    t.match(answer.location, /^\/out\?error=(PROVIDER_ERROR|STATE_INVALID|PROFILE_INVALID|ACCESS_DENIED)$/, name)
    t.notOk(browser.cookies.has('access_token'), name)
    t.strictSame((await browser.get('/whoami')).json().id, null, name)
  }
  t.equal(await model('User').count(), 0)
  t.equal(await model('UserIdentity').count(), 0)
  t.equal(events.filter(({ event }) => event === 'login.failed').length, Object.keys(dishonest).length, 'LG-75')
  t.notMatch(logs.join(''), /SECRET-WORDS|<script>|client-secret|at-1/)
})

t.test('LG-74, LG-91, LG-92, LG-90: states belong to a browser and an entry, and are used once', async t => {
  const provider = await scriptedProvider(t)
  const { app, model } =
    await application(t, { providers: { op: entry(provider.issuer), other: entry(provider.issuer) } })
  const attacker = new Browser(app)
  const theirs = await attacker.toProvider('/auth/op')
  const before = provider.tokenRequests.length
  const victim = new Browser(app)
  t.equal((await victim.get(theirs)).location, '/out?error=STATE_INVALID', 'login CSRF: without a session')
  await victim.toProvider('/auth/op')
  t.equal((await victim.get(theirs)).location, '/out?error=STATE_INVALID', 'with a session of its own')
  t.equal((await victim.get('/auth/op/callback?code=abc')).location, '/out?error=STATE_INVALID', 'a code alone')
  t.equal((await victim.get('/auth/op/callback')).location, '/out?error=STATE_INVALID', 'nothing')
  t.equal((await attacker.copy().get(theirs.replace('/auth/op/', '/auth/other/'))).location, '/out?error=STATE_INVALID',
    'mix-up: the answer at another entry')
  t.equal(provider.tokenRequests.length, before, 'no code was redeemed')
  const own = await attacker.toProvider('/auth/op')
  const fixed = attacker.cookies.get('fastback.login')
  t.equal((await attacker.get(own)).location, '/in')
  t.not(attacker.cookies.get('fastback.login'), fixed, 'the session id changes')
  const old = new Browser(app)
  old.cookies.set('fastback.login', fixed as string)
  t.equal((await old.get('/whoami')).json().id, null, 'the old one is worth nothing')
  t.equal((await attacker.get(own)).location, '/out?error=STATE_INVALID', 'replay')
  const twice = new Browser(app)
  const address = await twice.toProvider('/auth/op')
  const both = await Promise.all([twice.copy().get(address), twice.copy().get(address)])
  t.strictSame(both.map(each => each.location).sort(), ['/in', '/out?error=STATE_INVALID'], 'one of two at once')
  t.equal(await model('User').count(), 1)
})

t.test('LG-72: at most ten logins are open for a browser, the oldest goes', async t => {
  const provider = await scriptedProvider(t)
  const { app, model } = await application(t, { providers: { op: entry(provider.issuer) } })
  const browser = new Browser(app)
  const first = await browser.toProvider('/auth/op')
  for (let i = 0; i < 10; i++) await browser.get('/auth/op')
  t.equal(await model('LoginState').count(), 10)
  t.equal((await browser.get(first)).location, '/out?error=STATE_INVALID')
  for (const row of await model('LoginState').find({})) t.ok(JSON.stringify(row).length < 1000, 'LG-99')
})

t.test('LG-22, LG-93: returnTo of the session goes first, once, and only within this origin', async t => {
  const provider = await scriptedProvider(t)
  const { app } = await application(t, { providers: { op: entry(provider.issuer) } }, {
    before: app => {
      app.get('/remember', async (request, reply) => {
        const { to } = request.query as { to: string }
        const { fastifyVisit } = await import('../src/visit.js')
        const session = await app.logins.sessions.of(fastifyVisit(request, reply, origin) as never)
        await session.set('returnTo', to)
        return {}
      })
    }
  })
  for (const [to, expected] of [
    ['/notes?a=1', '/notes?a=1'], ['//evil.example', '/in'], ['/\\evil.example', '/in'], ['https://evil.example', '/in'],
    ['javascript:alert(1)', '/in'], ['/a\nset-cookie: x', '/in'], [' /a', '/in']
  ] as const) {
    const browser = new Browser(app)
    await browser.get(`/remember?to=${encodeURIComponent(to)}`)
    t.equal((await browser.logIn('/auth/op?returnTo=//evil.example&redirect=//evil.example')).location, expected, to)
    t.equal((await browser.logIn('/auth/op')).location, '/in', 'it is used once')
  }
})
