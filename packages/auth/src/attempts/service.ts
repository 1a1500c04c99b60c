/** The attempts of one registry: kept with it, so that two applications in a process share nothing. */
import type { ModelRegistry } from '@fastback/core'
import type { Attempts } from './attempts.js'
import { BusCounter } from './bus-counter.js'
import type { AttemptCounter } from './counter.js'

export interface AttemptService {
  /** Where counts are kept, for everything that limits attempts. */
  counter: AttemptCounter
  /** Limits of the endpoints of user models; undefined: none. */
  users: Attempts | undefined
}

const kAttempts = Symbol('fastback.attempts')

/**
 * The counter of a registry, and the limits of its user models. The same object each time.
 *
 * ```js
 * const { counter } = attemptsOf(app.registry)
 * ```
 */
export const attemptsOf = (registry: ModelRegistry): AttemptService =>
  registry.slot<AttemptService>(kAttempts, () => ({ counter: new BusCounter(registry), users: undefined }))
