/* eslint camelcase: "off" -- parameters of the protocol are written as it has them */
/** Claims: from which properties, by which scopes, on request (OI-72 to OI-75, OI-81, OI-82, OI-84). */
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { answerOf, Browser, formOf, type Server } from '../server.js'
import { get, logIn, makeProvider, openIdRequest, readTokens, redeem, secretOf, userinfo, verifier } from './provider.js'

const everything = 'openid profile email phone address'

/** Gives users more properties, and `ada` values for them. */
const withProperties = (properties: Record<string, unknown>, settings?: Record<string, unknown>) => ({
  prepare: (app: FastifyInstance) => {
    const User = app.registry.getModel('User')
    for (const [name, definition] of Object.entries(properties)) User?.defineProperty(name, definition)
  },
  ...(settings === undefined ? {} : { userSettings: settings })
})

const claimsOf = async (server: Server, more = {}): Promise<Record<string, unknown>> => {
  const { body } = await logIn(server, { more: { scope: everything, ...more } })
  return (await userinfo(server, body.access_token)).json()
}

const texts = (...names: string[]): Record<string, string> => Object.fromEntries(names.map(name => [name, 'string']))

t.test('OI-72, OI-74: standard claims are found by name', async t => {
  const server = await makeProvider(t, withProperties({
    ...texts('firstName', 'lastName', 'middle_name', 'nickname', 'avatar', 'website', 'gender', 'timezone', 'locale', 'phone'),
    birthdate: 'date', modified: 'date', address: 'object', phoneNumberVerified: 'boolean'
  }))
  await server.model('User').updateAll({ id: 1 }, {
    emailVerified: true, firstName: 'Ada', lastName: 'King', middle_name: 'Augusta', nickname: '', avatar: 'https://op.test/a.png',
    website: 'https://ada.test', timezone: 'Europe/London', locale: 'en-GB', phone: '+44 1', birthdate: new Date('1815-12-10'),
    modified: new Date(1_500_000_000_999), address: { locality: 'London' }, phoneNumberVerified: true
  })
  t.strictSame(await claimsOf(server), {
    sub: '1', preferred_username: 'ada', email: 'ada@op.test', email_verified: true, name: 'Ada King', given_name: 'Ada',
    family_name: 'King', middle_name: 'Augusta', picture: 'https://op.test/a.png', website: 'https://ada.test',
    zoneinfo: 'Europe/London', locale: 'en-GB', birthdate: '1815-12-10', updated_at: 1_500_000_000, phone_number: '+44 1',
    phone_number_verified: true, address: { locality: 'London' }
  }, 'OI-74: empty texts and null are left out')
  const found = (await get(server, '/.well-known/openid-configuration')).json()
  t.ok(['given_name', 'address', 'phone_number'].every(name => found.claims_supported.includes(name)))
})

t.test('OI-72: other names, and an address that is a text', async t => {
  const server = await makeProvider(t, withProperties(texts('displayName', 'phoneNumber', 'address', 'givenName', 'picture')))
  await server.model('User').updateAll({ id: 1 }, {
    displayName: 'The Countess', phoneNumber: '1', address: 'Ockham Park', givenName: 'Ada', picture: 'p'
  })
  t.match(await claimsOf(server), {
    name: 'The Countess', phone_number: '1', phone_number_verified: false, address: { formatted: 'Ockham Park' }, given_name: 'Ada'
  })
})

t.test('OI-75: email_verified is there whenever email is', async t => {
  const server = await makeProvider(t)
  const { claims } = await logIn(server, { more: { scope: 'openid email', claims: '{"id_token":{"email":null}}' } })
  t.equal(claims.email_verified, false)
  await server.model('User').updateAll({ id: 1 }, { emailVerified: true })
  t.equal((await claimsOf(server)).email_verified, true)
  const hidden = await makeProvider(t, { openid: { claims: { email: () => 'other@op.test' } }, userSettings: { hidden: ['email', 'password'] } })
  t.strictSame(await claimsOf(hidden), { sub: '1', preferred_username: 'ada', email: 'other@op.test', email_verified: false })
  const none = await makeProvider(t, { openid: { claims: { email: () => null } } })
  t.strictSame(await claimsOf(none), { sub: '1', preferred_username: 'ada' }, 'and never without it')
})

t.test('OI-73: hidden and protected properties are not found by name', async t => {
  const properties = texts('firstName', 'nickname', 'phone')
  const server = await makeProvider(t, {
    ...withProperties(properties, { hidden: ['password', 'nickname'], protected: ['firstName'] }),
    openid: { claims: { phone_number: 'phone', team: 'nickname' }, scopes: { staff: ['team'] } }
  })
  await server.model('User').updateAll({ id: 1 }, { firstName: 'Ada', nickname: 'secret name', phone: '1' })
  const claims = await claimsOf(server, { scope: `${everything} staff` })
  t.notOk('nickname' in claims || 'given_name' in claims || 'name' in claims)
  t.equal(claims.team, 'secret name', 'an explicit entry can')
  for (const from of ['password', 'verificationToken', 'realm', 'accessTokens.id', 'profile.password', '__proto__.x', 'constructor']) {
    await t.rejects(makeProvider(t, { seed: false, openid: { claims: { team: from } } }),
      { code: 'FBK_OAUTH2_INVALID_OPTIONS', message: /never given to clients/ }, from)
  }
})

t.test('OI-84: own scopes, dotted paths and functions', async t => {
  const contexts: unknown[] = []
  const server = await makeProvider(t, {
    ...withProperties({ company: 'object' }),
    openid: {
      claims: {
        team: 'company.team.name',
        nothing: 'company.none.name',
        shout: async (user: any, context: unknown) => {
          contexts.push(context, Object.keys(user))
          return user.username.toUpperCase()
        },
        broken: () => { throw new Error('secret reason') }
      },
      scopes: { staff: ['team', 'nothing', 'shout'], wrong: ['broken'], email: ['email'] }
    }
  })
  await server.model('User').updateAll({ id: 1 }, { company: { team: { name: 'engine' } } })
  t.strictSame(await claimsOf(server, { scope: 'openid staff' }), { sub: '1', team: 'engine', shout: 'ADA' })
  t.strictSame(contexts[0], { clientId: 'rp', scopes: ['openid', 'staff'] })
  t.notOk((contexts[1] as string[]).includes('password'))
  const { body } = await logIn(server, { more: { scope: 'openid wrong' } })
  const failed = await userinfo(server, body.access_token)
  t.equal(failed.statusCode, 500)
  t.notMatch(failed.body, /secret reason/)
  t.match(server.logs.join(''), /secret reason/)
  const asked = await logIn(server, { more: { scope: 'openid', claims: '{"id_token":{"team":null},"userinfo":{"shout":null}}' } })
  t.equal(asked.claims.team, 'engine', 'a claim of a scope that was not asked for, by name')
  t.strictSame((await userinfo(server, asked.body.access_token)).json(), { sub: '1', shout: 'ADA' })
})

t.test('OI-81: the parameter claims', async t => {
  const server = await makeProvider(t)
  const browser = new Browser(server)
  await browser.walk(openIdRequest())
  for (const claims of ['{', '[]', '"x"', 'null', '5', '{"id_token":[]}', '{"userinfo":{"email":"yes"}}', '{"id_token":{"email":[1]}}',
    `{"userinfo":{"${'x'.repeat(8192)}":null}}`]) {
    const { query } = answerOf(await browser.authorize(openIdRequest({ claims })))
    t.equal(query.get('error'), 'invalid_request', claims.slice(0, 40))
  }
  const unknown = await logIn(server, { browser, more: { claims: '{"id_token":{"shoe_size":null,"password":null},"other":5}' } })
  t.notOk('shoe_size' in unknown.claims || 'password' in unknown.claims, 'unknown names are ignored')
  const again = await browser.walk(openIdRequest({ claims: '{"userinfo":{"email":null}}' }))
  t.ok(again.asked, 'what no scope gives is asked for, though openid was granted')
  t.notOk((await browser.walk(openIdRequest({ claims: '{"userinfo":{"email":null}}' }))).asked, 'once')
})

t.test('OI-81: a claim of a scope that the user took away is not given', async t => {
  const server = await makeProvider(t)
  const secret = verifier()
  const { query } = await new Browser(server).walk(
    openIdRequest({ scope: 'openid email', claims: '{"id_token":{"email":null},"userinfo":{"email":null}}' }, secret),
    { more: { 'scope.email': '' } }
  )
  const { body, claims } = readTokens(await redeem(server, { code: query.get('code') as string, secret }, {}, secretOf('rp')))
  t.equal(body.scope, 'openid')
  t.notOk('email' in claims)
  t.strictSame((await userinfo(server, body.access_token)).json(), { sub: '1' })
})

t.test('OI-81: a claim that is asked for by name is consented to by name', async t => {
  const server = await makeProvider(t)
  const browser = new Browser(server)
  const page = await browser.follow(await browser.authorize(openIdRequest({ claims: '{"userinfo":{"email":null}}' })))
  const dialog = formOf(page).names.includes('password') ? await browser.follow(await browser.logIn()) : page
  t.match(dialog.body, /email/, 'the dialog names it')
})

t.test('OI-82: essential claims without a value', async t => {
  const server = await makeProvider(t)
  const { status } = await logIn(server, { more: { claims: '{"id_token":{"name":{"essential":true},"email":{"essential":true}}}' } })
  t.equal(status, 200, 'are no error')
})
