/* eslint camelcase: "off" -- parameters of the protocol are written as it has them */
import t from 'tap'
import {
  answerOf,
  Browser,
  callback,
  codeOf,
  fails,
  formOf,
  formText,
  get,
  makeServer,
  origin,
  redeem,
  request,
  type Fields,
  type Server
} from './server.js'

const at = async (server: Server, fields: Fields, browser = new Browser(server)) =>
  answerOf(await browser.authorize(fields))

async function loggedIn (server: Server, username?: string, password?: string): Promise<Browser> {
  const browser = new Browser(server)
  await browser.logIn(username, password)
  return browser
}

t.test('errors before the redirect URI is known are shown', async t => {
  const server = await makeServer(t)
  const shown = async (fields: Fields, what: string): Promise<void> => {
    const response = await new Browser(server).authorize(fields)
    t.equal(response.statusCode, 400, what)
    t.equal(response.headers.location, undefined, what)
    t.match(response.headers['content-type'], /^text\/html/)
    t.match(
      response.headers['content-security-policy'],
      /default-src 'none'.*frame-ancestors 'none'.*base-uri 'none'/,
      'O-031'
    )
    t.match(response.headers, { 'cache-control': 'no-store', 'x-frame-options': 'DENY' })
  }
  await shown(request({ client_id: undefined }), 'O-008')
  await shown(request({ client_id: '' }), 'O-003, O-008')
  await shown(request({ client_id: 'ghost' }), 'O-009')
  for (const redirect_uri of [
    'https://thief.test/',
    `${callback}/`,
    `${callback}.evil`,
    `${callback}?a=b`,
    callback.toUpperCase(),
    'https://client.test.thief.test/cb',
    'https://client.test/other'
  ]) {
    await shown(request({ redirect_uri }), `O-010, O-011: ${redirect_uri}`)
  }
  await shown(request({ redirect_uri: `${callback}#x` }), 'O-014')
  await shown(request({ redirect_uri: undefined }), 'O-013: several are registered')
  await shown(request({ client_id: 'robot', redirect_uri: 'https://robot.test/' }), 'a client without redirect URIs')
  await shown(`${formText(request())}&client_id=web`, 'O-005')
  await shown(`${formText(request())}&redirect_uri=${encodeURIComponent(callback)}`, 'O-005')
  const hostile = await new Browser(server).authorize(request({ client_id: '<script>alert(1)</script>' }))
  t.notMatch(hostile.body, '<script>', 'O-033')
  const json = await get(server, '/oauth/authorize?client_id=ghost')
  fails(t, json, 400, 'invalid_client')
  t.equal(json.headers['www-authenticate'], undefined)
})

t.test('redirect URIs', async t => {
  const server = await makeServer(t)
  const tool = { client_id: 'cli', redirect_uri: 'http://127.0.0.1:49152/cb' }
  t.equal((await new Browser(server).walk(request(tool))).url?.host, '127.0.0.1:49152', 'O-012')
  for (const redirect_uri of [
    'http://127.0.0.1:49152/other',
    'http://localhost:49152/cb',
    'https://127.0.0.1:49152/cb',
    'http://127.0.0.1:49152/cb?x=1',
    'http://127.0.0.1:99999/cb',
    'http://127.0.0.1.thief.test:80/cb',
    'http://x@127.0.0.1:80/cb'
  ]) {
    t.equal(
      (await new Browser(server).authorize(request({ ...tool, redirect_uri }))).statusCode,
      400,
      `O-012: ${redirect_uri}`
    )
  }
  t.ok((await new Browser(server).walk(request({
    client_id: 'spa',
    redirect_uri: undefined
  }))).query.has('code'), 'O-013: one is registered')
  const other = 'https://client.test/other?kept=1'
  for (const scope of ['read', 'burn']) {
    const { query, url } = await new Browser(server).walk(request({ redirect_uri: other, scope }))
    t.equal(query.get('kept'), '1', 'O-015')
    t.ok(query.has(scope === 'read' ? 'code' : 'error'), 'O-015')
    t.equal(url?.pathname, '/other')
  }
  const Client = server.model('OAuthClientApplication')
  for (const uri of [
    '/relative',
    `${callback}#x`,
    'javascript:alert(1)',
    'data:text/html,x',
    'http://far.test/cb',
    'https://u:p@client.test/cb'
  ]) {
    await t.rejects(
      Client.create({ id: uri.slice(0, 20), name: 'x', redirectURIs: [uri] }),
      { name: 'ValidationError' },
      `O-014: ${uri}`
    )
  }
  await Client.create({ id: 'app', name: 'x', redirectURIs: ['com.example.app:/cb', 'http://[::1]/cb'] })
  await t.rejects(Client.updateAll({ id: 'app' }, { redirectURIs: ['javascript:1'] }), { name: 'ValidationError' })
})

t.test('state, iss, response modes', async t => {
  const server = await makeServer(t)
  const browser = await loggedIn(server)
  for (const state of ['a=1&b=ü%25 +', '"<x>\'', 'emoji 😀']) {
    t.equal((await browser.walk(request({ state }))).query.get('state'), state, 'O-016')
    t.equal((await at(server, request({ state, scope: 'burn' }), browser)).query.get('state'), state, 'O-016')
  }
  for (const state of [undefined, '']) {
    t.notOk((await browser.walk(request({ state }))).query.has('state'), 'O-017, O-003')
  }
  t.equal((await browser.walk(request())).query.get('iss'), origin, 'O-018')
  t.equal((await at(server, request({ scope: 'burn' }))).query.get('iss'), origin, 'O-019')
  t.ok((await browser.walk({ ...request(), fancy: 'x' })).query.has('code'), 'O-001, O-004')
  const posted = await browser.request('POST', '/oauth/authorize', request())
  t.equal(posted.statusCode, 303, 'O-002, O-020')
  t.ok(answerOf(posted).query.has('code'), 'O-002')
  t.equal(
    (await browser.request('POST', `/oauth/authorize?${formText(request())}`, 'a=b')).statusCode,
    400,
    'O-002: the query of a POST does not count'
  )
  const inFragment = await browser.walk(request({ response_mode: 'fragment' }))
  t.ok(inFragment.fragment.has('code'), 'O-035')
  t.equal(inFragment.url?.search, '', 'O-035')
  const queryToken = answerOf(await browser.authorize(request({ response_type: 'token', response_mode: 'query' })))
  t.equal(queryToken.fragment.get('error'), 'invalid_request', 'O-035')
  t.equal((await at(server, request({ response_mode: 'smoke' }))).query.get('error'), 'invalid_request')
  const form = await browser.authorize(request({ response_mode: 'form_post', state: '"><b>' }))
  t.equal(form.statusCode, 200, 'O-034')
  t.equal(formOf(form).action, callback, 'O-034')
  t.match(formOf(form).hidden, { code: String, state: '"><b>', iss: origin }, 'O-034')
  t.match(
    form.headers['content-security-policy'],
    /script-src 'sha256-[^']+'; form-action https:\/\/client\.test;/,
    'O-034'
  )
  const cors = await browser.request('GET', `/oauth/authorize?${formText(request())}`, undefined, {
    origin: 'https://client.test'
  })
  t.equal(cors.headers['access-control-allow-origin'], undefined, 'O-030')
})

t.test('errors at the client', async t => {
  const server = await makeServer(t)
  const says = async (fields: Fields, error: string, what: string): Promise<void> => {
    const { query, response } = await at(server, fields)
    t.equal(response.statusCode, 302, what)
    t.equal(query.get('error'), error, what)
    t.equal(query.get('code'), null)
  }
  await says(`${formText(request())}&scope=write`, 'invalid_request', 'O-005')
  await says(`${formText(request())}&state=`, 'invalid_request', 'O-005')
  await says(request({ response_type: undefined }), 'invalid_request', 'O-006')
  await says(request({ response_type: 'gift' }), 'unsupported_response_type', 'O-007')
  await says(request({ response_type: '__proto__' }), 'unsupported_response_type', 'O-007')
  await says(request({ scope: 'read burn' }), 'invalid_scope', 'O-021')
  for (const scope of ['re"ad', 'read  write', ' read', 'read\\', 'rëad']) {
    await says(request({ scope }), 'invalid_scope', `O-022: ${scope}`)
  }
  t.equal((await at(server, request({
    client_id: 'guest',
    redirect_uri: 'https://guest.test/cb',
    response_type: 'token'
  }))).fragment.get('error'), 'unauthorized_client', 'O-024')
  for (const code_challenge_method of ['plain', 's256', 'S512']) {
    await says(request({ code_challenge_method }), 'invalid_request', 'O-026')
  }
  await says(request({
    client_id: 'spa',
    redirect_uri: undefined,
    code_challenge: undefined,
    code_challenge_method: undefined
  }), 'invalid_request', 'O-027')
  await says(request({ code_challenge_method: undefined }), 'invalid_request', 'O-028')
  for (const code_challenge of ['short', 'x'.repeat(129), `${'x'.repeat(42)}+`, undefined]) {
    await says(request({ code_challenge }), 'invalid_request', 'O-029')
  }
  const { fragment, url } = await at(server, request({ response_type: 'token', scope: 'burn' }))
  t.equal(fragment.get('error'), 'invalid_scope', 'O-151')
  t.equal(url?.search, '', 'O-151')
  const withDefault = await makeServer(t, { options: { defaultScope: 'read other' } })
  const { json } = await redeem(withDefault, await codeOf(withDefault, { scope: undefined }))
  t.equal(json().scope, 'read', 'O-023: what the client may have of the default')
})

t.test('login and session', async t => {
  const server = await makeServer(t)
  const browser = new Browser(server)
  const first = await browser.authorize(request({ state: 'remember' }))
  t.equal(first.statusCode, 302, 'O-040')
  t.equal(first.headers.location, '/login', 'O-040: nothing in the query')
  const page = await browser.follow(first)
  t.match(
    page.headers,
    { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'x-frame-options': 'DENY' },
    'O-031, O-032'
  )
  t.match(
    page.headers['content-security-policy'],
    /form-action 'self' https:\/\/client\.test; frame-ancestors 'none'/,
    'the way on to the client is open'
  )
  t.notMatch(page.body, /<script/, 'no JavaScript')
  const old = new Map(browser.cookies)
  const wrong = await browser.logIn('ada', 'wrong')
  t.equal(wrong.statusCode, 303, 'O-041')
  t.equal(wrong.headers.location, '/login?error=1', 'O-041')
  t.match((await browser.follow(wrong)).body, /role="alert"/)
  t.equal((await browser.authorize(request())).headers.location, '/login', 'O-041: no session')
  await browser.authorize(request({ state: 'remember' }))
  const right = await browser.request('POST', '/login', {
    username: 'ada',
    password: 'correct horse',
    returnTo: 'https://thief.test/'
  })
  t.equal(right.statusCode, 303, 'O-020')
  t.match(right.headers.location, /^\/oauth\/authorize\?.*state=remember/, 'O-040, O-042')
  t.match(right.headers['set-cookie'], /HttpOnly; SameSite=Lax$/, 'O-045')
  t.notMatch(right.headers['set-cookie'], /Secure/)
  t.equal((await new Browser(server, old).authorize(request())).headers.location, '/login', 'O-044')
  t.equal((await new Browser(server).logIn('ada@op.test')).headers.location, '/', 'O-056: e-mail')
  const json = await server.app.inject({
    method: 'POST',
    url: '/login',
    payload: { username: 'ada', password: 'correct horse' }
  })
  t.equal(json.headers.location, '/', 'JSON works, too')
  for (const headers of [{ origin: 'https://thief.test' }, { origin: 'null' }, { 'sec-fetch-site': 'cross-site' }]) {
    t.equal((await new Browser(server).logIn('ada', 'correct horse', headers as never)).statusCode, 403, 'O-043')
  }
  t.equal((await new Browser(server).logIn('ada', 'correct horse', {
    origin,
    'sec-fetch-site': 'same-origin'
  })).statusCode, 303, 'O-043: its own form')
  t.equal((await new Browser(server).logIn('ada', 'correct horse', {
    origin: 'null',
    'sec-fetch-site': 'same-origin'
  })).statusCode, 303, 'O-043: a form of its own that tells no referrer')
  t.equal((await new Browser(server).request('POST', '/login', {
    username: 'ada',
    password: 'correct horse',
    _csrf: 'made up'
  })).statusCode, 403)
  await browser.request('POST', '/logout', '')
  t.equal((await browser.authorize(request())).headers.location, '/login', 'logout')
  const https = await makeServer(t, { options: { issuer: 'https://op.test' } })
  t.match((await new Browser(https).authorize(request())).headers['set-cookie'], /Secure/, 'O-045')
})

t.test('a user who must verify the e-mail does not get in', async t => {
  const server = await makeServer(t, { userSettings: { emailVerificationRequired: true } })
  t.equal((await new Browser(server).logIn()).headers.location, '/login?error=1')
})

t.test('decision', async t => {
  const server = await makeServer(t)
  await server.model('OAuthScope').create({ scope: 'write', description: 'change "everything"' })
  const asking = async (more = {}): Promise<{
    browser: Browser,
    form: ReturnType<typeof formOf>,
    body: string,
    headers: Record<string, unknown>
  }> => {
    const browser = await loggedIn(server)
    const page = await browser.authorize(request({ scope: 'read write', ...more }))
    return { browser, form: formOf(page), body: page.body, headers: page.headers }
  }
  const { browser, form, body, headers } = await asking()
  t.ok((form.hidden.transaction_id as string).length >= 22, 'O-046')
  t.match(
    headers,
    { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'x-frame-options': 'DENY' },
    'O-031, O-032'
  )
  t.match(
    body,
    /Web &lt;b&gt;shop&lt;\/b&gt;[\s\S]*<strong>ada<\/strong>[\s\S]*read[\s\S]*write[\s\S]*change &quot;everything&quot;/,
    'O-057'
  )
  t.notMatch(body, /<script/)
  t.equal((await new Browser(server).request('POST', form.action, form.hidden)).headers.location, '/login', 'O-047')
  t.equal((await browser.request('POST', form.action, 'a=b')).statusCode, 400, 'O-047')
  t.equal((await browser.request('POST', form.action, { transaction_id: 'made up' })).statusCode, 403, 'O-047')
  t.equal(
    (await (await loggedIn(server)).request('POST', form.action, { transaction_id: form.hidden.transaction_id }))
      .statusCode,
    403,
    'O-048'
  )
  t.equal(
    (await browser.request('POST', form.action, form.hidden, { origin: 'https://thief.test' })).statusCode,
    403,
    'O-049'
  )
  const refused = answerOf(await browser.request('POST', form.action, { ...form.hidden, cancel: '' }))
  t.equal(refused.query.get('error'), 'access_denied', 'O-025, O-051')
  t.equal(refused.query.get('state'), 'S', 'O-025')
  t.equal((await browser.request('POST', form.action, form.hidden)).statusCode, 403, 'O-050')
  t.equal(await server.model('OAuthPermission').count(), 0, 'O-053')

  const again = await asking()
  const less = answerOf(
    await again.browser.request('POST', again.form.action, { ...again.form.hidden, scope: 'read admin' })
  )
  t.equal(less.response.statusCode, 303, 'O-020')
  const [code] = await server.model('OAuthAuthorizationCode').find()
  t.strictSame([...code.scopes], ['read'], 'O-054')
  t.equal((await asking({ scope: 'read' })).form.names.length, 0, 'O-052: remembered')
  const wider = await asking()
  t.ok(wider.form.names.includes('transaction_id'), 'O-052: wider')
  await wider.browser.request('POST', wider.form.action, wider.form.hidden)
  const [permission] = await server.model('OAuthPermission').find()
  t.strictSame([...permission.scopes], ['read', 'write'], 'O-052: the union')
  const race = await asking({ scope: 'admin' })
  const both = await Promise.all([1, 2].map(() => race.browser.request('POST', race.form.action, race.form.hidden)))
  t.strictSame(both.map(({ statusCode }) => statusCode).sort(), [303, 403], 'O-050: at the same moment')

  const pair = (await redeem(server, await codeOf(server))).json()
  await permission.destroy()
  t.equal(
    (await get(server, '/api/Notes/who', { authorization: `Bearer ${pair.access_token as string}` })).statusCode,
    401,
    'consent taken back'
  )

  const tool = { client_id: 'cli', redirect_uri: 'http://127.0.0.1:5000/cb' }
  const user = await loggedIn(server)
  t.ok((await user.walk(request(tool))).asked, 'O-058')
  t.ok((await user.walk(request(tool))).asked, 'O-058: every time')
  t.ok((await user.walk(request({ client_id: 'spa', redirect_uri: undefined }))).asked)
  t.notOk((await user.walk(request({ client_id: 'spa', redirect_uri: undefined }))).asked, 'O-052')
})

t.test('pages of the application', async t => {
  const server = await makeServer(t, {
    options: { decisionPage: '/consent?x=1', loginPage: '/sign-in', loginPath: '/do-login' }
  })
  const browser = new Browser(server)
  t.equal((await browser.authorize(request({ scope: 'read write' }))).headers.location, '/sign-in', 'O-056')
  t.equal((await get(server, '/login')).statusCode, 404)
  const login = await browser.request('POST', '/do-login', { username: 'ada', password: 'correct horse' })
  const consent = answerOf(await browser.request('GET', login.headers.location as string))
  t.strictSame(
    [...consent.query.keys()],
    ['x', 'transactionId', 'userId', 'clientId', 'scope', 'scope', 'redirectURI'],
    'O-055'
  )
  t.match(
    Object.fromEntries(consent.query),
    { userId: '1', clientId: 'web', scope: 'write', redirectURI: callback },
    'O-055'
  )
  const decided = answerOf(await browser.request(
    'POST',
    `/oauth/authorize/decision?transaction_id=${consent.query.get('transactionId') as string}`,
    ''
  ))
  t.ok(decided.query.has('code'), 'the id may stand in the query')

  const shown: any[] = []
  const viewing = await makeServer(t, {
    options: { decisionView: 'dialog', forceAuthorize: true },
    prepare: app => {
      app.decorateReply('viewAsync', async (name: string, values: object) => {
        shown.push(name, values)
        return '<form>'
      })
    }
  })
  const user = await loggedIn(viewing)
  for (let i = 0; i < 2; i++) t.equal((await user.authorize(request())).body, '<form>')
  t.strictSame(
    Object.keys(shown[1]),
    ['transactionId', 'user', 'client', 'scopes', 'redirectURI', 'csrfToken', 'action', 'scopeDescriptions']
  )
  t.notMatch(JSON.stringify(shown[1]), /argon2|clientSecret|correct horse|"password":/)
})
