/** Rows of a legacy connector: it is asked for what it does as we mean it, and the core does the rest. */
import type { Condition, MaybePromise, Query, Row, StoredModel, StoreOptions, Work } from '@fastback/core'
import {
  chain, compileCondition, compileNearOrder, compileOrder, holdsDecimals, inSlices, nearOf, projectRow,
  propertiesOfTerm, sortInSlices
} from '@fastback/core/connector'
import { fromLegacy } from './rows.js'
import type { Store } from './store.js'
import { isStoredName } from './stored-names.js'
import type { Traits } from './traits.js'
import { toWhere } from './where.js'

/** Rows of a query, in its order, with the properties of its selection. */
export async function find (store: Store, model: StoredModel, query: Query, options: StoreOptions): Promise<Row[]> {
  const { traits } = store
  const pushed = toWhere(query.where, traits, model)
  if (pushed.never === true) return []
  const isNear = query.order.length === 0 && nearOf(query.where) !== undefined
  const order = isNear ? undefined : legacyOrder(model, query, traits)
  const isExact = pushed.exact && traits.filters
  const isDone = isExact && order !== undefined
  const { names, extra } = query.select
  const fields = isDone && extra === 'none' && names.length > 0 ? names : undefined
  const rows = await readAll(store, model, {
    ...(pushed.where === undefined ? {} : { where: pushed.where }),
    ...(order === undefined || !traits.filters ? {} : { order }),
    ...(isDone && query.limit !== undefined ? { limit: query.limit } : {}),
    ...(isDone && query.skip > 0 ? { offset: query.skip, skip: query.skip } : {}),
    ...(fields === undefined ? {} : { fields: [...fields] })
  }, options)
  const passed = isExact ? rows : await passing(rows, query.where, options.work)
  // Not all connectors know a limit.
  const page = isDone ? passed.slice(0, query.limit) : await inOrder(passed, model, query, options.work)
  return page.map(row => projectRow(row, query.select, model))
}

/** Rows that match, by id where the model has one. */
export async function matching (
  store: Store,
  model: StoredModel,
  where: Condition | undefined,
  options: StoreOptions
): Promise<Row[]> {
  const pushed = toWhere(where, store.traits, model)
  if (pushed.never === true) return []
  const rows = await readAll(store, model, pushed.where === undefined ? {} : { where: pushed.where }, options)
  const passed = await passing(rows, pushed.exact && store.traits.filters ? undefined : where, options.work)
  return model.id === undefined ? passed : passed.sort(compileOrder([], model))
}

async function readAll (store: Store, model: StoredModel, filter: object, options: StoreOptions): Promise<Row[]> {
  const found = await store.call(model, 'all', [model.name, filter], options)
  return (Array.isArray(found) ? found : []).filter(row => row !== null && typeof row === 'object')
    .map(row => fromLegacy(model, row))
}

function passing (rows: Row[], where: Condition | undefined, work: Work | undefined): MaybePromise<Row[]> {
  if (where === undefined) return rows
  const passes = compileCondition(where, work)
  const passed: Row[] = []
  return chain(
    inSlices(rows.length, i => {
      work?.spend(1)
      const row = rows[i] as Row
      if (passes(row)) passed.push(row)
    }, work),
    () => passed
  )
}

function inOrder (rows: Row[], model: StoredModel, query: Query, work: Work | undefined): MaybePromise<Row[]> {
  const near = query.order.length === 0 ? nearOf(query.where) : undefined
  const order = near === undefined ? compileOrder(query.order, model) : compileNearOrder(near, model)
  const end = query.limit === undefined ? undefined : query.skip + query.limit
  return chain(
    sortInSlices(rows, order, work, near === undefined ? query.order.length + 1 : 10),
    sorted => sorted.slice(query.skip, end)
  )
}

const ordered = ['number', 'integer', 'long', 'bigint', 'boolean', 'date']

/** The order of a query as a trusted connector takes it; undefined where the store may have no such column. */
function trustedOrder (model: StoredModel, query: Query, { connector, documents }: Traits): string[] | undefined {
  const terms: string[] = []
  for (const term of query.order) {
    if (!('path' in term)) return undefined
    const { path: { property, path, declared, type }, descending } = term
    // What column a store has for them is not known: it may be one of texts.
    if (holdsDecimals(type)) return undefined
    if (!documents && (path.length > 0 || !declared)) return undefined
    if (isStoredName(model, property, connector)) return undefined
    terms.push(`${[property, ...path].join('.')} ${descending ? 'DESC' : 'ASC'}`)
  }
  const named = new Set(query.order.flatMap(propertiesOfTerm))
  return [...terms, ...model.key.filter(({ name }) => !named.has(name)).map(({ name }) => `${name} ASC`)]
}

/** The order of a query as the connector takes it; undefined where it would put rows in another one. */
function legacyOrder (model: StoredModel, query: Query, traits: Traits): string[] | undefined {
  if (traits.trusted) return trustedOrder(model, query, traits)
  const { nullsFirst } = traits
  const { id } = model
  if (id === undefined || !ordered.includes(id.type.kind)) return undefined
  const terms: string[] = []
  for (const term of query.order) {
    if (!('path' in term)) return undefined
    const { path, descending } = term
    const property = path.path.length === 0 ? model.propertyByName.get(path.property) : undefined
    if (property === undefined || !ordered.includes(property.type.kind)) return undefined
    if (property !== id && !nullsFirst) return undefined
    terms.push(`${property.name} ${descending ? 'DESC' : 'ASC'}`)
    if (property === id) return terms
  }
  return [...terms, `${id.name} ASC`]
}
