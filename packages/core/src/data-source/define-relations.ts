import type { RelationDefinition } from '../definition/definition.js'
import { relationTypes } from '../definition/vocabulary/relation.js'
import { InvalidDefinitionError } from '../errors.js'
import type { ModelClass } from '../interfaces/model-class.js'

/** `dataSource.defineRelations`. @throws FBK_CORE_INVALID_DEFINITION for what is no type of relation */
export function defineRelations (
  Model: ModelClass, relations: Readonly<Record<string, RelationDefinition>>
): void {
  for (const [name, { type, model, ...rest }] of Object.entries(relations)) {
    if (!relationTypes.includes(type)) {
      throw new InvalidDefinitionError(
        `model "${Model.modelName}", relation "${name}"`, `its type "${type}" is none of ${relationTypes.join(', ')}`
      )
    }
    const declare = Model[type] as (to: string, parameters: object) => void
    declare.call(Model, model ?? name, { ...rest, as: name })
  }
}
