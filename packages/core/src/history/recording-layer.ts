/**
 * Stands between a model whose writes are recorded (`history`, events) and what is before its store: whatever writes a
 * row tells its recorders what it was and what it is, in the same transaction where the store has them. Rows are read
 * once for all recorders.
 */
import type { Connector, Id, StoreOptions } from '../data-source/connector.js'
import { writesOf, type StoreWrites } from '../data-source/operation-kinds.js'
import type { TextSupport } from '../data-source/text-support.js'
import type { StoredModel } from '../definition/stored-model.js'
import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { ModelClass } from '../interfaces/model-class.js'
import { chain, eachInSequence, type MaybePromise } from '../maybe-promise.js'
import { textReads, withFunctions } from '../operations/store-layer.js'
import { storedAsOne } from '../operations/with-hooks.js'
import type { Row } from '../properties/types.js'
import type { Condition, Query } from '../query/ast.js'
import { rowId, shownId } from '../query/id.js'
import { bothConditions } from '../query/merge.js'
import { keyCondition } from '../query/narrow.js'
import { HistoryLog } from './history-log.js'
import { recordersAddedTo, type Entry, type RowRecorder } from './recorder.js'
import { historyIn } from './setting.js'

/** Rows that are recorded by one statement. */
const batch = 500

/** @param Model the model that is meant */
export function recordingLayer (store: Connector, Model: ModelClass): Connector {
  const history = historyIn(Model.compiled.definition.settings) === undefined ? undefined : HistoryLog.of(Model)
  const recorders = [...(history === undefined ? [] : [history]), ...recordersAddedTo(Model)]
  if (recorders.length === 0) return store
  const layer = new Recording(store, Model, recorders)
  const { text } = store
  return withFunctions(store, {
    ...writesOf(layer),
    ...(text === undefined ? {} : { text: recordedText(text, layer) })
  })
}

/** Reads are the store's own. */
const recordedText = (text: TextSupport, layer: Recording): TextSupport => ({
  ...textReads(text),
  updateById: (model, id, changes, select, options) =>
    chain(layer.updateById(model, id, changes, options), row => {
      const { compiled } = layer.Model
      if (row !== undefined && select === compiled.selectVisible) return compiled.stringify(row, false)
      const { ofThisTick: _, ...reading } = options
      return row === undefined ? undefined : text.findById(model, id, select, reading)
    })
})

class Recording implements StoreWrites {
  /** Those that are written together with the rows. */
  readonly #models: readonly CompiledModel[]
  readonly #locksRows: boolean

  constructor (
    readonly store: Connector, readonly Model: ModelClass, readonly recorders: readonly RowRecorder[]
  ) {
    this.#models = recorders.map(({ target }) => target)
    this.#locksRows = store.holdsLocks === true && recorders.some(({ locksRows }) => locksRows)
  }

  readonly create = (model: StoredModel, row: Row, options: StoreOptions): MaybePromise<Row> =>
    this.#asOne(options, within => chain(this.store.create(model, row, within), stored =>
      chain(this.#created([stored], [row], within), () => stored)))

  readonly createMany = (model: StoredModel, rows: readonly Row[], options: StoreOptions): MaybePromise<Row[]> =>
    this.#asOne(options, within => chain(this.store.createMany(model, rows, within), stored =>
      chain(this.#created(stored, rows, within), () => stored)))

  readonly findOrCreate = (
    model: StoredModel, query: Query, row: Row, options: StoreOptions
  ): MaybePromise<{ row: Row, created: boolean }> =>
    this.#asOne(options, within => chain(this.store.findOrCreate(model, query, row, within), found =>
      found.created ? chain(this.#created([found.row], [row], within), () => found) : found))

  readonly updateById = (
    model: StoredModel, id: Id, changes: Row, options: StoreOptions
  ): MaybePromise<Row | undefined> =>
    this.#one(model, id, options, within => this.store.updateById(model, id, changes, within))

  readonly replaceById = (
    model: StoredModel, id: Id, row: Row, options: StoreOptions
  ): MaybePromise<Row | undefined> =>
    this.#one(model, id, options, within => this.store.replaceById(model, id, row, within))

  readonly updateAll = (
    model: StoredModel, where: Condition | undefined, changes: Row, options: StoreOptions
  ): MaybePromise<number> =>
    this.#eachPart(model, where, options, (part, these, within) =>
      chain(this.store.updateAll(model, bothConditions(where, these), changes, within), count => {
        const told = chain(this.#rows(model, these, within), now => this.#changed(part, now, within))
        return chain(told, () => count)
      }))

  readonly deleteAll = (
    model: StoredModel, where: Condition | undefined, options: StoreOptions
  ): MaybePromise<number> => {
    // What is put away has its last version: that it is removed for good says nothing more of the row.
    if (options.deleted !== undefined) return this.store.deleteAll(model, where, options)
    return this.#eachPart(model, where, options, (part, these, within) =>
      chain(this.store.deleteAll(model, bothConditions(where, these), within), count => {
        const left = count === part.length ? [] : this.#rows(model, these, within)
        const told = chain(left, rows => this.#gone(part, rows, within))
        return chain(told, () => count)
      }))
  }

  #asOne<T> (options: StoreOptions, work: (within: StoreOptions) => MaybePromise<T>): MaybePromise<T> {
    const { store: { units }, Model: { compiled } } = this
    if (units === undefined || options.transaction !== undefined || options.ofThisTick !== true) {
      return storedAsOne(compiled, options, ({ ofThisTick: _, ...within }) => work(within))
    }
    return units.run([compiled, ...this.#models], thisTick, ({ transaction }) => {
      const within = copyOf(options, options.ifVersion)
      within.transaction = transaction
      within.ofThisTick = false
      return work(within) as T
    })
  }

  #one (
    model: StoredModel, id: Id, options: StoreOptions, write: (within: StoreOptions) => MaybePromise<Row | undefined>
  ): MaybePromise<Row | undefined> {
    return this.#asOne(options, within => {
      const reading = copyOf(within, undefined)
      const { selectStored } = this.Model.compiled
      const locked = copyOf(within, undefined)
      locked.lock = true
      locked.mayBeMissing = true
      return chain(this.store.findById(model, id, selectStored, locked), before => before === undefined
        ? write(within)
        : this.#written(before, write(within), reading))
    })
  }

  #written (
    before: Row, after: MaybePromise<Row | undefined>, within: StoreOptions
  ): MaybePromise<Row | undefined> {
    return chain(after, stored => {
      if (stored === undefined) return undefined
      const entry: Entry = { operation: 'update', id: this.#idOf(before), before, after: stored }
      return chain(this.#record([entry], within), () => stored)
    })
  }

  /** @param given as they were handed to the store: an id that it gave out itself has no versions yet */
  #created (rows: readonly Row[], given: readonly Row[], within: StoreOptions): MaybePromise<void> {
    const entries = rows.map((after, i): Entry => ({
      operation: 'create', id: this.#idOf(after), before: undefined, after,
      isFirst: this.#isGivenOut(given[i] as Row)
    }))
    return this.#inParts(entries, within)
  }

  #isGivenOut (row: Row): boolean {
    const { id } = this.Model.compiled
    return id?.generated === true && (row[id.name] === undefined || row[id.name] === null)
  }

  /** A row that the write did not change has no new version. */
  #changed (part: readonly Row[], now: readonly Row[], within: StoreOptions): MaybePromise<void> {
    const before = new Map(part.map(row => [this.#idOf(row), row]))
    const isRestore = within.deleted !== undefined
    const entries = now.flatMap((after): Entry[] => {
      const id = this.#idOf(after)
      const was = before.get(id)
      if (was === undefined) return []
      return isRestore
        ? [{ operation: 'restore', id, before: undefined, after }]
        : [{ operation: 'update', id, before: was, after, isMaybe: true }]
    })
    return this.#inParts(entries, within)
  }

  #gone (part: readonly Row[], left: readonly Row[], within: StoreOptions): MaybePromise<void> {
    const kept = new Set(left.map(row => this.#idOf(row)))
    const gone = part.filter(row => !kept.has(this.#idOf(row)))
    const entries = gone.map((before): Entry =>
      ({ operation: 'delete', id: this.#idOf(before), before, after: undefined, isMaybe: true }))
    return this.#inParts(entries, within)
  }

  #inParts (entries: readonly Entry[], within: StoreOptions): MaybePromise<void> {
    if (entries.length <= batch) return this.#record(entries, within)
    return eachInSequence(partsOf(entries), part => this.#record(part, within))
  }

  #record (entries: readonly Entry[], within: StoreOptions): MaybePromise<void> {
    const [only, ...others] = this.recorders
    if (only === undefined) return
    const done = only.write(entries, within)
    return others.length === 0 ? done : chain(done, () => eachInSequence(others, each => each.write(entries, within)))
  }

  #idOf (row: Readonly<Row>): string { return String(rowId(this.Model.compiled, row)) }

  /** Does something to all rows that match, some hundred at a time, as one; how many they were. */
  #eachPart (
    model: StoredModel, where: Condition | undefined, options: StoreOptions,
    work: (part: readonly Row[], these: Condition | undefined, within: StoreOptions) => MaybePromise<number>
  ): MaybePromise<number> {
    return this.#asOne(options, within => chain(this.#rows(model, where, within), rows => {
      let done = 0
      const each = (part: readonly Row[]): MaybePromise<void> => {
        const locked = this.#asLocked(model, part, within)
        const written = chain(locked, known => work(known, this.#among(part), within))
        return chain(written, count => { done += count })
      }
      return chain(eachInSequence(partsOf(rows), each), () => done)
    }))
  }

  /** The rows as the write will find them: somebody else may have changed them since they were read. */
  #asLocked (model: StoredModel, part: readonly Row[], within: StoreOptions): MaybePromise<readonly Row[]> {
    if (!this.#locksRows || within.transaction === undefined) return part
    const { compiled } = this.Model
    const locked: Row[] = []
    const options = { ...within, lock: true, mayBeMissing: true }
    const lock = (row: Row): MaybePromise<void> => {
      const read = this.store.findById(model, rowId(compiled, row) as Id, compiled.selectStored, options)
      return chain(read, now => { if (now !== undefined) locked.push(now) })
    }
    return chain(eachInSequence(part, lock), () => locked)
  }

  #among (rows: readonly Row[]): Condition | undefined {
    const { compiled } = this.Model
    const name = compiled.id?.name
    if (name !== undefined) return keyCondition(compiled, [{ [name]: { inq: rows.map(row => row[name]) } }])
    return {
      kind: 'or',
      conditions: rows.flatMap(row => keyCondition(compiled, [shownId(compiled, row) as Row]) ?? [])
    }
  }

  #rows (model: StoredModel, where: Condition | undefined, within: StoreOptions): MaybePromise<Row[]> {
    const { selectStored } = this.Model.compiled
    const query = { where, order: [], limit: undefined, skip: 0, select: selectStored, include: [] }
    return this.store.find(model, query, within)
  }
}

const thisTick = { ofThisTick: true } as const

type Copy = { -readonly [name in keyof StoreOptions]: StoreOptions[name] }

/** A copy that gains members is dear to V8, unless it has a place for each from the beginning. */
function copyOf (options: StoreOptions, ifVersion: number | undefined): Copy {
  const copy = {
    transaction: options.transaction,
    lock: options.lock,
    also: options.also,
    work: options.work,
    mayBeMissing: options.mayBeMissing,
    ifVersion,
    ending: options.ending,
    mayBeOld: options.mayBeOld,
    ofThisTick: options.ofThisTick,
    session: options.session,
    caller: options.caller,
    deleted: options.deleted,
    deletion: options.deletion,
    by: options.by
  } satisfies Record<keyof StoreOptions, unknown>
  return copy as Copy
}

function partsOf<T> (list: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(list.length / batch) }, (_, i) => list.slice(i * batch, (i + 1) * batch))
}
