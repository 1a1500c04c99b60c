/** Values by key through loopback-connector-kv-redis. Without a server its part is skipped. */
import { createRequire } from 'node:module'
import t from 'tap'
import { loopbackConnector, type LoopbackConnectorModule } from '@fastback/connector-loopback'
import { connectorSuite } from '@fastback/connector-tests'
import { context } from './support/context.js'

const redis = createRequire(import.meta.url)('loopback-connector-kv-redis') as LoopbackConnectorModule

/** Used when it is reachable; one that is asked for must be. */
const asked = process.env.FASTBACK_TEST_REDIS
// The last of Redis' databases, which nobody else here uses: this connector has no prefix for its keys.
const url = `${asked ?? 'redis://127.0.0.1:6379'}/15`
const make = () => loopbackConnector(redis)({ connector: 'kv-redis', url, connectTimeout: 2000 }, context)

async function reachable (): Promise<boolean> {
  const connector = make()
  try {
    await connector.connect()
    await connector.ping()
    return true
  } catch {
    return false
  } finally {
    await Promise.resolve(connector.disconnect()).catch(() => {})
  }
}

t.test('loopback-connector-kv-redis', asked !== undefined || await reachable() ? {} : { skip: 'no Redis server' }, async t => {
  await connectorSuite(t, { name: 'kv-redis', make, claims: ['keyValue'] })
})
