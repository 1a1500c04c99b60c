/* eslint camelcase: "off" -- parameters of the protocol are written as it has them */
/** JWT access tokens (openid.md, section 9.5). */
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import t from 'tap'
import { asWeb, bearer, fails, get, makeServer, origin, post, redeem, codeOf, refresh, token, who, type Server } from '../server.js'
import { logIn, makeProvider, secretOf, userinfo } from '../openid/provider.js'
import { ask, proof, proofKey } from './proofs.js'

const ours = { grant_type: 'client_credentials', scope: 'read' }
const api = 'https://api.test/v1'

const makeJwt = async (server: Server, id: string): Promise<void> => {
  await server.model('OAuthClientApplication').updateAll({ id }, { tokenType: 'jwt' })
}

t.test('OI-180, OI-181, OI-182: the token of a client with tokenType jwt, without openid', async t => {
  const server = await makeServer(t, { options: { jwtAccessTokens: { signingAlgorithms: ['ES256'] } } })
  t.notMatch((await token(server, ours)).json().access_token, /\./, 'others have opaque ones')
  await makeJwt(server, 'web')
  const text = (await token(server, ours)).json().access_token
  const set = (await get(server, '/oauth/jwks')).json()
  const { payload, protectedHeader } = await jwtVerify(text, createLocalJWKSet(set), {
    issuer: origin, audience: origin, typ: 'at+jwt', requiredClaims: ['exp', 'iat', 'jti', 'sub', 'client_id', 'scope']
  })
  t.match(protectedHeader, { alg: 'ES256', typ: 'at+jwt', kid: set.keys.find(({ alg }: any) => alg === 'ES256').kid })
  t.match(payload, { sub: 'web', client_id: 'web', scope: 'read', aud: origin })
  t.notOk('auth_time' in payload)
  t.match((await get(server, '/.well-known/oauth-authorization-server')).json(), { jwks_uri: `${origin}/oauth/jwks` })
  t.equal((await who(server, text)).statusCode, 200)
  t.match((await post(server, '/oauth/introspect', { token: text }, asWeb)).json(), { active: true, aud: origin })
  t.equal((await get(server, '/.well-known/openid-configuration')).statusCode, 404, 'OI-01')
  t.ok((await server.provider.keys.rotate()).current)
  t.equal((await who(server, text)).statusCode, 200, 'a past key is ours')
  await server.provider.keys.rotate({ revoke: protectedHeader.kid as string })
  t.equal((await who(server, text)).statusCode, 401, 'a revoked one is not')
})

t.test('OI-181: of a login', async t => {
  const server = await makeProvider(t, { options: { jwtAccessTokens: true, dpop: true } })
  await makeJwt(server, 'rp')
  const { body, claims } = await logIn(server)
  const payload = decodeJwt(body.access_token)
  t.match(payload, { sub: '1', client_id: 'rp', auth_time: claims.auth_time, acr: claims.acr, amr: claims.amr, scope: 'openid' })
  t.strictSame(Object.keys(payload).sort(), ['acr', 'amr', 'aud', 'auth_time', 'client_id', 'exp', 'iat', 'iss', 'jti', 'scope', 'sub'],
    'OI-185: nothing else of the user')
  t.equal((await userinfo(server, body.access_token)).statusCode, 200)
  const key = await proofKey()
  const bound = (await token(server, { grant_type: 'client_credentials' }, { ...secretOf('rp'), dpop: await proof(key) })).json().access_token
  t.match(decodeJwt(bound), { cnf: { jkt: key.jkt } }, 'OI-152')
  t.equal((await ask(server, bound, key)).statusCode, 200)
})

t.test('OI-183: what is no access token of ours is none', async t => {
  const server = await makeProvider(t, { options: { jwtAccessTokens: true } })
  await makeJwt(server, 'rp')
  const { body } = await logIn(server)
  const claims = decodeJwt(body.access_token)
  const sign = async (more: object, typ: string): Promise<string> => await server.provider.keys.sign({ ...claims, ...more }, { alg: 'RS256', typ })
  const now = Math.floor(Date.now() / 1000)
  t.equal((await who(server, body.access_token)).statusCode, 200)
  for (const [what, text] of Object.entries({
    'an id_token': body.id_token,
    'a logout token': await sign({}, 'logout+jwt'),
    'one that was never stored': await sign({ jti: 'another' }, 'at+jwt'),
    'the other spelling, never stored': await sign({}, 'application/at+jwt')
  })) fails(t, await who(server, text), 401, 'invalid_token', what)
  const { jwtTokens } = server.provider
  t.equal(await jwtTokens?.isOwn(await sign({}, 'application/at+jwt'), origin), true)
  for (const [what, more] of Object.entries({
    'another issuer': { iss: 'https://other.test' },
    'another audience': { aud: 'https://other.test' },
    expired: { exp: now - 1 },
    'no end': { exp: undefined },
    'a client as audience': { aud: 'rp' }
  })) t.equal(await jwtTokens?.isOwn(await sign(more, 'at+jwt'), origin), false, what)
  // Stored or not: without the signature it is no token.
  const [h, p] = (body.access_token as string).split('.')
  const unsigned = `${h}.${p}.AAAA`
  await server.model('OAuthAccessToken').updateAll({}, { id: server.provider.tokens.options.digest(unsigned) })
  fails(t, await who(server, unsigned), 401, 'invalid_token')
})

t.test('OI-184: its row is looked up', async t => {
  const server = await makeServer(t, { options: { jwtAccessTokens: true } })
  await makeJwt(server, 'web')
  const pair = (await redeem(server, await codeOf(server))).json()
  t.match(decodeJwt(pair.access_token), { sub: '1' })
  const row = await server.model('OAuthAccessToken').findById(server.provider.tokens.options.digest(pair.access_token))
  t.match(row, { appId: 'web' })
  t.equal((await who(server, pair.access_token)).statusCode, 200)
  await post(server, '/oauth/revoke', { token: pair.access_token }, asWeb)
  t.equal((await who(server, pair.access_token)).statusCode, 401)
  const next = (await refresh(server, pair.refresh_token)).json()
  t.match(decodeProtectedHeader(next.access_token), { typ: 'at+jwt' })
  await refresh(server, pair.refresh_token)
  t.equal((await who(server, next.access_token)).statusCode, 401, 'the family has ended')
  const last = (await redeem(server, await codeOf(server))).json()
  await server.model('User').deleteById(1)
  t.equal((await who(server, last.access_token)).statusCode, 401, 'the user is gone')
})

t.test('OI-184: lookup false bounds it', async t => {
  const server = await makeServer(t, { options: { jwtAccessTokens: { lookup: false }, ttl: 7200 } })
  t.equal((await token(server, ours)).json().expires_in, 7200)
  await makeJwt(server, 'web')
  const { access_token, expires_in } = (await token(server, ours)).json()
  t.equal(expires_in, 600)
  const { iat, exp } = decodeJwt(access_token)
  t.equal(exp as number - (iat as number), 600)
})

t.test('OI-185: a resource says which claims it needs', async t => {
  const server = await makeProvider(t, {
    options: { jwtAccessTokens: true, resourceIndicators: { resources: { [api]: { jwt: true, claims: ['email'] }, 'urn:plain': {} } } }
  })
  const { body } = await logIn(server, { more: { resource: api, scope: 'openid' } })
  t.match(decodeJwt(body.access_token), { aud: [api, origin], email: 'ada@op.test' }, 'OI-182')
  const plain = (await token(server, { grant_type: 'client_credentials', resource: 'urn:plain' }, secretOf('rp'))).json()
  t.notMatch(plain.access_token, /\./)
  const machine = (await token(server, { grant_type: 'client_credentials', resource: api }, secretOf('rp'))).json()
  t.match(decodeJwt(machine.access_token), { aud: api, sub: 'rp', email: undefined })
})

t.test('options that are wrong stop the start; off is off', async t => {
  const code = { code: 'FBK_OAUTH2_INVALID_OPTIONS' }
  await t.rejects(makeServer(t, { options: { jwtAccessTokens: { signingAlgorithms: ['HS256' as never] } } }), code)
  await t.rejects(makeServer(t, { options: { openid: true, jwtAccessTokens: { keys: {} } } }), code)
  await t.rejects(makeServer(t, { options: { resourceIndicators: { resources: { [api]: { jwt: true } } } } }), code)
  const server = await makeServer(t)
  await makeJwt(server, 'web')
  t.notMatch((await token(server, ours)).json().access_token, /\./)
  t.equal((await get(server, '/oauth/jwks')).statusCode, 404)
  t.equal(server.provider.models.Key, undefined)
  t.throws(() => server.provider.keys, { code: 'FBK_OAUTH2_NO_OPENID' })
  t.equal((await get(server, '/api/Notes/who', bearer('a.b.c'))).statusCode, 401)
})
