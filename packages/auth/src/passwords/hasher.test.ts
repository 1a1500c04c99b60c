import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
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

// Made by argon2 itself: tests have quicker hashes of their own (.ci/tests/quick-hashes.mjs).
const known = '$argon2id$v=19$m=19456,t=2,p=1$YSBzYWx0IG9mIDE2IGJ5dA$cDkYndb7ppkD1yGci/ch0u5xmp23ijxLX5MsigRqd4M'

t.test('hashes that were made elsewhere are compared', async t => {
  const hasher = new PasswordHasher()
  t.equal(await hasher.verify('correct horse', known), true)
  t.equal(await hasher.verify('correct horsf', known), false)
  t.equal(await hasher.isOutdated(known), false)
  t.equal(await hasher.isOutdated(known.replace('m=19456', 'm=4096')), true)
})

t.test('a new hash has the parameters that are promised', async t => {
  const script = `
    import { PasswordHasher } from '${import.meta.resolve('@fastback/auth/service')}'
    console.log(await new PasswordHasher().hash('correct horse'))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script])
  const hash = stdout.trim()
  t.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  const hasher = new PasswordHasher()
  t.equal(await hasher.verify('correct horse', hash), true)
  t.equal(await hasher.verify('Correct horse', hash), false)
})
