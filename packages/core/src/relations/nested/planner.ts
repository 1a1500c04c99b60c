/** Plans the writes of rows within rows: reads what is there, and says all that is wrong before anything is stored. */
import { instantiate, isInstance } from '../../instances/instance.js'
import type { CompiledModel } from '../../interfaces/compiled-model.js'
import type { ModelClass } from '../../interfaces/model-class.js'
import type { ModelInstance } from '../../instances/model-instance.js'
import { findRowById } from '../../operations/read.js'
import { asInternal } from '../../operations/origin.js'
import { forcesId } from '../../operations/validate.js'
import type { Row } from '../../properties/types.js'
import { coerceId } from '../../query/id.js'
import { isPlainObject } from '../../query/parse-context.js'
import { BelongsTo } from '../belongs-to.js'
import { HasRelation } from '../has.js'
import { HasManyThrough } from '../has-many-through.js'
import type { HasOne } from '../has-one.js'
import { ReferencesMany } from '../references-many.js'
import { toInstance } from '../instances.js'
import { lookAtRow, mustBeAllowed, mustLink, saidByClient } from './allowed.js'
import { violationsOfDraft } from './draft.js'
import { namedTwice, noRows, notOfParent, notRemovable, tooMany } from './errors.js'
import { splitRow, type NestableRelation, type NestedNode, type NestedPart, type Planning } from './plan.js'

/** A row that is planned. */
export interface Planned {
  readonly model: CompiledModel
  readonly data: Readonly<Row>
  readonly path: string
  readonly stored: ModelInstance | undefined
  /** Whether the row is replaced: relations with "replace" lose the rows that are not named. */
  readonly replaces: boolean
  /** How many relations led here. */
  readonly level: number
  /** Properties that get their values from the relation that leads here. */
  readonly keys: readonly string[]
}

/**
 * Plans the write of a row and of those within its data. All that is wrong is collected in `planning.violations`.
 *
 * ```js
 * const planned = { model, data, path: '', stored: undefined, replaces: false, level: 0, keys: [] }
 * const node = await planRow(planning, planned)
 * ```
 * @throws RequestError 403 NESTED_ROW_REFUSED, 422 NESTED_ROWS_LIMIT
 */
export async function planRow (planning: Planning, planned: Planned): Promise<NestedNode> {
  const { model, data, path, stored, level, replaces } = planned
  const { options, violations } = planning
  const { plain, nested } = splitRow(model, data)
  if (nested.length > 0 && level >= planning.depth) throw tooMany('levels', planning.depth)
  const said = level === 0 ? plain : await saidByClient(model, plain, stored as Row | undefined, path, options)
  const later = new Set([...planned.keys, ...nested.flatMap(([relation]) => ownKeysOf(relation))])
  // The id of a row that is replaced is that of the row.
  const judged = replaces && model.id !== undefined ? without(said, model.id.name) : said
  violations.push(...await violationsOfDraft(
    { model, data: judged, stored: replaces ? undefined : stored as Row | undefined, path, later }, options))
  const parts: NestedPart[] = []
  for (const [relation, value] of nested) {
    const part = await planPart(planning, planned, relation, value, said)
    if (part !== undefined) parts.push(part)
  }
  const look = level === 0 ? undefined : await lookAtRow(model, said, stored as Row | undefined, options)
  return { model, path, action: stored === undefined ? 'create' : 'update', data: said, stored, look, parts }
}

const without = (row: Readonly<Row>, name: string): Row =>
  Object.fromEntries(Object.entries(row).filter(([each]) => each !== name))

/** Properties of the row that has the relation which get their values from related rows. */
const ownKeysOf = (relation: NestableRelation): readonly string[] =>
  relation instanceof BelongsTo || relation instanceof ReferencesMany ? relation.joinKeys : []

async function planPart (
  planning: Planning, owner: Planned, relation: NestableRelation, value: unknown, data: Row
): Promise<NestedPart | undefined> {
  const path = `${owner.path}.${relation.name}`
  const items = itemsOf(planning, relation, value, path)
  if (items === undefined) return undefined
  const target = relation instanceof BelongsTo
    ? relation.targetOf({ ...owner.stored as Row | undefined, ...data })
    : relation.target()
  if (target === undefined) {
    // A relation to one of several models, and the row does not say which.
    if (items.length > 0) planning.violations.push(notOfParent(path))
    return undefined
  }
  planning.left -= items.length
  if (planning.left < 0) throw tooMany('rows', planning.limit)
  const known = await knownRows(planning, owner, relation, target, items)
  const isWhole = relation.nestedWrite === 'replace' && (owner.replaces || value === null)
  if (value === null && !isWhole && relation.type === 'hasOne' && owner.stored !== undefined) {
    planning.violations.push(notRemovable(path))
  }
  const nodes: NestedNode[] = []
  const named = new Set<string>()
  for (const item of items) {
    const node = await planItem(planning, owner, { relation, target, item, known, named })
    if (node !== undefined) nodes.push(node)
  }
  const removed = isWhole ? await removedRows(planning, owner, relation, named, path) : []
  return { relation, nodes, removed, isWhole, linked: new Set(known.keys()) }
}

interface Item { readonly row: Row, readonly path: string, readonly id: unknown }

/** The rows of a relation as they came; undefined for what is none. */
function itemsOf (
  { violations, options }: Planning, relation: NestableRelation, value: unknown, path: string
): Item[] | undefined {
  const idName = relation.target()?.compiled.id?.name ?? 'id'
  const items: Item[] = []
  const add = (row: unknown, at: string): void => {
    // An instance stands for the row that it is of: code of the application has it.
    if (isInstance(row) && options.rowGuard === undefined) {
      items.push({ row: { [idName]: row[idName] }, path: at, id: row[idName] })
    } else if (isPlainObject(row)) items.push({ row: row as Row, path: at, id: row[idName] ?? undefined })
    else violations.push(noRows(at, 'object'))
  }
  if (relation.multiple) {
    if (Array.isArray(value)) for (const [i, row] of value.entries()) add(row, `${path}[${i}]`)
    else violations.push(noRows(path, 'array'))
    return Array.isArray(value) ? items : undefined
  }
  if (value !== null) add(value, path)
  return items
}

const textOf = (id: unknown): string => String(id)

/** The named rows that belong to the owner already, by their ids. */
async function knownRows (
  { options }: Planning, { stored }: Planned, relation: NestableRelation, target: ModelClass, items: readonly Item[]
): Promise<Map<string, ModelInstance>> {
  const model = target.compiled
  const known = new Map<string, ModelInstance>()
  if (stored === undefined || relation instanceof BelongsTo) return known
  const owner = stored as Row
  const within = asInternal(options)
  const add = (row: Row): void => { known.set(textOf(row[model.id?.name ?? 'id']), toInstance(model, row)) }
  if (!relation.multiple) {
    const row = await (relation as HasOne).read(owner, within)
    if (row !== null) add(row)
    return known
  }
  const ids = items.flatMap(({ id }) => coerceId(model, id) ?? [])
  if (ids.length === 0) return known
  const list = relation as HasManyThrough
  for (const row of await list.find(owner, { where: { [list.targetId]: { inq: ids } } }, within)) add(row)
  return known
}

interface PlannedItem {
  readonly relation: NestableRelation
  readonly target: ModelClass
  readonly item: Item
  readonly known: ReadonlyMap<string, ModelInstance>
  readonly named: Set<string>
}

async function planItem (
  planning: Planning, owner: Planned, { relation, target, item, known, named }: PlannedItem
): Promise<NestedNode | undefined> {
  const { violations, options } = planning
  const model = target.compiled
  const { row, path } = item
  const idName = model.id?.name ?? 'id'
  const alone = !relation.multiple && !(relation instanceof BelongsTo) ? [...known.values()][0] : undefined
  const keys = relation instanceof HasRelation ? [...relation.setKeys, ...copiedBy(relation)] : copiedBy(relation)
  const base = { model, path, replaces: false, level: owner.level + 1, keys }
  const create = async (): Promise<NestedNode> => {
    await mustBeAllowed(model, 'create', row, path, options)
    if (relation instanceof HasManyThrough) await mustLink(relation.through(), 'create', path, options)
    return await planRow(planning, { ...base, data: row, stored: undefined })
  }
  const update = async (stored: ModelInstance): Promise<NestedNode> => {
    const data = without(row, idName)
    if (relation instanceof HasRelation) relation.mustKeep(model, row, relation.keysOf(owner.stored as Row) ?? {})
    if (Object.keys(data).length === 0) return { model, path, action: 'keep', data, stored, parts: [] }
    await mustBeAllowed(model, 'update', stored as Row, path, options)
    return await planRow(planning, { ...base, data, stored })
  }
  if (item.id === undefined) {
    if (alone !== undefined) named.add(textOf(alone[idName]))
    return alone === undefined ? await create() : await update(alone)
  }
  const id = coerceId(model, item.id)
  const own = id === undefined ? undefined : known.get(textOf(id))
  if (named.has(textOf(id))) {
    violations.push(namedTwice(path))
    return undefined
  }
  named.add(textOf(id))
  if (own !== undefined) return await update(own)
  if (relation instanceof HasRelation) {
    // Where nobody gives ids out, a row that is new has one as well. That of another row is refused by the store.
    const isChosen = !forcesId(model) && model.id?.generated !== true
    if (id !== undefined && isChosen && alone === undefined) return await create()
    violations.push(notOfParent(`${path}.${idName}`))
    return undefined
  }
  const found = id === undefined ? undefined : await findRowById(model, id, undefined, asInternal(options))
  if (found === undefined) {
    violations.push(notOfParent(`${path}.${idName}`))
    return undefined
  }
  await mustBeAllowed(model, 'read', found, path, options)
  if (relation instanceof HasManyThrough) await mustLink(relation.through(), 'create', path, options)
  return await update(instantiate(model, found))
}

/** Properties that the relation copies to related rows. */
function copiedBy ({ properties }: NestableRelation): readonly string[] {
  if (properties === undefined || properties === null || typeof properties === 'function') return []
  return Array.isArray(properties) ? properties as string[] : Object.values(properties as Record<string, string>)
}

/** The rows of a relation that are not named. */
async function removedRows (
  planning: Planning, { stored }: Planned, relation: NestableRelation, named: ReadonlySet<string>, path: string
): Promise<ModelInstance[]> {
  if (stored === undefined || relation instanceof BelongsTo || relation instanceof ReferencesMany) return []
  const { options, limit } = planning
  const within = asInternal(options)
  const rows = relation.multiple
    ? await (relation as HasManyThrough).find(stored as Row, { limit: limit + named.size + 1 }, within)
    : [await (relation as HasOne).read(stored as Row, within)]
  const model = (relation.target() as ModelClass).compiled
  const removed = rows.filter(row => row !== null)
    .filter(row => !named.has(textOf(row[model.id?.name ?? 'id']))).map(row => toInstance(model, row))
  planning.left -= removed.length
  if (planning.left < 0) throw tooMany('rows', planning.limit)
  for (const row of removed) {
    if (relation instanceof HasManyThrough) await mustLink(relation.through(), 'delete', path, options)
    else await mustBeAllowed(model, 'delete', row as Row, path, options)
  }
  return removed
}
