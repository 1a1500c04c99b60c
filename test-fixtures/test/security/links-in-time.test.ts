/** A link that somebody began is ended soon, by whatever strategy (S-151). */
import t from 'tap'
import { application, Browser } from '../../../packages/login/test/server.js'

/** As strategies of passport are. */
class Strategy {
  readonly name = 'fake'
  constructor (_options: object, readonly verify: (...args: unknown[]) => void) {}
  authenticate (this: any, req: { query: { code?: string } }): void {
    if (req.query.code === undefined) { this.redirect('https://provider.example/'); return }
    this.verify(req, 'token', 'refresh', { id: req.query.code }, (_error: unknown, user: unknown) => { this.success(user) })
  }
}

t.test('S-151 a link by a strategy that was begun long ago is not ended by whoever has the session now', async t => {
  // Seen to fail: login/src/bridge-flow.ts without the time in what it remembers
  const { app, model } = await application(t, {
    providers: {
      local: { module: 'passport-local', authPath: '/auth/local', successRedirect: '/in', failureRedirect: '/out' },
      add: {
        provider: 'fake', module: { Strategy }, authScheme: 'oauth 2.0', authPath: '/link/add', callbackPath: '/link/back',
        callbackURL: '/link/back', link: true, linkForLogin: true, successRedirect: '/linked', failureRedirect: '/out',
        failureQueryString: true
      }
    }
  } as never)
  const person = { email: 'ada@x.test', username: 'ada', password: 'ada-secret', emailVerified: true }
  const ada = await model('User').create(person)
  const begun = async (): Promise<Browser> => {
    const browser = new Browser(app)
    await browser.post('/auth/local', { username: 'ada', password: 'ada-secret' })
    t.equal((await browser.get('/link/add')).location, 'https://provider.example/')
    return browser
  }
  const browser = await begun()
  const [row] = await model('LoginSession').find()
  const { linking } = row.data
  await row.updateAttributes({ data: { ...row.data, linking: { ...linking, at: linking.at - 601_000 } } })
  t.equal((await browser.get('/link/back?code=mallory')).location, '/out?error=STATE_INVALID')
  t.equal(await model('UserIdentity').count(), 0)
  const soon = await begun()
  t.equal((await soon.get('/link/back?code=ada')).location, '/linked', 'one that was begun a moment ago is')
  t.match(await model('UserIdentity').find(), [{ userId: ada.id, externalId: 'ada' }])
})
