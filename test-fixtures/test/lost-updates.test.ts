// FASTBACK_TEST_FULL: many rounds of two writers on each store.
/**
 * Two writers who read a row and write what they saw, plus one: with versions nothing is lost on any store, without
 * them something is.
 */
import { setImmediate } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { modelsOn, stores } from './agreement-stores.js'
import { runsOf } from '../runs.mjs'

const rounds = runsOf(60)
const definitions = [
  { name: 'Counted', version: true, properties: { count: 'number', other: 'string' } },
  { name: 'Plain', properties: { count: 'number', other: 'string' } }
]

type Loose = any
/** How a writer sets the count, with the version that it saw. */
type Write = (Model: Loose, row: Loose, count: number, options: object) => Promise<unknown>

const ways: Readonly<Record<string, Write>> = {
  patchById: (Model, { id }, count, options) => Model.patchById(id, { count }, options),
  patchAttributes: (_, row, count, options) => row.patchAttributes({ count }, options),
  replaceById: (Model, { id }, count, options) => Model.replaceById(id, { count }, options),
  replaceAttributes: (_, row, count, options) => row.replaceAttributes({ count }, options),
  updateOrCreate: (Model, { id }, count, options) => Model.updateOrCreate({ id, count }, options),
  replaceOrCreate: (Model, { id }, count, options) => Model.replaceOrCreate({ id, count }, options),
  save: (_, row, count, options) => Object.assign(row, { count }).save(options)
}

/** How many writes were made, and how many of them are to be seen. */
async function race (t: Test, Model: Loose, write: Write, times: number): Promise<{ made: number, seen: number }> {
  const { id } = await Model.create({ count: 0 })
  let made = 0
  const writer = async (): Promise<void> => {
    const row = await Model.findById(id)
    await setImmediate()
    try {
      await write(Model, row, Number(row.count) + 1, Model.modelName === 'Counted' ? { ifVersion: row.version } : {})
      made++
    } catch (error) {
      t.match(error, { statusCode: 412, code: 'VERSION_CONFLICT', current: { id } })
    }
  }
  for (let i = 0; i < times; i++) await Promise.all([writer(), writer()])
  return { made, seen: Number((await Model.findById(id)).count) }
}

for (const [name, open] of stores) {
  if (name === 'sqlite beside memory') continue
  t.test(name, async t => {
    const opened = await open(t)
    if (opened === undefined) { t.pass('there is no such server'); return }
    const { Counted, Plain } = await modelsOn(opened, t, definitions, ['Counted', 'Plain'])
    for (const [way, write] of Object.entries(ways)) {
      const times = way === 'patchById' ? rounds : Math.ceil(rounds / 6)
      const { made, seen } = await race(t, Counted, write, times)
      t.equal(seen, made, `${way}: nothing is lost in ${String(times)} rounds`)
      t.ok(made >= times, `${way}: each round one goes through`)
    }
    const { made, seen } = await race(t, Plain, ways.patchById as Write, rounds)
    t.ok(seen < made, `without versions ${String(made - seen)} of ${String(made)} are lost`)
    await opened.done?.()
  })
}
