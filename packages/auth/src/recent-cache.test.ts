import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { RecentCache } from './recent-cache.js'

t.test('what is known is not looked for again; what there is not is', async t => {
  const cache = new RecentCache<string>({ size: 10, ttl: 60_000 })
  let looks = 0
  const find = (): string => `found ${++looks}`
  t.equal(cache.getOr('a', find), 'found 1', 'at once, where the store answers at once')
  t.equal(await cache.getOr('a', async () => find()), 'found 1')
  t.equal(cache.getOr<string | undefined>('b', () => undefined), undefined)
  t.equal(await cache.getOr('b', async () => find()), 'found 2')
  t.equal(cache.get('b'), 'found 2')
})

t.test('what was looked up before a change is not kept after it', async t => {
  const cache = new RecentCache<string>({ size: 10, ttl: 60_000 })
  cache.set('a', 'old')
  const looking = cache.getOr('b', async () => {
    cache.clear()
    return 'old'
  })
  t.equal(await looking, 'old')
  t.equal(cache.get('a'), undefined)
  t.equal(cache.get('b'), undefined)
})

t.test('what was not asked for the longest goes first', async t => {
  const cache = new RecentCache<number>({ size: 2, ttl: Infinity })
  cache.set('a', 1)
  cache.set('b', 2)
  cache.get('a')
  cache.set('c', 3)
  t.strictSame(['a', 'b', 'c'].map(key => cache.get(key)), [1, undefined, 3])
})

t.test('entries end, and whoever sets the clock back does not keep them', async t => {
  const now = Date.now
  t.teardown(() => { Date.now = now })
  const cache = new RecentCache<number>({ size: 2, ttl: 20.5 })
  cache.set('a', 1)
  t.equal(cache.get('a'), 1)
  Date.now = () => now() - 3_600_000
  await setTimeout(30)
  t.equal(cache.get('a'), undefined)
  const none = new RecentCache<number>({ size: 2, ttl: 0 })
  none.set('a', 1)
  t.equal(none.get('a'), undefined)
})
