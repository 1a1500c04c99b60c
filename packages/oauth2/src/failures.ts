/**
 * Limits of attempts at passwords and client secrets (O-094, O-148), by the service that counts them for
 * `@fastback/auth` as well.
 */
import type { AttemptCounter, Count, Limit } from '@fastback/auth'
import { Attempts, attemptsOf, keepBounded, networkOf } from '@fastback/auth/service'
import type { ModelRegistry } from '@fastback/core'
import type { FastifyRequest } from 'fastify'
import type { Client } from './clients/client.js'
import type { Settings } from './settings.js'
import type { FailureStore } from './failure-store.js'

/** Attempts from one address, for each that one account may have. */
const perAddress = 10

/** The limits of a provider; undefined: none. */
export function attemptsWith (rateLimit: Settings['rateLimit'], registry: ModelRegistry): Attempts | undefined {
  if (rateLimit === undefined) return undefined
  const { max, window, knownFor, store } = rateLimit
  const timeWindow = window * 1000
  const counter = store === undefined ? undefined : new StoreCounter(store)
  const limits = {
    account: { max, timeWindow },
    address: { max: max * perAddress, timeWindow },
    knownFor: knownFor * 1000
  }
  return new Attempts(
    () => counter ?? attemptsOf(registry).counter,
    limits,
    err => {
      registry.log.warn({ err }, 'OAuth: attempts cannot be counted')
    }
  )
}

/**
 * Attempts that have a limit of their own, whatever `rateLimit` says: they are counted by name alone.
 *
 * ```js
 * const attempts = countersWith(registry, { max: 10, window: 600, store: undefined })
 * await attempts.reserve({ what: 'code', name, address: null })
 * ```
 * @param limit `max` within `window` seconds; the store is that of `rateLimit`, where it has one
 */
export function countersWith (registry: ModelRegistry, { max, window, store }: {
  readonly max: number, readonly window: number, readonly store: FailureStore | undefined
}): Attempts {
  return attemptsWith({ max, window, knownFor: window, store }, registry) as Attempts
}

/** Seconds that `maxPerHour` of an option is about. */
const hour = 3600

/**
 * Limits what is stored for requests that nobody proves anything with: those of public clients, whose ids anybody can
 * read. They are counted by network, all clients together: a limit of a client would let strangers lock its users out.
 *
 * ```js
 * const limit = new StrangersLimit(registry, { what: 'oauth device', maxPerHour: 200, store: undefined })
 * await limit.reserve(client, request)
 * ```
 */
export class StrangersLimit {
  readonly #attempts: Attempts
  readonly #what: string

  constructor (registry: ModelRegistry, { what, maxPerHour, store }: {
    readonly what: string, readonly maxPerHour: number, readonly store: FailureStore | undefined
  }) {
    this.#what = what
    this.#attempts = countersWith(registry, { max: maxPerHour, window: hour, store })
  }

  /**
   * Counts a request, where its client has proven nothing.
   * @throws TooManyAttempts 429
   */
  async reserve ({ isPublic }: Pick<Client, 'isPublic'>, { ip }: Pick<FastifyRequest, 'ip'>): Promise<void> {
    if (isPublic) await this.#attempts.reserve({ what: this.#what, name: networkOf(ip), address: null })
  }
}

/** Counts in the application's store: what it cannot do in one step is made safe by counting first and looking then. */
class StoreCounter implements AttemptCounter {
  /** What was given back where the store cannot: by key, for the window that ends at `until`. */
  readonly #back = new Map<string, { until: number; count: number }>()
  readonly #marks = new Map<string, number>()

  constructor (readonly store: FailureStore) {}

  async take (key: string, limit: Limit): Promise<Count> {
    const before = await this.look(key, limit)
    if (!before.allowed) return before
    await this.store.add(key, limit.timeWindow)
    return await this.look(key, { ...limit, max: limit.max + 1 })
  }

  async look (key: string, { max }: Limit): Promise<Count> {
    const found = await this.store.get(key)
    if (found === undefined || found.until <= Date.now()) return { allowed: true, until: Date.now() }
    return { allowed: found.count - this.#givenBack(key, found.until) < max, until: found.until }
  }

  async giveBack (key: string, { until }: Count): Promise<void> {
    if (this.store.remove !== undefined) await this.store.remove(key)
    else keepBounded(this.#back, key, { until, count: this.#givenBack(key, until) + 1 })
  }

  async clear (key: string): Promise<void> {
    await this.store.clear(key)
    this.#back.delete(key)
  }

  mark (key: string, time: number): void {
    keepBounded(this.#marks, key, Date.now() + time)
  }

  isMarked (key: string): boolean {
    return (this.#marks.get(key) ?? 0) > Date.now()
  }

  #givenBack (key: string, until: number): number {
    const back = this.#back.get(key)
    return back?.until === until ? back.count : 0
  }
}
