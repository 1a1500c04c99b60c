/* eslint camelcase: "off" -- parameters of the protocol are written as it has them */
/** The profile fapi2: the FAPI 2.0 Security Profile. */
import { generateKeyPairSync } from 'node:crypto'
import { SignJWT } from 'jose'
import t from 'tap'
import { asWeb, assertion, basic, fails, get, keys, makeServer, origin, token, verifier } from '../server.js'
import { ask, proof, proofKey } from './proofs.js'

const robot = async (): Promise<Record<string, string>> => ({
  client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
  client_assertion: await assertion({ sub: 'robot', aud: origin }, { alg: 'PS256' })
})

t.test('tokens need a key, and clients authenticate with one', async t => {
  const server = await makeServer(t, { options: { profile: 'fapi2' } })
  const key = await proofKey()
  const fields = { grant_type: 'client_credentials', scope: 'read' }
  fails(t, await token(server, { ...fields, ...await robot() }, {}), 400, 'invalid_dpop_proof', 'no proof')
  fails(t, await token(server, fields, { ...asWeb, dpop: await proof(key) }), 401, 'invalid_client', 'a secret')
  fails(t, await token(server, { ...fields, client_id: 'spa' }, { dpop: await proof(key) }), 401, 'invalid_client', 'nothing')
  fails(t, await token(server, fields, { ...basic('robot', 'x'), dpop: await proof(key) }), 401, 'invalid_client')
  const old = await assertion({ sub: 'robot', aud: origin }, { alg: 'RS256' })
  fails(t, await token(server, { ...fields, ...await robot(), client_assertion: old }, { dpop: await proof(key) }), 401, 'invalid_client', 'RS256')
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const foreign = await new SignJWT({ iss: 'robot', sub: 'robot', aud: origin, jti: verifier(), exp: Math.floor(Date.now() / 1000) + 60 })
    .setProtectedHeader({ alg: 'PS256' }).sign(privateKey)
  fails(t, await token(server, { ...fields, ...await robot(), client_assertion: foreign }, { dpop: await proof(key) }), 401, 'invalid_client')
  const tokens = (await token(server, { ...fields, ...await robot() }, { dpop: await proof(key) })).json()
  t.match(tokens, { token_type: 'DPoP' })
  t.equal((await ask(server, tokens.access_token, key)).statusCode, 200)
  fails(t, await token(server, { grant_type: 'password', username: 'ada', password: 'correct horse', ...await robot() }, {}),
    400, 'unsupported_grant_type')
  t.ok(keys)
})

t.test('the metadata say so', async t => {
  const server = await makeServer(t, { options: { profile: 'fapi2', openid: true } })
  const metadata = (await get(server, '/.well-known/oauth-authorization-server')).json()
  t.match(metadata, {
    token_endpoint_auth_methods_supported: ['private_key_jwt'],
    token_endpoint_auth_signing_alg_values_supported: ['PS256', 'ES256', 'EdDSA'],
    dpop_signing_alg_values_supported: ['PS256', 'ES256', 'EdDSA'],
    code_challenge_methods_supported: ['S256'],
    grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
    response_types_supported: ['code'],
    authorization_response_iss_parameter_supported: true
  })
  t.equal(metadata.id_token_signing_alg_values_supported[0], 'PS256')
  const { settings, lifetime } = server.provider
  t.equal(settings.requirePkce, 'all')
  t.equal(settings.refreshTokenGrace, 60)
  t.equal(lifetime('code', 'x', undefined, [], 'authorization_code'), 60)
  const lax = await makeServer(t, { options: { profile: 'fapi2', getTTL: () => 500 } })
  t.equal(lax.provider.lifetime('code', 'x', undefined, [], 'authorization_code'), 60, 'whatever getTTL says')
})

t.test('what contradicts it stops the start, and is named', async t => {
  for (const [name, more] of Object.entries({
    supportedGrantTypes: { supportedGrantTypes: ['authorizationCode', 'implicit'] },
    requirePkce: { requirePkce: 'public' },
    dpop: { dpop: false },
    'dpop.algorithms': { dpop: { algorithms: ['RS256'] } },
    pushedRequests: { pushedRequests: { require: false } },
    jwtAlgorithms: { jwtAlgorithms: ['RS256'] },
    bearerMethods: { bearerMethods: ['header', 'query'] },
    'ttl.code': { ttl: { code: 61 } },
    allowInsecureRedirects: { allowInsecureRedirects: true }
  })) {
    await t.rejects(makeServer(t, { options: { profile: 'fapi2', ...more as object } }), {
      code: 'FBK_OAUTH2_INVALID_OPTIONS', message: new RegExp(`"${name}" contradicts the profile fapi2`)
    }, name)
  }
  for (const more of [{ supportedGrantTypes: ['resourceOwnerPasswordCredentials'] }, { dpop: { require: false } }, { pushedRequests: false }]) {
    await t.rejects(makeServer(t, { options: { profile: 'fapi2', ...more as object } }), { code: 'FBK_OAUTH2_INVALID_OPTIONS' })
  }
})

t.test('OI-165: a request that was not pushed is refused', async t => {
  const server = await makeServer(t, { options: { profile: 'fapi2' } })
  const query = new URLSearchParams({ client_id: 'web', redirect_uri: 'https://client.test/cb', response_type: 'code' })
  const { headers } = await get(server, `/oauth/authorize?${query.toString()}`)
  t.match(headers.location, /error=invalid_request/)
  t.match((await get(server, '/.well-known/oauth-authorization-server')).json(), { require_pushed_authorization_requests: true })
})
