/** What one operation works with: the collection of its model, within its transaction. */
import type { Work } from '@fastback/core'
import type { DocumentMap } from './documents/document-map.js'
import type { ClientSession, Collection, Driver, Stored } from './driver.js'

/** Options of every command. */
export interface CommandOptions {
  readonly session?: ClientSession
  readonly maxTimeMS?: number
}

export interface Access {
  readonly driver: Driver
  readonly map: DocumentMap
  readonly collection: Collection<Stored>
  /** Counted ids and locks. */
  readonly internal: Collection<Stored>
  readonly options: CommandOptions
  readonly work: Work | undefined
  /**
   * Runs several commands as one: in the transaction that is open, or in one of their own. Where the server has none,
   * they run as they are, and `isAtomic` is false.
   */
  atomically: <T>(work: (access: Access, isAtomic: boolean) => Promise<T>) => Promise<T>
}
