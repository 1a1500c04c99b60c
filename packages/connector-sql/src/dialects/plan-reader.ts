/** How a database says what it does for a statement. */
import type { MaybePromise, RowAccess } from '@fastback/core'
import type { Connection } from './driver.js'

export interface PlanReader {
  /**
   * The plan of a SELECT, for these values. It changes nothing; the statement may run once more. Without any value of
   * the statement: conditions are left out.
   */
  explain (connection: Connection, sql: string, values: readonly unknown[]): MaybePromise<StatementPlan>
}

export interface StatementPlan {
  readonly lines: readonly string[]
  /** Undefined where the database does not say. */
  readonly rowsRead?: number | undefined
  readonly accesses: readonly TableAccess[]
}

/** By the name that the plan has for the table: its own, or that which the statement gives it. */
export interface TableAccess {
  readonly table: string
  readonly kind: RowAccess['kind']
}
