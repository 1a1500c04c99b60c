import fc from 'fast-check'
import t from 'tap'
import { canonicalJson } from './canonical-json.js'
import { compileCanonicalTest } from './canonical-text.js'

const names = ['a "b"', 'at', 'on', 'rank', 'title']
const kinds = { 'a "b"': 'string', at: 'date', on: 'boolean', rank: 'number', title: 'string' } as const

const modelOf = (open: boolean, last: string): never => ({
  open,
  properties: Object.entries({ ...kinds, title: last }).map(([name, kind]) => ({ name, type: { kind } })),
  selectByName: { names }
}) as never

t.test('SY-21: what is called canonical is, for texts as stores write them', async t => {
  const strings = fc.oneof(fc.string({ unit: 'binary' }), fc.string(), fc.constantFrom('":null,":1.0,":-0,', '\u007f', '\\u0041'))
  const numbers = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }).map(String), fc.integer().map(String),
    fc.constantFrom('1.0', '-0', '1e5', '1E+21', '0.10', '12345678901234567890', '1234567890.5', '0.1234567')
  )
  const value = fc.oneof(strings.map(text => JSON.stringify(text)), numbers, fc.constantFrom('true', 'false', 'null'))
  const row = fc.record({ values: fc.dictionary(fc.constantFrom(...names), value), nullsLast: fc.boolean() })
  const tests = [modelOf(false, 'string'), modelOf(true, 'string'), modelOf(false, 'object')].map(compileCanonicalTest)
  let canonical = 0
  fc.assert(fc.property(row, ({ values, nullsLast }) => {
    const there = names.filter(name => values[name] !== undefined)
    const isLast = (name: string): boolean => nullsLast && values[name] === 'null'
    const ordered = [...there.filter(name => !isLast(name)), ...there.filter(isLast)]
    const text = `{${ordered.map(name => `${JSON.stringify(name)}:${values[name] as string}`).join(',')}}`
    for (const isCanonical of tests) {
      if (!isCanonical(text)) continue
      canonical++
      if (canonicalJson(JSON.parse(text)) !== text) throw new Error(text)
    }
  }), { numRuns: 5_000 })
  t.ok(canonical > 500, `${canonical} of them were`)
})

t.test('members of values may stand in another order', async t => {
  const text = '{"title":{"b":1,"a":2}}'
  t.notOk(compileCanonicalTest(modelOf(false, 'object'))(text))
  t.notOk(compileCanonicalTest(modelOf(true, 'string'))('{"title":"x","b":1,"a":2}'))
})

t.test('a long plain row is canonical as well', async t => {
  const text = JSON.stringify({ rank: 1, title: 'a'.repeat(50_000) })
  t.ok(compileCanonicalTest(modelOf(false, 'string'))(text))
  t.notOk(compileCanonicalTest(modelOf(true, 'string'))(text), 'the expression for an object is not tried')
})
