/** Second factors: nobody comes in without (S-119), and what proves one works once (S-120). */
import tap, { type Test } from 'tap'
import { challengeOf, codeOf, enrolled, login } from './authenticator.js'
import { atOnce, join, logIn, statuses } from './clients.js'
import { appWith } from './folders.js'
import { attack, storeNames, type Answer, type Attacked } from './harness.js'

type Loose = any

const role = (principalId: string, permission: string, more: object = {}): object =>
  ({ principalType: 'ROLE', principalId, permission, ...more })
const folderOf = appWith({
  Vault: {
    properties: { text: 'string' },
    acls: [role('$everyone', 'DENY'), role('$secondFactor', 'ALLOW')]
  },
  Note: { properties: { text: 'string' }, acls: [role('$everyone', 'DENY'), role('$authenticated', 'ALLOW')] }
})
const configWith = (secondFactors: object, more: object = {}): object => ({
  auth: { rateLimit: false, currentUserLiteral: 'me', secondFactors: { secret: 'a secret of the tests', ...secondFactors }, ...more },
  remoting: { errorHandler: { log: false }, context: false }
})
const start = async (t: Test, store: string, secondFactors: object = {}, more: object = {}): Promise<Attacked> =>
  await attack(t, folderOf(t, configWith(secondFactors, more)), store)

type Attempt = readonly [what: string, verb: string, path: string, json?: object, token?: 'ann' | 'ben']

/** Ann (1) has a second factor, Ben (2) has none. The attacker knows Ann's password, or has a session of hers. */
const attempts: readonly Attempt[] = [
  ['the password alone', 'POST', '/Users/login', { username: 'ann', password: 'ann-secret' }],
  ['by e-mail', 'POST', '/Users/login', { email: 'ann@x.test', password: 'ann-secret' }],
  ...['000000', '', ' ', 123456, null, true, [], ['000000'], {}, { $ne: '' }, { gt: 0 }, '0'.repeat(10_000), '１２３４５６'].map(
    (otp): Attempt => [`otp ${JSON.stringify(otp)?.slice(0, 20)}`, 'POST', '/Users/login', { username: 'ann', password: 'ann-secret', otp }]),
  ...['', 'aaaaa-aaaaa', 'aaaaaaaaaa', 7, null, [], {}, { inq: ['x'] }, '-'.repeat(1000)].map(
    (recoveryCode): Attempt => [`code ${JSON.stringify(recoveryCode)?.slice(0, 20)}`, 'POST', '/Users/login',
      { username: 'ann', password: 'ann-secret', recoveryCode }]),
  ['both at once', 'POST', '/Users/login', { username: 'ann', password: 'ann-secret', otp: '000000', recoveryCode: 'x' }],
  ['a response without a challenge', 'POST', '/Users/login', { username: 'ann', password: 'ann-secret', response: {} }],
  ...['x', 'a'.repeat(43), null, 7, [], {}, { like: '%' }].map((challenge): Attempt =>
    [`challenge ${JSON.stringify(challenge)}`, 'POST', '/Users/second-factor', { challenge, otp: '000000' }]),
  ['no challenge', 'POST', '/Users/second-factor', {}],
  ['a list', 'POST', '/Users/second-factor', []],
  ['a device that is none', 'POST', '/Users/login', { username: 'ann', password: 'ann-secret', deviceToken: 'a'.repeat(43) }],
  ['a device as object', 'POST', '/Users/login', { username: 'ann', password: 'ann-secret', deviceToken: { $gt: '' } }],
  ['amr of a client', 'POST', '/Users/login', { username: 'ann', password: 'ann-secret', amr: ['mfa'] }],
  // A session that was stolen, without the password or the factor.
  ['enrolment without a password', 'POST', '/Users/2/totp', {}, 'ben'],
  ['enrolment by a guess', 'POST', '/Users/2/totp', { password: 'guess' }, 'ben'],
  ['enrolment with a password that is none', 'POST', '/Users/2/totp', { password: { $ne: '' } }, 'ben'],
  ['enrolment with a guess', 'POST', '/Users/1/totp', { password: 'guess' }, 'ann'],
  ['a second one', 'POST', '/Users/1/totp', { password: 'ann-secret' }, 'ann'],
  ['confirming what does not wait', 'POST', '/Users/1/totp/confirm', { otp: '000000' }, 'ann'],
  ['removal without anything', 'POST', '/Users/1/totp/disable', {}, 'ann'],
  ['removal with the password alone', 'POST', '/Users/1/totp/disable', { password: 'ann-secret' }, 'ann'],
  ['removal with a wrong code', 'POST', '/Users/1/totp/disable', { password: 'ann-secret', otp: '000000' }, 'ann'],
  ['new recovery codes', 'POST', '/Users/1/recovery-codes', { password: 'ann-secret' }, 'ann'],
  ['new recovery codes by a guess', 'POST', '/Users/1/recovery-codes', { password: 'ann-secret', otp: '000000' }, 'ann'],
  // Somebody else.
  ['another\'s list', 'GET', '/Users/1/second-factors', undefined, 'ben'],
  ['another\'s enrolment', 'POST', '/Users/1/totp', { password: 'ann-secret' }, 'ben'],
  ['another\'s removal', 'POST', '/Users/1/totp/disable', { password: 'ann-secret', otp: '000000' }, 'ben'],
  ['another\'s device', 'DELETE', '/Users/1/devices/x', undefined, 'ben'],
  ['nobody\'s list', 'GET', '/Users/1/second-factors'],
  ['removal by an administrator is no route', 'POST', '/Users/removeSecondFactors', { id: 1 }, 'ann'],
  // The rows.
  ['factors as a model', 'GET', '/UserFactors', undefined, 'ann'],
  ['challenges as a model', 'GET', '/UserChallenges', undefined, 'ann'],
  ['factors by include', 'GET', '/Users/1?filter={"include":"factors"}', undefined, 'ben'],
  // A reset gives no login.
  ['a password by a session', 'POST', '/Users/reset-password', { newPassword: 'stolen-secret' }, 'ann']
]

for (const store of new Set(['sqlite', ...storeNames])) {
  tap.test(store, { timeout: 120_000 }, async t => {
    t.test('S-119: there is no way around a second factor', async t => {
      // Seen to fail: provePassword of auth/factors/functions.ts that returns at once
      const server = await start(t, store, { remember: 3600 })
      const ann = await enrolled(server, 'ann')
      const ben = await join(server, 'ben')
      const before = await server.rows('UserFactor', 'User')
      for (const [what, verb, path, json, who] of attempts) {
        const token = who === undefined ? undefined : who === 'ann' ? ann.token : ben.token
        const { status, text } = await server.send(verb, path, { ...json === undefined ? {} : { json }, token })
        t.ok(status >= 400 && status < 500, `${what}: ${String(status)}`)
        t.notMatch(text, /"ttl"|secret"|recoveryCodes"|stack|SELECT/, what)
      }
      t.equal(await server.rows('UserFactor', 'User'), before, 'nothing was changed')
      t.equal(await server.models.AccessToken?.count(), 2, 'and no token made')
    })

    t.test('S-119 OI-215: with a wrong password nothing tells that there is a factor', async t => {
      // Seen to fail: another code for a wrong password where `otp` was sent
      const server = await start(t, store)
      await enrolled(server, 'ann')
      await join(server, 'ben')
      const bodies = new Set<string>()
      for (const username of ['ann', 'ben', 'nobody']) {
        for (const more of [{}, { otp: '123456' }, { recoveryCode: 'x' }, { otp: {} }, { deviceToken: 'a'.repeat(43) }]) {
          const answer = await server.send('POST', '/Users/login', { json: { username, password: 'wrong', ...more } })
          bodies.add(`${answer.status} ${answer.text}`)
        }
      }
      t.equal(bodies.size, 1, [...bodies].join('\n'))
    })

    t.test('S-119: other logins and what they gave end with a change of factors; resets remove none', async t => {
      // Seen to fail: tellOfFactors without `credentials.tell`; `resetsOnly` that asks the setting alone
      const server = await start(t, store)
      const other = await join(server, 'ann')
      const { id } = other
      const token = await logIn(server.send, 'ann')
      const status = async (token: string): Promise<number> => (await server.send('GET', `/Users/${id}`, { token })).status
      const { body } = await server.send('POST', `/Users/${id}/totp`, { json: { password: 'ann-secret' }, token })
      const { secret } = body as { secret: string }
      t.equal(await status(other.token), 200)
      const confirmed = await server.send('POST', '/Users/me/totp/confirm', { json: { otp: codeOf(secret, -1) }, token })
      t.equal(confirmed.headers['cache-control'], 'no-store')
      t.same([await status(other.token), await status(token)], [401, 200])

      // A reset: its token opens the new password, once, and nothing else.
      const User = server.models.User as Loose
      const sent = new Promise<string>(resolve => { User.once('resetPasswordRequest', (info: Loose) => { resolve(info.accessToken.id) }) })
      await User.resetPassword({ email: 'ann@x.test' })
      const reset = await sent
      for (const [verb, path] of [['GET', `/Users/${id}`], ['GET', '/Notes'], ['GET', '/Users/me/second-factors'], ['POST', '/Users/me/totp']] as const) {
        const answer = await server.send(verb, path, { token: reset, ...verb === 'POST' ? { json: { password: 'ann-secret' } } : {} })
        t.ok(answer.status === 401 || answer.status === 403, `${path} ${answer.status}`)
      }
      const challenge = await challengeOf(server, 'ann')
      t.equal((await server.send('POST', '/Users/reset-password', { json: { newPassword: 'another one' }, token: reset })).status, 204)
      t.equal((await server.send('POST', '/Users/login', { json: { username: 'ann', password: 'another one' } })).code, 'SECOND_FACTOR_REQUIRED')
      t.equal((await server.send('POST', '/Users/second-factor', { json: { challenge, otp: codeOf(secret) } })).code, 'CHALLENGE_INVALID',
        'OI-213: a challenge of before the change')
      t.equal(await status(token), 401)
    })

    t.test('S-119 OI-218, OI-219: the role, and who must enrol', async t => {
      // Seen to fail: requireEnrolment not called by auth/plugin.ts; `#hasProven` that returns true
      const server = await start(t, store, { required: true })
      const ben = await join(server, 'ben')
      const codes: Record<string, unknown> = {}
      for (const [verb, path, json] of [
        ['GET', '/Notes'], ['POST', '/Notes', { text: 'x' }], ['GET', '/Vaults'], ['PATCH', `/Users/${ben.id}`, { username: 'b' }],
        ['DELETE', `/Users/${ben.id}`], ['POST', '/Users/change-password', { oldPassword: 'ben-secret', newPassword: 'other' }],
        ['GET', `/Users/${ben.id}`], ['GET', '/Users/me'], ['GET', '/Users/me/second-factors']
      ] as const) codes[`${verb} ${path}`] = (await server.send(verb, path, { token: ben.token, ...json === undefined ? {} : { json } })).code
      const refused = 'SECOND_FACTOR_ENROLMENT_REQUIRED'
      t.same(codes, {
        'GET /Notes': refused, 'POST /Notes': refused, 'GET /Vaults': 'AUTHORIZATION_REQUIRED', [`PATCH /Users/${ben.id}`]: refused,
        [`DELETE /Users/${ben.id}`]: refused, 'POST /Users/change-password': refused,
        [`GET /Users/${ben.id}`]: undefined, 'GET /Users/me': undefined, 'GET /Users/me/second-factors': undefined
      })
      const ann = await enrolled(server, 'ann')
      for (const path of ['/Notes', '/Vaults']) {
        t.equal((await server.send('GET', path, { token: ann.token })).status, 200, `${path} with a factor`)
      }
      t.equal((await server.send('POST', '/Users/logout', { token: ben.token })).status, 204)
    })

    t.test('S-120 OI-223, OI-225: of many at once one is right', async t => {
      // Seen to fail: `rows.change` of prove in totp-factor.ts without its condition
      const server = await start(t, store)
      const ann = await enrolled(server, 'ann')
      const otp = codeOf(ann.secret)
      t.same(statuses(await atOnce(12, () => login(server, 'ann', { otp }))), { 200: 1, 401: 11 }, 'a code of now')
      t.same(statuses(await atOnce(12, () => login(server, 'ann', { recoveryCode: ann.recoveryCodes[0] }))), { 200: 1, 401: 11 })
      const two = await atOnce(8, i => login(server, 'ann', { recoveryCode: ann.recoveryCodes[1 + i % 2] }))
      t.equal(statuses(two)[200], 2, 'two codes at once are both good')
      t.match((await server.send('GET', `/Users/${ann.id}/second-factors`, { token: ann.token })).body, { recoveryCodes: 7 })
      const challenge = await challengeOf(server, 'ann')
      const used = await atOnce(8, i =>
        server.send('POST', '/Users/second-factor', { json: { challenge, recoveryCode: ann.recoveryCodes[3 + i % 4] } }))
      t.equal(statuses(used)[200], 1, 'a challenge works once')
    })

    t.test('S-120 OI-213: a challenge dies after five wrong proofs, one after the other or at once', async t => {
      // Seen to fail: `#counted` of challenges.ts that returns the row without counting
      const server = await start(t, store)
      const ann = await enrolled(server, 'ann')
      const prove = async (challenge: string, proof: object): Promise<Answer> =>
        await server.send('POST', '/Users/second-factor', { json: { challenge, ...proof } })
      for (const guesses of [
        async (challenge: string) => { for (let i = 0; i < 5; i++) await prove(challenge, { otp: '000000' }) },
        async (challenge: string) => {
          const codes = (await atOnce(20, () => prove(challenge, { otp: '000000' }))).map(({ code }) => code)
          t.ok(codes.filter(code => code === 'SECOND_FACTOR_FAILED').length <= 5, 'at most five were judged')
        }
      ]) {
        const challenge = await challengeOf(server, 'ann')
        await guesses(challenge)
        t.equal((await prove(challenge, { recoveryCode: ann.recoveryCodes[0] })).code, 'CHALLENGE_INVALID')
      }
      const other = await challengeOf(server, 'ann')
      t.equal((await prove(other, { recoveryCode: ann.recoveryCodes[0] })).status, 200, 'the code was not used up by that')
    })

    t.test('S-120 OI-214: wrong factors are counted for the account, over all challenges', async t => {
      // Seen to fail: `prove` of second-factors.ts without `counted`
      const timeWindow = 60_000
      const limits = { rateLimit: { account: { max: 6, timeWindow }, address: { max: 10_000, timeWindow } } }
      const server = await start(t, store, {}, limits)
      const ann = await enrolled(server, 'ann')
      const challenges: string[] = []
      for (let i = 0; i < 3; i++) challenges.push(await challengeOf(server, 'ann'))
      const results = await atOnce(12, i =>
        server.send('POST', '/Users/second-factor', { json: { challenge: challenges[i % 3], otp: '000000' } }))
      t.match(statuses(results), { 401: 6, 429: 6 })
      const refused = await server.send('POST', '/Users/second-factor', { json: { challenge: challenges[0], recoveryCode: ann.recoveryCodes[0] } })
      t.equal(refused.status, 429, 'right ones as well')
      t.match(refused.headers['retry-after'], /^[1-6]?\d$/)
    })

    t.test('S-120: a day has few wrong factors, until the password is another', async t => {
      // Seen to fail: `counted` of second-factors.ts without `also`
      const server = await start(t, store, { wrongPerDay: 4 }, { rateLimit: {} })
      const ann = await enrolled(server, 'ann')
      const tryOne = async (more: object, password = 'ann-secret'): Promise<number> =>
        (await server.send('POST', '/Users/login', { json: { username: 'ann', password, ...more } })).status
      for (let i = 0; i < 4; i++) t.equal(await tryOne({ otp: '000000' }), 401)
      t.equal(await tryOne({ recoveryCode: ann.recoveryCodes[0] }), 429, 'right ones as well')
      const User = server.models.User as Loose
      await (await User.findById(1)).patchAttributes({ password: 'another-secret' })
      t.equal(await tryOne({ recoveryCode: ann.recoveryCodes[0] }, 'another-secret'), 200)
    })

    t.test('S-120 OI-229: no secret, code or challenge is in a log line, a list or an event', async t => {
      // Seen to fail: the event of a used recovery code with what was sent
      const server = await start(t, store)
      const ann = await enrolled(server, 'ann')
      const challenge = await challengeOf(server, 'ann')
      const otp = codeOf(ann.secret)
      await server.send('POST', '/Users/second-factor', { json: { challenge, otp } })
      await login(server, 'ann', { recoveryCode: ann.recoveryCodes[0] })
      const shown = server.logged() + await server.rows('UserFactor', 'UserChallenge', 'User')
      for (const text of [ann.secret, challenge, ...ann.recoveryCodes]) t.notOk(shown.includes(text))
      t.notMatch(JSON.stringify(await server.models.UserFactor?.find()), /"secret"|"data"|digests/)
    })

    t.test('remembered devices: in place of the factor, until something changes', async t => {
      const server = await start(t, store, { remember: 3600 })
      const ann = await enrolled(server, 'ann')
      const first = await login(server, 'ann', { otp: codeOf(ann.secret), remember: true, deviceName: 'desk' })
      const { deviceToken, id: token } = first.body as { deviceToken: string, id: string }
      t.match(deviceToken, /^[\w-]{43}$/)
      t.equal((await login(server, 'ann', { deviceToken })).status, 200)
      t.equal((await server.send('POST', '/Users/login', { json: { username: 'ann', password: 'no', deviceToken } })).code, 'LOGIN_FAILED')
      const { body } = await server.send('GET', '/Users/me/second-factors', { token })
      t.match(body, { devices: [{ name: 'desk', id: String }] })
      t.notOk(JSON.stringify(body).includes(deviceToken))
      const device = (body as Loose).devices[0].id as string
      // A device is no second factor of this login: what asks for one stays closed.
      const byDevice = ((await login(server, 'ann', { deviceToken })).body as Loose).id as string
      t.equal((await server.send('GET', '/Vaults', { token: byDevice })).status, 401)
      t.equal((await server.send('DELETE', `/Users/me/devices/${device}`, { token })).status, 204)
      t.equal((await server.send('DELETE', `/Users/me/devices/${device}`, { token })).status, 404)
      t.equal((await login(server, 'ann', { deviceToken })).code, 'SECOND_FACTOR_REQUIRED')

      const again = await login(server, 'ann', { recoveryCode: ann.recoveryCodes[0], remember: true })
      const kept = (again.body as Loose).deviceToken as string
      await (server.models.User as Loose).setPassword(ann.id, 'a new password')
      const after = await server.send('POST', '/Users/login', { json: { username: 'ann', password: 'a new password', deviceToken: kept } })
      t.equal(after.code, 'SECOND_FACTOR_REQUIRED', 'a new password forgets devices')
    })

    t.test('a deleted user leaves no factor to the next one with its id', async t => {
      const server = await start(t, store)
      const ann = await enrolled(server, 'ann')
      t.equal((await server.send('DELETE', `/Users/${ann.id}`, { token: ann.token })).status, 200)
      t.equal(await server.models.UserFactor?.count(), 0)
    })
  })
}
