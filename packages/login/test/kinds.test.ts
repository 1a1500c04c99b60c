/* eslint camelcase: "off" -- parameters of the protocol are written as it has them */
/**
 * Ways in by real parts: an OpenID provider of npm, a directory, assertions that are signed here, passport strategies.
 */
import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import ldap from 'ldapjs'
import t, { type Test } from 'tap'
import { SignedXml } from 'xml-crypto'
import { scriptedProvider } from './provider.js'
import { application, Browser, origin, type Answer } from './server.js'

const require = createRequire(import.meta.url)
const ends = { successRedirect: '/in', failureRedirect: '/out', failureQueryString: true, session: true }

t.test('LG-70: the OpenID provider of npm', async t => {
  const { Provider } = await import('oidc-provider' as string) as { Provider: any }
  const server = createServer()
  await new Promise<void>(resolve => { server.listen(0, '127.0.0.1', resolve) })
  t.teardown(() => { server.closeAllConnections(); server.close() })
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, {
    clients: [{ client_id: 'client', client_secret: 'client-secret-of-some-length', redirect_uris: [`${origin}/auth/op/callback`], token_endpoint_auth_method: 'client_secret_post' }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx: unknown, interaction: { uid: string }) => `/interaction/${interaction.uid}` },
    findAccount: (_ctx: unknown, sub: string) => ({
      accountId: sub, claims: () => ({ sub, email: 'ada@example.com', email_verified: true, name: 'Ada' })
    })
  })
  const handle = provider.callback()
  server.on('request', (req, res) => {
    if (!req.url?.startsWith('/interaction/')) { handle(req, res); return }
    provider.interactionDetails(req, res).then(async (details: any) => {
      const grant = new provider.Grant({ accountId: 'ada', clientId: 'client' })
      grant.addOIDCScope('openid email profile')
      const grantId = await grant.save()
      await provider.interactionFinished(req, res, { login: { accountId: 'ada' }, consent: { grantId } }, { mergeWithLastSubmission: details.prompt.name === 'consent' })
    }).catch((error: unknown) => { res.writeHead(500).end(String(error)) })
  })
  const { app, model } = await application(t, {
    providers: { op: { preset: 'oidc', issuer, clientID: 'client', clientSecret: 'client-secret-of-some-length', ...ends } }
  })
  const browser = new Browser(app)
  let address = (await browser.get('/auth/op')).location
  const jar = new Map<string, string>()
  for (let hops = 0; !address.startsWith(origin) && hops < 10; hops++) {
    const answer = await fetch(address, { redirect: 'manual', headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') } })
    for (const each of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(each) as unknown as [string, string, string]
      jar.set(name, value)
    }
    address = new URL(answer.headers.get('location') ?? 'about:blank', address).href
  }
  t.equal((await browser.get(address)).location, '/in')
  t.match(await model('UserIdentity').find({}), [{ externalId: 'ada', profile: { displayName: 'Ada' } }])
})

t.test('LG-75 to LG-77: an OAuth 2 server of GitHub\'s kind', async t => {
  const provider = await scriptedProvider(t)
  const { issuer } = provider
  const own = { authorizationURL: `${issuer}/authorize`, tokenURL: `${issuer}/token`, clientID: 'client', clientSecret: 'secret', ...ends }
  provider.person = {
    id: 583231, login: 'octo', name: 'Octo Cat', email: null,
    emails: [{ email: 'second@example.com', verified: true }, { email: 'octo@example.com', primary: true, verified: true }]
  }
  provider.lies = { idToken: () => undefined }
  const mapping = [{ userField: 'email', providerField: 'emails[0].value' }]
  const { app, model } = await application(t, {
    providers: {
      github: { module: 'passport-github2', ...own, userInfoURL: `${issuer}/user`, emailsURL: `${issuer}/emails`, profileMapping: mapping },
      plain: { module: 'passport-oauth2', ...own, userProfileURL: `${issuer}/user`, tokenInRedirect: false }
    }
  })
  t.equal((await new Browser(app).logIn('/auth/github')).location, '/in')
  t.match(await model('UserIdentity').findOne({}), {
    externalId: '583231', authScheme: 'oAuth 2.0', profile: { username: 'octo', displayName: 'Octo Cat', emails: [{ value: 'octo@example.com', verified: true }, {}] }
  })
  t.match(await model('User').findOne({}), { email: 'octo@example.com', emailVerified: true })
  for (const [person, expected] of [
    [{}, 'PROFILE_INVALID'], [{ id: '' }, 'PROFILE_INVALID'], [{ id: null }, 'PROFILE_INVALID'], [{ id: {} }, 'PROFILE_INVALID'],
    [{ sub: 'a' }, ''], [{ user_id: 12 }, '']
  ] as const) {
    provider.person = person
    t.equal((await new Browser(app).logIn('/auth/plain')).location, expected === '' ? '/in' : `/out?error=${expected}`, JSON.stringify(person))
  }
  provider.lies = { ...provider.lies, answer: query => { query.set('iss', 'https://evil.example') } }
  t.equal((await new Browser(app).logIn('/auth/plain')).location, '/out?error=PROVIDER_ERROR', 'LG-74')
  provider.lies = { ...provider.lies, answer: query => { query.set('iss', issuer) } }
  t.equal((await new Browser(app).logIn('/auth/plain')).location, '/in')
  for (const [name, entry] of Object.entries({
    noProfile: { module: 'passport-oauth2', ...own }, plain: { ...own, module: 'passport-oauth2', userProfileURL: 'http://198.51.100.9/user' },
    noModule: { clientID: 'x' }, notInstalled: { module: 'passport-of-nobody', clientID: 'x' }, wrongPreset: { preset: 'gogle', clientID: 'x' },
    nested: { module: 'passport-oauth2', inner: { module: 'passport-local' } }, secret: { preset: 'google', clientID: 'x', clientSecret: { env: 'NOT_SET_HERE' } }
  })) await t.rejects(application(t, { providers: { [name]: entry } }), { code: /^FBK_LOGIN_/ }, `LG-09, LG-36, LG-77: ${name}`)
  await t.rejects(application(t, {
    providers: { one: { preset: 'google', clientID: 'x', callbackPath: '/cb' }, two: { preset: 'google', clientID: 'x', callbackPath: '/cb' } }
  }), { code: 'FBK_LOGIN_INVALID_PROVIDER' }, 'LG-10')
})

async function directory (t: Test): Promise<string> {
  const server = ldap.createServer() as any
  const people = [
    { dn: 'uid=ada,ou=people,dc=example', attributes: { uid: 'ada', cn: 'Ada L', sn: 'L', givenName: 'Ada', mail: 'ada@example.com', objectclass: ['person'], userPassword: 'right' } },
    { dn: 'uid=bob,ou=people,dc=example', attributes: { uid: 'bob', cn: 'Bob', sn: 'B', mail: 'bob@example.com', objectclass: ['person'], userPassword: 'other' } }
  ]
  server.bind('dc=example', (req: any, res: any, next: any) => {
    const dn = String(req.dn).replace(/\s/g, '')
    if (dn === 'cn=root,dc=example' && req.credentials === 'secret') { res.end(); return next() }
    // As real directories do: without a password it is a login of nobody, which succeeds.
    if (req.credentials === '') { res.end(); return next() }
    const found = people.find(each => each.dn === dn)
    if (found?.attributes.userPassword === req.credentials) { res.end(); return next() }
    return next(new (ldap as any).InvalidCredentialsError())
  })
  server.search('ou=people,dc=example', (req: any, res: any, next: any) => {
    for (const person of people) if (req.filter.matches(person.attributes)) res.send(person)
    res.end()
    return next()
  })
  await new Promise<void>(resolve => { server.listen(0, '127.0.0.1', resolve) })
  t.teardown(() => { server.close() })
  return `ldap://127.0.0.1:${(server.address() as AddressInfo).port}`
}

t.test('LG-105 to LG-109: a directory', async t => {
  const url = await directory(t)
  const server = { url, bindDN: 'cn=root,dc=example', bindCredentials: 'secret', searchBase: 'ou=people,dc=example', searchFilter: '(uid={{username}})' }
  const { app, model } = await application(t, {
    providers: {
      ldap: { module: 'passport-ldapauth', server, ...ends },
      json: { module: 'passport-ldapauth', server, json: true, authPath: '/auth/ldap-json' },
      away: { module: 'passport-ldapauth', server: { ...server, url: 'ldap://127.0.0.1:1' }, authPath: '/auth/away', ...ends }
    }
  })
  const tried = async (username: string, password: string): Promise<string> =>
    (await new Browser(app).post('/auth/ldap', { username, password })).location
  t.equal(await tried('ada', 'right'), '/in')
  t.match(await model('UserIdentity').findOne({}), {
    externalId: 'ada', authScheme: 'local', profile: { name: { familyName: 'L', givenName: 'Ada' }, emails: [{ value: 'ada@example.com' }] }
  })
  t.match(await model('User').findOne({}), { username: 'ldap.ada', email: 'ada@example.com', emailVerified: false })
  for (const [username, password] of [
    ['ada', 'wrong'], ['ada', ''], ['', 'right'], ['*', 'right'], ['ad*', 'right'], ['ada)(uid=*', 'right'], ['*)(uid=ada', 'right'],
    ['nobody', 'right'], ['ada\0', 'right'], ['ada', 'other'], ['(|(uid=ada)(uid=bob))', 'right'], ['ada', '\0']
  ] as const) t.equal(await tried(username, password), '/out?error=LOGIN_FAILED', JSON.stringify([username, password]))
  t.equal((await new Browser(app).post('/auth/away', { username: 'ada', password: 'right' })).location, '/out?error=PROVIDER_ERROR')
  t.match((await new Browser(app).post('/auth/ldap-json', { username: 'bob', password: 'other' })).json(), { access_token: String, userId: Number })
  const { escapedName, ldapProfile } = await import('../src/kinds/ldap.js')
  t.equal(escapedName('a,b=c'), 'a\\2cb\\3dc')
  const guid = Buffer.from('00112233445566778899aabbccddeeff', 'hex')
  t.equal(ldapProfile({ provider: 'ad', options: {} } as never, { cn: 'x', objectGUID: guid }).id, '33221100-5544-7766-8899-aabbccddeeff', 'LG-106')
})

const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
const otherKeys = generateKeyPairSync('rsa', { modulusLength: 2048 })
const pem = (key: { export (options: object): string | Buffer }, type: string): string => String(key.export({ type, format: 'pem' }))
const instant = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString()

interface Said {
  name?: string, audience?: string, recipient?: string, destination?: string, answers?: string, until?: number,
  key?: typeof keys
  signed?: boolean, algorithm?: string, id?: string
}

function assertion ({ name = 'ada', audience = 'sp', recipient, answers, until = 300, id = `_a${Math.random().toString(16).slice(2)}` }: Said): string {
  return `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${id}" Version="2.0" IssueInstant="${instant(0)}"><saml:Issuer>idp</saml:Issuer>` +
    `<saml:Subject><saml:NameID Format="urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified">${name}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer">` +
    `<saml:SubjectConfirmationData NotOnOrAfter="${instant(until)}" Recipient="${String(recipient)}"${answers === undefined ? '' : ` InResponseTo="${answers}"`}/></saml:SubjectConfirmation></saml:Subject>` +
    `<saml:Conditions NotBefore="${instant(-30)}" NotOnOrAfter="${instant(until)}"><saml:AudienceRestriction><saml:Audience>${audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions>` +
    `<saml:AuthnStatement AuthnInstant="${instant(0)}"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>` +
    '<saml:AttributeStatement><saml:Attribute Name="email"><saml:AttributeValue>ada@example.com</saml:AttributeValue></saml:Attribute></saml:AttributeStatement></saml:Assertion>'
}

function response (said: Said, content = assertion(said)): string {
  const xml = `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_r${Math.random().toString(16).slice(2)}" Version="2.0" IssueInstant="${instant(0)}"` +
    `${said.destination === undefined ? '' : ` Destination="${said.destination}"`}${said.answers === undefined ? '' : ` InResponseTo="${said.answers}"`}>` +
    '<saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">idp</saml:Issuer>' +
    `<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>${content}</samlp:Response>`
  if (said.signed === false) return xml
  const sha = said.algorithm ?? 'sha256'
  const more = sha === 'sha1' ? 'http://www.w3.org/2000/09/xmldsig#' : 'http://www.w3.org/2001/04/xmldsig-more#'
  const signer = new SignedXml({
    privateKey: pem((said.key ?? keys).privateKey, 'pkcs8'), signatureAlgorithm: `${more}rsa-${sha}`,
    canonicalizationAlgorithm: 'http://www.w3.org/2001/10/xml-exc-c14n#'
  })
  signer.addReference({
    xpath: '//*[local-name(.)="Assertion"]',
    digestAlgorithm: sha === 'sha1' ? 'http://www.w3.org/2000/09/xmldsig#sha1' : 'http://www.w3.org/2001/04/xmlenc#sha256',
    transforms: ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', 'http://www.w3.org/2001/10/xml-exc-c14n#']
  })
  signer.computeSignature(xml, { location: { reference: '//*[local-name(.)="Assertion"]/*[local-name(.)="Issuer"]', action: 'after' } })
  return signer.getSignedXml()
}

t.test('LG-18, LG-115 to LG-119, LG-100: assertions of SAML', async t => {
  const callback = `${origin}/auth/saml/callback`
  const { app, model } = await application(t, {
    providers: {
      saml: { module: 'passport-saml', authScheme: 'adfs', entryPoint: 'https://idp.example/sso', issuer: 'sp', cert: pem(keys.publicKey, 'spki'), ...ends },
      free: { module: 'passport-saml', entryPoint: 'https://idp.example/sso', issuer: 'sp', cert: pem(keys.publicKey, 'spki'), idpInitiated: true, ...ends }
    }
  })
  const { inflateRawSync } = await import('node:zlib')
  const begun = async (browser: Browser): Promise<{ relay: string, request: string }> => {
    const answer = await browser.get('/auth/saml')
    const query = new URL(answer.location).searchParams
    const request = inflateRawSync(Buffer.from(query.get('SAMLRequest') as string, 'base64')).toString()
    return { relay: query.get('RelayState') as string, request: /\bID="([^"]+)"/.exec(request)?.[1] as string }
  }
  const answered = async (browser: Browser, relay: string, xml: string, path = '/auth/saml/callback'): Promise<Answer> =>
    await browser.post(path, { SAMLResponse: Buffer.from(xml).toString('base64'), RelayState: relay }, { 'sec-fetch-site': 'cross-site' })
  const good = new Browser(app)
  const first = await begun(good)
  // Another site's form brings no Lax cookie, and the one of its own that is made for this.
  good.cookies.delete('fastback.login')
  const xml = response({ recipient: callback, destination: callback, answers: first.request })
  const answer = await answered(good, first.relay, xml)
  t.equal(answer.location, '/in')
  t.match(await model('UserIdentity').findOne({}), { provider: 'saml', externalId: 'ada', authScheme: 'adfs', credentials: {} })
  t.match((await good.get('/auth/saml/metadata')).text, /EntityDescriptor[^]*entityID="sp"/, 'LG-119')
  const attacks: Record<string, (request: string) => string> = {
    'not signed': answers => response({ recipient: callback, answers, signed: false }),
    'signed by another key': answers => response({ recipient: callback, answers, key: otherKeys }),
    'signed with SHA-1': answers => response({ recipient: callback, answers, algorithm: 'sha1' }),
    'for another audience': answers => response({ recipient: callback, answers, audience: 'other' }),
    'for another recipient': answers => response({ recipient: 'https://other.example/cb', answers }),
    'for another destination': answers => response({ recipient: callback, answers, destination: 'https://other.example/cb' }),
    'for another request': () => response({ recipient: callback, answers: '_other' }),
    'for no request': () => response({ recipient: callback }),
    over: answers => response({ recipient: callback, answers, until: -120 }),
    'changed after it was signed': answers => response({ recipient: callback, answers }).replace('>ada<', '>victim<'),
    'a second assertion before the signed one': answers => {
      const signed = response({ recipient: callback, answers })
      return signed.replace('<saml:Assertion', () => `${assertion({ name: 'victim', recipient: callback, answers })}<saml:Assertion`)
    },
    'the signed one wrapped in an extension': answers => {
      const signed = response({ recipient: callback, answers })
      const [own] = /<saml:Assertion[^]*<\/saml:Assertion>/.exec(signed) as unknown as [string]
      return signed.replace(own, () => `${assertion({ name: 'victim', recipient: callback, answers })}<x>${own}</x>`)
    },
    'a document type': answers => `<!DOCTYPE x [<!ENTITY e "victim">]>${response({ recipient: callback, answers })}`,
    'a comment in the name': answers => response({ name: 'victim<!-- -->.evil', recipient: callback, answers }).replace('.evil', ''),
    'beside a status of failure': answers =>
      response({ recipient: callback, answers }).replace('status:Success', 'status:Responder'),
    'beside no status': answers =>
      response({ recipient: callback, answers }).replace(/<samlp:Status>[^]*<\/samlp:Status>/, ''),
    'no name': answers => response({ name: '', recipient: callback, answers }),
    'no XML': () => 'x'
  }
  for (const [name, make] of Object.entries(attacks)) {
    const browser = new Browser(app)
    const { relay, request } = await begun(browser)
    t.match((await answered(browser, relay, make(request))).location, /^\/out\?error=/, name)
  }
  t.equal(await model('User').count(), 1)
  const again = new Browser(app)
  const state = await begun(again)
  t.equal((await answered(new Browser(app), state.relay, response({ recipient: callback, answers: state.request }))).location, '/out?error=STATE_INVALID', 'another browser')
  t.equal((await answered(again, 'https://evil.example', response({ recipient: callback, answers: state.request }))).location, '/out?error=STATE_INVALID', 'LG-118')
  const own = `${origin}/auth/free/callback`
  const begunThere = response({ recipient: own })
  t.equal((await answered(new Browser(app), '', begunThere, '/auth/free/callback')).location, '/in', 'where the entry lets the provider begin')
  t.equal((await answered(new Browser(app), '', begunThere, '/auth/free/callback')).location, '/out?error=STATE_INVALID', 'an assertion counts once')
})

t.test('LG-78: strategies of passport as they are', async t => {
  const { Strategy } = require('passport-strategy') as { Strategy: new () => object }
  class Stamp extends Strategy {
    name = 'stamp'
    authenticate (this: any, req: any): void {
      const { stamp } = req.query
      if (stamp === undefined) this.redirect('https://stamps.example/?back')
      else if (stamp === 'wrong') this.fail('no')
      else if (stamp === 'broken') throw new Error('broken: token at-secret')
      else if (stamp === 'pass') this.pass()
      else this.success({ provider: 'stamps', id: stamp, displayName: 'Stamp' })
    }
  }
  const tokens = new Map<string, string>()
  const twitter = createServer((req, res) => {
    const url = new URL(req.url as string, 'http://localhost')
    const authorization = decodeURIComponent(req.headers.authorization ?? '')
    if (url.pathname === '/request') {
      tokens.set('rt', /oauth_callback="([^"]+)"/.exec(authorization)?.[1] ?? '')
      res.end('oauth_token=rt&oauth_token_secret=rts&oauth_callback_confirmed=true')
    } else if (url.pathname === '/access') res.end('oauth_token=at&oauth_token_secret=ats&user_id=42&screen_name=ada')
    else res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ id: 42, id_str: '42', screen_name: 'ada', name: 'Ada' }))
  })
  await new Promise<void>(resolve => { twitter.listen(0, '127.0.0.1', resolve) })
  t.teardown(() => { twitter.closeAllConnections(); twitter.close() })
  const at = `http://127.0.0.1:${(twitter.address() as AddressInfo).port}`
  const { app, model, logs } = await application(t, {
    providers: {
      stamps: { module: Stamp, ...ends },
      twitter: {
        module: require('passport-twitter'), consumerKey: 'key', consumerSecret: 'secret', callbackURL: '/auth/twitter/callback', ...ends,
        requestTokenURL: `${at}/request`, accessTokenURL: `${at}/access`, userAuthorizationURL: `${at}/authorize`, userProfileURL: `${at}/user`, skipExtendedUserProfile: true
      }
    }
  })
  t.match(logs.join(''), /keeps no state/)
  const begun = await new Browser(app).get('/auth/stamps')
  t.equal(begun.location, 'https://stamps.example/?back')
  t.equal((await new Browser(app).get('/auth/stamps/callback?stamp=7')).location, '/in')
  t.match(await model('UserIdentity').findOne({}), { provider: 'stamps', externalId: '7' })
  t.equal((await new Browser(app).get('/auth/stamps/callback?stamp=wrong')).location, '/out?error=LOGIN_FAILED')
  t.equal((await new Browser(app).get('/auth/stamps/callback?stamp=broken')).location, '/out?error=PROVIDER_ERROR')
  t.equal((await new Browser(app).get('/auth/stamps/callback?stamp=pass')).status, 404)
  t.notMatch(logs.join(''), /at-secret/)
  const browser = new Browser(app)
  const there = await browser.get('/auth/twitter')
  t.match(there.location, /\/authorize\?oauth_token=rt/)
  t.equal(tokens.get('rt'), `${origin}/auth/twitter/callback`, 'LG-21')
  t.equal((await new Browser(app).get('/auth/twitter/callback?oauth_token=rt&oauth_verifier=v')).location, '/out?error=PROVIDER_ERROR',
    'another browser has no request token')
  t.equal((await browser.get('/auth/twitter/callback?oauth_token=rt&oauth_verifier=v')).location, '/in')
  t.match(await model('UserIdentity').findOne({ where: { provider: 'twitter' } }), {
    externalId: '42', authScheme: 'oAuth1.0', credentials: { token: 'at', tokenSecret: 'ats' }
  }, 'LG-56')
  t.equal((await new Browser(app).get('/auth/twitter/callback?denied=rt')).location, '/out?error=ACCESS_DENIED')
})
