// FASTBACK_TEST_FULL: keys are made.
/** Keys that sign (OI-30 to OI-40). */
import { calculateJwkThumbprint, createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import t, { type Test } from 'tap'
import type { Server } from '../server.js'
import { get, logIn, makeProvider, sharedStore } from './provider.js'

const keySet = async (server: Server): Promise<{ keys: any[] }> => (await get(server, '/oauth/jwks')).json()
const states = async (server: Server): Promise<string[]> =>
  (await server.model('OAuthKey').find({ order: 'generation' })).map(({ state }: { state: string }) => state)

/** Lets time pass for what asks for it. */
function clock (t: Test): { forward: (seconds: number) => void } {
  const { now } = Date
  let ahead = 0
  Date.now = () => now() + ahead
  t.teardown(() => { Date.now = now })
  return { forward: seconds => { ahead += seconds * 1000 } }
}

t.test('OI-30, OI-31, OI-32, OI-33, OI-40: the published set', async t => {
  const server = await makeProvider(t, { seed: false, openid: { signingAlgorithms: ['RS256', 'ES256', 'PS256', 'EdDSA'] } })
  const response = await get(server, '/oauth/jwks')
  t.match(response.headers, {
    'content-type': /^application\/jwk-set\+json/, 'access-control-allow-origin': '*', 'cache-control': 'public, max-age=1800'
  })
  const { keys } = response.json()
  t.strictSame(keys.map(({ alg }: any) => alg).sort(), ['ES256', 'EdDSA', 'PS256', 'RS256'])
  for (const key of keys) {
    t.equal(key.use, 'sig')
    t.equal(key.kid, await calculateJwkThumbprint(key, 'sha256'), 'OI-32')
    for (const part of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']) t.notOk(part in key, `OI-31: ${part}`)
    if (key.kty === 'RSA') t.equal(Buffer.from(key.n, 'base64url').length, 256, 'OI-33')
    else t.match(key.crv, /^(P-256|Ed25519)$/, 'OI-33')
  }
  t.equal(new Set(keys.map(({ kid }: any) => kid)).size, 4)
  const large = await makeProvider(t, { seed: false, openid: { keys: { rsaBits: 3072, publishBefore: 60 } } })
  t.equal(Buffer.from((await keySet(large)).keys[0].n, 'base64url').length, 384)
  t.equal((await get(large, '/oauth/jwks')).headers['cache-control'], 'public, max-age=30', 'OI-40')
})

t.test('OI-34: a key at rest is a compact JWE, hidden', async t => {
  const server = await makeProvider(t, { seed: false })
  await keySet(server)
  const stored = (await server.model('OAuthKey').findOne()).toObject()
  t.match(decodeProtectedHeader(stored.privateKey), { alg: 'dir', enc: 'A256GCM' })
  t.equal(stored.privateKey.split('.').length, 5)
  t.equal(Buffer.from(stored.salt, 'base64url').length, 16)
  t.notMatch(JSON.stringify(stored), /"d":/)
})

t.test('OI-35: secrets are exchanged, and never guessed', async t => {
  const shared = sharedStore(t)
  const [old, fresh] = ['the first secret of all', 'the second secret of all']
  const one = await makeProvider(t, { ...shared, openid: { keys: { secret: old } } })
  const before = await keySet(one)
  const sealed = (await one.model('OAuthKey').findOne()).privateKey
  await t.rejects(
    makeProvider(t, { ...shared, seed: false, openid: { keys: { secret: fresh } } }),
    { code: 'FBK_OAUTH2_UNREADABLE_KEY', message: new RegExp(before.keys[0].kid) },
    'the start fails and names the key'
  )
  const two = await makeProvider(t, { ...shared, seed: false, openid: { keys: { secret: [fresh, old] } } })
  t.strictSame(await keySet(two), before, 'the key is the same')
  t.not((await two.model('OAuthKey').findOne()).privateKey, sealed, 'sealed anew')
  const three = await makeProvider(t, { ...shared, seed: false, openid: { keys: { secret: fresh } } })
  t.equal((await logIn(three)).header.kid, before.keys[0].kid)
})

t.test('OI-35: session.secret is the secret where keys.secret is not said', async t => {
  const shared = sharedStore(t)
  await keySet(await makeProvider(t, { ...shared, openid: true, options: { session: { secret: 'one secret for both uses' } } }))
  const other = await makeProvider(t, { ...shared, seed: false, openid: { keys: { secret: 'one secret for both uses' } } })
  t.equal((await keySet(other)).keys.length, 1)
})

t.test('OI-36, OI-278: a key is published, signs, stays a while and goes', async t => {
  const time = clock(t)
  const server = await makeProvider(t, {
    openid: { keys: { rotateEvery: 10_000, publishBefore: 1000, keepAfter: 500 }, idTokenTTL: 300 }
  })
  const first = (await logIn(server)).header.kid
  t.strictSame(await states(server), ['current'])
  time.forward(8_900)
  await keySet(server)
  t.strictSame(await states(server), ['current'], 'not yet')
  time.forward(200)
  const published = await keySet(server)
  t.equal(published.keys.length, 2, 'published before it signs')
  t.strictSame(await states(server), ['current', 'next'])
  t.equal((await logIn(server)).header.kid, first, 'the old one signs')
  time.forward(1001)
  const { body, header } = await logIn(server)
  t.not(header.kid, first)
  t.ok(published.keys.some(({ kid }) => kid === header.kid), 'whoever fetched the set before knows it')
  await jwtVerify(body.id_token, createLocalJWKSet(published as never), { currentDate: new Date(Date.now()) })
  t.strictSame(await states(server), ['past', 'current'])
  time.forward(799)
  t.equal((await keySet(server)).keys.length, 2, 'its last token may live')
  time.forward(3)
  t.equal((await keySet(server)).keys.length, 1)
  time.forward(1_000_000)
  await server.provider.cleanUp()
  t.strictSame(await states(server), ['current', 'next'], 'after a long pause a key is published first, too')
})

t.test('OI-38: rotation at once', async t => {
  const server = await makeProvider(t, { openid: { signingAlgorithms: ['RS256', 'ES256'] } })
  const first = (await logIn(server)).header.kid
  const { current, revoked } = await server.provider.keys.rotate()
  t.equal(current.length, 2, 'one for each algorithm')
  t.equal(revoked, undefined)
  const second = (await logIn(server)).header.kid
  t.ok(current.includes(second) && second !== first, 'it signs at once')
  t.equal((await keySet(server)).keys.length, 4, 'the old ones stay')
  t.strictSame(await server.provider.keys.rotate({ revoke: second }).then(({ revoked }) => revoked), second)
  const { keys } = await keySet(server)
  t.notOk(keys.some(({ kid }) => kid === second), 'out of the set')
  t.ok(keys.some(({ kid }) => kid === first))
  t.not((await logIn(server)).header.kid, second)
  await t.rejects(server.provider.keys.rotate({ revoke: 'nobody' }), { code: 'FBK_OAUTH2_UNKNOWN_KEY' })
  await server.provider.keys.rotate({ revoke: first })
  t.notOk((await keySet(server)).keys.some(({ kid }) => kid === first), 'past ones as well')
})

t.test('OI-38: a key that is published already is the one that signs', async t => {
  const time = clock(t)
  const server = await makeProvider(t, { openid: { keys: { rotateEvery: 1000, publishBefore: 100 } } })
  await keySet(server)
  time.forward(950)
  const next = (await keySet(server)).keys[0].kid
  t.strictSame((await server.provider.keys.rotate()).current, [next])
  t.strictSame(await states(server), ['past', 'current'])
})

t.test('OI-39, OI-13: an algorithm that is not used any more goes like a past key', async t => {
  const time = clock(t)
  const shared = sharedStore(t)
  const before = await makeProvider(t, { ...shared, openid: { signingAlgorithms: ['ES256'] } })
  t.equal((await logIn(before)).header.alg, 'ES256')
  const after = await makeProvider(t, { ...shared, seed: false })
  t.equal((await logIn(after)).header.alg, 'RS256')
  t.strictSame((await keySet(after)).keys.map(({ alg }) => alg).sort(), ['ES256', 'RS256'], 'tokens of before are valid')
  time.forward(3600 + 86_400 + 2)
  t.strictSame((await keySet(after)).keys.map(({ alg }) => alg), ['RS256'])
})
