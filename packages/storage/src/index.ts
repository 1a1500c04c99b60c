/**
 * `@fastback/storage`: containers and files, over REST and in process, on folders and object stores.
 *
 * ```js
 * await app.register(core, {
 *   dataSources: { photos: { connector: storageConnector, root: './photos' } },
 *   definitions: [{ name: 'Photo', base: 'Model', options: { dataSource: 'photos' } }]
 * })
 * ```
 */
import type { ConnectorContext, ConnectorFactory, DataSourceSettings } from '@fastback/core'
import { StorageConnector } from './storage-connector.js'
import type { StorageSettings } from './settings.js'

export * as errors from './errors.js'
export type * from './driver.js'
export type { StoredContainer, StoredFile } from './entries.js'
export type { StorageRequest, StorageResponse } from './http.js'
export type { DriverFactory } from './providers.js'
export { FileProperty, type FileSettings } from './file-properties/file-property.js'
export type { SweepOptions } from './file-properties/sweep.js'
export type { FileAccess, FileAccessContext, IncomingFile, PerUpload, StorageOptions, StorageSettings } from './settings.js'
export type { StorageConnector } from './storage-connector.js'
export type { StorageMethods, UploadOptions } from './storage-methods.js'
export type { UploadedForm } from './upload/receive.js'
export type { UploadedFile, UploadHookContext } from './upload/uploaded-file.js'

/**
 * Makes a connector of storage.
 *
 * ```js
 * registry.defineDataSource('photos', { connector: storageConnector, root: './photos', maxFileSize: 5_000_000 })
 * ```
 * @param settings `provider` and its settings, and `StorageOptions`
 * @throws FBK_CORE_DATA_SOURCE_SETTINGS
 */
export const storageConnector: ConnectorFactory = (
  settings: DataSourceSettings, context: ConnectorContext
): StorageConnector => new StorageConnector(settings, context)

export default storageConnector

/**
 * The methods of storage for code that needs no application (storage.md, ST-54).
 *
 * ```js
 * const storage = StorageService({ provider: 'filesystem', root: '/srv/files' })
 * const files = await storage.getFiles('reports')
 * ```
 * @param settings as of a data source; a relative `root` is below the working directory
 * @throws FBK_CORE_DATA_SOURCE_SETTINGS
 */
export function StorageService (settings: StorageSettings): StorageConnector {
  const silent = { warn () {}, info () {}, debug () {} }
  return new StorageConnector(
    { ...settings, connector: 'loopback-component-storage' },
    { dataSource: 'storage', baseDir: process.cwd(), log: silent }
  )
}
