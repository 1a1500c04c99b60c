/* eslint camelcase: "off" -- parameters of the protocol are written as it has them */
/** Client libraries of good standing, unchanged, over a socket: on SQLite, in memory, with each algorithm. */
import * as client from 'openid-client'
import * as oauth from 'oauth4webapi'
import t from 'tap'
import { listening } from './listening.js'
import { callback, sharedStore } from './provider.js'

const secret = 'w3b secret:&+'

for (const where of ['memory', 'SQLite'] as const) {
  t.test(`OI-10, OI-52, OI-56, OI-60, OI-77: openid-client, ${where}`, async t => {
    const { server, url, browser } = await listening(t, where === 'memory' ? {} : sharedStore(t))
    const config = await client.discovery(url, 'rp', {}, client.ClientSecretBasic(secret), {
      execute: [client.allowInsecureRequests]
    })
    t.equal(config.serverMetadata().issuer, url.origin, 'OI-11')
    const verifier = client.randomPKCECodeVerifier()
    const [state, nonce] = [client.randomState(), client.randomNonce()]
    const address = client.buildAuthorizationUrl(config, {
      redirect_uri: callback, scope: 'openid profile email', state, nonce, max_age: '3600',
      claims: JSON.stringify({ id_token: { email: null } }),
      code_challenge: await client.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256'
    })
    const { url: response } = await browser().walk(address.search.slice(1))
    const tokens = await client.authorizationCodeGrant(config, response as URL, {
      pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, maxAge: 3600, idTokenExpected: true
    })
    const claims = tokens.claims()
    t.match(claims, { sub: '1', email: 'ada@op.test', aud: 'rp' })
    const info = await client.fetchUserInfo(config, tokens.access_token, claims?.sub as string)
    t.match(info, { sub: '1', preferred_username: 'ada' })
    const renewed = await client.refreshTokenGrant(config, tokens.refresh_token as string)
    t.equal(renewed.claims()?.auth_time, claims?.auth_time)
    t.match(await client.tokenIntrospection(config, renewed.access_token), { active: true, sub: '1' })
    await client.tokenRevocation(config, renewed.refresh_token as string)
    await t.rejects(client.fetchUserInfo(config, renewed.access_token, '1'), { status: 401, message: /./ })
    t.ok(await server.model('OAuthKey').count())
  })
}

for (const alg of ['RS256', 'ES256', 'PS256', 'EdDSA'] as const) {
  t.test(`OI-57, OI-58, OI-85: oauth4webapi checks signatures and hashes, ${alg}`, async t => {
    const { server, url, browser } = await listening(t, { openid: { signingAlgorithms: [alg] } })
    await server.model('OAuthClientApplication').updateAll({ id: 'rp' }, { userinfoSignedResponseAlg: alg })
    const insecure = { [oauth.allowInsecureRequests]: true }
    const as = await oauth.processDiscoveryResponse(url, await oauth.discoveryRequest(url, insecure))
    const rp: oauth.Client = { client_id: 'rp', id_token_signed_response_alg: alg, userinfo_signed_response_alg: alg }
    const authentication = oauth.ClientSecretPost(secret)
    const verifier = oauth.generateRandomCodeVerifier()
    const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()]
    const { url: response } = await browser().walk({
      client_id: 'rp', redirect_uri: callback, response_type: 'code', scope: 'openid email', state, nonce,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256'
    })
    const parameters = oauth.validateAuthResponse(as, rp, response as URL, state)
    const granted = await oauth.authorizationCodeGrantRequest(
      as, rp, authentication, parameters, callback, verifier, insecure
    )
    const tokens = await oauth.processAuthorizationCodeResponse(as, rp, granted, {
      expectedNonce: nonce, requireIdToken: true
    })
    await oauth.validateApplicationLevelSignature(as, granted, insecure)
    const claims = oauth.getValidatedIdTokenClaims(tokens)
    t.equal(claims?.sub, '1')
    const asked = await oauth.userInfoRequest(as, rp, tokens.access_token, insecure)
    const info = await oauth.processUserInfoResponse(as, rp, '1', asked)
    await oauth.validateApplicationLevelSignature(as, asked, insecure)
    t.equal(info.email, 'ada@op.test')
  })
}
