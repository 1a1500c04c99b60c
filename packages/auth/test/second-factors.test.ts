import t from 'tap'
import { findRows } from '@fastback/core/remote'
import { call, makeApp, person } from './app.js'
import { stepAt, totpCode } from '../src/factors/totp.js'
import { enrol, fromBase32, secret } from './factors.js'

const on = { secondFactors: { secret } }
const rowsOf = async (app: any, name: string): Promise<any[]> =>
  await findRows(app.models[name].compiled, {}, {}) as any[]

t.test('without the setting nothing is there', async t => {
  const app = await makeApp(t)
  await app.models.User!.create(person('ann'))
  t.equal(app.models.UserFactor, undefined)
  t.equal((await call(app, 'POST', '/Users/second-factor', {})).status, 404)
  const { body } = await call(app, 'POST', '/Users/login', { username: 'ann', password: 'ann-secret', otp: '123456' })
  t.same(Object.keys(body).sort(), ['created', 'id', 'ttl', 'userId'])
  t.equal((await findRows(app.models.AccessToken.compiled, {}, {}) as any[])[0].amr, undefined)
})

t.test('OI-210, OI-211, OI-212, OI-213, OI-216: a login asks for what the user has', async t => {
  const app = await makeApp(t, { auth: on })
  await app.models.User!.create(person('ann'))
  await app.models.User!.create(person('ben'))
  const credentials = { username: 'ann', password: 'ann-secret' }
  const { code, token, recoveryCodes } = await enrol(app, 'ann', 1)
  t.equal(recoveryCodes.length, 10)
  for (const each of recoveryCodes) t.match(each, /^[2-9a-hjkmnp-z]{5}-[2-9a-hjkmnp-z]{5}$/)

  const asked = await call(app, 'POST', '/Users/login?include=user', { ...credentials, ttl: 77 })
  t.equal(asked.status, 401)
  t.equal(asked.headers['cache-control'], 'no-store')
  t.match(asked.body.error, { code: 'SECOND_FACTOR_REQUIRED', details: { factors: ['totp', 'recovery'], expiresIn: 300 } })
  const { challenge } = asked.body.error.details
  t.match(challenge, /^[\w-]{43}$/)
  t.not((await rowsOf(app, 'UserChallenge'))[0].id, challenge, 'only its digest is stored')
  t.equal((await rowsOf(app, 'AccessToken')).length, 1, 'no token was made')

  const wrong = await call(app, 'POST', '/Users/second-factor', { challenge, otp: '000000' })
  t.match(wrong, { status: 401, body: { error: { code: 'SECOND_FACTOR_FAILED' } } })
  const right = await call(app, 'POST', '/Users/second-factor', { challenge, otp: code() })
  t.match(right, { status: 200, body: { ttl: 77, userId: 1, user: { email: 'ann@x.test' } }, headers: { 'cache-control': 'no-store' } })
  t.notOk('amr' in right.body)
  t.same((await rowsOf(app, 'AccessToken')).map(({ amr }) => amr), [['pwd', 'otp', 'mfa'], ['pwd', 'otp', 'mfa']])
  const again = await call(app, 'POST', '/Users/second-factor', { challenge, otp: code(1) })
  t.match(again, { status: 401, body: { error: { code: 'CHALLENGE_INVALID' } } })

  t.equal((await call(app, 'POST', '/Users/login', { ...credentials, otp: code(1) })).status, 200)
  t.match(await call(app, 'POST', '/Users/login', { ...credentials, otp: code(1) }), { status: 401, body: { error: { code: 'SECOND_FACTOR_FAILED' } } })
  t.equal((await call(app, 'POST', '/Users/login', { ...credentials, recoveryCode: recoveryCodes[0]!.toUpperCase().replace('-', ' ') })).status, 200)
  t.equal((await call(app, 'POST', '/Users/login', { ...credentials, recoveryCode: recoveryCodes[0] })).status, 401)
  t.match((await call(app, 'GET', '/Users/1/second-factors', undefined, token)).body, { totp: true, recoveryCodes: 9, passkeys: [], devices: [] })
  t.equal((await call(app, 'POST', '/Users/login', { ...person('ben'), otp: 'x', recoveryCode: 7 })).status, 200, 'OI-216')
})

t.test('OI-221, OI-222, OI-223, OI-224, OI-226, OI-227, OI-228, OI-230, OI-231: setting up, renewing, removing', async t => {
  const app = await makeApp(t, { auth: { ...on, secondFactors: { secret, issuer: 'My Shop' }, currentUserLiteral: 'me' } })
  const { User } = app.models
  await User.create(person('ann'))
  const told: object[] = []
  User.on('secondFactorChanged', ({ user, change, kind }: any) => { told.push({ id: user.id, change, kind }) })
  const events: string[] = []
  ;(app as any).registry.on('audit', ({ event }: { event: string }) => { events.push(event) })
  const { body: { id: token } } = await call(app, 'POST', '/Users/login', { username: 'ann', password: 'ann-secret' })
  const post = (path: string, body: object): Promise<any> => call(app, 'POST', `/Users/me/${path}`, body, token)

  t.match(await post('totp', { password: 'wrong' }), { status: 401, body: { error: { code: 'LOGIN_FAILED' } } })
  for (const password of [undefined, null, 7, {}, ['ann-secret']]) t.equal((await post('totp', { password })).status, 401)
  t.equal((await rowsOf(app, 'UserFactor')).length, 0, 'nothing was made')
  const first = await post('totp', { password: 'ann-secret' })
  t.match(first, { status: 200, headers: { 'cache-control': 'no-store' } })
  t.match(first.body.secret, /^[A-Z2-7]{32}$/)
  t.equal(first.body.uri,
    `otpauth://totp/My%20Shop:ann%40x.test?secret=${first.body.secret}&issuer=My%20Shop&algorithm=SHA1&digits=6&period=30`)
  t.equal((await call(app, 'POST', '/Users/login', { username: 'ann', password: 'ann-secret' })).status, 200, 'not active yet')
  const second = await post('totp', { password: 'ann-secret' })
  t.not(second.body.secret, first.body.secret)
  const code = (text: string, later = 0): string => totpCode(fromBase32(text), stepAt(Date.now()) + later)
  t.equal((await post('totp/confirm', { otp: code(first.body.secret) })).body.error.code, 'SECOND_FACTOR_FAILED', 'that was replaced')
  for (const otp of ['000000', undefined, null, 5, {}, []]) t.equal((await post('totp/confirm', { otp })).status, 401)
  t.equal((await call(app, 'GET', '/Users/me/second-factors', undefined, token)).body.totp, false)
  const confirmed = await post('totp/confirm', { otp: code(second.body.secret, -1) })
  t.equal(new Set(confirmed.body.recoveryCodes).size, 10)
  t.equal((await post('totp/confirm', { otp: code(second.body.secret) })).status, 401, 'it is confirmed already')
  t.match(await post('totp', { password: 'ann-secret' }), { status: 409, body: { error: { code: 'TOTP_EXISTS' } } })
  const [sealed] = (await rowsOf(app, 'UserFactor')).filter(({ kind }) => kind === 'totp')
  t.match(sealed.secret, /^eyJ[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+$/, 'OI-34: sealed')

  t.equal((await post('recovery-codes', { password: 'ann-secret', otp: code(second.body.secret, -1) })).status, 401, 'used')
  t.equal((await post('recovery-codes', { password: 'ann-secret', recoveryCode: confirmed.body.recoveryCodes[0] })).status, 401)
  const renewed = await post('recovery-codes', { password: 'ann-secret', otp: code(second.body.secret) })
  t.equal(renewed.body.recoveryCodes.length, 10)
  const login = (more: object): Promise<any> =>
    call(app, 'POST', '/Users/login', { username: 'ann', password: 'ann-secret', ...more })
  t.equal((await login({ recoveryCode: confirmed.body.recoveryCodes[1] })).status, 401, 'the old ones ended')

  for (const body of [
    {}, { password: 'ann-secret' }, { otp: code(second.body.secret, 1) }, { password: 'no', otp: code(second.body.secret, 1) },
    { password: 'ann-secret', recoveryCode: 'x' }
  ]) t.equal((await post('totp/disable', body)).status, 401, JSON.stringify(Object.keys(body)))
  const [recoveryCode] = renewed.body.recoveryCodes
  t.equal((await post('totp/disable', { password: 'ann-secret', recoveryCode })).status, 204)
  t.same(await rowsOf(app, 'UserFactor'), [], 'recovery codes go with the last factor')
  t.equal((await login({})).status, 200)

  await enrol(app, 'ann', 1)
  await User.removeSecondFactors(1)
  t.same(await rowsOf(app, 'UserFactor'), [])
  await new Promise(resolve => setImmediate(resolve))
  t.same(told, [
    { id: 1, change: 'enrolled', kind: 'totp' }, { id: 1, change: 'renewed', kind: 'recovery' },
    { id: 1, change: 'removed', kind: 'totp' }, { id: 1, change: 'enrolled', kind: 'totp' },
    { id: 1, change: 'removed', kind: undefined }
  ])
  for (const event of [
    'second factor enrolled', 'recovery codes renewed', 'second factor removed', 'recovery code used', 'second factor failed'
  ]) t.ok(events.includes(event), event)
})

t.test('the setting of a model wins, and two user models are two', async t => {
  const app = await makeApp(t, {
    user: { secondFactor: false }, auth: on,
    prepare: (_models, app) => {
      for (const name of ['Customer', 'Seller']) {
        app.registry.defineModel({ name, base: 'User', settings: { secondFactor: { issuer: name } } } as never)
        app.registry.attach(name, 'db', { public: true })
      }
    }
  })
  const { Customer, Seller, User } = app.models
  for (const Model of [Customer, Seller, User]) await Model.create(person('ann'))
  t.equal((await call(app, 'POST', '/Users/1/totp', { password: 'ann-secret' })).status, 404)
  const { secret: text, uri } = await Customer.enrolTotp(1, { password: 'ann-secret' })
  t.match(uri, /totp\/Customer:/)
  await Customer.confirmTotp(1, { otp: totpCode(fromBase32(text), stepAt(Date.now())) })
  const status = async (path: string): Promise<number> =>
    (await call(app, 'POST', `/${path}/login`, { username: 'ann', password: 'ann-secret' })).status
  t.same([await status('Customers'), await status('Sellers'), await status('Users')], [401, 200, 200], 'S-44: ids alone are nobody\'s')
  const asked = await call(app, 'POST', '/Customers/login', { username: 'ann', password: 'ann-secret' })
  const { challenge } = asked.body.error.details
  const otp = totpCode(fromBase32(text), stepAt(Date.now()) + 1)
  t.equal((await call(app, 'POST', '/Sellers/second-factor', { challenge, otp })).body.error.code, 'CHALLENGE_INVALID')
  t.equal((await call(app, 'POST', '/Customers/second-factor', { challenge, otp })).status, 200)
})

t.test('settings that cannot be stop the start', async t => {
  const fails = async (options: object): Promise<void> => {
    await t.rejects(makeApp(t, options), { code: 'FBK_AUTH_INVALID_OPTIONS' })
  }
  await fails({ auth: { secondFactors: { secret: 'short' } } })
  await fails({ auth: { secondFactors: { secret: [] } } })
  await fails({ auth: { secondFactors: { sekret: secret } } })
  await fails({ auth: { secondFactors: { secret, issuer: 'a:b' } } })
  await fails({ auth: { secondFactors: { secret, required: [] } } })
  await fails({ user: { secondFactor: 'yes' }, auth: on })
})

t.test('an application\'s own createAccessToken gives the token of both steps', async t => {
  const app = await makeApp(t, {
    auth: on,
    prepare: ({ User }) => {
      const { prototype } = User as any
      const { createAccessToken } = prototype
      prototype.createAccessToken = function (ttl: number, options: object, next: (...args: any[]) => void) {
        createAccessToken.call(this, { ttl: 55 }, next)
      }
    }
  })
  await app.models.User.create(person('ann'))
  const { code } = await enrol(app, 'ann', 1)
  const right = await call(app, 'POST', '/Users/login', { username: 'ann', password: 'ann-secret', otp: code() })
  t.match(right, { status: 200, body: { ttl: 55 } })
  t.same((await rowsOf(app, 'AccessToken')).map(({ amr }) => amr), [['pwd', 'otp', 'mfa'], ['pwd', 'otp', 'mfa']])
})
