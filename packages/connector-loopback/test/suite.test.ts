/** The suite on connectors that are written as LoopBack's are. */
import t from 'tap'
import { loopbackConnector } from '@fastback/connector-loopback'
import { agreesWithMemory, connectorSuite } from '@fastback/connector-tests'
import { context } from './support/context.js'
import { allMethods, fewMethods } from './support/legacy-memory.js'

t.test('the fewest methods: the core does the rest', async t => {
  const make = () => loopbackConnector(fewMethods)({ connector: 'few', exactQueries: true }, context)
  await connectorSuite(t, { name: 'few methods', make, lacks: ['unique', 'compound ids'] })
  await agreesWithMemory(t, make, { runs: 20 })
})

t.test('all methods', async t => {
  const make = () => loopbackConnector(allMethods)({ connector: 'all', exactQueries: true }, context)
  await connectorSuite(t, { name: 'all methods', make, claims: ['rows', 'keyValue'], lacks: ['unique', 'compound ids'] })
  await agreesWithMemory(t, make, { runs: 60 })
})
