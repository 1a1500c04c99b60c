/* eslint camelcase: "off" -- parameters of the protocol are written as it has them */
/** Front-channel logout (openid.md, OI-16, OI-136). */
import { updateRows } from '@fastback/core/remote'
import t, { type Test } from 'tap'
import type { LightMyRequestResponse } from 'fastify'
import { formOf, formText, get, type Server } from '../server.js'
import { Browser, logIn, makeProvider } from './provider.js'

const uri = 'https://client.test/out?kept=1'
const after = 'https://client.test/bye'

async function start (t: Test, row: object = { frontchannelLogoutURI: uri }, openid: object = {}): Promise<Server> {
  const server = await makeProvider(t, { openid: { frontchannelLogout: true, ...openid } })
  const Client = server.model('OAuthClientApplication')
  await Client.updateAll({ id: 'rp' }, { postLogoutRedirectURIs: [after], ...row })
  return server
}

const framesIn = ({ body }: LightMyRequestResponse): string[] =>
  [...body.matchAll(/<iframe src="([^"]*)"/g)].map(([, src]) => (src as string).replaceAll('&amp;', '&'))

const logOut = async (browser: Browser, fields: Record<string, string> = {}): Promise<LightMyRequestResponse> =>
  await browser.request('GET', `/oauth/logout?${formText(fields)}`)

t.test('OI-16, OI-136: off, there is nothing of it; on, the metadata say so', async t => {
  const off = await makeProvider(t)
  const browser = new Browser(off)
  const { body } = await logIn(off, { browser })
  t.equal((await logOut(browser, { id_token_hint: body.id_token })).statusCode, 200)
  t.notOk('frontchannel_logout_supported' in (await get(off, '/.well-known/openid-configuration')).json())
  t.notOk('frontchannelLogoutURI' in off.model('OAuthClientApplication').definition.properties)
  const server = await start(t)
  t.match((await get(server, '/.well-known/openid-configuration')).json(), {
    frontchannel_logout_supported: true, frontchannel_logout_session_supported: true
  })
})

t.test('OI-136: the page of a logout loads the address of each client of the login, and goes on', async t => {
  const server = await start(t, { frontchannelLogoutURI: uri, frontchannelLogoutSessionRequired: true })
  const Client = server.model('OAuthClientApplication')
  await Client.updateAll({ id: 'rp2' }, { frontchannelLogoutURI: 'https://other.test/out' })
  const browser = new Browser(server)
  const { body, claims } = await logIn(server, { browser })
  await logIn(server, { browser })
  await logIn(server, { browser, client: 'rp2', more: { redirect_uri: 'https://other.test/cb' } })
  const response = await logOut(browser, { id_token_hint: body.id_token, post_logout_redirect_uri: after, state: 'a&b' })
  t.equal(response.statusCode, 200)
  const frames = framesIn(response)
  t.strictSame(frames.length, 2, 'each client once')
  const own = new URL(frames.find(frame => frame.startsWith('https://client.test/')) as string)
  t.strictSame(Object.fromEntries(own.searchParams), { kept: '1', iss: claims.iss, sid: claims.sid })
  t.ok(frames.includes('https://other.test/out'), 'neither where they are not asked for')
  const policy = response.headers['content-security-policy'] as string
  t.match(policy, /; frame-src https:\/\/client\.test https:\/\/other\.test;/, 'nothing else is loaded')
  t.match(policy, /script-src 'sha256-[^']+';/)
  t.match(response.body, /<a id="next" href="https:\/\/client\.test\/bye\?state=a%26b">Continue<\/a>/)
  t.match(response.body, /sandbox="allow-scripts allow-same-origin" hidden/)
  t.notMatch(response.body, body.id_token)
  t.equal(browser.cookies.size, 0)
  t.equal((await browser.request('GET', '/oauth/grants')).statusCode, 302, 'logged out here')
})

t.test('OI-136: with the form as well; without an address to go to, the page has no script', async t => {
  const server = await start(t)
  const browser = new Browser(server)
  await logIn(server, { browser })
  const asked = await logOut(browser)
  t.strictSame(framesIn(asked), [], 'nothing before the user says so')
  const { action, hidden } = formOf(asked)
  const response = await browser.request('POST', action, { ...hidden, logout: 'yes' })
  t.strictSame(framesIn(response), [uri])
  t.notMatch(response.body, /<script|id="next"/)
  t.notMatch(response.headers['content-security-policy'], /script-src/)
  const again = await logOut(browser)
  t.strictSame(framesIn(again), [], 'nobody is logged in')
})

t.test('OI-136: clients of other logins, and those whose rows say what cannot be, are not loaded', async t => {
  const server = await start(t, {})
  const Client = server.model('OAuthClientApplication')
  // Seen to fail: without the look at the origins the first three are loaded, and the policy names their hosts.
  for (const bad of [
    'https://evil.test/out', 'http://client.test/out', 'https://client.test.evil.test/', 'javascript:alert(1)', '/out',
    'https://u@client.test/out', "https://a;script-src 'unsafe-inline'/", 'https://*/', 'https://[::1]/'
  ]) {
    await updateRows(Client.compiled, { id: 'rp' }, { frontchannelLogoutURI: bad }, { notify: false })
    t.equal((await Client.findById('rp')).frontchannelLogoutURI, bad, 'written past the check')
    const browser = new Browser(server)
    const { body } = await logIn(server, { browser })
    const response = await logOut(browser, { id_token_hint: body.id_token, post_logout_redirect_uri: after })
    t.equal(response.headers.location, after, bad)
    await t.rejects(Client.create({
      id: `c${bad}`, clientType: 'confidential', clientSecret: 'w3b secret:&+', redirectURIs: ['https://client.test/cb'],
      frontchannelLogoutURI: bad
    }), { statusCode: 422, code: 'INVALID_CLIENT_METADATA' }, bad)
  }
  await Client.updateAll({ id: 'rp' }, { frontchannelLogoutURI: uri })
  const [one, other] = [new Browser(server), new Browser(server)]
  await logIn(server, { browser: one })
  await other.logIn()
  const { action, hidden } = formOf(await logOut(other))
  t.strictSame(framesIn(await other.request('POST', action, { ...hidden, logout: 'yes' })), [], 'of another login')
})
