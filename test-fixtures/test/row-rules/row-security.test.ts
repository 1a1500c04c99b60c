// FASTBACK_TEST_FULL: policies of PostgreSQL for random rules.
// Seen to fail: a caller without any setting was neither logged in nor anonymous, so that no rule for either was one.
/**
 * What another role of PostgreSQL sees of a table is what requests of the same caller get, by whichever method: random
 * rules, rows and callers. 25 of them; FASTBACK_TEST_RUNS=10: 250.
 */
import fc from 'fast-check'
import t from 'tap'
import { securedStore, seenBy } from './secured.js'
import { serve } from './served.js'
import { somePeople, someRows, someRules, type Person, type Row } from './world.js'
import { runsOf } from '../../runs.mjs'

const runs = runsOf(25)

t.test('a role sees what the API shows', { timeout: 0 }, async t => {
  const store = await securedStore()
  if (store === undefined) { t.comment('no PostgreSQL server'); return }
  const { prepare, send } = await serve(store, t)
  let seen = 0
  /** The rows that a caller gets by any method that reads. */
  const shown = async ({ id: userId }: Person, notes: readonly Row[], url: string): Promise<number[]> => {
    const { status, body } = await send(userId, 'GET', url)
    const ids = new Set<number>(status === 200 ? body.map(({ id }: Row) => id) : [])
    for (const { id } of notes) {
      const where = encodeURIComponent(JSON.stringify({ id }))
      const [byId, counted, first] = await Promise.all([
        send(userId, 'GET', `${url}/${String(id)}`), send(userId, 'GET', `${url}/count?where=${where}`),
        send(userId, 'GET', `${url}/findOne?filter=${encodeURIComponent(JSON.stringify({ where: { id } }))}`)
      ])
      if (byId.status === 200 || counted.body.count === 1 || first.status === 200) ids.add(id)
    }
    return [...ids].sort((a, b) => a - b)
  }
  const cases = fc.record({ rules: someRules, rows: someRows, people: somePeople })
  await fc.assert(fc.asyncProperty(cases, async ({ rules, rows, people }) => {
    await prepare(rows, people, rules)
    for (const person of people) {
      for (const [table, url] of [['Note', '/Notes'], ['Deed', '/Deeds']] as const) {
        const [is, should] = [await seenBy(store, person, table), await shown(person, rows.Note, url)]
        seen += is.length
        if (is.join() !== should.join()) {
          throw new Error(`${table} for ${JSON.stringify(person)}: the database shows ${is.join()}, requests get ${should.join()}`)
        }
      }
    }
  }), { numRuns: runs, endOnFailure: true })
  t.ok(seen > 0, `${String(seen)} rows`)
  await store.done()
})
