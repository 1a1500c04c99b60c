/** When a message is tried again (PU-70). */

/** Milliseconds that a service may ask for. */
const mostAfter = 5 * 60 * 1000

export interface RetryOptions {
  /** Tries after the first. */
  readonly retries: number
  /** Milliseconds before the first of them; twice as long before each next one. */
  readonly retryBase: number
}

/**
 * Milliseconds to wait; undefined: not any more.
 * @param attempts how often it was tried
 * @param after what the service asks for
 */
export function delayBefore (
  { retries, retryBase }: RetryOptions, attempts: number, after: number | undefined, random: () => number = Math.random
): number | undefined {
  if (attempts > retries) return undefined
  if (after !== undefined) return Math.min(after, mostAfter)
  // Full jitter: senders that failed together do not come together again.
  return random() * retryBase * 2 ** (attempts - 1)
}
