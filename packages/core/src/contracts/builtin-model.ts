import type { ModelDefinitionInput } from '../definition/definition.js'
import type { ModelClass } from '../interfaces/model-class.js'

/** A model that a package brings: what `user.json` and `user.js` are in a folder. */
export interface BuiltinModel {
  readonly definition: ModelDefinitionInput
  /** Puts functions, hooks and validations on the class. */
  setUp? (Model: ModelClass): void
}
