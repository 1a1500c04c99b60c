/** Writes of a legacy connector, and what stands for methods that it lacks. */
import type { Condition, Id, Row, StoredModel, StoreOptions } from '@fastback/core'
import { coerceId } from '@fastback/core/connector'
import { NoIdError } from './errors.js'
import { isNotFound } from './failures.js'
import { matching } from './reading.js'
import { copyRow, fromLegacy, fromValue, toLegacy } from './rows.js'
import type { Store } from './store.js'
import { toWhere } from './where.js'

export async function create (store: Store, model: StoredModel, row: Row, options: StoreOptions): Promise<Row> {
  const given = toLegacy(model, row, store.traits)
  const made = await store.call(model, 'create', [model.name, given], options, row)
  const { id } = model
  const out = copyRow(row)
  if (id === undefined) return out
  // Some hand over the row, most its id; of a row that has one, SQLite's the number of the row.
  const value = typeof made === 'object' && made !== null && Object.hasOwn(made, id.name)
    ? (made as Row)[id.name]
    : given[id.name] ?? made
  if (value === undefined || value === null) return out
  out[id.name] = coerceId(model, value) ?? fromValue(id.type, value)
  return out
}

/** The row with an id, as the store has it. */
export async function findById (
  store: Store, model: StoredModel, id: Id, options: StoreOptions
): Promise<Row | undefined> {
  const { id: property } = model
  if (property === undefined) return undefined
  // In this form connectors of web services (rest) ask for the one row.
  const filter = { where: { [property.name]: id }, limit: 1, offset: 0 }
  try {
    const found = await store.call(model, 'all', [model.name, filter], options)
    const rows = (Array.isArray(found) ? found : []).filter(row => row !== null && typeof row === 'object')
    return rows.map(row => fromLegacy(model, row)).find(row => coerceId(model, row[property.name]) === id)
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

const idNameOf = (store: Store, model: StoredModel): string => {
  if (model.id === undefined) throw new NoIdError(model.name, String(store.connector.name))
  return model.id.name
}

/** Sets values on a row that is there. False when it is not. */
export async function change (
  store: Store, model: StoredModel, id: Id, changes: Row, options: StoreOptions
): Promise<boolean> {
  const { relational, filters } = store.traits
  const isRemoving = Object.values(changes).includes(undefined)
  // What connectors of web services call "update" may replace the row (PUT).
  if ((isRemoving && !relational) || !filters || !store.has('updateAttributes')) {
    const row = await findById(store, model, id, options)
    return row !== undefined && await replace(store, model, id, { ...row, ...changes }, options)
  }
  const data = toLegacy(model, changes, store.traits)
  for (const name of Object.keys(changes)) if (changes[name] === undefined) data[name] = null
  try {
    await store.call(model, 'updateAttributes', [model.name, id, data], options, changes)
    return true
  } catch (error) {
    if (isNotFound(error)) return false
    throw error
  }
}

/** Puts a row in the place of the one with this id. False when there is none. */
export async function replace (
  store: Store, model: StoredModel, id: Id, row: Row, options: StoreOptions
): Promise<boolean> {
  const idName = idNameOf(store, model)
  const data = toLegacy(model, row, store.traits)
  if (store.traits.relational) for (const { name } of model.properties) data[name] ??= null
  data[idName] = id
  try {
    if (store.has('replaceById')) {
      await store.call(model, 'replaceById', [model.name, id, data], options, row)
      return true
    }
    if (await findById(store, model, id, options) === undefined) return false
    if (store.has('save')) await store.call(model, 'save', [model.name, data], options, row)
    else if (store.has('replaceOrCreate')) await store.call(model, 'replaceOrCreate', [model.name, data], options, row)
    else if (store.has('updateOrCreate')) await store.call(model, 'updateOrCreate', [model.name, data], options, row)
    else await store.call(model, 'updateAttributes', [model.name, id, data], options, row)
    return true
  } catch (error) {
    if (isNotFound(error)) return false
    throw error
  }
}

/** Number in what `update` and `destroyAll` call back with: a number, or an object with it. */
function counted (result: unknown): number | undefined {
  const count = typeof result === 'object' && result !== null ? (result as { count?: unknown }).count : result
  return typeof count === 'number' ? count : undefined
}

export async function updateAll (
  store: Store, model: StoredModel, where: Condition | undefined, changes: Row, options: StoreOptions
): Promise<number> {
  const pushed = toWhere(where, store.traits, model)
  if (pushed.never === true) return 0
  const { relational } = store.traits
  const isRemoving = Object.values(changes).includes(undefined)
  if (pushed.exact && store.trusts('update', 3) && (relational || !isRemoving)) {
    const data = toLegacy(model, changes, store.traits)
    for (const name of Object.keys(changes)) if (changes[name] === undefined) data[name] = null
    const count = counted(await store.call(model, 'update', [model.name, pushed.where ?? {}, data], options, changes))
    if (count !== undefined) return count
  }
  if (model.key.length > 1) {
    return await eachByKey(store, model, where, options, async key =>
      await updateAll(store, model, key, changes, options))
  }
  return await each(store, model, where, options, async id => await change(store, model, id, changes, options))
}

export async function deleteAll (
  store: Store, model: StoredModel, where: Condition | undefined, options: StoreOptions
): Promise<number> {
  const pushed = toWhere(where, store.traits, model)
  if (pushed.never === true) return 0
  if (pushed.exact && store.trusts('destroyAll', 2)) {
    const before = store.traits.relational ? undefined : (await matching(store, model, where, options)).length
    const count = counted(await store.call(model, 'destroyAll', [model.name, pushed.where ?? {}], options))
    return count ?? before ?? 0
  }
  if (model.key.length > 1) {
    return await eachByKey(store, model, where, options, async key => await deleteAll(store, model, key, options))
  }
  return await each(store, model, where, options, async id => await remove(store, model, id, options))
}

export async function remove (store: Store, model: StoredModel, id: Id, options: StoreOptions): Promise<boolean> {
  const idName = idNameOf(store, model)
  try {
    if (store.has('destroy')) await store.call(model, 'destroy', [model.name, id], options)
    else await store.call(model, 'destroyAll', [model.name, { [idName]: id }], options)
    return true
  } catch (error) {
    if (isNotFound(error)) return false
    throw error
  }
}

async function each (
  store: Store,
  model: StoredModel,
  where: Condition | undefined,
  options: StoreOptions,
  work: (id: Id) => Promise<boolean>
): Promise<number> {
  const idName = idNameOf(store, model)
  let count = 0
  for (const row of await matching(store, model, where, options)) if (await work(row[idName] as Id)) count++
  return count
}

/**
 * The same for rows with compound ids.
 * @throws FBK_CONNECTOR_NO_ID where the connector's conditions cannot say exactly which row is meant
 */
async function eachByKey (
  store: Store,
  model: StoredModel,
  where: Condition | undefined,
  options: StoreOptions,
  work: (key: Condition) => Promise<number>
): Promise<number> {
  let count = 0
  for (const row of await matching(store, model, where, options)) {
    const key: Condition = {
      kind: 'and',
      conditions: model.key.map(({ name, type }) => ({
        kind: 'compare', path: { property: name, path: [], type, declared: true }, op: 'eq', value: row[name] as Id
      }))
    }
    const pushed = toWhere(key, store.traits, model)
    if (pushed.never === true || !pushed.exact) throw new NoIdError(model.name, String(store.connector.name))
    count += await work(key)
  }
  return count
}
