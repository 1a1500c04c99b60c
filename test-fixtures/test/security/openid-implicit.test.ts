/* eslint camelcase: "off" -- parameters of the protocol are written as it has them */
/** Access tokens of the implicit grant, and the logins that they come of: S-194. */
import t from 'tap'
import { Browser, logIn, makeProvider, openIdRequest, userinfo } from '../../../packages/oauth2/test/openid/provider.js'
import { BackChannel } from '../../../packages/oauth2/src/openid/logout/back-channel.js'
import { who, type Server } from '../../../packages/oauth2/test/server.js'

const implicit = { response_type: 'token', code_challenge: undefined, code_challenge_method: undefined }

async function tokenOf (browser: Browser, scope: string): Promise<string> {
  const { fragment } = await browser.walk(openIdRequest({ ...implicit, scope }))
  return fragment.get('access_token') as string
}

const ends = {
  'POST /logout': async (_server: Server, browser: Browser) => { await browser.request('POST', '/logout', {}) },
  'sessions.end': async ({ provider }: Server) => { await provider.sessions.end({ userId: 1 }) }
}

for (const [name, end] of Object.entries(ends)) {
  t.test(`S-194 an openid token of the implicit grant ends with its login: ${name}`, async t => {
    // Seen to fail: issueToken of oauth2/endpoints/authorize without addGrant: each was good until it expired
    const server = await makeProvider(t)
    const [browser, other] = [new Browser(server), new Browser(server)]
    await logIn(server, { browser })
    const tokens = [await tokenOf(browser, 'openid'), await tokenOf(browser, 'openid email offline_access')]
    const plain = await tokenOf(browser, 'read')
    const ofBob = await logIn(server, { browser: other, who: { username: 'bob', password: 'battery staple' } })
    for (const text of tokens) t.equal((await userinfo(server, text)).statusCode, 200, 'control')
    await end(server, browser)
    for (const text of tokens) {
      t.equal((await userinfo(server, text)).statusCode, 401)
      t.equal((await who(server, text)).statusCode, 401)
    }
    t.equal((await who(server, plain)).statusCode, 200, 'one that is no openid token stays, as those of codes do')
    t.equal((await userinfo(server, ofBob.body.access_token)).statusCode, 200, 'another login')
  })
}

t.test('S-194 a client that got no id_token is told nothing of the logout', async t => {
  // Seen to fail: notify of oauth2/openid/logout/login-ends without `untold`: it was sent a logout token
  const sent: string[] = []
  const { send } = BackChannel.prototype
  BackChannel.prototype.send = messages => { sent.push(...messages.map(({ clientId }) => clientId)) }
  t.teardown(() => { BackChannel.prototype.send = send })
  const server = await makeProvider(t)
  const uri = 'https://client.test/bye'
  await server.model('OAuthClientApplication').updateAll({ id: 'rp' }, { backchannelLogoutURI: uri })
  const browser = new Browser(server)
  await browser.logIn()
  await tokenOf(browser, 'openid')
  await browser.request('POST', '/logout', {})
  t.strictSame(sent, [])
  await logIn(server, { browser })
  await browser.request('POST', '/logout', {})
  t.strictSame(sent, ['rp'], 'control')
})
