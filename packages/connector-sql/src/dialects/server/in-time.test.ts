import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import { isNoAnswer, TimeLimit } from './in-time.js'

// Connections keep the process alive; here there are none.
const alive = setInterval(() => {}, 1000)
t.teardown(() => { clearInterval(alive) })

const never = new Promise<never>(() => {})
const asked = (limit: TimeLimit, work: () => Promise<unknown>): Promise<unknown> =>
  new Promise((resolve, reject) => { limit.limit(work, resolve, reject) })

t.test('each has the whole time, and none has more', async t => {
  const limit = new TimeLimit(200)
  const begin = performance.now()
  const refused = async (): Promise<number> => {
    await t.rejects(asked(limit, () => never), { code: 'DATABASE_TIMEOUT', statusCode: 503 })
    return performance.now() - begin
  }
  const first = refused()
  await pause(100)
  const second = refused()
  t.ok(await first >= 195)
  t.ok(await second >= 295, 'the second began later')
  t.ok(performance.now() - begin < 1000)
})

t.test('an answer in time is the answer, and so is an error', async t => {
  const limit = new TimeLimit(50)
  t.equal(await asked(limit, async () => 7), 7)
  await t.rejects(asked(limit, async () => { throw new Error('refused') }), { message: 'refused' })
  await t.rejects(asked(limit, () => { throw new Error('at once') }), { message: 'at once' })
  const late = asked(limit, () => never)
  t.equal(await asked(limit, async () => { await pause(10); return 8 }), 8)
  await t.rejects(late.catch((error: unknown) => { throw isNoAnswer(error) ? new Error('no answer') : error }), { message: 'no answer' })
})

t.test('what comes too late goes nowhere', async t => {
  const limit = new TimeLimit(20)
  let heard = 0
  const late = async (): Promise<void> => { await pause(60); throw new Error('closed') }
  limit.limit(late, () => { heard++ }, () => { heard++ })
  await pause(120)
  t.equal(heard, 1)
})

t.test('without a limit any time is right', async t => {
  t.equal(await asked(new TimeLimit(0), async () => { await pause(30); return 9 }), 9)
})
