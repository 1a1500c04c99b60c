/** Members of an application that are about its models, their data sources, and how they are published. */
import type { ConnectorFactory, DataSource, EnableAuthOptions, ModelClass, SharedClass } from '@fastback/core'
import { isPromise } from '@fastback/core/connector'
import { extendsModel, isPublic, publish } from '@fastback/core/remote'
import { AuthUnavailableError, RemovedFunctionError } from '../errors.js'
import { setWithAliases } from '../load/names.js'
import type { Application, Method, ModelTable } from './application.js'
import type { ApplicationParts } from './application-parts.js'
import type { Configuration } from './configure-model.js'
import { builtinConnectors } from './names.js'
import { Remotes } from './remotes.js'

const byClass = 'Use app.registry.createModel(name, properties, options) and app.model(Model, config).'

type Parts = Pick<ApplicationParts, 'registry' | 'settings' | 'enableAuth'>

type ModelMembers = Pick<
  Application,
  'models' | 'dataSources' | 'datasources' | 'connectors' | 'model' | 'deleteModelByName' | 'dataSource' | 'connector' |
  'enableAuth' | 'remotes' | 'remoteObjects' | 'handler'
>

export function modelMembers (app: Application, parts: Parts): ModelMembers {
  const { registry, settings } = parts
  const added: ModelClass[] = []
  const published = (): ModelClass[] => added.filter(Model => isPublic(Model) === true)
  const models = (() => added) as ModelTable
  const dataSources: Record<string, DataSource> = {}
  const connectors: Record<string, unknown> = {
    memory: builtinConnectors.Memory,
    'kv-memory': builtinConnectors.KeyValueMemory,
    remote: builtinConnectors.Remote
  }
  let remotes: Remotes | undefined

  /** Another application over the same models may have given the name of a data source to its own. */
  const ofThis = (config: Configuration): Configuration => {
    const own = dataSources[config.dataSource as string]
    return own === undefined ? config : { ...config, dataSource: own }
  }

  return {
    models,
    dataSources,
    datasources: dataSources,
    connectors,

    model (Model: ModelClass | string, config?: Configuration) {
      if (typeof Model === 'string') throw new RemovedFunctionError('app.model(name, settings)', byClass)
      if (config !== undefined) registry.configureModel(Model, ofThis(config) as never)
      else if (isPublic(Model) === undefined) publish(Model, true)
      setWithAliases(models, Model.modelName, Model)
      if (!added.includes(Model)) {
        added.push(Model)
        forwardChanges(Model, app)
      }
      Object.defineProperty(Model, 'app', { value: app, configurable: true, writable: true })
      Object.defineProperty(Model, 'shared', { value: isPublic(Model), configurable: true, writable: true })
      if (isPublic(Model) === true) app.emit('modelRemoted', Model.sharedClass)
      ;(Model.emit as Method)('attached', app)
      return Model
    },

    deleteModelByName (name: string) {
      const Model = models[name]
      for (const key of Object.keys(models)) if (models[key] === Model) delete models[key]
      if (Model !== undefined) {
        added.splice(added.indexOf(Model), 1)
        publish(Model, false)
        registry.core.removeModel(name)
      }
      app.emit('modelDeleted', Model ?? name)
    },

    dataSource (name: string, given: Record<string, unknown>) {
      const dataSource = registry.createDataSource(name, given)
      setWithAliases(dataSources, name, dataSource)
      Object.defineProperty(dataSource, 'app', { value: app, configurable: true })
      return dataSource
    },

    connector (name: string, connector: unknown) {
      const known = registry.core.connectors
      known.register(name, known.adapt?.(connector) ?? connector as ConnectorFactory)
      setWithAliases(app.connectors, name, connector)
    },

    enableAuth (options: EnableAuthOptions = {}) {
      const wanted = parts.enableAuth(options)
      if (wanted === undefined) throw new AuthUnavailableError()
      const dataSource = options.dataSource ?? options.datasource
      if (dataSource === undefined) return
      for (const [name, isPublic] of Object.entries(wanted)) {
        const Model = registry.getModel(name)
        const standsIn = added.some(each => extendsModel(each, Model))
        if (!standsIn && Model.dataSource === null) app.model(Model, { dataSource, public: isPublic })
      }
      // Embedded stores have their tables now, the others once the boot scripts are through.
      const migrated = registry.core.migrateAttached()
      if (isPromise(migrated)) {
        migrated.catch((error: unknown) => {
          app.emit('error', error)
        })
      }
    },

    remotes: () =>
      (remotes ??= new Remotes({
        registry: registry.core,
        options: (settings.get('remoting') ?? {}) as Record<string, unknown>,
        published,
        handler: () => app.loopback.rest()
      })),
    remoteObjects: () => Object.fromEntries(published().map(Model => [Model.modelName, Model])),
    handler: (type: string) => app.remotes().handler(type) as Method
  }
}

/** What changes of a model's methods later is told to its application. */
function forwardChanges (Model: ModelClass, app: Application): void {
  for (const event of ['remoteMethodAdded', 'remoteMethodDisabled']) {
    ;(Model.on as Method)(event, (changed: SharedClass, ...details: unknown[]) => {
      if (changed.ctor.app === app) app.emit(event, changed, ...details)
    })
  }
}
