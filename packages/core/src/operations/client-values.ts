/**
 * What a client sends of a row: Base64 for bytes, and values for properties that clients only read (`readOnly`,
 * `computed`), or say once (`writeOnce`; security.md, S-99). Code in the process sets all of them as it likes.
 */
import { isDeepStrictEqual } from 'node:util'
import type { CompiledModel } from '../interfaces/compiled-model.js'
import { RequestError, ValidationError, type FoundViolation } from '../errors.js'
import type { ClientRules } from '../interfaces/client-rules.js'
import type { PropertyTest, RowRule } from '../interfaces/row-rules.js'
import { modelsIn } from '../properties/nested-models.js'
import type { PropertyType, Row } from '../properties/types.js'
import { StoredInnerRows, isRow, plain } from './stored-inner-rows.js'
import { keepUnseen } from './unseen-within.js'
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
  const result = judged(clientRules, model, data, write, prefix, violations)
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

/**
 * Refuses what rules do not let the caller set, but for what the row has; a replacement keeps that. What the caller may
 * not read is refused whatever it is: whether it was right would tell the value. Rows within the row are judged by the
 * rules of their own models.
 *
 * ```js
 * writableValues(Note.compiled, { salary: 5 }, { kind: 'create', writes: name => name !== 'salary' }) // throws
 * ```
 * @returns the same object where nothing is to change
 * @throws RequestError 403 FIELD_NOT_WRITABLE
 */
export function writableValues (
  model: CompiledModel, data: Readonly<Row>, write: ClientWrite, prefix = ''
): Readonly<Row> {
  const { kind, stored, writes, reads } = write
  if (writes === undefined) return data
  let result = data
  for (const name of Object.keys(data)) {
    if (data[name] === undefined || model.key.some(part => part.name === name)) continue
    const was = kind === 'create' || !isSeen(model, name, reads) ? undefined : stored?.[name]
    if (writes(name)) {
      const type = model.propertyByName.get(name)?.type
      const value = writableWithin(model, type, { value: data[name], was }, write, `${prefix}.${name}`)
      if (value !== data[name]) result = { ...result, [name]: value }
      continue
    }
    const isKnown = kind !== 'create' && stored !== undefined && isSeen(model, name, reads)
    if (isKnown && isSame(model, name, data[name], was)) continue
    throw notWritable(model, name, prefix)
  }
  if (kind !== 'replace' || stored === undefined) return result
  const held = Object.keys(stored).filter(name => !writes(name) && data[name] === undefined)
  return held.length === 0 ? result : { ...result, ...Object.fromEntries(held.map(name => [name, stored[name]])) }
}

const notWritable = (model: CompiledModel, name: string, prefix: string): RequestError =>
  new RequestError(403, `The rules of ${model.name} do not let you set "${name}".`, {
    code: 'FIELD_NOT_WRITABLE', details: { path: `${prefix}.${name}` }
  })

/** A value, and the one that the row has now, or the list that this is one of. */
interface Sent { readonly value: unknown, readonly was: unknown }

/** Rows within a property that may be set: each replaces one that is there, or is new. */
function writableWithin (
  model: CompiledModel, type: PropertyType | undefined, { value, was }: Sent, write: ClientWrite, path: string
): unknown {
  const within = write.writes?.within
  if (within === undefined || type === undefined || value === null || typeof value !== 'object') return value
  if (modelsIn(type).length === 0) return value
  if (Array.isArray(value)) {
    const held = was instanceof StoredInnerRows ? was : new StoredInnerRows(was)
    const items = value.map((item: unknown, i) =>
      writableWithin(model, type.items ?? type, { value: item, was: held }, write, `${path}[${String(i)}]`))
    return items.some((item, i) => item !== value[i]) ? items : value
  }
  if (type.kind === 'array') return writableWithin(model, type.items, { value, was }, write, path)
  if (type.kind === 'object') {
    const [row, stored] = [value as Readonly<Row>, isRow(was) && !(was instanceof StoredInnerRows) ? was : {}]
    const members = Object.entries(row).map(([name, member]): [string, unknown] => {
      const sent = { value: member, was: stored[name] }
      return [name, writableWithin(model, type.members?.[name], sent, write, `${path}.${name}`)]
    })
    return members.some(([name, member]) => member !== row[name]) ? Object.fromEntries(members) : value
  }
  const inner = model.Model.registry.findModel(type.model as string)?.compiled
  return inner === undefined ? value : writableRow(inner, value as Readonly<Row>, was, write, path)
}

/** A row within another one, by the rules of its own model. */
function writableRow (
  inner: CompiledModel, row: Readonly<Row>, was: unknown, { kind, stored: around, writes, reads }: ClientWrite,
  path: string
): Readonly<Row> {
  const testOf = (test: PropertyTest | undefined, isOther: (name: string) => boolean): PropertyTest => {
    const own = test?.within?.(inner.name)
    return Object.assign((name: string) => !isOther(name) && own?.(name) !== false, { within: test?.within })
  }
  const own = writes?.within?.(inner.name)
  const ofMany = kind === 'update' && around === undefined
  const lost = ofMany
    ? inner.properties.find(({ name }) => own?.(name) === false && row[name] === undefined)
    : undefined
  // Of many rows nobody knows what each has there: it would be gone.
  if (lost !== undefined) throw notWritable(inner, lost.name, path)
  const stored = (was instanceof StoredInnerRows ? was : new StoredInnerRows(was)).of(inner, row)
  const known: ClientWrite = ofMany ? { kind } : stored === undefined ? { kind: 'create' } : { kind: 'replace', stored }
  return writableValues(inner, row, {
    ...known, writes: testOf(writes, () => false), reads: testOf(reads, name => inner.protectedNames.has(name))
  }, path)
}

function judged (
  { readOnly, writeOnce, computed, nested, refuses }: ClientRules, model: CompiledModel, data: Readonly<Row>,
  { kind, stored, reads }: ClientWrite, prefix: string, violations: FoundViolation[]
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
    if (isSaid && isSeen(model, name, reads) && isSame(model, name, data[name], now)) return
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
    const now = stored?.[name]
    const isShown = isSeen(model, name, reads)
    if (isShown && !namesUnseen(inner, value) && isSame(model, name, value, now)) continue
    const { clientRules: rules } = inner
    if (kind === 'update' && stored === undefined && keepsSome(inner)) {
      // Of many rows nobody knows what each has there: it would be gone.
      if (refuses) violations.push(unsettable(prefix, name, 'readOnly'))
      else put(name, undefined)
      continue
    }
    const held = new StoredInnerRows(isShown ? now : undefined)
    const rowOf = (item: unknown, path: string): unknown => {
      if (item === null || typeof item !== 'object' || rules === undefined) return item
      const was = held.of(inner, item as Row)
      const known: ClientWrite = was === undefined ? { kind: 'create' } : { kind: 'replace', stored: was }
      const shows = (each: string): boolean => !inner.protectedNames.has(each)
      return judged(rules, inner, item as Row, { ...known, reads: shows }, path, violations)
    }
    const next = Array.isArray(value)
      ? value.map((item, i) => rowOf(item, `${prefix}.${name}[${String(i)}]`))
      : rowOf(value, `${prefix}.${name}`)
    put(name, next)
  }
  return result
}

/** What a client may not see is no change that they repeat: whether it was right would tell the value. */
const isSeen = (model: CompiledModel, name: string, reads: ClientWrite['reads']): boolean =>
  reads?.(name) !== false && model.propertyByName.get(name)?.hidden !== true

/** Whether rows within a row have something that clients do not change, at any depth. */
function keepsSome (inner: CompiledModel, seen = new Set<string>()): boolean {
  const { clientRules: rules, name } = inner
  if (rules === undefined || seen.has(name)) return false
  seen.add(name)
  return rules.readOnly.size + rules.writeOnce.size > 0 || [...rules.nested.values()].some(below => {
    const model = inner.Model.registry.findModel(below)?.compiled
    return model !== undefined && keepsSome(model, seen)
  })
}

/** Whether rows within a row name what clients neither set nor see. */
function namesUnseen (inner: CompiledModel, value: unknown): boolean {
  const { clientRules: rules } = inner
  if (rules === undefined || value === null || typeof value !== 'object') return false
  if (Array.isArray(value)) return value.some(item => namesUnseen(inner, item))
  return Object.keys(value).some(name => {
    const isUnset = rules.readOnly.has(name) || rules.writeOnce.has(name)
    if (isUnset && (inner.hidden.has(name) || inner.protectedNames.has(name))) return true
    const below = rules.nested.get(name)
    const model = below === undefined ? undefined : inner.Model.registry.findModel(below)?.compiled
    return model !== undefined && namesUnseen(model, (value as Readonly<Row>)[name])
  })
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
