/** Users who must have a second factor set one up at the login page (openid.md, OI-256). */
import t, { type Test } from 'tap'
import type { LightMyRequestResponse } from 'fastify'
import { stepAt, totpCode } from '../../auth/src/factors/totp.js'
import { Authenticator } from '../../auth/test/authenticator.js'
import { fromBase32 } from '../../auth/test/factors.js'
import { Browser, formOf, get, makeServer, request, type Server } from './server.js'

const page = '/login/second-factor'
const webauthn = { rpId: 'op.test', origins: ['https://op.test'] }

const start = async (t: Test, more: object = {}): Promise<Server> => await makeServer(t, {
  userSettings: { secondFactor: { secret: 'a secret of these tests', required: true, ...more } }
})

const codesIn = ({ body }: LightMyRequestResponse): string[] =>
  [...body.matchAll(/<code>([^<]*)<\/code>/g)].map(([, text]) => (text as string).replaceAll(' ', ''))
const codeFor = (secret: string, later = 0): string => totpCode(fromBase32(secret), stepAt(Date.now()) + later)

async function send (browser: Browser, fields: Record<string, string>, headers = {}): Promise<LightMyRequestResponse> {
  const { hidden } = formOf(await browser.request('GET', page))
  return await browser.request('POST', page, { _csrf: hidden._csrf as string, ...fields }, headers)
}

const factorsOf = async (server: Server, username: string): Promise<readonly string[] | undefined> => {
  const User = server.model('User')
  return await server.provider.service.secondFactors(User)?.of((await User.findOne({ where: { username } })).id)
}

t.test('OI-219, OI-256: an authenticator application is set up at the login, which then goes on', async t => {
  const server = await start(t)
  const browser = new Browser(server)
  await browser.authorize(request({ state: 'kept' }))
  t.match(await browser.logIn('bob', 'battery staple'), { statusCode: 303, headers: { location: page } })
  t.equal((await browser.authorize(request({ state: 'kept' }))).headers.location, '/login', 'not logged in yet')
  const offered = await browser.request('GET', page)
  t.match(offered, { statusCode: 200, headers: { 'cache-control': 'no-store', 'x-frame-options': 'DENY' } })
  t.match(offered.headers['content-security-policy'], /^default-src 'none'.*form-action 'self' https:\/\/client\.test/)
  t.match(offered.body, /<strong>bob<\/strong> needs a second step/)
  t.notMatch(offered.body, /<script|otpauth|passkey/i, 'nothing is made by opening a page, and it needs no script')

  const begun = await send(browser, { factor: 'totp' })
  t.match(begun, { statusCode: 200, headers: { 'cache-control': 'no-store' } })
  const [secret] = codesIn(begun) as [string]
  t.match(begun.body, `secret=${secret}`)
  t.equal((await send(browser, { factor: 'confirm totp', otp: '000000' })).headers.location, `${page}?problem=SECOND_FACTOR_FAILED`)
  const again = await browser.request('GET', `${page}?problem=SECOND_FACTOR_FAILED`)
  t.match(again.body, /role="alert"[^>]*>The code is wrong[\s\S]*waits for the first code/)
  t.notMatch(again.body, secret, 'shown once')
  const half = [...browser.cookies]
  const confirmed = await send(browser, { factor: 'confirm totp', otp: codeFor(secret, -1) })
  t.equal(codesIn(confirmed).length, 10)
  t.not([...browser.cookies][0]?.[1], half[0]?.[1], 'under a new id')
  t.equal((await new Browser(server, half).request('GET', page)).headers.location, '/login', 'the half-way session is over')
  const next = /<a href="([^"]*)">Continue/.exec(confirmed.body)?.[1]?.replaceAll('&amp;', '&') as string
  t.match(next, /^\/oauth\/authorize\?.*state=kept/)
  t.ok(formOf(await browser.request('GET', next)).names.includes('transaction_id'), 'logged in')
  const [session] = await server.provider.sessions.of(2)
  t.strictSame(session?.amr, ['pwd', 'otp', 'mfa'])
  t.equal((await browser.request('POST', page, { factor: 'totp' })).headers.location, '/login', 'only once')
  for (const text of [secret, ...codesIn(confirmed)]) t.notOk(server.logs.some(line => line.includes(text)))

  const later = new Browser(server)
  await later.logIn('bob', 'battery staple')
  const asked = await later.request('GET', page)
  t.match(asked.body, /name="otp"/)
  t.equal((await later.request('POST', page, { ...formOf(asked).hidden, otp: codesIn(confirmed)[0] as string })).headers.location, '/')
})

t.test('OI-256: a passkey is as good, and the only way where there are no codes', async t => {
  for (const totp of [true, false]) {
    const server = await start(t, { webauthn, totp })
    const browser = new Browser(server)
    await browser.authorize(request({ state: 'kept' }))
    await browser.logIn('bob', 'battery staple')
    t.equal(/value="totp"/.test((await browser.request('GET', page)).body), totp)
    if (!totp) t.equal((await send(browser, { factor: 'totp' })).statusCode, 400)
    const begun = await send(browser, { factor: 'passkey' })
    t.match(begun.headers['content-security-policy'], /script-src 'self'/)
    const options = JSON.parse((/data-creation="([^"]*)"/.exec(begun.body)?.[1] ?? '').replaceAll('&quot;', '"'))
    const passkey = JSON.stringify(new Authenticator('https://op.test').create(options))
    t.equal((await send(browser, { factor: 'new passkey', name: 'Phone', passkey: '{}' })).headers.location, `${page}?problem=PASSKEY_REFUSED`)
    const made = await send(browser, { factor: 'new passkey', name: 'Phone', passkey })
    t.match(made.headers.location, /^\/oauth\/authorize\?.*state=kept/)
    t.strictSame(await factorsOf(server, 'bob'), ['webauthn'])
    t.strictSame((await server.provider.sessions.of(2))[0]?.amr, ['pwd', 'pop', 'user', 'mfa'])
  }
})

t.test('OI-256: the forms are of this site, of somebody half-way, who must have a factor and has none', async t => {
  const server = await start(t)
  const browser = new Browser(server)
  await browser.logIn('bob', 'battery staple')
  const { hidden } = formOf(await browser.request('GET', page))
  const fields = { ...hidden, factor: 'totp' }
  t.equal((await browser.request('POST', page, fields, { origin: 'https://evil.test' })).statusCode, 403)
  t.equal((await browser.request('POST', page, fields, { 'sec-fetch-site': 'cross-site' })).statusCode, 403)
  t.equal((await browser.request('POST', page, { factor: 'totp' })).statusCode, 403, 'without the token')
  t.equal((await browser.request('POST', page, `${new URLSearchParams(fields).toString()}&factor=totp`)).statusCode, 400)
  for (const factor of ['', 'recovery', 'remove totp', 'forget device', 'passkey', 'new passkey', '__proto__']) {
    t.equal((await send(browser, { factor })).statusCode, 400, factor)
  }
  t.equal((await send(browser, { otp: '000000' })).statusCode, 400)
  t.equal((await new Browser(server).request('POST', page, fields)).headers.location, '/login')

  const [secret] = codesIn(await send(browser, { factor: 'totp' })) as [string]
  const stolen = new Browser(server)
  await stolen.logIn('bob', 'battery staple')
  await browser.request('POST', page, { ...hidden, factor: 'confirm totp', otp: codeFor(secret, -1) })
  const late = await send(stolen, { factor: 'totp' })
  t.notMatch(late.body, /otpauth/)
  // Seen to fail: without the look at the user's factors the form is taken for one that sets up a factor
  // only because there is an authenticator application.
  t.match(late.headers.location, /error=1/, 'a wrong proof of the factor that there is')
  t.notMatch((await send(stolen, { factor: 'confirm totp', otp: codeFor(secret, -1) })).body, /<code>/)

  const User = server.model('User')
  const other = new Browser(server)
  await other.logIn()
  const token = formOf(await other.request('GET', page)).hidden
  await (await User.findOne({ where: { username: 'ada' } })).patchAttributes({ password: 'another horse' })
  t.equal((await other.request('POST', page, { ...token, factor: 'totp' })).headers.location, '/login', 'the password has changed')
})

t.test('OI-252, OI-256: after five wrong codes the login begins anew', async t => {
  const server = await start(t)
  const browser = new Browser(server)
  await browser.logIn('bob', 'battery staple')
  await send(browser, { factor: 'totp' })
  const { hidden } = formOf(await browser.request('GET', page))
  const fields = { _csrf: hidden._csrf as string, factor: 'confirm totp', otp: '000000' }
  for (let i = 0; i < 4; i++) t.match((await browser.request('POST', page, fields)).headers.location, /problem=/)
  t.equal((await browser.request('POST', page, fields)).headers.location, '/login?error=1')
  t.equal((await browser.request('GET', page)).headers.location, '/login')
})

t.test('OI-219: who needs none logs in, also when that has changed meanwhile', async t => {
  const server = await start(t, { required: ['staff'] })
  const { Role, RoleMapping } = { Role: server.model('Role'), RoleMapping: server.model('RoleMapping') }
  const role = await Role.create({ name: 'staff' })
  const mapping = await RoleMapping.create({ roleId: role.id, principalType: 'USER', principalId: '2' })
  t.equal((await new Browser(server).logIn()).headers.location, '/', 'ada is no staff')
  const browser = new Browser(server)
  t.equal((await browser.logIn('bob', 'battery staple')).headers.location, page)
  await mapping.destroy()
  t.equal((await browser.request('GET', page)).headers.location, '/login')
  t.equal((await browser.logIn('bob', 'battery staple')).headers.location, '/')
})

t.test('OI-256: a login by a password elsewhere in the application is led here as well', async t => {
  const server = await start(t)
  const visit = async (
    amr?: readonly string[], waiting = true
  ): Promise<{ next: string | undefined, browser: Browser }> => {
    const browser = new Browser(server)
    if (waiting) await browser.authorize(request())
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const header = (_: string, value: string): void => {
      browser.cookies.set(...value.split(';')[0]?.split('=') as [string, string])
    }
    const reply = { header }
    const next = await server.provider.logInBy({ headers: { cookie }, protocol: 'http', host: 'op.test' }, reply, 2, amr)
    return { next, browser }
  }
  const led = await visit(['pwd'])
  t.equal(led.next, page)
  t.match((await led.browser.request('GET', page)).body, /needs a second step/)
  t.equal((await led.browser.authorize(request())).headers.location, '/login')
  const alone = await visit(['pwd'], false)
  t.equal(alone.next, undefined)
  t.equal(alone.browser.cookies.size, 0, 'nothing waits, and nobody is logged in here')
  for (const amr of [undefined, ['fed', 'pwd'], ['pwd', 'otp', 'mfa']]) {
    t.match((await visit(amr)).next, /^\/oauth\/authorize/, 'by a provider, or with a factor')
  }
})

t.test('OI-256: a page of the application gets what the built-in one shows', async t => {
  const server = await makeServer(t, {
    options: {
      pages: {
        views: {
          enrolment: ({ action, totp, passkeys, problem }) => JSON.stringify({ action, totp, passkeys, problem })
        }
      }
    },
    userSettings: { secondFactor: { secret: 'a secret of these tests', required: true } }
  })
  const browser = new Browser(server)
  await browser.logIn('bob', 'battery staple')
  const shown = await browser.request('GET', page)
  t.strictSame(JSON.parse(shown.body), { action: page, totp: 'off', passkeys: false })
  t.equal((await get(server, page)).headers.location, '/login')
})
