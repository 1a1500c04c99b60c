/** When a failed delivery is tried again. */
import type { WebhookSettings } from './options.js'

/** How much longer a wait may be: many that failed together are not tried again together. */
const jitter = 0.2

/**
 * Milliseconds until the next attempt; undefined after the last one.
 *
 * @param attempts how many there were
 * @param retryAfter what the receiver has asked for, in milliseconds
 */
export function nextDelay (
  { retryDelays, longestRetryAfter }: Pick<WebhookSettings, 'retryDelays' | 'longestRetryAfter'>, attempts: number,
  retryAfter: number | undefined
): number | undefined {
  const delay = retryDelays[attempts - 1]
  if (delay === undefined) return undefined
  const wanted = Math.min(retryAfter ?? 0, longestRetryAfter)
  return Math.round(Math.max(delay, wanted) * (1 + Math.random() * jitter))
}

/** Milliseconds that a `Retry-After` says, as seconds or as a date; undefined where it says nothing. */
export function retryAfterOf (header: string | undefined, now = Date.now()): number | undefined {
  if (header === undefined) return undefined
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}
