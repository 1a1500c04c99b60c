import t from 'tap'
import { restRoutes } from '@fastback/rest'
import { call, makeApp, type Answer } from './app.js'

const breached = new Set(['password1', 'letmein!!'])
const policy = {
  minLength: 8,
  maxLength: 100,
  check: async (password: string) => breached.has(password) ? 'is on a list of passwords that were made public' : true
}
const short = (property: string): object => ({
  status: 422,
  body: {
    error: {
      name: 'UnprocessableEntityError',
      code: 'PASSWORD_TOO_SHORT',
      message: /8 characters/,
      details: [
        { path: `.${property}`, code: 'minLength', message: 'must have at least 8 characters', info: { limit: 8 } }
      ]
    }
  }
})
const onList = {
  status: 422,
  body: { error: { code: 'VALIDATION_FAILED', details: [{ path: '.password', code: 'policy', message: /made public/ }] } }
}

t.test('OI-260, OI-261: a policy holds on every way to a password', async t => {
  const app = await makeApp(t, { auth: { passwordPolicy: policy } })
  const { User } = app.models
  const send = (method: string, url: string, body: object, token?: string): Promise<Answer> =>
    call(app, method, url, body, token)
  const email = 'a@x.test'
  t.match(await send('POST', '/Users', { email, password: 'short' }), short('password'))
  t.match(await send('POST', '/Users', { email, password: 'password1' }), onList)
  t.match(await send('POST', '/Users', { email, password: 'x'.repeat(101) }), {
    status: 422, body: { error: { code: 'PASSWORD_TOO_LONG', details: [{ code: 'maxLength', info: { limit: 100 } }] } }
  })
  const password = 'x'.repeat(100)
  const { status, body: { id } } = await send('POST', '/Users', { email, password })
  t.equal(status, 200, 'longer than bcrypt takes')
  const { body: { id: token } } = await send('POST', '/Users/login', { email, password })
  for (const [url, body] of [
    ['/Users/change-password', { oldPassword: password }], ['/Users/reset-password', {}]
  ] as const) {
    t.match(await send('POST', url, { ...body, newPassword: 'short' }, token), short('newPassword'), url)
    t.match(await send('POST', url, { ...body, newPassword: 'letmein!!' }, token), onList, url)
  }
  for (const [method, url, data] of [
    ['PATCH', `/Users/${id}`, {}],
    ['PUT', `/Users/${id}`, { email }],
    ['PATCH', '/Users', { id, email }],
    ['POST', '/Users/replaceOrCreate', { id, email }],
    ['POST', `/Users/upsertWithWhere?where={"id":${id}}`, { email }],
    ['POST', `/Users/update?where={"id":${id}}`, {}]
  ] as const) {
    t.match(await send(method, url, { ...data, password: 'short' }), short('password'), `${method} ${url}`)
    t.match(await send(method, url, { ...data, password: 'password1' }), onList, `${method} ${url}`)
  }
  const user = await User.findById(id)
  await t.rejects(user.setPassword('short'), { violations: [{ code: 'minLength' }] } as never)
  await t.rejects(User.create({ email: 'b@x.test', password: 'letmein!!' }), { violations: [{ code: 'policy' }] } as never)
  t.throws(() => User.validatePassword('short'), { statusCode: 422 } as never)
  t.throws(() => User.hashPassword(password), { code: 'PASSWORD_TOO_LONG' }, 'that one is made with bcrypt')
  user.username = 'ann'
  await user.save()
  t.equal(await user.hasPassword(password), true, 'what is stored is no new password')

  const routes = restRoutes(User.registry)
  const create = routes.find(({ method }) => method.model === User && method.name === 'create')
  t.match(User.compiled.schemas.create.properties.password, { minLength: 8, maxLength: 100 })
  t.ok(create)
  const change = routes.find(({ method }) => method.model === User && method.name === 'changePassword')
  t.match(change?.method.accepts.find(({ arg }) => arg === 'newPassword'), { jsonSchema: { minLength: 8, maxLength: 100 } })
})

t.test('without a policy nothing is new', async t => {
  const app = await makeApp(t)
  t.equal((await call(app, 'POST', '/Users', { email: 'a@x.test', password: 'x' })).status, 200)
  t.match(await call(app, 'POST', '/Users', { email: 'b@x.test', password: 'x'.repeat(73) }), {
    status: 422, body: { error: { name: 'Error', code: 'PASSWORD_TOO_LONG' } }
  })
  t.notOk('minLength' in app.models.User.compiled.schemas.create.properties.password)
})

t.test('a check that fails lets nobody in', async t => {
  const check = async (): Promise<never> => { throw new Error('the list cannot be reached') }
  const app = await makeApp(t, { auth: { passwordPolicy: { check } } })
  t.equal((await call(app, 'POST', '/Users', { email: 'a@x.test', password: 'fine enough' })).status, 500)
  t.equal(await app.models.User.count(), 0)
})

const wordy = { minLength: 8, words: ['Fastback', 'correct horse'], breached: ['Password1', 'letmein!!'] }
const coded = (code: string): object => ({ status: 422, body: { error: { code } } })

t.test('OI-263, OI-262: names, words and lists, on every way to a password', async t => {
  const app = await makeApp(t, { auth: { passwordPolicy: wordy } })
  const { User } = app.models
  const account = { email: 'ann.lee@x.test', username: 'Annabella' }
  const refused = [
    ['annabella', 'PASSWORD_TOO_COMMON'], ['ANN.LEE@X.TEST', 'PASSWORD_TOO_COMMON'], ['fastBACK', 'PASSWORD_TOO_COMMON'],
    ['CORRECT HORSE', 'PASSWORD_TOO_COMMON'], ['password1', 'PASSWORD_BREACHED'], ['letmein!!', 'PASSWORD_BREACHED']
  ] as const
  for (const [password, code] of refused) {
    t.match(await call(app, 'POST', '/Users', { ...account, password }), coded(code), password)
  }
  t.match(await call(app, 'POST', '/Users', { email: 'anna-lena@x.test', password: 'anna-lena' }), coded('PASSWORD_TOO_COMMON'))
  const password = 'quite another one'
  const { body: { id } } = await call(app, 'POST', '/Users', { ...account, password })
  const { body: { id: token } } = await call(app, 'POST', '/Users/login', { ...account, password })
  for (const [bad, code] of refused) {
    for (const [method, url, data] of [
      ['POST', '/Users/change-password', { oldPassword: password, newPassword: bad }],
      ['POST', '/Users/reset-password', { newPassword: bad }],
      ['PATCH', `/Users/${id}`, { password: bad }],
      ['PUT', `/Users/${id}`, { ...account, password: bad }],
      ['POST', `/Users/update?where={"id":${id}}`, { password: bad }],
      ['POST', `/Users/upsertWithWhere?where={"id":${id}}`, { password: bad }]
    ] as const) t.match(await call(app, method, url, data, token), coded(code), `${method} ${url} ${bad}`)
    const user = await User.findById(id)
    await t.rejects(user.patchAttributes({ password: bad }), { code }, 'OI-266: code is bound as well')
    await t.rejects(user.setPassword(bad), { code })
    await t.rejects(User.setPassword(id, bad), { code })
  }
  const shown = await call(app, 'POST', '/Users', { ...account, email: 'other@x.test', password: 'annabella' })
  t.notMatch(JSON.stringify(shown.body), /lee@x/, 'OI-267: a refusal tells nothing of other accounts')
})

t.test('OI-266: code in the process sets what the policy refuses, where it says so', async t => {
  const app = await makeApp(t, { auth: { passwordPolicy: wordy } })
  const { User } = app.models
  const skip = { skipPasswordPolicy: true }
  const ann = await User.create({ email: 'ann@x.test', password: 'short' }, skip)
  t.equal((await call(app, 'POST', '/Users/login', { email: 'ann@x.test', password: 'short' })).status, 200)
  await ann.patchAttributes({ password: 'other' }, skip)
  await User.setPassword(ann.id, 'Password1', skip)
  await User.changePassword(ann.id, 'Password1', 'fastback', skip)
  t.equal(await (await User.findById(ann.id)).hasPassword('fastback'), true)
  await t.rejects(User.create({ email: 'b@x.test', password: '' }, skip), { statusCode: 422 } as never)
  await t.rejects(User.create({ email: 'b@x.test', password: 'x'.repeat(73) }, skip), { code: 'PASSWORD_TOO_LONG' })
  const { status } = await call(app, 'POST', '/Users', { email: 'c@x.test', password: 'short', skipPasswordPolicy: true, options: skip })
  t.equal(status, 422, 'clients do not say so')
})

t.test('OI-264: a password of before the policy lets its user in, and the audit says so', async t => {
  const app = await makeApp(t, { auth: { passwordPolicy: wordy } })
  await app.models.User.create({ email: 'ann@x.test', password: 'short' }, { skipPasswordPolicy: true })
  await app.models.User.create({ email: 'ben@x.test', password: 'quite another one' })
  const events: object[] = []
  ;(app as any).registry.on('audit', (event: object) => { events.push(event) })
  for (const [email, password] of [['ann@x.test', 'short'], ['ben@x.test', 'quite another one']]) {
    t.equal((await call(app, 'POST', '/Users/login', { email, password })).status, 200)
  }
  t.match(events, [{ event: 'login', passwordPolicy: 'refused' }, { event: 'login', passwordPolicy: undefined }])
})

t.test('OI-265: one password, whatever keyboard it came from', async t => {
  const app = await makeApp(t, { auth: { passwordPolicy: { minLength: 8 } } })
  const [composed, parts] = ['\u00fc'.repeat(8), 'u\u0308'.repeat(8)]
  for (const [email, password] of [['a@x.test', composed], ['b@x.test', parts]]) {
    t.equal((await call(app, 'POST', '/Users', { email, password })).status, 200)
    for (const sent of [composed, parts]) {
      t.equal((await call(app, 'POST', '/Users/login', { email, password: sent })).status, 200)
    }
  }
  t.match(await call(app, 'POST', '/Users', { email: 'c@x.test', password: 'u\u0308'.repeat(4) }), coded('PASSWORD_TOO_SHORT'), 'characters count after NFC')
  // A hash of before, of the text as it was sent.
  const argon2 = (await import('argon2')).default
  await app.models.User.create({ email: 'd@x.test', password: await argon2.hash(parts, { memoryCost: 19_456, timeCost: 2, parallelism: 1 }) })
  t.equal((await call(app, 'POST', '/Users/login', { email: 'd@x.test', password: parts })).status, 200)
})

t.test('OI-262: modules, functions and services; who does not respond is not waited for', async t => {
  const dir = t.testdir({
    'breached.mjs': 'export default async (password, { sha1, model }) => sha1 === "EE8D8728F435FD550F83852AABAB5234CE1DA528" && model === "User"',
    'none.mjs': 'export const other = 1'
  })
  const create = async (breached: unknown, password = 'iloveyou'): Promise<any> => {
    const app = await makeApp(t, { auth: { passwordPolicy: { breached } as never } })
    return await call(app, 'POST', '/Users', { email: 'a@x.test', password })
  }
  t.match(await create(`${dir}/breached.mjs`), coded('PASSWORD_BREACHED'))
  t.equal((await create(`${dir}/breached.mjs`, 'another one')).status, 200)
  await t.rejects(create(`${dir}/none.mjs`), { code: 'FBK_AUTH_INVALID_OPTIONS' })
  await t.rejects(create(`${dir}/missing.mjs`), { code: 'FBK_AUTH_INVALID_OPTIONS' })
  t.match(await create((password: string) => password === 'iloveyou'), coded('PASSWORD_BREACHED'))
  t.equal((await create(() => { throw new Error('no list') })).status, 200, 'it fails open')
  const began = Date.now()
  t.equal((await create(() => new Promise(() => {}))).status, 200)
  t.ok(Date.now() - began < 3000, 'after a second')

  const asked: string[] = []
  const { createServer } = await import('node:http')
  const server = createServer((request, response) => {
    asked.push(request.url as string)
    if (request.url === '/range/EE8D8') response.end('0000000000000000000000000000000000A:3\r\n728F435FD550F83852AABAB5234CE1DA528:1234\r\n')
    else response.end('0000000000000000000000000000000000A:3\r\n' + 'F'.repeat(35) + ':0')
  })
  await new Promise<void>(resolve => { server.listen(0, '127.0.0.1', resolve) })
  t.teardown(() => { server.close() })
  const url = `http://127.0.0.1:${(server.address() as { port: number }).port}/range`
  t.match(await create({ url }), coded('PASSWORD_BREACHED'))
  t.equal((await create({ url }, 'another one')).status, 200)
  t.ok(asked.every(each => /^\/range\/[0-9A-F]{5}$/.test(each)), 'nothing but five digits goes out')
  t.equal((await create({ url: 'http://127.0.0.1:9/range' })).status, 200)
})
