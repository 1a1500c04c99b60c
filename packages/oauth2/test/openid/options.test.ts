/** The option `openid`: off, on, and values that cannot be (OI-01 to OI-06). */
import Fastify from 'fastify'
import { memoryConnector } from '@fastback/connector-memory'
import { core } from '@fastback/core'
import { oauth2 } from '@fastback/oauth2'
import t, { type Test } from 'tap'
import { makeServer } from '../server.js'
import { get, logIn, makeProvider, post, readTokens, redeem, secretOf, visit } from './provider.js'

const start = async (t: Test, options: object): Promise<void> => {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(core, { connectors: { memory: memoryConnector }, dataSources: { db: { connector: 'memory' } } })
  await app.register(oauth2, { dataSource: 'db', ...options })
}

const inProduction = (t: Test): void => {
  const before = process.env.NODE_ENV
  t.teardown(() => { if (before === undefined) delete process.env.NODE_ENV; else process.env.NODE_ENV = before })
  process.env.NODE_ENV = 'production'
}

t.test('OI-01: without the option nothing of it is there', async t => {
  const server = await makeServer(t)
  for (const path of ['/.well-known/openid-configuration', '/oauth/jwks', '/oauth/userinfo', '/oauth/logout']) {
    t.equal((await get(server, path)).statusCode, 404, path)
    t.equal((await post(server, path, {})).statusCode, 404, `POST ${path}`)
  }
  await server.model('OAuthClientApplication').create({
    id: 'rp', name: 'Party', clientType: 'confidential', clientSecret: 'w3b secret:&+',
    redirectURIs: ['https://client.test/cb']
  })
  const { code, secret } = await visit(server, { more: { nonce: 'n' } })
  const { body } = readTokens(await redeem(server, { code, secret }, {}, secretOf('rp')))
  t.equal(body.scope, 'openid', 'a scope like any other')
  t.notOk('id_token' in body)
  t.equal(server.app.registry.findModel('OAuthKey')?.dataSource ?? null, null, 'no table')
  t.notOk('sectorIdentifierURI' in server.model('OAuthClientApplication').definition.properties, 'no column')
  t.throws(() => server.provider.keys, { code: 'FBK_OAUTH2_NO_OPENID' })
  const metadata = (await get(server, '/.well-known/oauth-authorization-server')).json()
  for (const name of ['jwks_uri', 'userinfo_endpoint', 'claims_supported', 'subject_types_supported']) {
    t.notOk(name in metadata, name)
  }
})

t.test('OI-02: options that cannot be stop the start', async t => {
  for (const [openid, message] of [
    [{ signingAlgorithms: ['HS256'] }, /signingAlgorithms.*"HS256".*RS256/],
    [{ signingAlgorithms: ['none'] }, /"none"/],
    [{ signingAlgorithms: [] }, /signingAlgorithms/],
    [{ jwksPath: 'jwks' }, /jwksPath/],
    [{ jwksPath: false }, /jwksPath/],
    [{ userinfoPath: 'me' }, /userinfoPath/],
    [{ acrValues: ['low', 'high'] }, /acrValues/],
    [{ acrValues: ['low', 'low', 'high'] }, /acrValues.*three different/],
    [{ subject: 'pairwise' }, /pairwiseSecret/],
    [{ pairwiseSecret: 'short' }, /pairwiseSecret/],
    [{ keys: { rsaBits: 1024 } }, /rsaBits/],
    [{ keys: { secret: 'short' } }, /secret/],
    [{ scopes: { openid: ['email'] } }, /"openid", which cannot have claims/],
    [{ scopes: { own: ['sub'] } }, /"sub", which no scope can give/],
    [{ claims: { sub: 'id' } }, /claims\.sub/],
    [{ claims: { team: 5 } }, /claims\.team.*must be the name/],
    [{ jwksPath: '/oauth/token' }, /path of/],
    ['yes', /openid/]
  ] as Array<[object, RegExp]>) {
    await t.rejects(start(t, { openid }), { code: 'FBK_OAUTH2_INVALID_OPTIONS', message }, String(message))
  }
  const server = await makeProvider(t, { openid: { jwkPath: '/keys' }, seed: false })
  t.match(server.logs.join(''), /there is no option \\"openid.jwkPath\\".*jwksPath/, 'with what was meant')
})

t.test('OI-04, OI-35: production needs an issuer that is https, and a secret', async t => {
  inProduction(t)
  const session = { secret: 'a long secret of the server' }
  await t.rejects(start(t, { openid: true, session }), { message: /"issuer" is needed.*https/ })
  await t.rejects(start(t, { openid: true, session, issuer: 'http://op.test' }), { message: /https/ })
  await t.rejects(start(t, { openid: true, session: false, issuer: 'https://op.test' }), { message: /keys\.secret/ })
  await t.resolves(start(t, { openid: true, session, issuer: 'https://op.test' }))
})

t.test('OI-03: requests without the scope are as they were', async t => {
  const server = await makeProvider(t)
  const { code, secret } = await visit(server, { more: { client_id: 'web', scope: 'read', nonce: 'n', request: 'x' } })
  t.ok(code, 'parameters of openid requests mean nothing')
  const response = await redeem(server, { code, secret })
  t.notOk('id_token' in response.json())
  t.strictSame(Object.keys(response.json()).sort(), ['access_token', 'expires_in', 'refresh_token', 'scope', 'token_type'])
})

t.test('OI-04: the issuer is one text everywhere', async t => {
  const server = await makeProvider(t, { options: { issuer: 'https://op.test/' } })
  const { answer } = await visit(server)
  t.equal(answer.query.get('iss'), 'https://op.test')
  t.equal((await logIn(server)).claims.iss, 'https://op.test')
  t.equal((await get(server, '/.well-known/openid-configuration')).json().issuer, 'https://op.test')
})

t.test('OI-05: fields of clients are checked like redirect URIs', async t => {
  const server = await makeProvider(t)
  const Client = server.model('OAuthClientApplication')
  const good = {
    name: 'Good', redirectURIs: ['https://rp.test/cb'], postLogoutRedirectURIs: ['https://rp.test/out'],
    backchannelLogoutURI: 'https://rp.test/bye', backchannelLogoutSessionRequired: true, initiateLoginURI: 'https://rp.test/in',
    defaultMaxAge: 60, requireAuthTime: true, defaultAcrValues: ['2fa'], idTokenSignedResponseAlg: 'RS256', subjectType: 'public'
  }
  const stored = (await Client.create(good)).toJSON()
  for (const [name, value] of Object.entries(good)) t.strictSame(stored[name], value, name)
  t.notOk('registrationAccessToken' in (await Client.create({ ...good, registrationAccessToken: 'digest' })).toJSON(), 'hidden')
  for (const [fields, message] of [
    [{ postLogoutRedirectURIs: ['http://rp.test/out'] }, /postLogoutRedirectURIs: must be https/],
    [{ postLogoutRedirectURIs: ['https://rp.test/#x'] }, /fragment/],
    [{ postLogoutRedirectURIs: ['javascript:alert(1)'] }, /scripts/],
    [{ backchannelLogoutURI: 'https://u:p@rp.test/' }, /backchannelLogoutURI: must not name a user/],
    [{ backchannelLogoutURI: 'app:/bye' }, /backchannelLogoutURI: must be https/],
    [{ initiateLoginURI: '/in' }, /absolute/],
    [{ sectorIdentifierURI: 'ftp://rp.test/s' }, /sectorIdentifierURI/],
    [{ defaultMaxAge: -1 }, /defaultMaxAge/],
    [{ defaultAcrValues: ['5fa'] }, /defaultAcrValues/],
    [{ subjectType: 'other' }, /subjectType/],
    [{ subjectType: 'pairwise' }, /pairwiseSecret/]
  ] as Array<[object, RegExp]>) {
    await t.rejects(Client.create({ ...good, ...fields }),
      { statusCode: 422, code: 'INVALID_CLIENT_METADATA', message }, String(message))
  }
})

t.test('OI-06: keys are stored by a model that nobody reads from outside', async t => {
  const server = await makeProvider(t)
  await logIn(server)
  t.equal(await server.model('OAuthKey').count(), 1)
  for (const path of ['/api/OAuthKeys', '/api/OAuthStates', '/api/OAuthClientApplications']) {
    t.equal((await get(server, path)).statusCode, 404, path)
  }
  t.notOk('privateKey' in (await server.model('OAuthKey').findOne()).toJSON())
})
