/** Where a property of a model stores its files. */
import type { CompiledProperty, ModelClass } from '@fastback/core'

/** Where a property of a model has its files. */
export interface FileLocation {
  readonly Model: ModelClass
  readonly property: CompiledProperty
}
