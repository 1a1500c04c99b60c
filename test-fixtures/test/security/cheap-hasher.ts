import { createHash, randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { PasswordHasher } from '@fastback/auth/service'

const form = '$argon2id$v=19$m=1,t=1,p=1$'

function digest (salt: string, password: string): string {
  return createHash('sha256').update(salt + password).digest('base64').replaceAll('=', '')
}

/**
 * Hashes for tests whose subject is not the hash: stored in the form of argon2id, and made off the event loop as far as
 * others can see, so that requests at the same time meet as they do with real ones.
 */
export class CheapHasher extends PasswordHasher {
  override async hash (password: string): Promise<string> {
    await setTimeout(2)
    const salt = randomBytes(16).toString('base64').replaceAll('=', '')
    return `${form}${salt}$${digest(salt, password)}`
  }

  override async verify (password: string, hash: string | undefined): Promise<boolean> {
    if (hash !== undefined && !hash.startsWith(form)) return await super.verify(password, hash)
    await setTimeout(2)
    const [salt = '', stored] = hash?.slice(form.length).split('$') ?? []
    return digest(salt, password) === stored
  }

  override async isOutdated (hash: string): Promise<boolean> {
    return !hash.startsWith(form) && await super.isOutdated(hash)
  }
}
