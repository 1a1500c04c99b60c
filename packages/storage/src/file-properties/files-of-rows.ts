/** The files of properties with the type `file`, of all models that name one data source as their `storage`. */
import type { CompiledProperty, Connector, Ending, ModelClass, StoredModel } from '@fastback/core'
import { writesOf } from '@fastback/core/remote'
import { hooksOf } from '../model-methods.js'
import type { StorageConnector } from '../storage-connector.js'
import { FileKeeper } from './file-keeper.js'
import type { FileLocation } from './file-location.js'
import { FileLayer, type RowFiles } from './file-layer.js'
import { fileProperties, publishFiles } from './file-routes.js'
import { RowMutex } from './row-mutex.js'
import { sweepFiles, type SweepOptions } from './sweep.js'

export class FilesOfRows {
  readonly #files: RowFiles
  readonly #places = new Map<string, FileLocation[]>()

  constructor (readonly connector: StorageConnector) {
    this.#files = { keeper: new FileKeeper(connector, hooksOf), locationOf, mutex: new RowMutex() }
  }

  /** Called for each model that is attached to any data source. */
  publish (Model: ModelClass, storage: string): void {
    const properties = fileProperties(Model, storage)
    if (properties.length === 0) return
    const places = properties.map(property => ({ Model, property }))
    this.#places.set(Model.modelName, places)
    for (const place of places) publishFiles(place, place.property.type.kind === 'array', this.#files.keeper)
  }

  /** `Connector.keepFiles` */
  layer (properties: readonly CompiledProperty[], store: Connector, within: Ending | undefined): Partial<Connector> {
    return writesOf(new FileLayer(properties, store, within, this.#files))
  }

  async sweep (options?: SweepOptions): Promise<{ removed: number }> {
    const { driver } = await this.connector.storage()
    return await sweepFiles(driver, [...this.#places.values()].flat(), options)
  }
}

/** To operations a model is its compiled form, which knows its class. */
const locationOf = (model: StoredModel, property: CompiledProperty): FileLocation =>
  ({ Model: (model as StoredModel & { readonly Model: ModelClass }).Model, property })
