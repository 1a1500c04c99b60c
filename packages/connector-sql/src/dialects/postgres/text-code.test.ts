import t from 'tap'
import { codeText, decodeText } from './text-code.js'

t.test('texts in code keep their order', async t => {
  const texts = [
    '',
    '\0',
    '\0\0',
    '\0\u0001',
    '\u0001',
    '\u0001\0',
    '\u0001\u0001',
    '\u0002',
    '\u0002\u0001',
    '\u0003',
    'a',
    'a\0',
    'a\u0001',
    'a\u0002'
  ]
  t.same([...texts].sort(), [...texts].map(codeText).sort().map(decodeText))
})
