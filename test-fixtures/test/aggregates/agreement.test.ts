// FASTBACK_TEST_FULL: random aggregates on five stores.
/**
 * Aggregates come to the same on every store as lists of rows in plain JavaScript do: for code in the process, and for
 * requests, which have a budget. 100 aggregates for each store;
 * FASTBACK_TEST_RUNS=30: 3,000.
 */
import fc from 'fast-check'
import t from 'tap'
import { remoteOptions } from '@fastback/core/remote'
import { modelsOn, store, stores } from '../agreement-stores.js'
import { definitions, faultOf, someFilter, someRows } from './world.js'
import { runsOf } from '../../runs.mjs'

const runs = runsOf(100)
/** For one set of rows. */
const perRows = 20

for (const [name, start] of stores) {
  t.test(name, { timeout: 0 }, async t => {
    const opened = await start(t)
    if (opened === undefined) { t.comment(`no ${name} server`); return }
    const models = await modelsOn(opened, t, definitions, ['Shop', 'Sale'], ['Shop'])
    const filters = fc.array(someFilter, { minLength: perRows, maxLength: perRows })
    await fc.assert(fc.asyncProperty(someRows, filters, async (rows, asked) => {
      await store(models, rows)
      for (const filter of asked) {
        for (const options of [{}, remoteOptions({})]) {
          const fault = faultOf(filter, await models.Sale.aggregate(filter, options), rows)
          if (fault !== undefined) throw new Error(`${JSON.stringify(filter)}: ${fault}`)
        }
      }
    }), { numRuns: Math.ceil(runs / perRows) })
    t.pass(`${String(runs)} aggregates`)
    await opened.done?.()
  })
}
