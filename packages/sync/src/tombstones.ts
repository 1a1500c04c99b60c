/**
 * What is kept of rows that are gone: when they went, and whose they were, so that their deletes are shown to those who
 * could read them (SYD-8), for as long as the setting `tombstoneTtl` says (SYD-9).
 */
import type { CompiledModel, DataSource, MaybePromise, ModelClass, Row, StoreOptions } from '@fastback/core'
import { chain, parseFilter, parseWhere } from '@fastback/core/connector'
import { accessReviewIn, relationsOf } from '@fastback/core/remote'
import { syncSettings } from './sync-settings.js'

/** What a tombstone tells. */
export interface Tombstone {
  readonly id: string
  readonly modelName: string
  readonly modelId: string
  /** The checkpoint of the delete; of the row that stands for a model: that below which nothing is known any more. */
  readonly checkpoint: number
  readonly at: Date
  /** The columns that say who could read the row. */
  readonly kept: Row | null
}

const kTombstones = Symbol('fastback.sync.tombstones')
const horizonId = (modelName: string): string => `horizon ${modelName}`

export class Tombstones {
  readonly Model: ModelClass

  private constructor (dataSource: DataSource) {
    const { registry } = dataSource
    const Model = registry.defineModel({
      name: 'change-tombstone',
      base: 'PersistedModel',
      strict: true,
      properties: {
        id: { type: 'string', id: true, generated: false },
        modelName: { type: 'string', index: true },
        modelId: 'string',
        checkpoint: 'number',
        at: 'date',
        kept: 'object'
      }
    }, { unlisted: true }) as unknown as ModelClass
    this.Model = registry.attach(Model, dataSource as never, { public: false })
  }

  /** Those of a data source. */
  static of (dataSource: DataSource): Tombstones {
    const all = dataSource.registry.slot(kTombstones, () => new Map<DataSource, Tombstones>())
    const known = all.get(dataSource)
    if (known !== undefined) return known
    const made = new Tombstones(dataSource)
    all.set(dataSource, made)
    return made
  }

  put (tombstone: Tombstone, options: StoreOptions): MaybePromise<unknown> {
    const { compiled } = this.Model
    const { connector } = compiled
    const row = { ...tombstone }
    return chain(connector.replaceById(compiled, tombstone.id, row, { ...options, mayBeMissing: true }), replaced =>
      replaced ?? connector.create(compiled, row, options))
  }

  /** Several, in one step: where the store can (`Connector.together`). */
  putMany (tombstones: readonly Tombstone[], options: StoreOptions): MaybePromise<void> {
    const { compiled } = this.Model
    if (tombstones.length === 0) return
    return compiled.connector.together?.put(compiled, tombstones.map(each => ({ ...each })), options)
  }

  remove (ids: readonly string[], options: StoreOptions): MaybePromise<void> {
    const { compiled } = this.Model
    if (ids.length === 0) return
    const where = parseWhere(compiled, { id: { inq: ids } }, compiled.parsing.internal)
    return chain(compiled.connector.deleteAll(compiled, where, options), () => {})
  }

  /** Those of these changes, by the id of the change. */
  of (ids: readonly string[], options: StoreOptions): MaybePromise<ReadonlyMap<string, Tombstone>> {
    return chain(this.#find({ id: { inq: ids } }, options), rows => new Map(rows.map(row => [row.id, row])))
  }

  /** Those of rows of a model since a checkpoint: rows that went, and rows that left somebody's sight (SYD-21). */
  since (
    modelName: string, modelIds: readonly string[], checkpoint: number, options: StoreOptions
  ): MaybePromise<Tombstone[]> {
    return this.#find({ modelName, modelId: { inq: modelIds }, checkpoint: { gte: checkpoint } }, options)
  }

  /** Those of a model that are older than a time. */
  before (modelName: string, at: Date, options: StoreOptions): MaybePromise<Tombstone[]> {
    return this.#find({ modelName, at: { lt: at } }, options)
  }

  /** The checkpoint below which deletes are forgotten; 0 while none is. */
  horizon (modelName: string, options: StoreOptions): MaybePromise<number> {
    return chain(this.#find({ id: horizonId(modelName) }, options), ([row]) => row?.checkpoint ?? 0)
  }

  setHorizon (modelName: string, checkpoint: number, options: StoreOptions): MaybePromise<unknown> {
    const id = horizonId(modelName)
    // Of no model: it is none of those that are purged.
    return this.put({ id, modelName: '', modelId: '', checkpoint, at: new Date(), kept: null }, options)
  }

  #find (where: object, options: StoreOptions): MaybePromise<Tombstone[]> {
    const { compiled } = this.Model
    const query = parseFilter(compiled, { where }, compiled.parsing.internal)
    return compiled.connector.find(compiled, query, options) as MaybePromise<never>
  }
}

/**
 * The columns of a row that say who could read it: keys of what it belongs to, `userId` and `owner`, what is added to
 * its changes, what rules about its rows name, and what the setting `sync.keep` names.
 *
 * ```js
 * tombstoneColumns(Note, { id: 'n1', title: 'secret', userId: 7 }) // { id: 'n1', userId: 7 }
 * ```
 */
export const tombstoneColumns = (Model: ModelClass, row: Readonly<Row>): Row =>
  Object.fromEntries(keptNames(Model).filter(name => row[name] !== undefined).map(name => [name, row[name]]))

const kNames = Symbol('fastback.sync.kept')

/** The names of these columns, the id first. Rules may come while the application runs. */
function keptNames (Model: ModelClass): readonly string[] {
  const ruled = accessReviewIn(Model.registry).ruledProperties?.(Model) ?? []
  const names = fixedNames(Model)
  return ruled.every(name => names.includes(name)) ? names : [...new Set([...names, ...ruled])]
}

function fixedNames (Model: ModelClass): readonly string[] {
  const all = Model.registry.slot(kNames, () => new WeakMap<CompiledModel, readonly string[]>())
  const known = all.get(Model.compiled)
  if (known !== undefined) return known
  const names = [...new Set([
    Model.getIdName() ?? 'id', 'userId', 'owner',
    ...Object.keys(Model.settings.additionalChangeModelProperties ?? {}),
    ...syncSettings(Model).keep,
    ...[...relationsOf(Model).values()].flatMap(relation => relation.type === 'belongsTo' ? relation.joinKeys : [])
  ])]
  all.set(Model.compiled, names)
  return names
}

/** The same without the id, as JSON has it: what is kept beside the change of a row that is there. */
export function viewOf (Model: ModelClass, row: Readonly<Row>): Row {
  const idName = Model.getIdName() ?? 'id'
  const names = keptNames(Model).filter(name => name !== idName && row[name] != null)
  if (names.length === 0) return {}
  const view = Object.fromEntries(names.map(name => [name, row[name]]))
  return JSON.parse(JSON.stringify(view, (_, value: unknown) => value === null ? undefined : value)) as Row
}
