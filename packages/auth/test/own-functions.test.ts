/** Functions of the built-in models that an application put its own in the place of: each is called (S-96). */
import { createHash } from 'node:crypto'
import bcrypt from 'bcryptjs'
import t from 'tap'
import { findRowById } from '@fastback/core/remote'
import { call, login, makeApp, person } from './app.js'

const md5 = (text: string): string => `md5:${createHash('md5').update(text).digest('hex')}`
const rowOf = async (app: any, id: unknown): Promise<any> =>
  await findRowById(app.models.User.compiled, id, undefined, {})
const weak = (): Error => Object.assign(new Error('at least 8'), { statusCode: 422, code: 'WEAK' })
/** The built-in function is part of it, as in code of LoopBack. */
function atLeastEight (User: any): void {
  const builtin = User.validatePassword
  User.validatePassword = function (plain: string) {
    builtin.call(this, plain)
    if (plain.length < 8) throw weak()
  }
}

t.test('S-96 validatePassword of the class refuses on every way to a password', async t => {
  const app = await makeApp(t, { prepare: models => { atLeastEight(models.User) } })
  const { User } = app.models
  const email = 'a@x.test'
  const refused = { status: 422, body: { error: { code: 'WEAK' } } }
  t.match(await call(app, 'POST', '/Users', { email, password: 'x' }), refused, 'create')
  t.match(await call(app, 'POST', '/Users', [{ email, password: 'long enough' }, { email: 'b@x.test', password: 'x' }]),
    { status: 422 }, 'a list')
  t.equal(await User.count(), 0)
  const { body: { id } } = await call(app, 'POST', '/Users', { email, username: 'a', password: 'long enough' })
  const { body: { id: token } } = await call(app, 'POST', '/Users/login', { email, password: 'long enough' })
  for (const [method, url, body] of [
    ['PATCH', `/Users/${id}`, { password: 'x' }],
    ['PUT', `/Users/${id}`, { email, password: 'x' }],
    ['PATCH', '/Users', { id, email, password: 'x' }],
    ['POST', '/Users/replaceOrCreate', { id, email, password: 'x' }],
    ['POST', `/Users/upsertWithWhere?where={"id":${id}}`, { email, password: 'x' }],
    ['POST', `/Users/update?where={"id":${id}}`, { password: 'x' }],
    ['POST', '/Users/change-password', { oldPassword: 'long enough', newPassword: 'x' }],
    ['POST', '/Users/reset-password', { newPassword: 'x' }]
  ] as const) t.match(await call(app, method, url, body, token), refused, `${method} ${url}`)
  const user = await User.findById(id)
  for (const [name, write] of Object.entries({
    create: () => User.create({ email: 'c@x.test', password: 'x' }),
    'an instance': () => new User({ email: 'c@x.test', password: 'x' }).save(),
    save: async () => { (user as any).password = 'x'; await user.save() },
    patchAttributes: () => user.patchAttributes({ password: 'x' }),
    updateAttribute: () => user.updateAttribute('password', 'x'),
    replaceById: () => User.replaceById(id, { email, password: 'x' }),
    upsert: () => User.upsert({ email: 'c@x.test', password: 'x' }),
    findOrCreate: () => User.findOrCreate({ where: { email: 'c@x.test' } }, { email: 'c@x.test', password: 'x' }),
    updateAll: () => User.updateAll({ id }, { password: 'x' }),
    setPassword: () => user.setPassword('x'),
    'User.setPassword': () => User.setPassword(id, 'x'),
    'User.changePassword': () => User.changePassword(id, 'long enough', 'x')
  })) await t.rejects(write(), { code: 'WEAK' } as never, name)
  t.equal((await call(app, 'POST', '/Users/login', { email, password: 'long enough' })).status, 200)
})

t.test('S-96 a refused password does not use the token of a reset up', async t => {
  const app = await makeApp(t, {
    user: { restrictResetPasswordTokenScope: true }, prepare: models => { atLeastEight(models.User) }
  })
  await call(app, 'POST', '/Users', person('ann'))
  const asked = new Promise<any>(resolve => { app.models.User.on('resetPasswordRequest', resolve) })
  await call(app, 'POST', '/Users/reset', { email: 'ann@x.test' })
  const { accessToken: { id } } = await asked
  t.equal((await call(app, 'POST', '/Users/reset-password', { newPassword: 'x' }, id)).status, 422)
  t.equal((await call(app, 'POST', '/Users/reset-password', { newPassword: 'long enough' }, id)).status, 204)
  t.equal((await call(app, 'POST', '/Users/reset-password', { newPassword: 'long enough' }, id)).status, 401)
})

t.test('S-96 hashPassword of the class makes the hashes: returned, promised or called back', async t => {
  const ways: Record<string, (...args: any[]) => unknown> = {
    returned: function (plain: string) { return md5(plain) },
    promised: async function (plain: string) { return md5(plain) },
    'called back': function (plain: string, next: (error: unknown, hash: string) => void) { setImmediate(next, null, md5(plain)) },
    'with a second parameter of its own': function (plain: string, _rounds: unknown) { return md5(plain) }
  }
  for (const [name, own] of Object.entries(ways)) {
    const app = await makeApp(t, {
      prepare: ({ User }: any) => {
        User.hashPassword = own
        User.prototype.hasPassword = async function (plain: string) { return this.password === md5(plain) }
      }
    })
    t.equal((await call(app, 'POST', '/Users', person('ann'))).status, 200)
    t.equal((await rowOf(app, 1)).password, md5('ann-secret'), name)
    const token = await login(app, 'ann')
    t.ok(token)
    t.equal((await rowOf(app, 1)).password, md5('ann-secret'), 'a login makes no other hash')
    t.equal((await call(app, 'POST', '/Users/change-password', { oldPassword: 'ann-secret', newPassword: 'n' }, token)).status, 204)
    t.equal((await rowOf(app, 1)).password, md5('n'))
    t.equal((await call(app, 'POST', '/Users', person('ben', { password: 'p'.repeat(73) }))).status, 422)
    const ann = await app.models.User!.findById(1)
    ann.realm = 'north'
    await ann.save()
    t.equal((await rowOf(app, 1)).password, md5('n'), 'what was read is no new password')
  }
})

t.test('a hashPassword that gives no text stores nothing', async t => {
  const app = await makeApp(t, { prepare: ({ User }: any) => { User.hashPassword = () => undefined } })
  await t.rejects(app.models.User!.create(person('ann')), { code: 'FBK_AUTH_HASH_NOT_TEXT' } as never)
  t.equal((await call(app, 'POST', '/Users', person('ann'))).status, 500)
  t.equal(await app.models.User!.count(), 0)
})

t.test('S-96 hasPassword of the class decides a login, and a change of password', async t => {
  for (const callsBack of [false, true]) {
    const app = await makeApp(t, {
      prepare: ({ User }: any) => {
        const builtin = User.prototype.hasPassword
        const check = (user: any, plain: string): unknown =>
          user.password.startsWith('md5:') ? user.password === md5(plain) : builtin.call(user, plain)
        User.prototype.hasPassword = callsBack
          ? function (this: any, plain: string, next: any) {
            Promise.resolve(check(this, plain)).then(is => next(null, is), next)
          }
          : async function (this: any, plain: string) { return await check(this, plain) }
      }
    })
    const { User } = app.models
    await User.create(person('ann'))
    await app.registry.dataSources.db!.connector.updateAll(User.compiled, undefined, { password: md5('old secret') }, {})
    t.equal((await call(app, 'POST', '/Users/login', { username: 'ann', password: 'wrong' })).status, 401)
    t.equal((await call(app, 'POST', '/Users/login', { username: 'ann' })).status, 401)
    const { status, body: { id } } = await call(app, 'POST', '/Users/login', { username: 'ann', password: 'old secret' })
    t.equal(status, 200, 'a hash of an older system')
    t.equal((await rowOf(app, 1)).password, md5('old secret'), 'it is the application\'s to make anew')
    const change = (oldPassword: string): Promise<any> =>
      call(app, 'POST', '/Users/change-password', { oldPassword, newPassword: 'new secret' }, id)
    t.equal((await change('wrong')).status, 400)
    t.equal((await change('old secret')).status, 204)
    t.match((await rowOf(app, 1)).password, /^\$argon2id\$/)
    t.equal((await call(app, 'POST', '/Users/login', { username: 'ann', password: 'new secret' })).status, 200)
  }
})

t.test('a hasPassword that fails lets nobody in, and a failed login takes its time', async t => {
  const app = await makeApp(t, {
    user: { accountAnswerTime: 60 },
    prepare: ({ User }: any) => { User.prototype.hasPassword = async () => { throw new Error('not today') } }
  })
  await app.models.User!.create(person('ann'))
  for (const username of ['ann', 'nobody']) {
    const begun = performance.now()
    t.match(await call(app, 'POST', '/Users/login', { username, password: 'x' }), { status: 401, body: { error: { code: 'LOGIN_FAILED' } } })
    t.ok(performance.now() - begun >= 59, username)
  }
})

t.test('S-96 normalizeCredentials of the class says what a login looks for', async t => {
  const app = await makeApp(t, {
    prepare: ({ User }: any) => {
      const builtin = User.normalizeCredentials
      User.normalizeCredentials = function (given: any, ...realm: unknown[]) {
        const query = builtin.call(this, given, ...realm)
        if (given.phone !== undefined) return { username: `tel-${given.phone}` }
        return given.also === undefined ? query : { ...query, realm: undefined, verificationToken: given.also }
      }
    }
  })
  await app.models.User!.create(person('tel-12', { password: 'secret' }))
  const send = async (body: object): Promise<number> => (await call(app, 'POST', '/Users/login', body)).status
  t.equal(await send({ phone: '12', password: 'secret' }), 200)
  t.equal(await send({ phone: '13', password: 'secret' }), 401)
  t.equal(await send({ password: 'secret' }), 400)
  t.equal(await send({ username: 'tel-12', password: 'secret' }), 200)
  t.equal(await send({ username: { neq: 1 }, password: 'secret' }), 400)
  t.equal(await send({ username: 'tel-12', also: { neq: 1 }, password: 'secret' }), 400, 'no query of the client\'s')
})

t.test('S-96 createAccessTokenId of the class makes the text of tokens', async t => {
  const ways: Record<string, (...args: any[]) => unknown> = {
    'called back': (next: any) => { setImmediate(next, null, 'my-own-token') },
    returned: () => 'my-own-token',
    promised: async () => 'my-own-token'
  }
  for (const [name, own] of Object.entries(ways)) {
    const app = await makeApp(t, { prepare: ({ AccessToken }: any) => { AccessToken.createAccessTokenId = own } })
    await app.models.User!.create(person('ann'))
    t.equal(await login(app, 'ann'), 'my-own-token', name)
    t.equal((await call(app, 'POST', '/Users/logout', undefined, 'my-own-token')).status, 204)
  }
  const app = await makeApp(t, { prepare: ({ AccessToken }: any) => { AccessToken.createAccessTokenId = () => 'sha256-x' } })
  await app.models.User!.create(person('ann'))
  t.equal((await call(app, 'POST', '/Users/login', { username: 'ann', password: 'ann-secret' })).status, 500, 'no token')
  t.equal(await app.models.AccessToken!.count(), 0)
})

t.test('S-96 validate of the class decides whether a token holds', async t => {
  let good = true
  const app = await makeApp(t, {
    prepare: ({ AccessToken }: any) => {
      AccessToken.prototype.validate = function (next: any) { setImmediate(next, null, good && this.ttl > 0) }
    }
  })
  await app.models.User!.create(person('ann'))
  const token = await login(app, 'ann')
  const change = { oldPassword: 'x', newPassword: 'y' }
  t.equal((await call(app, 'POST', '/Users/change-password', change, token)).status, 400, 'it holds')
  good = false
  t.match(await call(app, 'POST', '/Users/change-password', change, token),
    { status: 401, body: { error: { code: 'INVALID_TOKEN' } } })
})

t.test('S-96 functions of accounts that statics and routes lead to are the class\'s', async t => {
  const called: string[] = []
  const app = await makeApp(t, {
    prepare: ({ User }: any) => {
      const { changePassword, setPassword, createAccessToken } = User.prototype
      User.prototype.changePassword = function (old: string, plain: string, options: object, next: any) {
        called.push('changePassword')
        changePassword.call(this, old, plain, options, next)
      }
      User.prototype.setPassword = async function (plain: string, options: object) {
        called.push('setPassword')
        await setPassword.call(this, plain, options)
      }
      User.prototype.createAccessToken = async function (...args: unknown[]) {
        called.push('createAccessToken')
        return await createAccessToken.apply(this, args)
      }
      User.prototype.verify = async function () { called.push('verify') }
      User.confirm = async function () { called.push('confirm') }
      User.resetPassword = async function () { called.push('resetPassword') }
      User.generateVerificationToken = async function () { called.push('generateVerificationToken'); return 'v' }
      User.getVerifyOptions = function () { called.push('getVerifyOptions'); return { mailer: { send: async () => {} } } }
    }
  })
  const { User } = app.models
  await User.create(person('ann'))
  const token = await login(app, 'ann')
  const expect = (names: string[]): void => { t.strictSame(called.splice(0), names) }
  expect(['createAccessToken'])
  await call(app, 'POST', '/Users/change-password', { oldPassword: 'ann-secret', newPassword: 'n' }, token)
  expect(['changePassword', 'setPassword'])
  await call(app, 'POST', '/Users/reset-password', { newPassword: 'm' }, token)
  expect(['setPassword'])
  await call(app, 'GET', '/Users/confirm?uid=1&token=x')
  expect(['confirm'])
  await call(app, 'POST', '/Users/reset', { email: 'ann@x.test' })
  expect(['resetPassword'])
  await call(app, 'POST', '/Users/1/verify', undefined, token)
  t.ok(called.includes('verify'))
  const logins: unknown[] = []
  User.login = async (credentials: unknown) => { logins.push(credentials); return {} }
  User.logout = async () => { logins.push('out') }
  await call(app, 'POST', '/Users/login', { username: 'ann' })
  await call(app, 'POST', '/Users/logout', undefined, token)
  t.equal(logins.length, 2)
})

t.test('S-96 no before-save hook sees a password', async t => {
  const seen: unknown[] = []
  const app = await makeApp(t, {
    prepare: ({ User }: any) => {
      const look = async (ctx: any): Promise<void> => { seen.push((ctx.instance ?? ctx.data).password) }
      User.observe('before save', look)
      User.observe('before save', look, { first: true })
      User.base.observe('before save', look)
      User.observe('persist', async (ctx: any) => { seen.push(ctx.data.password, ctx.currentInstance?.password) })
      User.observe('after save', look)
    }
  })
  const { User } = app.models
  const email = 'a@x.test'
  const check = (what: string): void => {
    const values = seen.splice(0).filter(value => value !== undefined)
    t.ok(values.length > 0 && values.every(value => /^\$argon2id\$/.test(String(value))), `${what}: ${values.join(' ')}`)
  }
  await call(app, 'POST', '/Users', { email, password: 'plain-1' })
  check('create')
  await call(app, 'POST', '/Users', [{ email: 'b@x.test', password: 'plain-2' }, { email: 'c@x.test', password: 'plain-3' }])
  check('a list')
  for (const [method, url, body] of [
    ['PATCH', '/Users/1', {}], ['PUT', '/Users/1', { email }], ['PATCH', '/Users', { id: 1, email }],
    ['POST', '/Users/replaceOrCreate', { id: 1, email }], ['POST', '/Users/upsertWithWhere?where={"id":1}', { email }],
    ['POST', '/Users/update?where={"id":1}', {}]
  ] as const) {
    t.equal((await call(app, method, url, { ...body, password: 'plain-4' })).status, 200)
    check(`${method} ${url}`)
    t.equal((await call(app, 'POST', '/Users/login', { email, password: 'plain-4' })).status, 200)
    seen.length = 0
  }
  const user = await User.findById(1)
  user.password = 'plain-5'
  await user.save()
  check('save')
  t.equal(await user.hasPassword('plain-5'), true)
  await User.findOrCreate({ where: { email: 'd@x.test' } }, { email: 'd@x.test', password: 'plain-6' })
  check('findOrCreate')
  await user.setPassword('plain-7')
  check('setPassword')
  t.equal(await user.hasPassword('plain-7'), true)
})

t.test('validations of the property see the password, and not the hash', async t => {
  const app = await makeApp(t, {
    prepare: ({ User }: any) => {
      User.validatesLengthOf('password', { min: 8, max: 20 })
      User.validate('password', function (this: any, fail: () => void) { if (/^password/.test(this.password)) fail() }, { message: 'too easy' })
    }
  })
  const { User } = app.models
  const join = async (password: string): Promise<number> =>
    (await call(app, 'POST', '/Users', { email: 'a@x.test', password })).status
  t.equal(await join('short'), 422)
  t.equal(await join('password-long'), 422)
  t.equal(await join('good secret'), 200)
  const both = await call(app, 'POST', '/Users', { email: 'none', password: 'short' })
  t.match(JSON.stringify(both.body.error.details), /email.*password|password.*email/, 'all that is wrong at once')
  t.equal((await call(app, 'PATCH', '/Users/1', { password: 'short' })).status, 422)
  t.equal((await call(app, 'PATCH', '/Users/1', { password: 'longer secret' })).status, 200)
  t.equal((await call(app, 'PATCH', '/Users/1', { username: 'a' })).status, 200)
  const user = await User.findById(1)
  await t.rejects(user.setPassword('short'))
})

t.test('a hook that sets a password sets it', async t => {
  const app = await makeApp(t, {
    prepare: ({ User }: any) => {
      atLeastEight(User)
      User.observe('before save', async (ctx: any) => {
        if (ctx.isNewInstance === true && ctx.instance.username === 'made') ctx.instance.password = 'made by a hook'
        if (ctx.isNewInstance === true && ctx.instance.username === 'weak') ctx.instance.password = 'x'
      })
    }
  })
  const { User } = app.models
  const made = await User.create({ email: 'a@x.test', username: 'made', password: 'long enough' })
  t.equal(await made.hasPassword('made by a hook'), true)
  await t.rejects(User.create({ email: 'b@x.test', username: 'weak', password: 'long enough' }), { code: 'WEAK' } as never)
  const ready = await User.create({ email: 'c@x.test', password: bcrypt.hashSync('known', 4) })
  t.equal(await ready.hasPassword('known'), true)
})
