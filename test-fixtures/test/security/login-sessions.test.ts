/** Sessions of logins end with the rights of their users, whoever keeps them (S-150, S-154). */
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { installAuthModels } from '@fastback/auth'
import { codeOf } from './authenticator.js'
import { application, Browser, type App } from '../../../packages/login/test/server.js'

const password = 'ada-secret'

/** What `express-session` does, in few words: a session that another middleware keeps. */
function middleware (fastify: FastifyInstance): void {
  const rows = new Map<string, string>()
  let last = 0
  fastify.addHook('onRequest', async ({ raw, headers }, reply) => {
    const req = raw as typeof raw & { session?: object }
    const begin = (given: string | undefined): void => {
      const id = given !== undefined && rows.has(given) ? given : String(++last)
      if (id !== given) reply.header('set-cookie', `sid=${id}; Path=/`)
      const save = (): void => { rows.set(id, JSON.stringify(req.session)) }
      req.session = Object.assign(Object.create({
        regenerate (done: () => void) {
          rows.delete(id)
          begin(undefined)
          done()
        },
        save (done: () => void) {
          save()
          done()
        }
      }), JSON.parse(rows.get(id) ?? '{}'))
      save()
    }
    begin(/sid=(\d+)/.exec(headers.cookie ?? '')?.[1])
  })
}

async function shop (t: Test, { foreign = false, required = false }): Promise<App & { readonly ada: any }> {
  const made = await application(t, {
    accountPath: '/account', accountPage: '/page',
    providers: {
      local: { module: 'passport-local', authPath: '/auth/local', successRedirect: '/in', failureRedirect: '/out' }
    }
  } as never, {
    before: fastify => {
      installAuthModels(fastify.registry)
      const secondFactor = { secret: 'a secret of the tests', required }
      fastify.registry.attach('User', 'db', { public: true, settings: { secondFactor, forceId: false } })
      if (foreign) middleware(fastify)
    }
  })
  const person = { email: 'ada@x.test', username: 'ada', password, emailVerified: true }
  return { ...made, ada: await made.model('User').create(person) }
}

async function logIn ({ app }: App, form: object = {}): Promise<Browser> {
  const browser = new Browser(app)
  const { location } = await browser.post('/auth/local', { username: 'ada', password, ...form })
  t.equal(location, '/in')
  return browser
}

async function enrol ({ model, ada }: App & { readonly ada: any }): Promise<string> {
  const { secret } = await model('User').enrolTotp(ada.id, { password })
  await model('User').confirmTotp(ada.id, { otp: codeOf(secret, -1) })
  return secret
}

const seen = async (browser: Browser): Promise<object> => ({
  user: (await browser.get('/whoami')).json().id, account: (await browser.get('/account')).status
})

for (const foreign of [false, true]) {
  const kind = foreign ? 'another middleware\'s' : 'our own'
  const changes: Record<string, (app: App & { readonly ada: any }) => Promise<unknown>> = {
    'a new password': async ({ ada }) => await ada.patchAttributes({ password: 'another-secret' }),
    'a new address': async ({ ada }) => await ada.patchAttributes({ email: 'ada@y.test' }),
    'a second factor': enrol,
    'a deletion': async ({ model, ada }) => {
      await model('User').destroyById(ada.id)
      // Ids of some stores come again.
      await model('User').create({ id: ada.id, email: 'bob@x.test', username: 'bob', password: 'bob-secret' })
    }
  }
  for (const [name, change] of Object.entries(changes)) {
    t.test(`S-154 ${name} ends sessions of before: ${kind}`, async t => {
      // Seen to fail: login/src/session.ts whose MiddlewareSession does not ask when its login ended
      const app = await shop(t, { foreign })
      const browser = await logIn(app)
      t.same(await seen(browser), { user: app.ada.id, account: 200 })
      await change(app)
      t.same(await seen(browser), { user: null, account: 401 })
    })
  }

  t.test(`S-154 a login after the change is a login: ${kind}`, async t => {
    // Seen to fail: login/src/ended-logins.ts that takes every login of the user for one of before
    const app = await shop(t, { foreign })
    const secret = await enrol(app)
    await new Promise(resolve => { setTimeout(resolve, 5) })
    t.same(await seen(await logIn(app, { otp: codeOf(secret) })), { user: app.ada.id, account: 200 })
  })

  t.test(`S-150 the session of a user who must set up a factor first is nobody's: ${kind}`, async t => {
    // Seen to fail: login/src/logins.ts without lacksFactor in userIn
    const app = await shop(t, { foreign, required: true })
    const browser = await logIn(app)
    t.same(await seen(browser), { user: null, account: 401 })
    t.equal((await browser.get('/page')).status, 401)
    const secret = await enrol(app)
    await new Promise(resolve => { setTimeout(resolve, 5) })
    t.same(await seen(await logIn(app, { otp: codeOf(secret) })), { user: app.ada.id, account: 200 }, 'with one it is a login')
  })
}

t.test('S-154 many users at once, and one twice', async t => {
  // Seen to fail: login/src/ended-logins.ts that adds rows and changes none
  const app = await shop(t, { foreign: true })
  const User = app.model('User')
  const more = Array.from({ length: 600 }, (_, i) => ({ email: `u${i}@x.test`, username: `u${i}`, password: 'a-secret' }))
  await User.dataSource.connector.createMany?.(User.compiled, more.map((row, i) => ({ ...row, id: 1000 + i })), {})
  await app.ada.patchAttributes({ email: 'ada@y.test', emailVerified: true })
  await new Promise(resolve => { setTimeout(resolve, 5) })
  const browser = await logIn(app)
  t.same(await seen(browser), { user: app.ada.id, account: 200 })
  await User.destroyAll({})
  await User.create({ id: app.ada.id, email: 'bob@x.test', username: 'bob', password: 'bob-secret' })
  t.same(await seen(browser), { user: null, account: 401 })
  t.ok(await app.model('LoginState').count({ kind: 'ended' }) > 600)
})

t.test('S-155 what logins store of strangers goes when its time is over', async t => {
  // Seen to fail: there was no sweep: each login that somebody began was a row for ever
  const { app, model } = await shop(t, {})
  const old = { created: new Date(0), expiredAt: new Date(1) }
  const later = { created: new Date(0), expiredAt: new Date(Date.now() + 60_000) }
  for (const name of ['LoginState', 'LoginSession']) {
    await model(name).create([{ id: 'old', ...old }, { id: 'later', ...later }])
  }
  await app.logins.sweep()
  for (const name of ['LoginState', 'LoginSession']) {
    t.same((await model(name).find()).map(({ id }: { id: string }) => id), ['later'], name)
  }
})
