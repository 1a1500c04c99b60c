/** Webhooks and the password of their user: S-148. Rows within the rows that they tell of: S-143. */
import t, { type Test } from 'tap'
import { makeApp, type App } from '../../../packages/events/test/webhooks/app.js'
import { Receiver } from '../../../packages/events/test/webhooks/receiver.js'

const users = { principalType: 'ROLE', principalId: '$authenticated', permission: 'ALLOW' }
const deny = { principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' }
const definitions = [
  {
    name: 'Order',
    events: true,
    properties: { title: 'string', adr: 'Line' },
    relations: { lines: { type: 'embedsMany', model: 'Line', property: '_lines' } },
    acls: [deny, users]
  },
  {
    name: 'Line',
    base: 'Model',
    properties: { a: 'string', b: 'string' },
    acls: [deny, { ...users, fields: { read: ['*', '-b'] } }]
  }
]

interface Subscribed {
  readonly app: App
  readonly receiver: Receiver
  readonly id: string
  readonly ofBen: string
}

async function start (t: Test, webhooks: object = {}): Promise<Subscribed> {
  const app = await makeApp(t, { definitions, webhooks })
  const receiver = await Receiver.open(t)
  const subscribe = async (who: string, more: object = {}): Promise<string> => {
    const { body } = await app.send(who, 'POST', '/WebhookSubscriptions', { url: receiver.url(`/${who}`), events: ['Order.*'], ...more })
    receiver.secrets.set(`/${who}`, body.secret)
    return body.id
  }
  const [id, ofBen] = [await subscribe('ann'), await subscribe('ben')]
  return { app, receiver, id, ofBen }
}

const to = ({ received }: Receiver, path: string): number => received.filter(each => each.path === path).length

t.test('S-148 P-43 a webhook is switched off when the password of its user changes', async t => {
  // Seen to fail: endWithCredentials of events/webhooks that listens to nobody: ann's webhook was told of "two"
  const { app, receiver, id, ofBen } = await start(t)
  const { models: { Order, User, WebhookSubscription } } = app as { models: any }
  await Order.create({ title: 'one' })
  t.ok(await receiver.until(() => to(receiver, '/ann') === 1 && to(receiver, '/ben') === 1), 'control: both are told')
  await app.send('ann', 'POST', '/Users/logout')
  t.ok((await WebhookSubscription.findById(id)).active, 'the end of a session ends none')
  await User.setPassword(1, 'another-secret-1')
  t.match(await WebhookSubscription.findById(id), { active: false, note: /Switched off/ })
  t.ok((await WebhookSubscription.findById(ofBen)).active, 'those of others go on')
  await Order.create({ title: 'two' })
  t.ok(await receiver.until(() => to(receiver, '/ben') === 2))
  t.equal(to(receiver, '/ann'), 1)
  const { id: token } = (await app.send(undefined, 'POST', '/Users/login', { username: 'ann', password: 'another-secret-1' })).body
  t.match(await app.send(token, 'GET', `/WebhookSubscriptions/${id}`), { status: 200, body: { active: false, note: /password/ } })
  t.equal((await app.send('ben', 'PATCH', `/WebhookSubscriptions/${id}`, { active: true })).status, 404)
  t.match(await app.send(token, 'PATCH', `/WebhookSubscriptions/${id}`, { active: true }), { status: 200, body: { note: null } })
  await Order.create({ title: 'three' })
  t.ok(await receiver.until(() => to(receiver, '/ann') === 2), 'its user switched it on again')
})

t.test('S-148 an option leaves webhooks on', async t => {
  // Seen to fail: setUpWebhooks that asks no option: the subscription was off
  const { app, id } = await start(t, { keepOnPasswordChange: true })
  const { models: { User, WebhookSubscription } } = app as { models: any }
  await User.setPassword(1, 'another-secret-1')
  t.ok((await WebhookSubscription.findById(id)).active)
})

t.test('S-143 a webhook tells nothing of rows within that its user may not read', async t => {
  // Seen to fail: ruleFor of acl/guard/judged-rows without withinRule: "hush" was sent; matches of events/webhooks
  // that looks at names of properties alone: the condition found the row; mayAskAbout of core that does not look into
  // conditions on embedded rows: those by the relation found it
  const { app, receiver } = await start(t)
  const { Order } = (app as { models: any }).models
  const asking = async (path: string, where: object): Promise<void> => {
    const made = await app.send('adam', 'POST', '/WebhookSubscriptions', { url: receiver.url(path), events: ['Order.*'], where })
    receiver.secrets.set(path, made.body.secret)
  }
  await asking('/adam', { 'adr.b': 'hush' })
  await asking('/some', { lines: { some: { b: 'hush' } } })
  await asking('/none', { lines: { none: { b: 'other' } } })
  await asking('/control', { lines: { some: { a: 'seen' } } })
  await Order.create({ title: 'one', adr: { a: 'seen', b: 'hush' }, _lines: [{ a: 'seen', b: 'hush' }] })
  t.ok(await receiver.until(() => to(receiver, '/ann') === 1 && to(receiver, '/ben') === 1))
  t.ok(await receiver.until(() => to(receiver, '/control') === 1), 'control: a condition on what may be read')
  t.match(receiver.received.map(({ body }) => body), [/seen/, /seen/, /seen/])
  t.notOk(receiver.received.some(({ body }) => body.includes('hush')))
  await Order.create({ title: 'two', adr: { a: 'seen', b: 'hush' } })
  t.ok(await receiver.until(() => to(receiver, '/ann') === 2 && to(receiver, '/ben') === 2))
  for (const path of ['/adam', '/some', '/none']) t.equal(to(receiver, path), 0, `${path}: a condition on it finds nothing`)
})
