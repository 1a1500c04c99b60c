/** Users who must set a second factor up first, and the application's own code: S-149. */
import t, { type Test } from 'tap'
import { installAuthModels } from '@fastback/auth'
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
