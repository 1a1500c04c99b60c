/* eslint camelcase: "off" -- parameters of the protocol are written as it has them */
/** The option `pages`: languages, looks, pages of the application, and the page of an account. */
import t, { type Test } from 'tap'
import type { LightMyRequestResponse } from 'fastify'
import { stepAt, totpCode } from '../../auth/src/factors/totp.js'
import { Authenticator } from '../../auth/test/authenticator.js'
import { fromBase32 } from '../../auth/test/factors.js'
import { makeProvider, openIdRequest } from './openid/provider.js'
import { answerOf, Browser, formOf, get, makeServer, redeem, request, verifier, type Server } from './server.js'

const langOf = ({ body }: LightMyRequestResponse): string => /<html lang="([^"]*)">/.exec(body)?.[1] ?? ''
const withPages = async (t: Test, pages: unknown, options: object = {}): Promise<Server> =>
  await makeServer(t, { options: { pages, ...options } as never })

t.test('without the option pages are in English, and there is no page for accounts', async t => {
  const server = await makeServer(t)
  t.equal(langOf(await get(server, '/login?ui_locales=de', { 'accept-language': 'de' })), 'en')
  t.equal((await get(server, '/oauth/account')).statusCode, 404)
  t.notMatch((await get(server, '/login')).headers['content-security-policy'], /img-src/)
  t.equal((await get(await withPages(t, { accountPage: false }), '/oauth/account')).statusCode, 404)
  t.equal((await get(await withPages(t, { accountPage: '/me' }), '/me')).headers.location, '/login')
})

t.test('OI-54: ui_locales, then Accept-Language, then the setting', async t => {
  const server = await withPages(t, { language: 'es' })
  const languageOf = async (accept: string | undefined, query = ''): Promise<string> =>
    langOf(await get(server, `/login${query}`, accept === undefined ? {} : { 'accept-language': accept }))
  t.equal(await languageOf(undefined), 'es')
  t.equal(await languageOf('fr, it;q=0.5'), 'es', 'none that is there')
  t.equal(await languageOf('fr, en;q=0.2, de-CH;q=0.8'), 'de', 'by weight, and de-CH is de')
  t.equal(await languageOf('de;q=0, en;q=0.1'), 'en', 'refused')
  t.equal(await languageOf('de', '?ui_locales=fr%20en'), 'en', 'what the client asks for')
  for (const hostile of ['"><script>', '__proto__', 'constructor', ',;=q', 'de;q=x', `${'x-'.repeat(20_000)}de`]) {
    const response = await get(server, '/login', { 'accept-language': hostile.slice(0, 8000) })
    t.match(response, { statusCode: 200 })
    t.equal(langOf(response), 'es', hostile.slice(0, 20))
    t.equal(await languageOf(undefined, `?ui_locales=${encodeURIComponent(hostile)}`), 'es', hostile.slice(0, 20))
  }
  const browser = new Browser(server)
  await browser.authorize(request({ ui_locales: 'de en' }))
  t.equal(langOf(await browser.request('GET', '/login')), 'de', 'of the request that waits')
  const decision = await browser.follow(await browser.logIn())
  t.equal(langOf(decision), 'de', 'and after the login')
  t.match(decision.body, /zulassen\?/)
  const error = await new Browser(server).authorize({ client_id: 'ghost', ui_locales: 'de' })
  t.match(error.body, /Das hat nicht funktioniert/)
  t.match(error.body, /lang="en">The client is not known/)
})

t.test('languages of the application, and texts of its own', async t => {
  const server = await withPages(t, { languages: { 'pt-BR': { signIn: 'Entrar <b>' }, en: { signIn: 'Log in', signInn: 'x' } } })
  const portuguese = await get(server, '/login', { 'accept-language': 'pt-BR' })
  t.match(portuguese.body, /<html lang="pt-br">[\s\S]*<h1>Entrar &lt;b&gt;<\/h1>[\s\S]*Password/, 'the rest is English')
  t.match((await get(server, '/login')).body, /<h1>Log in<\/h1>/)
  t.ok(server.logs.some(line => line.includes('no text \\"pages.languages.en.signInn\\"')))
})

t.test('hostile names stay texts', async t => {
  const hostile = '</title></style><script>alert(1)</script><img src=x onerror=alert(1)>{user}"\''
  const server = await makeProvider(t, { options: { pages: { name: hostile } } })
  await server.model('OAuthClientApplication').updateAll({ id: 'rp' }, { name: hostile })
  await server.model('OAuthScope').create({ scope: 'write', description: hostile })
  await server.model('User').updateAll({ id: 1 }, { username: hostile.replaceAll(/[^\w<>=() ]/g, '') })
  const browser = new Browser(server)
  const scope = 'openid write'
  const secret = verifier()
  await browser.authorize(openIdRequest({ scope, login_hint: hostile }, secret))
  const login = await browser.request('GET', '/login')
  const decision = await browser.follow(await browser.logIn('ada@op.test'))
  const form = formOf(decision)
  const answer = answerOf(await browser.request('POST', form.action, form.hidden))
  t.ok(answer.query.get('code'))
  const pages = [login, decision]
  for (const page of ['/oauth/grants', '/oauth/account', '/oauth/logout?client_id=rp']) {
    pages.push(await browser.request('GET', page))
  }
  pages.push(await browser.request('GET', '/oauth/account?ended=<script>&changed=<script>&problem=<script>'))
  for (const { body, statusCode } of pages) {
    t.equal(statusCode, 200)
    t.match(body, /&lt;\/title&gt;/)
    t.notMatch(body, /<script|<img|onerror=alert\(1\)>/)
  }
})

t.test('a logo, colours, a name', async t => {
  const policyOf = async (logo: string): Promise<string> =>
    String((await get(await withPages(t, { logo, name: 'Shop' }), '/login')).headers['content-security-policy'])
  t.match(await policyOf('https://cdn.shop.test:8443/a;b,c.png'), /img-src https:\/\/cdn\.shop\.test:8443;/)
  t.match(await policyOf('/logo.png'), /img-src 'self';/)
  t.match(await policyOf('data:image/png;base64,iVBORw0KGgo='), /img-src data:;/)
  const server = await withPages(t, { logo: '/logo.png', name: 'Shop', colors: { accent: '#FFD400', dark: { accent: '#333' } } })
  const { body, headers } = await get(server, '/login')
  t.match(body, /<img src="\/logo.png" alt="Shop">/)
  t.match(body, /<title>Sign in – Shop<\/title>/)
  t.match(body, /--accent:#FFD400;--on-accent:#000000/)
  t.match(body, /prefers-color-scheme:dark\)\{:root\{--accent:#333;--on-accent:#ffffff/)
  const other = await get(await withPages(t, {}), '/login')
  t.not(headers['content-security-policy'], other.headers['content-security-policy'], 'the hash is of this style sheet')
})

t.test('options that are wrong stop the start', async t => {
  const wrong: ReadonlyArray<readonly [unknown, RegExp]> = [
    [{ logo: 'http://shop.test/a.png' }, /"pages\.logo"/],
    [{ logo: '//evil.test/a.png' }, /"pages\.logo"/],
    [{ logo: 'https://shop.test;script-src' }, /"pages\.logo"/],
    [{ logo: 'javascript:alert(1)' }, /"pages\.logo"/],
    [{ logo: 'data:image/svg+xml;base64,PHN2Zz4=' }, /"pages\.logo"/],
    [{ logo: 'data:image/png;base64,x"onerror="y' }, /"pages\.logo"/],
    [{ colors: { accent: 'red' } }, /"pages\.colors\.accent" must be/],
    [{ colors: { accent: '#fff}body{' } }, /"pages\.colors\.accent" must be/],
    [{ colors: { accent: '#12345' } }, /"pages\.colors\.accent" must be/],
    [{ colors: { acent: '#fff' } }, /no option "pages\.colors\.acent"/],
    [{ colors: { text: '#999' } }, /"pages\.colors\.text" and "pages\.colors\.surface" have a contrast below/],
    [{ colors: { dark: { background: '#fff' } } }, /"pages\.colors\.dark\.background"/],
    [{ language: 'fr' }, /"pages\.language" is "fr", and there are en, es, de/],
    [{ languages: { 'x"y': {} } }, /no tag of a language/],
    [{ views: { logn: 'x' } }, /no option "pages\.views\.logn"/],
    [{ views: { login: 7 } }, /"pages\.views\.login" must be/],
    [{ accountPage: '/login' }, /"accountPage" is "\/login"/],
    [{ acountPage: '/x' }, /no option "pages\.acountPage"/]
  ]
  for (const [pages, message] of wrong) {
    await t.rejects(withPages(t, pages), { code: 'FBK_OAUTH2_INVALID_OPTIONS', message }, JSON.stringify(pages))
  }
})

t.test('pages of the application: functions, views, and what they get', async t => {
  const seen: Array<[string, any]> = []
  const server = await makeServer(t, {
    options: {
      pages: {
        views: {
          login: (values, request) => {
            seen.push([request.url, values])
            return `<form action="${String(values.action)}"><input type="hidden" name="_csrf" value="${String(values.csrfToken)}">`
          },
          decision: 'dialog',
          error: () => { throw new Error('secret of the view') }
        }
      }
    },
    prepare: app => {
      app.decorateReply('viewAsync', async (view: string, values: any) => {
        seen.push([view, values])
        return `<form action="${String(values.action)}"><input type="hidden" name="transaction_id" value="${String(values.transactionId)}">`
      })
    }
  })
  const browser = new Browser(server)
  await browser.authorize(request())
  const login = await browser.request('GET', '/login', undefined, { 'accept-language': 'de' })
  t.match(login.headers, { 'cache-control': 'no-store', 'x-frame-options': 'DENY', 'x-content-type-options': 'nosniff', 'content-security-policy': "frame-ancestors 'none'; base-uri 'none'" })
  t.match(seen[0]?.[1], { action: '/login', csrfToken: String, failed: false, language: 'de', texts: { signIn: 'Anmelden' } })
  const decision = await browser.follow(await browser.logIn())
  t.match(seen.at(-1), ['dialog', { transactionId: String, scopes: ['read'], language: 'en', texts: { allow: 'Allow' } }])
  const form = formOf(decision)
  t.ok(answerOf(await browser.request('POST', form.action, form.hidden)).query.get('code'))
  const error = await browser.authorize({ client_id: 'ghost' })
  t.match(error, { statusCode: 400, headers: { 'x-frame-options': 'DENY' } })
  t.match(error.body, /This did not work[\s\S]*invalid_client/, 'as it is built in')
  t.notMatch(error.body, 'secret of the view')
  t.ok(server.logs.some(line => line.includes('secret of the view')))
})

const page = '/oauth/account'
const password = 'correct horse'

/** Sends one of the forms of the account page. */
async function send (browser: Browser, fields: Record<string, string>): Promise<LightMyRequestResponse> {
  const { hidden } = formOf(await browser.request('GET', page))
  return await browser.request('POST', page, { _csrf: hidden._csrf as string, ...fields })
}

const withFactors = async (t: Test, more: object = {}): Promise<Server> => await makeProvider(t, {
  options: { pages: true },
  userSettings: {
    secondFactor: { secret: 'a secret of these tests', webauthn: { rpId: 'op.test', origins: ['https://op.test'] }, ...more }
  }
})

const textIn = ({ body }: LightMyRequestResponse, tag: string): string[] =>
  [...body.matchAll(new RegExp(`<${tag}>([^<]*)</${tag}>`, 'g'))].map(([, text]) => text as string)

t.test('the page of an account: for who is logged in, by forms of this site', async t => {
  const server = await withFactors(t)
  const browser = new Browser(server)
  t.match(await browser.request('GET', page), { statusCode: 302, headers: { location: '/login' } })
  t.equal((await browser.logIn()).headers.location, page, 'and back after the login')
  const shown = await browser.request('GET', page)
  t.match(shown.headers, { 'cache-control': 'no-store', 'content-security-policy': /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; frame-ancestors 'none'/ })
  t.notMatch(shown.body, /<script/)
  const { hidden } = formOf(shown)
  const fields = { _csrf: hidden._csrf as string, factor: 'totp', password }
  for (const [name, value] of [['origin', 'https://evil.test'], ['sec-fetch-site', 'cross-site']] as const) {
    t.equal((await browser.request('POST', page, fields, { [name]: value })).statusCode, 403)
  }
  t.equal((await browser.request('POST', page, { factor: 'totp', password })).statusCode, 403, 'without the token')
  t.equal((await browser.request('POST', page, `${new URLSearchParams(fields).toString()}&factor=totp`)).statusCode, 400)
  t.equal((await send(browser, {})).statusCode, 400)
  for (const factor of ['', 'toString', '__proto__', 'removeSecondFactors']) {
    t.equal((await send(browser, { factor, password })).statusCode, 400, factor)
  }
  t.equal((await send(browser, { end: 'session' })).statusCode, 400)
  t.equal((await new Browser(server).request('POST', page, fields)).headers.location, '/login')
})

t.test('OI-221, OI-222, OI-226, OI-227: an authenticator application, by forms', async t => {
  const server = await withFactors(t)
  const [browser, other] = [new Browser(server), new Browser(server)]
  await browser.logIn()
  await other.logIn()
  const before = await server.provider.sessions.of(1)
  const since = before[0]?.lastLogin
  t.equal((await send(browser, { factor: 'totp', password: 'wrong' })).headers.location, `${page}?problem=LOGIN_FAILED`)
  t.match((await browser.request('GET', `${page}?problem=LOGIN_FAILED`)).body, /role="alert"[^>]*>The password is wrong/)
  const begun = await send(browser, { factor: 'totp', password })
  t.match(begun, { statusCode: 200, headers: { 'cache-control': 'no-store' } })
  const secret = (textIn(begun, 'code')[0] as string).replaceAll(' ', '')
  t.match(begun.body, 'href="otpauth://totp/')
  t.match(begun.body, `secret=${secret}`)
  const code = (later = 0): string => totpCode(fromBase32(secret), stepAt(Date.now()) + later)
  t.equal((await send(browser, { factor: 'confirm totp', otp: '000000' })).headers.location, `${page}?problem=SECOND_FACTOR_FAILED`)
  t.match((await browser.request('GET', page)).body, /waits for the first code/)
  const cookie = browser.cookies.get('fastback.oauth2')
  const confirmed = await send(browser, { factor: 'confirm totp', otp: code(-1) })
  t.equal(textIn(confirmed, 'code').length, 10)
  t.not(browser.cookies.get('fastback.oauth2'), cookie, 'goes on in a new session')
  t.equal((await other.request('GET', page)).headers.location, '/login', 'all others have ended')
  const [session] = await server.provider.sessions.of(1)
  t.match(session, { amr: ['pwd', 'otp', 'mfa'], lastLogin: since }, 'the login is not younger for it')
  t.notOk(before.some(({ sid }) => sid === session?.sid), 'the name that clients were told has ended is not used again')
  t.match((await browser.request('GET', page)).body, /Left: 10/)
  t.equal((await send(browser, { factor: 'totp', password })).headers.location, `${page}?problem=TOTP_EXISTS`)
  const renewed = textIn(await send(browser, { factor: 'recovery', password, otp: code() }), 'code')
  t.equal(renewed.length, 10)
  const spent = textIn(confirmed, 'code')[0] as string
  const removal = { factor: 'remove totp', password }
  t.equal((await send(browser, { ...removal, otp: spent })).headers.location, `${page}?problem=SECOND_FACTOR_FAILED`)
  t.equal((await send(browser, { ...removal, otp: renewed[0] as string })).headers.location, `${page}?changed=remove+totp`)
  t.match((await browser.request('GET', `${page}?changed=remove+totp`)).body, /role="status">The authenticator application is off/)
  t.strictSame(await server.provider.service.secondFactors(server.model('User'))?.of(1), [])
  for (const text of [secret, renewed[1] as string, password]) t.notOk(server.logs.some(line => line.includes(text)))
})

t.test('OI-240, OI-241, OI-246: passkeys, by forms', async t => {
  const server = await withFactors(t)
  const browser = new Browser(server)
  await browser.logIn()
  const made = await send(browser, { factor: 'passkey', password })
  t.match(made.headers['content-security-policy'], /script-src 'self'/)
  t.notMatch(made.body, /<script>/)
  const options = JSON.parse((/data-creation="([^"]*)"/.exec(made.body)?.[1] ?? '').replaceAll('&quot;', '"'))
  const passkey = JSON.stringify(new Authenticator('https://op.test').create(options))
  for (const bad of ['', 'null', '{', '{"id":{}}', passkey.replace('"type"', '"typo"')]) {
    t.equal((await send(browser, { factor: 'new passkey', name: 'x', passkey: bad })).headers.location, `${page}?problem=PASSKEY_REFUSED`, bad.slice(0, 20))
  }
  const bob = new Browser(server)
  await bob.logIn('bob', 'battery staple')
  t.match((await send(bob, { factor: 'new passkey', name: 'x', passkey })).headers.location, /PASSKEY_REFUSED/, 'another user\'s')
  t.equal((await send(browser, { factor: 'new passkey', name: '<b>Phone', passkey })).headers.location, `${page}?changed=new+passkey`)
  const { body } = await browser.request('GET', page)
  t.match(body, /<strong>&lt;b&gt;Phone<\/strong>/)
  const id = /name="id" value="([^"]+)"/.exec(body)?.[1] as string
  t.match((await send(bob, { factor: 'remove passkey', id, password: 'battery staple' })).headers.location, /PASSKEY_NOT_FOUND/)
  t.match((await send(bob, { factor: 'rename passkey', id, name: 'Mine' })).headers.location, /PASSKEY_NOT_FOUND/)
  for (const name of ['', ' ', 'x'.repeat(256)]) {
    t.equal((await send(browser, { factor: 'rename passkey', id, name })).headers.location, `${page}?problem=PASSKEY_NAME_INVALID`)
  }
  t.equal((await send(browser, { factor: 'rename passkey', id, name: 'Old "phone"' })).headers.location, `${page}?changed=rename+passkey`)
  const renamed = await browser.request('GET', `${page}?changed=rename+passkey`)
  t.match(renamed.body, /role="status">The passkey has its new name/)
  t.match(renamed.body, /<strong>Old &quot;phone&quot;<\/strong> <span class="quiet">Since /)
  t.notMatch(renamed.body, /last used/, 'not yet')
  t.match((await send(browser, { factor: 'passkey', password })), { statusCode: 200 }, 'a young login with two factors adds another')
  t.match((await send(browser, { factor: 'remove passkey', id, password: 'wrong' })).headers.location, /LOGIN_FAILED/)
  t.equal((await send(browser, { factor: 'remove passkey', id, password })).headers.location, `${page}?changed=remove+passkey`)
  t.match((await browser.request('GET', page)).body, /You have none/)
})

t.test('OI-245, OI-246: when a passkey was last used, and one that is refused is trusted by another factor', async t => {
  const server = await withFactors(t)
  const factors = server.provider.service.secondFactors(server.model('User')) as any
  const user = await server.model('User').findById(1)
  const passkeys = factors.ways.get('response')
  const authenticator = new Authenticator('https://op.test')
  const { id } = await passkeys.register(user, 'Phone', authenticator.create(await passkeys.creationOptions(user)))
  const { secret } = await factors.totp.enrol(user, 'Shop')
  const code = (later = 0): string => totpCode(fromBase32(secret), stepAt(Date.now()) + later)
  await factors.totp.confirm(user, code(-1))
  const browser = new Browser(server)
  await browser.authorize(request())
  const form = formOf(await browser.request('GET', '/login'))
  const login = await browser.request('GET', '/login')
  const options = JSON.parse((/data-options="([^"]*)"/.exec(login.body)?.[1] ?? '').replaceAll('&quot;', '"'))
  await browser.request('POST', '/login', { ...form.hidden, passkey: JSON.stringify(authenticator.get(options)) })
  const shown = await browser.request('GET', page)
  t.match(shown.body, /<strong>Phone<\/strong> <span class="quiet">Since .*, last used <time/)
  t.notMatch(shown.body, /may have been copied|id="code-rename-0"/)
  const row = (await passkeys.of(1))[0]
  await factors.rows.change(row, {}, { data: JSON.stringify({ ...JSON.parse(row.data), suspect: true }) })
  t.match((await browser.request('GET', page)).body, /may have been copied[\s\S]*id="code-rename-0" name="otp"/)
  const rename = { factor: 'rename passkey', id, name: 'Again' }
  t.match((await send(browser, rename)).headers.location, /SECOND_FACTOR_FAILED/)
  t.match((await send(browser, { ...rename, otp: '000000' })).headers.location, /SECOND_FACTOR_FAILED/)
  t.match((await send(browser, { ...rename, otp: code() })).headers.location, /changed=rename/)
  t.notMatch((await browser.request('GET', page)).body, /may have been copied/)
})

t.test('OI-214: what is wrong counts for the account', async t => {
  const server = await withFactors(t)
  const browser = new Browser(server)
  await browser.logIn()
  let last: LightMyRequestResponse | undefined
  for (let i = 0; i < 40 && last?.statusCode !== 429; i++) last = await send(browser, { factor: 'totp', password: `wrong ${i}` })
  t.match(last, { statusCode: 429, headers: { 'retry-after': /^\d+$/ } })
  t.equal((await send(browser, { factor: 'totp', password })).statusCode, 429, 'the right one as well')
})

t.test('OI-115: sessions and applications at the page of an account, with and without openid', async t => {
  for (const server of [await withPages(t, true), await makeProvider(t, { options: { pages: true } })]) {
    const secret = verifier()
    const browser = new Browser(server)
    const { query } = await browser.walk(request({}, secret))
    const { access_token } = (await redeem(server, { code: query.get('code') as string, secret })).json()
    const other = new Browser(server)
    await other.logIn()
    const { body } = await browser.request('GET', page)
    t.match(body, /Web &lt;b&gt;shop/)
    t.equal(body.match(/name="session"/g)?.length, 2)
    t.notMatch(body, /Second step/, 'no factors here')
    t.equal((await send(browser, { factor: 'totp', password })).statusCode, 400)
    t.equal((await send(browser, { end: 'application', client: 'web' })).headers.location, `${page}?ended=application`)
    t.equal((await get(server, '/api/Notes/who', { authorization: `Bearer ${String(access_token)}` })).statusCode, 401)
    t.equal((await send(browser, { end: 'other sessions' })).headers.location, `${page}?ended=other+sessions`)
    t.equal((await other.request('GET', page)).headers.location, '/login')
    t.equal((await browser.request('GET', page)).statusCode, 200)
  }
})
