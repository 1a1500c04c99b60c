// FASTBACK_TEST_FULL: a browser.
/** The pages in a browser: light and dark, wide and narrow, without JavaScript, for those who cannot see them. */
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { stepAt, totpCode } from '../../auth/src/factors/totp.js'
import { fromBase32 } from '../../auth/test/factors.js'
import { launch } from '../../explorer/test/helpers/browser.js'
import { executable, look, pictures, skip, type Chromium, type Page } from './look.js'
import { callback, formText } from './server.js'
import { makeProvider, openIdRequest } from './openid/provider.js'

interface Shop {
  readonly home: string
  readonly chromium: Chromium
  readonly authorize: string
}

async function openShop (t: Test, pages: object, factor: object = {}): Promise<Shop> {
  const { app, model } = await makeProvider(t, {
    options: { pages },
    userSettings: { secondFactor: { secret: 'a secret of these tests', webauthn: {}, remember: 3600, ...factor } }
  })
  await model('OAuthScope').create({ scope: 'write', description: 'change your orders' })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const chromium = await launch(executable as string)
  t.teardown(() => chromium.close())
  const home = `http://localhost:${(app.server.address() as AddressInfo).port}`
  const request = openIdRequest({ scope: 'openid profile email write' })
  return { home, chromium, authorize: `${home}/oauth/authorize?${formText(request)}` }
}

async function signIn (page: Page, password = 'correct horse'): Promise<void> {
  await page.getByLabel('User name or e-mail').fill('ada')
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** The check is a script of ours, which the pages' policy would refuse. */
async function tabOf (chromium: Chromium): Promise<Page> {
  const page = await (await chromium.newContext({ bypassCSP: true })).newPage()
  page.setDefaultTimeout(20_000)
  await page.route(`${callback}**`, async route => { await route.fulfill({ body: 'client' }) })
  return page
}

const code = (secret: string, later = 0): string => totpCode(fromBase32(secret.replaceAll(' ', '')), stepAt(Date.now()) + later)

t.test('all pages: axe, light and dark, 390 and 1280 pixels', { skip }, async t => {
  const logo = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const { home, chromium, authorize } = await openShop(t, { name: 'Shop', ...pictures === undefined ? { logo } : {} })
  const page = await tabOf(chromium)
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true, isUserVerified: true,
      automaticPresenceSimulation: true
    }
  })
  await page.goto(`${home}/oauth/authorize?client_id=ghost`)
  await look(t, page, 'error')
  await page.goto(authorize)
  await look(t, page, 'login')
  await signIn(page, 'wrong')
  await page.getByRole('alert').filter({ hasText: 'wrong' }).waitFor()
  await look(t, page, 'login-failed')
  await signIn(page)
  await page.getByRole('heading', { name: 'Allow Party rp?' }).waitFor()
  await look(t, page, 'decision')
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.waitForURL(`${callback}**`)
  await page.goto(`${home}/oauth/grants`)
  await look(t, page, 'grants')
  await page.goto(`${home}/oauth/account`)
  await look(t, page, 'account')

  await page.getByText('Set up an authenticator application').first().click()
  await page.getByLabel('Your password').first().fill('correct horse')
  await page.getByRole('button', { name: 'Set up an authenticator application' }).click()
  await page.getByRole('heading', { name: 'Set up an authenticator application' }).waitFor()
  await look(t, page, 'authenticator')
  const secret = await page.locator('code').innerText()
  t.match(await page.getByRole('link', { name: 'Open the authenticator application' }).getAttribute('href'), /^otpauth:\/\/totp\//)
  await page.getByLabel('Code of your authenticator application').fill('000000')
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByRole('alert').filter({ hasText: 'code is wrong' }).waitFor()
  await look(t, page, 'account-started')
  await page.getByLabel('Code of your authenticator application').fill(code(secret, -1))
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByRole('heading', { name: 'Recovery codes' }).waitFor()
  await look(t, page, 'recovery-codes')
  const [spare] = await page.locator('code').allInnerTexts()
  await page.getByRole('link', { name: 'Back to your account' }).click()
  await page.getByText('Left: 10').waitFor()

  await page.getByText('Add a passkey').first().click()
  const add = page.locator('details', { hasText: 'Add a passkey' })
  await add.getByLabel('Your password').fill('correct horse')
  await add.getByLabel(/recovery code/).fill(spare as string)
  await add.getByRole('button').click()
  await page.getByRole('button', { name: 'Make the passkey' }).waitFor()
  await look(t, page, 'new-passkey')
  await page.getByLabel('Name of the passkey').fill('Phone <b>')
  await page.getByRole('button', { name: 'Make the passkey' }).click()
  await page.getByRole('status').filter({ hasText: 'passkey was added' }).waitFor()
  await page.getByText('Phone <b>', { exact: true }).waitFor()
  await page.locator('summary').evaluateAll(all => { for (const each of all) (each as unknown as { click (): void }).click() })
  await look(t, page, 'account-full')

  await page.goto(`${home}/oauth/logout`)
  await look(t, page, 'logout')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('status').waitFor()
  await look(t, page, 'logged-out')
  // Or the login page would find the passkey by itself.
  await session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: false })
  await page.goto(`${home}/login`)
  await signIn(page)
  await page.getByRole('heading', { name: 'Second step' }).waitFor()
  await look(t, page, 'second-factor')
  await session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: true })
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await page.waitForURL(`${home}/`)
  await page.goto(`${home}/oauth/account`)
  await page.getByRole('heading', { name: 'Your account' }).waitFor()
})

t.test('without JavaScript, under the pages\' own policy', { skip }, async t => {
  const { home, chromium, authorize } = await openShop(t, { colors: { accent: '#ffd400', dark: { accent: '#222' } } })
  const context = await chromium.newContext({ javaScriptEnabled: false, locale: 'de-AT' })
  const page = await context.newPage()
  page.setDefaultTimeout(20_000)
  const complaints: string[] = []
  page.on('console', message => { if (message.type() === 'error') complaints.push(message.text()) })
  await page.route(`${callback}**`, async route => { await route.fulfill({ body: 'client' }) })
  await page.goto(authorize)
  await page.getByLabel('Benutzername oder E-Mail-Adresse').fill('ada')
  await page.getByLabel('Passwort').fill('correct horse')
  await page.getByRole('button', { name: 'Anmelden' }).click()
  await page.getByRole('heading', { name: 'Party rp zulassen?' }).waitFor()
  await page.getByLabel('email').uncheck()
  await page.getByRole('button', { name: 'Zulassen' }).click()
  await page.waitForURL(`${callback}**`)
  await page.goto(`${home}/oauth/account`)
  await page.getByText('Authenticator-App einrichten').first().click()
  await page.getByLabel('Ihr Passwort').first().fill('correct horse')
  await page.getByRole('button', { name: 'Authenticator-App einrichten' }).click()
  const secret = await page.locator('code').innerText()
  await page.getByLabel('Code Ihrer Authenticator-App').fill(code(secret))
  await page.getByRole('button', { name: 'Bestätigen' }).click()
  await page.getByRole('link', { name: 'Zurück zu Ihrem Konto' }).click()
  await page.getByText('Übrig: 10').waitFor()
  await page.getByRole('button', { name: 'Hier abmelden' }).click()
  await page.getByRole('heading', { name: 'Anmelden' }).waitFor()
  t.strictSame(complaints.filter(text => !text.includes('Failed to load resource')), [], 'no policy is broken')
})

t.test('OI-256: a factor is set up at the login, without JavaScript', { skip }, async t => {
  const { home, chromium, authorize } = await openShop(t, {}, { required: true })
  const context = await chromium.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  page.setDefaultTimeout(20_000)
  await page.route(`${callback}**`, async route => { await route.fulfill({ body: 'client' }) })
  await page.goto(authorize)
  await signIn(page)
  await page.getByRole('button', { name: 'Set up an authenticator application' }).click()
  await page.getByLabel('Code of your authenticator application').fill(code(await page.locator('code').innerText()))
  await page.getByRole('button', { name: 'Confirm' }).click()
  t.equal((await page.locator('code').allInnerTexts()).length, 10)
  await page.getByRole('link', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.waitForURL(`${callback}**`)

  const other = await tabOf(chromium)
  await other.goto(`${home}/login`)
  await other.getByLabel('User name or e-mail').fill('bob')
  await other.getByLabel('Password').fill('battery staple')
  await other.getByRole('button', { name: 'Sign in', exact: true }).click()
  await other.getByRole('heading', { name: 'Set up a second step' }).waitFor()
  await look(t, other, 'enrolment')
  await other.getByRole('button', { name: 'Set up an authenticator application' }).click()
  await other.getByLabel('Code of your authenticator application').fill('000000')
  await other.getByRole('button', { name: 'Confirm' }).click()
  await other.getByRole('alert').filter({ hasText: 'code is wrong' }).waitFor()
  await look(t, other, 'enrolment-started')
})

t.test('colours of the settings can be read', { skip }, async t => {
  for (const [i, colors] of [
    { accent: '#ffd400', dark: { accent: '#222' } },
    { accent: '#fff', background: '#fff8e7', surface: '#fffdf7', text: '#3b2f1e', dark: { background: '#1d1408', surface: '#2a1e0e', text: '#f6ead8' } }
  ].entries()) {
    const { home, chromium } = await openShop(t, { colors })
    const page = await tabOf(chromium)
    await page.goto(`${home}/login?error=1`)
    await look(t, page, `colors-${i}`)
  }
})
