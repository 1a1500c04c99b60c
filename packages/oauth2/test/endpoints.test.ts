/* eslint camelcase: "off" -- parameters of the protocol are written as it has them */
import t from 'tap'
import {
  asWeb,
  basic,
  codeOf,
  fails,
  get,
  machineToken,
  makeServer,
  origin,
  pairOf,
  post,
  redeem,
  refresh,
  token,
  who
} from './server.js'

const asGuest = basic('guest', 'guest secret')

t.test('revocation', async t => {
  const server = await makeServer(t)
  const revoke = async (fields: Record<string, string | undefined>, headers: Record<string, string> = asWeb) =>
    await post(server, '/oauth/revoke', fields, headers)
  for (const headers of [{}, basic('web', 'no')]) {
    fails(t, await revoke({ token: 'x' }, headers as never), 401, 'invalid_client', 'O-210')
  }
  const machine = await machineToken(server)
  const done = await revoke({ token: machine, token_type_hint: 'refresh_token' })
  t.equal(done.statusCode, 200, 'O-211, O-214')
  t.strictSame(done.json(), {})
  t.equal((await who(server, machine)).statusCode, 401, 'O-212')
  for (const token_type_hint of [undefined, 'access_token', 'nonsense']) {
    t.equal((await revoke({ token: 'zzz', token_type_hint })).statusCode, 200, 'O-211, O-214')
  }
  const pair = await pairOf(server)
  const next = (await refresh(server, pair.refresh_token)).json()
  t.equal((await revoke({ token: next.refresh_token, token_type_hint: 'nonsense' })).statusCode, 200, 'O-214')
  for (const text of [pair.access_token, next.access_token]) t.equal((await who(server, text)).statusCode, 401, 'O-213')
  const kept = await pairOf(server)
  await revoke({ token: kept.access_token })
  const renewed = await refresh(server, kept.refresh_token)
  t.equal(renewed.statusCode, 200, 'the refresh token lives on')
  for (const text of [renewed.json().access_token, renewed.json().refresh_token]) {
    t.equal((await revoke({ token: text }, asGuest)).statusCode, 200, 'O-215')
  }
  t.equal((await who(server, renewed.json().access_token)).statusCode, 200, 'O-215')
  t.equal((await refresh(server, renewed.json().refresh_token)).statusCode, 200, 'O-215')
  fails(t, await revoke({}), 400, 'invalid_request', 'O-216')
  const spa = await redeem(server, await codeOf(server, { client_id: 'spa', redirect_uri: undefined }), {
    client_id: 'spa',
    redirect_uri: undefined
  }, {})
  t.equal((await revoke({ token: spa.json().access_token, client_id: 'spa' }, {})).statusCode, 200, 'O-217')
  t.equal((await who(server, spa.json().access_token)).statusCode, 401, 'O-217')
})

t.test('introspection', async t => {
  const server = await makeServer(t)
  const introspect = async (text: string | undefined, headers: Record<string, string> = asWeb) =>
    await post(server, '/oauth/introspect', { token: text }, headers)
  const pair = await pairOf(server)
  fails(t, await introspect(pair.access_token, {}), 401, 'invalid_client', 'O-230')
  fails(
    t,
    await post(server, '/oauth/introspect', { token: 'x', client_id: 'spa' }, {}),
    401,
    'invalid_client',
    'O-230: a public client'
  )
  const active = await introspect(pair.access_token)
  t.match(active.json(), {
    active: true,
    client_id: 'web',
    scope: 'read',
    exp: Number,
    iat: Number,
    token_type: 'Bearer',
    iss: origin,
    sub: '1',
    username: 'ada'
  }, 'O-231')
  t.equal(active.headers['cache-control'], 'no-store', 'O-234')
  const machine = (await introspect(await machineToken(server))).json()
  t.notOk('sub' in machine || 'username' in machine, 'O-231')
  const inactive = { active: false }
  t.strictSame((await introspect('zzz')).json(), inactive, 'O-232')
  const refreshing = (await introspect(pair.refresh_token)).json()
  t.match(refreshing, { active: true, client_id: 'web', scope: 'read' }, 'O-235')
  t.notOk('token_type' in refreshing, 'O-235')
  const next = (await refresh(server, pair.refresh_token)).json()
  t.strictSame((await introspect(pair.refresh_token)).json(), inactive, 'O-232: spent')
  t.strictSame((await introspect(next.access_token, asGuest)).json(), inactive, 'O-233')
  await server.model('OAuthClientApplication').updateAll({ id: 'guest' }, { resourceServer: true })
  t.equal((await introspect(next.access_token, asGuest)).json().active, true, 'O-233')
  await post(server, '/oauth/revoke', { token: next.access_token }, asWeb)
  t.strictSame((await introspect(next.access_token)).json(), inactive, 'O-232: revoked')
  t.equal((await get(server, '/oauth/introspect?token=x', asWeb)).statusCode, 404, 'O-234')
  fails(t, await introspect(undefined), 400, 'invalid_request', 'O-234')
})

t.test('metadata', async t => {
  const server = await makeServer(t)
  const found = await get(server, '/.well-known/oauth-authorization-server')
  t.equal(found.statusCode, 200, 'O-250')
  t.match(found.headers, { 'content-type': /^application\/json/, 'access-control-allow-origin': '*' }, 'O-250')
  const document = found.json()
  t.match(document, {
    issuer: origin,
    authorization_endpoint: `${origin}/oauth/authorize`,
    token_endpoint: `${origin}/oauth/token`,
    revocation_endpoint: `${origin}/oauth/revoke`,
    introspection_endpoint: `${origin}/oauth/introspect`,
    authorization_response_iss_parameter_supported: true
  }, 'O-251, O-252, O-256, O-257')
  t.strictSame(document.response_types_supported, ['code', 'token'], 'O-252')
  t.strictSame(document.grant_types_supported.length, 6, 'O-253')
  t.strictSame(document.code_challenge_methods_supported, ['S256'], 'O-254')
  for (const name of ['token', 'revocation', 'introspection']) {
    t.ok(document[`${name}_endpoint_auth_methods_supported`].includes('private_key_jwt'), 'O-255, O-256')
    t.strictSame(
      document[`${name}_endpoint_auth_signing_alg_values_supported`],
      ['RS256', 'PS256', 'ES256', 'EdDSA'],
      'O-255'
    )
  }
  t.notOk('scopes_supported' in document, 'O-258')
  await server.model('OAuthScope').create({ scope: 'read' })
  t.strictSame((await get(server, '/.well-known/oauth-authorization-server')).json().scopes_supported, ['read'])
  const below = await makeServer(t, {
    options: {
      issuer: 'https://op.test/tenant',
      revokePath: false,
      supportedGrantTypes: ['clientCredentials'],
      authorizePath: false
    }
  })
  const small = (await get(below, '/.well-known/oauth-authorization-server/tenant')).json()
  t.match(small, { issuer: 'https://op.test/tenant', token_endpoint: 'https://op.test/oauth/token' }, 'O-259, O-251')
  for (const name of [
    'revocation_endpoint',
    'authorization_endpoint',
    'code_challenge_methods_supported',
    'response_types_supported',
    'authorization_response_iss_parameter_supported'
  ]) {
    t.notOk(name in small, `O-258: ${name}`)
  }
  t.equal((await token(below, { grant_type: 'client_credentials' })).statusCode, 200)
})

t.test('pages of a client in a browser', async t => {
  const server = await makeServer(t)
  await server.model('OAuthClientApplication').updateAll({ id: 'spa' }, { allowedOrigins: ['https://spa.test'] })
  const refreshAt = async (from: string | undefined, client_id = 'spa') =>
    await post(
      server,
      '/oauth/token',
      { grant_type: 'refresh_token', refresh_token: 'x', client_id },
      from === undefined ? {} : { origin: from }
    )
  const own = await refreshAt('https://spa.test')
  t.equal(own.statusCode, 400, 'errors, too')
  t.match(own.headers, { 'access-control-allow-origin': 'https://spa.test', vary: 'origin' })
  for (const from of ['https://evil.test', 'https://spa.test.evil.test', 'null', undefined]) {
    const other = await refreshAt(from)
    t.equal(other.headers['access-control-allow-origin'], undefined, String(from))
    t.equal(other.headers.vary, 'origin', 'no cache takes one for the other')
  }
  t.equal(
    (await refreshAt('https://spa.test', 'nobody')).headers['access-control-allow-origin'],
    undefined,
    'a client that is not known'
  )
  const asked = await post(
    server,
    '/oauth/token',
    { grant_type: 'client_credentials' },
    { ...asWeb, origin: 'https://spa.test' }
  )
  t.equal(asked.headers['access-control-allow-origin'], undefined, 'the origin of another client')
  const revoked = await post(server, '/oauth/revoke', { token: 'x', client_id: 'spa' }, { origin: 'https://spa.test' })
  t.match(revoked.headers, { 'access-control-allow-origin': 'https://spa.test' })
  const authorize = await get(server, '/oauth/authorize?client_id=spa', { origin: 'https://spa.test' })
  t.equal(authorize.headers['access-control-allow-origin'], undefined, 'O-030')
})

t.test('events for a log', async t => {
  const server = await makeServer(t)
  const { provider } = server
  const heard: unknown[][] = []
  for (const name of [
    'grant.success',
    'grant.error',
    'grant.revoked',
    'authorization.accepted',
    'authorization.error',
    'server_error'
  ]) {
    provider.on(name, (about: Record<string, unknown>) => {
      heard.push([name, about])
    })
  }
  const names = (): unknown[] => heard.splice(0).map(([name]) => name)
  const pair = await pairOf(server)
  t.strictSame(names(), ['authorization.accepted', 'grant.success'])
  t.notMatch(JSON.stringify(heard), pair.access_token)
  await refresh(server, pair.refresh_token)
  fails(t, await refresh(server, pair.refresh_token), 400, 'invalid_grant')
  t.strictSame(names(), ['grant.success', 'grant.revoked', 'grant.error'])
  await get(server, '/oauth/authorize?client_id=web&redirect_uri=https%3A%2F%2Fclient.test%2Fcb')
  t.strictSame(names(), ['authorization.error'])
  const { issue } = provider.tokens
  Object.assign(provider.tokens, { issue: async () => { throw new Error('the disk is full') } })
  const failed = await token(server, { grant_type: 'client_credentials' })
  Object.assign(provider.tokens, { issue })
  fails(t, failed, 500, 'server_error')
  t.notMatch(failed.body, /disk/)
  t.match(heard, [
    ['grant.error', {}],
    ['server_error', { path: '/oauth/token', error: { message: 'the disk is full' } }]
  ])
})
