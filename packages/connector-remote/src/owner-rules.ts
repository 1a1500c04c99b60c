/**
 * Rules of access that look at what is written (`ownerFromToken`), of rows that another application keeps: told before
 * the data go on (security.md, S-93). Hooks of the application's own are those of the other application.
 */
import { RequestError, type ModelClass, type OperationOptions, type Row } from '@fastback/core'
import { hasRules, NEW_ROW, relationsOf, notifyRules } from '@fastback/core/remote'

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
  if (!hasRules(write.Model, 'before save') || data === null || typeof data !== 'object') return data
  if (!Array.isArray(data)) return await ruledRow(write, data as Row)
  const rows: unknown[] = []
  for (const row of data) rows.push(await ruledData(write, row))
  return rows
}

async function ruledRow (write: Write, data: Row): Promise<Row> {
  const { Model, options, keys = {} } = write
  const idName = Model.getIdName() ?? 'id'
  const row: Row = { ...withKeys(Model, data), ...keys }
  const id = write.id ?? row[idName]
  const isThere = write.kind === 'setNew' || write.kind === 'upsert'
    ? id !== undefined && id !== null && await write.stored(id) != null
    : write.kind !== 'create'
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
  for (const [name, value] of Object.entries(keys)) {
    // The other application would set it all the same.
    if (row[name] !== undefined && String(row[name]) !== String(value)) throw ownerIsOther(name)
    if (data[name] === undefined) delete row[name]
  }
  return row
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
