/** Carries out what was planned: rows that a row points at first, then the row, then those that point at it. */
import { setIncluded } from '../../instances/included.js'
import type { CompiledModel } from '../../interfaces/compiled-model.js'
import type { ModelInstance } from '../../instances/model-instance.js'
import type { OperationOptions } from '../../interfaces/operation-options.js'
import { createInstances } from '../../operations/create.js'
import { lookedAt } from '../../operations/looked-at.js'
import type { Row } from '../../properties/types.js'
import { BelongsTo } from '../belongs-to.js'
import { HasRelation } from '../has.js'
import type { HasManyThrough } from '../has-many-through.js'
import { ReferencesMany } from '../references-many.js'
import { changeRelated, createRelated, removeRelated } from '../related-writes.js'
import { atPath } from './draft.js'
import { refusedRow } from './errors.js'
import type { NestedNode, NestedPart } from './plan.js'
import type { Undo } from './undo.js'

/** What all rows of one write have in common. */
export interface Writing {
  /** Name of the model whose write it is. */
  readonly name: string
  readonly options: OperationOptions
  readonly undo: Undo
}

/** Stores the row itself, with the keys of rows that it points at. */
export type StoreRow = (data: Row) => ModelInstance | Promise<ModelInstance>

/**
 * Writes a row and those within it, and gives the row with these as loaded relations.
 *
 * ```js
 * const order = await writeNode(writing, node, data => createInstance(Order.compiled, data, options))
 * ```
 */
export async function writeNode (writing: Writing, node: NestedNode, store: StoreRow): Promise<ModelInstance> {
  const { model, stored, path } = node
  const keys: Row = {}
  const related = new Map<string, ModelInstance | ModelInstance[] | null>()
  for (const part of node.parts.filter(isBefore)) {
    const rows = await writeAll(writing, part, part.nodes, row => row)
    Object.assign(keys, keysOf(part, stored, rows))
    related.set(part.relation.name, part.relation.multiple ? rows : rows[0] ?? null)
  }
  // A copy: the write brings the instance up to date. A write that was refused has nothing to be taken back.
  const before = stored === undefined ? undefined : { ...stored as Row }
  const instance = await atPath(writing.name, path, () => store({ ...node.data, ...keys }))
  if (before === undefined) writing.undo.created(model, instance as Row)
  else writing.undo.changed(model, before)
  for (const part of node.parts.filter(each => !isBefore(each))) {
    const rows = await writePart(writing, part, instance)
    related.set(part.relation.name, part.relation.multiple ? rows : rows[0] ?? null)
  }
  for (const [name, rows] of related) setIncluded(instance as Row, name, rows as Row | Row[] | null)
  return instance
}

const isBefore = ({ relation }: NestedPart): boolean =>
  relation instanceof BelongsTo || relation instanceof ReferencesMany

/** What the row says of the rows that it points at. */
function keysOf ({ relation, isWhole }: NestedPart, stored: ModelInstance | undefined, rows: ModelInstance[]): Row {
  if (relation instanceof ReferencesMany) {
    const keys = rows.map(row => row[relation.targetId])
    const held: unknown = stored?.[relation.foreignKey]
    if (isWhole || !Array.isArray(held)) return { [relation.foreignKey]: keys }
    const own = new Set(keys.map(String))
    return { [relation.foreignKey]: [...held.filter(key => !own.has(String(key))), ...keys] }
  }
  const [row] = rows
  const { foreignKey } = relation as BelongsTo
  if (row === undefined) return { [foreignKey]: null }
  return { [foreignKey]: row[(relation as BelongsTo).targetKey(row)] }
}

/** Rows that point at the owner, or that rows in between join to it. */
async function writePart (writing: Writing, part: NestedPart, owner: ModelInstance): Promise<ModelInstance[]> {
  const { relation, nodes, removed } = part
  for (const row of removed) await remove(writing, part, owner, row)
  if (relation instanceof HasRelation) {
    const keys = relation.keysOf(owner as Row) ?? {}
    return await writeAll(writing, part, nodes, row => relation.prepare(owner as Row, row, keys))
  }
  const through = relation as HasManyThrough
  const rows = await writeAll(writing, part, nodes, row => row)
  for (const row of rows) {
    if (part.linked.has(String(row[through.targetId]))) continue
    const link = await through.link(owner as Row, row, undefined, writing.options)
    writing.undo.created(through.through().compiled, link as Row)
  }
  return rows
}

async function remove (
  { options, undo }: Writing, { relation }: NestedPart, owner: ModelInstance, row: ModelInstance
): Promise<void> {
  if (!(relation instanceof HasRelation)) {
    const through = relation as HasManyThrough
    await through.unlink(owner as Row, row, options)
    undo.parted(() => through.link(owner as Row, row, undefined, {}))
    return
  }
  const { related } = relation
  const result = await removeRelated(related, row as Row, options)
  // Rules may leave a row to be read, and not to be deleted.
  if ((result as { count?: number } | undefined)?.count === 0) {
    throw refusedRow(related.name, 'delete', `.${relation.name}`)
  }
  undo.removed(related, row as Row)
}

/** Stores rows of a relation, new ones that hold no others together. */
async function writeAll (
  writing: Writing, part: NestedPart, nodes: readonly NestedNode[], prepare: (row: Row) => Row
): Promise<ModelInstance[]> {
  const { options } = writing
  const plain = nodes.filter(({ action, parts }) => action === 'create' && parts.length === 0)
  const together = plain.length > 1 ? await createAll(writing, plain, prepare) : new Map<NestedNode, ModelInstance>()
  const rows: ModelInstance[] = []
  for (const node of nodes) {
    const { model, stored } = node
    const made = together.get(node)
    rows.push(made ?? await writeNode(writing, node, data => {
      if (node.action === 'keep' && stored !== undefined) return stored
      return stored === undefined
        ? createRelated(model, prepare(data), options) as ModelInstance
        : changeRelated(model, stored as Row, withoutKeys(part, data), lookedAt(options, node.look))
    }))
  }
  return rows
}

/** Changes keep the row where it is: that its keys are the same was looked at. */
function withoutKeys ({ relation }: NestedPart, data: Row): Row {
  if (!(relation instanceof HasRelation)) return data
  const keys = new Set(relation.setKeys)
  return Object.fromEntries(Object.entries(data).filter(([name]) => !keys.has(name)))
}

async function createAll (
  writing: Writing, nodes: readonly NestedNode[], prepare: (row: Row) => Row
): Promise<Map<NestedNode, ModelInstance>> {
  const made = new Map<NestedNode, ModelInstance>()
  for (const [model, own] of groups(nodes)) {
    const rows = await atPath(writing.name, i => (own[i] as NestedNode).path, () =>
      createRelated(model, own.map(({ data }) => prepare(data)), writing.options, createInstances))
    for (const [i, node] of own.entries()) {
      const row = (rows as ModelInstance[])[i] as ModelInstance
      writing.undo.created(model, row as Row)
      made.set(node, row)
    }
  }
  return made
}

function groups (nodes: readonly NestedNode[]): Map<CompiledModel, NestedNode[]> {
  const byModel = new Map<CompiledModel, NestedNode[]>()
  for (const node of nodes) byModel.set(node.model, [...byModel.get(node.model) ?? [], node])
  return byModel
}
