/**
 * What a client sends of a row: Base64 for bytes, and values that it may set, by the rules of access
 * (`writable-values.ts`) and by the definition (`settable-values.ts`; security.md, S-99). Code in the process sets all
 * of them as it likes.
 */
import { ValidationError, type FoundViolation } from '../errors.js'
import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { Row } from '../properties/types.js'
import type { ClientWrite } from './client-write.js'
import { settableValues } from './settable-values.js'
import { keepUnseen } from './unseen-within.js'
import { writableValues } from './writable-values.js'

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
 * values of what it does not say, and a row within the row those of what the client does not see (S-195). What the
 * store works out is left out of a new row, and else a violation.
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
  const data = writableValues(model, read, write, prefix)
  if (clientRules === undefined) return withUnseen(model, data, write)
  const violations: FoundViolation[] = []
  const result = settableValues(model, clientRules, data, write, { path: prefix, violations })
  if (violations.length > 0) throw new ValidationError(model.name, violations)
  return withUnseen(model, result, write)
}

/** With what the client does not see of rows within the row. Of many rows nobody knows what each has there. */
function withUnseen (model: CompiledModel, data: Readonly<Row>, { kind, stored, reads }: ClientWrite): Readonly<Row> {
  if (kind === 'create' || stored === undefined) return data
  const isAsked = model.clientRules?.holdsUnseen === true || reads?.within !== undefined
  return isAsked ? keepUnseen(model, data, stored, reads) : data
}

/**
 * Whether a model has properties that clients may not set, itself or in rows that it holds, or do not see in those.
 *
 * ```js
 * guardsClientValues(User.compiled) // true, with `"role": { "type": "string", "readOnly": true }`
 * ```
 */
export const guardsClientValues = (model: CompiledModel): boolean => model.clientRules !== undefined
