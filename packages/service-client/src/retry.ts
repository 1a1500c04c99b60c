import type { RetrySettings } from './settings.js'

/**
 * Milliseconds to wait before the next try (service-connectors.md, LI-2): twice as long each time, at most `maxDelay`,
 * and somewhere below that with jitter, so that those who failed together do not come back together.
 * @param tries how often it was tried
 * @param retryAfter the header that the service answered
 */
export function delayBefore (
  { minDelay, maxDelay, jitter, respectRetryAfter }: RetrySettings,
  tries: number,
  retryAfter: string | undefined,
  random: () => number = Math.random
): number {
  const asked = respectRetryAfter ? millisecondsOf(retryAfter) : undefined
  if (asked !== undefined) return asked
  const delay = Math.min(maxDelay, minDelay * 2 ** (tries - 1))
  return jitter ? delay / 2 + random() * delay / 2 : delay
}

/** `Retry-After`: seconds, or a date (RFC 9110 section 10.2.3). */
function millisecondsOf (header: string | undefined): number | undefined {
  if (header === undefined) return undefined
  if (/^\s*\d{1,9}\s*$/.test(header)) return Number(header) * 1000
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now())
}
