/** Attempts in a time of so many milliseconds, where the options say nothing else. */
export const defaultLimits = {
  account: { max: 20, timeWindow: 60_000 },
  address: { max: 300, timeWindow: 60_000 },
  /** As long as a token lives: fourteen days. */
  knownFor: 1_209_600_000
} as const
