import t from 'tap'
import { moveOf, nearestCell } from './grid-moves.js'

const size = { rows: 3, columns: 4 }

t.test('arrow keys move by one cell, Home and End to the edge of the row, with Ctrl of the grid', async t => {
  const from = { row: 1, column: 2 }
  const to = (key: string, ctrlKey = false) => moveOf({ key, ctrlKey }, from, size)
  t.strictSame(to('ArrowDown'), { row: 2, column: 2 })
  t.strictSame(to('ArrowUp'), { row: 0, column: 2 })
  t.strictSame(to('ArrowLeft'), { row: 1, column: 1 })
  t.strictSame(to('ArrowRight'), { row: 1, column: 3 })
  t.strictSame(to('Home'), { row: 1, column: 0 })
  t.strictSame(to('Home', true), { row: 0, column: 0 })
  t.strictSame(to('End'), { row: 1, column: 3 })
  t.strictSame(to('End', true), { row: 2, column: 3 })
  t.equal(to('Enter'), undefined)
})

t.test('beyond the edge, the nearest cell counts', async t => {
  t.strictSame(nearestCell({ row: 3, column: -1 }, size), { row: 2, column: 0 })
  t.strictSame(nearestCell({ row: -1, column: 4 }, size), { row: 0, column: 3 })
})
