/** Responses of any number of rows, which are read page by page. */
import type { RowModel } from '../properties/row-model.js'
import type { Row } from '../properties/types.js'
import type { Query } from '../query/ast.js'

/** How much may be read, and how. */
export interface PageSettings {
  /** Rows of the whole response. */
  readonly rows: number
  /** Rows that are read at once; more where the store takes long, fewer where so many are too large. */
  readonly pageSize: number
  /** False: rows come without their related rows, whatever a scope includes. Default: true. */
  readonly includes?: boolean
}

/** Rows in order, in lists of which each is read when it is asked for. */
export interface RowPages {
  readonly model: RowModel
  /** What is read: the filter with default scope and hooks. */
  readonly query: Query
  /** The lists, once. */
  lists (): AsyncGenerator<Row[], void>
}
