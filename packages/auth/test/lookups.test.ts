/** Functions of AccessToken and User that code of applications calls, and overrides. */
import t from 'tap'
import { call, makeApp } from './app.js'

t.test('tokens are found, resolved and validated by code', async t => {
  const app = await makeApp(t)
  const { User, AccessToken } = app.models
  const user = await User.create({ email: 'a@x.test', password: 'secret' })
  const token = await AccessToken.create({ userId: user.id, ttl: 1000 })
  t.equal((await AccessToken.createAccessTokenId()).length, 64)
  t.equal(AccessToken.ANONYMOUS.id, '$anonymous')
  t.equal(AccessToken.getIdForRequest({ headers: { authorization: token.id } }), token.id)
  t.equal(AccessToken.getIdForRequest({ headers: {}, query: { access_token: token.id } }), token.id)
  t.equal(AccessToken.getIdForRequest({ headers: {} }), undefined)
  t.equal((await AccessToken.resolve(token.id)).userId, user.id)
  t.equal(await AccessToken.resolve('x'.repeat(64)), null)
  const found = await new Promise((resolve, reject) => {
    const request = { headers: { authorization: token.id } }
    AccessToken.findForRequest(request, (error: Error | null, each: { id: string }) => {
      if (error === null) resolve(each.id)
      else reject(error)
    })
  })
  t.equal(found, token.id)
  t.equal(await token.validate(), true)
  token.ttl = -1
  t.equal(await token.validate(), false)
  User.settings.allowEternalTokens = true
  t.equal(await token.validate(), true)
})

t.test('an application\'s own way to find a token is the one that requests go', async t => {
  const app = await makeApp(t, {
    prepare: ({ AccessToken }) => {
      AccessToken!.resolve = (id: string, done: (error: null, token: unknown) => void) => {
        done(null, id === 'from elsewhere' ? { id, userId: 7 } : null)
      }
    }
  })
  app.models.User.observe('access', (context: { options: { accessToken?: { userId: number } } }) => {
    seen.push(context.options.accessToken?.userId)
  })
  const seen: unknown[] = []
  await call(app, 'GET', '/Users', undefined, 'from elsewhere')
  await call(app, 'GET', '/Users', undefined, 'another')
  t.strictSame(seen, [7, undefined])
})

t.test('passwords and credentials at hand of code', async t => {
  const app = await makeApp(t)
  const { User } = app.models
  const hash = User.hashPassword('secret')
  const user = await User.create({ email: 'a@x.test', password: hash })
  t.equal(await user.hasPassword('secret'), true)
  t.equal(User.validatePassword('secret'), true)
  t.throws(() => User.validatePassword('x'.repeat(73)), { code: 'PASSWORD_TOO_LONG' })
  t.throws(() => User.hashPassword(''), { code: 'INVALID_PASSWORD' })
  t.strictSame(User.normalizeCredentials({ email: 'a@x.test', password: 'x' }), { email: 'a@x.test' })
})

t.test('createAccessToken with a call-back, and functions of verify with options', async t => {
  const app = await makeApp(t)
  const { User } = app.models
  const user = await User.create({ email: 'a@x.test', password: 'secret' })
  const own = User.prototype.createAccessToken
  User.prototype.createAccessToken = function (ttl: number, options: object, done: (...args: unknown[]) => void) {
    seen.push(Object.keys(options))
    this.accessTokens.create({ ttl: ttl / 2 }, done)
  }
  const seen: unknown[] = []
  t.equal((await User.login({ email: 'a@x.test', password: 'secret', ttl: 100 })).ttl, 50)
  User.prototype.createAccessToken = own
  const mailer = {
    send (mail: { html: string }, options: object, done: (error: null, result: object) => void) {
      seen.push(mail.html, options)
      done(null, {})
    }
  }
  await user.verify({
    mailer,
    generateVerificationToken: (_user: object, options: object, done: (error: null, token: string) => void) => {
      seen.push(options)
      done(null, 'token')
    },
    templateFn: (_mail: object, options: object, done: (error: null, html: string) => void) => {
      seen.push(options)
      done(null, 'html')
    }
  }, { flag: true })
  const flag = { flag: true }
  t.strictSame(seen, [['email', 'password', 'ttl'], flag, flag, 'html', flag])
})
