/** What behaviour.md lists in section 15 and security.md under "Accounts", tried. */
import t from 'tap'
import { call, login, makeApp, person } from './app.js'

t.test('nobody verifies an address without owning it', async t => {
  const app = await makeApp(t, { user: { emailVerificationRequired: true } })
  const { User } = app.models
  const created = await call(app, 'POST', '/Users', person('ann', { emailVerified: true, verificationToken: 'mine' }))
  t.equal(created.body.emailVerified, false)
  t.equal((await call(app, 'GET', '/Users/confirm?uid=1&token=mine')).status, 400)
  const attempts: Array<[string, string, object]> = [
    ['PATCH', '/Users/1', { emailVerified: true, verificationToken: 'mine' }],
    ['PUT', '/Users/1', person('ann', { emailVerified: true, verificationToken: 'mine' })],
    ['POST', '/Users/1/replace', person('ann', { emailVerified: true })],
    ['PATCH', '/Users', { id: 1, emailVerified: true }],
    ['PUT', '/Users', person('ann', { id: 1, emailVerified: true, verificationToken: 'mine' })],
    ['POST', '/Users/update?where={}', { emailVerified: true, verificationToken: 'mine' }],
    ['POST', '/Users/upsertWithWhere?where={"id":1}', { emailVerified: true }]
  ]
  for (const [method, url, body] of attempts) {
    t.ok((await call(app, method, url, body)).status < 500, `${method} ${url}`)
    const { emailVerified, verificationToken } = await User.findById(1)
    t.not(emailVerified, true, `${method} ${url}`)
    t.not(verificationToken, 'mine')
  }
  t.equal(
    (await call(app, 'POST', '/Users/login', { username: 'ann', password: 'ann-secret' })).body.error.code,
    'LOGIN_FAILED_EMAIL_NOT_VERIFIED'
  )
})

t.test('an account stays in its realm', async t => {
  const app = await makeApp(t)
  await call(app, 'POST', '/Users', person('ann', { realm: 'north' }))
  for (const [method, url, body] of [
    ['PATCH', '/Users/1', { realm: 'south' }],
    ['PUT', '/Users/1', person('ann', { realm: 'south' })],
    ['PUT', '/Users/1', person('ann')],
    ['POST', '/Users/update?where={}', { realm: 'south' }]
  ] as const) {
    t.equal((await call(app, method, url, body)).status, 200)
    t.equal((await app.models.User!.findById(1)).realm, 'north', `${method} ${JSON.stringify(body)}`)
  }
})

t.test('hidden properties are no oracle', async t => {
  const app = await makeApp(t)
  await call(app, 'POST', '/Users', person('ann'))
  for (const query of [
    'filter={"where":{"password":{"like":"$%25"}}}',
    'filter={"order":"password"}',
    'filter={"where":{"or":[{"verificationToken":"x"}]}}',
    'filter={"fields":["id"],"order":["verificationToken DESC"]}',
    'filter={"where":{"password.length":1}}'
  ]) { t.match(await call(app, 'GET', `/Users?${query}`), { status: 400 }, query) }
  t.equal((await call(app, 'GET', '/Users/count?where={"password":{"gt":"a"}}')).status, 400)
})

t.test('values of other types do not become queries', async t => {
  const app = await makeApp(t)
  await call(app, 'POST', '/Users', person('ann'))
  const odd = [{ neq: 'x' }, ['ann'], 12, true, { like: '%' }, { $ne: null }]
  for (const value of odd) {
    t.equal(
      (await call(app, 'POST', '/Users/login', { username: value, password: 'ann-secret' })).status,
      400,
      JSON.stringify(value)
    )
    t.equal((await call(app, 'POST', '/Users/login', { email: value, password: 'ann-secret' })).status, 400)
    t.equal((await call(app, 'POST', '/Users/login', { username: 'ann', password: value })).status, 401)
    t.equal((await call(app, 'POST', '/Users/reset', { email: value })).status, 400)
    t.ok(
      [400, 422].includes((await call(app, 'POST', '/Users', person('eve', { password: value }))).status),
      JSON.stringify(value)
    )
  }
  for (const ttl of ['abc', -5, {}, [1], true]) {
    t.equal(
      (await call(app, 'POST', '/Users/login', { username: 'ann', password: 'ann-secret', ttl })).status,
      400,
      String(ttl)
    )
  }
  t.equal(await app.models.AccessToken!.count({ ttl: { gt: 31_556_926 } }), 0)
})

t.test('a reset tells nothing about accounts', async t => {
  const app = await makeApp(t)
  await call(app, 'POST', '/Users', person('ann'))
  let events = 0
  app.models.User!.on('resetPasswordRequest', () => { events++ })
  const known = await call(app, 'POST', '/Users/reset', { email: 'ann@x.test' })
  const unknown = await call(app, 'POST', '/Users/reset', { email: 'nobody@x.test' })
  t.same([known.status, known.body], [204, ''])
  t.same([unknown.status, unknown.body], [204, ''])
  // Who asks is told after the response; the second event comes after any that the unknown address could have made.
  const again = new Promise<void>(resolve => app.models.User!.on('resetPasswordRequest', () => {
    if (events === 2) resolve()
  }))
  await call(app, 'POST', '/Users/reset', { email: 'ann@x.test' })
  await again
  t.equal(events, 2)
  const telling = await makeApp(t, { user: { allowUserEnumeration: true } })
  t.match(await call(telling, 'POST', '/Users/reset', { email: 'nobody@x.test' }), {
    status: 404,
    body: { error: { code: 'EMAIL_NOT_FOUND' } }
  })
})

t.test('a reset token changes one password, once', async t => {
  const app = await makeApp(t)
  await call(app, 'POST', '/Users', person('ann'))
  const asked = new Promise<any>(resolve => app.models.User!.on('resetPasswordRequest', resolve))
  await call(app, 'POST', '/Users/reset', { email: 'ann@x.test' })
  const { accessToken } = await asked
  t.equal(accessToken.ttl, 900)
  t.equal(
    (await call(app, 'POST', '/Users/reset-password', { newPassword: 'p'.repeat(80) }, accessToken.id)).status,
    422
  )
  const answers = await Promise.all(
    ['a', 'b', 'c', 'd'].map(
      async newPassword => await call(app, 'POST', '/Users/reset-password', { newPassword }, accessToken.id)
    )
  )
  t.equal(answers.filter(({ status }) => status === 204).length, 1)
  t.equal((await call(app, 'POST', '/Users/reset-password', { newPassword: 'late' }, accessToken.id)).status, 401)
})

t.test('redirects stay on this site', async t => {
  const app = await makeApp(t, { user: { redirectWhitelist: ['https://good.test/welcome'] } })
  const sent: any[] = []
  const { User } = app.models
  await call(app, 'POST', '/Users', person('ann'))
  const confirm = async (redirect: string) => {
    const ann = await User.findById(1)
    await ann.verify({ mailer: { send: (mail: any, next: any) => { sent.push(mail); next() } } })
    const { token } = Object.fromEntries(new URLSearchParams(sent.at(-1).verifyHref.split('?')[1]))
    return await call(app, 'GET', `/Users/confirm?uid=1&token=${token}&redirect=${encodeURIComponent(redirect)}`)
  }
  for (const bad of [
    'https://evil.test/',
    '//evil.test',
    '/\\evil.test',
    '/\t/evil.test',
    'javascript:alert(1)',
    '/a\r\nx: y',
    'https://good.test/welcome/..',
    'evil'
  ]) {
    t.match(await confirm(bad), { status: 400, body: { error: { code: 'INVALID_REDIRECT' } } }, JSON.stringify(bad))
    t.not((await User.findById(1)).emailVerified, true, 'before the token is used up')
  }
  t.match(await confirm('/welcome?a=1'), { status: 302, headers: { location: '/welcome?a=1' } })
  t.match(await confirm('https://good.test/welcome'), {
    status: 302,
    headers: { location: 'https://good.test/welcome' }
  })
  t.match(sent[0], { to: 'ann@x.test', from: 'noreply@example.com', subject: 'Thanks for Registering' })
  t.notMatch(Object.keys(sent[0]), ['mailer'])
})

t.test('a token of verification works once, and not for ever', async t => {
  const app = await makeApp(t, { user: { verificationTokenTTL: 600 } })
  const { User } = app.models
  await call(app, 'POST', '/Users', person('ann'))
  const mailer = { send: (_mail: any, next: any) => { next() } }
  const link = async (): Promise<string> => (await (await User.findById(1)).verify({ mailer })).token
  const token = await link()
  const answers = await Promise.all(
    [1, 2, 3, 4].map(async () => (await call(app, 'GET', `/Users/confirm?uid=1&token=${token}`)).status)
  )
  t.same(answers.sort(), [204, 400, 400, 400])
  const late = await link()
  const { now } = Date
  t.teardown(() => { Date.now = now })
  Date.now = () => now() + 601_000
  t.equal((await call(app, 'GET', `/Users/confirm?uid=1&token=${late}`)).status, 400)
})

t.test('attempts are limited, per account and per address', async t => {
  const app = await makeApp(t, {
    auth: { rateLimit: { account: { max: 3, timeWindow: 60_000 }, address: { max: 8, timeWindow: 60_000 } } }
  })
  await call(app, 'POST', '/Users', person('ann'))
  const audit: any[] = []
  app.registry.on('audit', event => audit.push(event))
  const attempt = async (username: string) => await call(app, 'POST', '/Users/login', { username, password: 'wrong' })
  const ann = [await attempt('ann'), await attempt('ann'), await attempt('ann'), await attempt('ANN')]
  t.same(ann.map(({ status }) => status), [401, 401, 401, 429])
  t.ok(Number(ann[3]?.headers['retry-after']) > 0)
  t.equal((await attempt('ben')).status, 401, 'others are not concerned')
  const many: number[] = []
  for (let i = 0; i < 5; i++) many.push((await attempt(`user-${i}`)).status)
  t.equal(many.at(-1), 429, 'until the address is')
  t.equal((await call(app, 'POST', '/Users/reset', { email: 'ann@x.test' })).status, 429)
  t.ok(audit.some(({ event }) => event === 'login failed'))
  t.ok(audit.some(({ event }) => event === 'attempts limited'))
  t.notMatch(JSON.stringify(audit), 'wrong')
})

t.test('one account per e-mail, also under concurrency', async t => {
  const app = await makeApp(t)
  const answers = await Promise.all(
    Array.from(
      { length: 8 },
      async () => (await call(app, 'POST', '/Users', { email: 'one@x.test', password: 'p' })).status
    )
  )
  t.same(answers.sort(), [200, 422, 422, 422, 422, 422, 422, 422])
})

t.test('a token in a body or a plain cookie is no credential', async t => {
  const app = await makeApp(t)
  await call(app, 'POST', '/Users', person('ann'))
  const token = await login(app, 'ann')
  const change = { oldPassword: 'x', newPassword: 'y' }
  t.equal((await call(app, 'POST', '/Users/change-password', { ...change, access_token: token })).status, 401)
  t.equal(
    (await call(app, 'POST', '/Users/change-password', change, undefined, { cookie: `access_token=${token}` })).status,
    401
  )
  t.equal(
    (await call(app, 'POST', '/Users/change-password', change, undefined, { authorization: `Bearer ${token}` })).status,
    400,
    'Bearer as it is'
  )
  t.equal(
    (
      await call(app, 'POST', '/Users/change-password', change, undefined, {
        authorization: `Bearer ${Buffer.from(token).toString('base64')}`
      })
    ).status,
    400,
    'Bearer of base64'
  )
  t.equal((await call(app, 'POST', `/Users/change-password?access_token=${token}`, change)).status, 400)
  t.equal(
    (await call(app, 'POST', `/Users/change-password?access_token=${'x'.repeat(5000)}`, change, token)).status,
    401,
    'the first carrier decides'
  )
})
