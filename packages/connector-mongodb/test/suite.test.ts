/** The suite that all connectors pass, with ids that are counted; on a single server, and on a replica set. */
import t from 'tap'
import { connectorSuite } from '@fastback/connector-tests'
import { asked, testDatabase } from './support/database.js'

for (const replicaSet of asked === undefined ? [undefined, 'set'] : [undefined]) {
  t.test(replicaSet === undefined ? 'MongoDB' : 'a replica set', async t => {
    const { make, isReplicated } = await testDatabase(t, replicaSet)
    await connectorSuite(t, {
      name: 'mongodb',
      make: () => make({ generatedIds: 'number' }),
      claims: isReplicated ? ['rows', 'persistence', 'transactions'] : ['rows', 'persistence']
    })
  })
}
