/* eslint camelcase: "off" -- parameters of the protocol are written as it has them */
/** Second factors and passkeys at the login page, and tokens that say how their user logged in (openid.md, 10.4, 6). */
import t, { type Test } from 'tap'
import type { LightMyRequestResponse } from 'fastify'
import { stepAt, totpCode } from '../../auth/src/factors/totp.js'
import { Authenticator } from '../../auth/test/authenticator.js'
import { fromBase32 } from '../../auth/test/factors.js'
import {
  bearer, Browser, formOf, get, makeServer, redeem, request, token, verifier, type Server, type ServerParts
} from './server.js'

const page = '/login/second-factor'
const secret = 'a secret of these tests'
const webauthn = { rpId: 'op.test', origins: ['https://op.test'] }
const on = (more: object = {}): ServerParts => ({ userSettings: { secondFactor: { secret, webauthn, ...more } } })

interface WithFactors extends Server {
  code (later?: number): string
  readonly recoveryCodes: string[]
  readonly authenticator: Authenticator
}

/** Ada has codes and a passkey, bob has no factor. */
async function makeShop (t: Test, parts: ServerParts = on()): Promise<WithFactors> {
  const server = await makeServer(t, parts)
  const User = server.model('User')
  const factors = server.provider.service.secondFactors(User) as any
  const ada = await User.findOne({ where: { username: 'ada' } })
  const { secret: text } = await factors.totp.enrol(ada, 'Shop')
  const code = (later = 0): string => totpCode(fromBase32(text), stepAt(Date.now()) + later)
  await factors.totp.confirm(ada, code(-1))
  const recoveryCodes = await factors.recovery.renew(ada)
  const authenticator = new Authenticator('https://op.test')
  const passkeys = factors.ways.get('response')
  await passkeys?.register(ada, 'Phone', authenticator.create(await passkeys.creationOptions(ada)))
  return { ...server, code, recoveryCodes, authenticator }
}

const second = async (browser: Browser, fields: Record<string, string>): Promise<LightMyRequestResponse> => {
  const { hidden } = formOf(await browser.request('GET', page))
  return await browser.request('POST', page, { ...hidden, ...fields })
}

/** What the script would ask the browser with. */
const optionsIn = ({ body }: LightMyRequestResponse): any =>
  JSON.parse((/data-options="([^"]*)"/.exec(body)?.[1] ?? '').replaceAll('&quot;', '"'))

t.test('without factors nothing is there', async t => {
  const server = await makeServer(t)
  t.equal((await get(server, page)).statusCode, 404)
  t.equal((await get(server, '/login/passkey.js')).statusCode, 404)
  const login = await get(server, '/login')
  t.notMatch(login.body, /script|passkey/)
  t.notMatch(login.headers['content-security-policy'], /script-src/)
})

t.test('OI-101, OI-250, OI-251: the right password leads to the page for the second factor', async t => {
  const server = await makeShop(t)
  const browser = new Browser(server)
  await browser.authorize(request())
  const before = [...browser.cookies.values()]
  const response = await browser.logIn()
  t.match(response, { statusCode: 303, headers: { location: page, 'cache-control': 'no-store' } })
  t.not([...browser.cookies.values()][0], before[0], 'under a new id')
  t.equal((await browser.authorize(request())).headers.location, '/login', 'not logged in')
  const shown = await browser.request('GET', page)
  t.equal(shown.statusCode, 200)
  t.match(shown.headers, { 'cache-control': 'no-store', 'x-frame-options': 'DENY', 'content-security-policy': /script-src 'self'.*frame-ancestors 'none'/ })
  t.match(shown.body, /<form method="post" action="\/login\/second-factor">\s*<input type="hidden" name="_csrf"/)
  t.match(shown.body, /name="otp" type="text" autocomplete="one-time-code"/)
  t.notMatch(shown.body, /inputmode/)
  t.notMatch(shown.body, /<script>/)
  t.match(await new Browser(server).request('GET', page), { statusCode: 303, headers: { location: '/login' } })
  t.match(await new Browser(server).request('POST', page, { otp: '1' }), { statusCode: 303, headers: { location: '/login' } })
  const other = new Browser(server)
  t.equal((await other.logIn('bob', 'battery staple')).headers.location, '/', 'who has no factor is logged in')
  t.match((await new Browser(server).logIn('ada', 'wrong')).headers.location, /\/login\?error=1/)
})

t.test('OI-252: a right code goes on to what waits, in a new session', async t => {
  const server = await makeShop(t)
  for (const otp of [server.code(), server.recoveryCodes[0] as string]) {
    const browser = new Browser(server)
    await browser.authorize(request({ state: 'kept' }))
    await browser.logIn()
    const half = [...browser.cookies]
    const response = await second(browser, { otp })
    t.equal(response.statusCode, 303)
    t.match(response.headers.location, /^\/oauth\/authorize\?.*state=kept/)
    t.not([...browser.cookies][0]?.[1], half[0]?.[1])
    t.equal((await new Browser(server, half).request('GET', page)).headers.location, '/login', 'the half-way session is over')
    t.equal(formOf(await browser.follow(response)).names.includes('transaction_id'), true)
    const again = new Browser(server)
    await again.logIn()
    t.match((await second(again, { otp })).headers.location, /error=1/, 'it works once')
  }
})

t.test('OI-252: wrong ones lead back, and after five to the login', async t => {
  const server = await makeShop(t)
  const browser = new Browser(server)
  await browser.logIn()
  for (let i = 0; i < 4; i++) {
    t.equal((await second(browser, { otp: '000000' })).headers.location, `${page}?error=1`)
    t.match((await browser.request('GET', `${page}?error=1`)).body, /role="alert"/)
  }
  t.equal((await second(browser, { otp: '000000' })).headers.location, '/login?error=1')
  t.equal((await browser.request('GET', page)).headers.location, '/login')
  t.equal((await browser.request('POST', page, { otp: server.code() })).headers.location, '/login')
})

t.test('OI-252: from another site, without the token of the form, with repeated fields: nothing', async t => {
  const server = await makeShop(t)
  const browser = new Browser(server)
  await browser.logIn()
  const { hidden } = formOf(await browser.request('GET', page))
  const otp = server.code()
  t.equal((await browser.request('POST', page, { ...hidden, otp }, { origin: 'https://evil.test' })).statusCode, 403)
  t.equal((await browser.request('POST', page, { ...hidden, otp }, { 'sec-fetch-site': 'cross-site' })).statusCode, 403)
  t.equal((await browser.request('POST', page, { otp })).statusCode, 403)
  t.equal((await browser.request('POST', page, { otp, _csrf: 'x' })).statusCode, 403)
  const twice = `${new URLSearchParams({ ...hidden, otp }).toString()}&otp=1`
  t.match((await browser.request('POST', page, twice)).headers.location, /error=1/)
  t.match((await browser.request('POST', page, { ...hidden, otp })).headers.location, /^\/$/, 'and the code is good still')
})

t.test('OI-253: the state is in the session, for 300 s, and ends with the password', async t => {
  const server = await makeShop(t)
  const browser = new Browser(server)
  await browser.logIn()
  const { hidden } = formOf(await browser.request('GET', page))
  const User = server.model('User')
  await (await User.findOne({ where: { username: 'ada' } })).patchAttributes({ password: 'another horse' })
  t.equal((await browser.request('POST', page, { ...hidden, otp: server.code() })).headers.location, '/login')
  const later = new Browser(server)
  await later.logIn('ada', 'another horse')
  t.equal((await later.request('GET', page)).statusCode, 200)
  const State = server.model('OAuthState')
  for (const { id, data } of await State.find({ where: { kind: 'session' } })) {
    const { halfway } = data
    if (halfway === undefined) continue
    await State.updateAll({ id }, { data: { ...data, halfway: { ...halfway, since: halfway.since - 301 } } })
  }
  t.equal((await later.request('GET', page)).headers.location, '/login')
})

t.test('OI-214: wrong codes count for the account, over REST and the page', async t => {
  const server = await makeShop(t)
  const { Attempts, attemptsOf } = await import('@fastback/auth/service')
  const limits = { account: { max: 3, timeWindow: 60_000 }, address: { max: 1000, timeWindow: 60_000 }, knownFor: 1 }
  attemptsOf(server.app.registry).users = new Attempts(() => attemptsOf(server.app.registry).counter, limits)
  for (let i = 0; i < 3; i++) {
    await server.app.inject({ method: 'POST', url: '/api/Users/login', payload: { username: 'ada', password: 'correct horse', otp: '000000' } })
  }
  const browser = new Browser(server)
  await browser.logIn()
  const limited = await second(browser, { otp: server.code() })
  t.equal(limited.statusCode, 429)
  t.match(limited.headers['retry-after'], /^\d+$/)
})

t.test('OI-254: the passkey button; its script is one file of ours', async t => {
  const server = await makeShop(t)
  const browser = new Browser(server)
  await browser.authorize(request({ state: 'kept' }))
  const login = await browser.request('GET', '/login')
  t.match(login.headers['content-security-policy'], /script-src 'self'/)
  t.match(login.body, /<form method="post" action="\/login" id="passkey" hidden data-options="[^"]+" data-conditional>/)
  t.match(login.body, /autocomplete="username webauthn"/)
  const script = await browser.request('GET', '/login/passkey.js')
  t.match(script, { statusCode: 200, headers: { 'content-type': 'text/javascript; charset=utf-8', 'x-content-type-options': 'nosniff' } })
  t.notMatch(script.body, /fetch|XMLHttpRequest|innerHTML|eval/)
  const options = optionsIn(login)
  t.match(options, { rpId: 'op.test', userVerification: 'required', challenge: /^[\w-]{43}$/ })
  t.notOk('allowCredentials' in options)
  const { hidden } = formOf(login)
  const passkey = JSON.stringify(server.authenticator.get(options))
  const response = await browser.request('POST', '/login', { ...hidden, passkey })
  t.match(response.headers.location, /^\/oauth\/authorize\?.*state=kept/, 'a passkey is all that is needed')
  const again = new Browser(server)
  const form = formOf(await again.request('GET', '/login'))
  t.equal((await again.request('POST', '/login', { ...form.hidden, passkey })).headers.location, '/login?error=1', 'it works once')
  for (const wrong of ['{}', 'x', 'null', '[]', '7']) {
    t.equal((await again.request('POST', '/login', { ...form.hidden, passkey: wrong })).headers.location, '/login?error=1')
  }
})

t.test('OI-254: a passkey as second factor, for the challenge of that page', async t => {
  const server = await makeShop(t)
  const browser = new Browser(server)
  await browser.logIn()
  const shown = await browser.request('GET', page)
  const options = optionsIn(shown)
  t.match(options.allowCredentials, [{ id: server.authenticator.id.toString('base64url') }])
  const { hidden } = formOf(shown)
  const unverified = JSON.stringify(server.authenticator.get(options, { verified: false }))
  t.match((await browser.request('POST', page, { ...hidden, passkey: unverified })).headers.location, /error=1/)
  const passkey = JSON.stringify(server.authenticator.get(options))
  t.equal((await browser.request('POST', page, { ...hidden, passkey })).headers.location, '/')
  const other = new Browser(server)
  await other.logIn()
  t.match((await second(other, { passkey })).headers.location, /error=1/)
  const login = optionsIn(await new Browser(server).request('GET', '/login'))
  t.match((await second(other, { passkey: JSON.stringify(server.authenticator.get(login)) })).headers.location, /error=1/, 'a challenge of the login page')
})

t.test('OI-219: who must set a factor up first is not logged in before', async t => {
  const server = await makeShop(t, on({ required: true }))
  const browser = new Browser(server)
  t.equal((await browser.logIn('bob', 'battery staple')).headers.location, page)
  t.equal((await browser.authorize(request())).headers.location, '/login')
})

t.test('OI-102, OI-103: tokens say how their user logged in; weaker and older ones are refused', async t => {
  const server = await makeShop(t, {
    ...on(),
    options: {
      authenticate: [
        { paths: ['/api/Notes/who'], options: {} },
        { paths: ['/api/Notes/count'], options: { acrValues: ['2fa'], maxAge: 300 } },
        { paths: ['/api/Notes/forWeb'], options: { acrValues: ['phr'] } }
      ]
    }
  })
  const tokens = async (browser: Browser, more: object = {}): Promise<any> => {
    const proof = verifier()
    const { query } = await browser.walk(request({}, proof), { username: 'bob', password: 'battery staple', ...more })
    return (await redeem(server, { code: query.get('code') as string, secret: proof })).json()
  }
  const weak = await tokens(new Browser(server))
  t.equal((await get(server, '/api/Notes/who', bearer(weak.access_token))).statusCode, 200)
  const refused = await get(server, '/api/Notes/count', bearer(weak.access_token))
  t.equal(refused.statusCode, 401)
  t.match(refused.headers['www-authenticate'], /^Bearer realm="[^"]*", error="insufficient_user_authentication", error_description="[^"]*", acr_values="2fa", max_age="300"$/)
  t.match(refused.json(), { error: 'insufficient_user_authentication' })
  const strongBrowser = new Browser(server)
  await strongBrowser.authorize(request())
  await strongBrowser.logIn()
  await second(strongBrowser, { otp: server.code() })
  const strong = await tokens(strongBrowser, { username: 'ada', password: 'correct horse' })
  t.equal((await get(server, '/api/Notes/count', bearer(strong.access_token))).statusCode, 200)
  t.match((await get(server, '/api/Notes/forWeb', bearer(strong.access_token))).headers['www-authenticate'], /acr_values="phr"$/)
  const renewed = (await token(server, { grant_type: 'refresh_token', refresh_token: strong.refresh_token })).json()
  t.equal((await get(server, '/api/Notes/count', bearer(renewed.access_token))).statusCode, 200)
  const Token = server.model('OAuthAccessToken')
  for (const row of await Token.find({})) {
    const parameters = (row.parameters ?? []).map(({ name, value }: any) => {
      const login = JSON.parse(value)
      return { name, value: JSON.stringify({ ...login, authTime: login.authTime - 301 }) }
    })
    await Token.updateAll({ id: row.id }, { parameters })
  }
  t.equal((await get(server, '/api/Notes/count', bearer(renewed.access_token))).statusCode, 401, 'too old')
  const later = (await token(server, { grant_type: 'refresh_token', refresh_token: renewed.refresh_token })).json()
  t.equal((await get(server, '/api/Notes/count', bearer(later.access_token))).statusCode, 401, 'a refresh makes no login younger')
  const client = (await token(server, { grant_type: 'client_credentials' })).json()
  t.equal((await get(server, '/api/Notes/count', bearer(client.access_token))).statusCode, 401, 'a client is no user')
  await t.rejects(async () => { server.provider.authenticate(['/x'], { acrValues: ['3fa'] }) }, /"3fa"/)
})

t.test('OI-100: a login by an account elsewhere is stepped up at the page, and is no new login', async t => {
  const server = await makeShop(t, { ...on(), options: { openid: true, issuer: 'http://op.test' } as never })
  await server.model('OAuthClientApplication').updateAll({ id: 'web' }, { scopes: ['openid', 'read'] })
  let cookie = ''
  const reply = { header: (_name: string, value: string) => { cookie = value.split(/[=;]/)[1] as string } }
  const ada = await server.model('User').findOne({ where: { username: 'ada' } })
  await server.provider.logInBy({ headers: {}, protocol: 'http', host: 'op.test' }, reply, ada.id)
  const browser = new Browser(server, [['fastback.oauth2', cookie]])
  const claimsOf = async (more: object = {}): Promise<any> => {
    const proof = verifier()
    const { query } = await browser.walk(request({ scope: 'openid', ...more }, proof))
    const { id_token } = (await redeem(server, { code: query.get('code') as string, secret: proof })).json()
    return JSON.parse(Buffer.from(String(id_token).split('.')[1] as string, 'base64url').toString())
  }
  const before = await claimsOf()
  t.match(before, { acr: '1fa', amr: ['fed'] })
  const wish = { acr_values: '2fa' }
  t.equal((await browser.authorize(request({ scope: 'openid', ...wish }))).headers.location, page)
  t.match(await second(browser, { otp: '000000' }), { statusCode: 303, headers: { location: `${page}?error=1` } })
  t.match((await second(browser, { otp: server.code() })).headers.location, /^\/oauth\/authorize\?/, 'on to what waits')
  const after = await claimsOf({ ...wish, prompt: 'none' })
  t.match(after, { acr: '2fa', amr: ['fed', 'otp', 'mfa'], auth_time: before.auth_time, sid: before.sid })
})

t.test('OI-255: id_tokens say it', async t => {
  const server = await makeShop(t, { ...on(), options: { openid: true, issuer: 'http://op.test' } as never })
  await server.model('OAuthClientApplication').updateAll({ id: 'web' }, { scopes: ['openid', 'read'] })
  const browser = new Browser(server)
  await browser.authorize(request({ scope: 'openid' }))
  await browser.logIn()
  const none = await browser.authorize(request({ scope: 'openid', prompt: 'none' }))
  t.match(none.headers.location, /error=login_required/, 'OI-250')
  await second(browser, { otp: server.code() })
  const proof = verifier()
  const { query } = await browser.walk(request({ scope: 'openid' }, proof))
  const { id_token } = (await redeem(server, { code: query.get('code') as string, secret: proof })).json()
  const claims = JSON.parse(Buffer.from(String(id_token).split('.')[1] as string, 'base64url').toString())
  t.match(claims, { acr: '2fa', amr: ['pwd', 'otp', 'mfa'] })
})
