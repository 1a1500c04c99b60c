import t from 'tap'
import { accountId, accountName } from './account-keys.js'
import { Attempts, networkOf } from './attempts.js'
import { MemoryCounter } from './counter.js'

const limit = { max: 2, timeWindow: 60_000 }
const limits = { account: limit, address: { max: 5, timeWindow: 60_000 }, knownFor: 60_000 }

t.test('names that a store may take for the same are one account', async t => {
  const name = (username: string): string => accountName('User', { username })
  const spellings = ['ANN', ' ann', 'ann\t', 'ånn', 'a\u030ann', 'ａｎｎ']
  for (const same of spellings) { t.equal(name(same), name('ann'), JSON.stringify(same)) }
  t.not(name('ann'), name('anna'))
  t.not(name('ann'), accountName('User', { realm: 'a', username: 'ann' }))
  t.not(name('ann'), accountName('Seller', { username: 'ann' }))
  t.ok(name('x'.repeat(10_000)).length < 200, 'keys stay short')
  t.not(name('x'.repeat(10_000)), name('x'.repeat(10_001)))
  t.not(accountId('User', 1), accountId('Seller', 1))
})

t.test('places: networks of IPv6, and IPv4 in every spelling', async t => {
  const same = ['2001:db8:0:1::1', '2001:DB8:0:1:ffff:1:2:3', '2001:db8::1:0:0:0:9', '2001:db8:0:1::%eth0']
  t.same(new Set(same.map(networkOf)).size, 1)
  t.not(networkOf('2001:db8:0:2::1'), networkOf('2001:db8:0:1::1'))
  t.equal(networkOf('::ffff:10.0.0.1'), '10.0.0.1')
  t.equal(networkOf(undefined), 'here', 'a socket that is a file')
})

t.test('what was refused, or was right, is given back', async t => {
  const counter = new MemoryCounter()
  const attempts = new Attempts(() => counter, limits)
  const attempt = { what: 'login', name: 'ann', id: '1', address: 'a' }
  await attempts.reserve(attempt)
  const right = await attempts.reserve(attempt)
  await t.rejects(attempts.reserve(attempt), { statusCode: 429, retryAfter: 60 } as never)
  await t.rejects(attempts.check(attempt), { statusCode: 429 } as never)
  t.ok(
    await attempts.reserve({ what: 'login', name: 'ben', address: 'a' }),
    'the address was not counted with what was refused'
  )
  await right.succeeded()
  t.ok(await attempts.reserve({ ...attempt, address: 'b' }), 'one is left for others')
  await t.rejects(attempts.reserve({ ...attempt, address: 'b' }), { statusCode: 429 } as never)
  t.ok(await attempts.reserve(attempt), 'the address that was right has its own')
  t.ok(await attempts.reserve(attempt))
  await t.rejects(attempts.reserve(attempt), { statusCode: 429 } as never)
})

t.test('attempts that nobody can count are refused', async t => {
  const failed: unknown[] = []
  const attempts = new Attempts(
    () => {
      throw new Error('no Redis')
    },
    limits,
    error => {
      failed.push(error)
    }
  )
  await t.rejects(attempts.reserve({ what: 'login', name: 'ann', address: 'a' }), { statusCode: 503 } as never)
  t.equal(failed.length, 1)
})

t.test('a window that is over takes nothing back from the next one', async t => {
  const counter = new MemoryCounter()
  const { now } = Date
  t.teardown(() => {
    Date.now = now
  })
  const old = counter.take('k', limit)
  Date.now = () => now() + 61_000
  t.same([counter.take('k', limit).allowed, counter.take('k', limit).allowed], [true, true])
  counter.giveBack('k', old)
  t.equal(counter.take('k', limit).allowed, false)
})
