/** What stands in the store, by table. */
import type { Id } from '../store.js'

export type Row = Record<string, unknown>

export const rowsOf = (model: string): string => `rows/${model}`
export const outboxOf = (model: string): string => `outbox/${model}`
export const refusedOf = (model: string): string => `refused/${model}`
/** One record of each kind below, by a key of its own. */
export const meta = 'meta'
export const sessionKey = 'session'
export const counterKey = 'counter'
export const cursorKey = (model: string): string => `cursor/${model}`
export const pushKey = (model: string): string => `push/${model}`

/** Whose rows these are, and for which version of the application; another `id` after each wipe. */
export interface Session {
  readonly id: string
  readonly user: string | null
  readonly version: number | null
}

/** A row as its user sees it: with the writes that the server does not have yet. */
export interface LocalRow {
  readonly data: Row
  /** The revision that the server gave it; null where it does not have the row yet. */
  readonly rev: string | null
  /** The list from the beginning that the row was in, see `Cursor`. */
  readonly round: number
}

/** A row as the server has it; both null: gone. */
export interface Remote {
  readonly rev: string | null
  readonly data: Row | null
}

/** All writes of one row that the server does not have yet (SYD-31). */
export interface Pending {
  /** The revision that they were made upon, and what the row was then. */
  readonly base: Remote
  /** What the row is to become; null: gone. */
  readonly data: Row | null
  /** Which write was the last: what was sent may be older. */
  readonly write: number
  /** Which was the first: rows go up in this order. */
  readonly order: number
  /** What a pull told of the row meanwhile: what it goes back to where the writes are refused. */
  readonly newest?: Remote
  /** Somebody else wrote the row, and nobody has decided yet: it is not sent until then. */
  readonly conflict?: Remote
}

/** How far the list of a model was pulled. */
export interface Cursor {
  /** Undefined: from the beginning. */
  readonly after: string | undefined
  /** Grows with each beginning. When the list is through, rows of older rounds are dropped: nobody told of them. */
  readonly round: number
  readonly isListing: boolean
}

export interface SentChange {
  readonly id: Id
  readonly base: string | null
  readonly data?: Row
  readonly deleted?: true
}

/** A push whose answer has not come: sent again as it is, under its key. */
export interface SentPush {
  readonly key: string
  readonly changes: readonly SentChange[]
  /** `Pending.write` of each change. */
  readonly writes: readonly number[]
  /** Whether it was sent before, and its response did not come. */
  readonly isAgain?: boolean
}

/** A write that the server did not take; it was rolled back. */
export interface Refused {
  readonly data: Row | null
  readonly error: unknown
  /** Milliseconds since 1970. */
  readonly at: number
}
