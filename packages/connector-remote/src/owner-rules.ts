/**
 * Rules of access that look at what is written (`ownerFromToken`), of rows that another application keeps: told before
 * the data go on (security.md, S-93). Hooks of the application's own are those of the other application.
 */
import { RequestError, type ModelClass, type OperationOptions, type Row } from '@fastback/core'
import {
  hasRules, mustPassCheck, namesAny, narrowsRows, NEW_ROW, notifyRules, relationsOf, ruleOf, withPreset
} from '@fastback/core/remote'

/** A write that is about to go on. */
export interface Write {
  readonly Model: ModelClass
  readonly options: OperationOptions
  /**
   * `create` a row; `replace`, `patch` or `upsert` (either) the one with `id`; `several`: change all that a condition
   * selects; `setNew`: create or replace.
   */
  readonly kind: 'create' | 'replace' | 'setNew' | 'patch' | 'upsert' | 'several'
  readonly id?: unknown
  /** What the other application sets of the row by itself: the key of the relation that the route is one of. */
  readonly keys?: Readonly<Row>
  /** A row that is stored, or undefined. */
  stored (id: unknown): Promise<unknown>
}

/**
 * The data as the rules make them.
 * @throws RequestError 403 OWNER_CANNOT_CHANGE
 */
export async function ruledData (write: Write, data: unknown): Promise<unknown> {
  const isRuled = hasRules(write.Model, 'before save') || narrowsRows(write.Model.compiled, write.options)
  if (!isRuled || data === null || typeof data !== 'object') return data
  if (!Array.isArray(data)) return await ruledRow(write, data as Row)
  const rows: unknown[] = []
  for (const row of data) rows.push(await ruledData(write, row))
  return rows
}

async function ruledRow (write: Write, data: Row): Promise<Row> {
  const { Model, options, keys = {} } = write
  const idName = Model.getIdName() ?? 'id'
  const given: Row = { ...withKeys(Model, data), ...keys }
  const id = write.id ?? given[idName]
  const isThere = write.kind === 'setNew' || write.kind === 'upsert'
    ? id !== undefined && id !== null && await write.stored(id) != null
    : write.kind !== 'create'
  const row = isThere ? given : { ...await withPreset(Model.compiled, given, options) }
  const context = { Model, hookState: {}, options: options as Record<string, unknown> }
  if (!isThere) {
    await notifyRules(Model, 'before save', { ...context, instance: row, isNewInstance: true, [NEW_ROW]: true })
  } else if (write.kind === 'replace' || write.kind === 'setNew') {
    row[idName] = id
    await notifyRules(Model, 'before save', { ...context, instance: row, isNewInstance: false })
  } else if (write.kind === 'several') {
    await notifyRules(Model, 'before save', { ...context, data: row, where: {} })
  } else {
    const byId = { [idName]: id }
    await notifyRules(Model, 'before save', { ...context, data: row, where: byId, currentInstance: { ...byId } })
  }
  await mustBeAllowed(write, row, isThere, id)
  for (const [name, value] of Object.entries(keys)) {
    // The other application would set it all the same.
    if (row[name] !== undefined && String(row[name]) !== String(value)) throw ownerIsOther(name)
    if (data[name] === undefined) delete row[name]
  }
  return row
}

/**
 * Refuses what the rules for rows do not leave to the caller. The other application is not told of them: a row that is
 * changed there between this look and the write is written all the same.
 */
async function mustBeAllowed (
  { Model: { compiled }, options, kind, stored }: Write, row: Row, isThere: boolean, id: unknown
): Promise<void> {
  if (!narrowsRows(compiled, options)) return
  const action = isThere ? 'update' : 'create'
  if (kind !== 'several') {
    const before = isThere && kind !== 'replace' && kind !== 'setNew' ? await stored(id) : undefined
    const { toObject } = (before ?? {}) as { toObject?: () => Row }
    await mustPassCheck(compiled, action, [{ ...toObject?.call(before), ...row }], options)
    return
  }
  const rule = await ruleOf(compiled, action, options)
  if (namesAny(rule?.check, new Set(Object.keys(row)))) {
    throw new RequestError(403, `The rules of ${compiled.name} look at values that would change in several rows.`, {
      code: 'ROW_CHECK_FAILED'
    })
  }
}

/** Data under the name of a relation are its key. */
function withKeys (Model: ModelClass, data: Row): Row {
  const row = { ...data }
  for (const [name, relation] of relationsOf(Model)) {
    if (relation.type !== 'belongsTo' || !Object.hasOwn(row, name) || Model.compiled.propertyByName.has(name)) continue
    const { foreignKey = '', primaryKey = 'id' } = relation.definition
    const related = row[name] as Row | null | undefined
    delete row[name]
    if (related === null || typeof related !== 'object' || row[foreignKey] !== undefined) continue
    row[foreignKey] = related[primaryKey]
  }
  return row
}

const ownerIsOther = (name: string): RequestError =>
  new RequestError(403, `The owner (${name}) cannot be somebody else`, { code: 'OWNER_CANNOT_CHANGE' })
