import t from 'tap'
import { RE2JS } from 're2js'
import { sizeWrittenOut } from './pattern-size.js'

t.test('what a pattern is written out', async t => {
  for (const [source, size] of [
    ['', 0], ['abc', 3], ['a{1000}', 1000], ['(?:ab){500}', 1000], ['(a{10}){10}', 100], ['(?P<year>\\d{4})-[0-9]{2}', 7],
    ['a{2,}', 2], ['a{2,5}', 5], ['a{0}', 1], ['[\\]x]{3}', 3], ['[]x]{3}', 3], ['[^]x]{3}', 3], ['\\p{Greek}{3}', 3],
    ['\\x{1f600}{3}', 3], ['(?i)a{3}', 3], ['(?i:a){3}', 3], ['a{x}', 4], ['a|b', 3], ['(', 0], ['a)', 1], ['[a', 1],
    ['\\', 1], ['(((a{30}){30}){30})', 27_000]
  ] as const) t.equal(sizeWrittenOut(source), size, source)
})

t.test('what compiles has about that many instructions', async t => {
  for (const source of [
    'a{900}', '(?:abc){300}', '(a|bc){100}', '([a-f]x?){200}', '(?:\\d{3}-){50}', 'foo.*bar', '(?i:straße){40}', '(?:(?:ab){5}c){20}'
  ]) {
    const [estimate, real] = [sizeWrittenOut(source), RE2JS.compile(source).programSize()]
    t.ok(estimate <= 2 * real, `${source}: ${estimate}, ${real}`)
    t.ok(real <= 4 * estimate + 10, `${source}: ${estimate}, ${real}`)
  }
})
