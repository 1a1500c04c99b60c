/** Codes by time (RFC 6238): SHA-1, six digits, thirty seconds, which is what every authenticator application knows. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** Seconds. */
const period = 30
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** 160 random bits (RFC 4226, section 4). */
export const newTotpSecret = (): Buffer => randomBytes(20)

/** Base32 without padding (RFC 4648). */
export function base32 (bytes: Uint8Array): string {
  let bits = 0
  let value = 0
  let text = ''
  for (const byte of bytes) {
    value = (value << 8) | byte
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += alphabet[(value >>> bits) & 31] as string
    }
    value &= (1 << bits) - 1
  }
  return bits === 0 ? text : text + (alphabet[(value << (5 - bits)) & 31] as string)
}

/** The step of a time in milliseconds. */
export const stepAt = (time: number): number => Math.floor(time / 1000 / period)

/** The code of a step: six digits (RFC 4226, section 5.3). */
export function totpCode (secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const hash = createHmac('sha1', secret).update(counter).digest()
  const offset = (hash[19] as number) & 15
  return String((hash.readUInt32BE(offset) & 0x7fff_ffff) % 1_000_000).padStart(6, '0')
}

/**
 * The step that a code is of: the one of now, or one to each side (RFC 6238, section 5.2), and none that is not newer
 * than `lastStep`. All three are compared, in constant time.
 *
 * ```js
 * stepOfCode(secret, '492039', Date.now()) // 59_512_345; undefined where it is of none of them
 * ```
 * @param given blanks in it do not count; what is no text of six digits is of no step
 */
export function stepOfCode (
  secret: Uint8Array, given: unknown, now: number, lastStep: number | null | undefined = undefined
): number | undefined {
  const code = typeof given === 'string' && given.length <= 32 ? given.replace(/\s/g, '') : ''
  if (!/^\d{6}$/.test(code)) return undefined
  const current = stepAt(now)
  const found = [current, current - 1, current + 1].filter(step =>
    timingSafeEqual(Buffer.from(totpCode(secret, step)), Buffer.from(code)))
  return found.find(step => lastStep === undefined || lastStep === null || step > lastStep)
}

/**
 * What authenticator applications read, mostly as a QR code.
 *
 * ```js
 * totpUri('Shop', 'ann@example.com', secret) // 'otpauth://totp/Shop:ann%40example.com?secret=…'
 * ```
 */
export function totpUri (issuer: string, account: string, secret: Uint8Array): string {
  const name = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`
  return `otpauth://totp/${name}?secret=${base32(secret)}&issuer=${encodeURIComponent(issuer)}` +
    `&algorithm=SHA1&digits=6&period=${period}`
}
