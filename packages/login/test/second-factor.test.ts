/** Users who have a second factor, and come by another way than the login of their model (OI-217; S-119). */
import { createHmac } from 'node:crypto'
import t, { type Test } from 'tap'
import { installAuthModels } from '@fastback/auth'
import { application, Browser, type App } from './server.js'
import { scriptedProvider, type ScriptedProvider } from './provider.js'

const ends = { successRedirect: '/in', failureRedirect: '/out', failureQueryString: true }

function codeOf (secret: string, later = 0): string {
  const bits = [...secret].map(each => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(each).toString(2).padStart(5, '0')).join('')
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map(each => Number.parseInt(each, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + later))
  const hash = createHmac('sha1', key).update(counter).digest()
  return String((hash.readUInt32BE((hash.at(-1) as number) & 15) & 0x7FFFFFFF) % 1_000_000).padStart(6, '0')
}

async function start (t: Test): Promise<App & { provider: ScriptedProvider }> {
  const provider = await scriptedProvider(t)
  const made = await application(t, {
    providers: {
      op: { preset: 'oidc', issuer: provider.issuer, clientID: 'client', clientSecret: 'client-secret', session: true, ...ends },
      local: { module: 'passport-local', authPath: '/auth/local', ...ends },
      token: { module: 'passport-local', authPath: '/auth/token', setAccessToken: true, ...ends }
    }
  } as never, {
    before: ({ registry }) => {
      installAuthModels(registry)
      // The setting of a model, without the option of the application.
      registry.attach('User', 'db', { public: true, settings: { secondFactor: { secret: 'a secret of the tests' } } })
    }
  })
  return { ...made, provider }
}

/** Gives a user an authenticator application, and its recovery codes. */
async function enrol (
  { model }: App, id: unknown, password: string
): Promise<{ secret: string, recoveryCodes: string[] }> {
  const User = model('User')
  const { secret } = await User.enrolTotp(id, { password })
  const { recoveryCodes } = await User.confirmTotp(id, { otp: codeOf(secret, -1) })
  return { secret, recoveryCodes }
}

t.test('by an account elsewhere: the factor of here, or what the provider signed that it asked for', async t => {
  const app = await start(t)
  const { model, provider } = app
  const browser = new Browser(app.app)
  t.equal((await browser.logIn('/auth/op')).location, '/in', 'a user without a factor')
  const [{ id }] = await model('User').find()
  const [{ amr }] = await model('AccessToken').find()
  t.same(amr, ['fed'], 'a provider counts as fed')
  const user = await model('User').findById(id)
  await user.patchAttributes({ password: 'ada-secret' })
  await enrol(app, id, 'ada-secret')

  const before = await model('AccessToken').count()
  const refused = await new Browser(app.app).logIn('/auth/op')
  t.equal(refused.location, '/out?error=SECOND_FACTOR_REQUIRED')
  t.notMatch([refused.headers['set-cookie']].flat().join(), /access_token=s/)
  t.equal(await model('AccessToken').count(), before, 'no token was made')
  for (const lie of ['mfa', { mfa: true }, [{ mfa: 1 }], ['MFA'], ['pwd'], [['mfa']]]) {
    provider.lies = { claims: claims => ({ ...claims, amr: lie }) }
    t.equal((await new Browser(app.app).logIn('/auth/op')).location, '/out?error=SECOND_FACTOR_REQUIRED', JSON.stringify(lie))
  }
  provider.lies = { userInfo: claims => ({ ...claims, amr: ['mfa'] }) }
  t.equal((await new Browser(app.app).logIn('/auth/op')).location, '/out?error=SECOND_FACTOR_REQUIRED', 'what is not signed')
  provider.lies = { claims: claims => ({ ...claims, amr: ['pwd', 'mfa'] }) }
  t.equal((await new Browser(app.app).logIn('/auth/op')).location, '/in')
  const tokens = await model('AccessToken').find()
  t.same(tokens.at(-1).amr, ['fed', 'pwd', 'mfa'])
  await t.rejects(model('UserIdentity').login('op', 'openid connect', { id: 'ada' }, {}, {}), { code: 'SECOND_FACTOR_REQUIRED' })
})

t.test('an account that is linked by its address proves no factor, whatever its provider says', async t => {
  const app = await start(t)
  const { model, provider } = app
  const { id } = await model('User').create({ email: 'ada@example.com', username: 'ada', password: 'ada-secret', emailVerified: true })
  await enrol(app, id, 'ada-secret')
  provider.lies = { claims: claims => ({ ...claims, amr: ['mfa'] }) }
  const identity = model('UserIdentity')
  const profile = { id: 'ada', emails: [{ value: 'ada@example.com', verified: true }] }
  await t.rejects(identity.login('op', 'openid connect', profile, {}, {
    profileToUser: () => ({ email: 'ada@example.com', username: 'x' }), trustEmail: true
  }), { code: 'SECOND_FACTOR_REQUIRED' })
})

t.test('by a form of name and password: with the factor in the form', async t => {
  const app = await start(t)
  const { model } = app
  const { id } = await model('User').create({ email: 'ada@x.test', username: 'ada', password: 'ada-secret', emailVerified: true })
  const { secret, recoveryCodes } = await enrol(app, id, 'ada-secret')
  const right = { username: 'ada', password: 'ada-secret' }
  const tried = async (path: string, form: Record<string, string>): Promise<string> =>
    (await new Browser(app.app).post(path, form)).location
  for (const path of ['/auth/local', '/auth/token']) {
    t.equal(await tried(path, right), '/out?error=SECOND_FACTOR_REQUIRED')
    t.equal(await tried(path, { ...right, otp: '000000' }), '/out?error=SECOND_FACTOR_REQUIRED')
    t.equal(await tried(path, { ...right, password: 'wrong', otp: codeOf(secret) }), '/out?error=LOGIN_FAILED')
  }
  t.equal(await tried('/auth/local', { ...right, otp: codeOf(secret) }), '/in')
  t.equal(await tried('/auth/token', { ...right, recoveryCode: recoveryCodes[0] as string }), '/in')
  t.equal(await tried('/auth/token', { ...right, otp: codeOf(secret) }), '/out?error=SECOND_FACTOR_REQUIRED', 'once')
})
