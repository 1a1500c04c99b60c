/**
 * `@fastback/connector-memory`: rows in the memory of the process, optionally kept in a file.
 *
 * ```js
 * await app.register(core, { dataSources: { db: { connector: memoryConnector } }, … })
 * ```
 */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { errors, type ConnectorContext, type ConnectorFactory, type DataSourceSettings } from '@fastback/core'
import { MemoryConnector } from './memory-connector.js'
import { Persistence } from './persistence.js'
import { TransientConnector } from './transient-connector.js'

export { DamagedFileError } from './errors.js'
export type { MemoryConnector } from './memory-connector.js'
export type { TransientConnector } from './transient-connector.js'

/**
 * Makes a memory connector.
 *
 * ```js
 * registry.defineDataSource('db', { connector: memoryConnector, file: 'data/db.json' })
 * ```
 * @param settings `file`: where to keep the rows: below the working directory where it exists, else below the folder
 * of the settings; without it they end with the process
 * @throws FBK_CORE_DATA_SOURCE_SETTINGS
 */
export const memoryConnector: ConnectorFactory = (
  settings: DataSourceSettings,
  context: ConnectorContext
): MemoryConnector => {
  const { file, localStorage } = settings
  if (localStorage !== undefined) {
    context.log.warn(
      { dataSource: context.dataSource },
      'the setting "localStorage" is for browsers and is ignored; use "file"'
    )
  }
  if (file === undefined || file === null || file === '') {
    return new MemoryConnector(context.log, undefined, settings.connector === 'kv-memory' ? 'KeyValueModel' : undefined)
  }
  if (typeof file !== 'string') {
    throw new errors.DataSourceSettingsError(context.dataSource, '"file" must be the name of a file')
  }
  // LoopBack takes the name from the working directory; folders that it ran bring their rows there.
  const below = resolve(file)
  const path = existsSync(below) ? below : resolve(context.baseDir, file)
  return new MemoryConnector(context.log, new Persistence({ file: path, dataSource: context.dataSource }))
}

/**
 * Makes a connector that keeps nothing, for models that are only validated, passed on or nested in others.
 *
 * ```js
 * registry.defineDataSource('nowhere', { connector: transientConnector })
 * ```
 * @param settings `defaultIdType`: the type of generated ids, which are random: `string` (default) or `number`
 */
export const transientConnector: ConnectorFactory = ({ defaultIdType }: DataSourceSettings): TransientConnector =>
  new TransientConnector(defaultIdType === Number || /^number$/i.test(String(defaultIdType)) ? 'number' : 'string')

export default memoryConnector
