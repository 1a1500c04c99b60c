/** The cookies `access_token` and `userId`, which have one key because Express reads both (S-55). */
import t from 'tap'
import { storedId } from '@fastback/auth/service'
import { Browser } from '../../../packages/login/test/server.js'
import { externalLogins } from './external-logins.js'

t.test('S-55 what was signed for one cookie is no credential as the other', async t => {
  // Seen to fail: auth/tokens/token-text.ts whose mayBeToken takes stored ids, with the id of the victim's row
  const { app, model, provider } = await externalLogins(t, registry => {
    registry.models.User?.defineProperty('id', { type: 'string', id: true })
  })
  const victim = await model('User').create({ id: 'victim', email: 'victim@x.test', password: 'victim-secret' })
  const { id: text } = await victim.createAccessToken(1000)
  // Names that somebody may choose who chooses the id of an account: what the store has of the token, and other ids.
  for (const id of [storedId(text), storedId(text).toUpperCase(), 'victim.x', '["victim"]', '$anonymous', 'null', '1']) {
    const email = `m${await model('User').count()}@x.test`
    await model('User').create({ id, email, username: email, password: 'mallory-secret', emailVerified: true })
    provider.person = { sub: email, name: 'Mallory', email, email_verified: true }
    const browser = new Browser(app)
    t.equal((await browser.logIn('/auth/op')).location, '/in')
    t.equal((await browser.get('/whoami')).json().token, id, 'the control: each where it belongs')
    const [token, user] = ['access_token', 'userId'].map(name => browser.cookies.get(name) as string)
    t.match(decodeURIComponent(user as string), /^s:.+\.[\w+/]{43}$/)
    for (const [name, value] of [['access_token', user], ['authorization', user], ['userId', token]] as const) {
      const swapped = new Browser(app)
      swapped.cookies.set(name, value as string)
      t.match((await swapped.get('/whoami')).json(), { id: null, token: null }, `${name} with the other's value`)
    }
  }
})
