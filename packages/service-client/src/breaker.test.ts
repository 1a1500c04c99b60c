import t from 'tap'
import { Breaker } from './breaker.js'
import { delayBefore } from './retry.js'

t.test('failures within the time open it, one trial closes it (LI-3)', async t => {
  let now = 0
  const breaker = new Breaker({ failures: 2, within: 100, open: 2500 }, () => now)
  const fail = () => { breaker.leave(breaker.enter() as boolean, 'failure') }
  fail()
  t.notOk(breaker.isIdle)
  now = 100
  t.ok(breaker.isIdle, 'what is long ago does not count')
  fail()
  t.equal(breaker.enter(), false)
  now = 150
  fail()
  t.equal(breaker.enter(), 3, 'seconds, rounded up')
  breaker.leave(false, 'success')
  t.equal(breaker.enter(), 3, 'what was under way closes nothing')
  t.notOk(breaker.isIdle)
  now = 2650
  t.ok(breaker.isIdle, 'a host that nobody calls again is not kept for ever')
  t.equal(breaker.enter(), true)
  t.equal(breaker.enter(), 1, 'one trial at a time')
  breaker.leave(true, 'unknown')
  t.equal(breaker.enter(), true, 'a caller who went away decides nothing')
  breaker.leave(true, 'failure')
  t.equal(breaker.enter(), 3)
  now = 10_000
  breaker.leave(breaker.enter() as boolean, 'success')
  t.equal(breaker.enter(), false)
})

t.test('delays double up to a bound; Retry-After wins (LI-2)', async t => {
  const settings = {
    attempts: 9, methods: [], statuses: [], minDelay: 100, maxDelay: 1000, jitter: false, respectRetryAfter: true
  }
  t.strictSame([1, 2, 3, 4, 5].map(tries => delayBefore(settings, tries, undefined)), [100, 200, 400, 800, 1000])
  const jittered = { ...settings, jitter: true }
  t.strictSame([0, 1].map(random => delayBefore(jittered, 2, undefined, () => random)), [100, 200])
  t.equal(delayBefore(settings, 1, '3'), 3000)
  t.equal(delayBefore(settings, 1, 'soon'), 100)
  t.equal(delayBefore(settings, 1, 'Thu, 01 Jan 1970 00:00:00 GMT'), 0)
  t.equal(delayBefore({ ...settings, respectRetryAfter: false }, 1, '3'), 100)
})
