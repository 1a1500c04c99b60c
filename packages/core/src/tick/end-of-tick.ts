/**
 * The end of a tick of the event loop, when all that came together has been looked at. First comes the work that was
 * put off to it, then what goes out: answers that wait for that work are among those that go out with the same tick.
 */
// Not the global one: what tests put in its place never comes.
import { setImmediate } from 'node:timers'

type Step = () => void

interface Tick {
  readonly work: Step[]
  readonly outgoing: Step[]
}

/* eslint-disable no-restricted-syntax -- of the tick under way, and nobody's data: a process has one event loop */
/** The tick whose work is still to be done, where there is any. */
let coming: Tick | undefined
/** The one whose work is done, until what goes out has gone. */
let ending: Tick | undefined
/* eslint-enable no-restricted-syntax */

/** Does work at the end of this tick of the event loop, in the order of asking. */
export function atEndOfTick (work: Step): void {
  (coming ??= begin()).work.push(work)
}

/**
 * Sends something after the work of this tick, and what waited for it in promises, is done.
 *
 * ```js
 * afterTick(() => { for (const send of waiting.splice(0)) send() })
 * ```
 */
export function afterTick (send: Step): void {
  (ending ?? (coming ??= begin())).outgoing.push(send)
}

/**
 * Whether the work of a tick is just done and its promises go on, one after the other: what goes out now goes out
 * together.
 *
 * ```js
 * if (isTickEnding()) send()
 * else waiting.push(send)
 * ```
 */
export const isTickEnding = (): boolean => ending !== undefined

/** Node lets promises and `nextTick` go on between the two. */
function begin (): Tick {
  setImmediate(doWork)
  setImmediate(sendOutgoing)
  return { work: [], outgoing: [] }
}

function doWork (): void {
  ending = coming
  coming = undefined
  run(ending?.work ?? [])
}

function sendOutgoing (): void {
  const outgoing = ending?.outgoing ?? []
  ending = undefined
  run(outgoing)
}

/** All of them, also after one that throws. */
function run (steps: readonly Step[]): void {
  let done = 0
  try {
    for (const step of steps) {
      done++
      step()
    }
  } finally {
    if (done < steps.length) setImmediate(run, steps.slice(done))
  }
}
