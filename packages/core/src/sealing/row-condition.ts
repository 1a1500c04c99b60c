/** The condition that one row meets, by its key. */
import type { StoredModel } from '../definition/stored-model.js'
import type { Row } from '../properties/types.js'
import type { Condition, ConditionValue } from '../query/ast.js'

/** The row with the key of this one, and no other. */
export function rowCondition ({ key }: StoredModel, row: Readonly<Row>): Condition {
  const conditions = key.map(({ name, type }): Condition => ({
    kind: 'compare',
    path: { property: name, path: [], type, declared: true },
    op: 'eq',
    value: row[name] as ConditionValue
  }))
  return conditions.length === 1 ? conditions[0] as Condition : { kind: 'and', conditions }
}
