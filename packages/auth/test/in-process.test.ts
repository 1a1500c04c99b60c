/** Accounts as code of the application uses them: what it is told, and when. */
import t from 'tap'
import { mailConnector } from '@fastback/auth'
import { call, makeApp, person } from './app.js'

const ann = person('ann') as { email: string }

const refused = (): Error => new Error('the mail server refused')

t.test('verify waits for the mailer and hears of its failure, however the mailer is written', async t => {
  const app = await makeApp(t)
  const { User } = app.models
  const user = await User.create(ann)
  type Done = (error: unknown, value?: unknown) => void
  const soon = (done: Done, ...answer: [unknown, unknown?]): void => { setTimeout(done, 5, ...answer) }
  const sends: Record<string, (...args: any[]) => unknown> = {
    'rest parameters and a call-back': (...args: unknown[]) => { soon(args.at(-1) as Done, null, 'sent') },
    'a call-back with a default': (_mail: unknown, done: Done = () => {}) => { soon(done, null, 'sent') },
    arguments: function () { soon(arguments[arguments.length - 1] as Done, null, 'sent') },
    'a bound function': ((_own: unknown, ...args: unknown[]) => { soon(args.at(-1) as Done, null, 'sent') }).bind(null, 1),
    'a promise': async () => 'sent',
    'options as well': (_mail: unknown, _options: unknown, done: Done) => { soon(done, null, 'sent') },
    'at once': () => 'sent'
  }
  for (const [name, send] of Object.entries(sends)) {
    t.match(await user.verify({ mailer: { send } }), { email: 'sent' }, name)
  }
  const failing: Record<string, (...args: any[]) => unknown> = {
    'rest parameters and a call-back': (...args: unknown[]) => { soon(args.at(-1) as Done, refused()) },
    'a promise': async () => { throw refused() },
    'at once': () => { throw refused() }
  }
  for (const [name, send] of Object.entries(failing)) {
    await t.rejects(user.verify({ mailer: { send } }), { message: 'the mail server refused' }, name)
  }
})

t.test('verify stores an account that is new, and tells templates the token', async t => {
  const app = await makeApp(t)
  const { User } = app.models
  const user = new User(ann)
  let shown: unknown
  const { token } = await user.verify({
    mailer: { send: async () => 'sent' },
    templateFn: (mail: { verificationToken: unknown }, done: (error: unknown, html: string) => void) => {
      shown = mail.verificationToken
      done(null, 'hello')
    }
  })
  t.equal(shown, token)
  t.equal((await User.findOne({ where: { email: ann.email } })).verificationToken, token)
})

t.test('an account that is not stored yet knows its password', async t => {
  const { User } = (await makeApp(t)).models
  const user = new User(ann)
  t.equal(await user.hasPassword('ann-secret'), true)
  t.equal(await user.hasPassword('another'), false)
  await user.save()
  t.equal(await user.hasPassword('ann-secret'), true)
})

t.test('code that asks for a reset is told what is wrong, and is answered before the event', async t => {
  const app = await makeApp(t)
  const { User } = app.models
  await User.create({ ...ann, realm: 'north' })
  await t.rejects(User.resetPassword({ email: 'nobody@x.test' }), { statusCode: 404, code: 'EMAIL_NOT_FOUND' })
  await t.rejects(User.resetPassword({ email: ann.email, realm: 'south' }), { code: 'EMAIL_NOT_FOUND' }, 'realm')
  t.match(await call(app, 'POST', '/Users/reset', { email: 'nobody@x.test' }), { status: 204 }, 'clients are not told')
  const options = { email: ann.email, realm: 'north', redirect: '/done' }
  const order: string[] = []
  const told = new Promise<any>(resolve => User.once('resetPasswordRequest', (info: unknown) => {
    order.push('event')
    resolve(info)
  }))
  User.resetPassword(options, () => { order.push('answer') })
  const info = await told
  t.strictSame(order, ['answer', 'event'])
  t.equal(info.options, options)
  t.equal(info.accessToken.ttl, 900)
  t.equal(info.user.email, ann.email)
})

t.test('an own reset over REST that calls the built-in one tells clients nothing either', async t => {
  const app = await makeApp(t, {
    prepare: ({ User }: any) => {
      const builtin = User.resetPassword
      User.resetPassword = function (options: object, done: unknown) { return builtin.call(this, options, done) }
    }
  })
  t.match(await call(app, 'POST', '/Users/reset', { email: 'nobody@x.test' }), { status: 204 })
})

t.test('whose password is changed and who is not there is not authorized', async t => {
  const { User } = (await makeApp(t)).models
  const unknown = { statusCode: 401, code: 'USER_NOT_FOUND' }
  await t.rejects(User.changePassword(99, 'a', 'b'), unknown)
  await t.rejects(User.setPassword(99, 'b'), unknown)
})

t.test('a wrong token is told before a wrong target, and neither uses the right one up', async t => {
  const app = await makeApp(t)
  const { User } = app.models
  const user = await User.create(ann)
  const { token } = await user.verify({ mailer: { send: async () => 'sent' } })
  const away = 'http://away.test/'
  await t.rejects(User.confirm(99, token, away), { code: 'USER_NOT_FOUND' })
  await t.rejects(User.confirm(user.id, 'wrong', away), { code: 'INVALID_TOKEN' })
  await t.rejects(User.confirm(user.id, token, away), { code: 'INVALID_REDIRECT' })
  await User.confirm(user.id, token)
})

t.test('user models name their token model and lifetimes', async t => {
  const { User, AccessToken } = (await makeApp(t)).models
  t.equal(User.accessToken, AccessToken)
  t.match(User.settings, { ttl: 1_209_600, maxTTL: 31_556_926 })
  User.accessToken = undefined
  t.equal(User.accessToken, undefined, 'code may put another there')
})

t.test('user models name the mail model, which applications attach by it', async t => {
  const { registry, models: { User } } = await makeApp(t)
  const Email = registry.findModel('Email')
  t.ok(Email)
  t.equal(User.email, Email)
  const Customer = registry.defineModel({ name: 'Customer', base: 'User' }) as typeof User
  t.equal(Customer.email, Email)
  Customer.email = { send () {} }
  t.equal(User.email, Email, 'a mailer of its own is its own')
})

t.test('the mail connector by itself has its transports by name', async t => {
  const Mail = mailConnector as unknown as new (settings: object) => ReturnType<typeof mailConnector>
  const mail = new Mail({ transports: [{ type: 'smtp', host: 'a.test' }, { type: 'stub', alias: 'kept' }] })
  t.ok(mail.transportForName('smtp'))
  t.equal(mail.transportForName('other'), undefined)
  t.equal(mail.defaultTransport(), mail.transportForName('smtp'))
  t.match(await mail.send({ transport: 'kept', to: 'a@x.test', headers: { 'Message-Id': 'one' } }), { messageId: 'one' })
  t.match(await mail.send({ transport: 'kept', to: 'a@x.test' }), { messageId: /^<.+@localhost>$/ })
})
