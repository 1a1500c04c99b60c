/** Rows within a row that a client sends anew, and those that are there. */
import type { FoundViolation } from '../errors.js'
import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { Row } from '../properties/types.js'
import { sameText } from '../schemas/unique-items.js'
import { coerceChanges } from './validate.js'

/**
 * What a row has in a property whose rows a client sends anew: the one row, or a list of them. Rows of a list are found
 * by their ids, in one pass over both lists: comparing each with each other one takes seconds for what one request can
 * send (security.md, S-165).
 *
 * ```js
 * new StoredInnerRows(stored.lines).of(Line.compiled, { id: 2, text: 'new' }) // the line that has the id 2
 * ```
 */
export class StoredInnerRows {
  #byId: ReadonlyMap<string, Readonly<Row>> | undefined

  constructor (readonly value: unknown) {}

  /** The row that one that is sent would replace: the only one, or that with the same id. */
  of (inner: CompiledModel, sent: Readonly<Row>): Readonly<Row> | undefined {
    const { value } = this
    if (!Array.isArray(value)) return isRow(value) ? value : undefined
    const name = inner.id?.name
    if (name === undefined || sent[name] === undefined || sent[name] === null) return undefined
    this.#byId ??= rowsById(value, name)
    const violations: FoundViolation[] = []
    const { [name]: id } = coerceChanges(inner, { [name]: sent[name] }, violations)
    return violations.length === 0 && id !== undefined ? this.#byId.get(sameText(plain(id))) : undefined
  }
}

/** The first row with each id. */
function rowsById (rows: readonly unknown[], name: string): Map<string, Readonly<Row>> {
  const byId = new Map<string, Readonly<Row>>()
  for (const row of rows) {
    if (!isRow(row) || row[name] === undefined || row[name] === null) continue
    const key = sameText(plain(row[name]))
    if (!byId.has(key)) byId.set(key, row)
  }
  return byId
}

export const isRow = (value: unknown): value is Readonly<Row> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** As JSON has it: dates are texts, and instances plain. */
export const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value, (_, each: unknown) =>
  typeof each === 'bigint' ? String(each) : each))
