// FASTBACK_TEST_FULL: a browser.
/** The page of a front-channel logout in a browser (openid.md, OI-136). */
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { launch } from '../../../explorer/test/helpers/browser.js'
import { executable, look, skip, type Page } from '../look.js'
import { formText } from '../server.js'
import { Browser, logIn, makeProvider } from './provider.js'

const frames = ['https://client.test/out?kept=1', 'https://other.test/out']
const after = 'https://client.test/bye'

interface Shop {
  readonly complaints: string[]
  readonly loaded: string[]
  /** A tab where somebody is logged in at both clients, and the address that ends it. */
  open (options?: object): Promise<{ page: Page, logout: (fields?: object) => string }>
}

async function openShop (t: Test): Promise<Shop> {
  const server = await makeProvider(t, { openid: { frontchannelLogout: true }, options: { issuer: 'http://op.test', pages: { name: 'Shop' } } })
  const Client = server.model('OAuthClientApplication')
  await Client.updateAll({ id: 'rp' }, { frontchannelLogoutURI: frames[0], postLogoutRedirectURIs: [after] })
  await Client.updateAll({ id: 'rp2' }, { frontchannelLogoutURI: frames[1] })
  await server.app.listen({ port: 0, host: '127.0.0.1' })
  const chromium = await launch(executable as string)
  t.teardown(() => chromium.close())
  const home = `http://localhost:${(server.app.server.address() as AddressInfo).port}`
  const complaints: string[] = []
  const loaded: string[] = []
  const open: Shop['open'] = async (options = {}) => {
    const visitor = new Browser(server)
    const { body } = await logIn(server, { browser: visitor })
    await logIn(server, { browser: visitor, client: 'rp2', more: { redirect_uri: 'https://other.test/cb' } })
    const context = await chromium.newContext(options)
    await context.addCookies([...visitor.cookies].map(([name, value]) => ({ name, value, url: home })))
    const page = await context.newPage()
    page.setDefaultTimeout(20_000)
    page.on('console', message => { if (message.type() === 'error') complaints.push(message.text()) })
    page.on('pageerror', error => { complaints.push(error.message) })
    for (const frame of frames) {
      await page.route(frame, async route => {
        loaded.push(route.request().url())
        await route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>out</title>' })
      })
    }
    await page.route(`${after}**`, async route => { await route.fulfill({ body: 'bye' }) })
    return { page, logout: fields => `${home}/oauth/logout?${formText({ id_token_hint: body.id_token, ...fields })}` }
  }
  return { complaints, loaded, open }
}

t.test('OI-136: all frames load under the page\'s own policy, and it goes on by itself', { skip }, async t => {
  const { complaints, loaded, open } = await openShop(t)
  const { page, logout } = await open()
  await page.goto(logout({ post_logout_redirect_uri: after, state: 'a&b' }), { waitUntil: 'commit' })
  await page.waitForURL(`${after}?state=a%26b`)
  // Seen to fail: without `frame-src` in the policy nothing is loaded.
  t.strictSame([...loaded].sort(), frames)
  t.strictSame(complaints, [])
})

t.test('OI-136: without JavaScript they load as well, and a link goes on', { skip }, async t => {
  const { complaints, loaded, open } = await openShop(t)
  const { page, logout } = await open({ javaScriptEnabled: false })
  await page.goto(logout({ post_logout_redirect_uri: after }))
  t.strictSame([...loaded].sort(), frames)
  await page.getByRole('link', { name: 'Continue' }).click()
  await page.waitForURL(after)
  t.strictSame(complaints, [])
})

t.test('OI-136: a client that does not respond holds nobody up for longer than five seconds', { skip }, async t => {
  const { open } = await openShop(t)
  const { page, logout } = await open()
  await page.unroute(frames[1] as string)
  await page.route(frames[1] as string, async () => {})
  const begin = Date.now()
  await page.goto(logout({ post_logout_redirect_uri: after }), { waitUntil: 'commit' })
  await page.waitForURL(after)
  t.ok(Date.now() - begin > 4000, 'it had its time')
})

t.test('OI-136: axe, light and dark, 390 and 1280 pixels', { skip }, async t => {
  const { open } = await openShop(t)
  // The check is a script of ours, which the page's policy would refuse.
  const { page, logout } = await open({ bypassCSP: true })
  await page.goto(logout())
  await page.getByRole('status').waitFor()
  await look(t, page, 'logging-out')
  const other = await open({ bypassCSP: true })
  // As it is before it goes on.
  await other.page.route('**/oauth/logout?*', async route => {
    const response = await route.fetch()
    await route.fulfill({ response, body: (await response.text()).replace(/<script>.*?<\/script>/s, '') })
  })
  await other.page.goto(other.logout({ post_logout_redirect_uri: after }))
  await other.page.getByRole('link', { name: 'Continue' }).waitFor()
  await look(t, other.page, 'logging-out-and-on')
})
