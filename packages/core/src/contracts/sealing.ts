/**
 * Encrypts values of rows, at rest, with secrets of an application: in the form of sealed properties
 * (`sealing/sealed-text.ts`). What earlier versions wrote is opened as well: a compact JWE (`dir`, `A256GCM`; RFC 7516)
 * whose key is HKDF-SHA-256 of a secret with a salt of its own, which stands in the header that the tag covers.
 */
import { createDecipheriv, hkdfSync } from 'node:crypto'
import { keyIdOf, openText, sealText, subkey } from '../sealing/sealed-text.js'

const earlierForm = /^([\w-]+)\.\.([\w-]+)\.([\w-]*)\.([\w-]+)$/

const decoded = (text: string): Buffer => Buffer.from(text, 'base64url')

/**
 * ```js
 * const sealing = new Sealing(['a secret of at least 32 characters'], 'what the values are')
 * sealing.open(sealing.seal({ key: 1 })) // { key: 1 }
 * ```
 */
export class Sealing {
  readonly #keys: ReadonlyArray<{ readonly id: string, readonly key: Buffer }>

  /**
   * @param secrets the first encrypts, all decrypt: a secret is replaced by writing the new one in front
   * @param purpose values of one purpose cannot be opened as those of another
   */
  constructor (readonly secrets: readonly string[], readonly purpose: string) {
    this.#keys = secrets.map(secret => {
      const master = Buffer.from(secret)
      return { id: subkey(master, 'name of a key').toString('hex', 0, 8), key: subkey(master, `secret ${purpose}`) }
    })
  }

  /** Whether there is a secret to encrypt with. */
  get isOn (): boolean {
    return this.secrets.length > 0
  }

  /** Whether a value is a text that a sealing made, with whatever secret. */
  static isSealed (value: unknown): value is string {
    if (typeof value !== 'string') return false
    const [, header] = earlierForm.exec(value) ?? []
    return keyIdOf(value) !== undefined || (header !== undefined && decoded(header).toString().includes('"A256GCM"'))
  }

  seal (value: unknown): string {
    return sealText(this.#keys[0] as { id: string, key: Buffer }, [this.purpose], JSON.stringify(value))
  }

  /** What was sealed; undefined where no secret opens it. */
  open (sealed: string): unknown {
    const id = keyIdOf(sealed)
    if (id === undefined) return this.#openEarlier(sealed)
    for (const { key } of this.#keys.filter(each => each.id === id)) {
      const text = openText(key, [this.purpose], sealed)
      if (text !== undefined) return JSON.parse(text) as unknown
    }
    return undefined
  }

  #openEarlier (sealed: string): unknown {
    const [, header, iv, text, tag] = earlierForm.exec(sealed) ?? []
    if (header === undefined || iv === undefined || text === undefined || tag === undefined) return undefined
    for (const secret of this.secrets) {
      try {
        const { salt } = JSON.parse(decoded(header).toString()) as { salt: string }
        const key = Buffer.from(hkdfSync('sha256', secret, decoded(salt), this.purpose, 32))
        const decipher = createDecipheriv('aes-256-gcm', key, decoded(iv), { authTagLength: 16 })
          .setAAD(Buffer.from(header)).setAuthTag(decoded(tag))
        return JSON.parse(Buffer.concat([decipher.update(decoded(text)), decipher.final()]).toString()) as unknown
      } catch {
        // Another secret, or a text that was changed.
      }
    }
    return undefined
  }
}
