// FASTBACK_TEST_FULL: a browser.
/** Passkeys in a real browser, with the authenticator that Chromium simulates (openid.md, OI-240 to OI-254). */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createServer, type Server } from '@fastback/boot'
import t, { type Test } from 'tap'
import { stepAt, totpCode } from '../../packages/auth/src/factors/totp.js'
import { fromBase32 } from '../../packages/auth/test/factors.js'
import { ApiPage } from '../../packages/explorer/test/helpers/api-page.js'
import { axeScript, browserPath, launch } from '../../packages/explorer/test/helpers/browser.js'

const files: Record<string, unknown> = {
  'package.json': { name: 'passkeys' },
  'server/config.json': {
    restApiRoot: '/api', host: 'localhost', port: 0, auth: { secondFactors: { webauthn: { rpName: 'Shop' } } }
  },
  'server/datasources.json': { db: { connector: 'memory' } },
  'server/component-config.json': { '@fastback/oauth2': { dataSource: 'db' }, '@fastback/explorer': {} },
  'server/model-config.json': {
    User: { dataSource: 'db', public: true },
    ...Object.fromEntries(
      ['AccessToken', 'ACL', 'Role', 'RoleMapping'].map(name => [name, { dataSource: 'db', public: false }])
    )
  },
  'server/boot/1-auth.js': 'module.exports = app => { app.enableAuth() }',
  'server/boot/2-seed.js': `module.exports = async app => {
    for (const username of ['ada', 'bob']) {
      await app.models.User.create({ username, email: username + '@op.test', password: 'correct horse' })
    }
  }`
}

function writeFolder (): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'fastback-passkeys-'))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
  }
  return folder
}

type Page = Awaited<ReturnType<Awaited<ReturnType<typeof launch>>['newPage']>>

/** Makes a passkey as a page would. */
const create = async (page: Page, options: unknown): Promise<unknown> => await page.evaluate(`(async () => {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(${JSON.stringify(options)})
  return (await navigator.credentials.create({ publicKey })).toJSON()
})()`)

/** Names of what keeps people out of a page. */
async function barriers (page: Page, of = 'document'): Promise<string[]> {
  await page.evaluate(axeScript())
  const { violations } = await page.evaluate(`axe.run(${of})`) as { violations: Array<{ id: string }> }
  return violations.map(({ id }) => id)
}

const executable = browserPath()

const skip = executable === undefined ? 'there is no Chromium; FASTBACK_TEST_BROWSER names one' : false

interface Opened {
  readonly server: Server
  readonly base: string
  readonly page: Page
  api (url: string, body: unknown, token?: string): Promise<{ status: number, body: any }>
}

async function open (t: Test): Promise<Opened> {
  const folder = writeFolder()
  t.teardown(() => { rmSync(folder, { recursive: true }) })
  const server = await createServer(folder, { log: false })
  t.teardown(() => server.stop())
  const { port } = new URL(await server.start())
  const base = `http://localhost:${port}`
  const browser = await launch(executable as string)
  t.teardown(() => browser.close())
  const page = await (await browser.newContext()).newPage()
  return {
    server, base, page,
    async api (url, body, token) {
      const response = await fetch(`${base}/api/Users${url}`, {
        method: 'POST', body: JSON.stringify(body),
        headers: { 'content-type': 'application/json', ...token === undefined ? {} : { authorization: token } }
      })
      return { status: response.status, body: await response.json() }
    }
  }
}

/**
 * Gives the page's browser an authenticator.
 * @returns sets whether somebody is there who confirms; at first there is
 */
async function authenticator (page: Page): Promise<(isThere: boolean) => Promise<void>> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true,
      isUserVerified: true, automaticPresenceSimulation: true
    }
  })
  return async enabled => {
    await cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
  }
}

/** Gives ada a passkey of the page's authenticator. */
async function enrol ({ base, page, api }: Opened): Promise<unknown> {
  const { body: { id: token } } = await api('/login', { username: 'ada', password: 'correct horse' })
  const { body: options } = await api('/1/passkeys/options', { password: 'correct horse' }, token)
  await page.goto(`${base}/login/passkey.js`)
  return await api('/1/passkeys', { name: 'Chromium', response: await create(page, options) }, token)
}

t.test('the explorer asks for the code of a user who has one', { skip }, async t => {
  const { base, page, api: request } = await open(t)
  const { body: { id: token } } = await request('/login', { username: 'bob', password: 'correct horse' })
  const { body: { secret } } = await request('/2/totp', { password: 'correct horse' }, token)
  const code = (later: number): string => totpCode(fromBase32(secret), stepAt(Date.now()) + later)
  await request('/2/totp/confirm', { otp: code(-1) }, token)
  await page.goto(`${base}/explorer/`)
  const api = new ApiPage(page)
  await api.logIn('bob', 'correct horse')
  const form = page.getByRole('dialog', { name: 'Log in' })
  await form.getByLabel('Code').waitFor()
  t.equal(await form.getByLabel('Password').count(), 0)
  t.same(await barriers(page, "{ include: ['dialog'] }"), [])
  await form.getByLabel('Code').fill('000000')
  await form.getByLabel('Code').press('Enter')
  await form.getByRole('alert').getByText('The login failed: The second factor is wrong').waitFor()
  await form.getByLabel('Code').fill(code(0))
  await form.getByLabel('Code').press('Enter')
  await page.getByText('Token Set', { exact: true }).waitFor()
  t.equal(await form.count(), 0)
})

t.test('the explorer asks for the passkey of a user who has one', { skip }, async t => {
  const opened = await open(t)
  const { server, base, page } = opened
  const faults: string[] = []
  page.on('pageerror', error => { faults.push(error.message) })
  const present = await authenticator(page)
  t.match(await enrol(opened), { status: 200 })
  await page.goto(`${base}/explorer/`)
  const explorer = new ApiPage(page)
  await explorer.logIn('ada', 'correct horse')
  const form = page.getByRole('dialog', { name: 'Log in' })
  const button = form.getByRole('button', { name: 'Use a passkey' })
  await button.waitFor()
  t.same(await barriers(page, "{ include: ['dialog'] }"), [])
  t.equal(await (server.app.models as any).AccessToken.count({ userId: 1 }), 1, 'the password alone gives no token')
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Network.emulateNetworkConditions', { offline: true, latency: 0, downloadThroughput: 0, uploadThroughput: 0 })
  await button.press('Enter')
  await form.getByRole('alert').getByText('The login failed: the server does not respond').waitFor()
  await cdp.send('Network.emulateNetworkConditions', { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 })
  await present(true)
  await button.press('Enter')
  await page.getByText('Token Set', { exact: true }).waitFor()
  t.equal(await form.count(), 0)
  t.same(faults, [])
})

t.test('a passkey is made, and used at the login page', { skip }, async t => {
  const opened = await open(t)
  const { server, base, page } = opened
  const context = page.context()
  const faults: string[] = []
  page.on('console', message => { if (message.type() === 'error') faults.push(message.text()) })
  page.on('pageerror', error => { faults.push(error.message) })
  const present = await authenticator(page)
  // The browser asks by itself where it can; the test presses the button.
  await present(false)

  await page.goto(`${base}/login`)
  t.ok(await page.locator('#passkey').isVisible(), 'the script shows the button')
  t.same(await barriers(page), [])

  await page.goto('about:blank')
  await present(true)
  t.match(await enrol(opened), { status: 200, body: { name: 'Chromium' } }, 'OI-241')

  const isLoggedIn = async (): Promise<boolean> => {
    const [cookie] = await context.cookies()
    const rows = await (server.app.models as any).OAuthState.find({ where: { kind: 'session' } })
    return cookie !== undefined && rows.some(({ data }: any) => data.amr?.includes('pop') === true && data.userId === 1)
  }
  await present(false)
  await page.goto(`${base}/login`)
  await present(true)
  if (page.url().endsWith('/login')) {
    await Promise.all([page.waitForURL(`${base}/`), page.locator('#passkey button').click({ noWaitAfter: true }).catch(() => {})])
  }
  t.ok(await isLoggedIn(), 'OI-254: logged in by the passkey alone')

  await context.clearCookies()
  await (server.app.models as any).OAuthState.destroyAll({})
  await present(false)
  await page.goto(`${base}/login`)
  await page.fill('#username', 'ada')
  await page.fill('#password', 'correct horse')
  await Promise.all([
    page.waitForURL(`${base}/login/second-factor`), page.locator('form:not(#passkey) button').first().click()
  ])
  t.same(await barriers(page), [])
  await present(true)
  await Promise.all([page.waitForURL(`${base}/`), page.locator('#passkey button').click()])
  t.ok(await isLoggedIn(), 'OI-243: as second factor')
  // There is no page at "/" here.
  t.same(faults.filter(fault => !/404/.test(fault)), [], 'no fault in the console: the policy of the pages holds')
})
