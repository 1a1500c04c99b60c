/* eslint camelcase: "off" -- parameters of the protocol are written as it has them */
/** What an authorization request wants of the user: `prompt`, `max_age`, `id_token_hint` (openid.md, section 6). */
import t, { type Test } from 'tap'
import { memoryConnector } from '@fastback/connector-memory'
import { sqlConnector } from '@fastback/connector-sql'
import { answerOf, formOf, type Answer, type Server } from '../server.js'
import { Browser, logIn, makeProvider, openIdRequest, readTokens, redeem, secretOf, verifier } from './provider.js'

type Fields = Record<string, string | undefined>

const stores = {
  memory: { connector: memoryConnector },
  SQLite: { connector: sqlConnector, settings: { url: 'sqlite::memory:', migrate: 'update' } }
}

/** An authorization request as it is, without anybody doing anything. */
const ask = async (browser: Browser, more: Fields = {}): Promise<Answer> =>
  answerOf(await browser.authorize(openIdRequest(more)))

async function member (server: Server, username = 'ada', password = 'correct horse'): Promise<Browser> {
  const browser = new Browser(server)
  await browser.logIn(username, password)
  return browser
}

const isLogin = (t: Test, { url }: Answer, what: string): void => { t.equal(url?.pathname, '/login', what) }

/** The tokens of a request that gets its code without a page. */
async function tokensOf (server: Server, browser: Browser, more: Fields = {}) {
  const secret = verifier()
  const { query } = answerOf(await browser.authorize(openIdRequest(more, secret)))
  return readTokens(await redeem(server, { code: query.get('code') as string, secret }, {}, secretOf('rp')))
}

/** Puts the login of all sessions back by some seconds. */
async function age (server: Server, seconds: number): Promise<void> {
  const State = server.model('OAuthState')
  for (const row of await State.find({ where: { kind: 'session' } })) {
    const data = { ...row.data, authTime: row.data.authTime - seconds }
    await State.updateAll({ id: row.id }, { data })
  }
}

const cookieOf = (browser: Browser): string | undefined => browser.cookies.get('fastback.oauth2')

for (const [name, parts] of Object.entries(stores)) {
  t.test(`OI-90: values of prompt, on ${name}`, async t => {
    const server = await makeProvider(t, parts)
    const browser = await member(server)
    for (const prompt of ['none login', 'login none', 'Login', 'login login', 'create', 'login  consent', 'x', ' login']) {
      const { query, url } = await ask(browser, { prompt })
      t.equal(query.get('error'), 'invalid_request', `"${prompt}"`)
      t.equal(url?.host, 'client.test')
      t.equal(query.get('state'), 'S')
      t.equal(query.get('iss'), 'http://op.test', 'OI-65: errors carry state and iss')
    }
    const plain = answerOf(await browser.authorize({ ...openIdRequest({ prompt: 'none login', scope: 'read' }) }))
    t.not(plain.query.get('error'), 'invalid_request', 'OI-03: others are as they were')
  })

  t.test(`OI-91: prompt=none shows no page, on ${name}`, async t => {
    const server = await makeProvider(t, parts)
    const nobody = await ask(new Browser(server), { prompt: 'none' })
    t.equal(nobody.query.get('error'), 'login_required')
    const browser = await member(server)
    t.equal((await ask(browser, { prompt: 'none' })).query.get('error'), 'consent_required')
    await browser.walk(openIdRequest())
    t.ok((await ask(browser, { prompt: 'none' })).query.get('code'), 'OI-111: consent to openid is remembered')
    t.equal((await ask(browser, { prompt: 'none', scope: 'openid email' })).query.get('error'), 'consent_required')
    t.equal((await ask(browser, { prompt: 'none', max_age: '0' })).query.get('error'), 'login_required')
    t.equal((await ask(browser, { prompt: 'none', client_id: 'rp', response_mode: 'fragment' })).fragment.has('code'), true)
  })

  t.test(`OI-92: prompt=login asks once for each request, on ${name}`, async t => {
    const server = await makeProvider(t, parts)
    const browser = new Browser(server)
    await browser.walk(openIdRequest())
    const secret = verifier()
    const fields = openIdRequest({ prompt: 'login', scope: 'openid email' }, secret)
    const before = cookieOf(browser)
    isLogin(t, answerOf(await browser.authorize(fields)), 'somebody is logged in, and is asked')
    isLogin(t, answerOf(await browser.authorize(fields)), 'reloading is no login')
    await age(server, 100)
    const decision = await browser.follow(await browser.logIn())
    t.ok(formOf(decision).names.includes('transaction_id'), 'on to the decision')
    t.not(cookieOf(browser), before, 'OI-104: another session id')
    const again = await browser.authorize(fields)
    t.ok(formOf(again).names.includes('transaction_id'), 'reloading the page does not ask for a login again')
    const form = formOf(again)
    const { query } = answerOf(await browser.request('POST', form.action, form.hidden))
    const { claims } = readTokens(await redeem(server, { code: query.get('code') as string, secret }, {}, secretOf('rp')))
    t.ok(Date.now() / 1000 - claims.auth_time < 10, 'OI-98: auth_time is that of the new login')
    isLogin(t, answerOf(await browser.authorize(fields)), 'the mark works once')
    const first = formOf(decision)
    const late = answerOf(await browser.request('POST', first.action, first.hidden))
    t.equal(late.query.get('error'), 'login_required', 'nor by a decision that was open in another tab')
  })

  t.test(`OI-93: a login in another tab, on ${name}`, async t => {
    const server = await makeProvider(t, parts)
    const browser = await member(server)
    await browser.walk(openIdRequest())
    const [one, two] = [openIdRequest({ prompt: 'login', state: '1' }), openIdRequest({ prompt: 'login', state: '2' })]
    isLogin(t, answerOf(await browser.authorize(one)), 'the first waits')
    await browser.logIn()
    isLogin(t, answerOf(await browser.authorize(two)), 'a login of before the second does not satisfy it')
    t.ok(answerOf(await browser.authorize(one)).query.get('code'), 'one that is newer than the first does')
    isLogin(t, answerOf(await browser.authorize(one)), 'once')
  })

  t.test(`OI-99: id_token_hint, on ${name}`, async t => {
    const server = await makeProvider(t, parts)
    const ada = new Browser(server)
    const { body } = await logIn(server, { browser: ada })
    const hint = { id_token_hint: body.id_token }
    t.ok((await ask(ada, { ...hint, prompt: 'none' })).query.get('code'), 'the same user')
    const bob = await member(server, 'bob', 'battery staple')
    await bob.walk(openIdRequest(), { username: 'bob', password: 'battery staple' })
    t.ok((await ask(bob, { prompt: 'none' })).query.get('code'), 'bob has consented')
    t.equal((await ask(bob, { ...hint, prompt: 'none' })).query.get('error'), 'login_required', 'another user')
    const fields = openIdRequest(hint)
    isLogin(t, answerOf(await bob.authorize(fields)), 'another user, who may log in')
    const other = answerOf(await bob.follow(await bob.logIn('bob', 'battery staple')))
    t.equal(other.query.get('error'), 'login_required', 'a login of somebody else')
    isLogin(t, answerOf(await bob.authorize(openIdRequest({ ...hint, state: 'T' }))), 'again')
    const right = answerOf(await bob.follow(await bob.logIn()))
    t.ok(right.query.get('code'), 'a login of the right user')
    for (const wrong of ['x', 'a.b.c', `${body.id_token}x`, body.access_token]) {
      t.equal((await ask(ada, { id_token_hint: wrong })).query.get('error'), 'invalid_request')
    }
    const foreign = await ask(ada, { ...hint, client_id: 'rp2', redirect_uri: 'https://other.test/cb' })
    t.equal(foreign.query.get('error'), 'invalid_request', 'of another client')
  })
}

t.test('OI-94: prompt=consent asks although all is granted', async t => {
  const server = await makeProvider(t)
  const browser = new Browser(server)
  await browser.walk(openIdRequest())
  t.ok((await ask(browser)).query.get('code'))
  const page = await browser.authorize(openIdRequest({ prompt: 'consent' }))
  t.ok(formOf(page).names.includes('transaction_id'))
  const both = await browser.authorize(openIdRequest({ prompt: 'login consent' }))
  isLogin(t, answerOf(both), 'the login comes first')
  const decision = await browser.follow(await browser.logIn())
  const form = formOf(decision)
  t.ok(form.names.includes('transaction_id'))
  t.ok(answerOf(await browser.request('POST', form.action, form.hidden)).query.get('code'))
})

t.test('OI-95: prompt=select_account offers the account that is logged in', async t => {
  const server = await makeProvider(t)
  const browser = new Browser(server)
  await browser.walk(openIdRequest())
  const fields = openIdRequest({ prompt: 'select_account' })
  const before = cookieOf(browser)
  isLogin(t, answerOf(await browser.authorize(fields)), 'the login page')
  const page = await browser.request('GET', '/login')
  t.match(page.body, /Continue as ada/)
  const form = formOf(page)
  const on = await browser.request('POST', form.action, { ...form.hidden, continue: 'yes' })
  t.match(on.headers.location, /^\/oauth\/authorize\?/)
  t.ok(answerOf(await browser.follow(on)).query.get('code'), 'goes on')
  t.equal(cookieOf(browser), before, 'nobody has logged in')
  isLogin(t, answerOf(await browser.authorize(fields)), 'asked the next time')
  const other = answerOf(await browser.follow(await browser.logIn('bob', 'battery staple')))
  t.equal(formOf(other.response).names.includes('transaction_id'), true, 'another account: it has not consented')
  isLogin(t, await ask(browser, { prompt: 'select_account login' }), 'with a login')
  t.notMatch((await browser.request('GET', '/login')).body, /Continue as/, 'there is no way around it')
  isLogin(t, await ask(new Browser(server), { prompt: 'select_account' }), 'nobody is logged in')
})

t.test('OI-96: prompt=create', async t => {
  const server = await makeProvider(t, { openid: { registrationPage: '/join' } })
  const browser = await member(server)
  const fields = openIdRequest({ prompt: 'create' })
  t.equal(answerOf(await browser.authorize(fields)).url?.pathname, '/join')
  t.equal((await ask(browser, { prompt: 'none create' })).query.get('error'), 'invalid_request')
  const decision = await browser.follow(await browser.logIn('bob', 'battery staple'))
  t.ok(formOf(decision).names.includes('transaction_id'), 'who has registered logs in, and goes on')
  const metadata = (await browser.request('GET', '/.well-known/openid-configuration')).json()
  t.ok(metadata.prompt_values_supported.includes('create'))
  const without = await makeProvider(t)
  const plain = (await new Browser(without).request('GET', '/.well-known/openid-configuration')).json()
  t.notOk(plain.prompt_values_supported.includes('create'))
})

t.test('OI-97: max_age', async t => {
  const server = await makeProvider(t)
  const browser = new Browser(server)
  await browser.walk(openIdRequest())
  for (const max_age of ['-1', '1.5', 'x', '1e3', '12345678901']) {
    t.equal((await ask(browser, { max_age })).query.get('error'), 'invalid_request', max_age)
  }
  t.ok((await ask(browser, { max_age: '60' })).query.get('code'), 'young enough')
  await age(server, 100)
  t.equal((await ask(browser, { max_age: '60', prompt: 'none' })).query.get('error'), 'login_required', 'too old')
  t.ok((await ask(browser, { max_age: '1000', prompt: 'none' })).query.get('code'))
  const old = (await tokensOf(server, browser)).claims.auth_time
  isLogin(t, await ask(browser, { max_age: '60' }), 'too old')
  const { query } = answerOf(await browser.follow(await browser.logIn()))
  t.ok(query.get('code'), 'after a login')
  const { claims } = await tokensOf(server, browser, { max_age: '60' })
  t.ok(claims.auth_time >= old + 90, 'OI-98: when the user proved who they are')
  isLogin(t, await ask(browser, { max_age: '0' }), 'max_age=0 is prompt=login')
  await server.model('OAuthClientApplication').updateAll({ id: 'rp' }, { defaultMaxAge: 60 })
  await age(server, 100)
  isLogin(t, await ask(browser), 'defaultMaxAge of the client')
  t.ok((await ask(browser, { max_age: '1000' })).query.get('code'), 'the request says more than the client')
})

t.test('OI-82: the claim sub names a user', async t => {
  const server = await makeProvider(t)
  const browser = new Browser(server)
  const { claims } = await logIn(server, { browser })
  const wish = (value: string): Fields => ({ claims: JSON.stringify({ id_token: { sub: { value } } }) })
  t.ok((await ask(browser, { ...wish(claims.sub as string), prompt: 'none' })).query.get('code'))
  t.equal((await ask(browser, { ...wish('999'), prompt: 'none' })).query.get('error'), 'login_required')
  isLogin(t, await ask(browser, wish('999')), 'the login page')
})

t.test('OI-104: the session id changes at every login, and the old one is worth nothing', async t => {
  const server = await makeProvider(t)
  const browser = new Browser(server)
  await browser.request('GET', '/login')
  const anonymous = cookieOf(browser) as string
  await browser.logIn()
  const first = cookieOf(browser) as string
  await browser.logIn()
  const second = cookieOf(browser) as string
  t.equal(new Set([anonymous, first, second]).size, 3)
  for (const old of [anonymous, first]) {
    const thief = new Browser(server, [['fastback.oauth2', old]])
    t.equal((await ask(thief, { prompt: 'none' })).query.get('error'), 'login_required')
  }
})
