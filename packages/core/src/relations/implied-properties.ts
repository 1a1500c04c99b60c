/** Properties that relations give to models: foreign keys and their like. */
import type { PropertyDefinition } from '../definition/definition.js'
import type { ModelClass } from '../interfaces/model-class.js'
import type { Relation } from '../interfaces/relation.js'

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
      implyPropertiesOf(relation)
    }
  }
}

/**
 * Gives models the properties that one relation implies. What is declared wins, but for the type of a key where the
 * application's setting `foreignKeyTypes` is "related": LoopBack sets it to that of the rows it points at.
 */
export function implyPropertiesOf (relation: Relation): void {
  for (const { model: { state, registry }, name, definition, isKey } of relation.impliedProperties()) {
    const { type } = definition as PropertyDefinition
    if (isKey === true && type !== 'any' && registry.settings.foreignKeyTypes === 'related' &&
      state.keyTypes.get(name) !== type) {
      state.keyTypes.set(name, type)
      state.invalidate()
    }
    if (state.implied.has(name)) continue
    state.implied.set(name, definition)
    state.invalidate()
  }
}
