/** Client secrets (O-080 to O-082, O-270). */
import { createHmac, randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { PasswordHasher, RecentCache } from '@fastback/auth'
import { RequestError, type MaybePromise } from '@fastback/core'
import { isSame } from '../digest.js'
import { TemporarilyUnavailable } from '../errors.js'
import type { Client } from './client.js'

export class Secrets {
  readonly #hasher = new PasswordHasher({ concurrency: availableParallelism(), queue: 100 })
  readonly #key = randomBytes(32)
  /** Secrets that were found right, never wrong ones: argon2 at every request would be some dozens of tokens a second. */
  readonly #verified = new RecentCache<true>({ size: 10_000, ttl: 300_000 })

  /**
   * Whether the secret is the client's. Without a client as much time is spent, and the answer is false.
   * @throws TemporarilyUnavailable 503 (as a rejection) when too many wait already
   */
  verify (client: Client | undefined, secret: string): MaybePromise<boolean> {
    if (client?.restApiKey !== undefined) return isSame(client.restApiKey, secret)
    const hash = client?.authMethod === 'secret' ? client.secretHash : undefined
    // Bound to the stored hash: a secret that is changed ends it.
    const key = hash === undefined
      ? undefined
      : createHmac('sha256', this.#key).update(JSON.stringify([client?.id, hash, secret])).digest('base64url')
    if (key !== undefined && this.#verified.get(key) === true) return true
    return this.#verifySlowly(secret, hash, key)
  }

  async #verifySlowly (secret: string, hash: string | undefined, key: string | undefined): Promise<boolean> {
    const right = await this.#compare(secret, hash)
    if (right && key !== undefined) this.#verified.set(key, true, this.#verified.generation)
    return right
  }

  async #compare (secret: string, hash: string | undefined): Promise<boolean> {
    try {
      return await this.#hasher.verify(secret, hash)
    } catch (error) {
      if (error instanceof RequestError && error.statusCode === 503) throw new TemporarilyUnavailable(503, 1)
      throw error
    }
  }
}
