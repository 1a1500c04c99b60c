/* eslint camelcase: "off" -- parameters of the protocol are written as it has them */
/** Client libraries of good standing, unchanged, over a socket: in memory and on SQLite. */
import * as client from 'openid-client'
import * as oauth from 'oauth4webapi'
import t, { type Test } from 'tap'
import { listening } from '../openid/listening.js'
import { sharedStore } from '../openid/provider.js'
import { decide, deviceGrant } from './provider.js'

const initialToken = 'an-initial-access-token'
const redirect = 'https://new.test/cb'
const insecure = { execute: [client.allowInsecureRequests] }

const start = async (t: Test, where: string) => await listening(t, {
  ...where === 'memory' ? {} : sharedStore(t),
  options: {
    deviceFlow: { interval: 1 }, pushedRequests: true,
    dynamicRegistration: { initialAccessToken: initialToken }
  }
})

for (const where of ['memory', 'SQLite']) {
  t.test(`OI-140, OI-146, OI-160, OI-163, OI-191: openid-client, ${where}`, async t => {
    const { url, browser } = await start(t, where)
    const config = await client.dynamicClientRegistration(url, {
      redirect_uris: [redirect], client_name: 'New', grant_types: ['authorization_code', 'refresh_token', deviceGrant]
    }, undefined, { initialAccessToken: initialToken, ...insecure })
    t.equal(config.serverMetadata().issuer, url.origin)

    const handle = await client.initiateDeviceAuthorization(config, { scope: 'openid email' })
    const person = browser()
    await person.logIn()
    const granted = client.pollDeviceAuthorizationGrant(config, handle)
    await decide(person, handle.user_code)
    const tokens = await granted
    t.equal(tokens.claims()?.sub, '1')
    t.match(await client.fetchUserInfo(config, tokens.access_token, '1'), { email: 'ada@op.test' })
    t.ok((await client.refreshTokenGrant(config, tokens.refresh_token as string)).access_token)

    const verifier = client.randomPKCECodeVerifier()
    const [state, nonce] = [client.randomState(), client.randomNonce()]
    const address = await client.buildAuthorizationUrlWithPAR(config, {
      redirect_uri: redirect, scope: 'openid email', state, nonce,
      code_challenge: await client.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256'
    })
    t.strictSame([...address.searchParams.keys()].sort(), ['client_id', 'request_uri'])
    const { url: response } = await person.walk(address.search.slice(1))
    const given = await client.authorizationCodeGrant(config, response as URL, {
      pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true
    })
    t.equal(given.claims()?.aud, config.clientMetadata().client_id)
  })
}

t.test('OI-143, OI-146, OI-161, OI-191: oauth4webapi', async t => {
  const { url, browser } = await start(t, 'memory')
  const http = { [oauth.allowInsecureRequests]: true }
  const as = await oauth.processDiscoveryResponse(url, await oauth.discoveryRequest(url, http))
  const registered = await oauth.processDynamicClientRegistrationResponse(await oauth.dynamicClientRegistrationRequest(
    as, { redirect_uris: [], token_endpoint_auth_method: 'none', grant_types: [deviceGrant] },
    { ...http, initialAccessToken: initialToken }
  ))
  const none = oauth.None()
  const begun = await oauth.processDeviceAuthorizationResponse(as, registered,
    await oauth.deviceAuthorizationRequest(as, registered, none, { scope: 'openid' }, http))
  const poll = async () => await oauth.processDeviceCodeResponse(as, registered,
    await oauth.deviceCodeGrantRequest(as, registered, none, begun.device_code, http))
  await t.rejects(poll(), { error: 'authorization_pending' } as never)
  const person = browser()
  await person.logIn()
  await decide(person, begun.user_code)
  t.equal(oauth.getValidatedIdTokenClaims(await poll())?.sub, '1')
  await t.rejects(poll(), { error: 'invalid_grant' } as never)

  const page = await oauth.processDynamicClientRegistrationResponse(await oauth.dynamicClientRegistrationRequest(
    as, { redirect_uris: [redirect], token_endpoint_auth_method: 'none' }, { ...http, initialAccessToken: initialToken }
  ))
  const pushed = await oauth.processPushedAuthorizationResponse(as, page, await oauth.pushedAuthorizationRequest(
    as, page, none, {
      redirect_uri: redirect, response_type: 'code', scope: 'openid', code_challenge_method: 'S256',
      code_challenge: await oauth.calculatePKCECodeChallenge(oauth.generateRandomCodeVerifier())
    }, http
  ))
  t.equal(pushed.expires_in, 60)
})
