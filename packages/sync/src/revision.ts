/** Revisions of rows, and the ids of their changes. */
import crypto from 'node:crypto'
import type { ModelClass, Row, RowRule } from '@fastback/core'
import { readablePart } from '@fastback/core/remote'
import { canonicalJson } from './canonical-json.js'
import type { ChangeRow } from './change.js'
import { rowCanonical } from './row-canonical.js'

/**
 * The hash of a text, in lower-case hexadecimal digits. SHA-1 tells revisions apart; it protects nothing.
 *
 * ```js
 * hashOf('Note-n1') // '116adb5a182268b1ddbe0e22226f0e10f092040d'
 * ```
 */
export const hashOf = (text: string, algorithm = 'sha1'): string => hash(algorithm, text)

/** Node 20.12 has it in one step, which costs half as much. */
const hash = (crypto as { hash?: (algorithm: string, text: string) => string }).hash ??
  ((algorithm: string, text: string) => crypto.createHash(algorithm).update(text, 'utf8').digest('hex'))

/** The id of the change of a row (SY-20). */
export const changeId = (modelName: string, id: unknown): string => hashOf(`${modelName}-${String(id)}`)

/**
 * A row as its JSON response has it, without hidden properties, and with the defaults that it lacks; not with those
 * that a function makes, which are others each time.
 *
 * ```js
 * visibleRow(User, { id: 1, password: '…' }) // { id: 1 }
 * ```
 */
export function visibleRow ({ compiled, definition }: ModelClass, row: Readonly<Row>): Row {
  const whole: Row = { ...row }
  compiled.applyDefaults(whole)
  for (const [name, { defaultFn }] of Object.entries(definition.properties)) {
    if (defaultFn !== undefined && row[name] === undefined) delete whole[name]
  }
  return JSON.parse(compiled.stringify(whole, false)) as Row
}

/** The revision of a row (SY-21), with the model's setting `hashAlgorithm`, and the row as it is sent. */
export function stampOf (Model: ModelClass, row: Readonly<Row>): { readonly rev: string, readonly data: Row } {
  const data = visibleRow(Model, row)
  return { data, rev: revisionOfText(Model, canonicalJson(data)) }
}

/**
 * A row as a caller may read it, with the revision that it has for them: where properties are left out, that of the
 * others. The revision of all of it would tell whoever tries values what is left out.
 *
 * ```js
 * stampFor(Note, row, name => name !== 'salary') // { rev: '…', data: { id: 'n1', text: 'a' } }
 * ```
 * @param reads whether the caller may read a property; undefined: all
 */
export function stampFor (
  Model: ModelClass, row: Readonly<Row>, reads: RowRule['reads']
): { readonly rev: string, readonly data: Row } {
  if (reads === undefined) return stampOf(Model, row)
  const data = readableOf(Model, visibleRow(Model, row), reads)
  return { data, rev: revisionOfText(Model, canonicalJson(data)) }
}

/** Of this process: a revision of before is told to nobody who could try values with it, and is compared by nobody. */
const secret = crypto.randomBytes(32)

/**
 * The change of a row as a caller may know it: where properties are left out, with the revision of the others.
 *
 * ```js
 * changeFor(Note, change, row, name => name !== 'salary').rev // that of a row without "salary"
 * ```
 * @param row undefined: it is gone
 * @param reads whether the caller may read a property; undefined: all
 */
export function changeFor (
  Model: ModelClass, change: ChangeRow, row: Readonly<Row> | undefined, reads: RowRule['reads']
): ChangeRow {
  if (reads === undefined) return change
  const { prev } = change
  const before = typeof prev === 'string' ? { prev: crypto.createHmac('sha1', secret).update(prev).digest('hex') } : {}
  return { ...change, ...before, ...row === undefined ? {} : { rev: stampFor(Model, row, reads).rev } }
}

/** What of a row may be read. */
export const readableOf = ({ compiled }: ModelClass, row: Readonly<Row>, reads: RowRule['reads']): Row =>
  readablePart(compiled, row as Row, reads)

/** The revision of a row whose canonical JSON this is. */
export function revisionOfText ({ settings: { hashAlgorithm } }: ModelClass, text: string): string {
  return hashOf(text, typeof hashAlgorithm === 'string' ? hashAlgorithm : undefined)
}

/** The revision alone. */
export function revisionOf (Model: ModelClass, row: Readonly<Row>): string {
  const text = rowCanonical(Model, row)
  return text === undefined ? stampOf(Model, row).rev : revisionOfText(Model, text)
}
