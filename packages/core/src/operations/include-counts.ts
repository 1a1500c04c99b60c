/** Related rows that are counted: `include: { relation: 'books', count: true }`. */
import { includedOf, RelatedCount, setIncluded } from '../instances/included.js'
import type { Relation } from '../interfaces/relation.js'
import type { Row } from '../properties/types.js'
import type { IncludeNode } from '../query/ast.js'

/**
 * The include of rows that are only counted, without what they hold. Where rules judge the rows one by one they are
 * read as they are: a rule may look at any property.
 */
export function keysAlone (relation: Relation, node: IncludeNode): IncludeNode {
  const target = relation.embedded ? undefined : relation.target()?.compiled
  const key = target?.id?.name
  if (key === undefined || target?.hidden.has(key) === true || target?.protectedNames.has(key) === true) return node
  // What the scope was read as selects other properties: it is read again, from the same condition.
  const { query: _, ...rest } = node
  return { ...rest, scope: { ...node.scope, fields: [key] } }
}

/** Puts how many there are in the place of the related rows. */
export function countIncluded (rows: readonly Row[], { name }: Relation): void {
  for (const row of rows) {
    const found = includedOf(row)?.[name]
    const count = found === undefined || found === null ? 0 : Array.isArray(found) ? found.length : 1
    setIncluded(row, name, new RelatedCount(count) as unknown as Row)
  }
}
