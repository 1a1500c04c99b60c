/**
 * `@fastback/connector-redis`: values by key in Redis, for models that extend `KeyValueModel`.
 *
 * ```js
 * await app.register(core, { dataSources: { cache: { connector: redisConnector, url: 'redis://localhost:6379' } },
 * definitions: [{ name: 'Session', base: 'KeyValueModel' }], … }) await app.models.Session.set('k1', { n: 1 }, 60_000)
 * ```
 */
import type { ConnectorContext, ConnectorFactory, DataSourceSettings } from '@fastback/core'
import { RedisConnector } from './redis-connector.js'
import { readSettings } from './settings.js'

export { redisBus } from './bus.js'
export * as errors from './errors.js'
export type { RedisConnector } from './redis-connector.js'

/**
 * Makes a Redis connector.
 *
 * ```js
 * registry.defineDataSource('cache', { connector: redisConnector, url: 'redis://localhost:6379', prefix: 'shop:' })
 * registry.attach('Session', 'cache') // a model whose base is KeyValueModel
 * ```
 * @param settings `url`, or `host`, `port`, `username`, `password`, `db`; `prefix`, `connectTimeout`
 * @throws FBK_CORE_DATA_SOURCE_SETTINGS
 */
export const redisConnector: ConnectorFactory = (
  settings: DataSourceSettings,
  context: ConnectorContext
): RedisConnector => new RedisConnector(readSettings(settings, context.dataSource), context.dataSource, context.log)

export default redisConnector
