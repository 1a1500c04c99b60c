/** What login encrypts at rest (LG-95), and keys that it derives. */
import { hkdfSync } from 'node:crypto'
import { Sealing } from '@fastback/core/remote'

/** @param secrets the first encrypts, all decrypt: a secret is replaced by writing the new one in front */
export const sealingBy = (secrets: readonly string[]): Sealing => new Sealing(secrets, 'fastback login credentials')

/** A key for another purpose, from the same secret. */
export const derivedKey = (secret: string, purpose: string): string =>
  Buffer.from(hkdfSync('sha256', secret, 'fastback', purpose, 32)).toString('base64url')
