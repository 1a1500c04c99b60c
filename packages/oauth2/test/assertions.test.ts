import { generateKeyPairSync, createSecretKey } from 'node:crypto'
import { exportJWK, UnsecuredJWT } from 'jose'
import t from 'tap'
import {
  assertion, asWeb, fails, get, jwtBearer, keys, machineToken, makeServer, origin, publicPem, token, verifier, who
} from './server.js'

const now = (): number => Math.floor(Date.now() / 1000)
const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
const asSecret = createSecretKey(Buffer.from(publicPem))

t.test('private_key_jwt', async t => {
  const server = await makeServer(t)
  const authenticate = async (text: string, more = {}) =>
    await token(
      server,
      {
        grant_type: 'client_credentials',
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: text,
        ...more
      },
      {}
    )
  const robot = (claims: Record<string, unknown> = {}, signed = {}) => assertion({ sub: 'robot', ...claims }, signed)
  const good = await robot()
  t.equal((await authenticate(good)).statusCode, 200, 'O-089')
  fails(t, await authenticate(good), 401, 'invalid_client', 'O-091')
  t.equal((await authenticate(await robot({ aud: origin }))).statusCode, 200, 'O-089: the issuer as audience')
  t.equal(
    (await authenticate(await robot({ aud: ['https://x.test', origin] }), { client_id: 'robot' })).statusCode,
    200,
    'O-089'
  )
  for (const claims of [
    { aud: 'https://else.test' },
    { aud: '/oauth/token' },
    { aud: undefined },
    { exp: now() - 90 },
    { exp: undefined },
    { exp: now() + 7200 },
    { sub: 'ada' },
    { sub: undefined },
    { jti: undefined },
    { nbf: now() + 300 },
    { iat: now() - 7200 }
  ]) {
    fails(t, await authenticate(await robot(claims)), 401, 'invalid_client', `O-090: ${JSON.stringify(claims)}`)
  }
  fails(t, await authenticate(await robot({}, { key: other })), 401, 'invalid_client', 'O-090')
  fails(t, await authenticate('not.a.jwt'), 401, 'invalid_client', 'O-090')
  fails(t, await authenticate(await robot({}, { alg: 'HS256', key: asSecret })), 401, 'invalid_client', 'O-092')
  fails(t, await authenticate(new UnsecuredJWT({
    iss: 'robot',
    sub: 'robot',
    aud: origin,
    exp: now() + 60,
    jti: 'x'
  }).encode()), 401, 'invalid_client', 'O-092')
  fails(t, await authenticate(await robot(), { client_id: 'web' }), 400, 'invalid_request', 'O-088')
  fails(t, await authenticate(await robot(), { client_assertion_type: 'other' }), 400, 'invalid_request')
  fails(t, await authenticate(await robot({ iss: 'web', sub: 'web' })), 401, 'invalid_client', 'not registered for it')
  await server.model('OAuthClientApplication').updateAll({ id: 'robot' }, { clientSecret: 'fallback' })
  fails(t, await token(server, {
    grant_type: 'client_credentials',
    client_id: 'robot',
    client_secret: 'fallback'
  }, {}), 401, 'invalid_client', 'O-093')
  fails(
    t,
    await token(server, { grant_type: 'client_credentials', client_id: 'robot' }, {}),
    401,
    'invalid_client',
    'O-093'
  )
  const race = await robot()
  const answers = await Promise.all([1, 2, 3].map(() => authenticate(race)))
  t.equal(answers.filter(({ statusCode }) => statusCode === 200).length, 1, 'O-091: at the same moment')
})

t.test('P-32: JWT bearer grant', async t => {
  const server = await makeServer(t)
  const permission = server.model('OAuthPermission')
  await permission.create({ appId: 'robot', userId: 1, scopes: ['read'], issuedAt: new Date() })
  const grant = async (text: string | undefined, more = {}, headers = {}) =>
    await token(server, { grant_type: jwtBearer, assertion: text, ...more }, headers)
  const good = await grant(await assertion())
  t.equal(good.statusCode, 200, 'O-160')
  t.equal(good.json().refresh_token, undefined, 'O-172')
  t.strictSame(
    (await who(server, good.json().access_token)).json(),
    { user: 1, client: 'robot', scopes: ['read'] },
    'O-160, O-173'
  )
  t.equal((await grant(await assertion({ sub: 'ada@op.test' }))).statusCode, 200)
  fails(t, await grant(undefined), 400, 'invalid_request', 'O-161')
  for (const text of ['zzz', 'a.b.c', await assertion({}, { key: other })]) {
    fails(t, await grant(text), 400, 'invalid_grant', 'O-162')
  }
  for (const claims of [{ exp: now() - 90 }, { exp: undefined }]) {
    fails(t, await grant(await assertion(claims)), 400, 'invalid_grant', 'O-163')
  }
  for (const aud of [undefined, 'https://else.test']) {
    fails(t, await grant(await assertion({ aud })), 400, 'invalid_grant', 'O-164')
  }
  t.equal(
    (await grant(await assertion({ aud: '/oauth/token' }))).statusCode,
    200,
    'O-164: the bare path of old clients'
  )
  for (const claims of [{ iss: undefined }, { sub: undefined }, { sub: '' }, { iss: 'ghost' }]) {
    fails(t, await grant(await assertion(claims)), 400, 'invalid_grant', 'O-165')
  }
  fails(t, await grant(await assertion({ nbf: now() + 120 })), 400, 'invalid_grant', 'O-166')
  const twice = await assertion()
  t.equal((await grant(twice)).statusCode, 200)
  fails(t, await grant(twice), 400, 'invalid_grant', 'O-167')
  const nameless = await assertion({ jti: undefined, nonce: verifier() })
  t.equal((await grant(nameless)).statusCode, 200, 'O-167')
  fails(t, await grant(nameless), 400, 'invalid_grant', 'O-167: without jti')
  fails(t, await grant(await assertion({}, { alg: 'HS256', key: asSecret })), 400, 'invalid_grant', 'O-168')
  fails(t, await grant(new UnsecuredJWT({
    iss: 'robot',
    sub: 'ada',
    aud: origin,
    exp: now() + 60
  }).encode()), 400, 'invalid_grant', 'O-168')
  for (const claims of [{ exp: now() - 30 }, { nbf: now() + 30 }, { iat: now() + 30 }]) {
    t.equal((await grant(await assertion(claims))).statusCode, 200, `O-169: ${JSON.stringify(claims)}`)
  }
  for (const claims of [{ exp: now() + 4000 }, { iat: now() - 4000 }, { iat: now() + 120 }]) {
    fails(t, await grant(await assertion(claims)), 400, 'invalid_grant', `O-169: ${JSON.stringify(claims)}`)
  }
  for (const sub of ['bob', 'nobody']) fails(t, await grant(await assertion({ sub })), 400, 'invalid_grant', 'O-170')
  const own = await grant(await assertion({ sub: 'robot', scope: 'write' }))
  t.strictSame(
    (await who(server, own.json().access_token)).json(),
    { user: null, client: 'robot', scopes: ['write'] },
    'O-171'
  )
  fails(t, await grant(await assertion({ scope: 'write' })), 400, 'invalid_scope', 'O-173: beyond the permission')
  fails(t, await grant(await assertion({ scope: 'burn' })), 400, 'invalid_scope', 'O-173: beyond the client')
  t.equal(
    (await grant(await assertion({ scope: 'write' }), { scope: 'read' })).json().scope,
    'read',
    'O-173: the parameter wins'
  )
  t.equal((await grant(await assertion({ scope: ['read'] }))).json().scope, 'read')
  fails(t, await grant(await assertion(), {}, asWeb), 400, 'invalid_request', 'another client authenticates')
  t.equal((await grant(await assertion({ iss: 'web', sub: 'web' }), {}, asWeb)).statusCode, 200)
})

t.test('keys of clients', async t => {
  const server = await makeServer(t)
  const Client = server.model('OAuthClientApplication')
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const ed = generateKeyPairSync('ed25519')
  const set = {
    keys: [
      { ...await exportJWK(ec.publicKey), kid: 'ec', alg: 'ES256' },
      { ...await exportJWK(ed.publicKey), kid: 'ed', alg: 'EdDSA' },
      { ...await exportJWK(keys.publicKey), kid: 'ps', alg: 'PS256' }
    ]
  }
  await Client.create({ id: 'text', name: 'x', jwks: JSON.stringify(set) })
  await Client.create({ id: 'object', name: 'x', jwks: set })
  await Client.create({ id: 'pem', name: 'x', jwks: publicPem })
  const grant = async (iss: string, signed: object) =>
    (await token(server, { grant_type: jwtBearer, assertion: await assertion({ iss, sub: iss }, signed) }, {}))
      .statusCode
  for (const id of ['text', 'object']) {
    t.equal(await grant(id, { alg: 'ES256', key: ec.privateKey, header: { kid: 'ec' } }), 200, 'O-174')
    t.equal(await grant(id, { alg: 'EdDSA', key: ed.privateKey, header: { kid: 'ed' } }), 200, 'O-174')
    t.equal(await grant(id, { alg: 'PS256', key: keys.privateKey }), 200, 'O-174: by its algorithm')
    t.equal(
      await grant(id, { alg: 'RS256', key: keys.privateKey, header: { kid: 'ps' } }),
      400,
      'O-174: the key is for another algorithm'
    )
  }
  t.equal(await grant('pem', { alg: 'RS256' }), 200, 'O-174')
  const refused = [
    { keys: [await exportJWK(keys.privateKey)] },
    { keys: [{ ...set.keys[0], use: 'enc' }] },
    { keys: [{ kty: 'oct', k: 'AAAA' }] },
    { keys: [{ kty: 'RSA' }] },
    'nonsense',
    keys.privateKey.export({ type: 'pkcs8', format: 'pem' })
  ]
  for (const jwks of refused) {
    await t.rejects(Client.create({ name: 'x', jwks }), { name: 'ValidationError' })
  }
  await t.rejects(Client.create({ name: 'x', tokenType: 'mac' }), { name: 'ValidationError' })
  for (const jwksURI of [
    'http://op.test/keys',
    'https://127.0.0.1/keys',
    'https://[::1]/keys',
    'https://localhost/keys'
  ]) {
    await Client.create({ id: jwksURI, name: 'x', jwksURI })
    t.equal(await grant(jwksURI, { alg: 'RS256' }), 400, jwksURI)
    t.match(server.logs.join(''), /jwksURI must be https|does not lead to an address of the public internet/)
  }
  t.equal((await get(server, '/api/OAuthClientApplications')).statusCode, 404, 'O-273')
  t.ok(await machineToken(server))
})
