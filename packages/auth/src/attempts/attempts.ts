/**
 * Limits of attempts on accounts (security.md, S-77). An attempt is counted before the work that it asks for, by the
 * account as it will be looked up, by the account that was found, and by the address it comes from; one that was right
 * is given back. Accounts that do not exist count alike.
 *
 * A limit on an account would let strangers lock its owner out. An address that was right about the account lately is
 * therefore not concerned by what others try: there only its own attempts on the account count.
 */
import { isIPv6 } from 'node:net'
import { attemptsNotCounted, TooManyAttempts } from '../errors.js'
import type { AttemptCounter, Count, Limit } from './counter.js'

export interface AttemptLimits {
  /** Attempts on one account: from all addresses that do not know it, and from each one that does. */
  readonly account: Limit
  /** Attempts from one address on all accounts. */
  readonly address: Limit
  /** Milliseconds that an address which was right about an account is known there. */
  readonly knownFor: number
}

export interface Attempt {
  /** What is tried; counts of different things are kept apart. */
  readonly what: string
  /** The account as it is looked up (`accountName`). */
  readonly name?: string | undefined
  /** The account that was found (`accountId`). */
  readonly id?: string | undefined
  /** Where the attempt comes from: `request.ip`. Null: it does not matter, and counts for the account alone. */
  readonly address: string | undefined | null
  /** Counts this as well, with a limit of its own, whatever the address. */
  readonly also?: { readonly of: string, readonly limit: Limit }
}

/** An attempt that was counted. */
export interface Reservation {
  /** Gives it back: it was right. The address is known for this account then. */
  succeeded(): Promise<void>
}

interface Step {
  readonly key: string
  readonly limit: Limit
}

/**
 * Limits attempts on accounts by account and by address. `attemptsOf(registry).users` are those of user models.
 *
 * ```js
 * const limit = { max: 10, timeWindow: 900_000 }
 * const limits = { account: limit, address: { ...limit, max: 100 }, knownFor: 86_400_000 }
 * const attempts = new Attempts(() => attemptsOf(registry).counter, limits)
 * const attempt = await attempts.reserve({ what: 'pin', id: accountId('Customer', 7), address: request.ip })
 * if (isRight) await attempt.succeeded()
 * ```
 * @throws TooManyAttempts 429, with the header Retry-After; RequestError 503 while nobody can count
 */
export class Attempts {
  /**
   * @param counter asked for when the first attempt comes
   * @param failing told when attempts cannot be counted
   */
  constructor (
    readonly counter: () => AttemptCounter,
    readonly limits: AttemptLimits,
    readonly failing: (error: unknown) => void = () => {}
  ) {}

  /**
   * Counts an attempt before it is made.
   * @throws TooManyAttempts 429; RequestError 503 while nobody can count
   */
  async reserve (attempt: Attempt): Promise<Reservation> {
    return await this.#counting(async counter => {
      const { address, account, own } = await this.#steps(attempt, counter)
      const taken: Array<readonly [string, Count]> = []
      try {
        for (const { key, limit } of [...address, ...account]) {
          taken.push([key, await mustBeAllowed(counter.take(key, limit))])
        }
      } catch (error) {
        // What was refused was not made.
        for (const [key, count] of taken) await counter.giveBack(key, count)
        throw error
      }
      return {
        succeeded: async () => {
          try {
            for (const [key, count] of taken) await counter.giveBack(key, count)
            if (own === undefined) return
            await counter.clear(own.attempts)
            await counter.mark(own.mark, this.limits.knownFor)
          } catch (error) {
            // What was right stays right.
            this.failing(error)
          }
        }
      }
    })
  }

  /**
   * Refuses where an attempt would be, and counts none: for what needs no work, or cannot be guessed. @throws as
   * `reserve`
   */
  async check (attempt: Attempt): Promise<void> {
    await this.#counting(async counter => {
      const { address, account } = await this.#steps(attempt, counter)
      for (const { key, limit } of [...address, ...account]) await mustBeAllowed(counter.look(key, limit))
    })
  }

  async #steps (
    { what, name, id, address, also }: Attempt,
    counter: AttemptCounter
  ): Promise<{ address: Step[]; account: Step[]; own: { attempts: string; mark: string } | undefined }> {
    const { limits } = this
    const place = networkOf(address ?? undefined)
    const own =
      id === undefined || address === null ? undefined : { attempts: `${what} ${id} at ${place}`, mark: `known ${id} at ${place}` }
    const isKnown = own !== undefined && (await counter.isMarked(own.mark))
    const keys = isKnown
      ? [own.attempts]
      : [name, id].filter(each => each !== undefined).map(each => `${what} ${each}`)
    return {
      address: address === null ? [] : [{ key: `address ${place}`, limit: limits.address }],
      account: [
        ...keys.map(key => ({ key, limit: limits.account })),
        ...also === undefined ? [] : [{ key: `${what} ${also.of}`, limit: also.limit }]
      ],
      own
    }
  }

  /** Attempts that nobody can count are refused, not let through. */
  async #counting<T>(work: (counter: AttemptCounter) => Promise<T>): Promise<T> {
    try {
      return await work(this.counter())
    } catch (error) {
      if (error instanceof TooManyAttempts) throw error
      this.failing(error)
      throw attemptsNotCounted()
    }
  }
}

async function mustBeAllowed (counted: Count | Promise<Count>): Promise<Count> {
  const count = await counted
  if (!count.allowed) throw new TooManyAttempts(Math.max(1, Math.ceil((count.until - Date.now()) / 1000)))
  return count
}

/**
 * One place per network that one client is given: IPv6 addresses are handed out by 2⁶⁴. A socket that is a file has no
 * address.
 *
 * ```js
 * networkOf('2001:db8:0:1::7') === networkOf('2001:db8:0:1::8') // true
 * ```
 */
export function networkOf (address: string | undefined): string {
  const bare = (address ?? 'here').replace(/%[^]*$/, '').replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '')
  if (!isIPv6(bare)) return bare
  const { hostname } = new URL(`http://[${bare}]/`)
  const [head = '', tail] = hostname.slice(1, -1).split('::') as [string, string | undefined]
  const parts = head === '' ? [] : head.split(':')
  const rest = tail === undefined || tail === '' ? [] : tail.split(':')
  const all =
    tail === undefined
      ? parts
      : [...parts, ...Array.from({ length: 8 - parts.length - rest.length }, () => '0'), ...rest]
  return `${all.slice(0, 4).join(':')}::/64`
}
