import t from 'tap'
import { makeWebPushKeys, signingKey } from './keys.js'

t.test('PU-67: each pair that is made is one, also where the secret number begins with zeros: one in 256', async t => {
  let withZeros = 0
  for (let count = 0; count < 10_000 && withZeros < 3; count++) {
    const keys = makeWebPushKeys()
    const secret = Buffer.from(keys.privateKey, 'base64url')
    if (secret[0] !== 0 && secret.length === 32) continue
    withZeros += 1
    t.equal(secret.length, 32)
    t.doesNotThrow(() => signingKey(keys))
  }
  t.equal(withZeros, 3)
})

t.test('PU-18: keys of two pairs are refused', async t => {
  const one = makeWebPushKeys()
  t.throws(() => signingKey({ ...one, publicKey: makeWebPushKeys().publicKey }), { code: 'FBK_PUSH_SETTINGS' })
})
