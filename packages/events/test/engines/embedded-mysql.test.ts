// FASTBACK_TEST_FULL: every case on a server; memory goes through the same cases without.
import t from 'tap'
import { storeNamed } from './stores.js'
import { engineSuite } from './suite.js'

engineSuite(t, storeNamed('embedded, mysql'))
