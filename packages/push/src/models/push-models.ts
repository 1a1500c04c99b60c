/** The models that push works with, wherever an application has them (PU-03, PU-04). */
import type { ModelClass, ModelDefinitionInput, ModelRegistry } from '@fastback/core'
import { extendsModel } from '@fastback/core/remote'
import { NoModelError } from '../errors.js'
import type { FilledOptions } from '../settings.js'
import { batchDefinition, deliveryDefinition, installationDefinition, notificationDefinition } from './definitions.js'

/** Attaches a model to the data source of a name, unpublished. */
export type Attach = (Model: ModelClass, dataSource: string) => void

type Name = 'Installation' | 'Notification' | 'Application' | 'Delivery' | 'PushBatch'

/** What an application may set, and what is found where it does not. */
export class PushModels {
  readonly #given = new Map<Name, ModelClass>()

  constructor (
    readonly options: Pick<FilledOptions, 'installation' | 'notification' | 'application' | 'dataSource'>,
    public registry: ModelRegistry | undefined
  ) {}

  set (name: Name, Model: ModelClass): void {
    this.#given.set(name, Model)
    this.registry ??= Model.registry
  }

  /** By the name in the settings, else by its type; undefined where there is none. */
  find (name: Name): ModelClass | undefined {
    const given = this.#given.get(name)
    const { registry } = this
    if (given !== undefined || registry === undefined) return given
    const { installation, notification, application } = this.options
    const wanted = ({ Installation: installation, Notification: notification, Application: application } as
      Partial<Record<Name, string | undefined>>)[name]
    const named = wanted === undefined ? undefined : registry.findModel(wanted)
    if (named !== undefined) return named
    return registry.findModel(name) === undefined ? undefined : registry.getModelByType(name)
  }

  /** @throws FBK_PUSH_NO_MODEL */
  get (name: Name): ModelClass {
    const Model = this.find(name)
    if (Model === undefined || Model.dataSource === null) throw new NoModelError(name)
    return Model
  }

  /**
   * Defines what is not there, and attaches what is attached nowhere, to the data source of the setting, else `db`,
   * else the first that keeps rows.
   */
  complete (names: readonly Name[], attach?: Attach): void {
    const registry = this.registry as ModelRegistry
    const put: Attach = attach ?? ((Model, dataSource) => { registry.attach(Model, dataSource, { public: false }) })
    const definitions: Partial<Record<Name, ModelDefinitionInput>> = {
      Installation: installationDefinition,
      Notification: notificationDefinition,
      Delivery: deliveryDefinition,
      PushBatch: batchDefinition
    }
    for (const name of names) {
      const definition = definitions[name]
      const Model = this.find(name) ??
        (definition === undefined ? undefined : registry.defineModel(definition) as ModelClass)
      if (Model === undefined || Model.dataSource !== null) continue
      const dataSource = this.#dataSource(registry)
      if (dataSource !== undefined) put(Model, dataSource)
    }
  }

  #dataSource ({ dataSources }: ModelRegistry): string | undefined {
    const { dataSource } = this.options
    if (dataSource !== undefined) return dataSource
    if (dataSources.db !== undefined) return 'db'
    return Object.entries(dataSources).find(([, { connector }]) => !('modelBase' in connector && connector.modelBase === 'Model'))?.[0]
  }
}

/** Whether a model is, or extends, the built-in one of a name. */
export const isOfType = (Model: ModelClass, name: string): boolean => extendsModel(Model, name)
