/** The phases of request handling, and their order. */
import { nearest } from '@fastback/core/remote'
import { PhaseOrderError, UnknownPhaseError } from '../errors.js'

/** Position of something in the order of request handling. Lower runs first. */
export type Position = number

const builtin = ['initial', 'session', 'auth', 'parse', 'routes', 'files', 'final']

/** The phases of one application. Each has the sub-phases `:before` and `:after`. */
export class Phases {
  #names: readonly string[] = builtin

  get names (): readonly string[] {
    return this.#names
  }

  /**
   * One name: a phase just before `routes`, unless it is there already. A list is merged in so that its order holds:
   * new names stand after the name before them; a first name that is new stands at the very beginning.
   * @throws FBK_BOOT_PHASE_ORDER when two lists want opposite orders
   */
  define (names: string | readonly string[]): void {
    if (typeof names === 'string') {
      if (!this.#names.includes(names)) this.#names = this.#names.toSpliced(this.#names.indexOf('routes'), 0, names)
    } else {
      this.#names = merged(this.#names, names)
    }
  }

  /**
   * Where a phase or sub-phase (`routes:before`) stands. What has no phase (`app.use`, `app.get`) stands at the start
   * of `routes`.
   * @throws FBK_BOOT_UNKNOWN_PHASE
   */
  position (phase: string | undefined): Position {
    if (phase === undefined) return this.#names.indexOf('routes') * 4 + 1
    const [, name = phase, part] = /^(.+):(before|after)$/.exec(phase) ?? []
    const index = this.#names.indexOf(name)
    if (index === -1) throw new UnknownPhaseError(phase, nearest(name, this.#names))
    return index * 4 + (part === 'before' ? 0 : part === 'after' ? 3 : 2)
  }
}

function merged (current: readonly string[], added: readonly string[]): string[] {
  const names = [...current]
  let at = -1
  added.forEach((name, i) => {
    const previous = added[i - 1]
    const found = names.indexOf(name, Math.max(at, 0))
    if (found !== -1) { at = found; return }
    if (names.includes(name)) throw new PhaseOrderError(name, previous)
    names.splice(previous === undefined ? 0 : names.indexOf(previous) + 1, 0, name)
    if (previous === undefined) at = 0
  })
  return names
}
