/* eslint camelcase: "off" -- parameters of the protocol are written as it has them */
/** DPoP (openid.md, section 9.2). */
import t from 'tap'
import {
  asWeb, bearer, Browser, challengeOf, codeOf, fails, get, makeServer, origin, post, redeem, refresh, request, token,
  verifier, who, type Server
} from '../server.js'
import { logIn, makeProvider, secretOf, visit } from '../openid/provider.js'
import { ask, athOf, boundToken, proof, proofKey, spa, spaCode, whoUrl, type ProofKey } from './proofs.js'

const ours = { grant_type: 'client_credentials', scope: 'read' }
const on = { options: { dpop: true } }
const introspected = async (server: Server, text: string): Promise<any> =>
  (await post(server, '/oauth/introspect', { token: text }, asWeb)).json()

t.test('OI-150, OI-151: a token request with a proof gets a token for its key', async t => {
  const server = await makeServer(t, on)
  const key = await proofKey()
  const response = await token(server, ours, { ...asWeb, dpop: await proof(key) })
  t.match(response.json(), { token_type: 'DPoP', scope: 'read' })
  const text = response.json().access_token
  t.match(await introspected(server, text), { active: true, token_type: 'DPoP', cnf: { jkt: key.jkt } }, 'OI-152')
  t.match((await token(server, ours)).json(), { token_type: 'Bearer' }, 'without a proof as ever')
  t.match(await server.model('OAuthAccessToken').findOne({ where: { jkt: key.jkt } }), { tokenType: 'DPoP' })
})

t.test('OI-150: the address is compared in one spelling, without query and fragment', async t => {
  const server = await makeServer(t, on)
  const key = await proofKey()
  for (const htu of [`${origin}/oauth/token?x=1#y`, 'HTTP://OP.TEST:80/oauth/token', `${origin}/oauth/%74oken`]) {
    t.equal((await token(server, ours, { ...asWeb, dpop: await proof(key, { claims: { htu } }) })).statusCode, 200, htu)
  }
})

t.test('OI-151: a wrong proof is 400 invalid_dpop_proof, and no word of it is told', async t => {
  const server = await makeServer(t, on)
  const key = await proofKey()
  const now = Math.floor(Date.now() / 1000)
  for (const [name, parts] of Object.entries({
    typ: { header: { typ: 'JWT' } },
    'no jwk': { header: { jwk: undefined } },
    jti: { claims: { jti: undefined } },
    htm: { claims: { htm: 'GET' } },
    htu: { claims: { htu: `${origin}/oauth/other` } },
    'another host': { claims: { htu: 'http://other.test/oauth/token' } },
    old: { claims: { iat: now - 62 } },
    future: { claims: { iat: now + 65 } },
    'iat as text': { claims: { iat: String(now) } }
  })) {
    fails(t, await token(server, ours, { ...asWeb, dpop: await proof(key, parts) }), 400, 'invalid_dpop_proof', name)
  }
  for (const text of ['', 'x', 'a.b.c', `${await proof(key)}, ${await proof(key)}`, 'x'.repeat(17_000)]) {
    const response = await token(server, ours, { ...asWeb, dpop: text })
    // Node itself refuses headers of more than 16 kB on a socket.
    fails(t, response, 400, 'invalid_dpop_proof', text.slice(0, 20))
  }
  t.notMatch(server.logs.join(''), /eyJ/, 'OI-272')
})

t.test('OI-153: a resource takes the token with its proof only', async t => {
  const server = await makeServer(t, on)
  const [key, other] = [await proofKey(), await proofKey()]
  const text = await boundToken(server, key)
  const right = await ask(server, text, key)
  t.equal(right.statusCode, 200, right.body)
  t.match(right.json(), { client: 'web' })
  const wrong = async (what: string, parts: object, error = 'invalid_dpop_proof', by = key): Promise<void> => {
    const response = await ask(server, text, by, parts)
    fails(t, response, 401, error, what)
    t.match(response.headers['www-authenticate'], new RegExp(`^DPoP realm="http://op.test", error="${error}".*algs="ES256 `), what)
  }
  await wrong('no ath', { claims: { ath: undefined } })
  await wrong('another ath', { claims: { ath: 'x'.repeat(43) } })
  await wrong('another path', { claims: { htu: `${origin}/api/Notes` } })
  await wrong('another method', { claims: { htm: 'POST' } })
  await wrong('another key', {}, 'invalid_token', other)
  const missing = await get(server, '/api/Notes/who', { authorization: `DPoP ${text}` })
  fails(t, missing, 401, 'invalid_dpop_proof')
  fails(t, await ask(server, 'x'.repeat(43), key), 401, 'invalid_token')
  fails(t, await get(server, '/api/Notes/who', { authorization: 'DPoP' }), 400, 'invalid_request')
  const none = await get(server, '/api/Notes/who')
  t.match(none.headers['www-authenticate'], /^Bearer realm="http:\/\/op.test", DPoP algs="ES256 /)
})

t.test('OI-154: a bound token is no bearer token, and an unbound one is not sent with DPoP', async t => {
  const server = await makeServer(t, on)
  const key = await proofKey()
  fails(t, await who(server, await boundToken(server, key)), 401, 'invalid_token')
  const plain = (await token(server, ours)).json().access_token
  fails(t, await ask(server, plain, key), 401, 'invalid_token')
  t.equal((await who(server, plain)).statusCode, 200)
})

t.test('OI-155: refresh tokens of public clients belong to the key, those of others do not', async t => {
  const server = await makeServer(t, on)
  const [key, other] = [await proofKey(), await proofKey()]
  const first = await token(server, await spaCode(server), { dpop: await proof(key) })
  t.match(first.json(), { token_type: 'DPoP' })
  const fields = { grant_type: 'refresh_token', refresh_token: first.json().refresh_token, client_id: 'spa' }
  fails(t, await token(server, fields, {}), 400, 'invalid_dpop_proof', 'without')
  fails(t, await token(server, fields, { dpop: await proof(other) }), 400, 'invalid_grant', 'another key')
  const second = await token(server, fields, { dpop: await proof(key) })
  t.match(second.json(), { token_type: 'DPoP' }, 'what was refused ended nothing')
  t.equal((await ask(server, second.json().access_token, key)).statusCode, 200)
  fails(t, await token(server, fields, { dpop: await proof(other) }), 400, 'invalid_grant', 'a spent one, by another key')
  t.equal((await ask(server, second.json().access_token, key)).statusCode, 200, 'nor does that end the grant')

  const pair = (await redeem(server, await codeOf(server), {}, { ...asWeb, dpop: await proof(key) })).json()
  t.match((await refresh(server, pair.refresh_token, {}, { ...asWeb, dpop: await proof(other) })).json(), { token_type: 'DPoP' })
})

t.test('OI-156: a proof works once', async t => {
  const server = await makeServer(t, on)
  const key = await proofKey()
  const dpop = await proof(key)
  t.equal((await token(server, ours, { ...asWeb, dpop })).statusCode, 200)
  fails(t, await token(server, ours, { ...asWeb, dpop }), 400, 'invalid_dpop_proof')
  const jti = 'the same'
  t.equal((await token(server, ours, { ...asWeb, dpop: await proof(key, { claims: { jti } }) })).statusCode, 200)
  fails(t, await token(server, ours, { ...asWeb, dpop: await proof(key, { claims: { jti } }) }), 400, 'invalid_dpop_proof')
  const text = await boundToken(server, key)
  t.equal((await ask(server, text, key, { claims: { jti } })).statusCode, 200, 'elsewhere it is another')
  fails(t, await ask(server, text, key, { claims: { jti } }), 401, 'invalid_dpop_proof')
  const marks = await server.model('OAuthState').find({ where: { kind: 'dpop' } })
  t.ok(marks.length > 0)
  t.ok(marks.every(({ expiredAt }: any) => expiredAt.getTime() < Date.now() + 62_000), 'OI-278')
})

t.test('OI-157: dpop_jkt binds the code', async t => {
  const server = await makeServer(t, on)
  const [key, other] = [await proofKey(), await proofKey()]
  fails(t, await token(server, await spaCode(server, { dpop_jkt: key.jkt }), {}), 400, 'invalid_dpop_proof')
  fails(t, await token(server, await spaCode(server, { dpop_jkt: key.jkt }), { dpop: await proof(other) }), 400, 'invalid_grant')
  const right = await token(server, await spaCode(server, { dpop_jkt: key.jkt }), { dpop: await proof(key) })
  t.match(right.json(), { token_type: 'DPoP' })
  const malformed = await get(server, `/oauth/authorize?${new URLSearchParams({
    ...spa, response_type: 'code', scope: 'read', dpop_jkt: 'x', code_challenge: 'x'.repeat(43), code_challenge_method: 'S256'
  }).toString()}`)
  t.match(malformed.headers.location, /error=invalid_request/)
})

t.test('OI-158: nonces', async t => {
  const server = await makeServer(t, { options: { dpop: { nonce: true } } })
  const key = await proofKey()
  const asked = await token(server, ours, { ...asWeb, dpop: await proof(key) })
  fails(t, asked, 400, 'use_dpop_nonce')
  const nonce = asked.headers['dpop-nonce'] as string
  const response = await token(server, ours, { ...asWeb, dpop: await proof(key, { claims: { nonce } }) })
  t.match(response.json(), { token_type: 'DPoP' })
  t.ok(response.headers['dpop-nonce'], 'on every response')
  t.ok((await token(server, ours, {})).headers['dpop-nonce'], 'on errors, too')
  const text = response.json().access_token
  const refused = await ask(server, text, key)
  fails(t, refused, 401, 'use_dpop_nonce')
  t.match(refused.headers['www-authenticate'], /^DPoP .*error="use_dpop_nonce"/)
  t.equal((await ask(server, text, key, { claims: { nonce: refused.headers['dpop-nonce'] } })).statusCode, 200)
  for (const wrong of ['x', `${nonce}x`, `1.${nonce.split('.')[1]}`, 7, '']) {
    fails(t, await ask(server, text, key, { claims: { nonce: wrong } }), 401,
      wrong === 7 ? 'invalid_dpop_proof' : 'use_dpop_nonce', String(wrong))
  }
  t.ok((await get(server, '/api/Notes/who')).headers['dpop-nonce'])
  const { now } = Date
  t.teardown(() => { Date.now = now })
  Date.now = () => now() + 302_000
  fails(t, await ask(server, text, key, { claims: { nonce, iat: Math.floor(Date.now() / 1000) } }), 401, 'use_dpop_nonce', 'an old one')
})

t.test('OI-159: metadata, clients that must, and userinfo', async t => {
  const server = await makeProvider(t, { options: { dpop: { algorithms: ['ES256'] } } })
  const metadata = (await get(server, '/.well-known/oauth-authorization-server')).json()
  t.strictSame(metadata.dpop_signing_alg_values_supported, ['ES256'])
  const key = await proofKey()
  const { code, secret } = await visit(server)
  const tokens = (await redeem(server, { code, secret }, {}, { ...secretOf('rp'), dpop: await proof(key) })).json()
  t.match(tokens, { token_type: 'DPoP', id_token: /./ })
  t.match((await ask(server, tokens.access_token, key, {}, '/oauth/userinfo')).json(), { sub: '1' })
  fails(t, await get(server, '/oauth/userinfo', bearer(tokens.access_token)), 401, 'invalid_token')
  const plain = await logIn(server)
  fails(t, await ask(server, plain.body.access_token, key, {}, '/oauth/userinfo'), 401, 'invalid_token')
  await server.model('OAuthClientApplication').updateAll({ id: 'rp' }, { dpopBoundAccessTokens: true })
  fails(t, await token(server, { grant_type: 'client_credentials' }, secretOf('rp')), 400, 'invalid_dpop_proof')
  t.match((await server.app.inject({ method: 'OPTIONS', url: '/oauth/token' })).headers, { 'access-control-allow-headers': 'authorization, dpop' })
})

t.test('OI-159: the field of clients exists without openid, and dpop.require holds for all of them', async t => {
  const server = await makeServer(t, on)
  await server.model('OAuthClientApplication').updateAll({ id: 'web' }, { dpopBoundAccessTokens: true })
  fails(t, await token(server, ours), 400, 'invalid_dpop_proof')
  const strict = await makeServer(t, { options: { dpop: { require: true } } })
  fails(t, await token(strict, ours), 400, 'invalid_dpop_proof')
})

t.test('without the option proofs and dpop_jkt are nobody\'s business', async t => {
  const server = await makeServer(t)
  const response = await token(server, ours, { ...asWeb, dpop: 'x' })
  t.match(response.json(), { token_type: 'Bearer' })
  t.equal(server.provider.dpop, undefined)
  t.equal((await get(server, '/.well-known/oauth-authorization-server')).json().dpop_signing_alg_values_supported, undefined)
  t.equal((await token(server, await spaCode(server, { dpop_jkt: 'x' }), {})).statusCode, 200)
  fails(t, await get(server, '/api/Notes/who', { authorization: `DPoP ${String(response.json().access_token)}` }), 401, 'unauthorized')
  await server.model('OAuthAccessToken').updateAll({}, { jkt: 'x' })
  fails(t, await who(server, response.json().access_token), 401, 'invalid_token', 'a token of before it was switched off')
  t.equal(server.model('OAuthClientApplication').definition.properties.dpopBoundAccessTokens, undefined)
})

t.test('options that are wrong stop the start', async t => {
  await t.rejects(makeServer(t, { options: { dpop: { algorithms: ['HS256' as never] } } }), { code: 'FBK_OAUTH2_INVALID_OPTIONS' })
  await t.rejects(makeServer(t, { options: { dpop: { origins: ['https://api.test/x'] } } }), { code: 'FBK_OAUTH2_INVALID_OPTIONS' })
})

t.test('dpop.origins: resources of other hosts', async t => {
  const server = await makeServer(t, { options: { dpop: { origins: ['https://api.test'] } } })
  const key = await proofKey()
  const text = await boundToken(server, key)
  t.equal((await ask(server, text, key, { claims: { htu: whoUrl.replace(origin, 'https://api.test') } })).statusCode, 200)
})

t.test('OI-157: a proof at a pushed request binds the code, and must be of the key of dpop_jkt', async t => {
  const server = await makeServer(t, { options: { dpop: true, pushedRequests: true } })
  const [key, other] = [await proofKey(), await proofKey()]
  const url = `${origin}/oauth/par`
  const push = async (by: ProofKey, more: Record<string, string>): Promise<any> =>
    await post(server, '/oauth/par', request(more), { ...asWeb, dpop: await proof(by, { claims: { htu: url } }) })
  fails(t, await push(key, { dpop_jkt: other.jkt }), 400, 'invalid_dpop_proof')
  fails(t, await post(server, '/oauth/par', request(), { ...asWeb, dpop: await proof(key) }), 400, 'invalid_dpop_proof')
  const secret = verifier()
  const code = async (): Promise<string> => {
    const { request_uri } = (await push(key, { code_challenge: challengeOf(secret) })).json()
    return (await new Browser(server).walk({ client_id: 'web', request_uri })).query.get('code') as string
  }
  fails(t, await redeem(server, { code: await code(), secret }), 400, 'invalid_dpop_proof')
  fails(t, await redeem(server, { code: await code(), secret }, {}, { ...asWeb, dpop: await proof(other) }), 400, 'invalid_grant')
  t.match((await redeem(server, { code: await code(), secret }, {}, { ...asWeb, dpop: await proof(key) })).json(), { token_type: 'DPoP' })
})

t.test('OI-153: operations of a batch have the token that was proved for the batch, and their own scopes', async t => {
  const server = await makeServer(t, {
    options: {
      dpop: true, authenticate: [{ paths: ['/api/batch', '/api/Notes/who'], options: {} }, { paths: ['/api/Notes/forWeb'], options: { scope: 'write' } }]
    },
    restOptions: { batch: true }
  })
  const key = await proofKey()
  const text = await boundToken(server, key)
  const dpop = await proof(key, { claims: { htm: 'POST', htu: `${origin}/api/batch`, ath: athOf(text) } })
  const response = await server.app.inject({
    method: 'POST',
    url: '/api/batch',
    headers: { host: 'op.test', authorization: `DPoP ${text}`, dpop },
    payload: { atomic: false, operations: [{ method: 'GET', path: '/Notes/who' }, { method: 'GET', path: '/Notes/forWeb' }] }
  })
  t.match(response.json(), { results: [{ status: 200, body: { client: 'web' } }, { status: 403 }] }, response.body)
})
