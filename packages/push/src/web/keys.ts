/** The keys by which a server names itself to push services (VAPID, RFC 8292). */
import { createECDH, createPrivateKey, type KeyObject } from 'node:crypto'
import { PushSettingsError } from '../errors.js'

export interface WebPushKeys {
  /** The point of P-256, uncompressed, in base64url: what browsers subscribe with. */
  readonly publicKey: string
  /** The secret number, all of its 32 bytes, in base64url. */
  readonly privateKey: string
}

/**
 * Makes a key pair for Web Push.
 *
 * ```js
 * const { publicKey, privateKey } = makeWebPushKeys()
 * ```
 */
export function makeWebPushKeys (): WebPushKeys {
  const pair = createECDH('prime256v1')
  pair.generateKeys()
  // Without the zeros it begins with, which are wanted: all 32 bytes (RFC 7518, section 6.2.2). `generateKeyPairSync`
  // and a JWK would say them, but Node 20 waits for ever where a pair is collected while another is written as a JWK.
  const secret = pair.getPrivateKey()
  return {
    publicKey: pair.getPublicKey().toString('base64url'),
    privateKey: Buffer.concat([Buffer.alloc(32 - secret.length), secret]).toString('base64url')
  }
}

/** @throws FBK_PUSH_SETTINGS where the two do not belong together */
export function signingKey ({ publicKey, privateKey }: WebPushKeys): KeyObject {
  try {
    const pair = createECDH('prime256v1')
    pair.setPrivateKey(Buffer.from(privateKey, 'base64url'))
    const point = pair.getPublicKey()
    if (!point.equals(Buffer.from(publicKey, 'base64url'))) throw new Error('another key')
    return createPrivateKey({
      format: 'jwk',
      key: {
        kty: 'EC', crv: 'P-256', d: privateKey,
        x: point.subarray(1, 33).toString('base64url'), y: point.subarray(33).toString('base64url')
      }
    })
  } catch {
    throw new PushSettingsError('web', '"publicKey" and "privateKey" are no pair. "fastback push keys" makes one.')
  }
}
