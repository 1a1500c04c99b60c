import type { ModelDefinitionInput } from '../definition/definition.js'

/**
 * Keeps a definition with its names as literal types, so that filters, includes and results are inferred from it.
 *
 * ```ts
 * const Note = defineModel({
 *   name: 'Note',
 *   properties: Type.Object({ title: Type.String({ minLength: 1 }), done: Type.Optional(Type.Boolean()) }),
 *   relations: { owner: { type: 'belongsTo', model: 'User', foreignKey: 'ownerId' } }
 * })
 * const Notes = registry.defineModel(Note)          // Model<typeof Note>
 * await Notes.find({ where: { title: { like: '%milk%' } } })
 * ```
 */
export function defineModel<const D extends ModelDefinitionInput> (definition: D): D {
  return definition
}
