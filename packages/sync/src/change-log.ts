/** The change list of one model: one change per row, written with the row (SYD-1). */
import type { DataSource, Id, MaybePromise, ModelClass, Row, StoreOptions } from '@fastback/core'
import { chain, eachInTurn, parseFilter, parseWhere } from '@fastback/core/connector'
import { storedAsOne, storeOptions } from '@fastback/core/remote'
import type { ChangeRow } from './change.js'
import { Checkpoints } from './checkpoints.js'
import { NoSingleIdError, NotTrackedError } from './errors.js'
import { fillCustomProperties } from './custom-properties.js'
import { changeId, revisionOf } from './revision.js'
import { keptOf, Tombstones } from './tombstones.js'

/** Rows of one query. */
const batch = 500
const day = 86_400_000
const defaultTtl = 90 * day

const kLog = Symbol('fastback.sync.log')
/** Makes the model of the changes of another. */
type MakeChange = (Model: ModelClass, dataSource: DataSource) => ModelClass
type Logged = ModelClass & { [kLog]?: ChangeLog }

export class ChangeLog {
  readonly Change: ModelClass
  readonly checkpoints: Checkpoints
  readonly tombstones: Tombstones

  private constructor (readonly Model: ModelClass, makeChange: MakeChange) {
    const { dataSource } = Model
    if (dataSource === null) throw new NotTrackedError(Model.modelName)
    this.checkpoints = Checkpoints.of(dataSource)
    this.tombstones = Tombstones.of(dataSource)
    this.Change = makeChange(Model, dataSource)
  }

  /** Makes the change list of a model; the one that it has, where it has one on that data source. */
  static open (Model: ModelClass, makeChange: MakeChange): ChangeLog {
    const own = Object.hasOwn(Model, kLog) ? (Model as Logged)[kLog] : undefined
    if (own !== undefined && own.checkpoints === (Model.dataSource && Checkpoints.of(Model.dataSource))) return own
    const made = new ChangeLog(Model, makeChange)
    Object.defineProperty(Model, kLog, { value: made, configurable: true, enumerable: false, writable: true })
    return made
  }

  /** @throws FBK_SYNC_NOT_TRACKED */
  static of (Model: ModelClass): ChangeLog {
    const found = ChangeLog.find(Model)
    if (found === undefined) throw new NotTrackedError(Model.modelName)
    return found
  }

  /** That of the model, or of the one whose copy it is within a transaction. */
  static find (Model: ModelClass): ChangeLog | undefined {
    const found = (Model as Logged)[kLog]
    return found?.Model.modelName === Model.modelName ? found : undefined
  }

  /** What stands for the store outside of operations: the transaction that the caller is in, if any. */
  get options (): StoreOptions {
    return storeOptions(this.Model.compiled, {})
  }

  idOf (row: Readonly<Row>): Id {
    const { id } = this.Model.compiled
    if (id === undefined) throw new NoSingleIdError(this.Model.modelName)
    return row[id.name] as Id
  }

  /** The change of a row; undefined when there is none. */
  last (id: unknown, options = this.options): MaybePromise<ChangeRow | undefined> {
    return this.byId(changeId(this.Model.modelName, id), options)
  }

  byId (id: string, options: StoreOptions): MaybePromise<ChangeRow | undefined> {
    const { compiled } = this.Change
    return compiled.connector.findById(compiled, id, compiled.selectAll, options) as MaybePromise<ChangeRow | undefined>
  }

  /** Changes that fit a filter, in the order of checkpoints. */
  find (filter: object, options = this.options): MaybePromise<ChangeRow[]> {
    const { compiled } = this.Change
    const query = parseFilter(compiled, { order: ['checkpoint ASC', 'id ASC'], ...filter }, compiled.parsing.internal)
    return compiled.connector.find(compiled, query, options) as MaybePromise<never>
  }

  /** Writes down what a row is now, in the transaction that it is written in (SY-23). */
  wrote (row: Readonly<Row>, options: StoreOptions): MaybePromise<void> {
    const id = this.idOf(row)
    return this.#note(id, revisionOf(this.Model, row), undefined, options, change =>
      chain(fillCustomProperties(this, row, change), custom => custom))
  }

  /** Writes down that a row is gone. */
  removed (row: Readonly<Row>, options: StoreOptions): MaybePromise<void> {
    const id = this.idOf(row)
    return chain(this.#note(id, null, revisionOf(this.Model, row), options, () => ({})), () =>
      this.#bury(id, keptOf(this.Model, row), options))
  }

  #bury (id: Id, kept: Row | null, options: StoreOptions): MaybePromise<void> {
    const { modelName } = this.Model
    return chain(this.last(id, options), change => {
      if (change?.id === undefined || change.rev !== null) return
      return chain(this.tombstones.put({
        id: change.id, modelName, modelId: String(id), checkpoint: change.checkpoint ?? 0, at: new Date(), kept
      }, options), () => {})
    })
  }

  /**
   * @param before the revision that the row had, where no change says so
   * @param custom further properties of the change
   */
  #note (
    id: Id, rev: string | null, before: string | undefined, options: StoreOptions,
    custom: (change: ChangeRow) => MaybePromise<Row>
  ): MaybePromise<void> {
    const { modelName } = this.Model
    const key = changeId(modelName, id)
    return chain(this.checkpoints.held(options), checkpoint =>
      chain(this.byId(key, { ...options, lock: true }), found => {
        if (found !== undefined) return this.#carryOn(found, rev, checkpoint, options, custom)
        if (rev === null && before === undefined) return
        const prev = rev === null ? { prev: before ?? null } : {}
        return this.#begin({ id: key, rev, checkpoint, modelName, modelId: String(id), ...prev }, options, custom)
      }))
  }

  #begin (
    change: ChangeRow, options: StoreOptions, custom: (change: ChangeRow) => MaybePromise<Row>
  ): MaybePromise<void> {
    const { compiled } = this.Change
    return chain(custom(change), own =>
      chain(compiled.connector.create(compiled, { ...change, ...own }, options), () => {}))
  }

  #carryOn (
    found: ChangeRow, rev: string | null, checkpoint: number, options: StoreOptions,
    custom: (change: ChangeRow) => MaybePromise<Row>
  ): MaybePromise<void> {
    const { compiled } = this.Change
    const last = found.rev ?? null
    const key = String(found.id)
    if (last === rev) return
    const changes: Row = found.checkpoint === checkpoint ? { rev } : { rev, prev: last, checkpoint }
    const isBack = last === null && rev !== null
    return chain(custom({ ...found, ...changes }), own => {
      const written = compiled.connector.updateById(compiled, key, { ...changes, ...own }, options)
      return chain(written, () => isBack ? this.tombstones.remove(key, options) : undefined)
    })
  }

  /** Sets a property of a change by itself: the revision that it is based on (SY-56). */
  setPrevious (id: unknown, prev: string | null): MaybePromise<ChangeRow | undefined> {
    const { compiled } = this.Change
    const key = changeId(this.Model.modelName, id)
    return compiled.connector.updateById(
      compiled, key, { prev }, { ...this.options, mayBeMissing: true }
    ) as MaybePromise<ChangeRow | undefined>
  }

  /** Looks at a row as it is stored: for writes that went past the model (SY-28). */
  rectify (id: unknown): MaybePromise<void> {
    const { compiled } = this.Model
    return storedAsOne(compiled, this.options, within =>
      chain(compiled.connector.findById(
        compiled, id as Id, compiled.selectAll, { ...within, lock: true, mayBeMissing: true }
      ), row => {
        return row === undefined ? this.#missed(id as Id, within) : this.wrote(row, within)
      }))
  }

  /** A row that is gone, and nobody saw it go. */
  #missed (id: Id, options: StoreOptions): MaybePromise<void> {
    return chain(this.#note(id, null, undefined, options, () => ({})), () =>
      chain(this.tombstones.of([changeId(this.Model.modelName, id)], options), known =>
        known.size > 0 ? undefined : this.#bury(id, null, options)))
  }

  /** Looks at all rows that have a change. */
  rectifyAll (): MaybePromise<void> {
    return chain(this.#eachChange(change => this.rectify(change.modelId)), () => this.purge())
  }

  /** Looks at all rows, those that have no change as well. */
  async rebuild (): Promise<void> {
    await this.rectifyAll()
    const { compiled } = this.Model
    const idName = compiled.id?.name ?? 'id'
    for (let after: unknown; ;) {
      const where = after === undefined ? {} : { [idName]: { gt: after } }
      const query = parseFilter(compiled, { where, order: `${idName} ASC`, limit: batch }, compiled.parsing.internal)
      const rows = await compiled.connector.find(compiled, query, this.options)
      for (const row of rows) await this.rectify(this.idOf(row))
      const last = rows.at(-1)
      if (rows.length < batch || last === undefined) return
      after = this.idOf(last)
    }
  }

  /** In pages by the id: what is changed meanwhile does not move others. */
  #eachChange (work: (change: ChangeRow) => MaybePromise<void>, after = ''): MaybePromise<void> {
    const where = after === '' ? {} : { id: { gt: after } }
    return chain(this.find({ where, order: ['id ASC'], limit: batch }), changes =>
      chain(eachInTurn(changes, work), () => {
        const last = changes.at(-1)?.id
        return changes.length < batch || last === undefined ? undefined : this.#eachChange(work, last)
      }))
  }

  /** Forgets deletes that are older than `tombstoneTtl` seconds (SYD-9). */
  purge (now = Date.now()): MaybePromise<void> {
    const { settings } = this.Model
    const ttl = typeof settings.tombstoneTtl === 'number' ? settings.tombstoneTtl * 1000 : defaultTtl
    return storedAsOne(this.Model.compiled, this.options, within => this.#forget(new Date(now - ttl), within))
  }

  async #forget (before: Date, within: StoreOptions): Promise<void> {
    const { modelName } = this.Model
    const { compiled } = this.Change
    const old = await this.tombstones.before(modelName, before, within)
    if (old.length === 0) return
    const ids = old.map(({ id }) => id)
    const gone = parseWhere(compiled, { id: { inq: ids }, rev: null }, compiled.parsing.internal)
    await compiled.connector.deleteAll(compiled, gone, within)
    for (const id of ids) await this.tombstones.remove(id, within)
    const horizon = await this.tombstones.horizon(modelName, within)
    const latest = old.reduce((most, { checkpoint }) => Math.max(most, checkpoint + 1), horizon)
    await this.tombstones.setHorizon(modelName, latest, within)
  }
}
