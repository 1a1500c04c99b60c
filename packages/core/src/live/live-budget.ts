/**
 * What all live queries of an application have in memory: their rows stay there for as long as somebody reads them, or
 * may come back (security.md, S-183).
 */
import { liveRowsTooLarge } from '../errors.js'
import type { ModelRegistry } from '../interfaces/model-registry.js'

/** How much more than a response may have all of them have together, and which part of it those of one client have. */
const timesAResponse = 16
const share = 4

const kBudget = Symbol('fastback.liveBudget')

export class LiveBudget {
  readonly #taken = new Map<string, number>()
  #all = 0

  private constructor (readonly registry: ModelRegistry) {}

  /** That of an application. */
  static of (registry: ModelRegistry): LiveBudget {
    return registry.slot(kBudget, () => new LiveBudget(registry))
  }

  /**
   * The part of a query's rows.
   * @param client undefined: code in the process, which has as many as it likes
   */
  part (client: string | undefined): LivePart {
    return new LivePart(this, client)
  }

  /**
   * Counts characters that a query of a client has more, or less, by now.
   * @throws RequestError 429 TOO_MANY_LIVE_QUERIES for more than there may be
   */
  add (client: string, characters: number): void {
    const most = timesAResponse * this.registry.queryLimits.bytes
    const own = (this.#taken.get(client) ?? 0) + characters
    if (characters > 0 && (this.#all + characters > most || own > most / share)) throw liveRowsTooLarge()
    this.#all += characters
    if (own > 0) this.#taken.set(client, own)
    else this.#taken.delete(client)
  }
}

/** What one query takes. */
export class LivePart {
  readonly #budget: LiveBudget
  readonly #client: string | undefined
  #characters = 0

  constructor (budget: LiveBudget, client: string | undefined) {
    this.#budget = budget
    this.#client = client
  }

  /**
   * @param characters of all that the query has in memory, whatever of it is shown
   * @throws RequestError 429 TOO_MANY_LIVE_QUERIES
   */
  put (characters: number): void {
    if (this.#client === undefined) return
    this.#budget.add(this.#client, characters - this.#characters)
    this.#characters = characters
  }

  leave (): void {
    if (this.#client !== undefined) this.#budget.add(this.#client, -this.#characters)
    this.#characters = 0
  }
}
