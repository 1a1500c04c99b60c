import t from 'tap'
import { nextDelay, retryAfterOf } from './retry.js'

const settings = { retryDelays: [1000, 60_000], longestRetryAfter: 90_000 }

t.test('waits grow, differ by a fifth at most, and end', async t => {
  for (let i = 0; i < 50; i++) {
    const delay = nextDelay(settings, 1, undefined) as number
    t.ok(delay >= 1000 && delay <= 1200, String(delay))
  }
  t.ok(Number(nextDelay(settings, 2, undefined)) >= 60_000)
  t.equal(nextDelay(settings, 3, undefined), undefined)
  t.equal(nextDelay({ ...settings, retryDelays: [] }, 1, undefined), undefined)
})

t.test('a receiver can have itself spared, for some time', async t => {
  t.ok(Number(nextDelay(settings, 1, 30_000)) >= 30_000)
  t.ok(Number(nextDelay(settings, 1, 1e12)) <= 90_000 * 1.2, 'no longer than the limit')
  t.ok(Number(nextDelay(settings, 2, 10)) >= 60_000, 'nor sooner than by itself')
  t.equal(nextDelay(settings, 3, 10), undefined, 'nor once more')
})

t.test('Retry-After', async t => {
  t.equal(retryAfterOf(undefined), undefined)
  t.equal(retryAfterOf('120'), 120_000)
  t.equal(retryAfterOf('Thu, 01 Jan 1970 00:00:10 GMT', 4000), 6000)
  t.equal(retryAfterOf('Thu, 01 Jan 1970 00:00:10 GMT', 40_000), 0, 'a time that is over')
  for (const odd of ['', '-5', '1e9', 'soon', '99999999999']) t.notOk(Number(retryAfterOf(odd)) > 1e12, odd)
})
