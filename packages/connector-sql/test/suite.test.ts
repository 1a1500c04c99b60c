import t from 'tap'
import { agreesWithMemory, connectorSuite } from '@fastback/connector-tests'
import { runsOf } from '../../../test-fixtures/runs.mjs'
import { claims, open } from './support/suite.js'

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
