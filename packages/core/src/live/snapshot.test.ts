import t from 'tap'
import type { LiveRow } from './row-changes.js'
import { Snapshots } from './snapshot.js'

const rowsOf = (texts: readonly string[]): LiveRow[] => texts.map((text, i) => ({ key: String(i), text }))

t.test('S-205 former moments have no more characters than the rows of now', async t => {
  // Seen to fail: 100 moments, each with all of its rows
  const snapshots = new Snapshots()
  const ids: string[] = []
  for (let i = 0; i < 50; i++) {
    const all = Array.from({ length: 10 }, (_, n) => `${n < 2 ? i : ''}${'x'.repeat(10_000)}`)
    ids.push(snapshots.add(rowsOf(all)).id)
  }
  const known = ids.filter(id => snapshots.find(id) !== undefined)
  t.strictSame(known, ids.slice(-5), 'two of ten rows changed: four moments of before are as long as all rows')
  const moments = known.map(id => snapshots.find(id)?.rows ?? [])
  t.equal(new Set(moments.flat()).size, 8 + 5 * 2, 'rows that stay are there once')
})

t.test('short rows have a hundred moments', async t => {
  const snapshots = new Snapshots()
  const ids: string[] = []
  for (let i = 0; i < 150; i++) ids.push(snapshots.add(rowsOf([String(i), 'same'])).id)
  t.strictSame(ids.filter(id => snapshots.find(id) !== undefined), ids.slice(-100))
  const last = snapshots.add(rowsOf(['149', 'same']))
  t.equal(last.id, ids.at(-1), 'the same rows are the same moment')
  const before = snapshots.find(ids[100] as string)
  t.equal(before === undefined ? undefined : last.changesFrom(before), '[{"type":"update","index":0,"row":149}]')
})

t.test('what rows hang on does not stay with moments', async t => {
  const snapshots = new Snapshots()
  const row = { key: '1', text: '{}', row: { large: 'x' } }
  t.strictSame(snapshots.add([row]).rows, [{ key: '1', text: '{}' }])
})
