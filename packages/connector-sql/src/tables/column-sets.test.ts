import fc from 'fast-check'
import t from 'tap'
import { ColumnSets } from './column-sets.js'
import type { Column } from './column.js'

const names = Array.from({ length: 12 }, (_, i) => `p${i}`)
const columns = names.map((name, index) => ({ index, property: { name }, keeps: true, format: {} } as Column))

t.test('a row has the columns of its members, in the order of the table, however many sets came before', async t => {
  const sets = new ColumnSets(columns)
  const keys = new Map<string, string>()
  const members = fc.uniqueArray(fc.constantFrom(...names))
  fc.assert(fc.property(members, fc.subarray(names), fc.boolean(), (given, cleared, withUndefined) => {
    const row = Object.fromEntries(given.map(name => [name, cleared.includes(name) ? undefined : null]))
    const wanted = names.filter(name => given.includes(name) && (withUndefined || !cleared.includes(name)))
    const set = sets.of(row, withUndefined)
    const known = keys.get(set.key) ?? wanted.join()
    keys.set(set.key, known)
    return known === wanted.join() && set.columns.map(({ property }) => property.name).join() === known &&
      sets.of(row, withUndefined) === set
  }), { numRuns: 4_000 })
  t.ok(keys.size > 500)
})

t.test('the key of an insert tells id and extra column apart, and is the same text each time', async t => {
  const set = new ColumnSets(columns).of({ p1: 1, p3: 2 }, false)
  const all = [[false, false], [true, false], [false, true], [true, true]] as const
  t.equal(new Set(all.map(([id, extra]) => set.insertKey(7, id, extra))).size, 4)
  t.equal(set.insertKey(7, true, false), '7+i1,3,')
})
