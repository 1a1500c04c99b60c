/** Metadata (OI-10 to OI-19). */
import t from 'tap'
import { get, makeProvider } from './provider.js'

const at = '/.well-known/openid-configuration'

t.test('OI-10, OI-11: where the document is, and what it says of itself', async t => {
  const server = await makeProvider(t, { seed: false })
  const response = await get(server, at)
  t.equal(response.statusCode, 200)
  t.match(response.headers, {
    'content-type': /^application\/json/, 'access-control-allow-origin': '*', 'cache-control': 'public, max-age=300'
  })
  t.equal(response.json().issuer, 'http://op.test')
  const below = await makeProvider(t, { seed: false, options: { issuer: 'https://op.test/tenant/a' } })
  for (const path of [`/tenant/a${at}`, `${at}/tenant/a`]) {
    t.equal((await get(below, path)).json().issuer, 'https://op.test/tenant/a', path)
  }
  t.equal((await get(below, at)).statusCode, 404, 'not where another issuer would be')
  const moved = await makeProvider(t, { seed: false, openid: { configurationPath: '/about', jwksPath: '/keys' } })
  t.equal((await get(moved, '/about')).json().jwks_uri, 'http://op.test/keys')
  t.equal((await get(moved, at)).statusCode, 404)
})

t.test('OI-12 to OI-16: what it says', async t => {
  const server = await makeProvider(t, { seed: false })
  const found = (await get(server, at)).json()
  t.match(found, {
    authorization_endpoint: 'http://op.test/oauth/authorize',
    token_endpoint: 'http://op.test/oauth/token',
    userinfo_endpoint: 'http://op.test/oauth/userinfo',
    jwks_uri: 'http://op.test/oauth/jwks',
    end_session_endpoint: 'http://op.test/oauth/logout',
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    claim_types_supported: ['normal'],
    acr_values_supported: ['1fa', '2fa', 'phr'],
    prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
    code_challenge_methods_supported: ['S256']
  }, 'OI-12')
  for (const name of ['response_types_supported', 'response_modes_supported', 'grant_types_supported',
    'token_endpoint_auth_methods_supported', 'claims_supported', 'scopes_supported']) {
    t.ok(found[name].length > 0, name)
  }
  t.ok(found.claims_supported.includes('sub') && found.claims_supported.includes('email'))
  t.strictSame(
    ['request', 'request_uri', 'claims'].map(name => found[`${name}_parameter_supported`]), [false, false, true], 'OI-14'
  )
  t.equal(found.authorization_response_iss_parameter_supported, true, 'OI-15')
  t.strictSame([found.backchannel_logout_supported, found.backchannel_logout_session_supported], [true, true], 'OI-16')
  t.notOk('frontchannel_logout_supported' in found || 'check_session_iframe' in found, 'OI-16')
  const more = await makeProvider(t, { seed: false, openid: { signingAlgorithms: ['ES256', 'EdDSA'] } })
  const algorithms = (await get(more, at)).json().id_token_signing_alg_values_supported
  t.strictSame(algorithms, ['ES256', 'EdDSA', 'RS256'], 'OI-13: RS256 is always there, the first is the default')
  t.notOk(algorithms.some((alg: string) => alg === 'none' || alg.startsWith('HS')), 'OI-13')
})

t.test('OI-17: the document of RFC 8414 is the same', async t => {
  const server = await makeProvider(t, { seed: false })
  t.strictSame((await get(server, '/.well-known/oauth-authorization-server')).json(), (await get(server, at)).json())
})

t.test('OI-18: what is switched off leaves no trace', async t => {
  const server = await makeProvider(t, {
    seed: false,
    options: { revokePath: false, introspectPath: false, supportedGrantTypes: ['authorizationCode'] },
    openid: { userinfoPath: false, endSessionPath: false, backchannelLogout: false }
  })
  const found = (await get(server, at)).json()
  for (const name of ['userinfo_endpoint', 'userinfo_signing_alg_values_supported', 'end_session_endpoint',
    'backchannel_logout_supported', 'backchannel_logout_session_supported', 'revocation_endpoint',
    'device_authorization_endpoint', 'pushed_authorization_request_endpoint', 'dpop_signing_alg_values_supported',
    'registration_endpoint']) {
    t.notOk(name in found, name)
  }
  t.strictSame(found.grant_types_supported, ['authorization_code'])
  t.notOk(found.scopes_supported.includes('offline_access'), 'nothing is refreshed')
  t.notOk(Object.values(found).some(value => Array.isArray(value) && value.length === 0), 'no empty list')
  t.equal((await get(server, '/oauth/userinfo')).statusCode, 404)
})

t.test('OI-19: scopes', async t => {
  const server = await makeProvider(t, { openid: { scopes: { staff: ['team'], none: ['shoe_size'] }, claims: { team: 'team' } } })
  await server.model('OAuthScope').create([{ scope: 'read' }, { scope: 'email' }])
  t.strictSame((await get(server, at)).json().scopes_supported,
    ['openid', 'profile', 'email', 'staff', 'offline_access', 'read'], 'each once, and none that can give no claim')
})
