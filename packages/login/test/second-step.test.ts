// FASTBACK_TEST_FULL: a browser.
/** Logins that end on a page, of users who have a second factor (OI-210, OI-217, S-119). */
import { createHash, randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { explorer } from '@fastback/explorer'
import { installAuthModels } from '@fastback/auth'
import t, { type Test } from 'tap'
import { admin } from '../../admin/src/index.js'
import { stepAt, totpCode } from '../../auth/src/factors/totp.js'
import { fromBase32 } from '../../auth/test/factors.js'
import { browserPath, launch } from '../../explorer/test/helpers/browser.js'
import { scriptedProvider, type ScriptedProvider } from './provider.js'
import { application, Browser, type App } from './server.js'

interface Shop extends App {
  readonly provider: ScriptedProvider
  readonly id: unknown
  readonly recoveryCodes: string[]
  code (later?: number): string
}

/** Ada has come by the provider before, and has set up an authenticator application since. */
async function shop (t: Test, more: object = {}, emailVerificationRequired = false): Promise<Shop> {
  const provider = await scriptedProvider(t)
  const ends = { successRedirect: '/in', failureRedirect: '/out', failureQueryString: true }
  const entry = { preset: 'oidc', issuer: provider.issuer, clientID: 'client', clientSecret: 'client-secret', ...ends }
  const made = await application(t, { providers: { op: { ...entry, session: true, ...more } } } as never, {
    before: async app => {
      installAuthModels(app.registry)
      app.registry.attach('User', 'db', {
        public: true, settings: { secondFactor: { secret: 'a secret of the tests' }, emailVerificationRequired }
      })
      await app.register(explorer, { info: { title: 'Shop' } })
      await app.register(admin)
    }
  })
  await new Browser(made.app).logIn('/auth/op')
  const User = made.model('User')
  const [user] = await User.find()
  await user.patchAttributes({ password: 'ada-secret' })
  const { secret } = await User.enrolTotp(user.id, { password: 'ada-secret' })
  const code = (later = 0): string => totpCode(fromBase32(secret), stepAt(Date.now()) + later)
  const { recoveryCodes } = await User.confirmTotp(user.id, { otp: code(-1) })
  return { ...made, provider, id: user.id, recoveryCodes, code }
}

const verifier = randomBytes(32).toString('base64url')
const challenge = createHash('sha256').update(verifier).digest('base64url')

const codeIn = (location: string): string => new URL(location, 'http://app.test').searchParams.get('login_code') as string

async function begin ({ app }: Shop): Promise<string> {
  return codeIn((await new Browser(app).logIn(`/auth/op?login_challenge=${challenge}`)).location)
}

interface Reply { readonly status: number, readonly body: any, readonly headers: Record<string, unknown> }

async function post ({ app }: Shop, url: string, payload: object): Promise<Reply> {
  const response = await app.inject({ method: 'POST', url, payload })
  return { status: response.statusCode, body: response.json(), headers: response.headers }
}

t.test('OI-210, OI-217: the code of the page is exchanged for a challenge, and that for the token', async t => {
  const server = await shop(t)
  const Token = server.model('AccessToken')
  const before = await Token.count()
  const asked = await post(server, '/auth/exchange', { code: await begin(server), verifier })
  // Seen to fail: without the look at the user's factors in `proveSecondFactor` this is 200 with a token.
  t.equal(asked.status, 401)
  t.equal(asked.headers['cache-control'], 'no-store')
  t.match(asked.body.error, {
    statusCode: 401,
    code: 'SECOND_FACTOR_REQUIRED',
    details: { challenge: /^[\w-]{43}$/, factors: ['totp', 'recovery'], expiresIn: 300 }
  })
  t.equal(await Token.count(), before, 'no token was made')
  t.notOk(server.events.some(({ event, userId }) => event === 'login.failed' && userId === server.id))
  const given = asked.body.error.details.challenge
  const wrong = await post(server, '/api/Users/second-factor', { challenge: given, otp: '000000' })
  t.match(wrong, { status: 401, body: { error: { code: 'SECOND_FACTOR_FAILED' } } })
  const right = await post(server, '/api/Users/second-factor', { challenge: given, otp: server.code() })
  t.match(right, { status: 200, body: { userId: server.id } })
  t.same((await Token.find()).at(-1).amr, ['fed', 'otp', 'mfa'], 'not by a password')
  const again = await post(server, '/api/Users/second-factor', { challenge: given, otp: server.code(1) })
  t.equal(again.body.error.code, 'CHALLENGE_INVALID')
})

t.test('OI-210: such a code is as good as one for a token: once, by the page that began', async t => {
  const server = await shop(t)
  const code = await begin(server)
  const [row] = await server.model('LoginState').find({ where: { kind: 'code' } })
  t.strictSame(Object.keys(row.data).sort(), ['challenge', 'first', 'userId', 'version'])
  t.equal((await post(server, '/auth/exchange', { code, verifier: 'x'.repeat(43) })).body.error.code, 'CODE_INVALID')
  t.equal((await post(server, '/auth/exchange', { code, verifier })).body.error.code, 'CODE_INVALID', 'tried once')
  const used = await begin(server)
  t.equal((await post(server, '/auth/exchange', { code: used, verifier })).status, 401)
  t.equal((await post(server, '/auth/exchange', { code: used, verifier })).status, 400)

  // Seen to fail: without the comparison of versions the login of before goes on after the change.
  const old = await begin(server)
  await (await server.model('User').findById(server.id)).patchAttributes({ password: 'another-secret' })
  t.equal((await post(server, '/auth/exchange', { code: old, verifier })).status, 400, 'the account has changed')
  const removed = await begin(server)
  await server.model('User').removeSecondFactors(server.id)
  t.equal((await post(server, '/auth/exchange', { code: removed, verifier })).status, 400, 'its factors have changed')
})

t.test('OI-217: a provider that asked itself, and users whose address nobody has verified', async t => {
  const server = await shop(t, {}, true)
  await server.model('User').updateAll({}, { emailVerified: false })
  const asked = await post(server, '/auth/exchange', { code: await begin(server), verifier })
  const { challenge: given } = asked.body.error.details
  const [recoveryCode] = server.recoveryCodes
  t.equal((await post(server, '/api/Users/second-factor', { challenge: given, recoveryCode })).status, 200)
  server.provider.lies = { claims: claims => ({ ...claims, amr: ['mfa'] }) }
  t.equal((await post(server, '/auth/exchange', { code: await begin(server), verifier })).status, 200)
})

t.test('LG-35: where code of the application makes the token, a login without the factor fails', async t => {
  const server = await shop(t, { createAccessToken: async (user: any) => await user.createAccessToken({ ttl: 60 }) })
  const page = `/auth/op?login_challenge=${challenge}&login_page=/explorer/`
  t.equal((await new Browser(server.app).logIn(page)).location, '/explorer/?error=SECOND_FACTOR_REQUIRED')
})

type Page = Awaited<ReturnType<Awaited<ReturnType<typeof launch>>['newPage']>>

t.test('OI-210, OI-217: logins in JSON, and those that lead to a page with a code', async t => {
  // Seen to fail: until now these were 401 without a challenge, and `/out?error=SECOND_FACTOR_REQUIRED`.
  const json = await shop(t, { json: true, session: false })
  const response = await new Browser(json.app).logIn('/auth/op')
  t.equal(response.status, 401)
  t.equal(response.headers['cache-control'], 'no-store')
  t.notOk(response.headers['set-cookie']?.toString().includes('access_token'))
  const { code, details } = response.json().error
  t.equal(code, 'SECOND_FACTOR_REQUIRED')
  const right = await post(json, '/api/Users/second-factor', { challenge: details.challenge, otp: json.code() })
  t.match(right, { status: 200, body: { userId: json.id } })
  t.same((await json.model('AccessToken').find()).at(-1).amr, ['fed', 'otp', 'mfa'])

  const coded = await shop(t, { tokenInRedirect: 'code', session: false })
  const { location } = await new Browser(coded.app).logIn('/auth/op')
  t.match(location, /^\/in\?login_code=/)
  const asked = await post(coded, '/auth/exchange', { code: codeIn(location) })
  t.match(asked, { status: 401, body: { error: { code: 'SECOND_FACTOR_REQUIRED' } } })
  const { challenge: given } = asked.body.error.details
  t.equal((await post(coded, '/api/Users/second-factor', { challenge: given, otp: coded.code() })).status, 200)
  t.equal((await post(coded, '/auth/exchange', { code: codeIn(location) })).status, 400, 'once')
})

t.test('LG-35, OI-217: entries whose token is made by code, or that make none, still fail', async t => {
  const createAccessToken = async (user: any): Promise<unknown> => await user.createAccessToken({ ttl: 60 })
  for (const more of [{ autoLogin: false }, { createAccessToken }]) {
    const server = await shop(t, { json: true, jsonErrors: true, session: false, ...more })
    const response = await new Browser(server.app).logIn('/auth/op')
    t.match(response, { status: 401 })
    t.strictSame(response.json(), { error: { statusCode: 401, code: 'SECOND_FACTOR_REQUIRED' } })
  }
})

const path = browserPath()

const inBrowser = { skip: path === undefined ? 'no Chromium here (FASTBACK_TEST_BROWSER names one)' : false }

/** A tab for which the address that the provider knows is that of the listening server. */
async function openTab (t: Test, { app }: Shop): Promise<{ own: string, tab: Page }> {
  await app.listen({ port: 0, host: '127.0.0.1' })
  const own = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  const chromium = await launch(path as string)
  t.teardown(() => chromium.close())
  const context = await chromium.newContext()
  await context.route('http://app.test/**', async route => {
    await route.fulfill({ status: 302, headers: { location: route.request().url().replace('http://app.test', own) } })
  })
  const tab = await context.newPage()
  tab.setDefaultTimeout(30_000)
  return { own, tab }
}

async function enterCode (tab: Page, code: string): Promise<void> {
  await tab.getByText('Of your authenticator application, or a recovery code').waitFor()
  await tab.locator('#login-code:focus').fill(code)
  await tab.locator('#login-code').press('Enter')
}

t.test('the explorer asks for the code', inBrowser, async t => {
  const server = await shop(t)
  const { own, tab } = await openTab(t, server)
  await tab.goto(`${own}/explorer/`)
  await tab.getByRole('button', { name: 'Log in', exact: true }).click()
  await tab.getByRole('button', { name: 'Log in with Op' }).click()
  await enterCode(tab, server.code())
  await tab.getByText('Token Set', { exact: true }).waitFor()
  t.match(await tab.inputValue('#input_accessToken'), /^\w{64}$/)
})

t.test('so does the admin page, for passwords and for accounts elsewhere', inBrowser, async t => {
  const server = await shop(t)
  await server.model('User').updateAll({ id: server.id }, { username: 'ada', emailVerified: true })
  const { own, tab } = await openTab(t, server)
  await tab.goto(`${own}/admin/`)
  await tab.getByLabel('E-mail or user name').fill('ada')
  await tab.getByLabel('Password').fill('ada-secret')
  await tab.getByLabel('Password').press('Enter')
  // Seen to fail: with the form that this page had until now, a right password was said to be wrong.
  await enterCode(tab, '000000')
  await tab.getByRole('alert').getByText('The login failed').waitFor()
  await tab.locator('#login-code').fill(server.code())
  await tab.locator('#login-code').press('Enter')
  await tab.locator('.account-name', { hasText: 'ada' }).waitFor()
  await tab.getByRole('button', { name: 'Log out' }).click()
  await tab.getByRole('button', { name: 'Log in with Op' }).click()
  await enterCode(tab, server.recoveryCodes[0] as string)
  await tab.locator('.account-name', { hasText: 'ada' }).waitFor()
  t.same((await server.model('AccessToken').find()).at(-1).amr, ['fed', 'otp', 'mfa'])
})
