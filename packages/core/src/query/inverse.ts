/** Whether a relation is the inverse of another one: it joins by the same keys. */
import type { QueriedClass, QueriedRelation } from './queried-model.js'

/**
 * The join that two relations, one followed by the other, cross there and back, as a text; undefined when the second
 * does not lead back. What counts are the keys, whatever the relations are called: books by `authorId` and the author
 * of a book, both ends of a through model, polymorphic ones alike.
 */
export function inverseJoin (there: QueriedRelation, back: QueriedRelation): string | undefined {
  if (there.embedded || back.embedded) return undefined
  const through = there.through()
  if (through !== undefined || back.through() !== undefined) return throughJoin(there, back, through, back.through())
  const [holding, pointed] = there.holdsKey ? [there, back] : [back, there]
  if (!holding.holdsKey || pointed.holdsKey) return undefined
  const { foreignKey } = holding.definition
  const target = pointed.target()
  if (
    foreignKey === undefined ||
    foreignKey !== pointed.definition.foreignKey ||
    target === undefined ||
    !isOneLine(holding.model, target)
  ) { return undefined }
  return `${holding.model.modelName}.${foreignKey}`
}

function throughJoin (
  there: QueriedRelation,
  back: QueriedRelation,
  first: QueriedClass | undefined,
  second: QueriedClass | undefined
): string | undefined {
  if (first === undefined || second === undefined || !isOneLine(first, second)) return undefined
  const { foreignKey, keyThrough } = there.definition
  if (foreignKey !== back.definition.keyThrough || keyThrough !== back.definition.foreignKey) return undefined
  return `${first.modelName}.${[foreignKey, keyThrough].sort().join()}`
}

/** Whether two models are one, or one extends the other. */
const isOneLine = (a: QueriedClass, b: QueriedClass): boolean => isKindOf(a, b) || isKindOf(b, a)
const isKindOf = (model: QueriedClass, base: QueriedClass): boolean =>
  model.state.chain().some(state => state === base.state)
