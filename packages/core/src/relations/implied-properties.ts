/** Properties that relations give to models: foreign keys and their like. */
import type { ModelClass } from '../interfaces/model-class.js'

/**
 * Gives all models the properties that their relations imply.
 * @param isClosed whether all models are there: before that, relations that wait for one are passed over
 */
export function implyProperties (models: readonly ModelClass[], isClosed: boolean): void {
  for (const { state } of models) {
    for (const relation of state.relations.values()) {
      if (!isClosed && !relation.isResolved) continue
      relation.target()
      relation.through()
      for (const { model, name, definition } of relation.impliedProperties()) {
        if (model.state.implied.has(name)) continue
        model.state.implied.set(name, definition)
        model.state.invalidate()
      }
    }
  }
}
