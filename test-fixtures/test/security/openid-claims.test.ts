/* eslint camelcase: "off" -- parameters of the protocol are written as it has them */
/** What clients can get to know of a user: S-124. On a socket. */
import tap from 'tap'
import { callback } from '../../../packages/oauth2/test/server.js'
import { listening } from '../../../packages/oauth2/test/openid/listening.js'
import { openIdRequest, verifier } from '../../../packages/oauth2/test/openid/provider.js'

const secret = 'w3b secret:&+'
/** What must be in nothing that a client, or a browser, gets. */
const hushed = 'hush-hush'
const everything = 'openid profile email phone address staff offline_access'

tap.test('S-124 OI-73 OI-81 nothing hidden or protected comes by a scope, a claim, a mapping or an include', async t => {
  // Seen to fail: claims.ts guessing from all properties, and giving functions all; options.ts without checkClaims
  const seen: unknown[] = []
  const { server, url, browser } = await listening(t, {
    prepare: app => {
      const User = app.registry.getModel('User')
      for (const name of ['nickname', 'phone', 'givenName', 'picture', 'note', 'website']) User?.defineProperty(name, 'string')
      User?.defineProperty('address', 'object')
    },
    userSettings: {
      hidden: ['password', 'nickname', 'address', 'note', 'verificationToken'], protected: ['phone', 'givenName', 'picture']
    },
    openid: {
      claims: { team: (user: object) => { seen.push(user); return 'engine' }, far: 'website.length.note' },
      scopes: { staff: ['team', 'far', 'note', 'password'] }
    }
  })
  await server.model('User').updateAll({ id: 1 }, {
    nickname: hushed, phone: hushed, givenName: hushed, picture: hushed, note: hushed, address: { street: hushed },
    verificationToken: hushed, website: 'https://ada.test'
  })
  const { password } = (await server.model('User').findById(1)).toObject()
  const isLeak = (text: string): boolean => text.includes(hushed) || (typeof password === 'string' && text.includes(password))

  const post = async (path: string, fields: Record<string, string>): Promise<Response> =>
    await fetch(new URL(path, url), { method: 'POST', body: new URLSearchParams(fields) })
  const responses = async (claims: string | undefined): Promise<Record<string, string>> => {
    const code_verifier = verifier()
    const person = browser()
    const asked = openIdRequest({ scope: everything, claims }, code_verifier)
    const login = await person.follow(await person.authorize(asked))
    const dialog = await person.follow(await person.logIn())
    const { query, response } = await person.walk(asked)
    const code = query.get('code')
    if (code === null) return { refusal: `${response.statusCode} ${String(response.headers.location)}` }
    const text = await (await post('/oauth/token', {
      grant_type: 'authorization_code', code, code_verifier, redirect_uri: callback, client_id: 'rp', client_secret: secret
    })).text()
    const { access_token, id_token } = JSON.parse(text) as { access_token: string, id_token: string }
    const authorization = `Bearer ${access_token}`
    const info = async (query = ''): Promise<string> =>
      await (await fetch(new URL(`/oauth/userinfo${query}`, url), { headers: { authorization } })).text()
    return {
      login: login.body,
      dialog: dialog.body,
      id_token: Buffer.from(id_token.split('.')[1] as string, 'base64url').toString(),
      userinfo: await info(),
      'userinfo with an include': await info('?filter={"include":["accessTokens"],"fields":{"note":true}}&include=note&claims=note&scope=all'),
      introspection: await (await post('/oauth/introspect', { token: access_token, client_id: 'rp', client_secret: secret })).text()
    }
  }
  const named = (...names: string[]): string => {
    const wishes = Object.fromEntries(names.map(name => [name, { essential: true }]))
    return JSON.stringify({ id_token: wishes, userinfo: wishes })
  }
  const attempts: Readonly<Record<string, string | undefined>> = {
    'all scopes': undefined,
    'a hidden property by its name': named('nickname'),
    'a hidden property that is no standard claim': named('note'),
    'a hidden object': named('address'),
    'a protected property': named('givenName', 'given_name'),
    'a standard claim of a protected property': named('phone_number', 'phone_number_verified'),
    'another name of it': named('phone', 'phoneNumber'),
    'a protected picture': named('picture', 'avatar'),
    'the password': named('password', 'passwordHash', 'hash'),
    'the verification token': named('verificationToken', 'verification_token'),
    'the realm': named('realm'),
    'tokens by their relation': named('accessTokens', 'access_tokens', 'roles', 'identities', 'credentials'),
    'a dotted path': named('address.street', 'address_street', 'user.password'),
    'a claim in a language': named('nickname#de', 'address#en'),
    'the prototype': '{"userinfo":{"__proto__":null,"constructor":null},"id_token":{"__proto__":{"value":"password"}}}',
    'methods of objects': named('toString', 'valueOf', 'hasOwnProperty', 'toJSON', 'toObject'),
    'a value': '{"userinfo":{"note":{"value":"guess"},"nickname":{"values":["guess"]}}}',
    'members of tokens': named('iss', 'aud', 'exp', 'sid', 'at_hash', 'cnf', 'events'),
    'aggregated claims': named('_claim_names', '_claim_sources'),
    'other members': '{"access_token":{"note":null},"*":{"password":null},"userinfo":{"*":null}}'
  }
  for (const [what, claims] of Object.entries(attempts)) {
    for (const [where, text] of Object.entries(await responses(claims))) t.notOk(isLeak(text), `${what}: ${where}`)
  }
  t.ok(Object.keys(attempts).length >= 20)
  const info = JSON.parse((await responses(undefined)).userinfo as string) as Record<string, unknown>
  t.strictSame(Object.keys(info).sort(), ['email', 'email_verified', 'preferred_username', 'sub', 'team', 'website'])
  const { claims_supported } = await (await fetch(new URL('/.well-known/openid-configuration', url))).json() as { claims_supported: string[] }
  t.notOk(claims_supported.some(claim => ['nickname', 'address', 'phone_number', 'given_name', 'picture', 'note', 'password'].includes(claim)))
  t.ok(seen.length > 0)
  for (const user of seen) t.notOk('password' in (user as object) || 'verificationToken' in (user as object), 'nor a function of the option')

  for (const from of ['password', 'verificationToken', 'realm', 'profile.password', 'accessTokens', '__proto__']) {
    await t.rejects(listening(t, { seed: false, openid: { claims: { team: from } } }), { code: 'FBK_OAUTH2_INVALID_OPTIONS' },
      `a mapping from ${from}`)
  }
  t.notMatch(server.logs.join(''), hushed, 'nor the log')
})
