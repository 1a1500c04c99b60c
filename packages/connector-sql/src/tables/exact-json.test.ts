import t from 'tap'
import { holdsLarge, parseExactly } from './exact-json.js'

t.test('whole numbers that a double would round are bigints', async t => {
  t.strictSame(parseExactly('[1, 9007199254740993, -9223372036854775808]'), [1, 9007199254740993n, -(2n ** 63n)])
  t.strictSame(parseExactly('{"a\\"9007199254740993":9007199254740993,"b":"9007199254740993"}'),
    { 'a"9007199254740993': 9007199254740993n, b: '9007199254740993' })
  const others = '[0.12345678901234567, 1e300, 1234567890123456789e2, 9007199254740992]'
  t.strictSame(parseExactly(others), JSON.parse(others))
  t.throws(() => parseExactly('"1234567890123456'), SyntaxError)
})

t.test('types that may have such numbers within', async t => {
  t.ok(holdsLarge({ kind: 'array', items: { kind: 'bigint' } }))
  t.ok(holdsLarge({ kind: 'object', members: { big: { kind: 'long' } } }))
  t.notOk(holdsLarge({ kind: 'array', items: { kind: 'number' } }))
})
