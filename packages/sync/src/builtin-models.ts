/** `Change` and `Checkpoint`, which LoopBack has among its models: what applications extend, and ask for constants. */
import { defineModel, type BuiltinModel, type ModelClass } from '@fastback/core'
import { changeConstants } from './change-constants.js'
import { changeProperties } from './change-model.js'
import { Checkpoints } from './checkpoints.js'
import { addCheckpointStatics, checkpointProperties } from './checkpoint-statics.js'

/**
 * Defined when code asks for them (`loopback.Change`, `"base": "Checkpoint"`).
 *
 * ```js
 * TargetModel.Change.Checkpoint = loopback.Checkpoint.extend('TargetCheckpoint') // a number of its own
 * TargetModel.Change.Checkpoint.attachTo(dataSource)
 * ```
 */
export const syncModels: readonly BuiltinModel[] = [
  {
    definition: defineModel({ name: 'Change', base: 'PersistedModel', properties: changeProperties }),
    setUp: (Change: ModelClass) => { Object.assign(Change, changeConstants) }
  },
  {
    definition: defineModel({ name: 'Checkpoint', base: 'PersistedModel', properties: checkpointProperties }),
    setUp: (Checkpoint: ModelClass) => { addCheckpointStatics(Checkpoint, Checkpoints.over) }
  }
]
