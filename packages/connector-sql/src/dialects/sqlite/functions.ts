/**
 * The SQL functions that a SQLite connection gets, for what SQL cannot say exactly. Each exists only on this connection; other programs that use the
 * file need none of them.
 */
import type { Row } from '@fastback/core'
import { decodeExtra, passes, setOwn, type ExtraChanges, type ExtraFilter } from '../../tables/extra.js'
import { encodeJson } from '../../tables/json-text.js'
import { StatementCache } from '../../statement-cache.js'
import type { Callback, ColumnFormat } from '../dialect.js'
import type { SqliteDatabase } from './driver.js'
import { decodeDate } from './dates.js'

/** Callbacks of the statement that is running, by position. */
export type Slots = Callback[]

export function addFunctions (database: SqliteDatabase, slots: Slots): void {
  const filters = new StatementCache<(name: string) => boolean>(200)
  const filterOf = (text: string): ((name: string) => boolean) => {
    let filter = filters.get(text)
    if (filter === undefined) {
      filter = passes(JSON.parse(text) as ExtraFilter)
      filters.set(text, filter)
    }
    return filter
  }
  database.function('fastback_call', { directOnly: true }, (value: unknown, slot: number) => (slots[slot] as Callback)(value))
  database.function('fastback_json', { deterministic: true, directOnly: true }, jsonOf)
  database.function('fastback_extra', { deterministic: true, directOnly: true }, (text: unknown, filter: string) => pick(text, filterOf(filter)))
  database.function('fastback_merge', { deterministic: true, directOnly: true }, merge)
}

/** JSON text of values that are not what this connector would have stored, as rows would show them. */
function jsonOf (value: unknown, format: ColumnFormat['name']): string {
  switch (format) {
    case 'real': case 'integer': return JSON.stringify(Number(value))
    case 'boolean': return String(value !== 'false' && value !== '0' && value !== '' && value !== 0)
    case 'date': case 'milliseconds': return JSON.stringify(decodeDate(value))
    case 'blob': return JSON.stringify(value instanceof Uint8Array ? Buffer.from(value) : Buffer.from(String(value)))
    default: return JSON.stringify(value)
  }
}

/** Members of the overflow text that pass, each with a comma before it. */
function pick (text: unknown, passing: (name: string) => boolean): string {
  const extra = decodeExtra(text)
  let members = ''
  for (const name of Object.keys(extra)) if (passing(name)) members += `,${JSON.stringify(name)}:${JSON.stringify(extra[name])}`
  return members
}

/** The overflow text after changes; null when nothing is left. */
function merge (text: unknown, changes: string): string | null {
  const { set, remove } = JSON.parse(changes) as ExtraChanges
  const extra: Row = decodeExtra(text)
  for (const name of remove) delete extra[name]
  for (const name of Object.keys(set)) setOwn(extra, name, set[name])
  return Object.keys(extra).length === 0 ? null : encodeJson(extra)
}
