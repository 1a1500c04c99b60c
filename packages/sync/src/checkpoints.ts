/**
 * The checkpoint of a data source (SY-30): a number that every change is written under. It goes up by one at a time,
 * never back, and only when every write under the number before has ended (SYD-7).
 */
import type { DataSource, StoredValue, MaybePromise, ModelClass, Row, StoreOptions } from '@fastback/core'
import { chain, parseFilter, parseWhere } from '@fastback/core/connector'
import { storedAsOne, storeOptions } from '@fastback/core/remote'
import { addCheckpointStatics, checkpointProperties } from './checkpoint-statics.js'

/** What `checkpoint()` gives. */
export interface Checkpoint {
  readonly seq: number
  readonly time: Date
  readonly id: number
}

const only = 1
const kCheckpoints = Symbol('fastback.sync.checkpoints')
const kKept = Symbol('fastback.sync.keptCheckpoints')

export class Checkpoints {
  /** Numbers that operations hold. */
  readonly #held = new WeakMap<StoreOptions, number>()

  private constructor (readonly Model: ModelClass) {}

  /** Those that a model of an application keeps (`Note.Change.Checkpoint = …`): it is attached by then. */
  static over (Model: ModelClass): Checkpoints {
    const all = Model.registry.slot(kKept, () => new WeakMap<ModelClass, Checkpoints>())
    const known = all.get(Model)
    if (known !== undefined) return known
    const made = new Checkpoints(Model)
    all.set(Model, made)
    return made
  }

  /** That of a data source, which all its tracked models share. */
  static of (dataSource: DataSource): Checkpoints {
    const all = dataSource.registry.slot(kCheckpoints, () => new Map<DataSource, Checkpoints>())
    const known = all.get(dataSource)
    if (known !== undefined) return known
    const made = Checkpoints.over(modelIn(dataSource))
    all.set(dataSource, made)
    return made
  }

  /** The row that has the number, made where there is none. */
  row (): MaybePromise<Row> {
    return this.#row(storeOptions(this.Model.compiled, {}))
  }

  /** The number of now. */
  current (): MaybePromise<number> {
    return chain(this.row(), ({ seq }) => Number(seq))
  }

  /**
   * The number for a write, which it keeps from going up until its transaction ends. One operation, which hands on its
   * options as they are, asks the store once. (Not one transaction: a savepoint that is taken back gives up its locks.)
   */
  held (options: StoreOptions): MaybePromise<number> {
    const known = this.#held.get(options)
    if (known !== undefined) return known
    return chain(this.#row(options, 'shared'), ({ seq }) => {
      const isKept = this.Model.compiled.connector.holdsLocks === true && options.transaction !== undefined
      if (isKept) this.#held.set(options, Number(seq))
      return Number(seq)
    })
  }

  /** Where the number stands. */
  get value (): StoredValue {
    return { model: this.Model.compiled, id: only, property: 'seq' }
  }

  /** Raises the number by one, once nobody writes under the present one. */
  raise (): MaybePromise<Checkpoint> {
    const { compiled } = this.Model
    // Made first, where there is none: nothing could be locked.
    return chain(this.row(), row => compiled.connector.holdsLocks === true
      ? storedAsOne(compiled, {}, within => chain(this.#row(within, true), row => this.#raiseFrom(row, within)))
      : this.#raiseFrom(row, storeOptions(compiled, {})))
  }

  #raiseFrom (row: Row, within: StoreOptions): MaybePromise<Checkpoint> {
    const { compiled } = this.Model
    const seq = Number(row.seq)
    const where = parseWhere(compiled, { id: only, seq }, compiled.parsing.internal)
    return chain(compiled.connector.updateAll(compiled, where, { seq: seq + 1 }, within), count =>
      // Where the store knows no locks, somebody else may have been first.
      count === 0 ? this.raise() : { seq: seq + 1, time: row.time as Date, id: only })
  }

  #row (options: StoreOptions, lock: StoreOptions['lock'] = false): MaybePromise<Row> {
    const { compiled } = this.Model
    const { connector } = compiled
    const reading = { ...options, lock, mayBeMissing: true }
    return chain(connector.findById(compiled, only, compiled.selectAll, reading), found => {
      if (found !== undefined) return found
      const query = parseFilter(compiled, { where: { id: only }, limit: 1 }, compiled.parsing.internal)
      const first = { id: only, seq: 1, time: new Date() }
      // Somebody else may have made it in this moment: then nobody keeps it for this one yet.
      return chain(connector.findOrCreate(compiled, query, first, options), ({ row, created }) =>
        created || lock === false ? row : this.#row(options, lock))
    })
  }
}

/** The model of a data source's own. */
function modelIn (dataSource: DataSource): ModelClass {
  const { registry } = dataSource
  const Model = registry.defineModel({
    name: 'checkpoint', base: 'PersistedModel', strict: true, properties: checkpointProperties
  }, { unlisted: true }) as unknown as ModelClass
  addCheckpointStatics(Model, Checkpoints.over)
  return registry.attach(Model, dataSource as never, { public: false })
}
