// FASTBACK_TEST_FULL: each case makes tables on a server; SQLite goes through the same cases without.
import t from 'tap'
import { holdsOn } from './support/suite.js'

t.test('postgres', async t => { await holdsOn(t, 'postgres') })
