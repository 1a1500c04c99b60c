import type { Test } from 'tap'
import type { SuiteStore } from './store.js'

/** What a store may lack; the cases that need it are then printed as skipped. */
export type Feature =
  /** Properties that the definition does not have are kept (open models). */
  | 'open'
  | 'regexp'
  | 'near'
  | 'unique'
  /** `begin`, `commit`, `rollback`. */
  | 'transactions'
  /** Finished JSON text instead of rows. */
  | 'text'

/** One thing that every store does. Cases get a store with empty tables. */
export interface SuiteCase {
  readonly name: string
  readonly needs?: readonly Feature[]
  run (t: Test, store: SuiteStore): Promise<void>
}
