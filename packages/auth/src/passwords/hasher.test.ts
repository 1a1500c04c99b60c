import t from 'tap'
import { PasswordHasher, isHash } from './hasher.js'

t.test('hashing is bounded', async t => {
  const hasher = new PasswordHasher({ concurrency: 1, queue: 2 })
  const results = await Promise.allSettled(Array.from({ length: 8 }, () => hasher.hash('x')))
  const refused = results.filter(each => each.status === 'rejected')
  t.ok(refused.length >= 4, `${refused.length} refused`)
  t.match((refused[0] as PromiseRejectedResult).reason, { statusCode: 503 })
  t.equal(results.filter(each => each.status === 'fulfilled' && isHash(each.value)).length, 8 - refused.length)
  t.equal(await hasher.verify('x', undefined), false)
  t.equal(await hasher.verify('x', 'x'), false, 'a clear text in the store is no hash')
})
