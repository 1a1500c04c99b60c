/**
 * Stands between a tracked model's operations and its store: whatever writes a row writes its change as well, as one
 * (SYD-1). Writes of many rows are told row by row.
 */
import type {
  Condition, Connector, Id, MaybePromise, ModelClass, Query, Row, Selection, StoredModel, StoreOptions
} from '@fastback/core'
import { bothConditions, chain, eachInSequence, isPromise, parseFilter, parseWhere } from '@fastback/core/connector'
import { storedAsOne, textReads, withFunctions, writesOf, type StoreWrites } from '@fastback/core/remote'
import { ChangeLog } from './change-log.js'
import { expectation, RevisionMismatch } from './expected-revision.js'
import { writeDown } from './note-batch.js'
import { revisionOf } from './revision.js'

/** Ids that one condition names. */
const batch = 512

/** The store of a tracked model. Models that extend it and are not tracked keep their store as it is. */
export function trackingLayer (connector: Connector, Model: ModelClass): Connector {
  const log = ChangeLog.find(Model)
  if (log === undefined) return connector
  const layer = new Tracking(connector, log)
  const { text } = connector
  return withFunctions(connector, {
    ...writesOf(layer),
    ...(text === undefined
      ? {}
      : {
          text: {
            ...textReads(text),
            updateById: (model, id, changes, select: Selection, options) =>
              chain(layer.updateById(model, id, changes, options), row =>
                row === undefined ? undefined : text.findById(model, id, select, options))
          }
        })
  })
}

class Tracking implements StoreWrites {
  readonly #isWhole: boolean

  constructor (readonly store: Connector, readonly log: ChangeLog) {
    this.#isWhole = store.transactions !== undefined
  }

  readonly create = (model: StoredModel, row: Row, options: StoreOptions): MaybePromise<Row> =>
    chain(this.#createAtOnce(row, options), stored => stored ?? this.#createInSteps(model, row, options))

  /** Undefined where it cannot be: perhaps there is a change already, of a row that was removed. */
  #createAtOnce (row: Row, options: StoreOptions): MaybePromise<Row | undefined> {
    const failed = (error: unknown): undefined => {
      // Nobody knows whether it was stored.
      if ((error as { statusCode?: unknown }).statusCode === 503) throw error
    }
    try {
      const stored = this.log.create(this.store, row, options)
      return isPromise(stored) ? stored.catch(failed) : stored
    } catch (error) { return failed(error) }
  }

  readonly #createInSteps = (model: StoredModel, row: Row, options: StoreOptions): MaybePromise<Row> =>
    this.#asOne(options, within =>
      chain(this.store.create(model, row, within), stored =>
        this.#told([stored], within, () => this.#drop(model, [stored], within), () => stored)))

  readonly createMany = (model: StoredModel, rows: readonly Row[], options: StoreOptions): MaybePromise<Row[]> =>
    this.#asOne(options, within =>
      chain(this.store.createMany(model, rows, within), stored =>
        this.#told(stored, within, () => this.#drop(model, stored, within), () => stored)))

  readonly updateById = (
    model: StoredModel, id: Id, changes: Row, options: StoreOptions
  ): MaybePromise<Row | undefined> =>
    this.#asOne(options, within => chain(this.#before(model, id, within), before =>
      chain(this.store.updateById(model, id, changes, within), stored => this.#changed(model, before, stored, within))))

  readonly replaceById = (
    model: StoredModel, id: Id, row: Row, options: StoreOptions
  ): MaybePromise<Row | undefined> =>
    this.#asOne(options, within => chain(this.#before(model, id, within), before =>
      chain(this.store.replaceById(model, id, row, within), stored => this.#changed(model, before, stored, within))))

  readonly findOrCreate = (
    model: StoredModel, query: Query, row: Row, options: StoreOptions
  ): MaybePromise<{ row: Row, created: boolean }> =>
    this.#asOne(options, within =>
      chain(this.store.findOrCreate(model, query, row, within), result => result.created
        ? this.#told([result.row], within, () => this.#drop(model, [result.row], within), () => result)
        : result))

  readonly updateAll = (
    model: StoredModel, where: Condition | undefined, changes: Row, options: StoreOptions
  ): MaybePromise<number> =>
    this.#eachPart(model, where, options, (part, these, within) => {
      const updated = chain(this.#mustAllBeExpected(model, part, within), () =>
        this.store.updateAll(model, bothConditions(where, these), changes, within))
      return chain(updated, count => {
        const undo = (): MaybePromise<void> => eachInSequence(part, row => this.#putBack(model, row, within))
        return chain(this.#rows(model, these, within), now => this.#told(now, within, undo, () => count))
      })
    })

  readonly deleteAll = (
    model: StoredModel, where: Condition | undefined, options: StoreOptions
  ): MaybePromise<number> => options.deleted !== undefined
    // Rows that are put away are gone already: that they are removed for good is no further change.
    ? this.store.deleteAll(model, where, options)
    : this.#eachPart(model, where, options, (part, these, within) => {
      for (const row of part) this.#mustBeExpected(this.log.idOf(row), row)
      return chain(this.store.deleteAll(model, bothConditions(where, these), within), count => {
        const left = count === part.length ? [] : this.#rows(model, these, within)
        return chain(left, rows => this.#gone(model, part, rows, count, within))
      })
    })

  /** @param left those that are still there */
  #gone (
    model: StoredModel, part: readonly Row[], left: readonly Row[], count: number, within: StoreOptions
  ): MaybePromise<number> {
    const kept = new Set(left.map(row => String(this.log.idOf(row))))
    const gone = part.filter(row => !kept.has(String(this.log.idOf(row))))
    const told = this.#orUndo(
      () => writeDown(this.log, gone, 'removed', within),
      () => eachInSequence(gone, row => this.store.create(model, row, within))
    )
    return chain(told, () => count)
  }

  /** Does something to all rows that match, some hundred at a time, as one; the number of rows that it was done to. */
  #eachPart (
    model: StoredModel, where: Condition | undefined, options: StoreOptions,
    work: (part: readonly Row[], these: Condition | undefined, within: StoreOptions) => MaybePromise<number>
  ): MaybePromise<number> {
    return this.#asOne(options, within => chain(this.#rows(model, where, within), rows => {
      const parts = Array.from(
        { length: Math.ceil(rows.length / batch) }, (_, i) => rows.slice(i * batch, (i + 1) * batch)
      )
      let done = 0
      const each = (part: readonly Row[]): MaybePromise<void> =>
        chain(work(part, this.#among(part), within), count => { done += count })
      return chain(eachInSequence(parts, each), () => done)
    }))
  }

  /** The number of the checkpoint is taken first: who waits for it holds no row that others wait for. */
  #asOne<T> (options: StoreOptions, work: (within: StoreOptions) => MaybePromise<T>): MaybePromise<T> {
    return storedAsOne(this.log.Model.compiled, options, within =>
      this.#isWhole ? chain(this.log.checkpoints.held(within), () => work(within)) : work(within),
    { brittle: !this.log.isCustom })
  }

  /** The row as it was, where it has to be known: somebody expects a revision, or nothing else could be taken back. */
  #before (model: StoredModel, id: Id, within: StoreOptions): MaybePromise<Row | undefined> {
    if (this.#isWhole && expectation() === undefined) return undefined
    const { selectAll } = this.log.Model.compiled
    return chain(
      this.store.findById(model, id, selectAll, { ...within, lock: true, mayBeMissing: true }),
      row => {
        this.#mustBeExpected(id, row)
        return row
      }
    )
  }

  /** @throws RevisionMismatch where the row is not as the writer expects it */
  #mustBeExpected (id: unknown, row: Row | undefined): void {
    const wanted = expectation()
    if (wanted === undefined || wanted.Model.modelName !== this.log.Model.modelName) return
    if (String(wanted.id) !== String(id)) return
    if ((row === undefined ? null : revisionOf(this.log.Model, row)) !== wanted.rev) throw new RevisionMismatch()
  }

  /** The same for the rows that an update of many is about: rules may narrow that of one row to a condition. */
  #mustAllBeExpected (model: StoredModel, rows: readonly Row[], within: StoreOptions): MaybePromise<void> {
    const wanted = expectation()
    if (wanted === undefined) return
    const expected = rows.filter(row => String(this.log.idOf(row)) === String(wanted.id))
    return eachInSequence(expected, row => chain(this.#before(model, this.log.idOf(row), within), () => {}))
  }

  #changed (
    model: StoredModel, before: Row | undefined, stored: Row | undefined, within: StoreOptions
  ): MaybePromise<Row | undefined> {
    if (stored === undefined) return undefined
    const undo = (): MaybePromise<unknown> => before === undefined ? undefined : this.#putBack(model, before, within)
    return this.#told([stored], within, undo, () => stored)
  }

  #told<T> (
    rows: readonly Row[], within: StoreOptions, undo: () => MaybePromise<unknown>, result: () => T
  ): MaybePromise<T> {
    return chain(this.#orUndo(() => writeDown(this.log, rows, 'wrote', within), undo), result)
  }

  /** A change that cannot be written fails the write. A transaction is rolled back by anyone who opened it. */
  #orUndo (work: () => MaybePromise<void>, undo: () => MaybePromise<unknown>): MaybePromise<void> {
    const failed = (error: unknown): MaybePromise<never> => {
      const { Model } = this.log
      ;(Model.handleChangeError as ((error: unknown, operation: string) => void) | undefined)?.(error, 'write')
      return chain(this.#isWhole ? undefined : undo(), () => { throw error })
    }
    try {
      const done = work()
      return isPromise(done) ? done.catch(failed) : done
    } catch (error) { return failed(error) }
  }

  #putBack (model: StoredModel, row: Row, within: StoreOptions): MaybePromise<unknown> {
    return this.store.replaceById(model, this.log.idOf(row), row, within)
  }

  #drop (model: StoredModel, rows: readonly Row[], within: StoreOptions): MaybePromise<unknown> {
    return this.store.deleteAll(model, this.#among(rows), within)
  }

  #among (rows: readonly Row[]): Condition | undefined {
    const { compiled } = this.log.Model
    const ids = rows.map(row => this.log.idOf(row))
    return parseWhere(compiled, { [compiled.id?.name ?? 'id']: { inq: ids } }, compiled.parsing.internal)
  }

  #rows (model: StoredModel, where: Condition | undefined, within: StoreOptions): MaybePromise<Row[]> {
    const { compiled } = this.log.Model
    const query = parseFilter(compiled, {}, compiled.parsing.internal)
    return this.store.find(model, { ...query, where, select: compiled.selectAll }, within)
  }
}
