/**
 * `@fastback/connector-sql`: models in the tables of a SQL database.
 *
 * ```js
 * await app.register(core, { dataSources: { db: { connector: sqlConnector, url: 'sqlite:notes.db' } }, … })
 * ```
 */
import { errors as coreErrors, type ConnectorContext, type ConnectorFactory, type DataSourceSettings } from '@fastback/core'
import { SqlConnector } from './connector.js'
import type { Dialect } from './dialects/dialect.js'
import { postgres } from './dialects/postgres/index.js'
import { sqlite } from './dialects/sqlite/index.js'
import { readSettings, type DialectName } from './settings.js'

export * as errors from './errors.js'
export type { SqlConnector } from './connector.js'
export type { SqlDataSourceSettings } from './settings.js'
export type { SqliteDatabase, SqliteStatement } from './dialects/sqlite/driver.js'

const dialects: Readonly<Record<DialectName, Dialect | undefined>> = { sqlite, postgres, mysql: undefined }

/**
 * Makes a connector from a data source's settings (README, settings).
 * @throws FBK_CORE_DATA_SOURCE_SETTINGS for settings it cannot use
 */
export const sqlConnector: ConnectorFactory = (settings: DataSourceSettings, context: ConnectorContext): SqlConnector => {
  const read = readSettings(settings, context)
  const dialect = dialects[read.dialect]
  if (dialect === undefined) throw new coreErrors.DataSourceSettingsError(context.dataSource, `this version has no ${read.dialect} dialect`)
  return new SqlConnector(dialect, read, context)
}

export default sqlConnector
