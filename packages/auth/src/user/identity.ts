/** What identifies a user, and lets somebody in as that user. */
import type { Row } from '@fastback/core'

/**
 * Properties of accounts that only the user decides about, never a program that the user gave a token to
 * (security.md, S-72).
 */
export const identityNames = ['password', 'email', 'username', 'realm', 'emailVerified', 'verificationToken'] as const

/** A replacement loses these when it does not name them. */
const lost: readonly string[] = ['email', 'username']

/**
 * Whether a change of accounts touches what identifies them. Who writes back what is there changes nothing; a password
 * is not compared, so that nobody finds out by trying.
 * @param replaces whether values that `changes` does not have are lost
 */
export function changesIdentity (before: readonly Row[], changes: Readonly<Row>, replaces: boolean): boolean {
  if (changes.password !== undefined) return true
  const names = identityNames.filter(name => changes[name] !== undefined || (replaces && lost.includes(name)))
  return before.some(row => names.some(name => plain(changes[name]) !== plain(row[name])))
}

/** Nothing and false are the same here. */
const plain = (value: unknown): string => value === undefined || value === null ? '' : String(value || '')
