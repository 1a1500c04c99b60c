import type { StorageDriver } from '../driver.js'
import { quotaExceeded } from '../errors.js'
import type { StorageOptions } from '../settings.js'

/** Milliseconds between two looks at what is stored. */
const freshness = 1_000

interface Account { readonly limit: number, readonly what: string, used: number }

/**
 * How much room uploads have (storage.md, SS-10): what is stored is summed up, what is on its way in this process is
 * counted beside it. Files that are replaced count until they are.
 */
export class StorageQuota {
  /** Bytes on their way, by container. */
  readonly #coming = new Map<string, number>()
  readonly #sums = new Map<string, { readonly bytes: number, readonly at: number }>()

  /** @param pending bytes of a container's uploads that have begun and may go on */
  constructor (readonly driver: StorageDriver, readonly pending: (container: string) => Promise<number>) {}

  /**
   * Room for an upload into a container; `release` gives back what it took.
   * @throws RequestError 507 QUOTA_EXCEEDED where there is none at all
   */
  async enter (container: string, { quota, minFree }: StorageOptions): Promise<Reservation> {
    const limits = typeof quota === 'number' ? { container: quota } : quota ?? {}
    const accounts: Account[] = []
    if (limits.container !== undefined) {
      const used = await this.#stored(container) + (this.#coming.get(container) ?? 0)
      accounts.push({ limit: limits.container, what: 'The container', used })
    }
    if (limits.total !== undefined) {
      let used = 0
      for (const { name } of await this.driver.containers()) used += await this.#stored(name)
      for (const bytes of this.#coming.values()) used += bytes
      accounts.push({ limit: limits.total, what: 'The storage', used })
    }
    if (minFree !== undefined && this.driver.free !== undefined) {
      accounts.push({ limit: await this.driver.free() - minFree, what: 'The disk', used: 0 })
    }
    return new Reservation(accounts, bytes => { this.#count(container, bytes) })
  }

  #count (container: string, bytes: number): void {
    const coming = (this.#coming.get(container) ?? 0) + bytes
    if (coming > 0) this.#coming.set(container, coming)
    else this.#coming.delete(container)
    if (bytes < 0) this.#sums.delete(container)
  }

  async #stored (container: string): Promise<number> {
    const known = this.#sums.get(container)
    if (known !== undefined && Date.now() - known.at < freshness) return known.bytes
    const files = await this.driver.files(container, {})
    const bytes = files.reduce((sum, { size }) => sum + size, await this.pending(container))
    this.#sums.set(container, { bytes, at: Date.now() })
    return bytes
  }
}

/** What one upload takes. */
export class Reservation {
  #taken = 0

  constructor (readonly accounts: readonly Account[], readonly count: (bytes: number) => void) {}

  /** @throws RequestError 507 QUOTA_EXCEEDED */
  take (bytes: number): void {
    if (this.accounts.length === 0) return
    for (const { limit, what, used } of this.accounts) {
      if (used + this.#taken + bytes > limit) throw quotaExceeded(what)
    }
    this.#taken += bytes
    this.count(bytes)
  }

  release (): void {
    if (this.#taken > 0) this.count(-this.#taken)
    this.#taken = 0
  }
}
