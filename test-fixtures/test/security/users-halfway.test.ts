/** Users who must set a second factor up first, and the application's own code: S-149; and what they read: S-171. */
import t, { type Test } from 'tap'
import { installAuthModels } from '@fastback/auth'
import { call, makeApp } from '../../../packages/auth/test/app.js'
import { application, Browser, type App } from '../../../packages/login/test/server.js'

const ends = { successRedirect: '/in', failureRedirect: '/out', failureQueryString: true, session: true }

async function start (t: Test, required: boolean): Promise<App> {
  const made = await application(t, {
    providers: {
      local: { module: 'passport-local', authPath: '/auth/local', ...ends },
      token: { module: 'passport-local', authPath: '/auth/token', setAccessToken: true, ...ends }
    }
  } as never, {
    before: ({ registry }) => {
      installAuthModels(registry)
      registry.attach('User', 'db', { public: true, settings: { secondFactor: { secret: 'a secret of the tests', required } } })
    }
  })
  await made.model('User').create({ email: 'ada@x.test', username: 'ada', password: 'ada-secret', emailVerified: true })
  return made
}

t.test('S-149 there is no user for routes of the application before the factor', async t => {
  // Seen to fail: showUser of login/fastify-user without mustEnrolFirst: `request.user` was ada
  for (const path of ['/auth/local', '/auth/token']) {
    for (const required of [true, false]) {
      const { app } = await start(t, required)
      const browser = new Browser(app)
      t.equal((await browser.post(path, { username: 'ada', password: 'ada-secret' })).location, '/in')
      t.equal((await browser.get('/whoami')).json().id, required ? null : 1, `${path} ${String(required)}`)
    }
  }
})

t.test('S-171 who must set a factor up reads no rows that are related to their own', async t => {
  // Seen to fail: auth/factors/enrolment.ts that lets findById through whatever its filter: the notes came along
  const app = await makeApp(t, {
    auth: { secondFactors: { secret: 'a secret of the tests', required: true } } as never,
    prepare: (_, { registry }) => {
      registry.defineModel({ name: 'Note', properties: { text: 'string' } })
      registry.attach('Note', 'db', { public: true })
      const User: any = registry.getModel('User')
      User.hasMany(registry.getModel('Note'), { as: 'notes', foreignKey: 'userId' })
    }
  })
  await app.models.User.create({ email: 'ann@x.test', password: 'ann-secret' })
  await app.models.Note.create({ text: 'hush', userId: 1 })
  const token = (await call(app, 'POST', '/Users/login', { email: 'ann@x.test', password: 'ann-secret' })).body.id
  t.equal((await call(app, 'GET', '/Users/1', undefined, token)).status, 200)
  for (const query of [
    'filter={"include":"notes"}', 'filter[include]=notes', 'filter[include][]=notes', 'filter%5Binclude%5D=notes',
    '[filter]={"include":"notes"}', '[filter][include]=notes', 'x=1&%5Bfilter%5D={"include":"notes"}',
    'filter={"include":{"relation":"notes"}}', '%66ilter={"include":"notes"}', 'filter={}&filter={"include":"notes"}'
  ]) {
    const { status, body } = await call(app, 'GET', `/Users/1?${query}`, undefined, token)
    t.equal(status, 403, query)
    t.notMatch(JSON.stringify(body), 'hush')
  }
})
