import { createHash, randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { Test } from 'tap'
import { PasswordHasher } from '@fastback/auth/service'

const form = '$argon2id$v=19$m=1,t=1,p=1$'
const { hash, verify, isOutdated } = PasswordHasher.prototype

function digest (salt: string, password: string): string {
  return createHash('sha256').update(salt + password).digest('base64').replaceAll('=', '')
}

/**
 * Hashes for tests whose subject is not the hash: stored in the form of argon2id, and made off the event loop as far as
 * others can see, so that requests at the same time meet as they do with real ones.
 */
class CheapHasher extends PasswordHasher {
  override async hash (password: string): Promise<string> {
    await setTimeout(2)
    const salt = randomBytes(16).toString('base64').replaceAll('=', '')
    return `${form}${salt}$${digest(salt, password)}`
  }

  override async verify (password: string, stored: string | undefined): Promise<boolean> {
    if (stored !== undefined && !stored.startsWith(form)) return await verify.call(this, password, stored)
    await setTimeout(2)
    const [salt = '', made] = stored?.slice(form.length).split('$') ?? []
    return digest(salt, password) === made
  }

  override async isOutdated (stored: string): Promise<boolean> {
    return !stored.startsWith(form) && await isOutdated.call(this, stored)
  }
}

/**
 * Until the test ends, every hasher of the process is a cheap one: also those that nobody else can reach, as that of
 * the secrets of OAuth clients.
 */
export function hashCheaply (t: Test): void {
  if (PasswordHasher.prototype.hash !== hash) return
  const cheap = CheapHasher.prototype
  Object.assign(PasswordHasher.prototype, { hash: cheap.hash, verify: cheap.verify, isOutdated: cheap.isOutdated })
  t.teardown(() => { Object.assign(PasswordHasher.prototype, { hash, verify, isOutdated }) })
}
