/** Private keys at rest (OI-34, OI-35): a compact JWE under a key that is derived from the application's secret. */
import { hkdfSync, randomBytes } from 'node:crypto'
import { CompactEncrypt, compactDecrypt } from 'jose'

const info = 'fastback oauth2 keys'
/** In development without a secret: rows are not readable at a glance, and that is all. */
const noSecret = 'fastback development: no secret is set'

export interface SealedText {
  /** A compact JWE: `dir`, `A256GCM`. */
  readonly sealed: string
  /** 128 random bits as base64url. */
  readonly salt: string
}

const keyOf = (secret: string, salt: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, Buffer.from(salt, 'base64url'), info, 32))

/** Secrets in the order in which they are tried. The one of development opens nothing in production. */
const secretsOf = (secrets: readonly string[]): readonly string[] =>
  process.env.NODE_ENV === 'production' ? secrets : [...secrets, noSecret]

/**
 * Seals a text with the first secret.
 *
 * ```js
 * const { sealed, salt } = await seal('text', ['a secret of the application'])
 * ```
 * @param secrets none: development
 */
export async function seal (text: string, secrets: readonly string[]): Promise<SealedText> {
  const salt = randomBytes(16).toString('base64url')
  const sealed = await new CompactEncrypt(new TextEncoder().encode(text))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .encrypt(keyOf(secretsOf(secrets)[0] as string, salt))
  return { sealed, salt }
}

/**
 * The text, and whether the first secret opened it; undefined when none does.
 *
 * ```js
 * await unseal({ sealed, salt }, ['a new secret', 'a secret of the application']) // { text: 'text', isFirst: false }
 * ```
 */
export async function unseal (
  { sealed, salt }: SealedText, secrets: readonly string[]
): Promise<{ readonly text: string, readonly isFirst: boolean } | undefined> {
  for (const [at, secret] of secretsOf(secrets).entries()) {
    try {
      const { plaintext } = await compactDecrypt(sealed, keyOf(secret, salt), {
        keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM']
      })
      return { text: new TextDecoder().decode(plaintext), isFirst: at === 0 }
    } catch {
      // Another secret sealed it.
    }
  }
}
