/** What happened to a row (setting `history`): its versions, and how one of them is brought back. */
import { badQuery, RequestError } from '../errors.js'
import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import type { PropertyTest } from '../interfaces/row-rules.js'
import type { RowVersion } from '../interfaces/row-version.js'
import type { ModelInstance } from '../instances/model-instance.js'
import { clientValues } from '../operations/client-values.js'
import { noOptions, storeOptions } from '../operations/context.js'
import { withWork } from '../operations/cost.js'
import { createInstance } from '../operations/create.js'
import { withoutExpected } from '../operations/if-version.js'
import { asInternal, isRemote } from '../operations/origin.js'
import { patchById } from '../operations/patch.js'
import { readableRow } from '../operations/readable.js'
import { restoreById } from '../operations/restore.js'
import { ruleOf } from '../operations/row-rules.js'
import { readableValue } from '../operations/rows-within.js'
import { asOne } from '../operations/with-hooks.js'
import type { Row } from '../properties/types.js'
import { coerceId } from '../query/id.js'
import { readPage, type WrittenPage } from '../query/parse-page.js'
import { WORK, type Work } from '../query/work.js'
import { HistoryLog, type StoredVersion } from './history-log.js'
import { rowOfText, saysSame } from './row-text.js'
import { isShown, mustMayRevert, mustSee, noRow, reading, reverting, type StateTest } from './seen-states.js'

/** Versions of one response, where the caller does not say how many and the model has no `maxLimit`. */
const defaultPage = 100

/** Versions that are read at once without looking at how large they are. */
const fewVersions = 10

/** @throws RequestError 400 NO_HISTORY */
function logOf (model: CompiledModel): HistoryLog {
  const log = model.hasHistory ? HistoryLog.of(model.Model) : undefined
  if (log !== undefined) return log
  throw new RequestError(
    400, `Nobody writes down what happens to rows of ${model.name}: say "history": true in its definition.`,
    { code: 'NO_HISTORY' }
  )
}

/**
 * The versions of a row, the oldest first. A caller gets those of rows that they may see: of a row that is gone, if
 * they could have seen it as it was last. A state of the row that they may not see is null, and a version without one
 * that they may see is left out, though `skip` and `limit` count it; what they may not read of a row is left out.
 *
 * ```js
 * const [first] = await historyOf(Note.compiled, 1, { limit: 10 }, options)
 * console.log(first.operation, first.after) // 'create' { id: 1, title: 'hello' }
 * ```
 * @throws RequestError 404 for a row that the caller may not see, or that never was; 400 QUERY_TOO_EXPENSIVE for more
 * characters than a response may have
 */
export async function historyOf (
  model: CompiledModel, given: unknown, filter: WrittenPage | null | undefined, options: OperationOptions = noOptions
): Promise<RowVersion[]> {
  const log = logOf(model)
  const id = coerceId(model, given)
  if (id === undefined) throw noRow(model, given)
  const store = storeOptions(model, options)
  const { isSeen } = await mustSee(model, log, id, options, store, reading)
  const page = pageOf(model, filter, options)
  const { [WORK]: work } = options[WORK] === undefined && isRemote(options) ? withWork(model, options) : options
  const versions: RowVersion[] = []
  for await (const piece of log.versions(String(id), page, store, work === undefined ? undefined : fewVersions)) {
    for (const each of piece) {
      if (work !== undefined) await counted(each, work)
      const shown = await shownVersion(model, each, isSeen, options)
      if (shown !== undefined) versions.push(shown)
    }
  }
  return versions
}

/** A version has its row twice, and many of them are as long as all rows of a list (security.md, S-180). */
async function counted ({ before, after }: StoredVersion, work: Work): Promise<void> {
  const characters = (before?.length ?? 0) + (after?.length ?? 0)
  work.read(characters)
  // What it takes to read and to write them again.
  work.spend(1 + Math.ceil(characters / 16))
  if (work.isDue) await work.rest()
}

function pageOf (
  model: CompiledModel, filter: WrittenPage | null | undefined, options: OperationOptions
): ReturnType<typeof readPage> {
  if (filter !== undefined && filter !== null && (typeof filter !== 'object' || Array.isArray(filter))) {
    throw badQuery('The filter of a history is an object with "limit" and "skip"')
  }
  const { limit, skip } = readPage(filter ?? {})
  if (!isRemote(options)) return { limit, skip }
  const most = (model.settings.maxLimit as number | undefined) ?? Math.max(defaultPage, 1000)
  if (limit !== undefined && limit > most) throw badQuery(`The limit of a history is at most ${most}`, 'LIMIT_EXCEEDED')
  return { limit: limit ?? Math.min(most, defaultPage), skip }
}

/** Undefined: the caller may see the row neither as it was before nor as it was after it. */
async function shownVersion (
  model: CompiledModel, stored: StoredVersion, isSeen: StateTest, options: OperationOptions
): Promise<RowVersion | undefined> {
  const shown = async (text: string | null | undefined): Promise<Row | null> => {
    if (typeof text !== 'string') return null
    if (!isRemote(options)) return JSON.parse(text) as Row
    const was = rowOfText(model, text)
    if (!await isSeen(was)) return null
    return JSON.parse(model.stringify(await readableRow(model, was, options), false)) as Row
  }
  const before = await shown(stored.before)
  const after = await shown(stored.after)
  if (before === null && after === null) return undefined
  const { version, operation, at, userId, userType, clientId, requestId } = stored
  return {
    version: Number(version),
    operation,
    at,
    userId: typeof userId === 'string' ? JSON.parse(userId) as unknown : null,
    ...(typeof userType === 'string' ? { userType } : {}),
    ...(typeof clientId === 'string' ? { clientId } : {}),
    requestId: requestId ?? null,
    before,
    after
  }
}

/**
 * Writes a row as it was after one of its versions: an update, for which all holds that holds for updates. A row that
 * is gone comes back. What clients only read of a row is left as it is for them.
 *
 * ```js
 * const note = await revert(Note.compiled, 1, 3, options)
 * ```
 * @throws RequestError 404 for a row that the caller may not see, and for a version that is not stored; 403
 * REVERT_REFUSED where they may not change the row otherwise; 400 VERSION_WITHOUT_ROW for a version that is a delete;
 * what an update throws
 */
export async function revert (
  model: CompiledModel, given: unknown, version: unknown, options: OperationOptions = noOptions
): Promise<ModelInstance> {
  const log = logOf(model)
  const id = coerceId(model, given)
  if (id === undefined) throw noRow(model, given)
  const wanted = Number(version)
  if (!Number.isSafeInteger(wanted) || wanted < 1) {
    throw new RequestError(400, 'The version to revert to is a whole number, from 1.', { code: 'INVALID_VERSION' })
  }
  return await asOne(model, options, async () => {
    const store = storeOptions(model, options)
    const { current, isSeen, last } = await mustSee(model, log, id, options, store, reverting)
    await mustMayRevert(model, current, last, options)
    const found = await log.version(String(id), wanted, store)
    if (found === undefined || !await isShown(model, found, isSeen)) {
      throw new RequestError(404, `There is no version ${wanted} of this row.`, { code: 'VERSION_NOT_FOUND' })
    }
    if (typeof found.after !== 'string') {
      throw new RequestError(
        400, `Version ${wanted} is a delete: revert to one before it, or delete the row.`, { code: 'VERSION_WITHOUT_ROW' })
    }
    const then = rowOfText(model, found.after)
    if (current !== undefined) return await changed(model, id, current, then, options)
    if (model.softDelete !== undefined) {
      const restored = await restoreById(model, id, withoutExpected(options))
      return await changed(model, id, plainOf(model, restored), then, withoutExpected(options))
    }
    const data = await writable(model, undefined, then, options)
    return await createInstance(model, { ...data, ...keyOf(model, then) }, { ...asInternal(options) })
  })
}

const plainOf = (model: CompiledModel, row: ModelInstance): Row =>
  Object.fromEntries(model.properties.map(({ name }) => [name, (row as Row)[name]]))

const keyOf = ({ key }: CompiledModel, row: Row): Row =>
  Object.fromEntries(key.map(({ name }) => [name, row[name]]))

async function changed (
  model: CompiledModel, id: unknown, current: Row, then: Row, options: OperationOptions
): Promise<ModelInstance> {
  const data = await writable(model, current, then, options)
  const made = await patchById(model, id, data, { ...asInternal(options) })
  if (made === undefined) throw noRow(model, id)
  return made
}

/**
 * The values that differ, as far as a write sets them: the key, the version of the row and what is stored elsewhere are
 * the row's own.
 */
async function writable (
  model: CompiledModel, current: Row | undefined, then: Row, options: OperationOptions
): Promise<Row> {
  const data: Row = {}
  const isOwn = (name: string): boolean =>
    model.key.some(part => part.name === name) || name === model.version?.name || name === model.softDelete?.name ||
    model.files.includes(name)
  for (const { name, internal, sealed, definition } of model.properties) {
    if (internal || isOwn(name) || sealed !== undefined) continue
    if (isRemote(options) && definition.readOnly === true) continue
    if (saysSame(current?.[name], then[name])) continue
    data[name] = then[name] ?? null
  }
  if (model.open) {
    for (const name of Object.keys(then)) {
      if (!model.propertyByName.has(name) && !saysSame(current?.[name], then[name])) data[name] = then[name]
    }
  }
  if (!isRemote(options)) return data
  const action = current === undefined ? 'create' : 'update'
  const rule = await ruleOf(model, action, options)
  for (const name of Object.keys(data)) data[name] = settableValue(model, name, data[name], rule?.writes)
  const write = current === undefined ? { kind: 'create' as const } : { kind: 'update' as const, stored: current }
  return { ...await clientValues(model, data, { ...write, writes: rule?.writes, reads: rule?.reads }, 'data') as Row }
}

/** A value without what clients do not set in rows within it: these keep what they have. */
function settableValue (model: CompiledModel, name: string, value: unknown, writes: PropertyTest | undefined): unknown {
  const within = (modelName: string): PropertyTest => {
    const { clientRules: rules } = model.Model.registry.findModel(modelName)?.compiled ?? {}
    const own = writes?.within?.(modelName)
    return each => own?.(each) !== false && rules?.readOnly.has(each) !== true && rules?.writeOnce.has(each) !== true
  }
  return readableValue(model, name, value, Object.assign(() => true, { within }))
}
