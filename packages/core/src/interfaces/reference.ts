/** Keys that lead from rows of one model to rows of another. */
import type { Row } from '../properties/types.js'
import type { ModelClass } from './model-class.js'

/**
 * What becomes of the rows that lead to a row which is deleted (or whose key changes): nothing may lead to it, they go
 * with it, or their keys become null.
 */
export type ReferenceAction = 'restrict' | 'cascade' | 'setNull'

export interface Reference {
  /** The model whose rows have the key. */
  readonly holder: ModelClass
  readonly property: string
  readonly target: ModelClass
  /** What the key is compared with: the id, as a rule. */
  readonly targetProperty: string
  /** What rows of a polymorphic relation have beside the key; empty for others. */
  readonly only: Readonly<Row>
  readonly onDelete: ReferenceAction | undefined
  readonly onUpdate: ReferenceAction | undefined
  /** Whether the store should have a constraint. Undefined: the data source says. */
  readonly foreignKeys: boolean | undefined
}
