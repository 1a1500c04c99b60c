/**
 * `@fastback/connector-sql`: models in the tables of a SQL database.
 *
 * ```js
 * await app.register(core, { dataSources: { db: { connector: sqlConnector, url: 'sqlite:notes.db' } }, … })
 * ```
 */
import type { ConnectorContext, ConnectorFactory, DataSourceSettings } from '@fastback/core'
import { SqlConnector } from './connector.js'
import type { Dialect } from './dialects/dialect.js'
import type { DialectName } from './dialects/dialect-name.js'
import { createMysql } from './dialects/mysql/index.js'
import { postgres } from './dialects/postgres/index.js'
import { sqlite } from './dialects/sqlite/index.js'
import { readSettings } from './settings.js'

export * as errors from './errors.js'
export { outboxBus, postgresBus } from './bus/index.js'
export type { SqlConnector } from './connector.js'
export type { DialectName } from './dialects/dialect-name.js'
export type { SqlDataSourceSettings } from './data-source-settings.js'
export type { SqliteDatabase, SqliteStatement } from './dialects/sqlite/driver.js'

const dialects: Readonly<Record<DialectName, () => Dialect>> = {
  sqlite: () => sqlite,
  postgres: () => postgres,
  mysql: createMysql
}

/**
 * Makes a connector from a data source's settings (README, settings).
 *
 * ```js
 * registry.defineDataSource('db', { connector: sqlConnector, url: 'postgres://localhost/shop' })
 * ```
 * @throws FBK_CORE_DATA_SOURCE_SETTINGS for settings it cannot use
 */
export const sqlConnector: ConnectorFactory = (
  settings: DataSourceSettings,
  context: ConnectorContext
): SqlConnector => {
  const read = readSettings(settings, context)
  return new SqlConnector(dialects[read.dialect](), read, context)
}

export default sqlConnector
