import t from 'tap'
import { storeNamed } from './stores.js'
import { engineSuite } from './suite.js'

engineSuite(t, storeNamed('pg-boss'))
