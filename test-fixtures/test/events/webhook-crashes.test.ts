// FASTBACK_TEST_FULL: processes that are killed.
/** Processes that write and deliver are killed: nothing is lost, doubles are few, and rows stay in order. */
import { join } from 'node:path'
import t from 'tap'
import { isReachable, makeScratch } from '../../scratch.mjs'
import { killWebhooks, type Plan } from './kill-webhooks.js'

const plan: Omit<Plan, 'db'> = {
  processes: 1, rowsOfEach: 5, writes: 60, kills: 1, life: 250, pause: 2, receiverKills: 1, patience: 20_000
}

t.test('sqlite', async t => {
  const outcome = await killWebhooks(t, { ...plan, db: { url: `sqlite:${join(t.testdir({}), 'events.db')}` } })
  t.match(outcome, { lost: 0, disordered: 0 })
  t.comment(JSON.stringify(outcome))
})

t.test('postgres', { skip: await isReachable('postgres') ? false : 'no server answers' }, async t => {
  const { url, remove } = await makeScratch('postgres')
  t.teardown(remove)
  const outcome = await killWebhooks(t, { ...plan, processes: 2, db: { url, migrate: 'update' } })
  t.match(outcome, { lost: 0, disordered: 0 })
  t.comment(JSON.stringify(outcome))
})
