import type { ModelClass } from '../interfaces/model-class.js'

/**
 * The property of the model in between that points at `target`. When the definition does not name one and the model in
 * between has no such relation under the default name, the key of its first belongsTo to `target` is meant.
 */
export function throughKey (
  through: ModelClass,
  target: ModelClass,
  named: string | undefined,
  byDefault: string
): string {
  if (named !== undefined && named !== '') return named
  const keys = Object.entries(through.definition.relations)
    .filter(
      ([, relation]) =>
        relation.type === 'belongsTo' && relation.model?.toLowerCase() === target.modelName.toLowerCase()
    )
    .map(([name, relation]) => relation.foreignKey || `${name}Id`)
  return keys.length === 0 || keys.includes(byDefault) ? byDefault : (keys[0] as string)
}
