/** The change list of one model: one change per row, written with the row (SYD-1). */
import { randomUUID } from 'node:crypto'
import type { Connector, Id, MaybePromise, ModelClass, Row, StoreOptions } from '@fastback/core'
import { chain, eachInSequence, parseWhere } from '@fastback/core/connector'
import { storedAsOne } from '@fastback/core/remote'
import { sameValue } from './canonical-json.js'
import type { ChangeRow } from './change.js'
import { ChangeList, ofRow, type MakeChange } from './change-list.js'
import { addNote, withNote, type ChangeNote } from './change-note.js'
import { fillCustomProperties } from './custom-properties.js'
import { NotTrackedError } from './errors.js'
import { changeId, revisionOf, visibleRow } from './revision.js'
import { tombstoneColumns, viewOf, type Tombstone } from './tombstones.js'
import { hasTrail, nextTrail } from './trail.js'

/** A row that was written, as clients see it, and who may see it. */
interface Seen { readonly data: () => Row, readonly view: Row }

/** What became of a row. */
export interface State {
  readonly id: Id
  /** null: it is gone. */
  readonly rev: string | null
  /** Of a row that is gone the revision that it had, where no change says so. */
  readonly before?: string
  readonly now?: Seen
}

/** What is to be written of a row. */
export interface NextChange {
  readonly changes: Row
  /** What its note says then, beside what it said. */
  readonly note?: ChangeNote
  /** Who could see the row until now. */
  readonly left?: Tombstone
  /** Whether the row was gone: its tombstone goes. */
  readonly isBack?: boolean
}

type Custom = (change: ChangeRow) => MaybePromise<Row>

const kLog = Symbol('fastback.sync.log')
type Logged = ModelClass & { [kLog]?: ChangeLog }

export class ChangeLog extends ChangeList {
  readonly #hasTrail: boolean
  /** Whether code of the application takes part in writing changes. */
  readonly isCustom: boolean

  private constructor (Model: ModelClass, makeChange: MakeChange) {
    super(Model, makeChange)
    this.#hasTrail = hasTrail(Model)
    this.isCustom = Object.keys(Model.settings.additionalChangeModelProperties ?? {}).length > 0
  }

  /** Whether changes of several rows can be written in one step; code of applications wants to see them one by one. */
  get writesTogether (): boolean {
    const { store } = this
    return store.together !== undefined && store.holdsLocks === true && !this.isCustom
  }

  /** Makes the change list of a model; the one that it has, where it has one on that data source. */
  static open (Model: ModelClass, makeChange: MakeChange): ChangeLog {
    const own = Object.hasOwn(Model, kLog) ? (Model as Logged)[kLog] : undefined
    if (own !== undefined && own.dataSource === Model.dataSource) return own
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

  /** Writes down what a row is now, in the transaction that it is written in (SY-23). */
  wrote (row: Readonly<Row>, options: StoreOptions): MaybePromise<void> {
    return chain(this.#note(this.stateOf(row), options, change => fillCustomProperties(this, row, change)), () => {})
  }

  /** What a row is now. */
  stateOf (row: Readonly<Row>): State {
    const { Model } = this
    const now = { data: () => visibleRow(Model, row), view: viewOf(Model, row) }
    return { id: this.idOf(row), rev: revisionOf(Model, row), now }
  }

  /** A row that is gone. */
  goneOf (row: Readonly<Row>): State {
    return { id: this.idOf(row), rev: null, before: revisionOf(this.Model, row) }
  }

  /** Writes down that a row is gone. */
  removed (row: Readonly<Row>, options: StoreOptions): MaybePromise<void> {
    const state = this.goneOf(row)
    return chain(this.#note(state, options, () => ({})), change =>
      this.#bury(change, tombstoneColumns(this.Model, row), options))
  }

  /**
   * The change of a row after this, and what else has to be written; undefined where nothing has.
   * @param note that of the change
   */
  next (
    found: ChangeRow | undefined, note: ChangeNote | undefined, state: State, checkpoint: number
  ): NextChange | undefined {
    const { rev, before, now } = state
    const moves = now !== undefined && note?.kept != null && !sameValue(note.kept, now.view)
    const last = found?.rev ?? null
    const noted = (): Pick<NextChange, 'note'> => this.isNoted ? { note: this.#noteAfter(now, note, last) } : {}
    if (found === undefined) {
      if (rev === null && before === undefined) return undefined
      const prev = rev === null ? { prev: before ?? null } : {}
      return { changes: { ...this.#first(state), checkpoint, ...prev }, ...noted() }
    }
    if (last === rev && !moves) return undefined
    const isSame = found.checkpoint === checkpoint || last === rev
    return {
      changes: { rev, ...(isSame ? {} : { prev: last }), checkpoint },
      ...noted(),
      ...(moves ? { left: this.#left(found, note?.kept ?? {}, checkpoint) } : {}),
      isBack: last === null && rev !== null
    }
  }

  /** The first change of a row, under whichever checkpoint. */
  #first ({ id, rev }: State): Row {
    const { modelName } = this.Model
    return { id: changeId(modelName, id), rev, modelName, modelId: String(id) }
  }

  #noteAfter (now: Seen | undefined, note: ChangeNote | undefined, was: string | null): ChangeNote {
    return {
      at: new Date(),
      kept: now?.view,
      trail: now !== undefined && this.#hasTrail ? nextTrail(note?.trail, was, now.data()) : undefined
    }
  }

  /** Others may have been able to read the row until now: they are told that it left (SYD-21). */
  #left ({ id, modelId }: ChangeRow, kept: Row, checkpoint: number): Tombstone {
    return {
      id: `${String(id)} ${randomUUID()}`,
      modelName: this.Model.modelName,
      modelId,
      checkpoint,
      at: new Date(),
      kept: { ...kept, [this.Model.getIdName() ?? 'id']: modelId }
    }
  }

  /** The tombstone of a row whose change this is. */
  graveOf ({ id, modelId, checkpoint }: ChangeRow, kept: Row | null): Tombstone {
    const { modelName } = this.Model
    return { id: String(id), modelName, modelId, checkpoint: checkpoint ?? 0, at: new Date(), kept }
  }

  #bury (change: ChangeRow | undefined, kept: Row | null, options: StoreOptions): MaybePromise<void> {
    if (change === undefined || change.rev !== null) return
    return chain(this.tombstones.put(this.graveOf(change, kept), options), () => {})
  }

  /**
   * Writes down what became of a row.
   * @param custom further properties of the change
   * @returns its change, where there is one
   */
  #note (state: State, options: StoreOptions, custom: Custom): MaybePromise<ChangeRow | undefined> {
    return chain(this.checkpoints.held(options), checkpoint =>
      // Nobody else writes it until the transaction ends.
      chain(this.noted(state.id, { ...options, lock: true }), ({ change: found, note }) => {
        const next = this.next(found, note, state, checkpoint)
        return next === undefined ? found : this.#write(state.id, found, next, options, custom)
      }))
  }

  #write (
    id: Id, found: ChangeRow | undefined, next: NextChange, options: StoreOptions, custom: Custom
  ): MaybePromise<ChangeRow> {
    const steps = this.#stepsOf(id, found, next, options, custom)
    const done = eachInSequence(steps, work => chain(work(), () => {}))
    return chain(done, () => ({ ...found, ...next.changes }) as ChangeRow)
  }

  #stepsOf (
    id: Id, found: ChangeRow | undefined, { changes, note = {}, left, isBack }: NextChange, options: StoreOptions,
    custom: Custom
  ): Array<() => MaybePromise<unknown>> {
    const { store, Model: { modelName }, Change: { compiled } } = this
    const key = changeId(modelName, id)
    return [
      () => left && this.tombstones.put(left, options),
      () => chain(custom({ ...found, ...changes } as ChangeRow), own => {
        const written = addNote({ ...changes, ...own }, note)
        return found === undefined
          ? store.create(compiled, written, options)
          : store.updateById(compiled, key, written, { ...options, also: ofRow(id) })
      }),
      () => isBack === true ? this.tombstones.remove([key], options) : undefined,
      () => this.#confirm(key, Number(changes.checkpoint), options)
    ]
  }

  /**
   * Where nothing keeps the checkpoint from going up while a row is written, a change that came late gets the number of
   * now, once others can see it: anyone who has read up to there finds it (SYD-7).
   */
  #confirm (key: string, checkpoint: number, options: StoreOptions): MaybePromise<void> {
    if (this.store.holdsLocks === true) return
    if (options.ending === undefined) return this.#moveOn(key, checkpoint, options)
    options.ending.whenCommitted(() => {
      Promise.resolve().then(() => this.#moveOn(key, checkpoint, {})).catch((error: unknown) => {
        this.Model.registry.log.warn({ err: error, model: this.Model.modelName }, 'A change could not be brought up to date')
      })
    })
  }

  #moveOn (key: string, checkpoint: number, options: StoreOptions): MaybePromise<void> {
    const { store, Change: { compiled } } = this
    return chain(this.checkpoints.held({ ...options, lock: false }), now => {
      if (now === checkpoint) return
      const where = parseWhere(compiled, { id: key, checkpoint }, compiled.parsing.internal)
      return chain(store.updateAll(compiled, where, { checkpoint: now }, options), count =>
        count === 0 ? undefined : this.#moveOn(key, now, options))
    })
  }

  setPrevious (id: unknown, prev: string | null): MaybePromise<ChangeRow | undefined> {
    const { compiled } = this.Change
    const key = changeId(this.Model.modelName, id)
    const writing = { ...this.options, also: ofRow(id), mayBeMissing: true }
    const written = this.store.updateById(compiled, key, { prev }, writing)
    return chain(written, row => withNote(row).change)
  }

  /**
   * Stores a new row and its change in one step, where the store can, and nothing stands in the way.
   * @returns undefined where nothing was stored
   */
  create (store: Connector, row: Row, options: StoreOptions): MaybePromise<Row | undefined> {
    const { Model: { compiled }, checkpoints } = this
    // Anyone who stands between model and store wants to see the row.
    if (store.together === undefined || !this.writesTogether || compiled.id === undefined) return undefined
    if ((this.idOf(row) ?? undefined) === undefined) return undefined
    const state = this.stateOf(row)
    const change = this.#first(state)
    if (this.isNoted) addNote(change, this.#noteAfter(state.now, undefined, null))
    return store.together.create([
      { model: compiled, row },
      { model: this.Change.compiled, row: change, keptAs: 'checkpoint' }
    ], checkpoints.value, options)
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
    return chain(this.#note({ id, rev: null }, options, () => ({})), change =>
      chain(this.tombstones.of([changeId(this.Model.modelName, id)], options), known =>
        known.size > 0 ? undefined : this.#bury(change, null, options)))
  }
}
