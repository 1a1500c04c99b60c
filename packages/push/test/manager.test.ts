// FASTBACK_TEST_FULL: deliveries in real time.
/** PushManager, its models and the queue in the database, with stubs for services. */
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import t, { type Test } from 'tap'
import { memoryConnector } from '@fastback/connector-memory'
import { sqlConnector } from '@fastback/connector-sql'
import { ModelRegistry, type DataSourceSettings } from '@fastback/core'
import { measuresOf } from '@fastback/core/remote'
import { Provider, pushConnector, PushManager, StubProvider, type Message, type Outcome, type PushConnector } from '@fastback/push'

/** What an error has. */
const like = (what: object): Error => what as Error
const secret = 'a secret of at least thirty-two characters'
const applicationModel = {
  name: 'Application', properties: { id: { type: 'string', id: true }, name: 'string', pushSettings: 'object' }
}

/** What a test's provider got, and what it answers. */
interface Loft {
  readonly sent: Array<{ token: string, message: Message }>
  answer: (token: string) => Outcome | Promise<Outcome>
  made: number
}

/** Providers are kept by the class: each test has a device type of its own. */
function loft (t: Test): Loft & { readonly type: string } {
  const type = `loft-${randomUUID()}`
  const kept = { type, sent: [] as Loft['sent'], answer: (): Outcome => ({ status: 'sent' }), made: 0 }
  PushManager.providers[type] = class extends Provider {
    constructor () {
      super()
      kept.made++
    }

    async deliver (message: Message, token: string): Promise<Outcome> {
      kept.sent.push({ token, message })
      return await (kept as Loft).answer(token)
    }
  }

  t.teardown(() => { delete PushManager.providers[type] })
  return kept
}

async function push (t: Test, settings: object = {}, rows: object = { connector: memoryConnector }) {
  const registry = new ModelRegistry()
  registry.defineDataSource('db', rows as DataSourceSettings)
  registry.defineModel(applicationModel)
  registry.attach('Application', 'db')
  registry.defineDataSource('push', { connector: pushConnector, retryBase: 2, secret, pollInterval: 20, ...settings } as DataSourceSettings)
  registry.defineModel({ name: 'Push', plural: 'push', base: 'Model' })
  registry.attach('Push', 'push')
  await registry.start()
  t.teardown(async () => { await registry.stop() })
  const models = registry.models as Record<string, any>
  const { manager } = registry.dataSources.push?.connector as unknown as PushConnector
  if (await models.Application.count() === 0) await models.Application.create({ id: 'shop', pushSettings: { stub: {} } })
  return { registry, manager, ...models } as typeof models & { registry: ModelRegistry, manager: PushManager }
}

const device = (deviceType: string, n: number | string, more: object = {}) => ({ appId: 'shop', deviceType, deviceToken: `token-${n}`, ...more })

const until = async (what: () => unknown): Promise<void> => {
  const end = Date.now() + 20_000
  while (await what() !== true) {
    if (Date.now() > end) throw new Error('it did not come about')
    await new Promise(resolve => setTimeout(resolve, 10))
  }
}

t.test('PU-04, PU-10, PU-11, PU-13: registering a device again updates its row', async t => {
  const { Installation } = await push(t)
  const first = await Installation.create(device('ios', 1, { badge: 1 }))
  t.ok(first.modified instanceof Date && first.created instanceof Date)
  const again = await Installation.create(device('ios', 1, { appVersion: '2' }))
  t.equal(again.id, first.id)
  t.match(await Installation.find(), [{ badge: 1, appVersion: '2' }])
  await Promise.allSettled(Array.from({ length: 8 }, async () => await Installation.create(device('ios', 2))))
  t.equal(await Installation.count({ deviceToken: 'token-2' }), 1, 'also at the same time')
  await t.rejects(Installation.create({ appId: 'shop' }), like({ statusCode: 422 }))
  await t.rejects(Installation.create(device('web', 'none')), like({ code: 'INVALID_SUBSCRIPTION' }))
  Installation.settings.uniqueDevices = false
  await Installation.create(device('ios', 3))
  await Installation.create(device('ios', 3))
  t.equal(await Installation.count({ deviceToken: 'token-3' }), 2, 'as the original')
})

t.test('PU-12, PU-13: a browser is found again, whatever form its subscription comes in', async t => {
  const { Installation } = await push(t)
  const p256dh = Buffer.concat([Buffer.of(4), Buffer.alloc(64, 7)]).toString('base64url')
  const auth = Buffer.alloc(16, 9).toString('base64url')
  const endpoint = 'https://push.example.net/one'
  const browser = { appId: 'shop', deviceType: 'web' }
  const deviceToken = JSON.stringify({ endpoint, keys: { p256dh, auth } })
  const first = await Installation.create({ ...browser, deviceToken, lastSeen: new Date(0) })
  const forms = [
    { deviceToken: JSON.stringify({ keys: { auth, p256dh }, expirationTime: null, endpoint }) },
    { deviceToken: `{ "endpoint": "${endpoint}", "keys": { "auth": "${auth}==", "p256dh": "${p256dh}=" } }` },
    { subscription: { endpoint, expirationTime: null, keys: { auth, p256dh } }, lastSeen: new Date(1000) }
  ]
  for (const form of forms) {
    t.equal((await Installation.create({ ...browser, ...form })).id, first.id, Object.keys(form).join())
  }
  const [row, ...others] = await Installation.find()
  t.strictSame(others, [])
  t.equal(row.deviceToken, deviceToken)
  t.strictSame(row.lastSeen, new Date(1000), 'what the page says of its visit')
  const other = await new Installation({ ...browser, subscription: { endpoint: `${endpoint}/2`, keys: { p256dh, auth } } }).save()
  t.notOk(JSON.stringify(other).includes('push.example.net'), 'the token is in no response (PU-31)')
  t.match((await Installation.findById(other.id)).deviceToken, `${endpoint}/2`)
  await t.rejects(other.patchAttributes({ subscription: { endpoint: 'http://10.0.0.1/', keys: { p256dh, auth } } }), like({ code: 'INVALID_SUBSCRIPTION' }))
  await other.patchAttributes({ subscription: { endpoint: `${endpoint}/3`, keys: { p256dh, auth } } })
  t.match((await Installation.findById(other.id)).deviceToken, `${endpoint}/3`)
  await t.rejects(Installation.create({ ...browser, subscription: { endpoint } }), like({ statusCode: 422, code: 'INVALID_SUBSCRIPTION' }))
})

t.test('PU-25, PU-26, PU-77: finders and topics', async t => {
  const { Installation } = await push(t)
  await Installation.create(device('ios', 1, { appVersion: '1', userId: '7', subscriptions: ['news', 'shop'] }))
  await Installation.create(device('ios', 2, { appVersion: '2', subscriptions: ['sport'] }))
  t.equal((await Installation.findByApp('ios', 'shop')).length, 2)
  t.equal((await Installation.findByApp('ios', 'shop', '2')).length, 1)
  t.equal((await Installation.findByUser('ios', '7')).length, 1)
  t.equal((await Installation.findBySubscriptions('ios', 'sport, shop')).length, 2)
  t.equal((await Installation.findBySubscriptions('ios', ['news'])).length, 1)
  t.equal((await Installation.findBySubscriptions('ios', '')).length, 0)
})

t.test('PU-14, PU-15, PU-16: notifications', async t => {
  const { Notification } = await push(t)
  const later = new Date(Date.now() + 100_000)
  const row = await Notification.create({ deviceToken: 'x', deviceType: 'ios', scheduledTime: later, orderId: 7, expirationInterval: 5 })
  t.same(row.scheduledTime, later)
  t.equal(row.orderId, 7)
  t.equal(row.getTimeToLiveInSecondsFromNow(), 5)
  t.equal(new Notification({ expirationTime: new Date(Date.now() + 60_400) }).getTimeToLiveInSecondsFromNow(), 60)
  t.equal(new Notification({}).getTimeToLiveInSecondsFromNow(), undefined)
})

t.test('PU-03, PU-05, PU-35, PU-41: by id, row, query and tokens; promises wait, callbacks do not', async t => {
  const { Installation, Push, manager } = await push(t)
  const { type, sent } = loft(t)
  const one = await Installation.create(device(type, 1))
  await Installation.create(device(type, 2))
  t.match(await Push.notifyById(one.id, { alert: 'a' }), { sent: 1, failed: 0 })
  t.match(await manager.notify(one, { alert: 'b' }), { sent: 1 })
  t.match(await manager.notifyByQuery({ deviceType: type }, { alert: 'c' }), { sent: 2 })
  t.match(await manager.notifyMany('shop', type, ['x', 'y'], { alert: 'd', orderId: 7 }), { sent: 2 })
  t.strictSame(sent.map(({ message, token }) => [message.alert, token]).sort(), [
    ['a', 'token-1'], ['b', 'token-1'], ['c', 'token-1'], ['c', 'token-2'], ['d', 'x'], ['d', 'y']
  ])
  t.match(sent.at(-1)?.message, { orderId: 7, deviceType: type }, 'PU-17: type and token are filled in')
  const called = new Promise(resolve => Push.notifyById(one.id, { alert: 'e' }, (...args: unknown[]) => { resolve(args) }))
  t.strictSame(await called, [null])
  const waited = new Promise<any[]>(resolve => Push.notifyById(one.id, { alert: 'f', options: { wait: true } }, (...args: unknown[]) => { resolve(args) }))
  t.match(await waited, [null, { sent: 1 }])
  const bare = (PushManager as any)({})
  t.ok(bare instanceof PushManager && typeof bare.on === 'function')
  bare.Installation = Installation
  t.equal(bare.Installation, Installation)
  t.equal(manager.configureProvider('none', {}), null)
  t.ok(await manager.configureApplication('shop', type) instanceof Provider)
  manager.feedback()
})

t.test('PU-30, PU-36, PU-37, PU-38, PU-39: what is wrong is said, as the original says it', async t => {
  const { Installation, Notification, manager, Application, Push } = await push(t)
  const { type } = loft(t)
  const one = await Installation.create(device(type, 1))
  await t.rejects(manager.notifyById(999, { alert: 'x' }), like({ statusCode: 404, message: 'Installation id 999 not found', details: { installationId: 999 } }))
  await t.rejects(manager.notify(one, undefined as never), like({ message: 'notification must be an object' }))
  Notification.validatesPresenceOf('alert')
  await t.rejects(manager.notify(one, { title: 'x' }), like({ name: 'ValidationError' }))
  await t.rejects(manager.notifyMany('shop', type, [], { alert: 'x' }), like({ message: 'deviceTokens must be an array' }))
  await t.rejects(manager.configureApplication('none', type), like({ details: { appId: 'none' } }))
  await Application.create({ id: 'bare' })
  await t.rejects(manager.configureApplication('bare', type), like({ details: { application: { id: 'bare' } } }))
  await t.rejects(manager.configureApplication('shop', 'pager'), like({ details: { deviceType: 'pager' } }))
  await t.rejects(manager.notifyByQuery(undefined as never, {}), like({ statusCode: 400 }))
  t.notOk('find' in Push, 'there are no rows')
})

t.test('PU-70, PU-71, PU-74, PU-16: retries, room, the circuit, the end of a message\'s time', async t => {
  const limits = { retries: 3, queueSize: 5, concurrency: 2, circuitFailures: 6, circuitPause: 60 }
  const { manager, registry } = await push(t, limits)
  const kept = loft(t)
  const { type, sent } = kept
  const answers: Outcome[] = [{ status: 'retry', reason: '503' }, { status: 'retry', reason: '429', after: 5 }, { status: 'sent', providerId: 'p' }]
  kept.answer = () => answers.shift() ?? { status: 'sent' }
  t.match(await manager.notifyMany('shop', type, ['a'], { alert: 'x' }), { sent: 1 })
  t.equal(sent.length, 3)
  kept.answer = () => ({ status: 'retry', reason: '500' })
  t.match(await manager.notifyMany('shop', type, ['a'], { alert: 'x' }), { failed: 1, reasons: { failed: { 500: 1 } } })
  t.equal(sent.length, 7, 'three times again')
  const from = Date.now()
  await manager.notifyMany('shop', type, ['a', 'b'], { alert: 'x' })
  t.ok(Date.now() - from >= 55, 'six failures in a row were a pause')
  kept.answer = () => ({ status: 'retry', reason: '503', after: 5000 })
  t.match(await manager.notifyMany('shop', type, ['a'], { alert: 'x', expirationInterval: 2 }), { expired: 1 }, 'not beyond its time')
  const before = sent.length
  t.match(await manager.notifyMany('shop', type, ['a'], { alert: 'x', expirationInterval: -1 }), { expired: 1 })
  t.equal(sent.length, before)
  let release = (): void => {}
  const gate = new Promise<void>(resolve => { release = resolve })
  kept.answer = async () => await gate.then(() => ({ status: 'sent' }))
  const tokens = Array.from({ length: 12 }, (_, i) => `t${i}`)
  const all = manager.notifyMany('shop', type, tokens, { alert: 'x' })
  await until(() => sent.length === before + 2)
  await new Promise<void>(resolve => {
    manager.notifyMany('shop', type, ['late'], { alert: 'x' }, (error: any) => {
      t.equal(error?.code, 'FBK_PUSH_BUSY')
      resolve()
    })
  })
  t.ok((measuresOf(registry).read('pushWaiting').get('') ?? 0) >= 5)
  release()
  t.match(await all, { sent: 12 })
  t.equal(measuresOf(registry).read('pushDone').get('sent'), 13)
})

t.test('PU-42, PU-20, PU-79: devices that are gone go, of that application, unless they came back', async t => {
  const { manager, Installation, Delivery, Application } = await push(t, { deliveryLog: true })
  const kept = loft(t)
  await Application.create({ id: 'other', pushSettings: {} })
  for (const n of [1, 2, 3]) await Installation.create(device(kept.type, n))
  await Installation.create({ ...device(kept.type, 1), appId: 'other' })
  kept.answer = token => token === 'token-1'
    ? { status: 'gone', reason: '410', since: new Date(Date.now() + 60_000) }
    : token === 'token-2' ? { status: 'gone', reason: '410', since: new Date(0) } : { status: 'gone', reason: 'BadDeviceToken' }
  t.match(await manager.notifyByQuery({ appId: 'shop' }, { alert: 'x' }), { gone: 3 })
  await until(async () => await Installation.count() === 2)
  t.strictSame((await Installation.find()).map((each: any) => [each.appId, each.deviceToken]).sort(), [['other', 'token-1'], ['shop', 'token-2']])
  await until(async () => await Delivery.count() === 3)
  const [row] = await Delivery.find({ where: { reason: 'BadDeviceToken' } })
  t.match(row, { status: 'gone', attempts: 1, deviceType: kept.type })
  t.notOk(JSON.stringify(await Delivery.find()).includes('token-'))
  const provider: any = await manager.configureApplication('shop', kept.type)
  provider.emit('devicesGone', ['token-2'])
  await until(async () => await Installation.count() === 1)
  const heard = new Promise(resolve => manager.once('error', resolve))
  const fault = new Error('lost')
  provider.emit('error', fault)
  t.equal(await heard, fault, 'PU-43')
  provider.emit('error', fault)
})

t.test('PU-06, PU-40: own providers, kept until the application\'s row changes', async t => {
  const { manager, Application } = await push(t)
  const kept = loft(t)
  await manager.notifyMany('shop', kept.type, ['a'], { alert: 'x' })
  await manager.notifyMany('shop', kept.type, ['a'], { alert: 'x' })
  t.equal(kept.made, 1)
  const row = await Application.findById('shop')
  await row.patchAttributes({ name: 'Shop' })
  await manager.notifyMany('shop', kept.type, ['a'], { alert: 'x' })
  t.equal(kept.made, 2)
  await Application.destroyById('shop')
  await t.rejects(manager.notifyMany('shop', kept.type, ['a'], { alert: 'x' }), like({ details: { appId: 'shop' } }))
})

t.test('PU-40: providers end with their time, and with a change of the row by a process that nothing tells of', async t => {
  const file = path.join(tmpdir(), `fastback-push-${randomUUID()}.db`)
  t.teardown(async () => { await rm(file, { force: true }) })
  const rows = { connector: sqlConnector, url: `sqlite:${file}` }
  const kept = loft(t)
  const { manager } = await push(t, {}, rows)
  const other = await push(t, {}, rows)
  const sends = async (): Promise<void> => { await manager.notifyMany('shop', kept.type, ['a'], { alert: 'x' }) }
  await sends()
  await other.Application.updateAll({ id: 'shop' }, { pushSettings: { stub: { as: 'web' } } })
  await sends()
  t.equal(kept.made, 1, 'it is not looked at each time')
  const { now } = Date
  t.teardown(() => { Date.now = now })
  Date.now = () => now() + 60_001
  await sends()
  t.equal(kept.made, 2, 'within a minute')
  Date.now = () => now() + 120_002
  await sends()
  t.equal(kept.made, 2, 'the row is as it was')
  await other.Application.destroyById('shop')
  Date.now = () => now() + 180_003
  await t.rejects(sends(), like({ details: { appId: 'shop' } }))
  Date.now = now
  const timed = await push(t, { ttlInSeconds: 30, checkPeriodInSeconds: 0.02 })
  let isClosed = false
  PushManager.providers[kept.type] = class extends StubProvider {
    override close (): void { isClosed = true }
  }
  await timed.manager.notifyMany('shop', kept.type, ['a'], { alert: 'x' })
  Date.now = () => now() + 30_001
  await until(() => isClosed)
})

t.test('PU-76: the number on the icon is counted here', async t => {
  const { manager, Installation } = await push(t)
  const kept = loft(t)
  await Installation.create(device(kept.type, 1, { badge: 4 }))
  await manager.notifyByQuery({}, { alert: 'x', badge: '+1', incrementBadge: true })
  t.equal(kept.sent[0]?.message.badge, 5)
  t.equal((await Installation.findOne()).badge, 5)
})

t.test('PU-19: keys are encrypted at rest, and old rows are read', async t => {
  const file = path.join(tmpdir(), `fastback-push-${randomUUID()}.db`)
  t.teardown(async () => { await rm(file, { force: true }) })
  const { Application, registry } = await push(t, {}, { connector: sqlConnector, url: `sqlite:${file}` })
  const settings = { web: { subject: 'mailto:a@b', publicKey: 'p', privateKey: 'hush-web' }, apns: { token: { keyId: 'k', key: 'hush-apns' }, bundle: 'b' } }
  await Application.create({ id: 'sealed', pushSettings: settings })
  const raw = JSON.stringify(await promisify((done: (error: Error | null, rows?: unknown) => void) => {
    (registry.dataSources.db?.connector as any).execute('SELECT * FROM Application', [], done)
  })())
  t.notMatch(raw, /hush/)
  t.match(raw, /mailto:a@b/)
  t.match((await Application.findById('sealed')).toJSON().pushSettings, settings)
  await registry.stop()
  const plain = await push(t, { secret: undefined }, { connector: sqlConnector, url: `sqlite:${file}` })
  t.equal((await plain.Application.findById('sealed')).pushSettings.web.privateKey, undefined, 'without the secret nothing is shown')
  await plain.Application.create({ id: 'old', pushSettings: settings })
  await plain.registry.stop()
  const again = await push(t, {}, { connector: sqlConnector, url: `sqlite:${file}` })
  t.match((await again.Application.findById('old')).pushSettings, settings)
})

t.test('PU-72: what is on its way is finished when the application stops', async t => {
  const { manager, registry } = await push(t, { concurrency: 1 })
  const kept = loft(t)
  let release = (): void => {}
  const gate = new Promise<void>(resolve => { release = resolve })
  kept.answer = async () => await gate.then(() => ({ status: 'sent' }))
  const all = manager.notifyMany('shop', kept.type, ['a', 'b'], { alert: 'x' })
  await until(() => kept.sent.length === 1)
  const stopped = registry.stop()
  release()
  await stopped
  t.match(await all, { sent: 1, failed: 1, reasons: { failed: { Stopped: 1 } } })
})

t.test('PU-73, PU-75: notifications in the database', async t => {
  const { manager, Installation, Notification, PushBatch } = await push(t, { persist: true })
  const kept = loft(t)
  for (let n = 0; n < 250; n++) await Installation.create(device(kept.type, n))
  kept.answer = token => token === 'token-7' ? { status: 'failed', reason: 'BadTopic' } : { status: 'sent' }
  t.equal(await manager.notifyByQuery({ deviceType: kept.type }, { alert: 'x', orderId: 7 }), undefined)
  await until(async () => await Notification.count({ status: 'failed' }) === 1)
  t.equal(new Set(kept.sent.map(({ token }) => token)).size, 250)
  t.equal(kept.sent.length, 250, 'each once')
  t.match(kept.sent[0]?.message, { alert: 'x', orderId: 7 })
  await until(async () => await PushBatch.count() === 1)
  const left = await PushBatch.find()
  t.match(left, [{ status: 'failed', failures: [{ reason: 'BadTopic', attempts: 1 }] }], 'what could not be sent stays, with the reason')
  const scheduledTime = new Date(Date.now() + 300)
  let at = 0
  kept.answer = () => {
    at = Date.now()
    return { status: 'sent' }
  }
  await manager.notifyMany('shop', kept.type, ['later'], { alert: 'x', scheduledTime })
  await until(() => kept.sent.length === 251)
  t.ok(at >= scheduledTime.getTime(), 'not before its time')
  await t.rejects(manager.notifyByQuery({ deviceType: { nope: 1 } }, { alert: 'x' }))
})

t.test('PU-73: what a process left is taken over, without what was done', async t => {
  const { Installation, Notification, PushBatch } = await push(t, { persist: true, lease: 1000 })
  const kept = loft(t)
  const ids: string[] = []
  for (let n = 0; n < 10; n++) ids.push(String((await Installation.create(device(kept.type, n))).id))
  const { id } = await Notification.create({ alert: 'x', deviceType: '*', deviceToken: '*', status: 'queued' })
  await PushBatch.create({
    notificationId: String(id), status: 'queued', due: new Date(Date.now() - 1), lease: 'of a process that is gone', attempts: 1,
    appId: 'shop', deviceType: kept.type, installationIds: ids, done: [0, 1, 2], failures: []
  })
  await until(async () => await Notification.count({ status: 'sent' }) === 1)
  t.strictSame(kept.sent.map(({ token }) => token).sort(), [3, 4, 5, 6, 7, 8, 9].map(n => `token-${n}`))
})

t.test('PU-73: a notification whose last process was killed before it said so is ended by another', async t => {
  const { Notification, PushBatch } = await push(t, { persist: true, lease: 1000 })
  const past = new Date(Date.now() - 1)
  const batch = { due: past, lease: 'of a process that is gone', attempts: 1, appId: 'shop', deviceType: 'ios', done: [0] }
  const good = await Notification.create({ alert: 'x', deviceType: '*', deviceToken: '*', status: 'sending' })
  await PushBatch.create({ ...batch, notificationId: String(good.id), status: 'done', installationIds: ['1'], failures: [] })
  const bad = await Notification.create({ alert: 'x', deviceType: '*', deviceToken: '*', status: 'sending' })
  await PushBatch.create({
    ...batch, notificationId: String(bad.id), status: 'faulty', installationIds: ['1'], failures: [{ at: 0, reason: '400', attempts: 1 }]
  })
  await until(async () => await Notification.count({ status: 'sent' }) === 1 && await Notification.count({ status: 'failed' }) === 1)
  await until(async () => await PushBatch.count({ status: 'failed' }) === 1 && await PushBatch.count() === 1)
})

t.test('PU-44, PU-89: ten thousand devices by query, in bounded memory, one message each; two processes share them', async t => {
  const file = path.join(tmpdir(), `fastback-push-${randomUUID()}.db`)
  t.teardown(async () => { await Promise.all(['', '-wal', '-shm'].map(async end => { await rm(file + end, { force: true }) })) })
  const rows = { connector: sqlConnector, url: `sqlite:${file}` }
  const one = await push(t, {}, rows)
  const counting = loft(t)
  for (let n = 0; n < 10_000; n += 1000) {
    const devices = Array.from({ length: 1000 }, (_, i) => device(counting.type, n + i))
    await one.Installation.dataSource.connector.createMany(one.Installation.compiled, devices, {})
  }
  const got = new Set<string>()
  let most = 0
  // What is garbage says nothing.
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const used = (): number => {
    collect()
    return process.memoryUsage().heapUsed
  }
  const start = used()
  counting.answer = token => {
    got.add(token)
    counting.sent.length = 0
    if (got.size % 500 === 0) most = Math.max(most, used() - start)
    return { status: 'sent' }
  }
  t.match(await one.manager.notifyByQuery({ deviceType: counting.type }, { alert: 'x' }), { sent: 10_000 })
  t.equal(got.size, 10_000)
  t.ok(most < 50e6, `${Math.round(most / 1e6)} MB`)
  await one.registry.stop()
  const first = await push(t, { persist: true }, rows)
  const second = await push(t, { persist: true }, rows)
  const times = new Map<string, number>()
  counting.answer = token => {
    times.set(token, (times.get(token) ?? 0) + 1)
    counting.sent.length = 0
    return { status: 'sent' }
  }
  await first.manager.notifyByQuery({ and: [{ deviceType: counting.type }, { id: { lte: 2000 } }] }, { alert: 'x' })
  await until(async () => await second.Notification.count({ status: 'sent' }) === 1)
  t.equal(times.size, 2000)
  t.strictSame([...new Set(times.values())], [1], 'each once')
})
