/**
 * The SQL functions that a SQLite connection gets, for what SQL cannot say exactly. Each exists only on this
 * connection; other programs that use the file need none of them.
 */
import type { Row } from '@fastback/core'
import { decodeExtra, setOwn, type ExtraChanges } from '../../tables/extra.js'
import { encodeJson } from '../../tables/json-text.js'
import type { SqliteDatabase } from './driver.js'

/**
 * A function that JavaScript runs on a value of a row while SQLite looks for rows. Gets the raw value, answers a raw
 * value.
 */
export type Callback = (raw: unknown) => unknown

/** Callbacks of the statement that is running, by position. */
export type Slots = Callback[]

export function addFunctions (database: SqliteDatabase, slots: Slots): void {
  database.function('fastback_call', { directOnly: true }, (value: unknown, slot: number) =>
    (slots[slot] as Callback)(value)
  )
  database.function('fastback_merge', { deterministic: true, directOnly: true }, merge)
}

/** The extra text after changes; null when nothing is left. */
function merge (text: unknown, changes: string): string | null {
  const { set, remove } = JSON.parse(changes) as ExtraChanges
  const extra: Row = decodeExtra(text)
  for (const name of remove) delete extra[name]
  for (const name of Object.keys(set)) setOwn(extra, name, set[name])
  return Object.keys(extra).length === 0 ? null : encodeJson(extra)
}
