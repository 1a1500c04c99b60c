/* eslint camelcase: "off" -- parameters of the protocol are written as it has them */
import t from 'tap'
import {
  asWeb,
  basic,
  callback,
  codeOf,
  fails,
  formText,
  get,
  machineToken,
  makeServer,
  pairOf,
  post,
  redeem,
  refresh,
  request,
  Browser,
  token,
  verifier,
  who
} from './server.js'

t.test('the token endpoint: form, answers, errors', async t => {
  const server = await makeServer(t)
  const credentials = { grant_type: 'client_credentials' }

  t.equal((await get(server, '/oauth/token?grant_type=client_credentials', asWeb)).statusCode, 404, 'O-070')
  fails(t, await server.app.inject({
    method: 'POST',
    url: '/oauth/token',
    headers: asWeb,
    payload: credentials
  }), 400, 'invalid_request', 'O-071: JSON')
  fails(
    t,
    await server.app.inject({ method: 'POST', url: '/oauth/token', headers: asWeb }),
    400,
    'invalid_request',
    'O-071: no body'
  )
  const large = await token(server, `${formText(credentials)}&pad=${'x'.repeat(70_000)}`)
  t.equal(large.statusCode, 413)

  const good = await token(server, credentials)
  t.equal(good.statusCode, 200)
  t.match(
    good.headers,
    { 'content-type': /^application\/json/, 'cache-control': 'no-store', pragma: 'no-cache' },
    'O-072, O-073'
  )
  t.match(good.json(), { token_type: 'Bearer', expires_in: 3600, scope: '' }, 'O-072, O-074: scope always')
  t.ok(good.json().access_token.length >= 43, 'O-095')
  const bad = await token(server, {})
  fails(t, bad, 400, 'invalid_request', 'O-075')
  t.equal(bad.headers['cache-control'], 'no-store', 'O-073')
  fails(t, await token(server, { grant_type: 'gift' }), 400, 'unsupported_grant_type', 'O-076')
  fails(t, await token(server, { grant_type: 'implicit' }), 400, 'unsupported_grant_type')
  fails(
    t,
    await token(server, { grant_type: 'client_credentials' }, basic('guest', 'guest secret')),
    400,
    'unauthorized_client',
    'O-077'
  )
  fails(
    t,
    await token(server, 'grant_type=client_credentials&grant_type=client_credentials'),
    400,
    'invalid_request',
    'O-078'
  )
  fails(
    t,
    await token(server, 'grant_type=client_credentials&scope=&scope=read'),
    400,
    'invalid_request',
    'O-078: also empty'
  )
  t.equal((await token(server, { ...credentials, scope: '', fancy: 'x', __proto__x: 'y' })).statusCode, 200, 'O-079')
  fails(t, await token(server, { ...credentials, scope: 'read "x"' }), 400, 'invalid_scope')
  fails(t, await token(server, { ...credentials, scope: 'burn' }), 400, 'invalid_scope', 'O-143')
  const all = new Set(await Promise.all(Array.from({ length: 50 }, () => machineToken(server))))
  t.equal(all.size, 50, 'O-095: never the same')
})

t.test('O-085: id and secret of a Basic header are form-encoded; sent raw they count, unless an option says no', async t => {
  const body = { grant_type: 'client_credentials' }
  const raw = (text: string): { authorization: string } =>
    ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` })
  const secrets = ['ab+cd/ef==padding', 'per%cent-padding', '%41+padding', 'w3b secret:&+']
  for (const [option, whenRaw] of [[undefined, 200], [true, 200], [false, 401]] as const) {
    const server = await makeServer(t, { options: option === undefined ? {} : { rawBasicCredentials: option } })
    for (const [i, clientSecret] of secrets.entries()) {
      const id = `raw+${String(i)}`
      await (server.app.models.OAuthClientApplication as any).create({
        id, name: id, clientType: 'confidential', clientSecret, grantTypes: ['client_credentials'], scopes: []
      })
      t.equal((await token(server, body, basic(id, clientSecret))).statusCode, 200, `encoded ${clientSecret}`)
      t.equal((await token(server, body, raw(`${id}:${clientSecret}`))).statusCode, whenRaw, `raw ${clientSecret}`)
      fails(t, await token(server, body, raw(`${id}:${clientSecret}x`)), 401, 'invalid_client', 'a wrong one')
      const both = await token(server, { ...body, client_id: id }, raw(`${id}:${clientSecret}`))
      t.equal(both.statusCode === 200, whenRaw === 200, 'the id in the body as well')
    }
  }
  const strict = await makeServer(t, { options: { profile: 'oauth2.1' } })
  t.equal((await token(strict, body, raw('web:w3b secret:&+'))).statusCode, 401, 'oauth2.1')
})

t.test('S-77: a Basic header that may mean two things is one attempt', async t => {
  const server = await makeServer(t, { options: { rateLimit: { max: 4, window: 60 } } })
  const body = { grant_type: 'client_credentials' }
  const wrong = { authorization: `Basic ${Buffer.from('web:a+b').toString('base64')}` }
  const statuses: number[] = []
  for (let i = 0; i < 5; i++) statuses.push((await token(server, body, wrong)).statusCode)
  t.strictSame(statuses, [401, 401, 401, 401, 429])
})

t.test('client authentication', async t => {
  const server = await makeServer(t)
  const body = { grant_type: 'client_credentials' }
  const wrong = await token(server, body, basic('web', 'no'))
  fails(t, wrong, 401, 'invalid_client', 'O-080')
  t.match(wrong.headers['www-authenticate'], /^Basic realm="http:\/\/op\.test"/)
  fails(t, await token(server, { ...body, client_id: 'web', client_secret: 'no' }, {}), 401, 'invalid_client', 'O-081')
  t.equal(
    (await token(server, { ...body, client_id: 'web', client_secret: 'w3b secret:&+' }, {})).statusCode,
    200,
    'either secret method'
  )
  const unknown = await token(server, body, basic('nobody', 'no'))
  t.equal(unknown.body, wrong.body, 'O-082')
  t.equal(unknown.statusCode, wrong.statusCode, 'O-082')
  fails(
    t,
    await token(server, { ...body, client_id: 'web', client_secret: 'w3b secret:&+' }),
    400,
    'invalid_request',
    'O-083'
  )
  for (const query of ['client_id=web&client_secret=x', 'client_secret=w3b+secret', 'client_assertion=x']) {
    fails(t, await post(server, `/oauth/token?${query}`, body, {}), 400, 'invalid_request', 'O-084')
  }
  for (const raw of ['%zz:x', ':x', 'web']) {
    fails(
      t,
      await token(server, body, { authorization: `Basic ${Buffer.from(raw).toString('base64')}` }),
      401,
      'invalid_client',
      `O-085: ${raw}`
    )
  }
  fails(t, await token(server, body, { authorization: 'Digest x' }), 401, 'invalid_client')
  fails(t, await token(server, body, {}), 401, 'invalid_client')
  fails(t, await token(server, { ...body, client_id: 'web' }, {}), 401, 'invalid_client', 'O-086')
  const grabbed = await codeOf(server)
  fails(t, await redeem(server, grabbed, { client_id: 'web' }, {}), 401, 'invalid_client', 'O-086: with a verifier')
  fails(t, await token(server, { ...body, client_id: 'spa', client_secret: 'x' }, {}), 401, 'invalid_client', 'O-087')
  fails(t, await token(server, { ...body, client_id: 'guest' }), 400, 'invalid_request', 'O-088')
  fails(t, await token(server, { ...body, client_id: 'spa' }, {}), 400, 'unauthorized_client', 'O-142')
  await server.model('OAuthClientApplication').updateAll({ id: 'guest' }, { status: 'disabled' })
  fails(t, await token(server, body, basic('guest', 'guest secret')), 401, 'invalid_client', 'disabled')
})

t.test('a changed secret ends what was remembered of the old one; guessing is slowed', async t => {
  const server = await makeServer(t, { options: { rateLimit: { max: 3, window: 60 } } })
  const body = { grant_type: 'client_credentials' }
  t.equal((await token(server, body)).statusCode, 200)
  await server.model('OAuthClientApplication').updateAll({ id: 'web' }, { clientSecret: 'another' })
  t.match((await server.provider.clients.find('web'))?.secretHash, /^\$argon2id\$/, 'O-270')
  fails(t, await token(server, body), 401, 'invalid_client')
  t.equal((await token(server, body, basic('web', 'another'))).statusCode, 200, 'a success clears the count')
  for (let i = 0; i < 3; i++) fails(t, await token(server, body, basic('web', `no ${i}`)), 401, 'invalid_client')
  const limited = await token(server, body, basic('web', 'another'))
  fails(t, limited, 429, 'temporarily_unavailable', 'O-094: right or not')
  t.ok(Number(limited.headers['retry-after']) > 0, 'O-094')
  t.equal((await token(server, body, basic('guest', 'guest secret'))).statusCode, 400, 'others go on')
})

t.test('authorization codes', async t => {
  const server = await makeServer(t)
  const first = await redeem(server, await codeOf(server))
  t.equal(first.statusCode, 200, 'O-100')
  t.match(first.json(), { token_type: 'Bearer', scope: 'read', refresh_token: String })
  fails(t, await token(server, { grant_type: 'authorization_code' }), 400, 'invalid_request', 'O-101')
  fails(t, await token(server, { grant_type: 'authorization_code', code: 'zzz' }), 400, 'invalid_grant', 'O-102')
  const others = await codeOf(server)
  fails(t, await redeem(server, others, {}, basic('guest', 'guest secret')), 400, 'invalid_grant', 'O-103')
  t.equal((await redeem(server, others)).statusCode, 200, 'O-103: the rightful client still can')
  for (const redirect_uri of ['https://client.test/other?kept=1', `${callback}/`, undefined]) {
    fails(t, await redeem(server, await codeOf(server), { redirect_uri }), 400, 'invalid_grant', 'O-104')
  }
  const implied = await codeOf(server, { client_id: 'spa', redirect_uri: undefined })
  t.equal((await redeem(server, implied, { client_id: 'spa', redirect_uri: undefined }, {})).statusCode, 200, 'O-105')
  const guessed = await codeOf(server)
  fails(t, await redeem(server, { ...guessed, secret: verifier() }), 400, 'invalid_grant', 'O-106')
  fails(t, await redeem(server, guessed), 400, 'invalid_grant', 'O-106: the code is spent')
  fails(t, await redeem(server, await codeOf(server), { code_verifier: undefined }), 400, 'invalid_grant', 'O-107')
  fails(t, await redeem(server, await codeOf(server, {
    code_challenge: undefined,
    code_challenge_method: undefined
  })), 400, 'invalid_grant', 'O-108')
  for (const code_verifier of ['short', 'x'.repeat(129), `${'x'.repeat(50)}!`]) {
    fails(t, await redeem(server, await codeOf(server), { code_verifier }), 400, 'invalid_grant', 'O-109')
  }

  const twice = await codeOf(server)
  const pair = (await redeem(server, twice)).json()
  fails(t, await redeem(server, twice), 400, 'invalid_grant', 'O-110')
  t.equal((await who(server, pair.access_token)).statusCode, 401, 'O-111')
  fails(t, await refresh(server, pair.refresh_token), 400, 'invalid_grant', 'O-111')
  const stolen = await codeOf(server)
  const owner = (await redeem(server, stolen)).json()
  fails(t, await redeem(server, stolen, {}, basic('guest', 'guest secret')), 400, 'invalid_grant')
  t.equal((await who(server, owner.access_token)).statusCode, 401, 'O-111: whoever presents it')

  const wide = await redeem(server, await codeOf(server), { scope: 'read write admin' })
  t.equal(wide.json().scope, 'read', 'O-114')
  const race = await codeOf(server)
  const answers = await Promise.all(Array.from({ length: 5 }, () => redeem(server, race)))
  t.equal(answers.filter(({ statusCode }) => statusCode === 200).length, 1, 'O-113')
  const guest = await codeOf(server, { client_id: 'guest', redirect_uri: 'https://guest.test/cb' })
  const plain = await redeem(server, guest, { redirect_uri: 'https://guest.test/cb' }, basic('guest', 'guest secret'))
  t.equal(plain.json().refresh_token, undefined, 'O-115')
  const gone = await codeOf(server, {}, { username: 'bob', password: 'battery staple' })
  await server.model('User').destroyAll({ username: 'bob' })
  fails(t, await redeem(server, gone), 400, 'invalid_grant', 'a user who is gone')
})

t.test('refresh tokens', async t => {
  const server = await makeServer(t)
  const first = await pairOf(server, { scope: 'read write' })
  const second = (await refresh(server, first.refresh_token)).json()
  t.equal((await who(server, second.access_token)).statusCode, 200, 'O-120')
  t.not(second.refresh_token, first.refresh_token, 'O-121')
  t.equal((await who(server, first.access_token)).statusCode, 200, 'the old access token lives on')
  fails(t, await refresh(server, first.refresh_token), 400, 'invalid_grant', 'O-121, O-122')
  fails(t, await refresh(server, second.refresh_token), 400, 'invalid_grant', 'O-122: the family')
  t.equal((await who(server, second.access_token)).statusCode, 401, 'O-122: its access tokens')
  t.equal((await who(server, first.access_token)).statusCode, 401, 'O-122: all of them')

  const pair = await pairOf(server, { scope: 'read write' })
  fails(t, await refresh(server, pair.refresh_token, { client_id: 'spa' }, {}), 400, 'invalid_grant', 'O-123')
  fails(t, await refresh(server, pair.refresh_token, { scope: 'read write admin' }), 400, 'invalid_scope', 'O-124')
  fails(t, await refresh(server, pair.refresh_token, { client_id: 'web' }, {}), 401, 'invalid_client', 'O-127')
  const narrow = (await refresh(server, pair.refresh_token, { scope: 'write' })).json()
  t.equal(narrow.scope, 'write', 'O-123, O-124: still good; O-125')
  t.strictSame((await who(server, narrow.access_token)).json().scopes, ['write'], 'O-125')
  const wide = (await refresh(server, narrow.refresh_token)).json()
  t.equal(wide.scope, 'read write', 'O-125')
  fails(t, await token(server, { grant_type: 'refresh_token' }), 400, 'invalid_request', 'O-126')
  fails(t, await refresh(server, 'zzz'), 400, 'invalid_grant', 'O-126')
  fails(t, await refresh(server, wide.access_token), 400, 'invalid_grant', 'O-130')
  fails(t, await refresh(server, (await codeOf(server)).code), 400, 'invalid_grant', 'O-130')
  const answers = await Promise.all(Array.from({ length: 5 }, () => refresh(server, wide.refresh_token)))
  t.equal(answers.filter(({ statusCode }) => statusCode === 200).length, 1, 'O-129')
  t.equal(
    (await who(server, answers.find(({ statusCode }) => statusCode === 200)?.json().access_token)).statusCode,
    401,
    'O-122: somebody presented it again'
  )

  const bobs = (await redeem(server, await codeOf(server, {}, { username: 'bob', password: 'battery staple' }))).json()
  await server.model('User').destroyAll({ username: 'bob' })
  fails(t, await refresh(server, bobs.refresh_token), 400, 'invalid_grant', 'the user is gone')
  t.equal((await who(server, bobs.access_token)).statusCode, 401, 'O-198')
})

t.test('refreshTokenGrace forgives a refresh token that comes again soon', async t => {
  const server = await makeServer(t, { options: { refreshTokenGrace: 60 } })
  const tokens = server.model('OAuthAccessToken')
  const first = await pairOf(server)
  const lost = (await refresh(server, first.refresh_token)).json()
  const again = await refresh(server, first.refresh_token)
  t.equal(again.statusCode, 200, 'the response was lost')
  t.not(again.json().refresh_token, lost.refresh_token, 'tokens are not stored: the second answer has its own')
  for (const { access_token: text } of [first, lost, again.json()]) t.equal((await who(server, text)).statusCode, 200)
  fails(
    t,
    await refresh(server, first.refresh_token, { client_id: 'spa' }, {}),
    400,
    'invalid_grant',
    'not for another client'
  )
  const answers = await Promise.all(Array.from({ length: 4 }, () => refresh(server, again.json().refresh_token)))
  t.ok(answers.every(({ statusCode }) => statusCode === 200), 'at the same moment')

  await tokens.updateAll({ refreshTokenSpent: true }, { refreshTokenSpentAt: new Date(Date.now() - 61_000) })
  fails(t, await refresh(server, first.refresh_token), 400, 'invalid_grant', 'too late')
  fails(t, await refresh(server, lost.refresh_token), 400, 'invalid_grant', 'O-122: the family has ended')
  t.equal((await who(server, again.json().access_token)).statusCode, 401, 'O-122')

  const ended = await pairOf(server)
  await refresh(server, ended.refresh_token)
  await post(server, '/oauth/revoke', { token: ended.refresh_token }, asWeb)
  fails(t, await refresh(server, ended.refresh_token), 400, 'invalid_grant', 'what was revoked is not forgiven')
  const withdrawn = await pairOf(server)
  await refresh(server, withdrawn.refresh_token)
  await server.model('OAuthPermission').destroyAll({})
  fails(t, await refresh(server, withdrawn.refresh_token), 400, 'invalid_grant', 'nor what the user took back')
})

t.test('lifetimes', async t => {
  const asked: unknown[][] = []
  const server = await makeServer(t, {
    options: {
      getTTL: (...given) => {
        asked.push(given.slice(
          0,
          2
        ).concat((given[4] as { grantType: string }).grantType)); return given[0] === 'refreshToken'
          ? 2
          : given[0] === 'code' ? 5000 : 1
      }
    }
  })
  const late = await codeOf(server)
  const [row] = await server.model('OAuthAuthorizationCode').find()
  t.equal(row.expiresIn, 600, 'O-112: never more')
  const pair = await redeem(server, await codeOf(server))
  t.equal(pair.json().expires_in, 1, 'O-285')
  t.strictSame(asked.at(-1), ['refreshToken', 'web', 'authorization_code'], 'O-285')
  await server.model('OAuthAuthorizationCode').updateAll({ id: row.id }, { expiredAt: new Date() })
  fails(t, await redeem(server, late), 400, 'invalid_grant', 'O-112')
  const { now } = Date
  t.teardown(() => { Date.now = now })
  Date.now = () => now() + 1100
  const expired = await who(server, pair.json().access_token)
  t.equal(expired.statusCode, 401, 'O-183')
  t.match(expired.headers['www-authenticate'], /error="invalid_token"/, 'O-183')
  Date.now = () => now() + 2100
  fails(t, await refresh(server, pair.json().refresh_token), 400, 'invalid_grant', 'O-128')
})

t.test('client credentials, password and implicit', async t => {
  const server = await makeServer(t, { options: { rateLimit: { max: 4, window: 60 } } })
  const machine = await token(server, { grant_type: 'client_credentials', scope: 'read', sub: 'ada', username: 'ada' })
  t.equal(machine.json().refresh_token, undefined, 'O-141')
  t.strictSame(
    (await who(server, machine.json().access_token)).json(),
    { user: null, client: 'web', scopes: ['read'] },
    'O-140, O-144'
  )
  for (const username of ['ada', 'ada@op.test']) {
    const answer = await token(server, { grant_type: 'password', username, password: 'correct horse', scope: 'read' })
    t.equal((await who(server, answer.json().access_token)).json().user, 1, 'O-145')
    t.type(answer.json().refresh_token, 'string')
  }
  t.match(server.logs.join(''), /uses the password grant, which RFC 9700/, 'O-152')
  const wrong = await token(server, { grant_type: 'password', username: 'ada', password: 'no' })
  fails(t, wrong, 400, 'invalid_grant', 'O-146')
  t.equal(
    (await token(server, { grant_type: 'password', username: 'nobody', password: 'no' })).body,
    wrong.body,
    'O-146'
  )
  fails(t, await token(server, { grant_type: 'password', username: 'ada' }), 400, 'invalid_request', 'O-147')
  fails(t, await token(server, { grant_type: 'password', password: 'x' }), 400, 'invalid_request', 'O-147')
  for (let i = 0; i < 3; i++) await token(server, { grant_type: 'password', username: 'ada', password: `no ${i}` })
  const limited = await token(server, { grant_type: 'password', username: 'ada', password: 'correct horse' })
  fails(t, limited, 429, 'temporarily_unavailable', 'O-148')
  t.ok(Number(limited.headers['retry-after']) > 0, 'O-148')
  const login = await new Browser(server).logIn()
  t.equal(login.statusCode, 429, 'O-148: the login page counts with it')

  const implicit = await new Browser(server).walk(request({ response_type: 'token' }), {
    username: 'bob',
    password: 'battery staple'
  })
  t.equal(implicit.url?.search, '', 'O-149')
  t.match(Object.fromEntries(implicit.fragment), {
    access_token: String,
    token_type: 'Bearer',
    expires_in: '3600',
    state: 'S',
    scope: 'read',
    iss: 'http://op.test'
  }, 'O-149')
  t.notOk(implicit.fragment.has('refresh_token') || implicit.fragment.has('code'), 'O-150')
  t.equal((await who(server, implicit.fragment.get('access_token') as string)).json().user, 2)
  t.match(server.logs.join(''), /implicit grant is on, which RFC 9700/, 'O-152')
  t.match(server.logs.join(''), /"web\\" uses the implicit grant, which RFC 9700/, 'O-152')
})

t.test('clientCredentialsSubject needs a permission', async t => {
  const server = await makeServer(t, { options: { clientCredentialsSubject: true } })
  const body = { grant_type: 'client_credentials', scope: 'read', sub: 'ada' }
  fails(t, await token(server, body), 400, 'invalid_grant', 'O-144')
  await server.model('OAuthPermission').create({ appId: 'web', userId: 1, scopes: ['read'] })
  t.equal((await who(server, (await token(server, body)).json().access_token)).json().user, 1, 'O-144')
  fails(t, await token(server, { ...body, scope: 'write' }), 400, 'invalid_grant', 'O-144')
})
