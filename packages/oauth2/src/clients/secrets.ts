/** Client secrets (O-080 to O-082, O-270). */
import { createHmac, randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { isSameText, PasswordHasher, RecentCache } from '@fastback/auth/service'
import { RequestError, type MaybePromise } from '@fastback/core'
import { TemporarilyUnavailable } from '../errors.js'
import type { Client } from './client.js'

export class Secrets {
  readonly #hasher = new PasswordHasher({ concurrency: availableParallelism(), queue: 100 })
  readonly #key = randomBytes(32)
  /**
   * Secrets that were found right, never wrong ones: argon2 at every request would be some dozens of tokens a second.
   */
  readonly #verified = new RecentCache<true>({ size: 10_000, ttl: 300_000 })

  /** Comparisons that are under way. */
  readonly #running = new Map<string, Promise<boolean>>()

  /**
   * What is known of a secret without further work: that it was right lately, or what a comparison that is under way
   * will say.
   */
  known (client: Client | undefined, secret: string): MaybePromise<boolean> | undefined {
    const key = this.#keyOf(client, secret)
    if (key === undefined) return undefined
    return this.#verified.get(key) === true ? true : this.#running.get(key)
  }

  /**
   * Whether the secret is the client's. Without a client as much time is spent, and the response is false.
   * @throws TemporarilyUnavailable 503 (as a rejection) when too many wait already
   */
  verify (client: Client | undefined, secret: string): MaybePromise<boolean> {
    if (client?.restApiKey !== undefined) return isSameText(client.restApiKey, secret)
    const key = this.#keyOf(client, secret)
    if (client === undefined || key === undefined) return this.#compare(secret, undefined)
    const known = this.known(client, secret)
    if (known !== undefined) return known
    const running = this.#verifySlowly(secret, client.secretHash, key)
    this.#running.set(key, running)
    return running
  }

  /** Bound to the stored hash: a secret that is changed ends it. */
  #keyOf (client: Client | undefined, secret: string): string | undefined {
    if (client?.authMethod !== 'secret' || client.secretHash === undefined) return undefined
    return createHmac('sha256', this.#key)
      .update(JSON.stringify([client.id, client.secretHash, secret]))
      .digest('base64url')
  }

  async #verifySlowly (secret: string, hash: string | undefined, key: string): Promise<boolean> {
    try {
      const right = await this.#compare(secret, hash)
      if (right) this.#verified.set(key, true)
      return right
    } finally {
      this.#running.delete(key)
    }
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
