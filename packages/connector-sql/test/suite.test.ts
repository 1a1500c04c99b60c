import t from 'tap'
import { sqlConnector } from '@fastback/connector-sql'
import { agreesWithMemory, connectorSuite, type Claim } from '@fastback/connector-tests'
import { context } from './support/connectors.js'
import { scratchUrl } from './support/scratch.js'
import { runsOf } from '../../../test-fixtures/runs.mjs'

const claims: Claim[] = ['rows', 'transactions', 'text', 'together', 'versions']
const open = (url: string) => () => sqlConnector({ connector: 'sql', url }, context())

t.test('in memory', async t => {
  await connectorSuite(t, { name: 'sqlite', make: open('sqlite::memory:'), claims })
})

t.test('in a file', async t => {
  await connectorSuite(t, {
    name: 'sqlite file',
    make: open(`sqlite:${t.testdir({})}/rows.sqlite`),
    claims: [...claims, 'persistence']
  })
})

t.test('answers as the memory connector does, from filters on', async t => {
  await agreesWithMemory(t, open('sqlite::memory:'), { runs: runsOf(100), filters: 3 })
})

for (const server of ['postgres', 'mysql'] as const) {
  t.test(server, async t => {
    const url = await scratchUrl(t, server)
    if (url === undefined) return
    await connectorSuite(t, { name: server, make: open(url), claims: [...claims, 'persistence'] })
    await t.test('answers as the memory connector does, from filters on', async t => {
      await agreesWithMemory(t, open(url), { runs: runsOf(10), filters: 5 })
    })
  })
}
