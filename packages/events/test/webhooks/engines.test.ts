// FASTBACK_TEST_FULL: deliveries that are waited for, by each engine.
/** Webhooks on the engines that are servers: what fails is tried again, and each delivery has one job at a time. */
import { randomBytes } from 'node:crypto'
import t, { type Test } from 'tap'
import { sqlConnector } from '@fastback/connector-sql'
import { isReachable, makeScratch } from '../../../../test-fixtures/scratch.mjs'
import { isRedisReachable, redisUrl, removeKeys } from '../engines/stores.js'
import { makeApp } from './app.js'
import { Receiver } from './receiver.js'

const Note = {
  name: 'Note',
  events: true,
  properties: { n: 'number' },
  acls: [{ principalType: 'ROLE', principalId: '$authenticated', permission: 'ALLOW' }]
}

async function shows (t: Test, events: object, store: object): Promise<void> {
  const receiver = await Receiver.open(t)
  const app = await makeApp(t, { definitions: [Note], events, store, webhooks: { retryDelays: [10, 10, 10] } })
  const subscription = { url: receiver.url(), events: ['Note.created'], ordered: true }
  const { body } = await app.send('ann', 'POST', '/WebhookSubscriptions', subscription)
  receiver.secrets.set('/hook', body.secret as string)
  let calls = 0
  receiver.respond = () => calls++ < 2 ? 500 : 200
  await app.models.Note.create(Array.from({ length: 20 }, (_, n) => ({ n })))
  const arrived = (): Set<unknown> => new Set(receiver.received.slice(2).map(({ data }) => data.n))
  t.ok(await receiver.until(() => arrived().size === 20))
  t.equal(receiver.received.length, 22, 'two failed, and no other came twice')
  t.strictSame(receiver.faults, [])
}

t.test('pg-boss', { skip: await isReachable('postgres') ? false : 'no server answers' }, async t => {
  const { url, remove } = await makeScratch('postgres')
  t.teardown(remove)
  const schema = `fastback_jobs_${randomBytes(4).toString('hex')}`
  await shows(t, { engine: 'pg-boss', schema }, { connector: sqlConnector, url, migrate: 'update' })
})

t.test('bullmq', { skip: await isRedisReachable() ? false : 'no server answers' }, async t => {
  const prefix = `test-${randomBytes(4).toString('hex')}`
  await shows(t, { engine: 'bullmq', redis: redisUrl, prefix }, {})
  t.teardown(async () => { await removeKeys(prefix) })
})
