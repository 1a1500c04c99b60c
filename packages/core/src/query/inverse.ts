/** Which relations lead back over the keys that others came by. */
import type { ModelClass } from '../model/model-class.js'
import type { Relation } from '../relations/relation.js'

/**
 * The join that two relations, one followed by the other, cross there and back, as a text; undefined when the second
 * does not lead back. What counts are the keys, whatever the relations are called: books by `authorId` and the author
 * of a book, both ends of a through model, polymorphic ones alike.
 */
export function inverseJoin (there: Relation, back: Relation): string | undefined {
  if (there.embedded || back.embedded) return undefined
  const through = there.through()
  if (through !== undefined || back.through() !== undefined) return throughJoin(there, back, through, back.through())
  const [holding, pointed] = holdsKey(there) ? [there, back] : [back, there]
  if (!holdsKey(holding) || holdsKey(pointed)) return undefined
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
  there: Relation,
  back: Relation,
  first: ModelClass | undefined,
  second: ModelClass | undefined
): string | undefined {
  if (first === undefined || second === undefined || !isOneLine(first, second)) return undefined
  const { foreignKey, keyThrough } = there.definition
  if (foreignKey !== back.definition.keyThrough || keyThrough !== back.definition.foreignKey) return undefined
  return `${first.modelName}.${[foreignKey, keyThrough].sort().join()}`
}

/** Whether the rows that have the relation hold the key of the related ones. */
const holdsKey = ({ type }: Relation): boolean => type === 'belongsTo' || type === 'referencesMany'

/** Whether two models are one, or one extends the other. */
const isOneLine = (a: ModelClass, b: ModelClass): boolean => isKindOf(a, b) || isKindOf(b, a)
const isKindOf = (model: ModelClass, base: ModelClass): boolean =>
  model.state.chain().some(state => state === base.state)
