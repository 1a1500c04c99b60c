/** Long work in ticks of the event loop. */
import type { MaybePromise } from '../maybe-promise.js'
import type { Work } from './work.js'

/**
 * Everybody who waits for a tick. In each tick of the loop one goes on, however many there are, so that others wait for
 * one of them only.
 */
const waiting: Array<() => void> = []

/** Resolves in a later tick of the event loop, after others had theirs. */
export function yieldToEventLoop (): Promise<void> {
  return new Promise(resolve => {
    waiting.push(resolve)
    if (waiting.length === 1) setImmediate(goOn)
  })
}

function goOn (): void {
  const [next] = waiting
  // Later ones wait for the tick after this, also those that come while this one goes on.
  if (waiting.length > 1) setImmediate(goOn)
  waiting.shift()
  next?.()
}

/** What tells whether others should have the event loop before more is done, and gives it to them. */
export type Pauses = Pick<Work, 'isDue' | 'rest'>

/** Milliseconds of one tick. */
const slice = 5

/**
 * By the clock alone, for long work that no budget counts.
 *
 * ```js
 * await inSlices(rows.length, i => { copy(rows[i]) }, byClock())
 * ```
 */
export function byClock (): Pauses {
  let begun = performance.now()
  return {
    get isDue () {
      return performance.now() - begun > slice
    },
    async rest () {
      await yieldToEventLoop()
      begun = performance.now()
    }
  }
}

/**
 * Calls `step` with 0, 1, … up to `count`, until it says that it has enough (false). At once as long as that is quick;
 * otherwise the event loop is given back in between.
 *
 * ```js
 * const found = []
 * await inSlices(rows.length, i => {
 *   if (passes(rows[i])) found.push(rows[i])
 *   return found.length < 10
 * }, options.work)
 * ```
 * @param work undefined: all at once, for code in the process
 * @param before called once, before others have their first tick: what must not change under the steps can still be
 * copied
 */
export function inSlices (
  count: number,
  step: (i: number) => unknown,
  work: Pauses | undefined,
  before?: () => void
): MaybePromise<void> {
  for (let i = 0; i < count; i++) {
    if (step(i) === false) return
    if (work !== undefined && work.isDue && i + 1 < count) {
      before?.()
      return rest(count, step, work, i + 1)
    }
  }
}

async function rest (count: number, step: (i: number) => unknown, work: Pauses, from: number): Promise<void> {
  await work.rest()
  for (let i = from; i < count; i++) {
    if (step(i) === false) return
    if (work.isDue && i + 1 < count) await work.rest()
  }
}
