// FASTBACK_TEST_FULL: each level of a login on each kind of request.
/** Attempts to go around what a rule or a method asks of the caller's login: S-122. */
import { get as httpGet, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import Fastify, { type FastifyInstance } from 'fastify'
import tap, { type Test } from 'tap'
import { acl } from '@fastback/acl'
import { auth } from '@fastback/auth'
import { memoryConnector } from '@fastback/connector-memory'
import { core } from '@fastback/core'
import { rest } from '@fastback/rest'
import { stepAt, totpCode } from '../../../packages/auth/src/factors/totp.js'
import { fromBase32 } from '../../../packages/auth/test/factors.js'
import {
  bearer, Browser, formOf, get, makeServer, redeem, request, token as tokenRequest, verifier
} from '../../../packages/oauth2/test/server.js'

const ofRole = (permission: string, principalId: string, more: object = {}): object =>
  ({ principalType: 'ROLE', principalId, permission, ...more })
const closed = ofRole('DENY', '$everyone')
const open = ofRole('ALLOW', '$authenticated')

interface Shop {
  readonly app: FastifyInstance
  readonly models: Record<string, any>
  send (
    token: string | undefined, verb: string, path: string, body?: unknown
  ): Promise<{ status: number, body: any, headers: any }>
  /** Tokens of logins by password alone, with two factors, and with two factors long ago. */
  readonly weak: string
  readonly strong: string
  readonly old: string
}

async function openShop (t: Test): Promise<Shop> {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(core, { dataSources: { db: { connector: memoryConnector } } })
  const { registry } = app
  const secondFactors = { secret: 'a secret of this test' }
  await app.register(auth, { dataSource: 'db', rateLimit: false, currentUserLiteral: 'me', secondFactors })
  await app.register(acl, { dataSource: 'db' })
  registry.defineModels([
    {
      name: 'Order',
      properties: { title: 'string' },
      acls: [closed, open],
      relations: {
        payments: { type: 'hasMany', model: 'Payment', foreignKey: 'orderId' },
        receipt: { type: 'hasOne', model: 'Payment', foreignKey: 'orderId' }
      }
    },
    {
      name: 'Payment',
      properties: { amount: 'number', orderId: 'number' },
      acls: [closed, ofRole('ALLOW', '$authenticated', { accessAssurance: { acr: 'mfa', maxAge: 300 } })],
      relations: { order: { type: 'belongsTo', model: 'Order', foreignKey: 'orderId' } },
      scopes: { large: { where: { amount: { gt: 5 } } } }
    }
  ].map(input => ({ input: input as never })))
  for (const name of ['Order', 'Payment']) registry.attach(name, 'db', { public: true })
  const models = registry.models as Record<string, any>
  models.Order.release = async () => 'released'
  models.Order.remoteMethod('release', {
    accessAssurance: 'mfa', http: { verb: 'post' }, returns: { arg: 'state', type: 'string' }
  })
  await app.register(rest, { prefix: '/api', batch: true })
  await app.ready()
  const ann = await models.User.create({ username: 'ann', email: 'ann@x.test', password: 'ann-secret' })
  await models.Order.create({ title: 'one' })
  await models.Payment.create([{ amount: 1, orderId: 1 }, { amount: 10, orderId: 1 }])
  const send: Shop['send'] = async (token, verb, path, body) => {
    const response = await app.inject({
      method: verb as 'GET', url: `/api${path}`, ...body === undefined ? {} : { payload: body as object },
      headers: token === undefined ? {} : { authorization: token }
    })
    return {
      status: response.statusCode, headers: response.headers,
      body: response.payload === '' ? undefined : response.json()
    }
  }
  const login = { username: 'ann', password: 'ann-secret' }
  const enrolling = (await send(undefined, 'POST', '/Users/login', login)).body.id
  const { body: { secret } } = await send(enrolling, 'POST', '/Users/me/totp', { password: 'ann-secret' })
  const code = (later: number): string => totpCode(fromBase32(secret), stepAt(Date.now()) + later)
  await send(enrolling, 'POST', '/Users/me/totp/confirm', { otp: code(-1) })
  const strong = (await send(undefined, 'POST', '/Users/login', { ...login, otp: code(0) })).body.id
  const old = (await send(undefined, 'POST', '/Users/login', { ...login, otp: code(1) })).body.id
  await models.AccessToken.updateAll({ id: old }, { created: new Date(Date.now() - 400_000) })
  const weak = (await models.AccessToken.create({ userId: ann.id, ttl: 10_000 })).id
  return { app, models, send, weak, strong, old }
}

const filter = (value: object): string => `filter=${encodeURIComponent(JSON.stringify(value))}`

/** Every way to the rows: verb, path, body. */
const ways: ReadonlyArray<readonly [string, string, unknown?]> = [
  ['GET', '/Payments'], ['GET', '/Payments/1'], ['HEAD', '/Payments/1'], ['GET', '/Payments/count'],
  ['GET', '/Payments/findOne'], ['GET', '/Payments/1/exists'], ['GET', '/Payments/large'], ['GET', '/Payments/large/count'],
  ['POST', '/Payments', { amount: 9 }], ['PATCH', '/Payments/1', { amount: 9 }], ['PUT', '/Payments/1', { amount: 9 }],
  ['POST', '/Payments/1/replace', { amount: 9 }], ['POST', '/Payments/update', { amount: 9 }],
  ['PUT', '/Payments', { id: 1, amount: 9 }], ['PATCH', '/Payments', { id: 1, amount: 9 }], ['DELETE', '/Payments/1'],
  ['POST', '/Payments/upsertWithWhere?where={"amount":1}', { amount: 9 }],
  ['GET', '/Payments/1/order'], ['GET', '/Orders/1/payments'], ['GET', '/Orders/1/payments/1'],
  ['GET', '/Orders/1/payments/count'], ['POST', '/Orders/1/payments', { amount: 9 }],
  ['PUT', '/Orders/1/payments/1', { amount: 9 }], ['DELETE', '/Orders/1/payments/1'], ['DELETE', '/Orders/1/payments'],
  ['GET', '/Orders/1/receipt'], ['PUT', '/Orders/1/receipt', { amount: 9 }], ['DELETE', '/Orders/1/receipt'],
  ['GET', `/Orders?${filter({ include: 'payments' })}`], ['GET', `/Orders/1?${filter({ include: ['receipt'] })}`],
  ['GET', `/Orders?${filter({ include: { relation: 'payments', scope: { include: 'order' } } })}`],
  ['POST', '/Orders/release', {}]
]

tap.test('S-122 a weaker or older login gets nowhere, on any way', async t => {
  // Seen to fail: `meets` of acl/membership.ts true; `asksAssurance` of acl/rules/assurance.ts false; `assured` of
  // acl/rules/decide.ts giving the decision as it came; the getter #assurance of acl/rules/method-plan.ts undefined
  const { send, weak, old, models } = await openShop(t)
  const before = JSON.stringify(await models.Payment.find())
  for (const [name, token] of [['a password alone', weak], ['two factors, long ago', old]] as const) {
    for (const [verb, path, body] of ways) {
      if (token === old && path === '/Orders/release') continue
      const answer = await send(token, verb, path, body)
      t.equal(answer.status, 401, `${name}: ${verb} ${path}`)
      if (verb !== 'HEAD') t.equal(answer.body.error.code, 'STEP_UP_REQUIRED', `${name}: ${verb} ${path}`)
      t.match(answer.headers['www-authenticate'], /^Bearer error="insufficient_user_authentication", .*acr_values="2fa"/)
    }
  }
  t.equal(JSON.stringify(await models.Payment.find()), before, 'nothing was written')
})

tap.test('S-122 who has logged in as it asks comes in, on the same ways', async t => {
  // Seen to fail: `meets` of acl/membership.ts false
  const { send, strong } = await openShop(t)
  for (const [verb, path] of ways.filter(([verb]) => verb === 'GET')) {
    t.equal((await send(strong, verb, path)).status, 200, `${verb} ${path}`)
  }
  t.equal((await send(strong, 'POST', '/Orders/release', {})).status, 200)
})

tap.test('S-122 in a batch, in the process, and by what a client says of itself', async t => {
  // Seen to fail: optionsFor of acl/acting/call.ts letting decisions with `stepUp` through
  const { app, send, weak, strong, models } = await openShop(t)
  const operations = [
    { id: 'a', method: 'GET', path: '/Payments' }, { id: 'b', method: 'POST', path: '/Payments', body: { amount: 3 } },
    { id: 'c', method: 'GET', path: '/Orders/1/payments' }, { id: 'd', method: 'POST', path: '/Orders/release', body: {} }
  ]
  for (const operation of operations) {
    const { body } = await send(weak, 'POST', '/batch', { operations: [operation] })
    t.match(JSON.stringify(body), /STEP_UP_REQUIRED/, `batch: ${operation.path}`)
  }
  t.equal(await models.Payment.count(), 2)
  const { registry } = app as any
  for (const [name, token] of Object.entries({ text: weak, row: await models.AccessToken.findById(weak) })) {
    await t.rejects(registry.as({ token }).Payment.find(), { code: 'STEP_UP_REQUIRED' }, `in the process: ${name}`)
    await t.rejects(registry.as({ token }).Payment.create({ amount: 3 }), { code: 'STEP_UP_REQUIRED' })
  }
  await t.rejects(registry.as({ user: 1 }).Payment.find(), { statusCode: 401 } as never, 'a user without a login')
  t.equal((await registry.as({ token: strong }).Payment.find()).length, 2)
  const amr = ['pwd', 'otp', 'mfa']
  const login = { username: 'ann', password: 'ann-secret', amr }
  t.match((await send(undefined, 'POST', '/Users/login', login)).body.error, { code: 'SECOND_FACTOR_REQUIRED' })
  await send(weak, 'PATCH', '/Users/me', { amr })
  for (const [verb, path] of [['POST', '/Users/me/accessTokens'], ['PUT', `/Users/me/accessTokens/${weak}`]] as const) {
    const { status, body } = await send(weak, verb, path, { amr, ttl: 9999, created: new Date() })
    if (status < 300) t.equal((await send(body.id, 'GET', '/Payments')).status, 401, `${verb} ${path}`)
    else t.ok(status < 500, `${verb} ${path}: ${status}`)
  }
  for (const more of ['?amr=mfa', '?acr=2fa', `?access_token=${weak}&amr[]=mfa`, '?filter={"amr":["mfa"]}', '?acr_values=2fa']) {
    const { status } = await send(weak, 'GET', `/Payments${more}`)
    t.ok(status >= 400 && status < 500, `${more}: ${status}`)
  }
})

tap.test('S-122 a stream ends when the login of its caller is too old', async t => {
  // Seen to fail: mayStillListen of acl/guard/change-guard.ts true
  const { app, strong, weak, models } = await openShop(t)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const status = async (token: string): Promise<number> => await new Promise((resolve, reject) => {
    const path = '/api/Payments/change-stream'
    const sent = httpGet({ port, path, headers: { authorization: token }, agent: false }, response => {
      resolve(response.statusCode as number)
      response.destroy()
    })
    sent.on('error', reject)
  })
  t.equal(await status(weak), 401)
  await models.AccessToken.updateAll({ id: strong }, { created: new Date(Date.now() - 298_500) })
  let response: IncomingMessage | undefined
  const ended = new Promise<boolean>(resolve => {
    const path = '/api/Payments/change-stream'
    httpGet({ port, path, headers: { authorization: strong }, agent: false }, opened => {
      response = opened
      t.equal(opened.statusCode, 200)
      opened.resume().on('close', () => { resolve(true) }).on('error', () => {})
    })
  })
  const tooLong = setTimeout(15_000, false, { ref: false })
  t.equal(await Promise.race([ended, tooLong]), true, 'within the time of two looks at it')
  response?.destroy()
})

tap.test('S-122 a refresh token makes no login younger or stronger', async t => {
  // Seen to fail: `this.#login` of oauth2/grants/token-request.ts set anew for each refresh
  const secret = 'a secret of this test'
  const server = await makeServer(t, {
    userSettings: { secondFactor: { secret } },
    options: {
      authenticate: [
        { paths: ['/api/Notes/who'], options: {} }, { paths: ['/api/Notes/count'], options: { acrValues: ['2fa'], maxAge: 300 } }
      ]
    }
  })
  const User = server.model('User')
  const factors = server.provider.service.secondFactors(User) as any
  const ada = await User.findOne({ where: { username: 'ada' } })
  const { secret: text } = await factors.totp.enrol(ada, 'Shop')
  await factors.totp.confirm(ada, totpCode(fromBase32(text), stepAt(Date.now()) - 1))
  const tokensOf = async (browser: Browser, who: object): Promise<any> => {
    const proof = verifier()
    const { query } = await browser.walk(request({}, proof), who)
    return (await redeem(server, { code: query.get('code') as string, secret: proof })).json()
  }
  const isIn = async ({ access_token: given }: any): Promise<boolean> =>
    (await get(server, '/api/Notes/count', bearer(given))).statusCode === 200
  const renewed = async ({ refresh_token: given }: any): Promise<any> =>
    (await tokenRequest(server, { grant_type: 'refresh_token', refresh_token: given })).json()
  const weak = await tokensOf(new Browser(server), { username: 'bob', password: 'battery staple' })
  t.notOk(await isIn(weak))
  t.notOk(await isIn(await renewed(weak)), 'weak stays weak')
  const browser = new Browser(server)
  await browser.logIn()
  const { hidden } = formOf(await browser.request('GET', '/login/second-factor'))
  await browser.request('POST', '/login/second-factor', { ...hidden, otp: totpCode(fromBase32(text), stepAt(Date.now())) })
  const strong = await tokensOf(browser, { username: 'ada', password: 'correct horse' })
  t.ok(await isIn(strong))
  const Token = server.model('OAuthAccessToken')
  for (const row of await Token.find({ where: { userId: ada.id } })) {
    const parameters = row.parameters.map(({ name, value }: any) => {
      const login = JSON.parse(value)
      return { name, value: JSON.stringify({ ...login, authTime: login.authTime - 400 }) }
    })
    await Token.updateAll({ id: row.id }, { parameters })
  }
  t.notOk(await isIn(strong))
  t.notOk(await isIn(await renewed(strong)), 'old stays old')
  const password = { grant_type: 'password', username: 'bob', password: 'battery staple' }
  t.notOk(await isIn((await tokenRequest(server, password)).json()), 'the password grant is one factor')
  t.match((await tokenRequest(server, { ...password, username: 'ada', password: 'correct horse' })).json(), { error: 'invalid_grant' })
  t.notOk(await isIn((await tokenRequest(server, { grant_type: 'client_credentials' })).json()), 'a client is no user')
})
