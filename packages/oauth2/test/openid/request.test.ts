/* eslint camelcase: "off" -- parameters of the protocol are written as it has them */
/** The authorization request of an openid request (OI-50 to OI-54, OI-63 to OI-65). */
import t from 'tap'
import { Browser, answerOf } from '../server.js'
import { callback, get, logIn, makeProvider, openIdRequest, post, readTokens, redeem, renew, secretOf, verifier, visit } from './provider.js'

t.test('OI-50: by GET and by POST, for a code', async t => {
  const server = await makeProvider(t)
  const browser = new Browser(server)
  await browser.walk(openIdRequest())
  const secret = verifier()
  const { query } = answerOf(await browser.request('POST', '/oauth/authorize', openIdRequest({}, secret)))
  const redeemed = readTokens(await redeem(server, { code: query.get('code') as string, secret }, {}, secretOf('rp')))
  t.ok(redeemed.body.id_token, 'by a form')
  for (const response_type of ['id_token', 'code id_token', 'id_token token', 'code token', 'code id_token token', 'none']) {
    const answer = answerOf(await browser.authorize(openIdRequest({ response_type, nonce: 'n' })))
    t.equal(answer.query.get('error'), 'unsupported_response_type', response_type)
    t.equal(answer.query.get('state'), 'S')
  }
})

t.test('OI-51: the redirect URI is said', async t => {
  const server = await makeProvider(t)
  const browser = new Browser(server)
  const response = await browser.authorize(openIdRequest({ redirect_uri: undefined }))
  t.equal(response.statusCode, 400)
  t.match(response.body, /redirect_uri is missing/)
  t.equal(response.headers.location, undefined)
  const plain = await browser.authorize({ ...openIdRequest({ redirect_uri: undefined }), scope: 'read' })
  t.equal(plain.statusCode, 302, 'others need none')
  const implied = await makeProvider(t, { options: { defaultScope: ['openid'] } })
  const without = await new Browser(implied).authorize(openIdRequest({ redirect_uri: undefined, scope: undefined }))
  t.equal(without.statusCode, 400, 'OI-03: also where openid is the default')
})

t.test('OI-52: nonce', async t => {
  const server = await makeProvider(t)
  const browser = new Browser(server)
  for (const nonce of ['n', '  ~&=+%?"\\ü 漢', 'x'.repeat(512)]) {
    t.equal((await logIn(server, { browser, more: { nonce } })).claims.nonce, nonce)
  }
  t.notOk('nonce' in (await logIn(server, { browser })).claims)
  const long = answerOf(await browser.authorize(openIdRequest({ nonce: 'x'.repeat(513) })))
  t.equal(long.query.get('error'), 'invalid_request')
})

t.test('OI-53, OI-65, OI-271: what is not supported is refused by redirect', async t => {
  const server = await makeProvider(t)
  const browser = new Browser(server)
  for (const [more, error] of [
    [{ request: 'eyJhbGciOiJub25lIn0.e30.' }, 'request_not_supported'],
    [{ request_uri: 'https://client.test/request.jwt' }, 'request_uri_not_supported'],
    [{ registration: '{}' }, 'registration_not_supported']
  ] as Array<[Record<string, string>, string]>) {
    const { url, query } = answerOf(await browser.authorize(openIdRequest(more)))
    t.equal(`${url?.origin}${url?.pathname}`, callback)
    t.strictSame([query.get('error'), query.get('state'), query.get('iss')], [error, 'S', 'http://op.test'])
  }
})

t.test('OI-54: parameters that may be ignored', async t => {
  const server = await makeProvider(t)
  const { code } = await visit(server, { more: { display: 'popup', ui_locales: 'de', claims_locales: 'de', invented: 'x' } })
  t.ok(code)
  const browser = new Browser(server)
  await browser.authorize(openIdRequest({ login_hint: 'ada"><script>' }))
  const page = (await browser.request('GET', '/login')).body
  t.match(page, / value="ada&quot;&gt;&lt;script&gt;"/, 'escaped')
  t.notMatch(page, '<script>')
  for (const more of [{ login_hint: 'x'.repeat(257) }, { scope: 'read', login_hint: 'ada' }, {}]) {
    const other = new Browser(server)
    await other.authorize(openIdRequest(more))
    t.notMatch((await other.request('GET', '/login')).body, /name="username"[^>]* value=/)
  }
})

t.test('OI-63: offline_access', async t => {
  const server = await makeProvider(t)
  const usual = await logIn(server)
  t.ok(usual.body.refresh_token, 'O-115 decides')
  await server.model('OAuthClientApplication').create({
    id: 'brief', name: 'Brief', clientType: 'confidential', clientSecret: 'w3b secret:&+', redirectURIs: [callback],
    grantTypes: ['authorization_code']
  })
  const brief = await logIn(server, { client: 'brief', more: { scope: 'openid offline_access' } })
  t.equal(brief.body.scope, 'openid', 'dropped for who may not refresh')
  t.notOk('refresh_token' in brief.body)
  const strict = await makeProvider(t, { openid: { offlineAccess: true } })
  t.notOk('refresh_token' in (await logIn(strict)).body)
  const offline = await logIn(strict, { more: { scope: 'openid offline_access' } })
  t.ok(offline.body.refresh_token)
  const narrowed = await renew(strict, offline.body.refresh_token, { scope: 'openid' })
  t.ok(narrowed.body.refresh_token, 'the grant has it')
  const plain = await logIn(strict, { client: 'web', more: { scope: 'read' } })
  t.ok(plain.body.refresh_token, 'requests without openid are as they were')
})

t.test('OI-64: neither PKCE nor nonce is warned of, once', async t => {
  const server = await makeProvider(t)
  const weak = { code_challenge: undefined, code_challenge_method: undefined }
  const browser = new Browser(server)
  await browser.walk(openIdRequest({ ...weak, nonce: 'n' }))
  t.notMatch(server.logs.join(''), /neither a code_challenge nor a nonce/)
  for (let i = 0; i < 2; i++) await browser.walk(openIdRequest(weak))
  t.equal(server.logs.filter(line => /\\"rp\\" sends neither a code_challenge nor a nonce/.test(line)).length, 1)
})

t.test('OI-03: the userinfo endpoint of an implicit token', async t => {
  const server = await makeProvider(t)
  const { fragment } = await new Browser(server).walk(openIdRequest({
    response_type: 'token', scope: 'openid email', code_challenge: undefined, code_challenge_method: undefined
  }))
  t.notOk(fragment.has('id_token'))
  const response = await get(server, '/oauth/userinfo', { authorization: `Bearer ${fragment.get('access_token')}` })
  t.equal(response.json().email, 'ada@op.test')
  t.equal((await post(server, '/oauth/userinfo', {})).statusCode, 401)
})

t.test('OI-273, OI-274: nothing is sent to an address that was not compared, and pages are closed', async t => {
  const server = await makeProvider(t)
  const browser = new Browser(server)
  for (const redirect_uri of ['https://evil.test/cb', `${callback}/more`, `${callback}?x=1`, 'javascript:alert(1)']) {
    for (const prompt of [undefined, 'none', 'nonsense']) {
      const response = await browser.authorize(openIdRequest({ redirect_uri, prompt }))
      t.equal(response.statusCode, 400, redirect_uri)
      t.notOk('location' in response.headers)
    }
  }
  const login = await browser.follow(await browser.authorize(openIdRequest()))
  const decision = await browser.follow(await browser.logIn())
  for (const page of [login, decision]) {
    t.match(page.headers, {
      'content-security-policy': /default-src 'none'.*frame-ancestors 'none'/, 'x-frame-options': 'DENY', 'cache-control': 'no-store',
      'referrer-policy': 'no-referrer'
    })
    t.notMatch(page.body, '<script')
  }
})
