import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** What one address is good for. */
export interface SignedFor {
  readonly model: string
  readonly verb: 'GET' | 'PUT'
  readonly container: string
  readonly file: string
  /** The media type that has to be sent. */
  readonly type: string | undefined
  /** Seconds since 1970. */
  readonly expires: number
}

/**
 * Signs addresses of one data source, by HMAC-SHA256 (RFC 2104).
 *
 * ```js
 * const signer = new AddressSigner(secret, 'photos')
 * signer.holds(address, signer.sign(address)) // until it expires
 * ```
 */
export class AddressSigner {
  readonly #key: Buffer

  /** @param secret undefined: a random one, which nobody else has */
  constructor (secret: string | undefined, dataSource: string) {
    // Data sources with one secret do not take each other's addresses.
    this.#key = createHmac('sha256', secret ?? randomBytes(32)).update(`fastback storage addresses ${dataSource}`).digest()
  }

  sign ({ model, verb, container, file, type, expires }: SignedFor): string {
    // JSON: no two lists of texts are written alike.
    const text = JSON.stringify([model, verb, container, file, type ?? null, expires])
    return createHmac('sha256', this.#key).update(text).digest('base64url')
  }

  /** Whether a signature is that of an address which has not expired; how long that takes says nothing of it. */
  holds (address: SignedFor, signature: string): boolean {
    return this.isOf(address, signature) && address.expires * 1000 > Date.now()
  }

  /** The same, whether the address has expired or not. */
  isOf (address: SignedFor, signature: string): boolean {
    const expected = Buffer.from(this.sign(address))
    const given = Buffer.from(signature)
    return expected.length === given.length && timingSafeEqual(expected, given)
  }
}
