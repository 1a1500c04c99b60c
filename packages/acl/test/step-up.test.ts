/** `accessAssurance`: rules and methods that ask how the caller has logged in (openid.md, OI-103; RFC 9470). */
import t, { type Test } from 'tap'
import type { AccessAssurance, ModelDefinitionInput } from '@fastback/core'
import { explainAccess } from '@fastback/acl'
import { accessMatrix } from '@fastback/acl/review'
import { call, makeApp, row, type App } from './app.js'

const second = 1000
const ago = (seconds: number): Date => new Date(Date.now() - seconds * second)

/** Tokens of ann's by name: how and when she logged in. */
const logins: Record<string, object> = {
  password: { amr: ['pwd'] },
  otp: { amr: ['pwd', 'otp', 'mfa'] },
  passkey: { amr: ['pop', 'user', 'mfa'] },
  oldOtp: { amr: ['pwd', 'otp', 'mfa'], created: ago(600) },
  oldPassword: { created: ago(600) },
  odd: { amr: 'mfa' }
}

const payment = (acls: object[], more: object = {}): ModelDefinitionInput => ({
  name: 'Payment', properties: { amount: 'number', ownerId: 'number' }, acls, ...more
})
const closed = row('DENY', '$everyone')

interface Options { settings?: Record<string, unknown>, prepare?: (models: any) => void }

async function shop (t: Test, model: ModelDefinitionInput, options: Options = {}): Promise<App> {
  const names: Record<string, string> = {}
  const app = await makeApp(t, {
    settings: options.settings ?? {},
    definitions: [model],
    prepare: async models => {
      await models.Payment.create([{ amount: 1, ownerId: 1 }, { amount: 2, ownerId: 2 }])
      for (const [name, login] of Object.entries(logins)) {
        const token = await models.AccessToken.create({ userId: 1, ttl: 1000, ...login })
        names[name] = token.id
      }
      options.prepare?.(models)
    }
  })
  return Object.assign(app, { tokens: { ...app.tokens, ...names } })
}

t.test('OI-103: a rule lets in only those who logged in as it asks; others get 401 and the challenge of RFC 9470', async t => {
  const app = await shop(t, payment([closed, row('ALLOW', '$authenticated', { accessAssurance: 'mfa' })]))
  const refused = await call(app, 'password', 'GET', '/Payments')
  t.equal(refused.status, 401)
  t.match(refused.body.error, { code: 'STEP_UP_REQUIRED', details: { acrValues: ['2fa'] } })
  t.match(refused.headers['www-authenticate'], /^Bearer error="insufficient_user_authentication", error_description="[^"]+", acr_values="2fa"$/)
  t.equal((await call(app, 'otp', 'GET', '/Payments')).status, 200)
  t.equal((await call(app, 'passkey', 'GET', '/Payments')).status, 200)
  t.equal((await call(app, 'odd', 'GET', '/Payments')).body.error.code, 'STEP_UP_REQUIRED', 'amr that is no list')
  const anonymous = await call(app, undefined, 'GET', '/Payments')
  t.match(anonymous.body.error, { code: 'AUTHORIZATION_REQUIRED' })
  t.notOk('www-authenticate' in anonymous.headers, 'who has not logged in is told nothing of levels')
})

t.test('OI-103: a login that is too old is repeated', async t => {
  const asked: AccessAssurance = { acr: 'mfa', maxAge: 300 }
  const app = await shop(t, payment([closed, row('ALLOW', '$authenticated', { accessAssurance: asked })]))
  const refused = await call(app, 'oldOtp', 'GET', '/Payments')
  t.match(refused.body.error, { code: 'STEP_UP_REQUIRED', details: { acrValues: ['2fa'], maxAge: 300 } })
  t.match(refused.headers['www-authenticate'], /acr_values="2fa", max_age="300"$/)
  t.equal((await call(app, 'otp', 'GET', '/Payments')).status, 200)
})

t.test('OI-103: age alone may be asked for, and a passkey', async t => {
  const app = await shop(t, payment([
    closed,
    row('ALLOW', '$authenticated', { property: 'find', accessAssurance: { maxAge: 300 } }),
    row('ALLOW', '$authenticated', { property: 'findById', accessAssurance: 'phr' })
  ]))
  t.equal((await call(app, 'oldPassword', 'GET', '/Payments')).status, 401)
  t.equal((await call(app, 'password', 'GET', '/Payments')).status, 200)
  t.equal((await call(app, 'otp', 'GET', '/Payments/1')).status, 401)
  t.equal((await call(app, 'passkey', 'GET', '/Payments/1')).status, 200)
})

t.test('OI-103: a rule that is not met does not leave the caller to a weaker one', async t => {
  const app = await shop(t, payment([
    row('ALLOW', '$everyone', { property: 'find', accessAssurance: 'mfa' })
  ]))
  t.equal((await call(app, 'password', 'GET', '/Payments')).status, 401, 'the default permission ALLOW is no way around')
  t.equal((await call(app, undefined, 'GET', '/Payments')).status, 401)
  t.equal((await call(app, 'otp', 'GET', '/Payments')).status, 200)
  t.equal((await call(app, 'password', 'GET', '/Payments/count')).status, 200, 'other methods are as ever')
})

t.test('OI-103: rules of one rank add up for those only who logged in as each asks', async t => {
  const app = await shop(t, payment([
    closed,
    row('ALLOW', '$authenticated', { accessType: 'READ', rows: { amount: 1 } }),
    row('ALLOW', '$authenticated', { accessType: 'READ', rows: { amount: 2 }, accessAssurance: 'mfa' })
  ]))
  const amounts = async (who: string): Promise<number[]> =>
    (await call(app, who, 'GET', '/Payments')).body.map(({ amount }: { amount: number }) => amount)
  t.same(await amounts('password'), [1])
  t.same(await amounts('otp'), [1, 2])
})

t.test('OI-103: a remote method asks by itself, whatever lets the caller in', async t => {
  const asking = (models: any): void => {
    models.Payment.release = async () => 'released'
    models.Payment.remoteMethod('release', {
      accessAssurance: 'mfa', http: { verb: 'post' }, returns: { arg: 'state', type: 'string' }
    })
  }
  const app = await shop(t, payment([]), { prepare: asking })
  t.match((await call(app, 'password', 'POST', '/Payments/release')).body.error, { code: 'STEP_UP_REQUIRED' })
  t.equal((await call(app, undefined, 'POST', '/Payments/release')).body.error.code, 'AUTHORIZATION_REQUIRED')
  t.same((await call(app, 'otp', 'POST', '/Payments/release')).body, { state: 'released' })
})

t.test('OI-103: what nobody can read opens nothing', async t => {
  for (const accessAssurance of ['mfq', 7, { acr: 'x' }, { maxAge: -1 }, { maxAge: 1.5 }, { age: 1 }, [], true, '__proto__']) {
    const app = await shop(t, payment([closed, row('ALLOW', '$authenticated', { accessAssurance })]), { settings: { modelDefinitions: 'open' } })
    t.equal((await call(app, 'passkey', 'GET', '/Payments')).status, 401, JSON.stringify(accessAssurance))
  }
  await t.rejects(
    shop(t, payment([row('ALLOW', '$authenticated', { accessAssurance: 'mfq' })]), { settings: { modelDefinitions: 'strict' } }),
    /Did you mean "mfa"|accessAssurance/
  )
  const app = await shop(t, payment([row('DENY', '$everyone', { accessAssurance: 'mfa' })]), {
    settings: { modelDefinitions: 'open' }
  })
  t.equal((await call(app, 'passkey', 'GET', '/Payments')).status, 401, 'a rule that denies, denies')
})

t.test('OI-103: explained, in the matrix and in the audit', async t => {
  const app = await shop(t, payment([closed, row('ALLOW', '$authenticated', { accessAssurance: { acr: 'mfa', maxAge: 60 } })]))
  const token = await app.models.AccessToken.findById(app.tokens.password)
  const weak = await explainAccess(app.registry, { model: 'Payment', method: 'find', token })
  t.match(weak, { allowed: false, assurance: { acr: '2fa', maxAge: 60 }, rows: undefined })
  t.match(weak.reason, /the login is not at least "2fa" and at most 60 s old, which the rule asks for/)
  const strong = await explainAccess(app.registry, {
    model: 'Payment', method: 'find', token: await app.models.AccessToken.findById(app.tokens.otp)
  })
  t.match(strong, { allowed: true, assurance: { acr: '2fa', maxAge: 60 } })
  const [line] = await accessMatrix(app.models.Payment)
  t.match(line, { role: '$authenticated', permission: 'ALLOW', assurance: { acr: '2fa', maxAge: 60 } })
  const events: any[] = []
  app.registry.on('audit', (event: unknown) => { events.push(event) })
  await call(app, 'password', 'GET', '/Payments')
  t.match(events, [{ event: 'access denied', stepUp: { acr: '2fa', maxAge: 60 } }])
})
