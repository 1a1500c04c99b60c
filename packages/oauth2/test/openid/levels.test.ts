/* eslint camelcase: "off" -- parameters of the protocol are written as it has them */
/** How strong a login is, and what a request wants of it (openid.md, section 6: OI-83, OI-100, OI-102, OI-104). */
import { authService } from '@fastback/auth/service'
import type { FastifyReply, FastifyRequest } from 'fastify'
import t, { type Test } from 'tap'
import { answerOf, type Answer, type Server } from '../server.js'
import { Browser, makeProvider, openIdRequest, readTokens, redeem, secretOf, verifier } from './provider.js'

type Fields = Record<string, string | undefined>
type Kind = 'totp' | 'recovery' | 'webauthn'

/**
 * A server whose users have factors from `gain` on, so that a login before lacks them, and a page for them that takes
 * any.
 */
async function provider (
  t: Test, gained: readonly Kind[], amr: readonly string[]
): Promise<Server & { gain (): void }> {
  let kinds: readonly Kind[] = []
  const server = await makeProvider(t, {
    prepare: app => {
      Object.assign(authService(app.registry), {
        secondFactors: () => ({ of: async () => kinds, mustEnrol: async () => false, options: {}, ways: new Map() })
      })
      // As the page for second factors does.
      app.post('/proven', async (request: FastifyRequest, reply: FastifyReply) => {
        const { sessions } = app.oauth2
        const session = await sessions.load(request)
        if (session?.data.halfway === undefined) return await reply.code(403).send()
        await sessions.stepUp(request, reply, session, amr)
        return await reply.send()
      })
    }
  })
  return { ...server, gain: () => { kinds = gained } }
}

const ask = async (browser: Browser, more: Fields = {}): Promise<Answer> =>
  answerOf(await browser.authorize(openIdRequest(more)))

async function claimsOf (server: Server, browser: Browser, more: Fields = {}): Promise<any> {
  const secret = verifier()
  const { query } = answerOf(await browser.authorize(openIdRequest(more, secret)))
  return readTokens(await redeem(server, { code: query.get('code') as string, secret }, {}, secretOf('rp'))).claims
}

t.test('OI-102: acr and amr say what happened', async t => {
  const server = await makeProvider(t)
  const browser = new Browser(server)
  await browser.walk(openIdRequest())
  t.match(await claimsOf(server, browser), { acr: '1fa', amr: ['pwd'] })
  const { sessions } = server.provider
  const seen: unknown[] = []
  for (const amr of [['pwd', 'otp', 'mfa'], ['pop', 'user', 'mfa'], ['fed'], ['fed', 'mfa']]) {
    const reply = { header: (_name: string, value: string) => { seen.push(value.split(/[=;]/)[1]) } }
    await sessions.logIn({ headers: {}, protocol: 'http', host: 'op.test' } as never, reply as never, 1, { amr })
    const other = new Browser(server, [['fastback.oauth2', seen.at(-1) as string]])
    const { acr } = await claimsOf(server, other)
    t.equal(acr, amr.includes('pop') ? 'phr' : amr.includes('mfa') ? '2fa' : '1fa', amr.join(' '))
  }
})

t.test('OI-102: the levels have the names of the option', async t => {
  const server = await makeProvider(t, { openid: { acrValues: ['urn:low', 'urn:middle', 'urn:high'] } })
  const browser = new Browser(server)
  await browser.walk(openIdRequest())
  t.match(await claimsOf(server, browser, { acr_values: 'urn:middle urn:low' }), { acr: 'urn:low' })
})

t.test('OI-100: a user without factors goes on with the true acr', async t => {
  const server = await makeProvider(t)
  const browser = new Browser(server)
  await browser.walk(openIdRequest())
  for (const acr_values of ['2fa', 'phr 2fa', 'unknown', '1fa', '2fa 1fa', `${'x '.repeat(500)}2fa`]) {
    t.match(await claimsOf(server, browser, { acr_values }), { acr: '1fa' }, acr_values.slice(0, 20))
  }
})

t.test('OI-83: an essential acr that cannot be reached', async t => {
  const server = await makeProvider(t)
  const browser = new Browser(server)
  await browser.walk(openIdRequest())
  const claims = (acr: object): Fields => ({ claims: JSON.stringify({ id_token: { acr } }) })
  for (const acr of [{ essential: true, value: '2fa' }, { essential: true, values: ['phr', 'nothing'] }]) {
    for (const prompt of [undefined, 'none']) {
      const { query } = await ask(browser, { ...claims(acr), ...(prompt === undefined ? {} : { prompt }) })
      t.equal(query.get('error'), 'unmet_authentication_requirements')
    }
  }
  t.match(await claimsOf(server, browser, claims({ essential: true, values: ['phr', '1fa'] })), { acr: '1fa' })
  t.match(await claimsOf(server, browser, claims({ values: ['phr'] })), { acr: '1fa' }, 'voluntary')
})

t.test('OI-100: a step up asks for the missing factor only', async t => {
  const server = await provider(t, ['totp', 'recovery'], ['otp', 'mfa'])
  const browser = new Browser(server)
  await browser.walk(openIdRequest())
  server.gain()
  const before = browser.cookies.get('fastback.oauth2') as string
  const { auth_time, sid } = await claimsOf(server, browser)
  const wish = { acr_values: 'phr 2fa 1fa' }
  const none = await ask(browser, { ...wish, prompt: 'none' })
  t.equal(none.query.get('error'), 'interaction_required', 'OI-91')
  const { url } = await ask(browser, wish)
  t.equal(url?.pathname, '/login/second-factor', 'phr cannot be reached, 2fa can; no password is asked for')
  t.equal((await browser.request('POST', '/proven')).statusCode, 200)
  t.not(browser.cookies.get('fastback.oauth2'), before, 'OI-104: another session id')
  const thief = new Browser(server, [['fastback.oauth2', before]])
  t.equal((await ask(thief, { prompt: 'none' })).query.get('error'), 'login_required', 'OI-104: the old one is worth nothing')
  const claims = await claimsOf(server, browser, { ...wish, prompt: 'none' })
  t.match(claims, { acr: '2fa', amr: ['pwd', 'otp', 'mfa'] })
  t.equal(claims.sid, sid, 'the same login for clients')
  t.equal(claims.auth_time, auth_time, 'OI-98: a step up is no new login')
  t.equal((await ask(browser, { prompt: 'login' })).url?.pathname, '/login', 'and satisfies no prompt=login')
  t.equal((await browser.request('POST', '/proven')).statusCode, 403, 'nobody is half-way any more')
})

t.test('OI-100: prompt=login that waits is not satisfied by a step up', async t => {
  const server = await provider(t, ['totp'], ['otp', 'mfa'])
  const browser = new Browser(server)
  await browser.walk(openIdRequest())
  server.gain()
  const fields = openIdRequest({ prompt: 'login' })
  t.equal(answerOf(await browser.authorize(fields)).url?.pathname, '/login')
  t.equal((await ask(browser, { acr_values: '2fa' })).url?.pathname, '/login/second-factor')
  await browser.request('POST', '/proven')
  t.equal(answerOf(await browser.authorize(fields)).url?.pathname, '/login')
})

t.test('OI-100: after 12 hours the password is asked for as well', async t => {
  const server = await provider(t, ['webauthn'], ['pop', 'user', 'mfa'])
  const browser = new Browser(server)
  await browser.walk(openIdRequest())
  server.gain()
  const [row] = await server.provider.states.ofUser('session', 1)
  const data = { ...row?.data, authTime: (row?.data.authTime as number) - 43_300 }
  await server.model('OAuthState').updateAll({ id: row?.id }, { data: { ...data } })
  const session = await server.provider.sessions.load({
    headers: { cookie: `fastback.oauth2=${browser.cookies.get('fastback.oauth2') as string}` }
  } as never)
  t.equal(session?.data.authTime, data.authTime)
  t.equal((await ask(browser, { acr_values: 'phr' })).url?.pathname, '/login')
})

t.test('OI-100: a passkey reaches more than was wanted', async t => {
  const server = await provider(t, ['webauthn'], ['pop', 'user', 'mfa'])
  const browser = new Browser(server)
  await browser.walk(openIdRequest())
  server.gain()
  t.equal((await ask(browser, { acr_values: '2fa' })).url?.pathname, '/login/second-factor')
  await browser.request('POST', '/proven')
  t.match(await claimsOf(server, browser, { acr_values: '2fa', prompt: 'none' }), { acr: 'phr' })
})

t.test('OI-100: defaultAcrValues of a client', async t => {
  const server = await provider(t, ['totp'], ['otp', 'mfa'])
  const browser = new Browser(server)
  await browser.walk(openIdRequest())
  server.gain()
  await server.model('OAuthClientApplication').updateAll({ id: 'rp' }, { defaultAcrValues: ['2fa'] })
  t.equal((await ask(browser)).url?.pathname, '/login/second-factor')
  t.ok((await ask(browser, { acr_values: '1fa' })).query.get('code'), 'the request says more than the client')
})
