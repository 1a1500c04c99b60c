/** The change list of one model: one change per row, written with the row (SYD-1). */
import { randomUUID } from 'node:crypto'
import type { Id, MaybePromise, ModelClass, Row, StoreOptions } from '@fastback/core'
import { chain, eachInTurn, parseWhere } from '@fastback/core/connector'
import { storedAsOne } from '@fastback/core/remote'
import { sameValue } from './canonical-json.js'
import type { ChangeRow } from './change.js'
import { ChangeList, type MakeChange } from './change-list.js'
import type { ChangeNote } from './change-notes.js'
import { Checkpoints } from './checkpoints.js'
import { fillCustomProperties } from './custom-properties.js'
import { NotTrackedError } from './errors.js'
import { changeId, stampOf } from './revision.js'
import { keptOf, viewOf } from './tombstones.js'
import { keepsTrail, nextTrail } from './trail.js'

/** A row that was written, as clients see it, and who may see it. */
interface Seen { readonly data: Row, readonly view: Row }
type Custom = (change: ChangeRow) => MaybePromise<Row>

const kLog = Symbol('fastback.sync.log')
type Logged = ModelClass & { [kLog]?: ChangeLog }

export class ChangeLog extends ChangeList {
  readonly #keepsTrail: boolean

  private constructor (Model: ModelClass, makeChange: MakeChange) {
    super(Model, makeChange)
    this.#keepsTrail = keepsTrail(Model)
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
