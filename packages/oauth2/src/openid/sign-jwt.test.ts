import { createPrivateKey, createPublicKey, type JsonWebKey } from 'node:crypto'
import { jwtVerify } from 'jose'
import t from 'tap'
import { makeKeyPair } from './key-pair.js'
import type { SigningAlgorithm } from './options.js'
import { signJwt } from './sign-jwt.js'

for (const alg of ['RS256', 'PS256', 'ES256', 'EdDSA'] satisfies SigningAlgorithm[]) {
  t.test(`OI-58: a token of ${alg} is one for another library`, async t => {
    const pair = await makeKeyPair(alg, { rsaBits: 2048 })
    const key = createPrivateKey({ key: pair.privateKey as JsonWebKey, format: 'jwk' })
    const claims = { sub: 'Zoë', aud: 'shop', nonce: undefined, amr: ['pwd'] }
    const text = await signJwt(claims, { alg, kid: pair.kid, typ: 'JWT' }, key)
    const expected = { algorithms: [alg], audience: 'shop' }
    const { payload, protectedHeader } = await jwtVerify(text, createPublicKey(key), expected)
    t.same(protectedHeader, { alg, kid: pair.kid, typ: 'JWT' })
    t.strictSame(payload, { sub: 'Zoë', aud: 'shop', amr: ['pwd'] })
    const other = await makeKeyPair(alg, { rsaBits: 2048 })
    await t.rejects(jwtVerify(text, createPublicKey({ key: other.publicKey as JsonWebKey, format: 'jwk' })),
      { code: 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED' })
  })
}
