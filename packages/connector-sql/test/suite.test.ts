import t from 'tap'
import { sqlConnector } from '@fastback/connector-sql'
import { agreesWithMemory, connectorSuite } from '../../../test-fixtures/src/connector-suite/index.js'
import { context } from './support/connectors.js'

const inMemory = () => sqlConnector({ connector: 'sql', url: 'sqlite::memory:' }, context())

t.test('in memory', async t => {
  await connectorSuite(t, { name: 'sqlite', make: inMemory })
})

t.test('in a file', async t => {
  const file = `${t.testdir({})}/rows.sqlite`
  await connectorSuite(t, { name: 'sqlite file', make: () => sqlConnector({ connector: 'sql', url: `sqlite:${file}` }, context()) })
})

t.test('answers as the memory connector does, from filters on', async t => {
  await agreesWithMemory(t, inMemory, { runs: Number(process.env.AGREEMENT_RUNS ?? 700), filters: 3 })
})
