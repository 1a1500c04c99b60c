/** Doing a whole transaction again that another one got in the way of. */
import { setTimeout } from 'node:timers/promises'
import { InvalidSettingError } from '../errors.js'

/** How often, and after what time, a transaction is done again. */
export interface RetrySettings {
  /** Times that it is done altogether, from 1 to 100. Default: 5. */
  readonly attempts?: number
  /** Milliseconds before the second time, at most; twice as many before each further one. Default: 20. */
  readonly delay?: number
  /** Milliseconds that it never waits longer than. Default: 1000. */
  readonly maxDelay?: number
}

/** Whether others got in the way (a serialisation failure, a deadlock, a lock): the same may go well the next time. */
const isConflict = (error: unknown): boolean =>
  error instanceof Error && (error as { code?: unknown }).code === 'DATABASE_BUSY'

/**
 * Runs `attempt` until it goes well, fails for a reason of its own, or was run often enough. Waits in between, for a
 * random part of the time, so that those who met do not meet again.
 * @param retry false and undefined: once; true: with the defaults
 * @throws FBK_CORE_INVALID_SETTING for settings that cannot be; else what the last attempt threw
 */
export async function withRetries<T> (
  retry: boolean | RetrySettings | undefined, attempt: () => Promise<T>
): Promise<T> {
  const { attempts, delay, maxDelay } = settingsOf(retry)
  for (let done = 1; ; done++) {
    try {
      return await attempt()
    } catch (error) {
      if (done >= attempts || !isConflict(error)) throw error
      await setTimeout(Math.random() * Math.min(maxDelay, delay * 2 ** (done - 1)))
    }
  }
}

const once: Required<RetrySettings> = { attempts: 1, delay: 0, maxDelay: 0 }

function settingsOf (retry: boolean | RetrySettings | undefined): Required<RetrySettings> {
  if (retry === undefined || retry === false) return once
  const { attempts = 5, delay = 20, maxDelay = 1000 } = retry === true ? {} : retry
  if (!Number.isInteger(attempts) || attempts < 1 || attempts > 100) {
    throw new InvalidSettingError('retry.attempts', 'must be a whole number from 1 to 100')
  }
  for (const [name, value] of Object.entries({ delay, maxDelay })) {
    if (!(value >= 0 && value < 2 ** 31)) {
      throw new InvalidSettingError(`retry.${name}`, 'must be a number of milliseconds')
    }
  }
  return { attempts, delay, maxDelay }
}
