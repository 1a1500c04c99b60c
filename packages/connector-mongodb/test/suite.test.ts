// FASTBACK_TEST_FULL: every case on three kinds of MongoDB.
/** The suite that all connectors pass, with ids that are counted. */
import t from 'tap'
import { connectorSuite } from '@fastback/connector-tests'
import { asked, testDatabase } from './support/database.js'

interface Kind { readonly name: string, readonly replicaSet?: string, readonly settings?: object }

const kinds: readonly Kind[] = [
  { name: 'MongoDB' },
  { name: 'points as GeoJSON', settings: { enableGeoIndexing: true } },
  ...(asked === undefined ? [{ name: 'a replica set', replicaSet: 'set' }] : [])
]

for (const { name, replicaSet, settings } of process.env.FASTBACK_TEST_FULL === undefined ? kinds.slice(-1) : kinds) {
  t.test(name, async t => {
    const { make, isReplicated } = await testDatabase(t, replicaSet)
    await connectorSuite(t, {
      name: 'mongodb',
      make: () => make({ generatedIds: 'number', ...settings }),
      lacks: ['compound ids', 'savepoints'],
      claims: ['rows', 'persistence', 'versions', ...(isReplicated ? ['transactions' as const] : [])]
    })
  })
}
