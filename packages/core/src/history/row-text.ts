/** Rows as the JSON text that versions have of them. */
import { isDeepStrictEqual } from 'node:util'
import type { CompiledModel } from '../interfaces/compiled-model.js'
import { coerceChanges } from '../operations/validate.js'
import { dateWriter, writeNumber, writeText } from '../properties/write-json.js'
import type { Row } from '../properties/types.js'

/** Writes rows of one model. */
export interface RowWriter {
  (row: Readonly<Row>): string
  /** What a row was and what it is: what is the same in both is written once. */
  both (before: Readonly<Row>, after: Readonly<Row>): [string, string]
}

/**
 * Makes what writes rows of a model: what is recorded of them, in the order of the definition, then what an open model
 * has besides, in the order of the names. Values that are not there are left out.
 *
 * ```js
 * const write = rowWriter(Note.compiled)
 * write({ id: 1, title: 'hello', done: null }) // '{"id":1,"title":"hello"}'
 * write.both({ id: 1, title: 'a' }, { id: 1, title: 'b' }) // ['{"id":1,"title":"a"}', '{"id":1,"title":"b"}']
 * ```
 */
export function rowWriter (model: CompiledModel): RowWriter {
  const { open, propertyByName } = model
  const writers = recorded(model).map(name => ({ name, key: `${JSON.stringify(name)}:` }))
  const writeDate = dateWriter()
  const write = (row: Readonly<Row>): string => {
    let text = ''
    for (let i = 0; i < writers.length; i++) {
      const { name, key } = writers[i] as { readonly name: string, readonly key: string }
      text = joined(text, memberOf(key, row[name]))
    }
    return `{${others(text, row)}}`
  }
  const both = (before: Readonly<Row>, after: Readonly<Row>): [string, string] => {
    let was = ''
    let is = ''
    for (let i = 0; i < writers.length; i++) {
      const { name, key } = writers[i] as { readonly name: string, readonly key: string }
      const old = before[name]
      const now = after[name]
      const member = memberOf(key, old)
      was = joined(was, member)
      is = joined(is, isSame(old, now) ? member : memberOf(key, now))
    }
    return [`{${others(was, before)}}`, `{${others(is, after)}}`]
  }
  return Object.assign(write, { both })

  /** An empty text for what is left out. */
  function memberOf (key: string, value: unknown): string {
    const written = value === undefined || value === null ? undefined : writeRecorded(value, writeDate)
    return written === undefined ? '' : key + written
  }

  function others (text: string, row: Readonly<Row>): string {
    if (!open) return text
    let all = text
    for (const name of Object.keys(row).sort()) {
      if (!propertyByName.has(name)) all = joined(all, memberOf(`${writeText(name)}:`, row[name]))
    }
    return all
  }
}

const joined = (text: string, member: string): string =>
  member === '' ? text : text === '' ? member : `${text},${member}`

const isSame = (one: unknown, other: unknown): boolean => one === other ||
  (one instanceof Date && other instanceof Date && one.getTime() === other.getTime())

/**
 * A row that `rowWriter` has written, its values as the model has them.
 *
 * ```js
 * rowOfText(Note.compiled, '{"id":1,"at":"2026-11-30T12:00:00.000Z"}').at // a Date
 * ```
 */
export function rowOfText (model: CompiledModel, text: string): Row {
  const { [model.softDelete?.name ?? '']: _, ...row } = JSON.parse(text) as Row
  return coerceChanges(model, row, [])
}

/** What `JSON.stringify` writes of a value, sooner for what rows are mostly made of. */
function writeRecorded (value: unknown, writeDate: (date: Date) => string): string | undefined {
  if (typeof value === 'string') return writeText(value)
  if (typeof value === 'number') return writeNumber(value)
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  return value instanceof Date ? writeDate(value) : JSON.stringify(value, asJson)
}

/** Bytes are Base64, numbers that no double holds texts: as rows go over the wire, and are read again. */
function asJson (this: Row, key: string, value: unknown): unknown {
  const raw = this[key]
  if (Buffer.isBuffer(raw)) return raw.toString('base64')
  return typeof value === 'bigint' ? String(value) : value
}

/** Which values of a row its versions have: nothing that is sealed, and nothing of the layers before the store. */
const recorded = ({ properties, softDelete }: CompiledModel): string[] =>
  properties.flatMap(({ name, internal, sealed }) =>
    internal || name === softDelete?.name || sealed !== undefined ? [] : [name])

/**
 * Whether two rows say the same in their versions.
 *
 * ```js
 * saysSame({ at: new Date(0) }, { at: '1970-01-01T00:00:00.000Z' }) // true
 * ```
 */
export const saysSame = (one: unknown, other: unknown): boolean =>
  isDeepStrictEqual(JSON.parse(JSON.stringify(one ?? null, asJson)), JSON.parse(JSON.stringify(other ?? null, asJson)))
