/** Looks out for models that ask to be replicated. */
import type { ModelClass, ModelRegistry } from '@fastback/core'
import { addMethods } from './model-methods.js'
import { optionsOf, type SyncOptions } from './sync-settings.js'
import { isReplicated, track } from './track.js'

const kInstalled = Symbol('fastback.sync')

/**
 * Gives the models of a registry that have `trackChanges` or `enableRemoteReplication` their change lists and routes:
 * those that are there, and those that come. Calling it again does nothing.
 *
 * ```js
 * installSync(registry)
 * await registry.models.Note.replicate(-1, registry.models.Copy)
 * ```
 * @throws FBK_SYNC_NO_SINGLE_ID
 */
export function installSync (registry: ModelRegistry, options: SyncOptions = {}): void {
  optionsOf(registry).given = options
  const installed = registry.slot(kInstalled, () => new Set<string>())
  if (installed.size > 0) return
  installed.add('on')
  const look = (Model: ModelClass): void => {
    addMethods(Model)
    if (Model.dataSource !== null && isReplicated(Model)) track(Model, Model.settings.trackChanges === true)
  }
  for (const Model of Object.values(registry.models)) look(Model)
  registry.on('modelAttached', given => { look(given as ModelClass) })
}
