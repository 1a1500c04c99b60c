/** Whoever has slow receivers waits for them alone: S-161. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { makeApp, type App } from '../../../packages/events/test/webhooks/app.js'
import { Receiver } from '../../../packages/events/test/webhooks/receiver.js'

const definitions = [{
  name: 'Order',
  events: true,
  properties: { title: 'string', userId: 'number' },
  acls: [
    { principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' },
    { principalType: 'ROLE', principalId: '$authenticated', permission: 'ALLOW', rows: { userId: '$user.id' } }
  ]
}]

/** A receiver that never responds; each has a port, which makes it a host of its own. */
async function silent (t: Test): Promise<{ url: string, calls: () => number }> {
  let calls = 0
  const server = createServer(() => { calls++ })
  await new Promise<void>(resolve => { server.listen(0, '127.0.0.1', resolve) })
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, calls: () => calls }
}

const subscribe = async (app: App, who: string, url: string): Promise<string> =>
  (await app.send(who, 'POST', '/WebhookSubscriptions', { url, events: ['Order.*'] })).body.id

t.test('S-161 a user with many slow receivers holds up nobody else', async t => {
  // Seen to fail: deliverer.ts with a gate for hosts alone: ann was told nothing before the requests of ben had ended
  const app = await makeApp(t, { definitions, webhooks: { timeout: 4000, retryDelays: [] } })
  const slow = await Promise.all(Array.from({ length: 6 }, async () => await silent(t)))
  for (const { url } of slow) await subscribe(app, 'ben', url)
  const receiver = await Receiver.open(t)
  await subscribe(app, 'ann', receiver.url())
  for (let i = 0; i < 8; i++) await app.models.Order.create({ title: `b${i}`, userId: 2 })
  const calls = (): number => slow.reduce((sum, each) => sum + each.calls(), 0)
  t.ok(await receiver.until(() => calls() >= 5), 'ben\'s are under way')
  await new Promise(resolve => { setTimeout(resolve, 300) })
  t.equal(calls(), 5, 'as many as one user may have at once')
  await app.models.Order.create({ title: 'a', userId: 1 })
  t.ok(await receiver.until(() => receiver.received.length === 1, 2000))
})

t.test('S-161 however many deliveries of a user wait, those of others are looked at', async t => {
  // Seen to fail: delivery-store.ts with due() that always begins with the oldest: its 500 were ben's each time
  const app = await makeApp(t, { definitions, webhooks: { timeout: 4000, retryDelays: [] } })
  const slow = await silent(t)
  const receiver = await Receiver.open(t)
  const [bens, anns] = [await subscribe(app, 'ben', slow.url), await subscribe(app, 'ann', receiver.url())]
  const row = (id: string, subscriptionId: string, at: Date): object =>
    ({ id, subscriptionId, state: 'retrying', attempts: 1, nextAt: at, at, operation: 'test', rowKey: id, sequence: '' })
  const hourAgo = new Date(Date.now() - 3_600_000)
  await app.models.WebhookDelivery.create([
    ...Array.from({ length: 600 }, (_, i) => row(`msg_${i}`, bens, hourAgo)), row('msg_ann', anns, new Date())
  ])
  t.ok(await receiver.until(() => receiver.received.some(({ id }) => id === 'msg_ann'), 8000))
})
