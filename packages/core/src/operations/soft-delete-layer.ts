/**
 * Stands between a model with `softDelete` and its store: deletes put rows away, and whoever reads or writes rows finds
 * only those that are there. Said in the query itself, whichever operation it belongs to; who may see rows that are put
 * away says so in the query (`Query.deleted`) or with the options of the store (`StoreOptions.deleted`).
 */
import { randomUUID } from 'node:crypto'
import type { Connector, Deletion, Id, StoreOptions } from '../data-source/connector.js'
import { writesOf, type StoreWrites } from '../data-source/operation-kinds.js'
import type { TextSupport } from '../data-source/text-support.js'
import { deletionProperty } from '../definition/soft-delete-property.js'
import type { StoredModel } from '../definition/stored-model.js'
import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { ModelClass } from '../interfaces/model-class.js'
import { chain, type MaybePromise } from '../maybe-promise.js'
import type { Row } from '../properties/types.js'
import type { Condition, Query, Selection } from '../query/ast.js'
import { idCondition } from '../query/id.js'
import { bothConditions } from '../query/merge.js'
import { withSelected } from '../query/narrow.js'
import { among } from '../query/put-away.js'
import { withVersionIn } from './if-version.js'
import { withFunctions } from './store-layer.js'
import { storedAsOne } from './with-hooks.js'

/**
 * A delete, which rows that go along belong to as well.
 *
 * ```js
 * store.deleteAll(model, where, { ...options, deletion: newDeletion() })
 * ```
 */
export const newDeletion = (): Deletion => ({ at: new Date(), id: randomUUID() })

const narrowed = (model: StoredModel, query: Query, { deleted }: StoreOptions): Query =>
  ({ ...query, where: among(model, query.where, query.deleted ?? deleted) })

const live = (model: StoredModel, where: Condition | undefined, { deleted }: StoreOptions): Condition | undefined =>
  among(model, where, deleted)

/** @param Model the model that is meant */
export function softDeleteLayer (store: Connector, Model: ModelClass, name: string): Connector {
  const layer = new SoftDelete(store, Model, name)
  const { text, aggregate } = store
  return withFunctions(store, {
    ...writesOf(layer),
    find: (model, query, options) => store.find(model, narrowed(model, query, options), options),
    findById: layer.findById,
    count: (model, where, options) => store.count(model, live(model, where, options), options),
    ...(aggregate === undefined
      ? {}
      : {
          aggregate: (model, aggregation, options) => aggregate.call(
            store, model, { ...aggregation, where: live(model, aggregation.where, options) }, options)
        }),
    ...(text === undefined ? {} : { text: softDeleteText(text, layer) })
  })
}

/** Texts of rows that are there. */
function softDeleteText (text: TextSupport, layer: SoftDelete): TextSupport {
  const findById = (
    model: StoredModel, id: Id, where: Condition | undefined, select: Selection, options: StoreOptions
  ): MaybePromise<string | undefined> => {
    const within = live(model, where, options)
    if (within === undefined) return text.findById(model, id, select, options)
    if (text.findByIdWhere !== undefined) return text.findByIdWhere(model, id, within, select, options)
    const query = { where: bothConditions(idCondition(model as CompiledModel, id), within), select, ...one }
    return chain(text.find(model, query, options), found => found === '[]' ? undefined : found.slice(1, -1))
  }
  return {
    find: (model, query, options) => text.find(model, narrowed(model, query, options), options),
    findById: (model, id, select, options) => findById(model, id, undefined, select, options),
    findByIdWhere: findById,
    findKeyed: (model, query, keys, options) => text.findKeyed(model, narrowed(model, query, options), keys, options),
    ...(text.findBeside === undefined
      ? {}
      : {
          findBeside: (model, query, beside, options) =>
            text.findBeside?.(model, narrowed(model, query, options), beside, options)
        }),
    ...(text.findIncluding === undefined
      ? {}
      : {
          findIncluding: (model, query, belonging, share, options) =>
            text.findIncluding?.(model, narrowed(model, query, options), belonging, share, options)
        }),
    updateById: (model, id, changes, select, options) =>
      chain(layer.updateById(model, id, changes, options), row =>
        row === undefined ? undefined : findById(model, id, undefined, select, options))
  }
}

const one = { order: [], limit: 1, skip: 0, include: [] }

class SoftDelete implements StoreWrites {
  /** @param name the property that says when a row was put away */
  constructor (readonly store: Connector, readonly Model: ModelClass, readonly name: string) {}

  /** A row without what only deletes and restores write. */
  readonly written = (row: Row): Row => {
    if (!(this.name in row) && !(deletionProperty in row)) return row
    const { [this.name]: _, [deletionProperty]: __, ...rest } = row
    return rest
  }

  /** A row that is there, as operations see it. */
  readonly plain = (row: Row): Row => {
    if (this.name in row) delete row[this.name]
    if (deletionProperty in row) delete row[deletionProperty]
    return row
  }

  readonly create = (model: StoredModel, row: Row, options: StoreOptions): MaybePromise<Row> =>
    chain(this.store.create(model, this.written(row), options), this.plain)

  readonly createMany = (model: StoredModel, rows: readonly Row[], options: StoreOptions): MaybePromise<Row[]> =>
    chain(this.store.createMany(model, rows.map(this.written), options), made => made.map(this.plain))

  readonly findOrCreate = (
    model: StoredModel, query: Query, row: Row, options: StoreOptions
  ): MaybePromise<{ row: Row, created: boolean }> =>
    chain(this.store.findOrCreate(model, narrowed(model, query, options), this.written(row), options), found =>
      ({ ...found, row: this.plain(found.row) }))

  readonly findById = (
    model: StoredModel, id: Id, select: Selection, options: StoreOptions
  ): MaybePromise<Row | undefined> => {
    if (options.deleted === 'with') return this.store.findById(model, id, select, options)
    const reading = withSelected(model as CompiledModel, select, this.name)
    return chain(this.store.findById(model, id, reading, options), row => {
      if (row === undefined || (row[this.name] ?? undefined) !== undefined) return undefined
      if (reading !== select) delete row[this.name]
      return row
    })
  }

  readonly updateAll = (
    model: StoredModel, where: Condition | undefined, changes: Row, options: StoreOptions
  ): MaybePromise<number> => options.deleted === undefined
    ? this.store.updateAll(model, live(model, where, options), this.written(changes), options)
    : this.store.updateAll(model, where, changes, options)

  readonly updateById = (
    model: StoredModel, id: Id, given: Row, options: StoreOptions
  ): MaybePromise<Row | undefined> => {
    const changes = this.written(given)
    const { files } = model as CompiledModel
    // A file is of one row: no statement about those that match can store it.
    if (files.some(name => name in changes)) {
      return this.#locked(model, id, options, within => this.store.updateById(model, id, changes, within))
    }
    return this.#write(model, id, changes, options)
  }

  readonly replaceById = (
    model: StoredModel, id: Id, given: Row, options: StoreOptions
  ): MaybePromise<Row | undefined> => {
    const row = this.written(given)
    const { files, properties, key } = model as CompiledModel
    if (model.open || files.length > 0) {
      return this.#locked(model, id, options, within => this.store.replaceById(model, id, row, within))
    }
    // A row that has nothing but declared properties is replaced by setting all of them.
    const isSet = (name: string): boolean =>
      name !== this.name && name !== deletionProperty && !key.some(part => part.name === name)
    const all = Object.fromEntries(properties.flatMap(({ name }) => isSet(name) ? [[name, row[name]]] : []))
    return this.#write(model, id, all, options)
  }

  readonly deleteAll = (
    model: StoredModel, where: Condition | undefined, options: StoreOptions
  ): MaybePromise<number> => {
    if (options.deleted !== undefined) return this.store.deleteAll(model, where, options)
    const { at, id } = options.deletion ?? newDeletion()
    const changes = { [this.name]: at, [deletionProperty]: id }
    return this.store.updateAll(model, live(model, where, options), changes, options)
  }

  /** Writes a row that is there, in one statement, and reads it. */
  #write (model: StoredModel, id: Id, changes: Row, given: StoreOptions): MaybePromise<Row | undefined> {
    const { ifVersion, ofThisTick: _, ...options } = given
    const { compiled } = this.Model
    const own = withVersionIn(model, idCondition(compiled, id), ifVersion)
    const where = live(model, own, options)
    const count = Object.keys(changes).length === 0
      ? this.store.count(model, where, options)
      : this.store.updateAll(model, where, changes, options)
    return chain(count, written => written === 0
      ? undefined
      : this.store.findById(model, id, compiled.selectAll, options))
  }

  /** Writes a row that is there while nobody else can put it away. */
  #locked (
    model: StoredModel, id: Id, options: StoreOptions, write: (within: StoreOptions) => MaybePromise<Row | undefined>
  ): MaybePromise<Row | undefined> {
    const { compiled } = this.Model
    return storedAsOne(compiled, options, within =>
      chain(this.findById(model, id, compiled.selectAll, { ...within, lock: true, mayBeMissing: true }), found =>
        found === undefined ? undefined : chain(write(within), row => row === undefined ? undefined : this.plain(row))))
  }
}
