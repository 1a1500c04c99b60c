/** Webhooks over sockets: what is called, and what a subscriber is sent: S-130. More attacks: `packages/events`. */
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { makeApp, type App } from '../../../packages/events/test/webhooks/app.js'
import { Receiver } from '../../../packages/events/test/webhooks/receiver.js'

const definitions = [{
  name: 'Order',
  events: true,
  hidden: ['pin'],
  properties: { title: 'string', userId: 'number', pin: 'string', cost: 'number' },
  acls: [
    { principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' },
    {
      principalType: 'ROLE', principalId: '$authenticated', permission: 'ALLOW', rows: { userId: '$user.id' },
      fields: { read: ['*', '-cost'] }
    },
    { principalType: 'ROLE', principalId: 'admin', permission: 'ALLOW' }
  ]
}]

interface Reached {
  readonly app: App
  readonly call: (who: string, method: string, path: string, body?: object) => Promise<Response>
}

async function serve (t: Test, webhooks = {}): Promise<Reached> {
  const app = await makeApp(t, { definitions, webhooks })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  return {
    app,
    call: async (who, method, path, body) => await fetch(`http://127.0.0.1:${port}/api${path}`, {
      method, headers: { authorization: app.tokens[who] as string, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
  }
}

t.test('S-130 a receiver on this machine is not called, by no form of its address', async t => {
  // Seen to fail: address.ts without permits, and sender.ts with Node's own agents
  const receiver = await Receiver.open(t)
  const { app, call } = await serve(t, { allow: [], allowHttp: true, retryDelays: [] })
  const { port } = new URL(receiver.url())
  for (const host of ['127.0.0.1', '127.1', '2130706433', '[::1]', '[::ffff:127.0.0.1]', '0.0.0.0', '10.0.0.1', '169.254.169.254']) {
    const { status } = await call('ann', 'POST', '/WebhookSubscriptions', { url: `http://${host}:${port}/`, events: ['Order.*'] })
    t.equal(status, 422, host)
  }
  const named = await call('ann', 'POST', '/WebhookSubscriptions', { url: `http://localhost:${port}/`, events: ['Order.*'] })
  t.equal(named.status, 200, 'where a name leads to is seen when it is called')
  await app.models.Order.create({ title: 'tea', userId: 1 })
  const { id } = await named.json() as { id: string }
  const deliveries = async (): Promise<Array<{ state: string, error: string }>> =>
    await (await call('ann', 'GET', `/WebhookSubscriptions/${id}/deliveries`)).json() as never
  for (let tries = 0; tries < 500 && (await deliveries())[0]?.state !== 'dead'; tries++) {
    await new Promise(resolve => { setTimeout(resolve, 20) })
  }
  t.match(await deliveries(), [{ state: 'dead', error: 'HOST_NOT_FOUND' }], 'as a name that leads nowhere')
  t.equal(receiver.unverified, 0)
})

t.test('S-130 a subscriber is sent what its user may read, as long as it may', async t => {
  // Seen to fail: reader.ts that leaves out what the rule says, and shows rows as they are
  const receiver = await Receiver.open(t)
  const { app, call } = await serve(t)
  for (const who of ['ann', 'ben', 'adam']) {
    const made = await call(who, 'POST', '/WebhookSubscriptions', { url: receiver.url(`/${who}`), events: ['Order.*'] })
    const { secret } = await made.json() as { secret: string }
    receiver.secrets.set(`/${who}`, secret)
  }
  const sentTo = (who: string): unknown[] => receiver.received.filter(({ path }) => path === `/${who}`).map(({ data }) => data)
  await app.models.Order.create({ title: 'tea', userId: 1, pin: '1234', cost: 3 })
  t.ok(await receiver.until(() => sentTo('ann').length + sentTo('adam').length === 2))
  t.strictSame(sentTo('ann'), [{ title: 'tea', userId: 1, id: 1 }], 'the owner: neither hidden nor forbidden properties')
  t.match(sentTo('adam'), [{ title: 'tea', cost: 3 }])
  await app.models.RoleMapping.destroyAll()
  await app.models.Order.create({ title: 'milk', userId: 2 })
  t.ok(await receiver.until(() => sentTo('ben').length === 1))
  await app.models.Order.create({ title: 'last', userId: 1 })
  t.ok(await receiver.until(() => sentTo('ann').length === 2))
  t.equal(sentTo('adam').length, 1, 'the role is gone, and with it what it may read')
  t.equal(sentTo('ben').length, 1)
  t.strictSame(receiver.faults, [], 'all were signed')
})
