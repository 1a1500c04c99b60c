/** What stores are asked to explain, and what they say of it. */
import type { StoredModel } from '../definition/stored-model.js'
import type { Query } from '../query/ast.js'

/** A read, as a store was asked for it. */
export interface StoreRead {
  readonly model: StoredModel
  /** `find`, `findById`, `count`, `aggregate`, or a function of `TextSupport`. */
  readonly operation: string
  /** What was asked; of a count and of groups, the condition alone. */
  readonly query: Query
  /** Other models that the same step may read. */
  readonly others: readonly StoredModel[]
}

/** What a connector sent for a read, where it sends requests of its own (`Connector.observed`). */
export interface StoreStatement {
  readonly sql: string
  readonly params: readonly unknown[]
}

/** How the rows of one model are found in a step. */
export interface RowAccess {
  /** Name of the model; undefined for what belongs to none. */
  readonly model: string | undefined
  /**
   * `all`: each row is looked at. `inOrder`: they are looked at along an index, until the page is full. `found`: an
   * index leads to them.
   */
  readonly kind: 'all' | 'inOrder' | 'found'
}

/** How a store answers a read. Without values: a plan names tables, indexes and numbers. */
export interface Explanation {
  /** Lines of the plan, those of inner steps indented. */
  readonly plan: readonly string[]
  /** Rows that were looked at; undefined where the store does not say. */
  readonly rowsRead?: number | undefined
  readonly accesses: readonly RowAccess[]
}
