/* eslint camelcase: "off" -- parameters of the protocol are written as it has them */
/** A client library of good standing, unchanged, over a socket. */
import type { AddressInfo } from 'node:net'
import * as client from 'openid-client'
import t from 'tap'
import { Browser, callback, makeServer, who, bearer } from './server.js'

t.test('openid-client: discovery, code with PKCE, refresh, client credentials, introspection, revocation', async t => {
  const server = await makeServer(t)
  await server.model('OAuthClientApplication').create({
    id: 'library',
    name: 'Library',
    clientType: 'confidential',
    clientSecret: 'a secret: 100%',
    redirectURIs: [callback],
    scopes: ['read']
  })
  await server.app.listen({ port: 0, host: '127.0.0.1' })
  const url = new URL(`http://127.0.0.1:${(server.app.server.address() as AddressInfo).port}`)
  const config = await client.discovery(url, 'library', {}, client.ClientSecretBasic('a secret: 100%'), {
    algorithm: 'oauth2',
    execute: [client.allowInsecureRequests]
  })
  const verifier = client.randomPKCECodeVerifier()
  const state = client.randomState()
  const address = client.buildAuthorizationUrl(config, {
    redirect_uri: callback,
    scope: 'read',
    state,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256'
  })
  const { host } = url
  const browser = new Browser({
    app: {
      inject: (options: any) => server.app.inject({
        ...options,
        headers: { ...options.headers, host }
      })
    } as never
  })
  const login = await browser.follow(await browser.request('GET', address.pathname + address.search))
  t.equal(login.statusCode, 200)
  const { url: answer } = await browser.walk(address.search.slice(1))
  const tokens = await client.authorizationCodeGrant(config, answer as URL, {
    pkceCodeVerifier: verifier,
    expectedState: state
  })
  t.match(tokens, { access_token: String, refresh_token: String, scope: 'read', token_type: 'bearer' }, 'O-018, O-100')
  t.equal((await who(server, tokens.access_token)).statusCode, 200)
  const renewed = await client.refreshTokenGrant(config, tokens.refresh_token as string)
  t.ok(renewed.refresh_token)
  t.match(await client.tokenIntrospection(config, renewed.access_token), {
    active: true,
    client_id: 'library',
    username: 'ada'
  })
  await client.tokenRevocation(config, renewed.refresh_token as string)
  t.strictSame(await client.tokenIntrospection(config, renewed.access_token), { active: false })
  const machine = await client.clientCredentialsGrant(config, { scope: 'read' })
  const resource = await client.fetchProtectedResource(
    config,
    machine.access_token,
    new URL('/api/Notes/who', url),
    'GET'
  )
  t.strictSame(await resource.json(), { user: null, client: 'library', scopes: ['read'] })
  t.equal((await server.app.inject({ url: '/api/Notes/who', headers: bearer('zzz') })).statusCode, 401)
})
