import t from 'tap'
import { StatementCache } from './statement-cache.js'

t.test('holds no more than its size, and keeps what is used', async t => {
  const cache = new StatementCache<number>(10)
  for (let i = 0; i < 1000; i++) {
    cache.set(`key ${i}`, i)
    t.ok(cache.size <= 10)
    t.equal(cache.get('key 0') ?? 0, 0, 'what is used stays')
  }
  t.equal(cache.get('key 0'), 0)
  t.equal(cache.get('key 5'), undefined)
})
