/**
 * 100,000 events of processes that are killed again and again, and a receiver that ends its connections: none is lost,
 * doubles are counted, and the events of each row come in order. FASTBACK_TEST_EVENTS says how many.
 */
import t from 'tap'
import { isReachable, makeScratch } from '../../scratch.mjs'
import { killWebhooks } from './kill-webhooks.js'

const writes = Number(process.env.FASTBACK_TEST_EVENTS ?? 100_000)
const kills = Math.max(3, Math.min(30, Math.round(writes / 2000)))

t.test('postgres', { skip: await isReachable('postgres') ? false : 'no server answers' }, async t => {
  const { url, remove } = await makeScratch('postgres')
  t.teardown(remove)
  const outcome = await killWebhooks(t, {
    db: { url, migrate: 'update' }, processes: 2, rowsOfEach: 200, writes, kills, life: 6000, pause: 0, receiverKills: 5,
    patience: 60_000 + writes * 20
  })
  t.match(outcome, { lost: 0, disordered: 0 })
  // A kill doubles what was on its way, in the worst case all that is sent at once; so does each end of the receiver.
  t.ok(outcome.doubles <= (outcome.kills + 5) * 20 * 2, `${outcome.doubles} doubles`)
  t.comment(JSON.stringify(outcome))
})
