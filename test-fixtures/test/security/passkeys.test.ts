/** Attacks on passkeys: S-121. */
import Fastify, { type FastifyInstance } from 'fastify'
import tap, { type Test } from 'tap'
import { acl } from '@fastback/acl'
import { auth } from '@fastback/auth'
import { memoryConnector } from '@fastback/connector-memory'
import { core } from '@fastback/core'
import { rest } from '@fastback/rest'
import { Authenticator, type Twist } from '../../../packages/auth/test/authenticator.js'

const origin = 'https://shop.example'
const webauthn = { rpId: 'shop.example', origins: [origin] }

interface Answer { readonly status: number, readonly body: any }
interface Shop {
  readonly app: FastifyInstance
  readonly models: Record<string, any>
  send (verb: string, path: string, body?: unknown, token?: string): Promise<Answer>
  logIn (name: string): Promise<Answer>
}

async function open (t: Test): Promise<Shop> {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(core, { dataSources: { db: { connector: memoryConnector } } })
  const { registry } = app
  await app.register(auth, { dataSource: 'db', rateLimit: false, secondFactors: { secret: 'a secret of this test', webauthn } })
  await app.register(acl, { dataSource: 'db' })
  await app.register(rest, { prefix: '/api' })
  await app.ready()
  const models = registry.models as Record<string, any>
  for (const name of ['ann', 'ben']) await models.User.create({ username: name, email: `${name}@x.test`, password: `${name}-secret` })
  const send: Shop['send'] = async (verb, path, body, token) => {
    const response = await app.inject({
      method: verb as 'GET', url: `/api/Users${path}`, ...body === undefined ? {} : { payload: body as object },
      headers: token === undefined ? {} : { authorization: token }
    })
    return { status: response.statusCode, body: response.payload === '' ? undefined : response.json() }
  }
  return { app, models, send, logIn: async name => await send('POST', '/login', { username: name, password: `${name}-secret` }) }
}

/** Somebody with a passkey; `token` is that of the login that added it. */
async function withPasskey (
  { send, logIn }: Shop, name: string, id: number
): Promise<{ key: Authenticator, token: string, fk: string }> {
  const key = new Authenticator(origin)
  const token = (await logIn(name)).body.id
  const { body: options } = await send('POST', `/${id}/passkeys/options`, { password: `${name}-secret` }, token)
  const { body } = await send('POST', `/${id}/passkeys`, { name: 'Key', response: key.create(options) }, token)
  return { key, token, fk: body.id }
}

const begin = async ({ send }: Shop): Promise<any> => (await send('POST', '/passkey/options', {})).body
const flip = (signature: Buffer): Buffer => Buffer.from(signature.map((byte, i) => i === 10 ? byte ^ 1 : byte))

tap.test('S-121 an assertion counts on our pages, for its challenge, with its user verified', async t => {
  // Seen to fail: `isOwn` of auth/passkeys/settings.ts true for every origin; readResponse of auth/passkeys/webauthn.ts
  // without its line about `crossOrigin`; judgeAssertion without `requireUserVerification` and `userVerified`; #judge
  // of auth/passkeys/passkeys.ts without its line about `userHandle`, and without all that it says of the counter
  const shop = await open(t)
  const { key } = await withPasskey(shop, 'ann', 1)
  const ben = await withPasskey(shop, 'ben', 2)
  const login = async (response: unknown): Promise<Answer> => await shop.send('POST', '/passkey/login', { response })
  t.equal((await login(key.get(await begin(shop), { counter: 5 }))).status, 200, 'what is right goes')
  const attacks: Record<string, Twist> = {
    'another origin': { origin: 'https://evil.example' },
    'a subdomain': { origin: 'https://a.shop.example' },
    'a name that ends alike': { origin: 'https://evilshop.example' },
    'a name that begins alike': { origin: 'https://shop.example.evil.test' },
    'without TLS': { origin: 'http://shop.example' },
    'another port': { origin: 'https://shop.example:8443' },
    'an origin with a slash': { origin: 'https://shop.example/' },
    'an origin in capitals': { origin: 'HTTPS://SHOP.EXAMPLE' },
    'no origin': { origin: '' },
    'an opaque origin': { origin: 'null' },
    'another relying party': { rpId: 'evil.example' },
    'the relying party of a subdomain': { rpId: 'a.shop.example' },
    'the origin as relying party': { rpId: origin },
    'within a page of others': { crossOrigin: true },
    'within a page that is named': { crossOrigin: true, topOrigin: 'https://evil.example' },
    'with a top origin alone': { topOrigin: origin },
    'nobody present': { present: false },
    'user not verified': { verified: false },
    neither: { present: false, verified: false },
    'a creation in place of a use': { type: 'webauthn.create' },
    'another type': { type: 'payment.get' },
    'a challenge of nobody': { challenge: 'A'.repeat(43) },
    'a challenge with padding': { challenge: `${'A'.repeat(43)}=` },
    'no challenge': { challenge: '' },
    "another user's handle": { userHandle: ben.key.userHandle as string },
    'a handle of nobody': { userHandle: 'AAAA' },
    "another user's credential": { id: ben.key.id.toString('base64url') },
    'a credential of nobody': { id: 'AAAAAAAA' },
    'another signature': { tamper: flip },
    'half a signature': { tamper: signature => signature.subarray(0, 20) },
    'the same counter again': { counter: 5, tamper: flip }
  }
  for (const [name, twist] of Object.entries(attacks)) {
    const { status, body } = await login(key.get(await begin(shop), { counter: 6, ...twist }))
    t.match({ status, body }, { status: 401, body: { error: { code: 'LOGIN_FAILED' } } }, name)
    t.notMatch(JSON.stringify(body), /stack|origin|challenge|counter/i, `${name}: nothing is told`)
  }
  t.equal((await login(key.get(await begin(shop), { counter: 7 }))).status, 200, 'and the passkey is as good as before')
  t.equal((await login(key.get(await begin(shop), { counter: 7 }))).status, 401, 'a counter that does not grow')
})

tap.test('S-121 a response works once, and for what it was asked for', async t => {
  // Seen to fail: `isUsed` of auth/passkeys/passkeys.ts always true; `purpose` not compared in take of
  // auth/factors/challenges.ts; prove of passkeys.ts without its comparison of `userId`, and without that of
  // `challenge`
  const shop = await open(t)
  const { key } = await withPasskey(shop, 'ann', 1)
  const ben = await withPasskey(shop, 'ben', 2)
  const login = async (response: unknown): Promise<number> => (await shop.send('POST', '/passkey/login', { response })).status
  const once = key.get(await begin(shop))
  t.same((await Promise.all(Array.from({ length: 10 }, async () => await login(once)))).filter(status => status === 200).length, 1, 'of ten at once one')
  t.equal(await login(once), 401, 'a replay')

  const details = async (name: string): Promise<any> => (await shop.logIn(name)).body.error.details
  const second = async (challenge: unknown, response: unknown): Promise<number> =>
    (await shop.send('POST', '/second-factor', { challenge, response })).status
  const annAsked = await details('ann')
  t.equal(await login(key.get(annAsked.webauthn)), 401, 'the challenge of a second factor is none of a login')
  const alone = await begin(shop)
  t.equal(await second(annAsked.challenge, key.get(alone)), 401, 'nor the other way round')
  t.equal(await second(alone.challenge, key.get(alone)), 401)
  t.equal(await second(annAsked.challenge, ben.key.get(annAsked.webauthn)), 401, "another user's passkey")
  const benAsked = await details('ben')
  t.equal(await second(annAsked.challenge, ben.key.get(benAsked.webauthn)), 401, "for another user's challenge")
  t.equal(await second(benAsked.challenge, key.get(annAsked.webauthn)), 401)
  t.equal(await second(benAsked.challenge, key.get(benAsked.webauthn)), 401)
  const userHandle = ben.key.userHandle as string
  t.equal(await second(annAsked.challenge, key.get(annAsked.webauthn, { userHandle })), 401)
  t.equal(await second((await details('ann')).challenge, undefined), 401, 'no proof')
  const good = await details('ann')
  const response = key.get(good.webauthn)
  const both = await Promise.all([1, 2, 3].map(async () => await second(good.challenge, response)))
  t.equal(both.filter(status => status === 200).length, 1, 'of three at once one')
  const third = await details('ann')
  t.equal(await second(third.challenge, response), 401, 'of the step before')
  const { UserChallenge } = shop.models
  const late = await begin(shop)
  await UserChallenge.updateAll({}, { expires: new Date(Date.now() - 1) })
  t.equal(await login(key.get(late)), 401, 'after its time')
})

tap.test("S-121 nobody adds, renames, removes or learns of another's passkeys", async t => {
  // Seen to fail: the rules of declarePasskeyMethods (auth/passkeys/methods.ts) for
  // $everyone; `challenge?.fits(user)` of register in auth/passkeys/passkeys.ts true; #idOf with the id of the user
  const shop = await open(t)
  const ann = await withPasskey(shop, 'ann', 1)
  const ben = await withPasskey(shop, 'ben', 2)
  const refused = async (verb: string, path: string, body?: unknown, token?: string): Promise<void> => {
    const { status } = await shop.send(verb, path, body, token)
    t.ok(status >= 400 && status < 500, `${verb} ${path}: ${status}`)
  }
  for (const token of [undefined, ben.token]) {
    await refused('POST', '/1/passkeys/options', { password: 'ann-secret' }, token)
    await refused('POST', '/1/passkeys', { name: 'x', response: {} }, token)
    await refused('PATCH', `/1/passkeys/${ann.fk}`, { name: 'x' }, token)
    await refused('DELETE', `/1/passkeys/${ann.fk}`, { password: 'ann-secret' }, token)
    await refused('GET', '/1/second-factors', undefined, token)
  }
  await refused('PATCH', `/2/passkeys/${ann.fk}`, { name: 'x' }, ben.token)
  await refused('DELETE', `/2/passkeys/${ann.fk}`, { password: 'ben-secret' }, ben.token)
  const { body: forAnn } = await shop.send('POST', '/1/passkeys/options', { password: 'ann-secret' }, ann.token)
  await refused('POST', '/2/passkeys', { name: 'x', response: new Authenticator(origin).create(forAnn) }, ben.token)
  const { body: forBen } = await shop.send('POST', '/2/passkeys/options', { password: 'ben-secret' }, ben.token)
  const copy = ben.key.create(forBen, { id: ann.key.id.toString('base64url') })
  await refused('POST', '/2/passkeys', { name: 'x', response: copy }, ben.token)
  t.equal((await shop.send('POST', '/passkey/login', { response: ann.key.get(await begin(shop)) })).body.userId, 1, "ann's is ann's")
  for (const path of ['/1', '/1?filter={"include":"accessTokens"}', '/1/second-factors']) {
    const { body } = await shop.send('GET', path, undefined, ann.token)
    t.notMatch(JSON.stringify(body), /publicKey|credentialId|handle|pop/, path)
  }
  for (const path of ['/api/UserFactors', '/api/UserChallenges']) t.equal((await shop.app.inject(path)).statusCode, 404, path)
  const stolen = (await shop.models.AccessToken.create({ userId: 1, ttl: 1000 })).id
  await refused('POST', '/1/passkeys/options', {}, stolen)
  await refused('POST', '/1/passkeys/options', { password: 'ann-secret' }, stolen)
})

tap.test('S-121 attestations bring nothing in, and lead nowhere', async t => {
  // Seen to fail: judgeCreation of auth/passkeys/webauthn.ts letting the library's errors through
  const shop = await open(t)
  const token = (await shop.logIn('ann')).body.id
  const packed = (response: any): any => {
    const object = Buffer.from(response.response.attestationObject, 'base64url')
    // "fmt": "none" becomes "fmt": "tpm_", and an empty statement stays: no format but two is looked at.
    const at = object.indexOf('none')
    object.write('tpm_', at)
    return { ...response, response: { ...response.response, attestationObject: object.toString('base64url') } }
  }
  const options = async (): Promise<any> => (await shop.send('POST', '/1/passkeys/options', { password: 'ann-secret' }, token)).body
  const tries: unknown[] = [packed(new Authenticator(origin).create(await options()))]
  const deep = '81'.repeat(20_000)
  for (const attestationObject of ['', 'AA', 'oA', Buffer.from(deep, 'hex').toString('base64url'), 'A'.repeat(60_000)]) {
    const made: any = new Authenticator(origin).create(await options())
    tries.push({ ...made, response: { ...made.response, attestationObject } })
  }
  for (const response of tries) {
    t.match(await shop.send('POST', '/1/passkeys', { response }, token), { status: 400, body: { error: { code: 'PASSKEY_REFUSED' } } })
  }
})

tap.test('S-119 who has a passkey proves it before an authenticator is set up', async t => {
  // Seen to fail: auth/factors/functions.ts whose enrolTotp asks for the password alone
  const shop = await open(t)
  const { send, models } = shop
  const { key, token } = await withPasskey(shop, 'ann', 1)
  const password = 'ann-secret'
  const later = async (seconds: number): Promise<void> => {
    const created = new Date(Date.now() - seconds * 1000)
    await models.AccessToken.updateAll({ userId: 1 }, { created })
  }
  await later(600)
  for (const proof of [{}, { otp: '000000' }, { recoveryCode: 'x2k4m-9qrst' }]) {
    const { status, body } = await send('POST', '/1/totp', { password, ...proof }, token)
    t.match({ status, body }, { status: 401, body: { error: { code: 'SECOND_FACTOR_FAILED' } } })
  }
  t.equal(await models.UserFactor.count({ kind: 'totp' }), 0, 'nothing was begun')
  const { body: { id } } = await send('POST', '/passkey/login', { response: key.get(await begin(shop)) })
  t.equal((await send('POST', '/1/totp', { password: 'wrong' }, id)).status, 401, 'the password is asked for still')
  t.equal((await send('POST', '/1/totp', { password }, id)).status, 200, 'a young login with it is its proof')
})
