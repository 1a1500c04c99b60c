import t from 'tap'
import { foldCase } from '@fastback/core/connector'
import { foldedFrom } from './fold-table.js'

t.test('letters are folded as the reference does', async t => {
  for (let code = 0; code < 0x1ffff; code++) {
    if (code === 0xd800) code = 0xe000
    const character = String.fromCodePoint(code)
    const folded = foldCase(character)
    if (folded !== character && code >= 0x80 && !foldedFrom(folded).from.includes(character)) {
      t.fail(`U+${code.toString(16)} is folded to ${folded}`)
    }
  }
})
