import type { MaybePromise, ModelRegistry } from '@fastback/core'
import { chain } from '@fastback/core/connector'
import { measuresOf } from '@fastback/core/remote'
import { LRUCache } from 'lru-cache'

export interface RecentOptions {
  /** Entries kept; what was not asked for the longest goes first. */
  readonly size: number
  /** Milliseconds that an entry lives. 0: nothing is kept. */
  readonly ttl: number
}

/**
 * What was looked up a moment ago: bounded, short-lived, and emptied when this process changes what it is made of. What
 * another process changes is seen when an entry's time is over, by a clock that nobody sets.
 *
 * ```js
 * const cache = new RecentCache({ size: 1000, ttl: 1000 })
 * const role = await cache.getOr('admin', () => Role.findOne({ where: { name: 'admin' } }))
 * ```
 */
export class RecentCache<Value extends NonNullable<unknown>> {
  /** Made when there is something to keep: it takes the room of all its entries at once. */
  #entries: LRUCache<string, Value> | undefined
  #clears = 0
  #hits = 0
  #misses = 0

  constructor (readonly options: RecentOptions) {}

  /** How often `getOr` knew a response, and how often it had to look for one. */
  get counts (): { readonly hits: number, readonly misses: number } {
    return { hits: this.#hits, misses: this.#misses }
  }

  /** What is kept under a key, undefined after its time. */
  get (key: string): Value | undefined {
    return this.#entries?.get(key)
  }

  /** What is known, else what `find` comes to. That is kept unless it is undefined, or `clear` was called meanwhile. */
  getOr<Found extends Value | undefined>(key: string, find: () => MaybePromise<Found>): MaybePromise<Found> {
    const known = this.get(key)
    if (known !== undefined) {
      this.#hits++
      return known as Found
    }
    this.#misses++
    const clears = this.#clears
    return chain(find(), found => {
      if (found !== undefined && clears === this.#clears) this.set(key, found)
      return found
    })
  }

  /** Keeps a value for `ttl` milliseconds; the one that was used least recently makes room. */
  set (key: string, value: Value): void {
    const { size, ttl } = this.options
    if (!(ttl > 0)) return
    // Without a resolution there are no timers. The library knows no time that is endless, but none at all.
    this.#entries ??= new LRUCache({ max: size, ttl: ttl === Infinity ? 0 : Math.ceil(ttl), ttlResolution: 0 })
    this.#entries.set(key, value)
  }

  /** Forgets everything, also what is being looked up at the moment. */
  clear (): void {
    this.#clears++
    this.#entries?.clear()
  }
}

/**
 * Makes the counts of a cache measures of an application.
 *
 * ```js
 * measureCache(registry, 'roles', cache)
 * ```
 */
export function measureCache (
  registry: Pick<ModelRegistry, 'slot'>, name: string, cache: Pick<RecentCache<never>, 'counts'>
): void {
  const measures = measuresOf(registry)
  measures.add('cacheHits', () => cache.counts.hits, name)
  measures.add('cacheMisses', () => cache.counts.misses, name)
}
