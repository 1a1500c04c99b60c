/** Client secrets (O-080 to O-082, O-270). */
import { createHmac, randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { isSameText, PasswordHasher, RecentCache } from '@fastback/auth/service'
import { RequestError, type MaybePromise } from '@fastback/core'
import { TemporarilyUnavailable } from '../errors.js'
import type { Client } from './client.js'

/** A secret of a request. */
export interface GivenSecret {
  /**
   * What is known of it without further work: that it was right lately, or what a comparison that is under way will
   * say. Undefined: nothing.
   */
  readonly known: MaybePromise<boolean> | undefined
  /**
   * Whether it is the client's.
   * @throws TemporarilyUnavailable 503 (as a rejection) when too many wait already
   */
  readonly verify: () => MaybePromise<boolean>
}

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
   * A secret that is given for a client. Without a client comparing takes as much time, and finds it wrong.
   *
   * ```js
   * const guess = secrets.given(client, 'from the request')
   * if (guess.known === undefined) await countAnAttempt()
   * const isRight = await guess.verify()
   * ```
   */
  given (client: Client | undefined, secret: string): GivenSecret {
    if (client?.restApiKey !== undefined) {
      const right = isSameText(client.restApiKey, secret)
      return { known: undefined, verify: () => right }
    }
    const key = this.#keyOf(client, secret)
    if (client === undefined || key === undefined) {
      return { known: undefined, verify: () => this.#compare(secret, undefined) }
    }
    const known = this.#known(key)
    return { known, verify: () => known ?? this.#known(key) ?? this.#begin(key, secret, client.secretHash) }
  }

  #known (key: string): MaybePromise<boolean> | undefined {
    return this.#verified.get(key) === true ? true : this.#running.get(key)
  }

  #begin (key: string, secret: string, hash: string | undefined): Promise<boolean> {
    const running = this.#verifySlowly(secret, hash, key)
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
