/** Nonces of proofs (RFC 9449, section 8): derived from a secret, so that processes share no state (OI-158). */
import { createHmac, randomBytes } from 'node:crypto'
import { isSameText } from '@fastback/auth/service'

/** Seconds that a nonce is good. */
const nonceLifetime = 300

/**
 * Makes and knows nonces: a time, and what only this server can make of it.
 *
 * ```js
 * const nonces = new Nonces('a long random text')
 * nonces.isGood(nonces.current()) // true
 * ```
 */
export class Nonces {
  readonly #secret: string | Buffer

  /** @param secret undefined: a random one of this process */
  constructor (secret: string | undefined) {
    this.#secret = secret ?? randomBytes(32)
  }

  current (): string {
    return this.#of(Math.floor(Date.now() / 1000).toString(36))
  }

  /** Whether a text is a nonce that this server made in the last five minutes. */
  isGood (text: string): boolean {
    const time = text.split('.')[0] as string
    if (!/^[0-9a-z]{1,10}$/.test(time) || !isSameText(text, this.#of(time))) return false
    const age = Date.now() / 1000 - Number.parseInt(time, 36)
    // Processes have clocks of their own.
    return age >= -10 && age <= nonceLifetime
  }

  #of (time: string): string {
    const mac = createHmac('sha256', this.#secret).update(`fastback oauth2 dpop nonce ${time}`).digest('base64url')
    return `${time}.${mac}`
  }
}
