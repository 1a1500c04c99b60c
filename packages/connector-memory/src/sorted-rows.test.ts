import fc from 'fast-check'
import t from 'tap'
import type { Row } from '@fastback/core'
import { SortedRows } from './sorted-rows.js'

const byId = (a: Row, b: Row): number => (a.id as number) - (b.id as number)

t.test('the order is that of a sorted list, whenever somebody reads', async t => {
  const step = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant('add' as const),
        ids: fc.uniqueArray(fc.integer({ min: 1, max: 500 }), { maxLength: 40 })
      })
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constantFrom('remove' as const, 'replace' as const),
        ids: fc.uniqueArray(fc.integer({ min: 1, max: 500 }), { maxLength: 30 })
      })
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('read' as const), ids: fc.constant<number[]>([]) }) }
  )
  fc.assert(fc.property(fc.array(step, { maxLength: 30 }), fc.boolean(), (steps, ordered) => {
    const rows = new SortedRows(ordered ? byId : undefined)
    const expected = new Map<number, Row>()
    const compare = (): void => {
      const list = [...expected.values()]
      t.strictSame(rows.inOrder(), ordered ? list.sort(byId) : list)
    }
    for (const { kind, ids } of steps) {
      const known = ids.filter(id => expected.has(id))
      if (kind === 'read') compare()
      else if (kind === 'remove') {
        rows.remove(known.map(id => expected.get(id) as Row))
        for (const id of known) expected.delete(id)
      } else if (kind === 'replace') {
        for (const id of known) {
          const row = { id, again: true }
          rows.replace(expected.get(id) as Row, row)
          expected.set(id, row)
        }
      } else {
        for (const id of ids.filter(id => !expected.has(id))) {
          const row = { id }
          rows.add(row)
          expected.set(id, row)
        }
      }
      if (rows.size !== expected.size) t.fail(`size after ${kind}`)
    }
    compare()
  }), { numRuns: 300 })
})
