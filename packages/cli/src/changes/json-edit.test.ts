import assert from 'node:assert/strict'
import fc from 'fast-check'
import { parse } from 'jsonc-parser'
import t from 'tap'
import { setInJson } from './json-edit.js'

const key = fc.string({ minLength: 1, maxLength: 4 }).filter(name => name !== '__proto__')
const { value: json } = fc.letrec<{ value: unknown }>(tie => ({
  value: fc.oneof({ maxDepth: 3 }, fc.string(), fc.integer(), fc.boolean(), fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }), fc.dictionary(key, tie('value'), { maxKeys: 3, noNullPrototype: true }))
}))

const without = (object: object, key: string): object =>
  Object.fromEntries(Object.entries(object).filter(([name]) => name !== key))

t.test('what is set is read back, and nothing else has changed', async t => {
  const object = fc.dictionary(key, json, { maxKeys: 4, noNullPrototype: true })
  const unit = fc.constantFrom('  ', '    ', '\t', undefined)
  fc.assert(fc.property(object, unit, key, key, json, fc.boolean(), (given, unit, outer, inner, value, deep) => {
    const before = JSON.parse(JSON.stringify(given)) as Record<string, unknown>
    const held = before[outer]
    const isObject = typeof held === 'object' && held !== null && !Array.isArray(held)
    const at = deep && (held === undefined || isObject) ? [outer, inner] : [outer]
    const text = JSON.stringify(before, null, unit)
    const wanted = structuredClone(before)
    const set = JSON.parse(JSON.stringify(value)) as unknown
    if (at.length === 2) wanted[outer] = { ...isObject ? held : {}, [inner]: set }
    else wanted[outer] = set
    const after = setInJson(text, at, set)
    assert.deepEqual(JSON.parse(after), wanted)
    const back = JSON.parse(setInJson(after, at, undefined)) as Record<string, unknown>
    const rest = at.length === 1
      ? without(wanted, outer)
      : { ...wanted, [outer]: without(wanted[outer] as object, inner) }
    assert.deepEqual(back, rest)
  }), { numRuns: 300 })
})

t.test('lists grow in every layout, and comments and trailing commas stay', async t => {
  for (const [before, after] of [
    ['{ "a": [] }', '{ "a": [\n  9\n] }'],
    ['{ "a": [1, 2] }', '{ "a": [1, 2, 9] }'],
    ['{\n  "a": [\n    1, // one\n    2 // two\n  ]\n}', '{\n  "a": [\n    1, // one\n    2, // two\n    9\n  ]\n}'],
    ['{\n  "a": [\n    1,\n  ]\n}', '{\n  "a": [\n    1,\n    9\n  ]\n}'],
    ['{\n  "a": [\n    // none yet\n  ]\n}', undefined]
  ] as const) {
    const got = setInJson(before, ['a', -1], 9)
    if (after !== undefined) t.equal(got, after)
    t.equal(parse(got, [], { allowTrailingComma: true }).a.at(-1), 9, before)
    t.ok((before.match(/\/\/.*/g) ?? []).every(comment => got.includes(comment)))
  }
})
