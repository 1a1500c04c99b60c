import fc from 'fast-check'
import t from 'tap'
import { runsOf } from '../../../../test-fixtures/runs.mjs'
import { compileRegExp } from '../query/regexp.js'
import { degreeOf } from './pattern-degree.js'
import { isLinearPattern, makePattern } from './patterns.js'
import { toRe2 } from './to-re2.js'

t.test('how the time of a pattern grows', async t => {
  for (const [source, degree] of [
    ['^abc$', 1], ['abc', 1], ['^[a-z]+$', 1], ['[a-z]+$', 2], ['^\\d{4}-\\d{2}$', 1], ['^\\d{1,4}-\\d*$', 2],
    ['^[^@]+@[^@]+\\.[^@]+$', 3], ['^(?:a+)+$', Infinity], ['^(a|b)*$', Infinity], ['^(ab)*$', 1], ['^(?:ab?)*$', Infinity],
    ['^(a+){2}$', Infinity], ['^(a+)$', 1], ['^(a+)?b*$', 2], ['^a|b*$', 2], ['^a?b?c?d?e?$', Infinity], ['^[*+?]$', 1],
    ['^\\*\\+$', 1], ['^a+?$', 1], ['^(?=.*a)(?=.*b).{8,}$', 3], ['^(?<n>a*)*$', Infinity], ['^(?:(?:a+)b)*$', Infinity], ['', 1]
  ] as const) t.equal(degreeOf(source), degree, source)
})

/** No line of a report ends at what a text has. */
const escape = (text: string): string => text.replace(/[^\x20-\x7e]/g, each => `\\u${each.charCodeAt(0).toString(16)}`)

t.test('what RE2 has in the same meaning', async t => {
  for (const source of ['(?=a)', '(?!a)', '(?<=a)', '(?<!a)', '(a)\\1', '(?<n>a)\\k<n>', '[\\S]', '\\ud83d\\ude00', '(?i:a)']) {
    t.equal(toRe2(source), undefined, source)
  }
  for (const [source, texts] of [
    ['^\\s$', [' ', '\u00a0', '\u2028', '\ufeff', '\v', 'a', '\u200b']], ['^[\\s]$', ['\u3000', 's']],
    ['^.$', ['a', '\r', '\n', '\u2028', '\u{1f600}', '\ud800']], ['^[^]$', ['a', '\n']], ['^[]$', ['a', '']],
    ['^[^^]$', ['^', 'a']], ['^[[:alpha:]]$', ['a:', ':]', 'a]']], ['^\\u{1f600}$', ['\u{1f600}']], ['^[\\b]$', ['\b', 'b']],
    ['a$', ['a', 'a\n']], ['^\\cA\\0\\x41\\u0042$', ['\u0001\0AB']], ['^\\p{Lu}\\P{L}$', ['A1', 'aa']],
    ['^\\p{Script=Greek}$', ['α', 'a']], ['^(?<year>\\d{4})\\/\\-?$', ['2020/', '2020']], ['\\bx\\B', ['x', 'xy', 'éx']]
  ] as const) {
    const valid = (): RegExp | undefined => { try { return new RegExp(source, 'u') } catch { return undefined } }
    const native = valid()
    const linear = toRe2(source)
    if (native === undefined || linear === undefined) continue
    const test = compileRegExp({ source: linear, ignoreCase: false, multiline: false })
    for (const text of texts) t.equal(test(text), native.test(text), `${source} on ${escape(JSON.stringify(text))}`)
  }
})

const atom = fc.constantFrom(
  'a', 'b', '.', '\\s', '\\S', '\\d', '\\w', '\\W', '[ab]', '[^a]', '[\\s\\d]', '[^\\s]', '\\b', '\\.', '\\u{e9}', '\\xe9', '[a-c-]', '\\n')
const quantifier = fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{1,3}', '*?', '{2,}')
const piece = fc.tuple(atom, quantifier).map(([what, many]) => what === '\\b' ? what : what + many)
const sequence = fc.array(piece, { minLength: 1, maxLength: 4 }).map(pieces => pieces.join(''))
const group = fc.tuple(fc.array(sequence, { minLength: 1, maxLength: 3 }), fc.constantFrom('(', '(?:', '(?<n>'), quantifier)
  .map(([branches, begin, many]) => `${begin}${branches.join('|')})${many}`)
const pattern = fc.tuple(fc.constantFrom('^', ''), fc.oneof(sequence, group), fc.oneof(sequence, fc.constant('')), fc.constantFrom('$', ''))
  .map(parts => parts.join(''))
const text = fc.array(fc.constantFrom('a', 'b', 'c', ' ', '\n', '\r', '\u00a0', '\u2029', '1', '_', '.', '-', 'é', '\u{1f600}'), { maxLength: 12 })
  .map(parts => parts.join(''))

t.test('both engines say the same', async t => {
  fc.assert(fc.property(pattern, fc.array(text, { minLength: 1, maxLength: 6 }), (source, texts) => {
    const linear = toRe2(source)
    if (linear === undefined) return false
    const native = new RegExp(source, 'u')
    const test = compileRegExp({ source: linear, ignoreCase: false, multiline: false })
    return texts.every(each => test(each) === native.test(each))
  }), { numRuns: runsOf(500) })
  t.pass()
})

t.test('a long text is tested in linear time, whatever the pattern', async t => {
  for (const source of ['^(a+)+$', '^(a|a)*$', '(x+x+)+y', 'a*a*a*a*a*b', '\\s+$', '^(?:a?){30}a{30}$', '([a-z]+)*!']) {
    for (const isForeign of [true, false]) {
      const made = makePattern(source, 'u', isForeign)
      const long = `${'a'.repeat(20_000)}${' '.repeat(20_000)}?`
      const { user } = process.cpuUsage()
      t.equal(made.test(long), false, source)
      t.ok((process.cpuUsage().user - user) < 1_000_000, `${source} takes no second`)
      t.ok(isLinearPattern(source))
    }
  }
  t.equal(String(makePattern('(a+)+', 'u')), '/(a+)+/u', 'patterns are told apart by their text')
})

t.test('what RE2 does not have', async t => {
  const source = '^(?=.*\\d)(?=.*[a-z]).{8,}$'
  t.notOk(isLinearPattern(source))
  t.notOk(isLinearPattern('('))
  const [own, foreign] = [makePattern(source, 'u'), makePattern(source, 'u', true)]
  for (const pattern of [own, foreign]) {
    t.ok(pattern.test('abcdefg1'))
    t.notOk(pattern.test('abcdefgh'))
  }
  const long = `${'a'.repeat(500)}1`
  t.ok(own.test(long), 'the application has said so')
  t.notOk(foreign.test(long), 'nobody here has')
  t.notOk(makePattern('^(?:(?=a)a+)+$', 'u', true).test('aa'), 'nor where no text is short')
})
