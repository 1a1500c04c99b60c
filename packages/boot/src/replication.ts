/** Change tracking and replication come with the first model that asks for them. */
import type { BuiltinModel, MaybePromise, ModelClass, ModelRegistry } from '@fastback/core'
import { chain, isPromise } from '@fastback/core/connector'
import type * as Sync from '@fastback/sync'
import { loadPackage } from './load/package.js'

const kReplication = Symbol('fastback.replication')

interface Loading { begun: boolean, done: MaybePromise<void> }

const loadingOf = (registry: ModelRegistry): Loading =>
  registry.slot(kReplication, () => ({ begun: false, done: undefined }))

/**
 * Loads `@fastback/sync` when a model with `trackChanges` or `enableRemoteReplication` is defined, or attached so.
 *
 * ```js
 * watchReplication(registry)
 * ```
 */
export function watchReplication (registry: ModelRegistry): void {
  const look = (given: unknown): void => {
    const { settings } = given as ModelClass
    const loading = loadingOf(registry)
    const asks = settings.trackChanges === true || settings.enableRemoteReplication === true
    if (!asks || loading.begun) return
    loading.begun = true
    loading.done = chain(loadPackage<typeof Sync>('@fastback/sync'), ({ installSync }) => { installSync(registry) })
  }
  // Code may ask for the changes of a model before it is attached (`Note.Change.Checkpoint = …`).
  registry.on('modelDefined', look)
  registry.on('modelAttached', look)
}

/** LoopBack's models of replication by name, from the package that is loaded for it; undefined for others. */
export function replicationModel (name: string): BuiltinModel | undefined {
  if (name !== 'Change' && name !== 'Checkpoint') return undefined
  const loaded = loadPackage<typeof Sync>('@fastback/sync')
  return isPromise(loaded) ? undefined : loaded.syncModels.find(({ definition }) => definition.name === name)
}

/** Where Node.js cannot load a package at once: when it is there. */
export const replicationLoaded = (registry: ModelRegistry): MaybePromise<void> => loadingOf(registry).done
