/** Writes upon a row that is another by now: what the model and its hook make of them (SYD-24). */
import type { Row } from '@fastback/core'
import { sameValue } from './canonical-json.js'
import { ChangeLog } from './change-log.js'
import type { PushedChange } from './push-request.js'
import type { Present, PushResult, Writer } from './push-writer.js'
import { readableOf } from './revision.js'
import { readsOf } from './row-access.js'
import { syncSettings, type ConflictPolicy } from './sync-settings.js'
import { sinceBase } from './trail.js'

/** What observers of `sync conflict` get, and may decide. */
export interface ConflictContext {
  readonly id: string | number
  readonly base: string | null
  /** What the client wants: a whole row, some properties, or (null) that the row be gone. */
  readonly client: Row | null
  /** The row as it is; null where it is gone. */
  readonly server: Row | null
  readonly rev: string | null
  /** What becomes of it; default: what the setting says. */
  resolution: ConflictPolicy | undefined
  /** A row to be written instead of both. */
  data: Row | undefined
}

/** Writes upon the row as it is. */
type Apply = (writer: Writer, change: PushedChange, present: Present | undefined) => Promise<PushResult>
type Notify = (hook: string, context: ConflictContext & { options: object }) => Promise<unknown>

export async function settle (
  writer: Writer, change: PushedChange, present: Present | undefined, applied: Apply
): Promise<PushResult> {
  const { Model, options } = writer
  const { id, base, data, fields, deleted } = change
  // Both sides came to the same: nobody has to choose.
  if (deleted === true && present === undefined) return { id, ok: true, rev: null }
  if (data !== undefined && present !== undefined && sameRow(data, present.data)) {
    return { id, ok: true, rev: present.rev }
  }
  const context: ConflictContext & { options: object } = {
    id,
    base,
    client: data ?? fields ?? null,
    server: present?.stored.data ?? null,
    rev: present?.stored.rev ?? null,
    resolution: undefined,
    data: undefined,
    options
  }
  await (Model.notifyObserversOf as unknown as Notify).call(Model, 'sync conflict', context)
  if (context.data !== undefined) {
    const result = await applied(writer, { id, base, data: context.data }, present)
    // The client holds another row than the hook made.
    const made = readableOf(Model, context.data, await readsOf(Model, options))
    return { ...result, data: result.data ?? made, resolved: 'hook' }
  }
  return await byPolicy(writer, change, present, context.resolution ?? syncSettings(Model).conflict, applied)
}

async function byPolicy (
  writer: Writer, change: PushedChange, present: Present | undefined, policy: ConflictPolicy, applied: Apply
): Promise<PushResult> {
  const { id, fields } = change
  if (policy === 'server') return { id, ok: true, ...asServerHas(present), resolved: 'server' }
  // Of single properties no row can be made.
  if (policy === 'client' && (present !== undefined || fields === undefined)) {
    return { ...await applied(writer, change, present), resolved: 'client' }
  }
  const merges = policy === 'fields' || (fields !== undefined && syncSettings(writer.Model).merge)
  const own = merges && present !== undefined ? await mergeable(writer, change) : undefined
  return own === undefined
    ? { id, conflict: asServerHas(present) }
    : { ...await applied(writer, { id, base: change.base, fields: own }, present), resolved: 'fields' }
}

/** The row as its caller may read it. */
export const asServerHas = (present: Present | undefined): { rev: string | null, data?: Row, deleted?: true } =>
  present === undefined ? { rev: null, deleted: true } : { rev: present.rev, data: present.data }

/** The properties that the client changed, where nobody else changed one of them since. */
async function mergeable (
  { Model, options }: Writer, { id, base, data, fields }: PushedChange
): Promise<Row | undefined> {
  const given = fields ?? data
  if (given === undefined || base === null) return undefined
  // What is known of former rows are revisions of whole ones: whoever names the right one has guessed the rest of it
  // (security.md, S-142).
  if (await readsOf(Model, options) !== undefined) return undefined
  const log = ChangeLog.of(Model)
  const since = sinceBase((await log.noted(id)).note?.trail, base)
  if (since === undefined) return undefined
  const own = since.differing(given)
  if (own.some(name => since.changed.has(name))) return undefined
  return Object.fromEntries(own.map(name => [name, given[name]]))
}

const known = (row: Readonly<Row>): object =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value != null))

/** What a row does not say is null to a store with columns. */
const sameRow = (one: Readonly<Row>, other: Readonly<Row>): boolean => sameValue(known(one), known(other))
