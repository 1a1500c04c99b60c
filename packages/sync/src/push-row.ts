/** One pushed write: judged, settled where it is a conflict, and done as an ordinary write of its caller (SYD-22). */
import type { ModelClass, OperationOptions, Row } from '@fastback/core'
import { coerceId } from '@fastback/core/connector'
import { createInstance, deleteById, patchById, writesAreShared, type WriteKind } from '@fastback/core/remote'
import { writableByClient } from './writable-by-client.js'
import { sameValue } from './canonical-json.js'
import { ChangeLog } from './change-log.js'
import { malformed, refusedRow } from './errors.js'
import { expecting, RevisionMismatch } from './expected-revision.js'
import type { PushedChange } from './push-request.js'
import { stampFor, stampOf } from './revision.js'
import { allows, readableRows, readsOf } from './row-access.js'
import { settle } from './sync-conflict.js'
import type { Present, PushResult, Writer } from './push-writer.js'

/**
 * Does a write that its base allows; tells of a conflict otherwise.
 * @throws RequestError what an ordinary write would end with; RevisionMismatch where somebody wrote the row meanwhile
 */
export async function pushRow (writer: Writer, change: PushedChange): Promise<PushResult> {
  const present = await presentRow(writer, change.id)
  if (change.base !== (present?.rev ?? null)) return await settle(writer, change, present, applied)
  return await applied(writer, change, present)
}

/** The row as the store has it, where the caller may see it. */
export async function presentRow ({ Model, options }: Writer, id: unknown): Promise<Present | undefined> {
  const { compiled } = Model
  const value = coerceId(compiled, id)
  if (value === undefined) return undefined
  const log = ChangeLog.of(Model)
  if ((await readableRows(Model, [value], undefined, options)).size === 0) return undefined
  const reading = { ...log.options, mayBeMissing: true }
  const stored = await compiled.connector.findById(compiled, value, compiled.selectAll, reading)
  if (stored === undefined) return undefined
  return { ...stampFor(Model, stored, await readsOf(Model, options)), stored: stampOf(Model, stored) }
}

/** Writes upon the row as it is, whatever the base was. */
export async function applied (
  writer: Writer, change: PushedChange, present: Present | undefined
): Promise<PushResult> {
  if (change.deleted === true) return await removed(writer, change, present)
  if (present === undefined) return await created(writer, change)
  return await updated(writer, change, present)
}

async function removed (
  { Model, options }: Writer, { id }: PushedChange, present: Present | undefined
): Promise<PushResult> {
  if (present === undefined) return { id, ok: true, rev: null }
  mustBeShared(Model, 'delete', options)
  if (!await allows(Model, 'deleteById', await guarded(Model, id), options)) throw refused(options)
  const wanted = { Model, id: ownId(Model, id), rev: present.stored.rev }
  await expecting(wanted, async () => { await deleteById(Model.compiled, id, options) })
  return { id, ok: true, rev: null }
}

async function created (writer: Writer, change: PushedChange): Promise<PushResult> {
  const { Model, options } = writer
  const { id, data = {} } = change
  mustBeShared(Model, 'create', options)
  const row = { ...data, [idNameOf(Model)]: sameId(Model, id, data) }
  if (!await allows(Model, 'create', row, options)) throw refused(options)
  await createInstance(Model.compiled, await writableByClient(Model, row, { kind: 'create' }, options), options)
  return await written(writer, change)
}

async function updated (writer: Writer, change: PushedChange, present: Present): Promise<PushResult> {
  const { Model, options } = writer
  const { id } = change
  mustBeShared(Model, 'update', options)
  const stored = await guarded(Model, id)
  if (!await allows(Model, 'patchAttributes', stored, options)) throw refused(options)
  const changes = change.fields === undefined
    ? wholeRow(Model, await writableByClient(Model, change.data ?? {}, { kind: 'replace', stored }, options), present.data)
    : await writableByClient(Model, change.fields, { kind: 'update', stored }, options)
  sameId(Model, id, changes)
  await expecting({ Model, id: ownId(Model, id), rev: present.stored.rev }, async () => {
    if (await patchById(Model.compiled, id, changes, options) === undefined) throw new RevisionMismatch()
  })
  return await written(writer, change)
}

/** The row as it became. It is sent back where it is another than the client holds by now. */
async function written ({ Model, options }: Writer, { id, data }: PushedChange): Promise<PushResult> {
  const { compiled } = Model
  const value = coerceId(compiled, id)
  const stored = value === undefined
    ? undefined
    : await compiled.connector.findById(
      compiled, value, compiled.selectAll, { ...ChangeLog.of(Model).options, mayBeMissing: true })
  // A hook may have taken it away at once.
  if (stored === undefined) return { id, ok: true, rev: null }
  const now = stampFor(Model, stored, await readsOf(Model, options))
  const isKnown = data !== undefined && sameValue(data, now.data)
  return { id, ok: true, rev: now.rev, ...(isKnown ? {} : { data: now.data }) }
}

const idNameOf = (Model: ModelClass): string => Model.getIdName() ?? 'id'

/** The id as the row has it: clients may write a number in several ways. */
const ownId = ({ compiled }: ModelClass, id: string | number): unknown => coerceId(compiled, id) ?? id

/** @throws RequestError 400 where the data names another row */
function sameId (Model: ModelClass, id: string | number, data: Readonly<Row>): string | number {
  const own = data[idNameOf(Model)]
  if (own !== undefined && own !== null && String(own) !== String(id)) {
    throw malformed('The data has another id than the change.')
  }
  return id
}

/** A whole row as changes: what it does not say, and the client could see, is gone. */
function wholeRow ({ definition }: ModelClass, data: Readonly<Row>, present: Readonly<Row>): Row {
  const names = Object.keys(definition.properties)
  const gone = names.filter(name => data[name] === undefined && present[name] !== undefined && present[name] !== null)
  return { ...Object.fromEntries(gone.map(name => [name, null])), ...data }
}

/** The stored row with all that rules ask of it. @throws RevisionMismatch where it was deleted meanwhile */
async function guarded (Model: ModelClass, id: unknown): Promise<Row> {
  const { compiled } = Model
  const value = coerceId(compiled, id)
  const found = value === undefined
    ? undefined
    : await compiled.connector.findById(
      compiled, value, compiled.selectAll, { ...ChangeLog.of(Model).options, mayBeMissing: true })
  if (found === undefined) throw new RevisionMismatch()
  return found
}

/**
 * What is not shared is not written by another way (security.md, S-98).
 * @throws RequestError 401, 403
 */
export function mustBeShared (Model: ModelClass, kind: WriteKind, options: OperationOptions): void {
  if (!writesAreShared(Model, kind, options)) throw refused(options)
}

const refused = (options: OperationOptions): Error => refusedRow(options.accessToken != null)
