/** Encrypts a message for one browser: RFC 8291 with the content encoding `aes128gcm` of RFC 8188 (PU-67). */
import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'
import type { Subscription } from './subscription.js'

/** Bytes of a record: one holds the whole message. */
const recordSize = 4096

const derive = (secret: Buffer, salt: Buffer, info: Buffer, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, length))

const label = (name: string): Buffer => Buffer.from(`${name}\0`, 'latin1')

/**
 * @param given salt and private key, for the example of RFC 8291, section 5; else random ones
 * @throws Error for a key that is no point of P-256
 */
export function encrypt (
  text: Buffer,
  { keys: { p256dh, auth } }: Subscription,
  given: { readonly salt?: Buffer, readonly privateKey?: Buffer } = {}
): Buffer {
  const receiver = Buffer.from(p256dh, 'base64url')
  const own = createECDH('prime256v1')
  if (given.privateKey === undefined) own.generateKeys()
  else own.setPrivateKey(given.privateKey)
  const sender = own.getPublicKey()
  // RFC 8291, section 3.4
  const shared = derive(
    own.computeSecret(receiver), Buffer.from(auth, 'base64url'),
    Buffer.concat([label('WebPush: info'), receiver, sender]), 32
  )
  const salt = given.salt ?? randomBytes(16)
  const key = derive(shared, salt, label('Content-Encoding: aes128gcm'), 16)
  const nonce = derive(shared, salt, label('Content-Encoding: nonce'), 12)
  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  // The byte 2 ends the last record.
  const last = Buffer.from([2])
  const sealed = Buffer.concat([cipher.update(text), cipher.update(last), cipher.final(), cipher.getAuthTag()])
  const header = Buffer.alloc(21)
  salt.copy(header)
  header.writeUInt32BE(recordSize, 16)
  header.writeUInt8(sender.length, 20)
  return Buffer.concat([header, sender, sealed])
}
