import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import t from 'tap'
import { call, indentedCode, plain, valueCode } from './code.js'

t.test('a value of JSON as code is that value, on one line or on several', async t => {
  fc.assert(fc.property(fc.jsonValue(), fc.boolean(), fc.nat(120), (value, isOpened, before) => {
    const text = indentedCode(valueCode(value, isOpened), '  ', before)
    const read = runInNewContext(`JSON.stringify((${text}))`) as string
    return read === JSON.stringify(value)
  }), { numRuns: 500, examples: [[JSON.parse('{"__proto__":{"a":1}}'), false, 0], [["it's", '\u2028', '\\', '"'], true, 0]] })
  t.pass()
})

t.test('lines are as long as there is room', async t => {
  const list = valueCode({ first: 'a'.repeat(60), second: ['b'.repeat(60)] })
  t.equal(indentedCode(list, '', 0), `{\n  first: '${'a'.repeat(60)}',\n  second: ['${'b'.repeat(60)}']\n}`)
  t.equal(indentedCode(valueCode({ a: 1, 'b-c': [true, null] }), '', 0), "{ a: 1, 'b-c': [true, null] }")
  t.equal(indentedCode(valueCode({ a: 1 }, true), '', 0), '{\n  a: 1\n}')
  t.equal(indentedCode(call('Type.Union', plain('[]'), valueCode({})), '', 0), 'Type.Union([], {})')
})
