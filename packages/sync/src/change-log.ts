/** The change list of one model: one change per row, written with the row (SYD-1). */
import { randomUUID } from 'node:crypto'
import type { DataSource, Id, MaybePromise, ModelClass, Row, StoreOptions } from '@fastback/core'
import { chain, eachInTurn, parseFilter, parseWhere } from '@fastback/core/connector'
import { storedAsOne, storeOptions } from '@fastback/core/remote'
import type { ChangeRow } from './change.js'
import { ChangeNotes, type ChangeNote } from './change-notes.js'
import { Checkpoints } from './checkpoints.js'
import { NoSingleIdError, NotTrackedError } from './errors.js'
import { fillCustomProperties } from './custom-properties.js'
import { changeId, stampOf } from './revision.js'
import { keptOf, Tombstones, viewOf } from './tombstones.js'
import { keepsTrail, nextTrail } from './trail.js'
import { isSynced } from './sync-settings.js'
import { sameValue } from './canonical-json.js'

/** A row that was written, as clients see it, and who may see it. */
interface Seen { readonly data: Row, readonly view: Row }
type Custom = (change: ChangeRow) => MaybePromise<Row>

/** A change, with what the protocol of today notes beside it. */
export type ChangeEntry = ChangeRow & ChangeNote

const kLog = Symbol('fastback.sync.log')
type MakeChange = (Model: ModelClass, dataSource: DataSource) => ModelClass
type Logged = ModelClass & { [kLog]?: ChangeLog }

export class ChangeLog {
  readonly dataSource: DataSource
  readonly Change: ModelClass
  readonly checkpoints: Checkpoints
  readonly tombstones: Tombstones
  /** Where the routes of today are, which want to know more of a change. */
  readonly notes: ChangeNotes | undefined
  readonly #keepsTrail: boolean

  private constructor (readonly Model: ModelClass, makeChange: MakeChange) {
    const { dataSource } = Model
    if (dataSource === null) throw new NotTrackedError(Model.modelName)
    this.dataSource = dataSource
    this.checkpoints = Checkpoints.of(dataSource)
    this.tombstones = Tombstones.of(dataSource)
    this.notes = isSynced(Model) ? ChangeNotes.of(dataSource) : undefined
    this.#keepsTrail = keepsTrail(Model)
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

  /** The same, with what is noted beside them. */
  entries (filter: object, options = this.options): MaybePromise<ChangeEntry[]> {
    return chain(this.find(filter, options), found =>
      chain(this.notes?.of(found.map(({ id }) => String(id)), options), notes =>
        found.map(change => ({ ...change, ...notes?.get(String(change.id)) }))))
  }

  /** What is noted beside the change of a row. */
  noteOf (id: unknown): MaybePromise<ChangeNote | undefined> {
    return this.notes?.one(changeId(this.Model.modelName, id), this.options)
  }

  /** The changes of rows, by the id of the row. */
  entriesOf (ids: readonly Id[]): MaybePromise<ReadonlyMap<string, ChangeEntry>> {
    if (ids.length === 0) return new Map()
    const { modelName } = this.Model
    return chain(this.entries({ where: { id: { inq: ids.map(id => changeId(modelName, id)) } } }), found =>
      new Map(found.map(entry => [entry.modelId, entry])))
  }

  /** The revisions of rows as they are stored, by id: what hooks make of them is not in it. */
  revisionsOf (rows: readonly Row[]): MaybePromise<ReadonlyMap<string, string>> {
    const { compiled } = this.Model
    const where = { [compiled.id?.name ?? 'id']: { inq: rows.map(row => this.idOf(row)) } }
    const query = parseFilter(compiled, { where }, compiled.parsing.internal)
    return chain(compiled.connector.find(compiled, query, this.options), stored =>
      new Map(stored.map(row => [String(this.idOf(row)), stampOf(this.Model, row).rev])))
  }

  /** The id of a row, as its JSON has it, of that which its change has. */
  shownId (modelId: string): Id {
    return this.Model.compiled.id?.type.kind === 'number' ? Number(modelId) : modelId
  }

  /**
   * The checkpoint below which no change comes any more: that of now, where nothing was written under it; else the
   * next one.
   */
  settled (): MaybePromise<number> {
    const any = (now: number): MaybePromise<ChangeRow[]> => this.find({ where: { checkpoint: { gte: now } }, limit: 1 })
    const next = (): MaybePromise<number> => chain(this.checkpoints.raise(), ({ seq }) => seq)
    return chain(this.checkpoints.current(), now => chain(any(now), ({ length }) => length === 0 ? now : next()))
  }

  /** Writes down what a row is now, in the transaction that it is written in (SY-23). */
  wrote (row: Readonly<Row>, options: StoreOptions): MaybePromise<void> {
    const { rev, data } = stampOf(this.Model, row)
    const now = { data, view: viewOf(this.Model, row) }
    return this.#note(this.idOf(row), rev, undefined, now, options, change => fillCustomProperties(this, row, change))
  }

  /** Writes down that a row is gone. */
  removed (row: Readonly<Row>, options: StoreOptions): MaybePromise<void> {
    const id = this.idOf(row)
    return chain(this.#note(id, null, stampOf(this.Model, row).rev, undefined, options, () => ({})), () =>
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
    id: Id, rev: string | null, before: string | undefined, now: Seen | undefined, options: StoreOptions,
    custom: Custom
  ): MaybePromise<void> {
    const { modelName } = this.Model
    const key = changeId(modelName, id)
    return chain(this.checkpoints.held(options), checkpoint =>
      chain(this.byId(key, { ...options, lock: true }), found => {
        if (found !== undefined) return this.#carryOn(found, rev, checkpoint, now, options, custom)
        if (rev === null && before === undefined) return
        const prev = rev === null ? { prev: before ?? null } : {}
        const change = { id: key, rev, checkpoint, modelName, modelId: String(id), ...prev }
        const noted = (): MaybePromise<unknown> => this.#putNote(key, now, undefined, null, options)
        return this.#oneByOne(
          () => this.#begin(change, options, custom), noted, () => this.#confirm(key, checkpoint, options))
      }))
  }

  #begin (
    change: ChangeRow, options: StoreOptions, custom: Custom
  ): MaybePromise<void> {
    const { compiled } = this.Change
    return chain(custom(change), own =>
      chain(compiled.connector.create(compiled, { ...change, ...own }, options), () => {}))
  }

  #carryOn (
    found: ChangeRow, rev: string | null, checkpoint: number, now: Seen | undefined, options: StoreOptions,
    custom: Custom
  ): MaybePromise<void> {
    const key = String(found.id)
    return chain(this.notes?.one(key, options), note => {
      const moves = now !== undefined && note?.kept != null && !sameValue(note.kept, now.view)
      const last = found.rev ?? null
      if (last === rev && !moves) return
      const left = moves ? this.#leave(found, note.kept ?? {}, checkpoint, options) : undefined
      return this.#oneByOne(
        () => left,
        () => this.#moveChange(found, rev, checkpoint, options, custom),
        () => this.#putNote(key, now, note ?? {}, last, options),
        () => this.#confirm(key, checkpoint, options)
      )
    })
  }

  #oneByOne (...works: Array<() => MaybePromise<unknown>>): MaybePromise<void> {
    return eachInTurn(works, work => chain(work(), () => {}))
  }

  #moveChange (
    found: ChangeRow, rev: string | null, checkpoint: number, options: StoreOptions, custom: Custom
  ): MaybePromise<void> {
    const { compiled } = this.Change
    const last = found.rev ?? null
    const key = String(found.id)
    const isSame = found.checkpoint === checkpoint || last === rev
    const changes: Row = isSame ? { rev, checkpoint } : { rev, prev: last, checkpoint }
    return chain(custom({ ...found, ...changes }), own => {
      const written = compiled.connector.updateById(compiled, key, { ...changes, ...own }, options)
      return chain(written, () => last === null && rev !== null ? this.tombstones.remove(key, options) : undefined)
    })
  }

  /** @param note that of the change; undefined: the change is new */
  #putNote (
    key: string, now: Seen | undefined, note: ChangeNote | undefined, was: string | null, options: StoreOptions
  ): MaybePromise<unknown> {
    if (this.notes === undefined) return
    const trail = now !== undefined && this.#keepsTrail ? { trail: nextTrail(note?.trail, was, now.data) } : {}
    const kept = now === undefined ? {} : { kept: now.view }
    return this.notes.put(key, { at: new Date(), ...kept, ...trail }, note === undefined, options)
  }

  /** Others may have been able to read the row until now: they are told that it left (SYD-21). */
  #leave (
    { id, modelId }: ChangeRow, kept: Row, checkpoint: number, options: StoreOptions
  ): MaybePromise<unknown> {
    const { modelName } = this.Model
    return this.tombstones.put({
      id: `${String(id)} ${randomUUID()}`,
      modelName,
      modelId,
      checkpoint,
      at: new Date(),
      kept: { ...kept, [this.Model.getIdName() ?? 'id']: modelId }
    }, options)
  }

  /**
   * Where nothing keeps the checkpoint from going up while a row is written, a change that came late gets the number of
   * now, once others can see it: whoever has read up to there finds it (SYD-7).
   */
  #confirm (key: string, checkpoint: number, options: StoreOptions): MaybePromise<void> {
    const { connector } = this.Change.compiled
    if (connector.holdsLocks === true) return
    if (options.ending === undefined) return this.#moveOn(key, checkpoint, options)
    options.ending.whenCommitted(() => {
      Promise.resolve().then(() => this.#moveOn(key, checkpoint, {})).catch((error: unknown) => {
        this.Model.registry.log.warn({ err: error, model: this.Model.modelName }, 'A change could not be brought up to date')
      })
    })
  }

  #moveOn (key: string, checkpoint: number, options: StoreOptions): MaybePromise<void> {
    const { compiled } = this.Change
    return chain(this.checkpoints.held({ ...options, lock: false }), now => {
      if (now === checkpoint) return
      const where = parseWhere(compiled, { id: key, checkpoint }, compiled.parsing.internal)
      return chain(compiled.connector.updateAll(compiled, where, { checkpoint: now }, options), count =>
        count === 0 ? undefined : this.#moveOn(key, now, options))
    })
  }

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
    return chain(this.#note(id, null, undefined, undefined, options, () => ({})), () =>
      chain(this.tombstones.of([changeId(this.Model.modelName, id)], options), known =>
        known.size > 0 ? undefined : this.#bury(id, null, options)))
  }
}
