/** Webhooks from end to end: what is sent, signed how, tried again when, and listed where. */
import t, { type Test } from 'tap'
import Fastify from 'fastify'
import { memoryConnector } from '@fastback/connector-memory'
import { core, ModelRegistry } from '@fastback/core'
import { events } from '@fastback/events'
import { rest } from '@fastback/rest'
import { makeApp, type App } from './app.js'
import { Receiver } from './receiver.js'

type Loose = any

const Order = {
  name: 'Order',
  events: true,
  ownerFromToken: true,
  hidden: ['pin'],
  properties: { title: 'string', status: 'string', userId: 'number', pin: 'string', cost: 'number' },
  acls: [
    { principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' },
    { principalType: 'ROLE', principalId: 'admin', permission: 'ALLOW' },
    {
      principalType: 'ROLE', principalId: '$authenticated', permission: 'ALLOW', rows: { userId: '$user.id' },
      fields: { read: ['*', '-cost'] }
    }
  ]
}

async function opened (t: Test, webhooks: object = {}): Promise<{ app: App, receiver: Receiver }> {
  const receiver = await Receiver.open(t)
  const app = await makeApp(t, { definitions: [Order], webhooks: { retryDelays: [20, 20, 20], ...webhooks } })
  return { receiver, app }
}

async function subscribe (app: App, receiver: Receiver, who: string, more: object = {}, path = '/hook'): Promise<Loose> {
  const { status, body } = await app.send(
    who, 'POST', '/WebhookSubscriptions', { url: receiver.url(path), events: ['Order.*'], ...more })
  if (status !== 200) throw new Error(JSON.stringify(body))
  receiver.secrets.set(path, body.secret)
  return body
}

t.test('each gets what they may see, signed, in the form of Standard Webhooks', async t => {
  const { app, receiver } = await opened(t)
  const mine = await subscribe(app, receiver, 'ann', {}, '/ann')
  await subscribe(app, receiver, 'adam', {}, '/adam')
  t.match(mine, { active: true, ordered: false, secret: /^whsec_/ })
  t.notOk('userKey' in mine || 'slot' in mine, 'what is hidden is not shown')
  const { body: order } = await app.send('ann', 'POST', '/Orders', { title: 'a', status: 'open', pin: '1234' })
  await app.send('ben', 'POST', '/Orders', { title: 'b', pin: '1' })
  t.ok(await receiver.until(() => receiver.received.length === 3))
  const to = (path: string): Loose[] => receiver.received.filter(each => each.path === path)
  t.strictSame(to('/ann').map(({ type, data }) => ({ type, data })), [
    { type: 'order.created', data: { id: order.id, title: 'a', status: 'open', userId: 1 } }
  ])
  t.equal(to('/adam').length, 2)
  t.strictSame(receiver.faults, [])
  t.match(to('/ann')[0].id, /^msg_/)
})

t.test('updates, deletes, and rows that leave', async t => {
  const { app, receiver } = await opened(t)
  await subscribe(app, receiver, 'ann', { ordered: true }, '/ann')
  await subscribe(app, receiver, 'ann', { ordered: true, where: { status: 'paid' }, events: ['Order.updated', 'Order.left'] }, '/paid')
  const { models: { Order } } = app
  const row = await Order.create({ title: 'a', status: 'open', userId: 1 })
  await Order.patchById(row.id, { status: 'paid' })
  await Order.updateAll({ id: row.id }, { title: 'c' })
  await Order.patchById(row.id, { userId: 2 })
  await Order.patchById(row.id, { userId: 1 })
  await Order.deleteAll({ title: 'c' })
  t.ok(await receiver.until(() => receiver.received.length >= 10))
  const types = (path: string): string[] => receiver.received.filter(each => each.path === path).map(({ type }) => type)
  t.strictSame(types('/ann'), ['order.created', 'order.updated', 'order.updated', 'order.left', 'order.updated', 'order.deleted'])
  t.strictSame(types('/paid'), ['order.updated', 'order.updated', 'order.left', 'order.updated'])
  const left = receiver.received.find(({ type }) => type === 'order.left')
  t.strictSame(left?.data, { id: row.id }, 'of a row that has left only the id is told')
  t.strictSame(receiver.faults, [])
})

t.test('a failed delivery is tried again with the same id, dies in the end, and can be replayed', async t => {
  const { app, receiver } = await opened(t)
  const { id } = await subscribe(app, receiver, 'ann')
  receiver.respond = () => 500
  await app.send('ann', 'POST', '/Orders', { title: 'a' })
  t.ok(await receiver.until(() => receiver.received.length === 4))
  t.equal(new Set(receiver.received.map(each => each.id)).size, 1)
  const list = async (): Promise<Loose[]> => (await app.send('ann', 'GET', `/WebhookSubscriptions/${id as string}/deliveries`)).body
  let dead: Loose
  for (let i = 0; i < 100 && dead?.state !== 'dead'; i++) {
    await new Promise(resolve => { setTimeout(resolve, 20) })
    dead = (await list())[0]
  }
  t.match(dead, { state: 'dead', attempts: 4, status: 500, type: 'order.created', error: null })
  receiver.respond = () => 204
  t.equal((await app.send('ben', 'POST', `/WebhookDeliveries/${dead.id as string}/replay`)).status, 404)
  t.equal((await app.send('ann', 'POST', `/WebhookDeliveries/${dead.id as string}/replay`)).status, 202)
  t.ok(await receiver.until(() => receiver.received.length === 5))
  t.ok(await new Promise<boolean>(resolve => { setTimeout(() => { resolve(true) }, 60) }))
  t.match((await list())[0], { state: 'delivered', attempts: 1, status: 204 })
  t.equal((await app.send('ann', 'POST', `/WebhookDeliveries/${dead.id as string}/replay`)).status, 404)
})

t.test('secrets are replaced, and both sign for a time', async t => {
  const { app, receiver } = await opened(t)
  const { id, secret } = await subscribe(app, receiver, 'ann')
  const { body } = await app.send('ann', 'POST', `/WebhookSubscriptions/${id as string}/rotate-secret`)
  t.match(body, { id, secret: /^whsec_/ })
  t.not(body.secret, secret)
  await app.send('ann', 'POST', '/Orders', { title: 'a' })
  t.ok(await receiver.until(() => receiver.received.length === 1))
  t.equal(receiver.received[0]?.headers['webhook-signature']?.split(' ').length, 2)
  receiver.secrets.set('/hook', body.secret)
  await app.send('ann', 'POST', '/Orders', { title: 'b' })
  t.ok(await receiver.until(() => receiver.received.length === 2))
  t.strictSame(receiver.faults, [], 'the old one and the new one are valid')
  t.notMatch((await app.send('ann', 'GET', '/WebhookSubscriptions')).text, /whsec|previous/)
})

t.test('410 switches a subscription off, and what waits ends', async t => {
  const { app, receiver } = await opened(t)
  const { id } = await subscribe(app, receiver, 'ann')
  receiver.respond = () => 410
  await app.send('ann', 'POST', '/Orders', { title: 'a' })
  let found: Loose
  for (let i = 0; i < 200 && found?.active !== false; i++) {
    await new Promise(resolve => { setTimeout(resolve, 20) })
    found = (await app.send('ann', 'GET', `/WebhookSubscriptions/${id as string}`)).body
  }
  t.match(found, { active: false, note: /410/ })
  await app.send('ann', 'POST', '/Orders', { title: 'b' })
  t.equal((await app.send('ann', 'POST', `/WebhookSubscriptions/${id as string}/test`)).status, 409)
  receiver.respond = () => 200
  await app.send('ann', 'PATCH', `/WebhookSubscriptions/${id as string}`, { active: true })
  t.match((await app.send('ann', 'GET', `/WebhookSubscriptions/${id as string}`)).body, { active: true, note: null })
  t.equal((await app.send('ann', 'POST', `/WebhookSubscriptions/${id as string}/test`)).status, 202)
  t.ok(await receiver.until(() => receiver.received.some(({ type }) => type === 'webhook.test')))
  t.equal(receiver.received.length, 2, 'what happened while it was off is not sent')
})

t.test('what is taken back is told to nobody', async t => {
  const { app, receiver } = await opened(t)
  await subscribe(app, receiver, 'adam')
  const { models: { Order } } = app
  await Order.transaction(async (within: Loose) => {
    await within.Order.create({ title: 'never' })
    throw new Error('taken back')
  }).catch(() => {})
  await Order.create({ title: 'is there' })
  t.ok(await receiver.until(() => receiver.received.length === 1))
  t.equal(receiver.received[0]?.data.title, 'is there')
})

t.test('a user who lost a right, or is not there any more, gets nothing', async t => {
  const { app, receiver } = await opened(t)
  await subscribe(app, receiver, 'adam', {}, '/adam')
  await subscribe(app, receiver, 'ann', {}, '/ann')
  const { models: { Order, RoleMapping, User } } = app
  await RoleMapping.destroyAll({})
  await Order.create({ title: 'a', userId: 2 })
  await Order.create({ title: 'b', userId: 1 })
  t.ok(await receiver.until(() => receiver.received.length === 1))
  t.match(receiver.received, [{ path: '/ann', data: { title: 'b' } }])
  await User.destroyAll({ id: 1 })
  await Order.create({ title: 'c', userId: 1 })
  await Order.create({ title: 'd', userId: 3 })
  t.ok(await receiver.until(() => receiver.received.length === 2))
  t.match(receiver.received[1], { path: '/adam', data: { title: 'd' } })
})

t.test('without the option there is nothing of it', async t => {
  const registry = new ModelRegistry({ log: { warn () {}, info () {}, debug () {} } })
  registry.defineDataSource('db', { connector: memoryConnector })
  const Note = registry.defineModel({ name: 'Note', events: true, properties: { text: 'string' } }) as Loose
  registry.attach('Note', 'db', { public: true })
  const app = Fastify()
  t.teardown(async () => { await app.close() })
  await app.register(core, { registry })
  await app.register(events, { engine: 'embedded' })
  await app.register(rest, { prefix: '/api' })
  await app.ready()
  await Note.create({ text: 'Milk' })
  t.notOk(['WebhookSubscription', 'WebhookDelivery', 'FastbackEvent', 'FastbackLease'].some(name => name in registry.models))
  t.equal((await app.inject('/api/WebhookSubscriptions')).statusCode, 404)
  t.equal(Note.compiled.isRecorded, false, 'nor is a write any other')
})
