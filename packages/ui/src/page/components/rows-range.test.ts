import t from 'tap'
import { rowsRange } from './rows-range.js'

t.equal(rowsRange(25, 25, 1_000_000), 'Rows 26 to 50 of 1,000,000')
t.equal(rowsRange(0, 3, undefined), 'Rows 1 to 3')
t.equal(rowsRange(2_000, 0, 1_999), 'No rows of 1,999')
