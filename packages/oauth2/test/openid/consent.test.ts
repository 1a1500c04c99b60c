/* eslint camelcase: "off" -- parameters of the protocol are written as it has them */
/** Consent to claims, and the page where users take it back (openid.md, section 7). */
import t, { type Test } from 'tap'
import { answerOf, formOf, makeServer, type Server } from '../server.js'
import {
  bearer, Browser, get, logIn, makeProvider, openIdRequest, readTokens, redeem, renew, secretOf, userinfo, verifier
} from './provider.js'

async function decisionOf (browser: Browser, more: Record<string, string | undefined> = {}) {
  let response = await browser.follow(await browser.authorize(openIdRequest(more)))
  if (formOf(response).names.includes('password')) response = await browser.follow(await browser.logIn())
  return response
}

t.test('OI-110: the page says what each scope tells', async t => {
  const server = await makeProvider(t, { openid: { claims: { phone_number: 'username' } } })
  const { body } = await decisionOf(new Browser(server), {
    scope: 'openid profile email', claims: JSON.stringify({ userinfo: { phone_number: null, name: null } })
  })
  t.match(body, /know who you are/)
  t.match(body, /<strong>email<\/strong>.*\(email, email_verified\)/)
  t.match(body, /read <strong>phone_number<\/strong>/, 'OI-81: a claim that no scope gives is named')
  t.notMatch(body, '<b>', 'escaped')
})

t.test('OI-110: a view of the application gets the claims', async t => {
  const seen: any[] = []
  const server = await makeProvider(t, {
    options: { decisionView: 'dialog' },
    prepare: app => {
      app.decorateReply('viewAsync', async (_view: string, values: unknown) => {
        seen.push(values)
        return 'page'
      })
    }
  })
  await decisionOf(new Browser(server), { scope: 'openid email' })
  t.match(seen[0], { scopes: ['openid', 'email'], claims: { openid: [], email: ['email', 'email_verified'] } })
  t.match(Object.keys(seen[0]).sort(), [
    'action', 'claims', 'client', 'csrfToken', 'redirectURI', 'scopeDescriptions', 'scopes', 'transactionId', 'user'
  ])
})

t.test('OI-110: without openid the page is as it was', async t => {
  const [server, before] = [await makeProvider(t), await makeServer(t)]
  const pages = await Promise.all([server, before].map(async each => {
    const { body } = await decisionOf(new Browser(each), { client_id: 'web', scope: 'read write' })
    return body.replaceAll(/value="[^"]+"/g, '')
  }))
  t.equal(pages[0], pages[1])
})

t.test('OI-112: scopes can be left out, openid cannot', async t => {
  const server = await makeProvider(t)
  const browser = new Browser(server)
  const secret = verifier()
  const scope = 'openid profile email'
  let page = await browser.follow(await browser.authorize(openIdRequest({ scope }, secret)))
  page = await browser.follow(await browser.logIn())
  const form = formOf(page)
  t.strictSame(form.names.filter(name => name.startsWith('scope.')), ['scope.profile', 'scope.email'])
  const { 'scope.email': _left, ...ticked } = form.hidden
  const { query } = answerOf(await browser.request('POST', form.action, { ...ticked, 'scope.admin': 'yes' }))
  const { body } = readTokens(await redeem(server, { code: query.get('code') as string, secret }, {}, secretOf('rp')))
  t.equal(body.scope, 'openid profile', 'and nothing that was not asked for')
  t.equal((await userinfo(server, body.access_token)).json().email, undefined)
  const next = await browser.authorize(openIdRequest({ scope }))
  t.ok(formOf(next).names.includes('transaction_id'), 'what was left out is asked for the next time')
  const again = formOf(next)
  const refused = answerOf(await browser.request('POST', again.action, {
    transaction_id: again.hidden.transaction_id, scope: 'email'
  }))
  t.equal(refused.query.get('error'), 'access_denied', 'a page of the application that leaves openid out')
})

t.test('OI-113: refused, and nothing is stored', async t => {
  const server = await makeProvider(t)
  const browser = new Browser(server)
  const form = formOf(await decisionOf(browser))
  const { query } = answerOf(await browser.request('POST', form.action, { ...form.hidden, cancel: 'Deny' }))
  t.equal(query.get('error'), 'access_denied')
  t.equal(query.get('state'), 'S')
  t.equal(await server.model('OAuthPermission').count(), 0)
  t.ok(formOf(await decisionOf(browser)).names.includes('transaction_id'), 'OI-111: asked again')
})

t.test('OI-114: trusted clients', async t => {
  const server = await makeProvider(t)
  const Client = server.model('OAuthClientApplication')
  await Client.updateAll({ id: 'rp' }, { trusted: true })
  const browser = new Browser(server)
  await browser.logIn()
  t.ok(answerOf(await browser.authorize(openIdRequest({ scope: 'openid email' }))).query.get('code'))
  t.ok(formOf(await decisionOf(browser, { prompt: 'consent' })).names.includes('transaction_id'), 'prompt=consent')
  await Client.create({
    id: 'tool', name: 'Tool', clientType: 'public', tokenEndpointAuthMethod: 'none', trusted: true,
    redirectURIs: ['http://127.0.0.1/cb'], grantTypes: ['authorization_code']
  })
  const claimable = await decisionOf(browser, { client_id: 'tool', redirect_uri: 'http://127.0.0.1:5000/cb' })
  t.ok(formOf(claimable).names.includes('transaction_id'), 'O-058: anybody can claim to be it')
})

t.test('OI-63: offline_access without a dialog is dropped', async t => {
  const server = await makeProvider(t, { openid: { offlineAccess: true } })
  const browser = new Browser(server)
  const first = await logIn(server, { browser, more: { scope: 'openid offline_access' } })
  t.ok(first.body.refresh_token)
  const second = await logIn(server, { browser, more: { scope: 'openid offline_access' } })
  t.equal(second.body.scope, 'openid')
  t.equal(second.body.refresh_token, undefined)
  const third = await logIn(server, { browser, more: { scope: 'openid offline_access', prompt: 'consent' } })
  t.ok(third.body.refresh_token)
})

async function grantsOf (browser: Browser): Promise<string> {
  const page = await browser.request('GET', '/oauth/grants')
  return page.body
}

async function end (t: Test, browser: Browser, fields: Record<string, string>): Promise<void> {
  const { hidden } = formOf(await browser.request('GET', '/oauth/grants'))
  const response = await browser.request('POST', '/oauth/grants', { _csrf: hidden._csrf, ...fields })
  t.equal(response.statusCode, 303, response.body)
  t.match(response.headers.location, /^\/oauth\/grants\?ended=/)
}

t.test('OI-115: the page of a user\'s applications', async t => {
  const server = await makeProvider(t)
  const browser = new Browser(server)
  const out = await browser.request('GET', '/oauth/grants')
  t.equal(out.headers.location, '/login', 'nobody is logged in')
  const back = await browser.logIn()
  t.equal(back.headers.location, '/oauth/grants', 'and comes back')
  t.match(await grantsOf(browser), /There are none/)
  const { body } = await logIn(server, { browser, more: { scope: 'openid email' } })
  await logIn(server, { browser, client: 'rp2', more: { redirect_uri: 'https://other.test/cb' } })
  const page = await browser.request('GET', '/oauth/grants')
  t.match(page.headers, {
    'cache-control': 'no-store', 'x-frame-options': 'DENY',
    'content-security-policy': /default-src 'none'.*frame-ancestors 'none'/
  })
  t.notMatch(page.headers['content-security-policy'], 'script-src')
  t.match(page.body, /<h3>Party rp<\/h3>/)
  t.match(page.body, /<strong>email<\/strong>/)
  t.match(page.body, /<h3>Party rp2<\/h3>/)
  await end(t, browser, { end: 'application', client: 'rp' })
  t.notMatch(await grantsOf(browser), /<h3>Party rp<\/h3>/)
  t.equal((await userinfo(server, body.access_token)).statusCode, 401, 'its tokens have ended')
  t.equal((await renew(server, body.refresh_token)).status, 400)
  t.match(await grantsOf(browser), /<h3>Party rp2<\/h3>/, 'others stay')
  t.ok(formOf(await decisionOf(browser)).names.includes('transaction_id'), 'consent is asked for again')
  const bob = new Browser(server)
  await bob.logIn('bob', 'battery staple')
  t.match(await grantsOf(bob), /There are none/, 'of another user')
})

t.test('OI-115: an application with tokens and no consent is listed, and ended', async t => {
  const server = await makeProvider(t)
  await server.model('OAuthClientApplication').updateAll({ id: 'rp' }, { trusted: true })
  const browser = new Browser(server)
  const { body } = await logIn(server, { browser })
  t.match(await grantsOf(browser), /<h3>Party rp<\/h3>/)
  await end(t, browser, { end: 'application', client: 'rp' })
  t.equal((await userinfo(server, body.access_token)).statusCode, 401)
  t.match(await grantsOf(browser), /There are none/)
})

t.test('OI-115: sessions are listed, and ended by their user', async t => {
  const server = await makeProvider(t)
  const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
  const here = new Browser(server)
  await here.logIn('ada', 'correct horse', { 'user-agent': agent })
  const [one, two] = [new Browser(server), new Browser(server)]
  await one.logIn('ada', 'correct horse', { 'user-agent': agent })
  const { body } = await logIn(server, { browser: two })
  const bob = new Browser(server)
  await bob.logIn('bob', 'battery staple')
  const page = await grantsOf(here)
  t.equal(page.match(/name="session"/g)?.length, 3, 'only those of the user')
  t.match(page, /This browser/)
  t.match(page, /End the session of Firefox/)
  t.match(page, /Unknown browser/)
  t.notMatch(page, two.cookies.get('fastback.oauth2') as string)
  const sessions = await server.provider.sessions.of(1)
  t.match(sessions, [{ agent: 'Firefox', created: Date, lastLogin: Date, amr: ['pwd'] }, {}, { agent: undefined }])
  await end(t, here, { end: 'session', session: sessions[1]?.sid as string })
  t.equal((await one.request('GET', '/oauth/grants')).headers.location, '/login')
  t.equal((await server.provider.sessions.of(1)).length, 2)
  await end(t, here, { end: 'other sessions' })
  t.equal((await server.provider.sessions.of(1)).length, 1)
  t.equal((await userinfo(server, body.access_token)).statusCode, 401, 'OI-127: with the tokens of the login')
  t.equal((await here.request('GET', '/oauth/grants')).statusCode, 200, 'this one stays')
  t.equal((await bob.request('GET', '/oauth/grants')).statusCode, 200, 'those of others stay')
})

t.test('grantsPath: false, and folders without openid, have no such page', async t => {
  for (const server of [await makeProvider(t, { openid: { grantsPath: false } }), await makeServer(t)] as Server[]) {
    t.equal((await get(server, '/oauth/grants', bearer('x'))).statusCode, 404)
  }
})
