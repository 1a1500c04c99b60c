/* eslint camelcase: "off" -- parameters of the protocol are written as it has them */
import Fastify from 'fastify'
import { memoryConnector } from '@fastback/connector-memory'
import { core } from '@fastback/core'
import { oauth2, oAuth2Provider } from '@fastback/oauth2'
import t from 'tap'
import {
  asWeb,
  Browser,
  codeOf,
  fails,
  get,
  machineToken,
  makeServer,
  pairOf,
  post,
  redeem,
  request,
  token,
  who
} from './server.js'

t.test('options that cannot be', async t => {
  const start = async (options: object): Promise<void> => {
    const app = Fastify()
    t.teardown(() => app.close())
    await app.register(core, { connectors: { memory: memoryConnector }, dataSources: { db: { connector: 'memory' } } })
    await app.register(oauth2, { dataSource: 'db', ...options })
  }
  for (const [options, message] of [
    [{ supportedGrantTypes: ['magic'] }, /supportedGrantTypes.*"magic"/],
    [{ tokenPath: 'token' }, /tokenPath.*starts with "\/"/],
    [{ tokenPath: '/login' }, /"\/login", which is the path of/],
    [{ jwtAlgorithms: ['HS256'] }, /jwtAlgorithms.*HS256/],
    [{ jwtAlgorithm: 'none' }, /jwtAlgorithms.*none/],
    [{ bearerMethods: ['cookie'] }, /bearerMethods/],
    [{ models: {} }, /adapters.*models/],
    [{ issuer: 'op.test' }, /issuer/],
    [{ authenticate: [{ paths: ['api'] }] }, /starts with "\/"/],
    [{ getTTL: 5 }, /getTTL/],
    [{ dataSource: undefined }, /dataSource/],
    [{ refreshTokenGrace: 301 }, /refreshTokenGrace/]
  ] as Array<[object, RegExp]>) {
    await t.rejects(
      start(options),
      {
        code: 'FBK_OAUTH2_INVALID_OPTIONS',
        message
      },
      `O-288: ${String(message)}`
    )
  }
  await t.rejects(start({ applicationModel: 'Nobody' }), { code: 'FBK_OAUTH2_UNKNOWN_MODEL' })
  const server = await makeServer(t, { options: { mistake: 1 } as never })
  t.match(server.logs.join(''), /there is no option \\"mistake\\"/)
  await t.rejects(oAuth2Provider(server.app, {}), { code: 'FBK_OAUTH2_ALREADY_SET_UP' })
  const before = process.env.NODE_ENV
  t.teardown(() => { if (before === undefined) delete process.env.NODE_ENV; else process.env.NODE_ENV = before })
  process.env.NODE_ENV = 'production'
  await t.rejects(start({}), { message: /session\.secret/ })
  await t.rejects(start({ profile: 'oauth2.1' }), { message: /issuer/ })
  const production = await makeServer(t, { seed: false, options: { session: { secret: 'x'.repeat(32) } } })
  t.match(production.logs.join(''), /\\"issuer\\" is not set/)
})

t.test('paths, halves and profile', async t => {
  const moved = await makeServer(t, {
    options: {
      authorizePath: '/a',
      tokenPath: '/t',
      decisionPath: '/d',
      loginPath: '/l',
      revokePath: '/r',
      introspectPath: '/i'
    }
  })
  const document = (await get(moved, '/.well-known/oauth-authorization-server')).json()
  t.match(document, {
    authorization_endpoint: /\/a$/,
    token_endpoint: /\/t$/,
    revocation_endpoint: /\/r$/,
    introspection_endpoint: /\/i$/
  }, 'O-280')
  t.equal((await post(moved, '/t', { grant_type: 'client_credentials' }, asWeb)).statusCode, 200, 'O-280')
  const off = await makeServer(t, {
    options: {
      authorizePath: false,
      tokenPath: false,
      decisionPath: false,
      loginPath: false,
      revokePath: false,
      introspectPath: false,
      metadataPath: false
    }
  })
  for (const url of [
    '/oauth/authorize',
    '/oauth/token',
    '/oauth/authorize/decision',
    '/login',
    '/oauth/revoke',
    '/oauth/introspect'
  ]) {
    t.equal((await post(off, url, {}, asWeb)).statusCode, 404, `O-281: ${url}`)
  }
  t.equal((await get(off, '/.well-known/oauth-authorization-server')).statusCode, 404, 'O-281')
  const few = await makeServer(t, { options: { supportedGrantTypes: ['authorizationCode', 'clientCredentials'] } })
  fails(
    t,
    await token(few, { grant_type: 'password', username: 'ada', password: 'correct horse' }),
    400,
    'unsupported_grant_type',
    'O-282'
  )
  t.equal((await redeem(few, await codeOf(few))).json().refresh_token, undefined, 'O-115: switched off')

  const resource = await makeServer(t, { options: { authorizationServer: false } })
  t.equal((await token(resource, { grant_type: 'client_credentials' })).statusCode, 404, 'O-283')
  t.equal((await who(resource, 'zzz')).statusCode, 401, 'O-283')
  await t.rejects(
    makeServer(t, { options: { resourceServer: false } }),
    { code: 'FBK_OAUTH2_NOT_A_RESOURCE_SERVER' },
    'O-283'
  )
  const silent = await makeServer(t, { options: { session: false } })
  t.equal((await get(silent, '/oauth/authorize')).statusCode, 404, 'no interactive endpoints')
  t.ok(await machineToken(silent))

  const strict = await makeServer(t, {
    options: {
      profile: 'oauth2.1',
      bearerMethods: ['header', 'query'],
      supportedGrantTypes: ['authorizationCode', 'implicit', 'resourceOwnerPasswordCredentials', 'clientCredentials']
    }
  })
  fails(t, await token(strict, {
    grant_type: 'password',
    username: 'ada',
    password: 'correct horse'
  }), 400, 'unsupported_grant_type', 'O-153')
  const refused = await new Browser(strict).authorize(request({ response_type: 'token' }))
  t.match(refused.headers.location, /error=unsupported_response_type/, 'O-153')
  t.match((await new Browser(strict).authorize(request({
    code_challenge: undefined,
    code_challenge_method: undefined
  }))).headers.location, /error=invalid_request/, 'O-153')
  t.equal((await get(strict, `/api/Notes/who?access_token=${await machineToken(strict)}`)).statusCode, 401, 'O-153')
  t.match(
    (await get(strict, '/.well-known/oauth-authorization-server')).json(),
    { response_types_supported: ['code'] },
    'O-153'
  )
  const https = await makeServer(t, { options: { requireHttps: true } })
  t.equal((await token(https, { grant_type: 'client_credentials' })).statusCode, 403)
})

t.test('generateToken', async t => {
  const seen: any[] = []
  const server = await makeServer(t, {
    options: {
      generateToken: options => {
        seen.push(options)
        const id = `${options.refreshToken === true ? 'refresh' : 'access'}-${'x'.repeat(20)}${seen.length}`
        return seen.length % 2 === 0 ? Promise.resolve(id) : { id, note: 'more' }
      }
    }
  })
  const pair = (await redeem(server, await codeOf(server))).json()
  t.match(pair, { access_token: /^access-/, refresh_token: /^refresh-/, note: 'more' }, 'O-284')
  t.match(seen[0], {
    grant: 'Authorization Code',
    client: { id: 'web' },
    user: { username: 'ada' },
    scope: ['read'],
    code: String,
    redirectURI: String
  }, 'O-284')
  t.notMatch(JSON.stringify(seen), /argon2/)
  t.equal((await who(server, pair.access_token)).statusCode, 200)
  const weak = await makeServer(t, { options: { generateToken: () => 'short' } })
  fails(t, await token(weak, { grant_type: 'client_credentials' }), 500, 'server_error')
})

t.test('storage', async t => {
  const server = await makeServer(t)
  const pair = await pairOf(server)
  const unused = await codeOf(server)
  await token(server, { grant_type: 'client_credentials' })
  for (const name of [
    'OAuthAccessToken',
    'OAuthAuthorizationCode',
    'OAuthPermission',
    'OAuthScope',
    'OAuthScopeMapping',
    'OAuthClientApplication'
  ]) {
    t.equal(server.model(name).dataSource.name, 'db', `O-272: ${name}`)
    t.equal((await get(server, `/api/${name}s`)).statusCode, 404, `O-273: ${name}`)
  }
  const fields = (name: string): string[] => Object.keys(server.model(name).definition.properties)
  for (const name of [
    'appId',
    'issuedAt',
    'expiresIn',
    'expiredAt',
    'scopes',
    'parameters',
    'authorizationCode',
    'refreshToken',
    'tokenType',
    'hash'
  ]) {
    t.ok(fields('OAuthAccessToken').includes(name), `O-272: ${name}`)
  }
  for (const name of ['used', 'redirectURI', 'hash', 'parameters']) {
    t.ok(fields('OAuthAuthorizationCode').includes(name), `O-272: ${name}`)
  }
  t.notOk(fields('OAuthClientApplication').includes('callbackUrls'), 'O-272: switched off')
  const [row] = await server
    .model('OAuthAccessToken')
    .find({ where: { refreshToken: { neq: null } }, include: ['user', 'application'] })
  t.match(
    row,
    { appId: 'web', userId: 1, issuedAt: Date, expiresIn: 3600, expiredAt: Date, tokenType: 'Bearer' },
    'O-274'
  )
  t.match(row.toJSON(), { user: { username: 'ada' }, application: { id: 'web' } })
  t.notOk('clientSecret' in row.toJSON().application, 'O-273')
  const everything = JSON.stringify(
    await Promise.all(
      ['OAuthAccessToken', 'OAuthAuthorizationCode', 'OAuthState', 'OAuthClientApplication'].map(async name =>
        (await server.model(name).find()).map((each: object) => ({ ...each }))
      )
    )
  )
  for (const secret of [pair.access_token, pair.refresh_token, unused.code, 'w3b secret:&+']) {
    t.notMatch(everything, secret, 'O-270, O-271')
  }
  t.match(everything, /\$argon2id\$/, 'O-270')
  const client = await server.model('OAuthClientApplication').findById('web')
  const { secretHash: before } = await server.provider.clients.find('web') as { secretHash: string }
  await client.patchAttributes({ name: 'Renamed' })
  t.equal((await server.provider.clients.find('web'))?.secretHash, before, 'O-270: a hash is not hashed again')

  const past = { expiredAt: new Date(Date.now() - 1000) }
  await server.model('OAuthState').updateAll({}, past)
  await server.model('OAuthAuthorizationCode').updateAll({}, past)
  await server.model('OAuthAccessToken').updateAll({}, past)
  await server.provider.cleanUp()
  t.equal(
    ((await server.model('OAuthState').count()) + (await server.model('OAuthAuthorizationCode').count())) as number,
    0,
    'O-275'
  )
  t.equal(await server.model('OAuthAccessToken').count(), 1, 'O-275: a refresh token lives longer')
  await server.model('OAuthAccessToken').updateAll({}, { refreshTokenExpiredAt: past.expiredAt })
  await server.provider.cleanUp()
  t.equal(await server.model('OAuthAccessToken').count(), 0, 'O-275')
})

t.test('a plain Application as client; a secret for stored digests', async t => {
  const server = await makeServer(t, {
    seed: false,
    options: { applicationModel: 'Application', tokenSecret: 'y'.repeat(32), defaultScope: ['a', 'b'] }
  })
  const { id, restApiKey } = await server
    .model('Application')
    .create({ name: 'old', callbackUrls: ['https://old.test/cb'] })
  const credentials = {
    authorization: `Basic ${Buffer.from(`${id as string}:${restApiKey as string}`).toString('base64')}`
  }
  const answer = await token(server, { grant_type: 'client_credentials' }, credentials)
  t.equal(answer.json().scope, 'a b', 'O-023: no restriction, the default')
  t.equal((await who(server, answer.json().access_token)).json().client, id)
  fails(
    t,
    await token(
      server,
      { grant_type: 'client_credentials' },
      { authorization: `Basic ${Buffer.from(`${id as string}:no`).toString('base64')}` }
    ),
    401,
    'invalid_client'
  )
  t.equal((await server.provider.clients.find(id))?.redirectUris[0], 'https://old.test/cb')
})
