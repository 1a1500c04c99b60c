/* eslint camelcase: "off" -- parameters of the protocol are written as it has them */
/** The userinfo endpoint (OI-76 to OI-80, OI-85). */
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import t from 'tap'
import { Browser } from '../server.js'
import { bearer, get, logIn, makeProvider, post, token, renew, secretOf, userinfo } from './provider.js'

const at = '/oauth/userinfo'

t.test('OI-76: by GET and by POST', async t => {
  const server = await makeProvider(t)
  const { body: { access_token } } = await logIn(server, { more: { scope: 'openid email' } })
  const expected = { sub: '1', email: 'ada@op.test', email_verified: false }
  const got = await userinfo(server, access_token)
  t.strictSame(got.json(), expected)
  t.match(got.headers, { 'content-type': /^application\/json/, 'cache-control': 'no-store' })
  t.strictSame((await server.app.inject({ method: 'POST', url: at, headers: { host: 'op.test', ...bearer(access_token) } })).json(), expected)
  t.strictSame((await post(server, at, { access_token })).json(), expected, 'in a form')
  t.equal((await get(server, `${at}?access_token=${access_token}`)).statusCode, 401, 'never in the query')
  t.equal((await post(server, `${at}?access_token=${access_token}`, {})).statusCode, 401)
  const cookie = new Browser(server)
  await cookie.logIn()
  t.equal((await cookie.request('GET', at)).statusCode, 401, 'and no cookie')
})

t.test('OI-78: refusals', async t => {
  const server = await makeProvider(t)
  const { body } = await logIn(server)
  const none = await get(server, at)
  t.equal(none.statusCode, 401)
  t.match(none.headers['www-authenticate'], /^Bearer /)
  t.notMatch(none.headers['www-authenticate'], /error/)
  const unknown = await userinfo(server, 'x'.repeat(43))
  t.equal(unknown.statusCode, 401)
  t.match(unknown.headers['www-authenticate'], /error="invalid_token"/)
  t.equal(unknown.headers['cache-control'], 'no-store')
  const narrow = await renew(server, (await logIn(server, { more: { scope: 'openid email' } })).body.refresh_token, { scope: 'email' })
  const machine = (await token(server, { grant_type: 'client_credentials', scope: 'read' }, secretOf('rp'))).json()
  for (const text of [narrow.body.access_token, machine.access_token]) {
    const response = await userinfo(server, text)
    t.equal(response.statusCode, 403)
    t.match(response.headers['www-authenticate'], /error="insufficient_scope".*scope="openid"/)
  }
  const twice = await post(server, at, { access_token: body.access_token }, bearer(body.access_token))
  t.equal(twice.statusCode, 400)
  t.equal(twice.json().error, 'invalid_request')
  t.equal((await get(server, at, { authorization: 'Bearer two words' })).statusCode, 400)
  t.equal((await get(server, at, secretOf('rp'))).statusCode, 401, 'another scheme is no token')
  await post(server, '/oauth/revoke', { token: body.access_token }, secretOf('rp'))
  t.equal((await userinfo(server, body.access_token)).statusCode, 401, 'revoked')
  const expired = await logIn(server)
  await server.model('OAuthAccessToken').updateAll({}, { expiredAt: new Date(Date.now() - 1) })
  t.equal((await userinfo(server, expired.body.access_token)).statusCode, 401, 'expired')
})

t.test('OI-79: values are those of now', async t => {
  const server = await makeProvider(t)
  const { body } = await logIn(server, { more: { scope: 'openid profile email' } })
  await server.model('User').updateAll({ id: 1 }, { username: 'adele' })
  t.equal((await userinfo(server, body.access_token)).json().preferred_username, 'adele')
  await server.model('User').destroyById(1)
  const gone = await userinfo(server, body.access_token)
  t.equal(gone.statusCode, 401)
  t.match(gone.headers['www-authenticate'], /invalid_token/)
})

t.test('OI-80: scripts of any origin, without cookies', async t => {
  const server = await makeProvider(t)
  const { body } = await logIn(server)
  const headers = { host: 'op.test', origin: 'https://page.test' }
  const preflight = await server.app.inject({
    method: 'OPTIONS', url: at,
    headers: { ...headers, 'access-control-request-method': 'GET', 'access-control-request-headers': 'authorization' }
  })
  t.equal(preflight.statusCode, 204)
  t.match(preflight.headers, {
    'access-control-allow-origin': '*', 'access-control-allow-headers': 'authorization', 'access-control-allow-methods': /GET/
  })
  for (const authorization of [`Bearer ${body.access_token}`, 'Bearer wrong']) {
    const response = await server.app.inject({ url: at, headers: { ...headers, authorization } })
    t.equal(response.headers['access-control-allow-origin'], '*')
    t.notOk('access-control-allow-credentials' in response.headers)
  }
  const refused = await post(server, '/oauth/token', { grant_type: 'client_credentials' }, { ...secretOf('rp'), origin: 'https://page.test' })
  t.notOk('access-control-allow-origin' in refused.headers, 'the token endpoint keeps allowedOrigins')
})

t.test('OI-85: signed', async t => {
  const server = await makeProvider(t)
  const Client = server.model('OAuthClientApplication')
  await Client.updateAll({ id: 'rp' }, { userinfoSignedResponseAlg: 'RS256' })
  const { body } = await logIn(server, { more: { scope: 'openid email' } })
  const response = await userinfo(server, body.access_token)
  t.match(response.headers['content-type'], /^application\/jwt/)
  const set = createLocalJWKSet((await get(server, '/oauth/jwks')).json())
  const { payload } = await jwtVerify(response.body, set, { issuer: 'http://op.test', audience: 'rp' })
  t.match(payload, { sub: '1', email: 'ada@op.test' })
  t.not(decodeProtectedHeader(response.body).typ, 'JWT', 'OI-270: no id_token')
  for (const fields of [
    { userinfoSignedResponseAlg: 'HS256' }, { userinfoEncryptedResponseAlg: 'RSA-OAEP' },
    { idTokenEncryptedResponseAlg: 'RSA-OAEP' }, { idTokenEncryptedResponseEnc: 'A256GCM' }
  ]) await t.rejects(Client.create({ name: 'Bad', ...fields }), { statusCode: 422, code: 'INVALID_CLIENT_METADATA' }, JSON.stringify(fields))
})
