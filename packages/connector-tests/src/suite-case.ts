import type { Test } from 'tap'
import type { SuiteStore } from './store.js'

/** What a connector says that it can do. Each claim has cases; what is not claimed must not be there. */
export type Claim =
  /** Rows: everything that models which extend `PersistedModel` need. */
  | 'rows'
  /** `connector.transactions`. */
  | 'transactions'
  /** `connector.text`: finished JSON text instead of rows. */
  | 'text'
  /** `connector.together`: rows that are written in one step. */
  | 'together'
  /** `connector.keepsVersions`: each write of a row is counted. */
  | 'versions'
  /** `connector.keyValue`: values by key, with time to live. */
  | 'keyValue'
  /** Rows are there for a second connector, made after the first was closed. */
  | 'persistence'

/** What a store of rows may lack. */
export type Feature =
  /** Properties that the definition does not have are kept (open models). */
  | 'open'
  /** Conditions with `regexp`. */
  | 'regexp'
  /** Conditions with `near`. */
  | 'near'
  /** Unique indexes. */
  | 'unique'
  /** Parts of a transaction that are taken back by themselves (`transactions.savepoint`). */
  | 'savepoints'
  /** Models whose id is several properties; what lacks it refuses them when they are attached. */
  | 'compound ids'

/** One thing that every store does. Cases get a store with empty tables. */
export interface SuiteCase {
  readonly name: string
  /** It is left out, and printed as skipped, where the store lacks one of these. */
  readonly needs?: readonly Feature[]
  run (t: Test, store: SuiteStore): Promise<void>
}
