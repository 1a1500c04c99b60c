/** Lifetimes of tokens, in seconds. */
import { invalidTtl } from '../errors.js'

/** Two weeks. */
export const defaultTtl = 1_209_600
/** One year. */
export const defaultMaxTtl = 31_556_926
/** Fifteen minutes. */
export const defaultResetTtl = 900

interface TtlSettings { ttl?: unknown, maxTTL?: unknown }

/**
 * The lifetime of a new token: what was asked for, at most `maxTTL`; the model's where nothing (or 0) was asked for.
 * -1: it does not end.
 *
 * ```js
 * tokenTtl(undefined, Customer.settings) // 1209600
 * ```
 * @throws RequestError 400 INVALID_TTL for what is no number of seconds
 */
export function tokenTtl (asked: unknown, { ttl = defaultTtl, maxTTL = defaultMaxTtl }: TtlSettings): number {
  const wanted =
    asked === undefined || asked === null || asked === '' ? 0 : typeof asked === 'string' ? Number(asked) : asked
  if (typeof wanted !== 'number' || !Number.isFinite(wanted) || (wanted < 0 && wanted !== -1)) throw invalidTtl()
  return Math.min(wanted === 0 ? Number(ttl) : wanted, Number(maxTTL))
}
