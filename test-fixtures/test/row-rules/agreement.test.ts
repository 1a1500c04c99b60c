// FASTBACK_TEST_FULL: random rules on five stores.
/**
 * Requests under rules about rows come to the same on every store, and across two of them, as a loop over all rows in
 * plain JavaScript does: what is read, what is written, and what is refused. 40 sets of rules, rows and
 * callers, FASTBACK_TEST_RUNS=50: 2,000; FASTBACK_ROW_RULES_STORE: on this store alone, FASTBACK_ROW_RULES_SEED: the
 * same ones again.
 */
import fc from 'fast-check'
import t from 'tap'
import { stores } from '../agreement-stores.js'
import { emptyNote, expect, httpOf, plain, type Situation } from './expected.js'
import { securedStore } from './secured.js'
import { serve } from './served.js'
import { somePeople, someRequest, someRows, someRules, type Row } from './world.js'
import { runsOf } from '../../runs.mjs'

const runs = runsOf(40)
const seed = Number(process.env.FASTBACK_ROW_RULES_SEED ?? 0)

const someAsked = fc.array(
  fc.record({ request: someRequest, who: fc.nat(3), isTenant: fc.boolean() }), { minLength: 8, maxLength: 12 }
)
const cases = fc.record({ rules: someRules, rows: someRows, people: somePeople, asked: someAsked })
type Case = typeof cases extends fc.Arbitrary<infer T> ? T : never

const secured = ['postgres with policies', async () => await securedStore()] as const
const chosen = [...stores, secured].filter(([name]) => (process.env.FASTBACK_ROW_RULES_STORE ?? name) === name)

for (const [name, start] of chosen) {
  t.test(name, { timeout: 0 }, async t => {
    const opened = await start(t)
    if (opened === undefined) { t.comment(`no ${name} server`); return }
    const { models, prepare, send } = await serve(opened, t)
    let requests = 0
    const seen = new Map<string, number>()
    const check = async ({ rules, rows, people, asked }: Case): Promise<void> => {
      await prepare(rows, people, rules)
      const stored: Record<string, readonly Row[]> = { Note: rows.Note, Deed: rows.Note }
      for (const { request, who, isTenant } of asked) {
        const person = people[who] as Situation['person']
        const model = isTenant ? 'Deed' : 'Note'
        const expected = expect(request, { rows, notes: stored[model] as Row[], rules, person, isTenant })
        const { status, body } = await send(person.id, ...httpOf(request, isTenant))
        requests++
        const what = `${request.kind} ${String(status)}`
        seen.set(what, (seen.get(what) ?? 0) + 1)
        const say = (is: unknown, should: unknown): string =>
          `${model} ${JSON.stringify(request)} by ${JSON.stringify(person)}: ${JSON.stringify(is)}, and not ${JSON.stringify(should)}`
        if (!expected.status.includes(status)) {
          throw new Error(say([status, body], [expected.status, expected.body]))
        }
        if (expected.body !== undefined && status === 200 && !isSame(plain(body), expected.body)) {
          throw new Error(say(plain(body), expected.body))
        }
        const all = (await models[model].find({ order: 'id' })).map((each: Row) => ({ ...emptyNote, ...plain(each) }))
        if (expected.isNew === true) {
          const known = new Set(expected.notes.map(({ id }) => id))
          const { id } = all.find((each: Row) => !known.has(each.id)) ?? {}
          const made: Row = { ...expected.notes.at(-1), id }
          expected.notes = [...expected.notes.slice(0, -1), made].sort((a, b) => a.id - b.id)
        }
        stored[model] = expected.notes
        if (!isSame(plain(all), plain(expected.notes))) {
          throw new Error(say({ stored: plain(all) }, plain(expected.notes)))
        }
      }
    }
    await fc.assert(fc.asyncProperty(cases, check), { numRuns: runs, ...(seed === 0 ? {} : { seed }) })
    t.comment([...seen].sort().map(([what, times]) => `${what}: ${String(times)}`).join(', '))
    t.pass(`${String(requests)} requests`)
    await opened.done?.()
  })
}

const inNames = (value: unknown): unknown => Array.isArray(value)
  ? value.map(inNames)
  : value !== null && typeof value === 'object'
    ? Object.fromEntries(Object.keys(value).sort().map(name => [name, inNames((value as Row)[name])]))
    : value
const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(inNames(a)) === JSON.stringify(inNames(b))
