import t from 'tap'
import { memoryConnector } from '@fastback/connector-memory'
import { agreesWithMemory, connectorSuite } from '@fastback/connector-tests'

const context = { dataSource: 'db', baseDir: '.', log: { warn () {}, info () {}, debug () {} } }

t.test('without a file', async t => {
  await connectorSuite(t, {
    name: 'memory',
    make: () => memoryConnector({ connector: 'memory' }, context),
    claims: ['rows', 'keyValue', 'versions']
  })
})

t.test('with a file', async t => {
  const file = `${t.testdir({})}/rows.json`
  await connectorSuite(t, {
    name: 'memory with a file',
    make: () => memoryConnector({ connector: 'memory', file }, context),
    claims: ['rows', 'keyValue', 'versions', 'persistence']
  })
})

t.test('the comparison with itself holds', async t => {
  await agreesWithMemory(t, () => memoryConnector({ connector: 'memory' }, context), { runs: 10, filters: 10 })
})
