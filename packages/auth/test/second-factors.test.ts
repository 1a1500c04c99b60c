import t from 'tap'
import { findRows } from '@fastback/core/remote'
import { call, makeApp, person } from './app.js'
import { enrol, secret } from './factors.js'

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

t.test('OI-210 … OI-213, OI-216: a login asks for what the user has', async t => {
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
