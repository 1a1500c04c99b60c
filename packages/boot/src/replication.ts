/** Change tracking and replication come with the first model that asks for them. */
import type { MaybePromise, ModelClass, ModelRegistry } from '@fastback/core'
import { chain } from '@fastback/core/connector'
import type * as Sync from '@fastback/sync'
import { loadPackage } from './load/package.js'

const kReplication = Symbol('fastback.replication')

interface Loading { begun: boolean, done: MaybePromise<void> }

const loadingOf = (registry: ModelRegistry): Loading =>
  registry.slot(kReplication, () => ({ begun: false, done: undefined }))

/**
 * Loads `@fastback/sync` when a model with `trackChanges` or `enableRemoteReplication` is attached.
 *
 * ```js
 * watchReplication(registry)
 * ```
 */
export function watchReplication (registry: ModelRegistry): void {
  registry.on('modelAttached', given => {
    const { dataSource, settings } = given as ModelClass
    const loading = loadingOf(registry)
    const asks = settings.trackChanges === true || settings.enableRemoteReplication === true
    if (dataSource === null || !asks || loading.begun) return
    loading.begun = true
    loading.done = chain(loadPackage<typeof Sync>('@fastback/sync'), ({ installSync }) => { installSync(registry) })
  })
}

/** Where Node.js cannot load a package at once: when it is there. */
export const replicationLoaded = (registry: ModelRegistry): MaybePromise<void> => loadingOf(registry).done
