/** Apart from the other stores: each of its cases makes tables, and all together take minutes on a slow disk. */
import t from 'tap'
import { holdsOn } from './support/suite.js'

t.test('mysql', async t => { await holdsOn(t, 'mysql') })
