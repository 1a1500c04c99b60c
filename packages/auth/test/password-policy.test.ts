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
      code: 'VALIDATION_FAILED',
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

t.test('a policy holds on every way to a password', async t => {
  const app = await makeApp(t, { auth: { passwordPolicy: policy } })
  const { User } = app.models
  const send = (method: string, url: string, body: object, token?: string): Promise<Answer> =>
    call(app, method, url, body, token)
  const email = 'a@x.test'
  t.match(await send('POST', '/Users', { email, password: 'short' }), short('password'))
  t.match(await send('POST', '/Users', { email, password: 'password1' }), onList)
  t.match(await send('POST', '/Users', { email, password: 'x'.repeat(101) }), {
    status: 422, body: { error: { details: [{ code: 'maxLength', info: { limit: 100 } }] } }
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
