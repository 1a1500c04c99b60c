// FASTBACK_TEST_FULL: random writers on five stores, in real time.
/** Live queries: what a client has in the end is what the query gives, whatever was written and cut meanwhile. */
import tap from 'tap'
import { modelsOn, stores } from '../agreement-stores.js'
import { runsOf } from '../../runs.mjs'
import { compare, definitions, run } from './agreement.js'

for (const [name, open] of stores) {
  tap.test(`${name}: readers have what the query gives`, { timeout: 240_000 }, async t => {
    const store = await open(t)
    if (store === undefined) return t.pass('no such server')
    if (store.done !== undefined) t.teardown(store.done)
    const models = await modelsOn(store, t, definitions, ['Task', 'Owner'], ['Owner'])
    for (let id = 1; id < 4; id++) await models.Owner.create({ id, name: id === 1 ? 'x' : 'y' })
    const runs = runsOf(name === 'memory' || name === 'sqlite' ? 150 : 10)
    const atOnce = 20
    for (let from = 0; from < runs; from += atOnce) {
      const seeds = Array.from({ length: Math.min(atOnce, runs - from) }, (_, i) => from + i + 1)
      const done = await Promise.all(seeds.map(seed => run([models], seed, 2, 4)))
      await Promise.all(done.map(each => compare(t, models.Task, each)))
    }
    t.ok(runs > 0, `${runs} runs`)
  })
}
