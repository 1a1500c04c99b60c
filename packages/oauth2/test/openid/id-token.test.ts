/* eslint camelcase: "off" -- parameters of the protocol are written as it has them */
/** id_tokens at the token endpoint (OI-55 to OI-62). */
import { createHash } from 'node:crypto'
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import t from 'tap'
import { Browser, fails } from '../server.js'
import { get, logIn, makeProvider, readTokens, redeem, renew, secretOf, token, userinfo, visit } from './provider.js'

const isWhole = (value: unknown): boolean => Number.isInteger(value)

t.test('OI-55, OI-56: its members', async t => {
  const server = await makeProvider(t, { openid: { idTokenTTL: 120 } })
  const { code, secret } = await visit(server, { more: { nonce: 'n-0S6', scope: 'openid profile email' } })
  const response = await redeem(server, { code, secret }, {}, secretOf('rp'))
  t.equal(response.headers['cache-control'], 'no-store', 'OI-55')
  const { body, claims } = readTokens(response)
  t.ok(body.access_token && body.id_token, 'OI-55')
  const now = Date.now() / 1000
  t.match(claims, {
    iss: 'http://op.test', sub: '1', aud: 'rp', nonce: 'n-0S6', acr: '1fa', amr: ['pwd'], sid: /^[\w-]{43}$/,
    at_hash: /^[\w-]{22}$/
  })
  t.ok([claims.iat, claims.exp, claims.auth_time].every(isWhole), 'whole seconds')
  t.equal(claims.exp, claims.iat as number + 120)
  t.ok(Math.abs(claims.iat as number - now) < 5 && claims.auth_time <= (claims.iat as number))
  t.strictSame(Object.keys(claims).sort(),
    ['acr', 'amr', 'at_hash', 'aud', 'auth_time', 'exp', 'iat', 'iss', 'nonce', 'sid', 'sub'], 'no azp; OI-59: no profile')
})

t.test('OI-57, OI-58: hash, key and algorithm', async t => {
  const server = await makeProvider(t, { openid: { signingAlgorithms: ['ES256', 'RS256', 'PS256', 'EdDSA'] } })
  const Client = server.model('OAuthClientApplication')
  t.equal((await logIn(server)).header.alg, 'ES256', 'the first is the default')
  const set = createLocalJWKSet((await get(server, '/oauth/jwks')).json())
  const browser = new Browser(server)
  for (const alg of ['RS256', 'ES256', 'PS256', 'EdDSA']) {
    await Client.updateAll({ id: 'rp' }, { idTokenSignedResponseAlg: alg })
    const { body, header, claims } = await logIn(server, { browser })
    t.equal(header.alg, alg)
    t.equal(header.typ, 'JWT')
    await jwtVerify(body.id_token, set, { issuer: 'http://op.test', audience: 'rp' })
    const hash = createHash(alg === 'EdDSA' ? 'sha512' : 'sha256').update(body.access_token).digest()
    t.equal(claims.at_hash, hash.subarray(0, hash.length / 2).toString('base64url'), `OI-57: ${alg}`)
  }
  for (const alg of ['none', 'HS256', 'RS512', 'magic']) {
    await t.rejects(Client.create({ name: 'Bad', idTokenSignedResponseAlg: alg }),
      { statusCode: 422, message: /idTokenSignedResponseAlg must be one of/ }, `OI-58: ${alg}`)
    await t.rejects(Client.updateAll({ id: 'rp' }, { idTokenSignedResponseAlg: alg }), { statusCode: 422, code: 'INVALID_CLIENT_METADATA' })
  }
})

t.test('OI-59: claims of scopes are at userinfo', async t => {
  const server = await makeProvider(t)
  const { body, claims } = await logIn(server, { more: { scope: 'openid email' } })
  t.notOk('email' in claims)
  t.equal((await userinfo(server, body.access_token)).json().email, 'ada@op.test')
  const asked = await logIn(server, { more: { scope: 'openid email', claims: '{"id_token":{"email":null}}' } })
  t.match(asked.claims, { email: 'ada@op.test', email_verified: false })
})

t.test('OI-60, OI-102: a refresh', async t => {
  const server = await makeProvider(t)
  const first = await logIn(server, { more: { nonce: 'n', scope: 'openid email', claims: '{"id_token":{"email":null}}' } })
  const second = await renew(server, first.body.refresh_token)
  for (const name of ['iss', 'sub', 'aud', 'auth_time', 'acr', 'amr', 'sid', 'email']) {
    t.strictSame(second.claims[name], first.claims[name], name)
  }
  t.notOk('nonce' in second.claims)
  const hash = createHash('sha256').update(second.body.access_token).digest()
  t.equal(second.claims.at_hash, hash.subarray(0, 16).toString('base64url'))
  const third = await renew(server, second.body.refresh_token, { scope: 'email' })
  t.notOk('id_token' in third.body, 'openid was narrowed away')
  const fourth = await renew(server, third.body.refresh_token)
  t.equal(fourth.claims.sid, first.claims.sid, 'and is there again')
})

t.test('OI-61: grants without a login', async t => {
  const server = await makeProvider(t)
  const machine = await token(server, { grant_type: 'client_credentials', scope: 'openid read' }, secretOf('rp'))
  t.equal(machine.json().scope, 'read')
  t.notOk('id_token' in machine.json())
  const fields = { grant_type: 'password', username: 'ada', password: 'correct horse' }
  fails(t, await token(server, { ...fields, scope: 'openid read' }, secretOf('rp')), 400, 'invalid_scope')
  t.equal((await token(server, { ...fields, scope: 'read' }, secretOf('rp'))).statusCode, 200)
  const implied = await makeProvider(t, { options: { defaultScope: ['openid', 'read'] } })
  t.equal((await token(implied, fields, secretOf('rp'))).json().scope, 'read')
})

t.test('OI-62: a code that is presented twice ends its own tokens, and no login', async t => {
  const server = await makeProvider(t)
  const browser = new Browser(server)
  const other = await logIn(server, { browser })
  const { code, secret } = await visit(server, { browser })
  const { body } = readTokens(await redeem(server, { code, secret }, {}, secretOf('rp')))
  fails(t, await redeem(server, { code, secret }, {}, secretOf('rp')), 400, 'invalid_grant')
  t.equal((await userinfo(server, body.access_token)).statusCode, 401)
  t.equal((await userinfo(server, other.body.access_token)).statusCode, 200, 'another grant goes on')
  t.ok((await visit(server, { browser })).code, 'and so does the session')
})

t.test('OI-270: what the header says', async t => {
  const server = await makeProvider(t)
  const { body } = await logIn(server)
  t.strictSame(Object.keys(decodeProtectedHeader(body.id_token)).sort(), ['alg', 'kid', 'typ'])
  t.equal(decodeJwt(body.id_token).aud, 'rp')
})
