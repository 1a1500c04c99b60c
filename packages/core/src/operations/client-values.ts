/**
 * What a client sends of a row: Base64 for bytes, and values for properties that clients only read (`readOnly`,
 * `computed`), or say once (`writeOnce`; security.md, S-99). Code in the process sets all of them as it likes.
 */
import { isDeepStrictEqual } from 'node:util'
import type { CompiledModel } from '../interfaces/compiled-model.js'
import { RequestError, ValidationError, type FoundViolation } from '../errors.js'
import type { ClientRules } from '../interfaces/client-rules.js'
import type { RowRule } from '../interfaces/row-rules.js'
import type { Row } from '../properties/types.js'
import { coerceChanges } from './validate.js'

/** What a client does with the data, and what is known of the row that they are for. */
export interface ClientWrite {
  /** A replacement keeps what the client may not say. */
  readonly kind: 'create' | 'update' | 'replace'
  /** The row as it is; undefined where it is not there, or the data are for many. */
  readonly stored?: Readonly<Row> | undefined
  /** The properties that rules let the caller set; undefined: all. */
  readonly writes?: RowRule['writes']
  /** Those that rules let the caller read; undefined: all. */
  readonly reads?: RowRule['reads']
}

/**
 * Data that came as JSON, with the bytes in the place of their Base64.
 *
 * ```js
 * clientBytes(Photo.compiled, { name: 'a', thumbnail: 'AAEC' }) // { name: 'a', thumbnail: <Buffer 00 01 02> }
 * ```
 * @param prefix of paths: `[1]` in a list
 * @returns the same object where nothing is to change
 * @throws ValidationError 422 with the code `format`
 */
export function clientBytes (model: CompiledModel, data: Readonly<Row>, prefix = ''): Readonly<Row> {
  const { readBytes } = model
  if (readBytes === undefined || data === null || typeof data !== 'object') return data
  const violations: FoundViolation[] = []
  const read = readBytes(data, prefix, violation => { violations.push(violation) })
  if (violations.length > 0) throw new ValidationError(model.name, violations)
  return read
}

/**
 * Data as a client may write them, bytes read. Where the setting `readOnlyProperties` is "ignore", what the client may
 * not say is left out, else it is a violation; a value that the row has already is none. A replacement gets the stored
 * values of what it does not say. What the store works out is left out of a new row, and else a violation.
 *
 * ```js
 * clientValues(User.compiled, { name: 'Ann', role: 'admin' }, { kind: 'create' })
 * ```
 * @param prefix of paths: `[1]` in a list
 * @returns the same object where nothing is to change
 * @throws ValidationError 422 with the codes `readOnly` and `writeOnce`; RequestError 403 FIELD_NOT_WRITABLE for what
 * rules do not let the caller set
 */
export function clientValues (
  model: CompiledModel, sent: Readonly<Row>, write: ClientWrite, prefix = ''
): Readonly<Row> {
  const { clientRules } = model
  const read = clientBytes(model, sent, prefix)
  if (read === null || typeof read !== 'object') return read
  const data = write.writes === undefined ? read : writable(model, read, write, write.writes, prefix)
  if (clientRules === undefined) return data
  const violations: FoundViolation[] = []
  const result = judged(clientRules, model, data, write, prefix, violations)
  if (violations.length > 0) throw new ValidationError(model.name, violations)
  return result
}

/**
 * Whether a model has properties that clients may not set, itself or in rows that it holds.
 *
 * ```js
 * guardsClientValues(User.compiled) // true, with `"role": { "type": "string", "readOnly": true }`
 * ```
 */
export const guardsClientValues = (model: CompiledModel): boolean => model.clientRules !== undefined

/**
 * Refuses what rules do not let the caller set, but for what the row has; a replacement keeps that. What the caller may
 * not read is refused whatever it is: whether it was right would tell the value.
 */
function writable (
  model: CompiledModel, data: Readonly<Row>, { kind, stored, reads }: ClientWrite,
  writes: NonNullable<ClientWrite['writes']>, prefix: string
): Readonly<Row> {
  for (const name of Object.keys(data)) {
    if (writes(name) || data[name] === undefined || model.key.some(part => part.name === name)) continue
    const isSeen = kind !== 'create' && stored !== undefined && reads?.(name) !== false
    if (isSeen && isSame(model, name, data[name], stored[name])) continue
    const path = `${prefix}.${name}`
    throw new RequestError(403, `The rules of ${model.name} do not let you set "${name}".`, {
      code: 'FIELD_NOT_WRITABLE', details: { path }
    })
  }
  if (kind !== 'replace' || stored === undefined) return data
  const held = Object.keys(stored).filter(name => !writes(name) && data[name] === undefined)
  return held.length === 0 ? data : { ...data, ...Object.fromEntries(held.map(name => [name, stored[name]])) }
}

function judged (
  { readOnly, writeOnce, computed, nested, refuses }: ClientRules, model: CompiledModel, data: Readonly<Row>,
  { kind, stored }: ClientWrite, prefix: string, violations: FoundViolation[]
): Readonly<Row> {
  let result = data
  const put = (name: string, value: unknown): void => {
    if (result === data) result = { ...data }
    const row = result as Row
    if (value === undefined) delete row[name]
    else row[name] = value
  }
  const judge = (name: string, code: 'readOnly' | 'writeOnce', isRefused = refuses): void => {
    const now = stored?.[name]
    const isSaid = Object.hasOwn(data, name) && data[name] !== undefined
    if (isSaid && isSame(model, name, data[name], now)) return
    if (isSaid && isRefused) violations.push(unsettable(prefix, name, code))
    // The row keeps what it has.
    else if (kind === 'replace') put(name, now ?? undefined)
    else if (isSaid) put(name, undefined)
  }
  for (const name of readOnly) if (!computed.has(name)) judge(name, 'readOnly')
  for (const name of computed) {
    if (kind !== 'create') judge(name, 'readOnly', true)
    else if (Object.hasOwn(data, name)) put(name, undefined)
  }
  for (const name of writeOnce) if (!mayChange(kind, stored, name)) judge(name, 'writeOnce')
  for (const [name, innerName] of nested) {
    const value = data[name]
    const inner = model.Model.registry.findModel(innerName)?.compiled
    if (inner === undefined || value === undefined || value === null) continue
    if (isSame(model, name, value, stored?.[name])) continue
    const { clientRules: rules } = inner
    const rowOf = (item: unknown, path: string): unknown =>
      item === null || typeof item !== 'object' || rules === undefined
        ? item
        : judged(rules, inner, item as Row, { kind: 'create' }, path, violations)
    const next = Array.isArray(value)
      ? value.map((item, i) => rowOf(item, `${prefix}.${name}[${String(i)}]`))
      : rowOf(value, `${prefix}.${name}`)
    put(name, next)
  }
  return result
}

/** What is said once: with the row, or where the row has nothing yet. */
const mayChange = (kind: ClientWrite['kind'], stored: Readonly<Row> | undefined, name: string): boolean =>
  kind === 'create' || (stored !== undefined && (stored[name] === undefined || stored[name] === null))

/** Whether the client sends what the row has, as a response showed it. */
function isSame (model: CompiledModel, name: string, sent: unknown, stored: unknown): boolean {
  const has = stored ?? null
  if (sent === null || has === null) return sent === null && has === null
  const violations: FoundViolation[] = []
  const { [name]: converted } = coerceChanges(model, { [name]: sent }, violations)
  return violations.length === 0 && isDeepStrictEqual(plain(converted), plain(has))
}

/** As JSON has it: dates are texts, and instances plain. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value, (_, each: unknown) =>
  typeof each === 'bigint' ? String(each) : each))

/**
 * What is wrong with a value that clients may not set.
 *
 * ```js
 * unsettable('', 'role', 'readOnly').message // 'can only be read'
 * ```
 */
export function unsettable (prefix: string, name: string, code: 'readOnly' | 'writeOnce'): FoundViolation {
  const message = code === 'readOnly' ? 'can only be read' : 'can only be set once'
  return { path: `${prefix}.${name}`, code, message, info: {} }
}
