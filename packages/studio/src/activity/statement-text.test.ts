import fc from 'fast-check'
import t from 'tap'
import { changedProperties, fingerprintOf } from './changed-properties.js'
import { shownStatement } from './statement-text.js'

t.test('statements without values', async t => {
  for (const [sql, shown, connector] of [
    ['SELECT "a 1", b2 FROM "T 9" WHERE c = $1 LIMIT 10', 'SELECT "a 1", b2 FROM "T 9" WHERE c = $1 LIMIT ?', ''],
    ["SELECT 1.5, 'it''s', E'it\\'s', $$se cret$$, $x$ 7 $x$", 'SELECT ?, ?, ?, ?, ?', 'postgresql'],
    ["SELECT 'a\\', 'secret'", 'SELECT ?, ?', 'sqlite3'],
    ['SELECT `a 1` FROM t WHERE b = "secret" # secret', 'SELECT `a 1` FROM t WHERE b = ? ', 'mysql'],
    ["SELECT 'it\\'s secret', \"a\\\"secret\" -- secret\nFROM t", 'SELECT ?, ? \nFROM t', 'mysql'],
    ['SELECT /* secret */ a FROM t', 'SELECT  a FROM t', ''],
    ['SELECT a FROM t WHERE b = ? AND c IN (1, 2)', 'SELECT a FROM t WHERE b = ? AND c IN (?, ?)', '']
  ] as const) t.equal(shownStatement(sql, connector), shown, sql)
})

t.test('no text of a value is left, whatever is in it', async t => {
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), text => {
    const quoted = `'${text.replaceAll("'", "''")}SECRET${text.replaceAll("'", "''")}'`
    return !shownStatement(`SELECT a FROM t WHERE b = ${quoted} AND c = 'SECRET'`, 'sqlite').includes('SECRET')
  }))
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), text => {
    const quoted = text.replace(/[\\'"]/g, '\\$&')
    return !shownStatement(`SELECT a FROM t WHERE b = '${quoted}SECRET' AND c = "${quoted}SECRET"`, 'mysql').includes('SECRET')
  }))
})

t.test('properties that were set', async t => {
  const row: Record<string, unknown> = { a: 1, b: new Date(1), c: { d: [1] }, e: 'x', f: null, g: Buffer.from('a') }
  const before = fingerprintOf(row)
  t.same(changedProperties(before, fingerprintOf({ ...row, b: new Date(1), c: { d: [1] } })), [])
  const nested = row.c as { d: number[] }
  nested.d.push(2)
  t.same(changedProperties(before, fingerprintOf({ ...row, a: 2, b: new Date(2), f: undefined, h: 1 })), ['a', 'b', 'c', 'f', 'h'])
  const circle: Record<string, unknown> = {}
  circle.self = circle
  t.same(changedProperties(fingerprintOf({ circle }), fingerprintOf({ circle })), [])
  t.same([...fingerprintOf(undefined)], [])
})
