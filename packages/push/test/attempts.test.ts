/** What somebody else may try: read, change or notify another's installation, and learn tokens (PU-28 to PU-31). */
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import acl, { installAclModels } from '@fastback/acl'
import auth, { installAuthModels } from '@fastback/auth'
import { memoryConnector } from '@fastback/connector-memory'
import core, { ModelRegistry, type ModelDefinitionInput } from '@fastback/core'
import { installationDefinition, notificationDefinition, pushConnector, type PushConnector } from '@fastback/push'
import rest from '@fastback/rest'

const all = (principalId: string, permission: string, property?: string) =>
  ({ principalType: 'ROLE', principalId, permission, ...(property === undefined ? {} : { property }) })

async function serve (t: Test, { push = [], guarded = true }: { push?: object[], guarded?: boolean } = {}) {
  const registry = new ModelRegistry()
  registry.connectors.register('memory', memoryConnector)
  registry.defineDataSource('db', { connector: 'memory' })
  installAuthModels(registry)
  installAclModels(registry)
  for (const definition of [installationDefinition, notificationDefinition] as ModelDefinitionInput[]) {
    registry.defineModel(definition)
    registry.attach(definition.name, 'db', { public: true })
  }
  registry.defineDataSource('push', { connector: pushConnector, deliveryLog: true })
  registry.defineModel({ name: 'Push', plural: 'push', base: 'Model', acls: push })
  registry.attach('Push', 'push', { public: true })
  for (const name of ['User', 'AccessToken', 'ACL', 'Role', 'RoleMapping', 'Application']) registry.attach(name, 'db', { public: name === 'User' || name === 'Application' })
  const app: FastifyInstance = Fastify()
  t.teardown(async () => { await app.close() })
  await app.register(core, { registry })
  if (guarded) {
    await app.register(auth, { rateLimit: false })
    await app.register(acl)
  }
  await registry.start()
  const models = registry.models as Record<string, any>
  models.User.hasMany(models.Installation, { as: 'installations', foreignKey: 'userId' })
  models.User.settings.acls.push(all('$authenticated', 'ALLOW'))
  const tokens: Record<string, string> = {}
  const ids: Record<string, string> = {}
  for (const name of ['ann', 'ben']) {
    const user = await models.User.create({ email: `${name}@x.test`, password: `$2b$04$${'a'.repeat(53)}` })
    ids[name] = String(user.id)
    tokens[name] = (await models.AccessToken.create({ userId: user.id, ttl: 1000 })).id
  }
  await models.Application.create({ id: 'shop', name: 'Shop', pushSettings: { stub: {}, web: { publicKey: 'public', privateKey: 'hush' } } })
  await app.register(rest, { prefix: '/api', ...(guarded ? {} : { accessControl: false }) })
  await app.ready()
  const call = async (who: string | undefined, method: string, url: string, body?: unknown) => {
    const response = await app.inject({
      method: method as 'GET', url: `/api${url}`,
      headers: who === undefined ? {} : { authorization: tokens[who] as string },
      ...(body === undefined ? {} : { payload: body as object })
    })
    return { status: response.statusCode, text: response.payload, body: response.payload === '' ? undefined : JSON.parse(response.payload) }
  }
  const { manager } = registry.dataSources.push?.connector as unknown as PushConnector
  const own = { call, ids, manager }
  return { ...own, ...models } as typeof models & typeof own
}

const row = (deviceToken: string) => ({ appId: 'shop', deviceType: 'stub', deviceToken })
const q = (value: unknown): string => encodeURIComponent(JSON.stringify(value))

t.test('PU-28, PU-29, PU-30, PU-31, S-13, S-24, S-40: forty attempts on another\'s installation', async t => {
  const { call, ids, Installation, manager } = await serve(t)
  const own = await call('ann', 'POST', '/Installations', { ...row('anns-token'), userId: ids.ben })
  t.equal(own.status, 200)
  t.equal(own.body.userId, ids.ann, 'the user is that of the token')
  const stub: any = await manager.configureApplication('shop', 'stub')
  const mine = `/Installations/${String(own.body.id)}`
  const attempts: Array<[who: string | undefined, method: string, url: string, body?: unknown]> = [
    ['ben', 'GET', mine],
    [undefined, 'GET', mine],
    ['ben', 'GET', `${mine}/exists`],
    ['ben', 'HEAD', mine],
    ['ben', 'GET', '/Installations'],
    [undefined, 'GET', '/Installations'],
    ['ann', 'GET', '/Installations'],
    ['ben', 'GET', `/Installations?filter=${q({ where: { userId: ids.ben } })}`],
    ['ben', 'GET', `/Installations?filter=${q({ fields: ['deviceToken'] })}`],
    ['ben', 'GET', '/Installations/findOne'],
    ['ben', 'GET', '/Installations/count'],
    ['ben', 'GET', `/Installations/count?where=${q({ deviceToken: { like: 'a%' } })}`],
    ['ben', 'GET', '/Installations/byApp?deviceType=stub&appId=shop'],
    [undefined, 'GET', '/Installations/byApp?deviceType=stub&appId=shop'],
    ['ben', 'GET', `/Installations/byUser?deviceType=stub&userId=${String(ids.ann)}`],
    ['ben', 'GET', '/Installations/bySubscriptions?deviceType=stub&subscriptions=x'],
    ['ben', 'GET', '/Installations/change-stream'],
    ['ben', 'PATCH', mine, { deviceToken: 'bens' }],
    [undefined, 'PATCH', mine, { userId: '' }],
    ['ben', 'PUT', mine, { ...row('bens'), userId: ids.ben }],
    ['ben', 'POST', `${mine}/replace`, row('bens')],
    ['ben', 'DELETE', mine],
    [undefined, 'DELETE', mine],
    ['ben', 'PATCH', '/Installations', { id: own.body.id, userId: ids.ben }],
    ['ben', 'PUT', '/Installations', { id: own.body.id, ...row('bens') }],
    ['ben', 'POST', '/Installations/replaceOrCreate', { id: own.body.id, ...row('bens') }],
    ['ben', 'POST', `/Installations/upsertWithWhere?where=${q({ userId: ids.ann })}`, { userId: ids.ben }],
    ['ben', 'POST', `/Installations/update?where=${q({})}`, { userId: ids.ben }],
    ['ann', 'PATCH', mine, { userId: ids.ben }],
    [undefined, 'POST', `/push?deviceQuery=${q({})}`, { alert: 'x' }],
    ['ben', 'POST', `/push?deviceQuery=${q({})}`, { alert: 'x' }],
    ['ben', 'POST', `/push?deviceQuery=${q({ userId: ids.ann })}`, { alert: 'x' }],
    ['ben', 'POST', '/push', { alert: 'x' }],
    ['ann', 'POST', `/push?deviceQuery=${q({ userId: ids.ann })}`, { alert: 'x' }],
    ['ben', 'GET', '/Notifications'],
    ['ben', 'POST', '/Notifications', { ...row('x'), alert: 'x', status: 'queued' }],
    ['ben', 'GET', '/Deliveries'],
    ['ben', 'GET', '/PushBatches'],
    ['ben', 'POST', '/push/notifyById', { installationId: own.body.id }],
    ['ben', 'POST', '/push/notifyMany', { appId: 'shop' }],
    ['ben', 'PATCH', `/Users/${String(ids.ann)}/installations`, { userId: ids.ben }]
  ]
  t.ok(attempts.length >= 40)
  for (const [who, method, url, body] of attempts) {
    const { status, text } = await call(who, method, url, body)
    t.ok([400, 401, 403, 404, 405].includes(status), `${who ?? 'nobody'} ${method} ${url}: ${status}`)
    t.notMatch(text, /anns-token/)
  }
  t.match(await Installation.find(), [{ deviceToken: 'anns-token', userId: ids.ann }], 'it is as it was')
  t.equal(stub.sent.length, 0, 'nothing was sent')
})

t.test('PU-28, PU-31: what owners and applications do is open, and tokens are in no response', async t => {
  const { call, ids, Installation } = await serve(t)
  const made = await call('ann', 'POST', '/Installations', row('anns-token'))
  const mine = `/Installations/${String(made.body.id)}`
  t.equal((await call('ann', 'GET', mine)).status, 200)
  t.equal((await call('ann', 'PATCH', mine, { badge: 1 })).status, 200)
  for (const url of [mine, `/Users/${String(ids.ann)}/installations`, `/Users/${String(ids.ann)}?filter=${q({ include: 'installations' })}`]) {
    t.notMatch((await call('ann', 'GET', url)).text, /anns-token|deviceKey/, url)
  }
  t.notMatch(made.text, /anns-token/)
  const subscription = { endpoint: 'https://push.example.net/anns', keys: { p256dh: 'B'.repeat(87), auth: 'A'.repeat(22) } }
  for (const browser of [{ subscription }, { deviceToken: JSON.stringify(subscription) }, { subscription }]) {
    const { status, text } = await call('ann', 'POST', '/Installations', { appId: 'shop', deviceType: 'web', ...browser })
    t.equal(status, 200)
    t.notMatch(text, /push\.example|subscription"/, 'PU-12: nor is a subscription')
  }
  t.equal(await Installation.count({ deviceType: 'web' }), 1)
  const free = await call(undefined, 'POST', '/Installations', { ...row('free'), userId: ids.ann })
  t.equal(free.status, 200)
  t.notOk(free.body.userId, 'without a token nobody owns it (PU-29)')
  const taken = await call('ben', 'POST', '/Installations', { ...row('anns-token') })
  t.equal(taken.status, 200)
  t.not(taken.body.id, made.body.id, 'who has the device gets a row of their own')
  t.notOk(taken.body.badge)
  t.equal(await Installation.count({ deviceToken: 'anns-token' }), 1)
  t.equal((await call('ben', 'DELETE', `/Installations/${String(taken.body.id)}`)).status, 200)
})

t.test('PU-27, PU-30, S-20: who may send, sends; no condition is 400; tokens cannot be asked for', async t => {
  const { call, ids, manager } = await serve(t, { push: [all('$everyone', 'DENY'), all('$authenticated', 'ALLOW', 'notifyByQuery')] })
  await call('ann', 'POST', '/Installations', row('anns-token'))
  const stub: any = await manager.configureApplication('shop', 'stub')
  const sent = await call('ben', 'POST', `/push?deviceQuery=${q({ userId: ids.ann })}`, { alert: 'Hello', orderId: 7 })
  t.strictSame([sent.status, sent.body], [200, {}])
  const end = Date.now() + 10_000
  while (stub.sent.length === 0 && Date.now() < end) await new Promise(resolve => setTimeout(resolve, 5))
  t.match(stub.sent, [{ token: 'anns-token', payload: { notification: { body: 'Hello' }, data: { orderId: '7' } } }])
  for (const [url, body] of [
    ['/push', { alert: 'x' }],
    ['/push?deviceQuery=', { alert: 'x' }],
    ['/push?deviceQuery=[]', { alert: 'x' }],
    [`/push?deviceQuery=${q({ deviceToken: { like: 'a%' } })}`, { alert: 'x' }],
    [`/push?deviceQuery=${q({ deviceKey: 'x' })}`, { alert: 'x' }],
    [`/push?deviceQuery=${q({ userId: { $where: '1' } })}`, { alert: 'x' }],
    [`/push?deviceQuery=${q(JSON.parse('{"and":'.repeat(40) + '[]' + '}'.repeat(40)))}`, { alert: 'x' }]
  ] as Array<[string, object]>) {
    const { status, text } = await call('ben', 'POST', url, body)
    t.equal(status, 400, `${url.slice(0, 80)} ${text}`)
  }
  t.equal(stub.sent.length, 1)
})

t.test('PU-19, PU-69: settings of an application are in no response; the public key of Web Push is', async t => {
  const { call } = await serve(t, { guarded: false })
  for (const url of ['/Applications', '/Applications/shop']) t.notMatch((await call(undefined, 'GET', url)).text, /hush|pushSettings/)
  t.equal((await call(undefined, 'GET', `/Applications?filter=${q({ where: { 'pushSettings.web.privateKey': 'hush' } })}`)).status, 400)
  t.strictSame((await call(undefined, 'GET', '/push/web-key?appId=shop')).body, { publicKey: 'public' })
  t.equal((await call(undefined, 'GET', '/push/web-key?appId=none')).status, 404)
})
