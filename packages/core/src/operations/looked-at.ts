/**
 * What a client may say of a row depends on the row: what is said once, what only the server changes and a replacement
 * keeps, what stays in rows within it. The row is looked at before the write, so the write looks again, with the row
 * locked: nothing that somebody else has written meanwhile is taken for what the client saw (security.md, S-131).
 */
import { isDeepStrictEqual } from 'node:util'
import type { Id } from '../data-source/connector.js'
import { RequestError } from '../errors.js'
import type { CompiledModel } from '../interfaces/compiled-model.js'
import { LOOKED_AT, type LookedAt, type OperationOptions } from '../interfaces/operation-options.js'
import { chain, type MaybePromise } from '../maybe-promise.js'
import { modelsIn } from '../properties/nested-models.js'
import type { Row } from '../properties/types.js'
import { coerceId, rowId } from '../query/id.js'
import { isSame, type ClientWrite } from './client-write.js'
import { plain } from './stored-inner-rows.js'
import { withRowLock } from './write-locks.js'

/**
 * What a write has to look at again; undefined where the row says nothing about the data.
 *
 * ```js
 * lookOf(Member.compiled, { code: 'a' }, { kind: 'update', stored }) // where `code` has `writeOnce`
 * ```
 * @param data as they were judged (`clientValues`)
 */
export function lookOf (
  model: CompiledModel, data: Readonly<Row>, write: ClientWrite
): LookedAt | undefined {
  const { kind, stored } = write
  if (data === null || typeof data !== 'object' || model.key.length === 0) return undefined
  if (stored === undefined && kind !== 'create') return undefined
  const isDecided = decidedBy(model, write)
  if (isDecided === undefined) return undefined
  const kept = kind === 'replace' ? [...Object.keys(stored as Row), ...model.properties.map(({ name }) => name)] : []
  const names = [...new Set([...Object.keys(data), ...kept])].filter(isDecided)
  if (names.length === 0) return undefined
  // Of a row that was not there: where somebody else has made it, what is said once has been said.
  const named = stored ?? data
  const id = model.key.every(({ name }) => named[name] !== undefined && named[name] !== null)
    ? coerceId(model, rowId(model, named))
    : undefined
  return id === undefined ? undefined : { model, id, stored: stored ?? {}, data, names }
}

/** Which properties a client does not set as they like; undefined: there are none. */
function decidedBy (
  model: CompiledModel, { writes, reads }: ClientWrite
): ((name: string) => boolean) | undefined {
  const { clientRules: rules } = model
  const asksWithin = rules?.holdsUnseen === true || writes?.within !== undefined || reads?.within !== undefined
  if (rules === undefined && writes === undefined && !asksWithin) return undefined
  return name => {
    if (model.key.some(part => part.name === name)) return false
    const isSaidOnce = rules?.readOnly.has(name) === true || rules?.writeOnce.has(name) === true
    if (isSaidOnce || rules?.nested.has(name) === true || writes?.(name) === false) return true
    const type = asksWithin ? model.propertyByName.get(name)?.type : undefined
    return type !== undefined && modelsIn(type).length > 0
  }
}

/**
 * The options of the write that was judged.
 *
 * ```js
 * await patchInstance(model, row, said, lookedAt(options, lookOf(model, said, write)))
 * ```
 */
export const lookedAt = (options: OperationOptions, look: LookedAt | undefined): OperationOptions =>
  look === options[LOOKED_AT] ? options : { ...options, [LOOKED_AT]: look }

/**
 * Writes a row, if what a client said of it was judged with its lock held: as it is now.
 * @param values what is written, brought up to date
 * @throws RequestError 409 ROW_CHANGED where what the client said was right for the row as it was, and is not any more
 */
export function writeAsJudged<T> (
  model: CompiledModel, id: Id, values: Row, options: OperationOptions, write: () => MaybePromise<T>
): MaybePromise<T> {
  const { [LOOKED_AT]: look } = options
  if (look?.model !== model || String(look.id) !== String(id)) return write()
  return withRowLock(model, id, options, row => chain(bringUpToDate(model, look, values, row), write))
}

function bringUpToDate (model: CompiledModel, look: LookedAt, values: Row, row: Readonly<Row>): void {
  const { stored, data } = look
  for (const name of look.names) {
    const [now, was] = [row[name] ?? null, stored[name] ?? null]
    if (isDeepStrictEqual(plain(was), plain(now))) continue
    const isSaid = data[name] !== undefined
    if (isSaid) {
      const value = Object.hasOwn(values, name) ? values[name] : undefined
      // What code of the application has set or left out since is its own.
      if (value === undefined || isSame(model, name, value, now) || !isSame(model, name, data[name], value)) continue
      if (!isSame(model, name, data[name], was)) throw rowChanged(model)
    }
    // A value that was there: the row keeps the one that it has now.
    if (isSaid || isUnset(model, name, values[name])) values[name] = now
  }
}

/** Whether a replacement gives a property no value of its own. */
function isUnset (model: CompiledModel, name: string, value: unknown): boolean {
  if (value === undefined || value === null) return true
  const initial = model.propertyByName.get(name)?.definition.default
  return initial !== undefined && typeof initial !== 'function' && isSame(model, name, initial, value)
}

const rowChanged = ({ name }: CompiledModel): RequestError => new RequestError(
  409, `Somebody else has changed this row of ${name} meanwhile: read it again, and send what is still to be changed.`,
  { code: 'ROW_CHANGED' }
)
