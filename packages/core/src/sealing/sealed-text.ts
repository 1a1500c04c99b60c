/**
 * Texts that are encrypted at rest, in one form: `fb1.<key>.<nonce>.<ciphertext and tag>`. AES-256-GCM with a random
 * nonce of 96 bits. What the text is about (which property of which row) is covered by the tag and not stored: a text
 * that was moved does not open.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const version = 'fb1'
const nonceBytes = 12
const tagBytes = 16
const form = /^fb1\.([\w-]{1,64})\.([\w-]{16})\.([\w-]{22,})$/

/** What stands where a value will be once its row has an id; it never opens. */
export const pendingText = 'fb1.pending'

/** The name of a key, as settings and sealed texts have it. */
export const isKeyId = (id: string): boolean => /^[\w-]{1,64}$/.test(id)

/** Whether a stored value says that it is sealed, whether or not it opens. */
export const saysSealed = (value: unknown): value is string => typeof value === 'string' && value.startsWith('fb1.')

/**
 * The name of the key that a text was sealed with; undefined for a text that no sealing made.
 *
 * ```js
 * keyIdOf('fb1.2026-10.3q2-7wAAAAAAAAAA.AAAA…') // '2026-10'
 * ```
 */
export const keyIdOf = (text: string): string | undefined => form.exec(text)?.[1]

/**
 * A key for one purpose, of a key for all: who has the one does not have the other.
 *
 * ```js
 * const key = subkey(master, 'sealed values')
 * ```
 */
export const subkey = (master: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', master, Buffer.alloc(0), `fastback ${purpose}`, 32))

/**
 * Seals a text.
 *
 * ```js
 * const sealed = sealText({ id: '2026-10', key }, ['Customer', 'ssn', '7'], '123-45-6789')
 * ```
 * @param about what else must be the same when it is opened
 */
export function sealText (
  { id, key }: { readonly id: string, readonly key: Buffer }, about: readonly string[], text: string
): string {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(coveredBy(id, about))
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return `${version}.${id}.${nonce.toString('base64url')}.${body.toString('base64url')}`
}

/**
 * What was sealed; undefined where the key, what it is about, or the text itself is another.
 *
 * ```js
 * openText(key, ['Customer', 'ssn', '7'], sealed) // '123-45-6789'
 * openText(key, ['Customer', 'ssn', '8'], sealed) // undefined
 * ```
 */
export function openText (key: Buffer, about: readonly string[], sealed: string): string | undefined {
  const [, id, nonce, encoded] = form.exec(sealed) ?? []
  if (id === undefined || nonce === undefined || encoded === undefined) return undefined
  const body = Buffer.from(encoded, 'base64url')
  if (body.length < tagBytes || body.toString('base64url') !== encoded) return undefined
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64url'), { authTagLength: tagBytes })
      .setAAD(coveredBy(id, about))
      .setAuthTag(body.subarray(-tagBytes))
    return Buffer.concat([decipher.update(body.subarray(0, -tagBytes)), decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}

/** Lists as JSON: no two have the same text. */
const coveredBy = (id: string, about: readonly string[]): Buffer => Buffer.from(JSON.stringify([version, id, ...about]))
