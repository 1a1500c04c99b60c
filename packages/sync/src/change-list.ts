/** The change list of one model, as it is read. */
import type { Connector, DataSource, Id, MaybePromise, ModelClass, Row, RowRule, Selection, StoreOptions } from '@fastback/core'
import { byClock, chain, parseFilter } from '@fastback/core/connector'
import { storeOptions } from '@fastback/core/remote'
import type { ChangeRow } from './change.js'
import { timeOf, withNote, type ChangeNote, type NotedChange } from './change-note.js'
import { Checkpoints } from './checkpoints.js'
import { NoSingleIdError, NotTrackedError } from './errors.js'
import { changeId, stampFor } from './revision.js'
import { isSynced } from './sync-settings.js'
import { Tombstones } from './tombstones.js'

/** A change, with what the protocol of today notes of it. */
export type ChangeEntry = ChangeRow & ChangeNote

/** What a store may find the change of a row by, beside its id. */
export const ofRow = (id: unknown): { property: string, value: string } => ({ property: 'modelId', value: String(id) })

/** Makes the model of the changes. */
export type MakeChange = (Model: ModelClass, dataSource: DataSource) => ModelClass

/** Changes that are read at once. */
const atOnce = 2_000

export class ChangeList {
  readonly dataSource: DataSource
  readonly Change: ModelClass
  readonly #ofDataSource: Checkpoints
  readonly tombstones: Tombstones
  /** Whether the routes of today are there, which want to know more of a change. */
  readonly isNoted: boolean

  constructor (readonly Model: ModelClass, makeChange: MakeChange) {
    const { dataSource } = Model
    if (dataSource === null) throw new NotTrackedError(Model.modelName)
    this.dataSource = dataSource
    this.#ofDataSource = Checkpoints.of(dataSource)
    this.tombstones = Tombstones.of(dataSource)
    this.isNoted = isSynced(Model)
    this.Change = makeChange(Model, dataSource)
  }

  /** Those of the data source, or of the model that an application gives its changes. */
  get checkpoints (): Checkpoints {
    const { Checkpoint } = this.Change as { Checkpoint?: ModelClass }
    return Checkpoint === undefined ? this.#ofDataSource : Checkpoints.over(Checkpoint)
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

  /** Where changes are kept, with their notes: code of applications sees them without (`leavingNotes`). */
  get store (): Connector {
    return this.dataSource.store
  }

  /** The change of a row; undefined when there is none. */
  last (id: unknown, options = this.options): MaybePromise<ChangeRow | undefined> {
    return chain(this.noted(id, options), ({ change }) => change)
  }

  /** The change of a row, with what is noted of it. */
  noted (id: unknown, options = this.options): MaybePromise<NotedChange> {
    const { compiled } = this.Change
    const key = changeId(this.Model.modelName, id)
    const reading = { ...options, also: ofRow(id), mayBeMissing: true }
    return chain(this.store.findById(compiled, key, compiled.selectStored, reading), withNote)
  }

  /** A condition for the changes of rows: by their own ids, and by those of the rows, which SQLite keeps them by. */
  among (ids: readonly unknown[]): { id: object, modelId: object } {
    const { modelName } = this.Model
    return { id: { inq: ids.map(id => changeId(modelName, id)) }, modelId: { inq: ids.map(String) } }
  }

  /** Changes that fit a filter, in the order of checkpoints. */
  find (filter: object, options = this.options): MaybePromise<ChangeRow[]> {
    return this.#read(filter, this.Change.compiled.selectAll, options) as MaybePromise<never>
  }

  /** The same of filters that have no page, however many there are: others have their turn in between. */
  async findAll (filter: { readonly where?: object }): Promise<ChangeRow[]> {
    const few = await this.find({ ...filter, limit: atOnce + 1 })
    if (few.length <= atOnce) return few
    const all: ChangeRow[] = []
    const pauses = byClock()
    for (let after = ''; ;) {
      if (pauses.isDue) await pauses.rest()
      const where = { and: [filter.where ?? {}, { modelId: { gt: after } }] }
      const found = await this.find({ ...filter, where, order: ['modelId ASC'], limit: atOnce })
      all.push(...found)
      if (found.length < atOnce) break
      after = (found.at(-1) as ChangeRow).modelId
    }
    const order = (one: ChangeRow, other: ChangeRow): number =>
      (one.checkpoint ?? 0) - (other.checkpoint ?? 0) || (String(one.id) < String(other.id) ? -1 : 1)
    return all.sort(order)
  }

  /** The same, with what is noted of them. */
  entries (filter: object, options = this.options): MaybePromise<ChangeEntry[]> {
    return chain(this.#read(filter, this.Change.compiled.selectStored, options), found =>
      found.map(row => {
        const { change, note } = withNote(row)
        return { ...change, ...note } as ChangeEntry
      }))
  }

  #read (filter: object, select: Selection, options: StoreOptions): MaybePromise<Row[]> {
    const { compiled } = this.Change
    const query = parseFilter(compiled, { order: ['checkpoint ASC', 'id ASC'], ...filter }, compiled.parsing.internal)
    return this.store.find(compiled, { ...query, select }, options)
  }

  /** When these rows were last written, by the id of the row, as far as it was noted. */
  timesOf (ids: readonly Id[]): MaybePromise<ReadonlyMap<string, Date | null>> {
    const { isNoted, Change: { compiled } } = this
    if (!isNoted || ids.length === 0) return new Map()
    const query = parseFilter(compiled, { where: this.among(ids), fields: ['modelId', '_at'] }, compiled.parsing.internal)
    return chain(this.store.find(compiled, query, this.options), found =>
      new Map(found.map(({ modelId, _at }) => [String(modelId), timeOf(_at)])))
  }

  /** The revisions of rows as they are stored, by id: what hooks make of them is not in it. */
  revisionsOf (rows: readonly Row[], reads?: RowRule['reads']): MaybePromise<ReadonlyMap<string, string>> {
    const { compiled } = this.Model
    const where = { [compiled.id?.name ?? 'id']: { inq: rows.map(row => this.idOf(row)) } }
    const query = parseFilter(compiled, { where }, compiled.parsing.internal)
    return chain(compiled.connector.find(compiled, query, this.options), stored =>
      new Map(stored.map(row => [String(this.idOf(row)), stampFor(this.Model, row, reads).rev])))
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
