/* eslint camelcase: "off" -- parameters of the protocol are written as it has them */
/** openid-client, unchanged, over a socket: DPoP with and without nonces, resources, JWT access tokens. */
import * as client from 'openid-client'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import t, { type Test } from 'tap'
import { listening } from '../openid/listening.js'
import { callback, sharedStore } from '../openid/provider.js'

const secret = 'w3b secret:&+'
const api = 'https://api.test/orders'

async function walk (t: Test, nonce: boolean, stored: object): Promise<void> {
  const { server, url, browser } = await listening(t, {
    ...stored,
    options: {
      dpop: { nonce }, jwtAccessTokens: true,
      resourceIndicators: { resources: { [api]: { scopes: ['orders'], jwt: true } } },
      authenticate: [{ paths: ['/api/Notes/who'], options: { resource: api, scope: 'orders' } }]
    }
  })
  const config = await client.discovery(url, 'rp', { dpop_bound_access_tokens: true }, client.ClientSecretBasic(secret), {
    execute: [client.allowInsecureRequests]
  })
  t.ok(config.serverMetadata().dpop_signing_alg_values_supported?.includes('ES256'), 'OI-159')
  const key = await client.randomDPoPKeyPair('ES256')
  const DPoP = client.getDPoPHandle(config, key)
  const verifier = client.randomPKCECodeVerifier()
  const address = client.buildAuthorizationUrl(config, {
    redirect_uri: callback, scope: 'openid email orders', resource: api,
    dpop_jkt: await DPoP.calculateThumbprint(),
    code_challenge: await client.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256'
  })
  const { url: response } = await browser().walk(address.search.slice(1))
  const checks = { pkceCodeVerifier: verifier }
  const tokens = await client.authorizationCodeGrant(config, response as URL, checks, {}, { DPoP })
  t.equal(tokens.token_type, 'dpop')
  t.match(await client.fetchUserInfo(config, tokens.access_token, '1', { DPoP }), { email: 'ada@op.test' })
  const { payload } = await jwtVerify(tokens.access_token, createRemoteJWKSet(new URL('/oauth/jwks', url)), {
    issuer: url.origin, audience: api, typ: 'at+jwt'
  })
  t.match(payload, { cnf: { jkt: await DPoP.calculateThumbprint() }, sub: '1' }, 'OI-152')
  const ask = async (text: string, DPoP?: client.DPoPHandle): Promise<Response> =>
    await client.fetchProtectedResource(config, text, new URL('/api/Notes/who', url), 'GET', null, undefined, { DPoP })
  t.match(await (await ask(tokens.access_token, DPoP)).json(), { user: 1, scopes: ['orders'] })
  const renewed = await client.refreshTokenGrant(config, tokens.refresh_token as string, { resource: api }, { DPoP })
  t.equal(renewed.token_type, 'dpop')
  t.equal((await ask(renewed.access_token, DPoP)).status, 200)
  t.match(await client.tokenIntrospection(config, renewed.access_token), { active: true, token_type: 'DPoP' })
  const other = client.getDPoPHandle(config, await client.randomDPoPKeyPair('ES256'))
  await t.rejects(ask(renewed.access_token, other), { status: 401 } as never)
  await t.rejects(ask(renewed.access_token), { status: 401 } as never)
  t.ok(await server.model('OAuthState').count({ kind: 'dpop' }))
}

for (const nonce of [false, true]) {
  t.test(`OI-150, OI-153, OI-157, OI-158, OI-172, OI-180: in memory, nonces ${String(nonce)}`, async t => { await walk(t, nonce, {}) })
  t.test(`OI-150, OI-153, OI-157, OI-158, OI-172, OI-180: SQLite, nonces ${String(nonce)}`, async t => { await walk(t, nonce, sharedStore(t)) })
}
