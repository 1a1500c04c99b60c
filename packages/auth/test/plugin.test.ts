import Fastify from 'fastify'
import t from 'tap'
import core from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'
import rest from '@fastback/rest'
import auth, { mailConnector } from '@fastback/auth'
import { call, person } from './app.js'

const dataSources = { db: { connector: 'memory' }, mail: { connector: 'mail', transports: [{ type: 'stub' }] } }
const connectors = { memory: memoryConnector, mail: mailConnector }

t.test('with a data source the models need no further word', async t => {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(core, {
    connectors,
    dataSources,
    definitions: [{ name: 'Note', properties: { text: 'string' } }],
    models: { Note: { dataSource: 'db' } }
  })
  await app.register(auth, { dataSource: 'db', currentUserLiteral: true })
  app.get('/whoami/:who', async request => ({
    userId: request.accessToken?.userId ?? null,
    who: (request.params as { who: string }).who
  }))
  await app.register(rest, { prefix: '/api', accessControl: false })
  await app.ready()
  t.equal((await call(app, 'POST', '/Users', person('ann'))).status, 200)
  const token = (await call(app, 'POST', '/Users/login', { email: 'ann@x.test', password: 'ann-secret', ttl: '60' }))
    .body
  t.equal(token.ttl, 60, 'as a form sends it')
  const whoami = async (who: string, headers = {}) => (await app.inject({ url: `/whoami/${who}`, headers })).json()
  t.same(await whoami('x'), { userId: null, who: 'x' })
  t.same(await whoami('me', { authorization: token.id }), { userId: 1, who: '1' })
  t.match(await whoami('me'), { statusCode: 401, code: 'AUTHORIZATION_REQUIRED' })
  t.equal((await app.inject('/me/nowhere')).statusCode, 401)
  t.equal((await call(app, 'GET', '/AccessTokens')).status, 404, 'not published')
  t.equal((await app.inject({ url: '/whoami/x', headers: { cookie: 'access_token=x' } })).statusCode, 200)
})

t.test('mistakes are said at the start', async t => {
  const start = async (options: object): Promise<unknown> => {
    const app = Fastify()
    t.teardown(() => app.close())
    await app.register(core, { connectors, dataSources })
    await app.register(auth, options)
    return await app.ready()
  }
  await t.rejects(start({ heaeders: ['x'] }), {
    code: 'FBK_AUTH_INVALID_OPTIONS',
    message: '@fastback/auth: there is no option "heaeders". Did you mean "headers"?'
  })
  await t.rejects(start({ model: 'Tokken' }), { code: 'FBK_AUTH_UNKNOWN_TOKEN_MODEL' })
  await t.rejects(async () => await Fastify().register(auth), { code: 'FST_ERR_PLUGIN_NOT_PRESENT_IN_INSTANCE' })
})

t.test('two contexts share nothing', async t => {
  const app = Fastify()
  t.teardown(() => app.close())
  for (const prefix of ['/one', '/two']) {
    await app.register(async scope => {
      await scope.register(core, { connectors, dataSources })
      await scope.register(auth, { dataSource: 'db' })
      await scope.register(rest, { prefix: '/', accessControl: false })
    }, { prefix })
  }
  await app.ready()
  const post = async (url: string, payload: object, headers = {}) =>
    (await app.inject({ method: 'POST', url, payload, headers })).json()
  t.equal((await post('/one/Users', person('ann'))).id, 1)
  const { id: token } = await post('/one/Users/login', { username: 'ann', password: 'ann-secret' })
  t.match(await post('/two/Users/login', { username: 'ann', password: 'ann-secret' }), {
    error: { code: 'LOGIN_FAILED' }
  })
  t.match(await post('/two/Users/logout', {}, { authorization: token }), { error: { statusCode: 401 } })
})

t.test('nobody to send mail: said at the start and to who asks, and nothing changes', async t => {
  const lines: Array<{ level: number, msg: string }> = []
  const app = Fastify({
    logger: {
      level: 'warn',
      stream: {
        write: (line: string) => {
          lines.push(JSON.parse(line))
        }
      }
    }
  })
  t.teardown(() => app.close())
  await app.register(core, { connectors, dataSources })
  await app.register(auth, { dataSource: 'db' })
  app.registry.attach('User', 'db', { settings: { emailVerificationRequired: true } })
  await app.register(rest, { prefix: '/api', accessControl: false })
  await app.ready()
  t.match(
    lines.find(({ msg }) => msg.includes('verify an address')),
    { level: 40, models: ['User'], msg: /connector "mail"/ }
  )
  const { User } = app.models as Record<string, any>
  const user = await User.create({ ...person('ann'), verificationToken: 'earlier' })
  t.match(await call(app, 'POST', '/Users/1/verify'), {
    status: 404,
    body: { error: { code: 'VERIFICATION_NOT_AVAILABLE', message: /sends no mail/ } }
  })
  t.match(
    await call(app, 'POST', '/Users/9/verify'),
    { status: 404, body: { error: { code: 'VERIFICATION_NOT_AVAILABLE' } } },
    'nor who is not there'
  )
  await t.rejects(user.verify(), { code: 'FBK_AUTH_NO_MAILER' })
  t.equal((await User.findById(1)).verificationToken, 'earlier')
})

t.test('mail goes through the data source of Email', async t => {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(core, { connectors, dataSources })
  await app.register(auth, { dataSource: 'db' })
  app.registry.attach('Email', 'mail')
  await app.register(rest, { prefix: '/api', accessControl: false })
  await app.ready()
  const { Email, User } = app.models as Record<string, any>
  t.match(await Email.send({ to: 'a@x.test', from: 'b@x.test', subject: 's', text: 't' }), { accepted: ['a@x.test'] })
  await User.create(person('ann'))
  t.equal((await call(app, 'POST', '/Users/1/verify')).status, 204)
  t.rejects(Email.dataSource.connector.create, { code: 'FBK_AUTH_NOT_A_STORE' })
})
