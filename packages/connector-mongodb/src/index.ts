/**
 * `@fastback/connector-mongodb`: documents in MongoDB, with ObjectIDs as LoopBack's connector stores them.
 *
 * ```js
 * await app.register(core, { dataSources: { db: { connector: mongodbConnector, url: 'mongodb://localhost/shop' } },
 * definitions: [{ name: 'Note', base: 'PersistedModel', properties: { title: 'string' } }], … })
 * ```
 */
import type { ConnectorContext, ConnectorFactory, DataSourceSettings } from '@fastback/core'
import { DocumentConnector } from './connector.js'
import { readSettings } from './settings.js'
import type { MongodbConnector } from './types.js'

export * as errors from './errors.js'
export type { MongodbConnector, MongodbDataSourceSettings } from './types.js'

/**
 * Makes a MongoDB connector.
 *
 * ```js
 * registry.defineDataSource('db', { connector: mongodbConnector, url: 'mongodb://localhost/shop' })
 * ```
 * @param settings `url`, or `host`, `port`, `database`, `user`, `password`; the others are in the README
 * @throws FBK_CORE_DATA_SOURCE_SETTINGS
 */
export const mongodbConnector: ConnectorFactory = (
  settings: DataSourceSettings,
  context: ConnectorContext
): MongodbConnector => new DocumentConnector(readSettings(settings, context), context)

export default mongodbConnector
