/* eslint camelcase: "off" -- parameters of the protocol are written as it has them */
import t from 'tap'
import {
  bearer,
  Browser,
  codeOf,
  get,
  machineToken,
  makeServer,
  origin,
  pairOf,
  post,
  redeem,
  request,
  who
} from './server.js'

t.test('tokens at protected paths', async t => {
  const server = await makeServer(t, {
    options: { authenticate: [{ paths: ['/api/Notes/who', '/api/Notes/post'], options: {} }] }
  })
  const machine = await machineToken(server)
  for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
    t.equal((await get(server, '/api/Notes/who', { authorization: `${scheme} ${machine}` })).statusCode, 200, 'O-180')
  }
  for (const headers of [{}, { authorization: 'Basic eDp5' }]) {
    const none = await get(server, '/api/Notes/who', headers as never)
    t.equal(none.statusCode, 401, 'O-181')
    t.equal(none.headers['www-authenticate'], 'Bearer realm="http://op.test"', 'O-181')
    t.match(none.json(), { error: 'unauthorized', error_description: String }, 'O-199')
    t.equal(none.headers['cache-control'], 'no-store', 'O-199')
  }
  for (const text of ['zzz', (await pairOf(server)).refresh_token, (await codeOf(server)).code]) {
    const bad = await who(server, text)
    t.equal(bad.statusCode, 401, 'O-182, O-191')
    t.match(
      bad.headers['www-authenticate'],
      /^Bearer realm="http:\/\/op\.test", error="invalid_token", error_description="[^"\\]+"$/,
      'O-182'
    )
    t.equal(bad.json().error, 'invalid_token', 'O-199')
  }
  for (const header of ['Bearer', 'Bearer ', 'Bearer a b', 'Bearer "x"']) {
    t.equal((await get(server, '/api/Notes/who', { authorization: header })).statusCode, 400, `O-188: ${header}`)
  }
  t.equal((await get(server, `/api/Notes/who?access_token=${machine}`, bearer(machine))).statusCode, 400, 'O-184')
  t.equal((await get(server, '/api/Notes/who?access_token=a&access_token=b')).statusCode, 400, 'O-184')
  t.equal((await post(server, '/api/Notes/post', { access_token: machine }, bearer(machine))).statusCode, 400, 'O-184')
  t.equal((await get(server, `/api/Notes/who?access_token=${machine}`)).statusCode, 401, 'O-185')
  t.equal((await post(server, '/api/Notes/post', { access_token: machine })).statusCode, 401, 'O-187')
  t.equal(
    (await post(server, '/api/Notes/post', { a: 'b' }, bearer(machine))).statusCode,
    200,
    'a form beside the token'
  )
  t.strictSame(
    (await who(server, (await pairOf(server)).access_token)).json(),
    { user: 1, client: 'web', scopes: ['read'] },
    'O-192'
  )
  t.strictSame((await who(server, machine)).json(), { user: null, client: 'web', scopes: ['read'] }, 'O-193')
  t.equal((await get(server, '/api/Notes')).statusCode, 200, 'O-196')
  const browser = new Browser(server)
  await browser.walk(request())
  t.equal((await browser.request('GET', '/api/Notes/who')).statusCode, 401, 'O-197')
  t.equal((await who(server, machine)).headers['set-cookie'], undefined, 'O-197')
  const bobs = (await redeem(server, await codeOf(server, {}, { username: 'bob', password: 'battery staple' }))).json()
  t.equal((await who(server, bobs.access_token)).statusCode, 200)
  await server.model('User').destroyAll({ username: 'bob' })
  t.equal((await who(server, bobs.access_token)).statusCode, 401, 'O-198')
  await server.model('OAuthClientApplication').destroyAll({ id: 'web' })
  t.equal((await who(server, machine)).statusCode, 401, 'O-198')
})

t.test('which paths are covered', async t => {
  const server = await makeServer(t, {
    options: { authenticate: [{ paths: ['/api/Notes/who', '/api/vault/'], options: {} }] }
  })
  for (const path of [
    '/api/Notes/who',
    '/api/Notes/who/',
    '/api/Notes/who?x=1',
    '/api/notes/WHO',
    '/api/Notes/%77ho',
    '/api/Notes/who/more',
    '/api/%4eotes/who',
    '//api/Notes/who',
    '/api//Notes//who',
    '/api/x/../Notes/who',
    '/api/./Notes/who',
    '/api/Notes/who/../post',
    '/api/%2e%2e/api/Notes/who',
    '/api%2FNotes%2Fwho',
    '/api/Notes/who;x=1',
    '/api\\Notes\\who',
    '/api/vault',
    '/api/Vault/x'
  ]) {
    const { statusCode } = await server.app.inject({ method: 'GET', url: path })
    t.ok(statusCode === 401 || statusCode === 400 || statusCode === 404, `O-200: ${path} ${statusCode}`)
    t.not(statusCode, 200)
  }
  t.equal((await get(server, '/api/Notes/who')).statusCode, 401, 'O-200')
  t.equal((await get(server, '/api/vaults')).statusCode, 404, 'O-200: a longer word')
  t.equal((await get(server, '/api/vault/x')).statusCode, 401, 'O-200: below')
  const everything = await makeServer(t, {
    options: { authenticate: [] },
    prepare: app => {
      app.oauth2.authenticate()
    }
  })
  t.equal((await get(everything, '/api/Notes')).statusCode, 401, 'O-287: no paths, all paths')
  t.ok(await machineToken(everything), 'but not the endpoints')
})

t.test('scopes and access control', async t => {
  const server = await makeServer(t, {
    options: {
      authenticate: [
        {
          paths: '/api/Notes',
          options: {}
        },
        {
          paths: ['/api/Notes/post'],
          options: { scope: 'write admin' }
        },
        { paths: ['/api/Notes/forWeb'], options: { scope: ['read', 'write'], allScopes: true } },
        {
          paths: ['/api/Notes'],
          options: { scopes: { admin: [{ methods: 'get', path: '/secret' }, '/api/Notes/more'] } }
        }
      ]
    }
  })
  const read = bearer(await machineToken(server, 'read'))
  const write = bearer(await machineToken(server, 'write'))
  const refused = await post(server, '/api/Notes/post', '', read)
  t.equal(refused.statusCode, 403, 'O-189')
  t.match(refused.headers['www-authenticate'], /error="insufficient_scope".*scope="write admin"/, 'O-189')
  t.equal((await post(server, '/api/Notes/post', '', write)).statusCode, 200, 'O-190: one suffices')
  t.equal((await get(server, '/api/Notes/forWeb', read)).statusCode, 403, 'all of them')
  t.equal(
    (await get(server, '/api/Notes/forWeb', bearer(await machineToken(server, 'read write')))).statusCode,
    200,
    'O-194: APP'
  )
  for (const path of ['/api/Notes/secret', '/api/Notes/more']) {
    t.equal((await get(server, path, read)).statusCode, 403, 'a table of routes')
  }
  t.equal((await get(server, '/api/Notes/secret', bearer(await machineToken(server, 'admin')))).statusCode, 404)
  t.equal((await get(server, '/api/Notes/forWriters', read)).statusCode, 401, 'O-194: SCOPE')
  t.equal((await get(server, '/api/Notes/forWriters', write)).statusCode, 200, 'O-194: SCOPE')
  t.equal((await get(server, '/api/Notes/forAuthenticated', read)).statusCode, 200, 'a client alone is authenticated')
  t.equal((await get(server, '/api/Notes/scoped', read)).statusCode, 401, 'O-195')
  t.equal((await get(server, '/api/Notes/scoped', write)).statusCode, 200, 'O-195')
  t.equal((await get(server, '/api/Notes/who', read)).statusCode, 200, 'O-195: no accessScopes')
  const own = await makeServer(t, { options: { authenticate: [{ paths: '/api/Users', options: {} }] } })
  const ada = bearer((await pairOf(own)).access_token)
  t.equal((await get(own, '/api/Users/1', ada)).statusCode, 200, 'O-194: USER, the owner')
  t.equal((await get(own, '/api/Users/2', ada)).statusCode, 401, 'O-194')
  const strict = await makeServer(t, { options: { impliedDefaultScope: false } })
  t.equal((await who(strict, await machineToken(strict))).statusCode, 401, 'as LoopBack had it')
})

t.test('other places of tokens, headers, sessions, look-ups elsewhere', async t => {
  const server = await makeServer(t, {
    options: {
      bearerMethods: ['header', 'query', 'body'],
      addHttpHeaders: true,
      useScopeMapping: true,
      authenticate: [
        { paths: ['/api/Notes', '/seen'], options: {} },
        { paths: ['/login-too'], options: { session: true } }
      ]
    },
    prepare: app => {
      app.get('/seen', async request => ({
        headers: request.headers,
        user: (request as unknown as { user: object }).user,
        client: request.client,
        authInfo: request.authInfo
      }))
      app.get('/outside', async ({ headers }) => headers)
      app.get('/login-too', async () => ({}))
    }
  })
  const machine = await machineToken(server)
  const inQuery = await get(server, `/api/Notes/who?access_token=${machine}`)
  t.equal(inQuery.statusCode, 200, 'O-186')
  t.match(inQuery.headers['cache-control'], /private|no-store/, 'O-186')
  t.equal((await post(server, '/api/Notes/post', { access_token: machine })).statusCode, 200, 'O-187')
  t.equal(
    (await post(server, `/api/Notes/post?access_token=${machine}`, { access_token: machine })).statusCode,
    400,
    'O-184'
  )
  const { access_token: text } = await pairOf(server)
  const seen = (await get(server, '/seen', { ...bearer(text), 'x-oauth2-user-id': '99' })).json()
  t.match(seen.headers, { 'x-oauth2-client-id': 'web', 'x-oauth2-user-id': '1' })
  t.match(seen, {
    user: { username: 'ada' },
    client: { id: 'web' },
    authInfo: { app: { id: 'web' }, accessToken: { appId: 'web', userId: 1 } }
  }, 'O-192')
  t.notMatch(JSON.stringify(seen), /argon2/)
  t.notOk(
    'x-oauth2-user-id' in (await get(server, '/outside', { 'x-oauth2-user-id': '99' })).json(),
    'nobody else sets them'
  )
  await server.model('OAuthScopeMapping').create({ scope: 'admin', route: 'get /api/Notes/:id' })
  t.equal((await who(server, machine)).statusCode, 403)
  t.equal((await who(server, await machineToken(server, 'admin'))).statusCode, 200)
  const browser = new Browser(server)
  await browser.request('GET', '/login-too', undefined, bearer(text))
  t.ok(await server.provider.sessions.load({
    headers: {
      cookie: [...browser.cookies].map(each =>
        each.join('=')).join('; ')
    }
  } as never), 'pages may know whose it is')
  t.equal((await browser.authorize(request())).headers.location, '/login', 'S-81: it is no login')
  t.equal((await browser.request('GET', '/login-too')).statusCode, 401, 'O-197')

  const apart = await makeServer(t, {
    seed: false, options: {
      authorizationServer: false, checkAccessToken: async (_request, given) => given === 'good'
        ? { accessToken: { id: 'x', appId: 'far', scopes: ['read'] } }
        : null
    }
  })
  t.strictSame((await who(apart, 'good')).json(), { user: null, client: 'far', scopes: ['read'] })
  t.equal((await who(apart, 'bad')).statusCode, 401)
})

t.test('resource metadata (O-305)', async t => {
  const off = await makeServer(t)
  t.equal((await get(off, '/.well-known/oauth-protected-resource')).statusCode, 404, 'off by default')
  t.notMatch((await get(off, '/api/Notes')).headers['www-authenticate'], /resource_metadata/)

  const server = await makeServer(t, {
    options: {
      resourceMetadata: true,
      authenticate: [{ paths: ['/api/Notes'], options: { scope: 'read write' } }, { paths: ['/'], options: {} }]
    }
  })
  const refused = await get(server, '/api/Notes/who?x=%22')
  const [, address] = /^Bearer realm="[^"]*", resource_metadata="([^"]*)"$/.exec(
    refused.headers['www-authenticate'] as string
  ) as unknown as [string, string]
  t.equal(address, `${origin}/.well-known/oauth-protected-resource/api/Notes/who`)
  const found = await get(server, new URL(address).pathname)
  t.equal(found.statusCode, 200, 'readable without a token, although everything is guarded')
  t.match(found.headers, { 'content-type': /^application\/json/, 'access-control-allow-origin': '*' })
  t.strictSame(found.json(), {
    resource: `${origin}/api/Notes/who`,
    authorization_servers: [origin],
    scopes_supported: ['read', 'write'],
    bearer_methods_supported: ['header']
  })
  t.equal((await get(server, '/.well-known/oauth-protected-resource')).json().resource, origin)
  t.equal((await get(server, '/.well-known/oauth-protected-resource/../../api/Notes/who')).statusCode, 401, 'O-200')
  t.equal((await get(server, '/.well-known/oauth-protected-resource/%2e%2e/%2e%2e/api/Notes')).statusCode, 401, 'O-200')
  t.notMatch((await get(server, '/api/Notes/a"b')).headers['www-authenticate'], /a"b/, 'no quote of the path')

  const apart = await makeServer(t, {
    options: { authorizationServer: false, resourceMetadata: { authorizationServers: ['https://op.example'] } }
  })
  t.strictSame((await get(apart, '/.well-known/oauth-protected-resource/api/Notes')).json().authorization_servers, [
    'https://op.example'
  ])
  t.equal(
    (await get(apart, '/.well-known/oauth-protected-resource/api/Others')).statusCode,
    404,
    'nothing is guarded there'
  )
})
