/**
 * Sealed properties between a model's operations and its store: encrypted when they are written, opened when they are
 * read, found by hashes. Each value is bound to its model, its property and the id of its row, so that one that was
 * moved does not open (security.md, S-116). Ids that only the store gives out are known after the row is stored: it is
 * stored with what never opens, and gets its values as the second step of one transaction.
 */
import type { Connector, Id, StoreOptions } from '../data-source/connector.js'
import { writesOf, type StoreWrites } from '../data-source/operation-kinds.js'
import type { StoredModel } from '../definition/stored-model.js'
import type { CompiledModel } from '../interfaces/compiled-model.js'
import { chain, eachInSequence, isPromise, type MaybePromise } from '../maybe-promise.js'
import type { Row } from '../properties/types.js'
import type { Condition, Query, Selection } from '../query/ast.js'
import { setRowId } from '../query/id.js'
import { bothConditions } from '../query/merge.js'
import { hashedCondition, mustOrderPlain } from '../sealing/sealed-conditions.js'
import { boundId, idOf, type SealedRows } from '../sealing/sealed-rows.js'
import { rowCondition } from '../sealing/row-condition.js'
import { withFunctions } from './store-layer.js'
import { storedAsOne } from './with-hooks.js'

/**
 * A store with its sealed properties opened.
 *
 * ```js
 * const store = sealedLayer(connector, rows, () => Note.compiled)
 * ```
 * @param rows how the model's rows are sealed
 */
export function sealedLayer (connector: Connector, rows: SealedRows, compiled: () => CompiledModel): Connector {
  const layer = new SealedStore(connector, rows, compiled)
  const { supportsLinks, supportsLinkedOrder } = connector
  const { stored } = rows
  return withFunctions(connector, {
    ...writesOf(layer),
    find: layer.find,
    findById: layer.findById,
    count: (_, where, options) => connector.count(stored, layer.hashed(where), options),
    ...(supportsLinks === undefined
      ? {}
      : {
          supportsLinks: (_, condition, isWrite, options) =>
            supportsLinks.call(connector, stored, layer.hashed(condition) as Condition, isWrite, options)
        }),
    ...(supportsLinkedOrder === undefined
      ? {}
      : {
          supportsLinkedOrder: (_, order, options) => supportsLinkedOrder.call(connector, stored, order, options)
        }),
    ...(connector.aggregate === undefined ? {} : { aggregate: () => undefined })
  })
}

type Create = (sealed: readonly Row[], within: StoreOptions) => MaybePromise<Row[]>

class SealedStore implements StoreWrites {
  readonly #selections = new WeakMap<Selection, Selection>()

  constructor (readonly store: Connector, readonly rows: SealedRows, readonly compiled: () => CompiledModel) {}

  hashed (where: Condition | undefined): Condition | undefined {
    return hashedCondition(this.rows.model, where, this.rows.hashes)
  }

  readonly create = (_: StoredModel, row: Row, options: StoreOptions): MaybePromise<Row> => {
    const store: Create = ([sealed], within) =>
      chain(this.store.create(this.rows.stored, sealed as Row, within), made => [made])
    return chain(this.#createAll([row], options, store), ([made]) => made as Row)
  }

  readonly createMany = (_: StoredModel, rows: readonly Row[], options: StoreOptions): MaybePromise<Row[]> =>
    this.#createAll(rows, options, (sealed, within) => this.store.createMany(this.rows.stored, sealed, within))

  #createAll (given: readonly Row[], options: StoreOptions, create: Create): MaybePromise<Row[]> {
    return chain(this.#prepared(given, options), rows => {
      const sealed = rows.map(row => this.rows.seal(row, boundId(this.rows.model, row)))
      const stored = (within: StoreOptions): MaybePromise<Row[]> =>
        chain(create(sealed, within), made => this.#bindAll(made, rows, within))
      return this.#asOne(rows, options, stored)
    })
  }

  /** Rows with their ids, as far as they can be known, once there is a key to seal their values. */
  #prepared (rows: readonly Row[], options: StoreOptions): MaybePromise<readonly Row[]> {
    return chain(this.rows.ready(), () => this.#withIds(rows, options))
  }

  /** Values of rows whose ids are not known yet are written by a second step. */
  #asOne<T> (
    rows: readonly Row[], options: StoreOptions, work: (within: StoreOptions) => MaybePromise<T>
  ): MaybePromise<T> {
    const isBound = rows.every(row => !this.rows.hasValues(row) || boundId(this.rows.model, row) !== undefined)
    return isBound ? work(options) : storedAsOne(this.compiled(), options, work)
  }

  /** Rows with the ids that the store gives out ahead, where it does. */
  #withIds (rows: readonly Row[], options: StoreOptions): MaybePromise<readonly Row[]> {
    const { model, stored } = this.rows
    const lacking = rows.filter(row => this.rows.hasValues(row) && boundId(model, row) === undefined)
    if (lacking.length === 0 || model.id === undefined || this.store.reserveIds === undefined) return rows
    return chain(this.store.reserveIds(stored, lacking.length, options), ids => {
      const byRow = new Map(lacking.map((row, i) => [row, ids[i]]))
      return rows.map(row => {
        const id = byRow.get(row)
        if (id === undefined) return row
        const whole = { ...row }
        setRowId(model, whole, id)
        return whole
      })
    })
  }

  /** Where the store cannot take back a row that did not get its values, it is removed. */
  #bindAll (made: readonly Row[], given: readonly Row[], within: StoreOptions): MaybePromise<Row[]> {
    const bound = (): MaybePromise<void> => eachInSequence(made, (row, i) => {
      const values = given[i] as Row
      return this.#bind(row, values, boundId(this.rows.model, values), within)
    })
    const failed = (error: unknown): MaybePromise<never> => chain(
      this.store.transactions === undefined ? eachInSequence(made, row => this.#remove(row, within)) : undefined,
      () => { throw error }
    )
    const all = (): MaybePromise<Row[]> => this.rows.open(made, given)
    try {
      const done = bound()
      return isPromise(done) ? done.then(all, failed) : all()
    } catch (error) { return failed(error) }
  }

  /** Seals the values of a row anew, where it has another id than the one that they were bound to. */
  #bind (stored: Row, given: Row, to: string | undefined, within: StoreOptions): MaybePromise<void> {
    const id = boundId(this.rows.model, stored)
    if (id === to || id === undefined || !this.rows.hasValues(given)) return
    const changes = this.rows.seal(this.rows.sealedOnly(given), id)
    const key = idOf(this.rows.model, stored) as Id
    return chain(this.store.updateById(this.rows.uncounted, key, changes, within), () => {})
  }

  #remove (row: Row, within: StoreOptions): MaybePromise<void> {
    return chain(this.store.deleteAll(this.rows.stored, rowCondition(this.rows.model, row), within), () => {})
  }

  readonly find = (_: StoredModel, query: Query, options: StoreOptions): MaybePromise<Row[]> => {
    mustOrderPlain(this.rows.model, query.order)
    const asked = { ...query, where: this.hashed(query.where), select: this.#withKey(query.select) }
    return chain(this.store.find(this.rows.stored, asked, options), rows => this.#opened(rows, query.select))
  }

  readonly findById = (
    _: StoredModel, id: Id, select: Selection, options: StoreOptions
  ): MaybePromise<Row | undefined> =>
    chain(this.store.findById(this.rows.stored, id, this.#withKey(select), options), row =>
      this.#openedOne(row, select))

  readonly updateById = (_: StoredModel, id: Id, changes: Row, options: StoreOptions): MaybePromise<Row | undefined> =>
    this.#writeOne(id, changes, options, sealed => this.store.updateById(this.rows.stored, id, sealed, options))

  readonly replaceById = (_: StoredModel, id: Id, row: Row, options: StoreOptions): MaybePromise<Row | undefined> =>
    this.#writeOne(id, row, options, sealed => this.store.replaceById(this.rows.stored, id, sealed, options))

  #writeOne (
    id: Id, values: Row, options: StoreOptions, write: (sealed: Row) => MaybePromise<Row | undefined>
  ): MaybePromise<Row | undefined> {
    const bind = (written: Row | undefined): MaybePromise<Row | undefined> => written &&
      chain(this.#bind(written, values, String(id), options), () => written)
    const open = (written: Row | undefined): MaybePromise<Row | undefined> => written &&
      chain(this.rows.open([written], [values]), ([row]) => row)
    const sealed = chain(this.rows.ready(), () => write(this.rows.seal(values, String(id))))
    return chain(chain(sealed, bind), open)
  }

  /** What is sealed differs from row to row: each row that gets such a value is written by itself. */
  readonly updateAll = (
    _: StoredModel, where: Condition | undefined, changes: Row, options: StoreOptions
  ): MaybePromise<number> => {
    const { model, stored } = this.rows
    const hashed = this.hashed(where)
    if (!this.rows.hasValues(changes)) {
      return this.store.updateAll(stored, hashed, this.rows.seal(changes, undefined), options)
    }
    const select = { names: model.key.map(({ name }) => name), extra: 'none' } as const
    const query: Query = { where: hashed, order: [], limit: undefined, skip: 0, select, include: [] }
    const writeEach = (rows: readonly Row[], within: StoreOptions): MaybePromise<number> => {
      let count = 0
      const each = (row: Row): MaybePromise<void> => chain(this.store.updateAll(
        stored, bothConditions(hashed, rowCondition(model, row)), this.rows.seal(changes, boundId(model, row)), within
      ), updated => { count += updated })
      return chain(eachInSequence(rows, each), () => count)
    }
    return chain(this.rows.ready(), () => storedAsOne(this.compiled(), options, within =>
      chain(this.store.find(stored, query, within), rows => writeEach(rows, within))))
  }

  readonly deleteAll = (_: StoredModel, where: Condition | undefined, options: StoreOptions): MaybePromise<number> =>
    this.store.deleteAll(this.rows.stored, this.hashed(where), options)

  readonly findOrCreate = (
    _: StoredModel, query: Query, given: Row, options: StoreOptions
  ): MaybePromise<{ row: Row, created: boolean }> => {
    mustOrderPlain(this.rows.model, query.order)
    const asked = { ...query, where: this.hashed(query.where), select: this.#withKey(query.select) }
    const seen = (found: Row): MaybePromise<{ row: Row, created: boolean }> =>
      chain(this.#opened([found], query.select), ([row]) => ({ row: row as Row, created: false }))
    const made = (stored: Row, row: Row, within: StoreOptions): MaybePromise<{ row: Row, created: boolean }> =>
      chain(this.#bindAll([stored], [row], within), ([whole]) => ({ row: whole as Row, created: true }))
    return chain(this.#prepared([given], options), rows => this.#asOne(rows, options, within => {
      const row = rows[0] as Row
      const sealed = this.rows.seal(row, boundId(this.rows.model, row))
      return chain(this.store.findOrCreate(this.rows.stored, asked, sealed, within), ({ row: stored, created }) =>
        created ? made(stored, row, within) : seen(stored))
    }))
  }

  /** What a value is bound to is read with it. */
  #withKey (select: Selection): Selection {
    const known = this.#selections.get(select)
    if (known !== undefined) return known
    const { names } = select
    const missing = names.some(name => this.rows.isSealed(name))
      ? this.rows.model.key.map(({ name }) => name).filter(name => !names.includes(name))
      : []
    const whole = missing.length === 0 ? select : { ...select, names: [...names, ...missing] }
    this.#selections.set(select, whole)
    return whole
  }

  #opened (rows: readonly Row[], select: Selection): MaybePromise<Row[]> {
    const added = this.#withKey(select).names.slice(select.names.length)
    const shown = (found: Row[]): Row[] => {
      for (const row of found) for (const name of added) delete row[name]
      return found
    }
    return chain(this.rows.open(rows), shown)
  }

  #openedOne (row: Row | undefined, select: Selection): MaybePromise<Row | undefined> {
    return row === undefined ? undefined : chain(this.#opened([row], select), ([opened]) => opened)
  }
}
