/** Where failed attempts are counted. */
import type { FailureCount } from './failure-count.js'

/**
 * Where an application keeps counts; by default they are where those of `@fastback/auth` are. Times are in
 * milliseconds.
 */
export interface FailureStore {
  /** Attempts of a key in its current window, and when that window ends. */
  get(key: string): Promise<FailureCount | undefined> | FailureCount | undefined
  /** Counts one attempt; the first begins a window. */
  add(key: string, window: number): Promise<void> | void
  clear(key: string): Promise<void> | void
  /** Takes one attempt back that was right. Without it only the process that counted it knows. */
  remove?(key: string): Promise<void> | void
}
