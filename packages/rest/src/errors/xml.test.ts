import { createRequire } from 'node:module'
import fc from 'fast-check'
import t from 'tap'
import { writeInSlices } from './in-slices.js'
import { xmlText } from './xml.js'

const { parse } = createRequire(import.meta.url)('js2xmlparser') as typeof import('js2xmlparser')

/** All at once, as the writer itself does it. */
const atOnce = (value: unknown): string => parse('response', (Array.isArray(value) ? { result: value } : value) as object, {
  declaration: { encoding: 'UTF-8', include: true }, format: { doubleQuotes: true, indent: '  ' }, replaceInvalidChars: true
})

const leaf = fc.oneof(fc.integer(), fc.boolean(), fc.constant(null), fc.stringMatching(/^[a-z<>&\n "]{0,12}$/))
const name = fc.stringMatching(/^[a-z]{1,3}$/)
const { value } = fc.letrec(tie => ({
  value: fc.oneof({ depthSize: 'small' }, leaf, fc.array(tie('value'), { maxLength: 6 }), fc.dictionary(name, tie('value'), { maxKeys: 6 }))
}))

t.test('S-101 XML that is written in parts is the same as that written at once', async t => {
  await fc.assert(fc.asyncProperty(fc.array(value, { minLength: 1, maxLength: 8 }), async items => {
    // Many times the same, so that it is large.
    const list = Array.from({ length: 150 }, (_, i) => items[i % items.length])
    for (const given of [list, { rows: list, more: { a: list, b: 1 } }, [{ rows: list }, { x: {} }]]) {
      t.equal(await xmlText('response', given), atOnce(given))
    }
  }), { numRuns: 40 })
})

t.test('S-101 JSON that is made in parts is the same as that made at once', async t => {
  const text = async (given: unknown): Promise<string | undefined> => await writeInSlices<string | undefined>(given, {
    one: each => JSON.stringify(each) as string | undefined,
    list: items => `[${items.map(item => item ?? 'null').join(',')}]`,
    object: members => `{${members.flatMap(([key, each]) => each === undefined ? [] : [`${JSON.stringify(key)}:${each}`]).join(',')}}`
  })
  const kinds = (i: number): unknown[] => [i, undefined, () => 1, new Date(i), { a: undefined, b: [i] }]
  const list = Array.from({ length: 300 }, (_, i) => kinds(i)[i % 5])
  for (const given of [
    list, { list, none: undefined, run: () => 1, date: new Date(0), deep: { list } }, { toJSON: () => ({ list }), list }, [], {}, null, undefined, 'a'
  ]) t.equal(await text(given), JSON.stringify(given))
})
