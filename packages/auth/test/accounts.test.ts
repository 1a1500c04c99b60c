import Module from 'node:module'
import path from 'node:path'
import bcrypt from 'bcryptjs'
import t from 'tap'
import { findRowById } from '@fastback/core/remote'
import { call, login, makeApp, person } from './app.js'
import { ejsTemplate } from '../src/mail/template.js'
import { isStoredId, storedId } from '../src/tokens/token-text.js'

const rowOf = async (app: any, id: unknown) => await findRowById(app.models.User.compiled, id, undefined, {}) as any

t.test('P-13: passwords are stored as argon2id, whichever way they come', async t => {
  const app = await makeApp(t)
  t.same((await call(app, 'POST', '/Users', person('ann'))).body, { email: 'ann@x.test', username: 'ann', id: 1 })
  t.match((await rowOf(app, 1)).password, /^\$argon2id\$/)
  const created = await app.models.User!.create(person('ben'))
  t.match(created.password, /^\$argon2id\$/, 'the instance has no clear text either')
  t.equal(await created.hasPassword('ben-secret'), true)
  t.equal(await created.hasPassword('other'), false)

  // behaviour.md, B-15.3: a ready-made hash from outside is a password like any other.
  const ready = bcrypt.hashSync('known', 4)
  await call(app, 'POST', '/Users', person('eve', { password: ready }))
  t.equal((await call(app, 'POST', '/Users/login', { username: 'eve', password: 'known' })).status, 401)
  t.equal((await call(app, 'POST', '/Users/login', { username: 'eve', password: ready })).status, 200)

  // Security 4: a bulk update hashes as well, and ends the sessions.
  const token = await login(app, 'ann')
  t.same((await call(app, 'POST', '/Users/update?where={"username":"ann"}', { password: 'bulk' })).body, { count: 1 })
  t.match((await rowOf(app, 1)).password, /^\$argon2id\$/)
  t.equal((await call(app, 'POST', '/Users/login', { username: 'ann', password: 'bulk' })).status, 200)
  t.equal((await call(app, 'POST', '/Users/logout', undefined, token)).status, 401)

  for (const password of ['', 'p'.repeat(73), 'ü'.repeat(37)]) {
    t.equal((await call(app, 'PATCH', '/Users/1', { password })).status, 422)
  }
  t.equal(
    (await call(app, 'PATCH', '/Users/1', { password: 'ü'.repeat(36) })).status,
    200,
    'bytes count, not characters'
  )
})

t.test('saving an account in the process keeps its password', async t => {
  const app = await makeApp(t)
  const ann = await app.models.User!.create(person('ann'))
  ann.realm = 'north'
  await ann.save()
  t.equal((await call(app, 'POST', '/Users/login', { username: 'ann', password: 'ann-secret' })).status, 200)
  const found = await app.models.User!.findById(ann.id)
  found.password = 'new'
  await found.save()
  t.equal((await call(app, 'POST', '/Users/login', { username: 'ann', password: 'new' })).status, 200)
  t.equal(await found.hasPassword('new'), true)
})

t.test('P-40: migrated hashes of bcrypt are made anew at the next login', async t => {
  const app = await makeApp(t)
  await app.models.User!.create(person('ann', { password: bcrypt.hashSync('old-secret', 4) }))
  t.match((await rowOf(app, 1)).password, /^\$2b\$/, 'code in the process may store ready-made hashes')
  t.equal((await call(app, 'POST', '/Users/login', { username: 'ann', password: 'wrong' })).status, 401)
  t.match((await rowOf(app, 1)).password, /^\$2b\$/)
  const token = (await call(app, 'POST', '/Users/login', { username: 'ann', password: 'old-secret' })).body.id
  t.match((await rowOf(app, 1)).password, /^\$argon2id\$/)
  t.equal((await call(app, 'POST', '/Users/login', { username: 'ann', password: 'old-secret' })).status, 200)
  t.equal((await call(app, 'POST', '/Users/logout', undefined, token)).status, 204, 'the session is not ended by that')
})

// Counted in the processor's time of this process, whatever else the machine does.
t.test('a login for an unknown account costs as much as a wrong password', async t => {
  const app = await makeApp(t)
  await call(app, 'POST', '/Users', person('ann'))
  const time = async (username: string): Promise<number> => {
    const begun = process.cpuUsage()
    await call(app, 'POST', '/Users/login', { username, password: 'wrong' })
    const { user, system } = process.cpuUsage(begun)
    return user + system
  }
  await time('ann')
  const least = async (name: string): Promise<number> =>
    Math.min(...[await time(name), await time(name), await time(name), await time(name)])
  const [known, unknown] = [await least('ann'), await least('nobody')]
  t.ok(unknown > known / 3, `${unknown} and ${known} µs`)
})

t.test('tokens are stored hashed', async t => {
  const app = await makeApp(t)
  await call(app, 'POST', '/Users', person('ann'))
  const answer = await call(app, 'POST', '/Users/login', { username: 'ann', password: 'ann-secret' })
  const token = answer.body.id
  t.match(token, /^[A-Za-z0-9]{64}$/)
  t.equal(answer.headers['cache-control'], 'no-store')
  const { AccessToken } = app.models
  const listed = (await call(app, 'GET', '/AccessTokens')).body
  t.equal(listed.length, 1)
  t.equal(listed[0].id, storedId(token))
  t.notMatch(JSON.stringify(listed), token)
  // What a list shows, or a thief finds in the store, does not log in.
  t.equal((await call(app, 'POST', '/Users/logout', undefined, listed[0].id)).status, 401)
  t.equal((await AccessToken.findById(token)).id, token, 'who has the token finds it')
  t.same(await AccessToken.count({ id: token }), 1)
  t.same(await AccessToken.count({ id: { neq: token } }), 0)
  t.same(await AccessToken.count({ or: [{ id: { inq: [token] } }, { id: { nin: [token] } }] }), 1)
  t.same(await AccessToken.count({ id: { nin: [token] } }), 0)
  const found = (await AccessToken.find({ where: { id: token } }))[0]
  t.equal(found.id, token)
  await found.patchAttributes({ ttl: 77 })
  t.equal((await AccessToken.findById(token)).ttl, 77)
  t.equal(
    (await call(app, 'DELETE', `/AccessTokens/${encodeURIComponent(listed[0].id)}`)).status,
    200,
    'the listed id removes it'
  )
  t.equal((await call(app, 'POST', '/Users/logout', undefined, token)).status, 401)
  t.ok(isStoredId(listed[0].id))
})

t.test('rows of tokens that are not hashed yet go on working, and are hashed when first used', async t => {
  const app = await makeApp(t)
  const user = await app.models.User!.create(person('ann'))
  const { AccessToken } = app.models
  const store = app.registry.dataSources.db!.connector
  await store.create(AccessToken!.compiled, { id: 'legacy-token', ttl: 1000, created: new Date(), userId: user.id }, {})
  t.equal(await AccessToken.count({ id: 'legacy-token' }), 1)
  t.equal(
    (await call(app, 'POST', '/Users/change-password', { oldPassword: 'ann-secret', newPassword: 'n' }, 'legacy-token'))
      .status,
    204
  )
  const rows = await store.find(
    AccessToken!.compiled,
    { where: undefined, order: [], limit: undefined, skip: 0, select: AccessToken!.compiled.selectAll, include: [] },
    {}
  )
  t.same((rows as any[]).map(row => row.id), [storedId('legacy-token')])
  t.equal((await call(app, 'POST', '/Users/logout', undefined, 'legacy-token')).status, 204)
  t.equal(await AccessToken.count(), 0)
})

t.test('a token is forgotten at once, and without its user it is none', async t => {
  const app = await makeApp(t)
  await call(app, 'POST', '/Users', person('ann'))
  const token = await login(app, 'ann')
  const { AccessToken, User } = app.models
  const seen = async (): Promise<boolean> =>
    (await call(app, 'POST', '/Users/change-password', { oldPassword: 'x', newPassword: 'y' }, token)).status === 400
  t.equal(await seen(), true)
  await AccessToken.destroyAll()
  t.equal(await seen(), false)
  const again = await AccessToken.create({ userId: 1, ttl: 100 })
  t.equal(
    (await call(app, 'POST', '/Users/change-password', { oldPassword: 'x', newPassword: 'y' }, again.id)).status,
    400
  )
  // Security 13: removed behind the hooks' back.
  await app.registry.dataSources.db!.connector.deleteAll(User!.compiled, undefined, {})
  await AccessToken.updateAll({}, { ttl: 99 })
  t.equal(
    (await call(app, 'POST', '/Users/change-password', { oldPassword: 'x', newPassword: 'y' }, again.id)).status,
    401
  )
})

t.test('a password changed while a token is made ends that token', async t => {
  const app = await makeApp(t)
  await call(app, 'POST', '/Users', person('ann'))
  const { AccessToken, User } = app.models
  let change: Promise<unknown> | undefined
  AccessToken!.observe('before save', async (context: any) => {
    if (context.isNewInstance === true) change ??= User!.updateAll({ id: 1 }, { password: 'other' })
    await change
  })
  t.equal((await call(app, 'POST', '/Users/login', { username: 'ann', password: 'ann-secret' })).status, 401)
  t.equal(await AccessToken.count(), 0)
})

t.test('a message that nobody can send voids no earlier one', async t => {
  const app = await makeApp(t)
  const { User } = app.models
  const user = await User.create(person('ann'))
  await user.verify({ mailer: { send: (_mail: unknown, done: (error: null) => void) => { done(null) } } })
  const { verificationToken } = await User.findById(user.id)
  t.type(verificationToken, 'string')
  User.email = undefined
  await t.rejects(user.verify(), { code: 'FBK_AUTH_NO_MAILER' })
  await t.rejects(user.verify({ mailer: { send () {} }, template: 'x.ejs' }), { code: 'ENOENT' })
  t.equal((await User.findById(user.id)).verificationToken, verificationToken)
})

t.test('a message from an EJS file', async t => {
  const app = await makeApp(t)
  const template = path.join(t.testdir({
    'mail.ejs': '<p><%= user.username %>: <a href="<%- verifyHref %>"><%= text %></a></p>'
  }), 'mail.ejs')
  const user = await app.models.User.create(person('una', { username: 'a<b' }))
  let mail: any
  const send = (message: unknown, done: (error: null) => void): void => {
    mail = message
    done(null)
  }
  await user.verify({ mailer: { send }, template, text: 'here: {href}' })
  t.match(mail.html, /^<p>a&lt;b: <a href="http:\/\/.*\/confirm\?uid=1&redirect=[^"]*&token=\w+">here: http:[^<]*<\/a><\/p>$/)
  t.intercept(Module as unknown as { _load: unknown }, '_load', {
    value: () => { throw Object.assign(new Error('Cannot find module \'ejs\''), { code: 'MODULE_NOT_FOUND' }) }
  })
  t.throws(() => ejsTemplate(template, '/'), { code: 'FBK_AUTH_MAIL_TEMPLATE', message: /npm install ejs/ })
})
