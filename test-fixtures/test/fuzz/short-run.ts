/** A short run of the fuzz runner as a test: what it finds is printed with the line that repeats it. */
import type { Test } from 'tap'
import { campaign, faultText, summaryText } from '@fastback/test-fixtures/fuzz'

export interface ShortRun {
  readonly dir: string
  readonly store: 'memory' | 'sqlite'
  /** Share of the routes that must have answered with success at least once. */
  readonly reached: number
  /** Operations that answer 5xx on purpose. */
  readonly mayFail?: readonly string[]
}

/**
 * The same requests every time, so that a run turns red because of a change and not by chance: looking for new faults
 * is what `npm run fuzz` is for.
 */
const usualSeed = 20261121

/** About five hundred requests, or `FUZZ_REQUESTS`; from `FUZZ_SEED` where it is set. */
export async function shortRun (t: Test, name: string, { dir, store, reached, mayFail = [] }: ShortRun): Promise<void> {
  const seed = Number(process.env.FUZZ_SEED ?? usualSeed)
  t.comment(`${name} on ${store}: seed ${seed}`)
  // A machine that has much else to do is no fault: who must answer within a second is judged by longer runs.
  const outcome = await campaign({
    dir,
    store,
    seed,
    mayFail,
    requests: Number(process.env.FUZZ_REQUESTS ?? 500),
    seconds: 40,
    faults: 3,
    slow: 5_000
  })
  for (const found of outcome.found) t.fail(faultText(found, 'http://127.0.0.1:3000'))
  t.comment(summaryText(name, outcome))
  const { statistics, operations } = outcome
  t.ok(statistics.requests > 25, `${statistics.requests} requests`)
  t.ok(
    statistics.reached.size >= operations * reached,
    `${statistics.reached.size} of ${operations} routes answered with success`
  )
}
