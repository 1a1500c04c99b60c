/**
 * Encrypts values of rows, at rest: a compact JWE (`dir`, `A256GCM`; RFC 7516), its key HKDF-SHA-256 of a secret with a
 * salt of its own, which stands in the header that the tag covers.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const form = /^([\w-]+)\.\.([\w-]+)\.([\w-]*)\.([\w-]+)$/

const encoded = (value: Buffer): string => value.toString('base64url')
const decoded = (text: string): Buffer => Buffer.from(text, 'base64url')

/**
 * ```js
 * const sealing = new Sealing(['a secret of at least 32 characters'], 'what the values are')
 * sealing.open(sealing.seal({ key: 1 })) // { key: 1 }
 * ```
 */
export class Sealing {
  /**
   * @param secrets the first encrypts, all decrypt: a secret is replaced by writing the new one in front
   * @param purpose values of one purpose cannot be opened as those of another
   */
  constructor (readonly secrets: readonly string[], readonly purpose: string) {}

  /** Whether there is a secret to encrypt with. */
  get isOn (): boolean {
    return this.secrets.length > 0
  }

  /** Whether a value is a text that a sealing made, with whatever secret. */
  static isSealed (value: unknown): value is string {
    const [, header] = typeof value === 'string' ? form.exec(value) ?? [] : []
    return header !== undefined && decoded(header).toString().includes('"A256GCM"')
  }

  seal (value: unknown): string {
    const salt = randomBytes(16)
    const header = encoded(Buffer.from(JSON.stringify({ alg: 'dir', enc: 'A256GCM', salt: encoded(salt) })))
    const iv = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', this.#key(this.secrets[0] as string, salt), iv)
      .setAAD(Buffer.from(header))
    const text = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()])
    return `${header}..${encoded(iv)}.${encoded(text)}.${encoded(cipher.getAuthTag())}`
  }

  /** What was sealed; undefined where no secret opens it. */
  open (sealed: string): unknown {
    const [, header, iv, text, tag] = form.exec(sealed) ?? []
    if (header === undefined || iv === undefined || text === undefined || tag === undefined) return undefined
    for (const secret of this.secrets) {
      try {
        const { salt } = JSON.parse(decoded(header).toString()) as { salt: string }
        const decipher = createDecipheriv('aes-256-gcm', this.#key(secret, decoded(salt)), decoded(iv), { authTagLength: 16 })
          .setAAD(Buffer.from(header)).setAuthTag(decoded(tag))
        return JSON.parse(Buffer.concat([decipher.update(decoded(text)), decipher.final()]).toString()) as unknown
      } catch {
        // Another secret, or a text that was changed.
      }
    }
    return undefined
  }

  #key (secret: string, salt: Buffer): Buffer {
    return Buffer.from(hkdfSync('sha256', secret, salt, this.purpose, 32))
  }
}
