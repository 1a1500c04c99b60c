import t, { type Test } from 'tap'
import type { FastifyInstance } from 'fastify'
import { findRows } from '@fastback/core/remote'
import { authService } from '@fastback/auth/service'
import { call, login, makeApp, person } from './app.js'
import { Authenticator } from './authenticator.js'
import { enrol, secret } from './factors.js'
import { addPasskey, passkeyLogin, webauthn } from './passkeys.js'

const on = { secondFactors: { secret, webauthn } }
const failed = { status: 401, body: { error: { code: 'LOGIN_FAILED' } } }
const refused = { status: 400, body: { error: { code: 'PASSKEY_REFUSED' } } }
const rowsOf = async (app: any, name: string): Promise<any[]> =>
  await findRows(app.models[name].compiled, {}, {}) as any[]

async function shop (t: Test, more: object = {}): Promise<FastifyInstance & { models: Record<string, any> }> {
  const app = await makeApp(t, { auth: { ...on, ...more } })
  for (const name of ['ann', 'ben']) await app.models.User.create(person(name))
  return app
}

t.test('without the setting there is no route', async t => {
  const app = await makeApp(t, { auth: { secondFactors: { secret } } })
  for (const path of ['/Users/passkey/options', '/Users/passkey/login', '/Users/1/passkeys', '/Users/1/passkeys/options']) {
    t.equal((await call(app, 'POST', path, {})).status, 404, path)
  }
})

t.test('OI-240: creation options ask for the password, and say what is wanted', async t => {
  const app = await shop(t)
  const token = await login(app, 'ann')
  const options = await call(app, 'POST', '/Users/1/passkeys/options', { password: 'ann-secret' }, token)
  t.match(options, {
    status: 200,
    headers: { 'cache-control': 'no-store' },
    body: {
      challenge: /^[\w-]{43}$/,
      rp: { id: 'localhost', name: 'Shop' },
      user: { id: /^[\w-]{43}$/, name: 'ann@x.test', displayName: 'ann' },
      pubKeyCredParams: [-8, -7, -257].map(alg => ({ type: 'public-key', alg })),
      excludeCredentials: [],
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
      attestation: 'none',
      timeout: 300_000
    }
  })
  const again = await call(app, 'POST', '/Users/1/passkeys/options', { password: 'ann-secret' }, token)
  t.equal(again.body.user.id, options.body.user.id, 'the same user for authenticators')
  t.not(again.body.challenge, options.body.challenge)
  for (const password of ['wrong', undefined, 7, {}]) {
    t.match(await call(app, 'POST', '/Users/1/passkeys/options', { password }, token), failed)
  }
})

t.test('OI-240: who has a factor proves it as well', async t => {
  const app = await shop(t)
  const { token, code } = await enrol(app, 'ann', 1)
  const path = '/Users/1/passkeys/options'
  t.equal((await call(app, 'POST', path, { password: 'ann-secret', otp: '000000' }, await weak(app))).status, 401)
  t.match(await call(app, 'POST', path, { password: 'ann-secret' }, await weak(app)), { body: { error: { code: 'SECOND_FACTOR_FAILED' } } })
  t.equal((await call(app, 'POST', path, { password: 'ann-secret', otp: code() }, await weak(app))).status, 200)
  t.equal((await call(app, 'POST', path, { password: 'ann-secret' }, token)).status, 200, 'a young login with two factors')
})

/** A token of a login with a password alone, of before the user had a factor. */
async function weak (app: any): Promise<string> {
  return (await app.models.AccessToken.create({ userId: 1, ttl: 1000 })).id
}

t.test('OI-241: a passkey is stored when everything is right; other logins end', async t => {
  const app = await shop(t)
  const other = await login(app, 'ann')
  const changes: any[] = []
  app.models.User.on('secondFactorChanged', (change: unknown) => { changes.push(change) })
  const events: any[] = []
  app.registry.on('audit', (event: unknown) => { events.push(event) })
  const { passkey, token, authenticator } = await addPasskey(app, 'ann', 1)
  t.match(passkey, { id: /^[\w-]{43}$/, name: 'Phone', created: String, backedUp: false })
  t.same(Object.keys(passkey).sort(), ['backedUp', 'created', 'id', 'name'])
  t.notOk((await rowsOf(app, 'AccessToken')).some(({ id }) => id === other))
  const list = await call(app, 'GET', '/Users/1/second-factors', undefined, token)
  t.match(list.body, { totp: false, passkeys: [{ id: passkey.id, name: 'Phone', backedUp: false, lastUsed: null }] })
  t.notMatch(JSON.stringify(list.body), /publicKey|handle|credentialId/)
  await new Promise(setImmediate)
  t.match(changes, [{ change: 'enrolled', kind: 'webauthn', user: { id: 1 } }])
  t.match(events.filter(({ event }) => event === 'second factor enrolled'), [{ kind: 'webauthn', userId: 1 }])
  t.same((await rowsOf(app, 'AccessToken')).map(({ amr }) => amr), [['pwd', 'pop', 'user', 'mfa']])
  const { body: options } = await call(app, 'POST', '/Users/1/passkeys/options', { password: 'ann-secret' }, token)
  t.match(options.excludeCredentials, [{ type: 'public-key', id: authenticator.id.toString('base64url'), transports: ['internal'] }])
})

t.test('OI-241: whatever is wrong with it, nothing is stored', async t => {
  const app = await shop(t)
  const token = await login(app, 'ann')
  const path = '/Users/1/passkeys'
  const begin = async (): Promise<any> => (await call(app, 'POST', `${path}/options`, { password: 'ann-secret' }, token)).body
  const twists: Record<string, object> = {
    origin: { origin: 'http://localhost:3001' }, rpId: { rpId: 'example.org' }, type: { type: 'webauthn.get' },
    'no user': { present: false }, 'no verification': { verified: false }, challenge: { challenge: 'A'.repeat(43) },
    crossOrigin: { crossOrigin: true }, topOrigin: { topOrigin: 'http://localhost:3000' }
  }
  for (const [name, twist] of Object.entries(twists)) {
    t.match(await call(app, 'POST', path, { response: new Authenticator().create(await begin(), twist) }, token), refused, name)
  }
  t.match(await call(app, 'POST', path, { response: new Authenticator(undefined, 'ES384').create(await begin()) }, token), refused, 'algorithm')
  for (const response of [undefined, null, 7, 'x', [], {}, { response: {} }, { id: 'A', rawId: 'A', type: 'public-key', response: { clientDataJSON: 'e30', attestationObject: 'AA' } }]) {
    t.match(await call(app, 'POST', path, { response }, token), refused, JSON.stringify(response))
  }
  const options = await begin()
  const made = new Authenticator().create(options)
  t.match(await call(app, 'POST', path, { response: { ...made, id: 'AAAA', rawId: 'AAAA' } }, token), refused, 'another id than the attested one')
  t.equal((await rowsOf(app, 'UserFactor')).filter(({ kind }) => kind === 'passkey').length, 0)
  for (const algorithm of ['ES256', 'EdDSA', 'RS256'] as const) {
    const right = { response: new Authenticator(undefined, algorithm).create(await begin()) }
    t.equal((await call(app, 'POST', path, right, token)).status, 200, algorithm)
    t.match(await call(app, 'POST', path, right, token), refused, 'the same once more')
  }
  const known = new Authenticator()
  await call(app, 'POST', path, { response: known.create(await begin()) }, token)
  t.match(await call(app, 'POST', path, { response: known.create(await begin()) }, token), refused, 'a credential that is known')
})

t.test('OI-242: options of a login tell nothing of accounts', async t => {
  const app = await shop(t)
  await addPasskey(app, 'ann', 1)
  const bodies = [{}, { email: 'ann@x.test' }, { email: 'nobody@x.test' }, { email: { '%ne': 1 } }]
  const all = await Promise.all(bodies.map(async body => await call(app, 'POST', '/Users/passkey/options', body)))
  for (const { status, body, headers } of all) {
    t.equal(status, 200)
    t.equal(headers['cache-control'], 'no-store')
    t.match(body, { challenge: /^[\w-]{43}$/, rpId: 'localhost', userVerification: 'required', timeout: 300_000 })
    t.same(Object.keys(body).sort(), ['challenge', 'rpId', 'timeout', 'userVerification'])
  }
})

t.test('OI-243, OI-249: as second factor, for the challenge of the login', async t => {
  const app = await shop(t)
  const { authenticator } = await addPasskey(app, 'ann', 1)
  const begin = async (): Promise<any> => {
    const asked = await call(app, 'POST', '/Users/login', { username: 'ann', password: 'ann-secret', ttl: 77 })
    t.match(asked, { status: 401, body: { error: { code: 'SECOND_FACTOR_REQUIRED', details: { factors: ['webauthn'] } } } })
    return asked.body.error.details
  }
  const details = await begin()
  t.match(details.webauthn, { challenge: details.challenge, rpId: 'localhost', userVerification: 'required', allowCredentials: [{ id: authenticator.id.toString('base64url') }] })
  const response = authenticator.get(details.webauthn)
  const done = await call(app, 'POST', '/Users/second-factor', { challenge: details.challenge, response })
  t.match(done, { status: 200, body: { userId: 1, ttl: 77 } })
  t.same((await app.models.AccessToken.findById(done.body.id)).amr, ['pwd', 'pop', 'user', 'mfa'])
  t.match(await call(app, 'POST', '/Users/second-factor', { challenge: details.challenge, response }), { body: { error: { code: 'CHALLENGE_INVALID' } } })
  const second = await begin()
  const wrong = { status: 401, body: { error: { code: 'SECOND_FACTOR_FAILED' } } }
  t.match(await call(app, 'POST', '/Users/second-factor', { challenge: second.challenge, response }), wrong, 'a response to another challenge')
  const unverified = authenticator.get(second.webauthn, { verified: false })
  t.match(await call(app, 'POST', '/Users/second-factor', { challenge: second.challenge, response: unverified }), wrong)
})

t.test('OI-244: a passkey alone logs in', async t => {
  const app = await shop(t)
  const { authenticator } = await addPasskey(app, 'ann', 1)
  const { status, body, headers } = await passkeyLogin(app, authenticator)
  t.equal(status, 200)
  t.equal(headers['cache-control'], 'no-store')
  t.match(body, { id: String, userId: 1, ttl: 1_209_600 })
  t.same((await app.models.AccessToken.findById(body.id)).amr, ['pop', 'user', 'mfa'])
  t.equal((await call(app, 'GET', '/Users/1', undefined, body.id)).status, 200)
  t.equal((await passkeyLogin(app, authenticator, { userHandle: undefined })).status, 200, 'without a user handle')
  const twists: Record<string, object> = {
    origin: { origin: 'http://evil.test' }, rpId: { rpId: 'evil.test' }, type: { type: 'webauthn.create' },
    'no user': { present: false }, 'no verification': { verified: false }, 'user handle': { userHandle: 'AAAA' },
    'another credential': { id: 'AAAA' }, challenge: { challenge: 'A'.repeat(43) },
    signature: { tamper: (signature: Buffer) => Buffer.from(signature.map((byte, i) => i === 12 ? byte ^ 1 : byte)) }
  }
  for (const [name, twist] of Object.entries(twists)) {
    t.match(await passkeyLogin(app, authenticator, twist), failed, name)
  }
  t.match(await passkeyLogin(app, new Authenticator()), failed, 'nobody\'s')
  const { body: options } = await call(app, 'POST', '/Users/passkey/options', {})
  const response = authenticator.get(options)
  const both = await Promise.all([1, 2].map(async () => await call(app, 'POST', '/Users/passkey/login', { response })))
  t.same(both.map(each => each.status).sort(), [200, 401], 'at the same time, one gets in')
  t.match(await call(app, 'POST', '/Users/passkey/login', { response, ttl: 5 }), failed, 'once')
})

t.test('OI-245: a counter that does not grow marks the passkey', async t => {
  const app = await shop(t)
  const { authenticator, passkey } = await addPasskey(app, 'ann', 1)
  const { code } = await (async () => {
    const token = (await passkeyLogin(app, authenticator)).body.id
    const { body } = await call(app, 'POST', '/Users/1/totp', { password: 'ann-secret' }, token)
    const { fromBase32 } = await import('./factors.js')
    const { stepAt, totpCode } = await import('../src/factors/totp.js')
    const codeOf = (later: number): string => totpCode(fromBase32(body.secret), stepAt(Date.now()) + later)
    await call(app, 'POST', '/Users/1/totp/confirm', { otp: codeOf(-1) }, token)
    return { code: codeOf }
  })()
  t.equal((await passkeyLogin(app, authenticator, { counter: 7 })).status, 200)
  const tamper = (signature: Buffer): Buffer => Buffer.from(signature.map((byte, i) => i === 12 ? byte ^ 1 : byte))
  t.match(await passkeyLogin(app, authenticator, { counter: 3, tamper }), failed)
  t.equal((await passkeyLogin(app, authenticator, { counter: 8 })).status, 200, 'who has not got the key marks nothing')
  const events: any[] = []
  app.registry.on('audit', (event: unknown) => { events.push(event) })
  t.match(await passkeyLogin(app, authenticator, { counter: 5 }), failed)
  t.match(events.filter(({ event }) => event === 'passkey suspected'), [{ userId: '1', passkey: passkey.id, counter: 5, before: 8 }])
  t.match(await passkeyLogin(app, authenticator, { counter: 99 }), failed, 'it stays refused')
  t.match((await call(app, 'POST', '/Users/login', { username: 'ann', password: 'ann-secret' })).body.error.details.factors, ['totp', 'recovery', 'webauthn'], 'it is a factor still: a password alone is not enough')
  const token = (await call(app, 'POST', '/Users/login', { username: 'ann', password: 'ann-secret', otp: code(0) })).body.id
  const path = `/Users/1/passkeys/${passkey.id}`
  t.equal((await call(app, 'PATCH', path, { name: 'Phone 2' }, token)).status, 401)
  t.match(await call(app, 'PATCH', path, { name: 'Phone 2', otp: code(1) }, token), { status: 200, body: { name: 'Phone 2' } })
  t.equal((await passkeyLogin(app, authenticator, { counter: 100 })).status, 200)
})

t.test('OI-246: removed with the password or a young login, renamed; those of others are not there', async t => {
  const app = await shop(t)
  const ann = await addPasskey(app, 'ann', 1)
  const ben = await addPasskey(app, 'ben', 2)
  const of = (id: number, passkey: string): string => `/Users/${id}/passkeys/${passkey}`
  t.match(await call(app, 'PATCH', of(1, ann.passkey.id), { name: 'Key' }, ann.token), { status: 200, body: { name: 'Key', id: ann.passkey.id } })
  for (const name of ['', '  ', 7, undefined, 'x'.repeat(256)]) {
    t.match(await call(app, 'PATCH', of(1, ann.passkey.id), { name }, ann.token), { status: 400, body: { error: { code: 'PASSKEY_NAME_INVALID' } } })
  }
  for (const method of ['PATCH', 'DELETE']) {
    t.equal((await call(app, method, of(1, ben.passkey.id), { name: 'x', password: 'ann-secret' }, ann.token)).status, 404)
  }
  t.equal((await rowsOf(app, 'UserFactor')).filter(({ kind, userId }) => kind === 'passkey' && userId === '2').length, 1)
  const { AccessToken } = app.models
  const old = (await AccessToken.create({ userId: 1, ttl: 10_000 })).id
  await AccessToken.updateAll({ id: old }, { created: new Date(Date.now() - 400_000) })
  t.match(await call(app, 'DELETE', of(1, ann.passkey.id), undefined, old), failed)
  t.match(await call(app, 'DELETE', of(1, ann.passkey.id), { password: 'wrong' }, old), failed)
  t.equal((await call(app, 'DELETE', of(1, ann.passkey.id), { password: 'ann-secret' }, old)).status, 204)
  t.match(await passkeyLogin(app, ann.authenticator), failed)
  t.notOk((await rowsOf(app, 'AccessToken')).some(({ id }) => id === ann.token), 'other logins end')
  t.equal((await call(app, 'DELETE', of(2, ben.passkey.id), undefined, ben.token)).status, 204, 'a young login')
  t.equal((await call(app, 'POST', '/Users/login', { username: 'ben', password: 'ben-secret' })).status, 200, 'a password is enough again')
})

t.test('OI-247: up to twenty of a user; in production domain and origins are written', async t => {
  const app = await shop(t)
  const { token } = await addPasskey(app, 'ann', 1)
  const path = '/Users/1/passkeys'
  const begin = async (): Promise<any> => await call(app, 'POST', `${path}/options`, { password: 'ann-secret' }, token)
  const waiting = (await begin()).body
  for (let i = 0; i < 19; i++) {
    await call(app, 'POST', path, { response: new Authenticator().create((await begin()).body) }, token)
  }
  t.match(await begin(), { status: 409, body: { error: { code: 'PASSKEY_LIMIT' } } })
  t.match(await call(app, 'POST', path, { response: new Authenticator().create(waiting) }, token), refused, 'options of before a change')
  t.equal((await rowsOf(app, 'UserFactor')).filter(({ kind }) => kind === 'passkey').length, 20)

  const { relyingParty } = await import('../src/passkeys/settings.js')
  t.throws(() => relyingParty({}, 'User', undefined, true), { code: 'FBK_AUTH_INVALID_OPTIONS' })
  t.throws(() => relyingParty({ rpId: 'shop.example' }, 'User', undefined, true), { code: 'FBK_AUTH_INVALID_OPTIONS' })
  t.throws(() => relyingParty({ rpId: 'shop.example' }, 'User', undefined, false), { code: 'FBK_AUTH_INVALID_OPTIONS' })
  t.match(relyingParty({}, 'User', 'https://id.shop.example', true), { id: 'id.shop.example', name: 'User' })
  t.ok(relyingParty({}, 'User', 'https://id.shop.example', true).isOwn('https://id.shop.example'))
  for (const origin of ['http://shop.example', 'https://shop.example/', 'shop.example', 'https://shop.example.evil.test', 'https://evilshop.example']) {
    t.throws(() => relyingParty({ rpId: 'shop.example', origins: [origin] }, 'User', undefined, true), { code: 'FBK_AUTH_INVALID_OPTIONS' }, origin)
  }
  const local = relyingParty({}, 'User', undefined, false)
  t.ok(local.isOwn('http://localhost:8080'))
  for (const origin of ['http://localhost.evil.test', 'https://localhost', 'http://localhost:80800:1', 'http://a.localhost']) t.notOk(local.isOwn(origin), origin)
})

t.test('OI-248: origins count by equality', async t => {
  const app = await shop(t, { secondFactors: { secret, webauthn: { rpId: 'shop.example', origins: ['https://shop.example'] } } })
  const { authenticator } = await addPasskey(app, 'ann', 1, new Authenticator('https://shop.example'))
  for (const origin of ['https://a.shop.example', 'https://shop.example.evil.test', 'http://shop.example', 'https://shop.example:444', 'null', '']) {
    t.match(await passkeyLogin(app, authenticator, { origin }), failed, origin)
  }
  t.match(await passkeyLogin(app, authenticator, { crossOrigin: true }), failed)
  t.equal((await passkeyLogin(app, authenticator)).status, 200)
})

t.test('OI-214: wrong passkeys count for the account, options for the address', async t => {
  const limit = (max: number): object => ({ max, timeWindow: 60_000 })
  const app = await shop(t, { rateLimit: { account: limit(3), address: limit(12) } })
  const { authenticator } = await addPasskey(app, 'ann', 1)
  for (let i = 0; i < 3; i++) t.match(await passkeyLogin(app, authenticator, { verified: false }), failed)
  const limited = await passkeyLogin(app, authenticator)
  t.equal(limited.status, 429)
  t.match(limited.headers['retry-after'], /^\d+$/)
  let last = 200
  for (let i = 0; i < 12; i++) last = (await call(app, 'POST', '/Users/passkey/options', {})).status
  t.equal(last, 429)
})

t.test('S-73: a passkey of a removed user is nobody\'s', async t => {
  const app = await shop(t)
  const { authenticator } = await addPasskey(app, 'ann', 1)
  await app.models.User.destroyById(1)
  t.match(await passkeyLogin(app, authenticator), failed)
  t.equal((await rowsOf(app, 'UserFactor')).length, 0)
  t.ok(authService(app.registry).secondFactors(app.models.User))
})
