// FASTBACK_TEST_FULL: each case makes tables on a server, and all together take minutes on a slow disk.
import t from 'tap'
import { holdsOn } from './support/suite.js'

t.test('mysql', async t => { await holdsOn(t, 'mysql') })
