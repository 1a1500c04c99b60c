import type { QueueSettings } from './engine.js'

/** Jobs that ended their process are tried so many times more than those that failed. */
const deathsForgiven = 3

/** Milliseconds before the next attempt, undefined after the last one. */
export function retryDelay ({ retryLimit, retryDelays }: QueueSettings, attempt: number): number | undefined {
  if (attempt > retryLimit) return undefined
  return retryDelays[Math.min(attempt, retryDelays.length) - 1] ?? 0
}

/**
 * How many times a job may be begun. A process that dies is seldom the fault of its job: it is no failure that counts,
 * but a job that ends each process that takes it must come to an end.
 */
export const mostAttempts = ({ retryLimit }: Pick<QueueSettings, 'retryLimit'>): number =>
  retryLimit + 1 + deathsForgiven
