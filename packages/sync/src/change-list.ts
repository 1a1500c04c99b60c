/** The change list of one model, as it is read. */
import type { DataSource, Id, MaybePromise, ModelClass, Row, StoreOptions } from '@fastback/core'
import { chain, parseFilter } from '@fastback/core/connector'
import { storeOptions } from '@fastback/core/remote'
import type { ChangeRow } from './change.js'
import { ChangeNotes, noteId, type ChangeNote } from './change-notes.js'
import { Checkpoints } from './checkpoints.js'
import { NoSingleIdError, NotTrackedError } from './errors.js'
import { changeId, stampOf } from './revision.js'
import { isSynced } from './sync-settings.js'
import { Tombstones } from './tombstones.js'

/** A change, with what the protocol of today notes beside it. */
export type ChangeEntry = ChangeRow & ChangeNote

/** Makes the model of the changes. */
export type MakeChange = (Model: ModelClass, dataSource: DataSource) => ModelClass

export class ChangeList {
  readonly dataSource: DataSource
  readonly Change: ModelClass
  readonly checkpoints: Checkpoints
  readonly tombstones: Tombstones
  /** Where the routes of today are, which want to know more of a change. */
  readonly notes: ChangeNotes | undefined

  constructor (readonly Model: ModelClass, makeChange: MakeChange) {
    const { dataSource } = Model
    if (dataSource === null) throw new NotTrackedError(Model.modelName)
    this.dataSource = dataSource
    this.checkpoints = Checkpoints.of(dataSource)
    this.tombstones = Tombstones.of(dataSource)
    this.notes = isSynced(Model) ? ChangeNotes.of(dataSource) : undefined
    this.Change = makeChange(Model, dataSource)
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
      chain(this.notes?.of(found.map(({ modelId }) => this.noteKey(modelId)), options), notes =>
        found.map(change => ({ ...change, ...notes?.get(this.noteKey(change.modelId)) }))))
  }

  /** What is noted beside the change of a row. */
  noteOf (id: unknown): MaybePromise<ChangeNote | undefined> {
    return this.notes?.one(this.noteKey(id), this.options)
  }

  /** The id of the note of a row. */
  noteKey (id: unknown): string {
    return noteId(this.Model.modelName, id)
  }

  /** When these rows were last written, by the id of the row, as far as it was noted. */
  timesOf (ids: readonly Id[]): MaybePromise<ReadonlyMap<string, Date | null>> {
    const { notes } = this
    if (notes === undefined || ids.length === 0) return new Map()
    const keys = new Map(ids.map(id => [this.noteKey(id), String(id)]))
    return chain(notes.times([...keys.keys()], this.options), times =>
      new Map([...times].map(([key, at]) => [keys.get(key) ?? key, at])))
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
}
