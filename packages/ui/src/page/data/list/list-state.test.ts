import fc from 'fast-check'
import t from 'tap'
import { routeIn } from '../../router.js'
import { listAddress, listStateIn, newAddress, ownAddress, locationIn, rowAddress, plainList } from './list-state.js'

const hostile = fc.oneof(fc.string(), fc.constantFrom('..', '/', '%2F', '?', '#', '__proto__', 'a/b?c#d', '%zz'))
const text = fc.string({ minLength: 1 })

t.test('an address holds the whole state of a list', async t => {
  const state = fc.record({
    where: fc.array(fc.dictionary(text, fc.oneof(fc.integer(), fc.string()), { minKeys: 1, noNullPrototype: true })),
    search: fc.string(), words: fc.string(), order: fc.string(), skip: fc.nat(),
    columns: fc.array(fc.string())
  })
  fc.assert(fc.property(hostile, state, (model, state) => {
    const found = locationIn(routeIn(listAddress(model, state)))
    t.same(found, { model, part: 'list', rows: [], state: JSON.parse(JSON.stringify(state)) })
  }), { numRuns: 200 })
})

t.test('an address leads to a row, through those that led to it', async t => {
  fc.assert(fc.property(hostile, hostile, hostile, text, (model, id, other, key) => {
    const rows = [{ model, id }, { model: other, id: key }]
    t.same(locationIn(routeIn(rowAddress(model, rows, plainList))).rows, rows)
    t.same(locationIn(routeIn(ownAddress(model, id))), { model, part: 'row', rows: [{ model, id }], state: plainList })
  }), { numRuns: 100 })
  t.equal(locationIn(routeIn(newAddress('Note', plainList))).part, 'new')
})

t.test('what cannot be read in an address is nothing', async t => {
  const query = new URLSearchParams({ where: '[{', skip: '-4', columns: '{"a":1}', order: 'title ASC' })
  t.same(listStateIn(query), { ...plainList, order: 'title ASC' })
  t.same(listStateIn(new URLSearchParams({ where: 'null', skip: 'x' })), plainList)
  t.same(listStateIn(new URLSearchParams({ where: '{"a":1}' })).where, [{ a: 1 }])
})
