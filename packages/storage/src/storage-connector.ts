import type {
  Connector, ConnectorContext, DataSourceSettings, JoinedDataSource, ModelClass, ModelRegistry, StoredModel
} from '@fastback/core'
import { RowlessConnector } from '@fastback/core/connector'
import { hasOwnFormOfRules, isPublic, knownUsersIn, rulesOf } from '@fastback/core/remote'
import { ownerFault } from './access.js'
import type { StorageDriver } from './driver.js'
import { ContainerOwnerError, FilesOnlyError } from './errors.js'
import { FilesOfRows } from './file-properties/files-of-rows.js'
import type { SweepOptions } from './file-properties/sweep.js'
import { mixIn } from './model-methods.js'
import type { NameRules } from './names.js'
import { driverOf } from './providers.js'
import { Storage } from './service.js'
import { AddressSigner } from './signed/address-signer.js'
import { readOptions, type StorageOptions } from './settings.js'
import { storageMethods, type StorageMethods } from './storage-methods.js'

/**
 * Containers and files as a data source. It keeps no rows: its models get the methods of storage, and so has the
 * connector itself (storage.md, ST-54). Options that are assigned to it count from then on (ST-05).
 */
export class StorageConnector extends RowlessConnector implements Connector, StorageOptions {
  readonly name = 'loopback-component-storage'
  readonly generatedIdType = 'string'
  readonly defaultMigration = 'none'
  readonly modelBase = 'Model'
  readonly #names: NameRules
  readonly #models = new Set<ModelClass>()
  /** The files of properties (`type: 'file'`). */
  private readonly files = new FilesOfRows(this)
  #opening: Promise<Storage> | undefined
  #driver: StorageDriver | undefined
  #signer: AddressSigner | undefined
  #registry: ModelRegistry | undefined

  nameConflict: StorageOptions['nameConflict']
  getFilename: StorageOptions['getFilename']
  allowedContentTypes: StorageOptions['allowedContentTypes']
  maxFileSize: StorageOptions['maxFileSize']
  acl: StorageOptions['acl']
  maxFieldsSize: StorageOptions['maxFieldsSize']
  maxFiles: StorageOptions['maxFiles']
  maxFields: StorageOptions['maxFields']
  maxFieldNameSize: StorageOptions['maxFieldNameSize']
  maxTotalSize: StorageOptions['maxTotalSize']
  uploadTimeout: StorageOptions['uploadTimeout']
  downloadTimeout: StorageOptions['downloadTimeout']
  maxConcurrentUploads: StorageOptions['maxConcurrentUploads']
  maxUploadsPerClient: StorageOptions['maxUploadsPerClient']
  maxList: StorageOptions['maxList']
  sniff: StorageOptions['sniff']
  disposition: StorageOptions['disposition']
  createContainers: StorageOptions['createContainers']
  quota: StorageOptions['quota']
  minFree: StorageOptions['minFree']
  presign: StorageOptions['presign']
  presignTtl: StorageOptions['presignTtl']
  presignSecret: StorageOptions['presignSecret']
  presignBase: StorageOptions['presignBase']
  redirect: StorageOptions['redirect']
  resumable: StorageOptions['resumable']
  resumableTtl: StorageOptions['resumableTtl']
  maxResumable: StorageOptions['maxResumable']
  maxResumablePerNetwork: StorageOptions['maxResumablePerNetwork']
  resumableIdle: StorageOptions['resumableIdle']
  containerOwner: StorageOptions['containerOwner']
  fileAccess: StorageOptions['fileAccess']

  /** @throws FBK_CORE_DATA_SOURCE_SETTINGS */
  constructor (readonly settings: DataSourceSettings, readonly context: ConnectorContext) {
    super()
    Object.assign(this, readOptions(settings, context.dataSource))
    const { allowDotNames } = settings as { readonly allowDotNames?: boolean }
    this.#names = { allowDotNames: allowDotNames === true }
    if (this.disposition === 'inline') {
      context.log.warn(
        { dataSource: context.dataSource },
        '"disposition": "inline" lets browsers show stored pages and drawings, whoever stored them'
      )
    }
    Object.assign(this, storageMethods(async () => await this.storage()))
  }

  /** The driver, once connected. */
  get client (): StorageDriver | undefined {
    return this.#driver
  }

  /** Signs addresses for all models of the data source, where the provider signs none. */
  get signer (): AddressSigner {
    return (this.#signer ??= new AddressSigner(this.presignSecret, this.context.dataSource))
  }

  /** The service behind the methods; opens the provider where nobody has yet. */
  storage (): Promise<Storage> {
    return (this.#opening ??= this.#open())
  }

  async #open (): Promise<Storage> {
    const driver = await driverOf(this.settings, this.context, this.#names)
    await driver.connect()
    this.#driver = driver
    const storage = new Storage(driver, this.#names, this, this.#registry)
    if (this.settings.resumable === true) {
      const { openResumable } = await import('./resumable/open-resumable.js')
      storage.resumable = await openResumable(storage, this.context.dataSource)
    }
    return storage
  }

  /** @throws FBK_STORAGE_NO_ROOT, FBK_STORAGE_PROVIDER, FBK_STORAGE_MISSING_PACKAGE, FBK_STORAGE_CONTAINER_OWNER */
  async connect (): Promise<void> {
    const models = this.#registry === undefined ? [] : knownUsersIn(this.#registry).models()
    const fault = ownerFault(this.containerOwner, models)
    if (fault !== undefined) throw new ContainerOwnerError(this.context.dataSource, fault)
    const { driver } = await this.storage()
    if (this.presign === true && driver.presign === undefined && this.presignSecret === undefined) {
      this.context.log.warn(
        { dataSource: this.context.dataSource },
        'Signed addresses hold until this process ends, and in no other one: give the data source a "presignSecret"'
      )
    }
    for (const Model of this.#models) {
      if (isPublic(Model) !== true || rulesOf(Model).length > 0 || hasOwnFormOfRules(Model)) continue
      this.context.log.warn(
        { dataSource: this.context.dataSource, model: Model.modelName },
        `Everybody may list, store and remove files through "${Model.modelName}": it has no "acls"`
      )
    }
  }

  async disconnect (): Promise<void> {
    const driver = this.#driver
    const opening = this.#opening
    this.#driver = undefined
    this.#opening = undefined
    if (driver === undefined) return
    await opening?.then(storage => { storage.resumable?.close() })
    await driver.close()
  }

  async ping (): Promise<void> {
    await (await this.storage()).driver.containers()
  }

  attach (): void {}

  joined (dataSource: JoinedDataSource): void {
    this.#registry = dataSource.registry as ModelRegistry
    dataSource.registry.on('modelAttached', given => {
      const Model = given as ModelClass
      this.files.publish(Model, dataSource.name)
      if (Model.dataSource !== dataSource) {
        this.#models.delete(Model)
        return
      }
      this.#models.add(Model)
      mixIn(Model, this)
    })
  }

  keepFiles (...given: Parameters<FilesOfRows['layer']>): Partial<Connector> {
    return this.files.layer(...given)
  }

  /**
   * Removes files of rows that no row has any more, and uploads that no row took: what processes left that were killed.
   *
   * ```js
   * await app.registry.dataSources.photos.connector.sweepFiles() // { removed: 2 }
   * ```
   * @param options `olderThan`, milliseconds; default: a day
   */
  async sweepFiles (options?: SweepOptions): Promise<{ removed: number }> {
    return await this.files.sweep(options)
  }

  protected noRows (model: StoredModel, method: string): Error {
    return new FilesOnlyError(this.context.dataSource, model.name, method)
  }
}

/** The methods are made with the service, and stand on the connector as they do on models. */
export interface StorageConnector extends StorageMethods {}
