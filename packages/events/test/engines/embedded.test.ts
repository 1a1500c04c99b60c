import t from 'tap'
import { stores } from './stores.js'
import { engineSuite } from './suite.js'

for (const store of stores) if (store.name.startsWith('embedded')) engineSuite(t, store)
