/**
 * Texts that are sealed in the data source (OI-34): compact JWE (RFC 7516; `dir`, `A256GCM`), its key HKDF-SHA-256 of a
 * secret, with what the texts are for as info and a salt of its own, which stands in the header that the tag covers.
 */
import { hkdfSync, randomBytes } from 'node:crypto'

/**
 * Seals texts with secrets of an application. The first secret seals, all open: one is replaced by writing the new one
 * in front, and sealing anew what `isCurrent` says no to. The library is loaded when something is sealed or opened.
 *
 * ```js
 * const texts = new SealedTexts(['a new secret, much longer', 'the secret of before'], 'fastback oauth2 keys')
 * const sealed = await texts.seal('{"kty":"OKP"}')
 * await texts.open(sealed) // '{"kty":"OKP"}'; undefined where no secret opens it
 * ```
 */
export class SealedTexts {
  readonly #secrets: ReadonlyArray<{ readonly id: string, readonly secret: string }>

  /**
   * @param secrets at least one
   * @param info what the texts are for: none is opened as one of another purpose
   */
  constructor (secrets: readonly string[], readonly info: string) {
    this.#secrets = secrets.map(secret => ({
      secret, id: Buffer.from(hkdfSync('sha256', secret, '', `${info}: name of the secret`, 9)).toString('base64url')
    }))
  }

  /**
   * Names the secret that seals; it tells nothing of it. Stored beside a text, it says which texts are to be sealed
   * anew.
   */
  get keyId (): string {
    return this.#secrets[0]?.id ?? ''
  }

  /** Whether one of the secrets has this name: a text that was sealed with another one cannot be opened. */
  knows (keyId: string): boolean {
    return this.#secrets.some(({ id }) => id === keyId)
  }

  /** Five parts with dots between. */
  async seal (text: string): Promise<string> {
    const { CompactEncrypt } = await import('jose')
    const { secret, id } = this.#secrets[0] as { secret: string, id: string }
    const salt = randomBytes(16)
    return await new CompactEncrypt(Buffer.from(text))
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: id, salt: salt.toString('base64url') })
      .encrypt(this.#keyOf(secret, salt))
  }

  /** What was sealed; undefined where no secret opens it, or it is no sealed text. */
  async open (sealed: unknown): Promise<string | undefined> {
    if (typeof sealed !== 'string') return undefined
    const { compactDecrypt, decodeProtectedHeader } = await import('jose')
    try {
      const { kid, salt } = decodeProtectedHeader(sealed) as { kid?: string, salt?: string }
      const known = this.#secrets.find(({ id }) => id === kid)
      if (known === undefined || typeof salt !== 'string') return undefined
      const key = this.#keyOf(known.secret, Buffer.from(salt, 'base64url'))
      const { plaintext } = await compactDecrypt(sealed, key, {
        keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM']
      })
      return Buffer.from(plaintext).toString()
    } catch {
      return undefined
    }
  }

  #keyOf (secret: string, salt: Uint8Array): Uint8Array {
    return new Uint8Array(hkdfSync('sha256', secret, salt, this.info, 32))
  }
}
