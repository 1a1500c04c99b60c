import t from 'tap'
import { arrayText } from './quote.js'

t.test('lists as PostgreSQL reads them', t => {
  t.equal(arrayText([]), '{}')
  t.equal(arrayText(['a', null, 'NULL', '', 'a "b" \\c, {d}']), String.raw`{"a",NULL,"NULL","","a \"b\" \\c, {d}"}`)
  t.equal(arrayText([Buffer.from([0, 255]), 7]), String.raw`{"\\x00ff","7"}`)
  t.end()
})
