/**
 * Writes under the rules of a caller (`interfaces/row-rules.ts`): which rows may be written is said to the store with
 * the write itself, and so is what they must be afterwards, as far as the write leaves that open. Nothing can come
 * between the look at a row and its change.
 */
import type { Id, StoreOptions } from '../data-source/connector.js'
import { RequestError } from '../errors.js'
import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import type { RowAction, RowRule } from '../interfaces/row-rules.js'
import { isInstance } from '../instances/instance.js'
import { chain, eachInSequence, type MaybePromise } from '../maybe-promise.js'
import type { Row } from '../properties/types.js'
import type { Condition } from '../query/ast.js'
import { idCondition } from '../query/id.js'
import { bothConditions } from '../query/merge.js'
import { always } from '../query/parse-value.js'
import { resolved, resolving } from './access-condition.js'
import { Operation, storeOptions } from './context.js'
import { conflictOf, expecting, orConflict, withVersionIn } from './if-version.js'
import { linkedRows, settledLinks, type Resolving } from './related-conditions.js'
import { narrowsRows, ruleOf, withoutRules } from './row-rules.js'
import { settleKnown, type KnownRow } from './settle-known.js'
import { withRowLock } from './write-locks.js'

/**
 * Data of a new row with the values that the caller's rules set, whatever the caller says.
 *
 * ```js
 * await withPreset(Note.compiled, { text: 'a', ownerId: 8 }, options) // { text: 'a', ownerId: 7 }
 * ```
 */
export function withPreset<T extends Readonly<Row>> (
  model: CompiledModel, data: T, options: OperationOptions
): MaybePromise<T> {
  return chain(ruleOf(model, 'create', options), rule => rule === undefined ? data : preset(data, rule))
}

/** The same with a rule at hand. */
export const preset = <T extends Readonly<Row>> (data: T, { preset: values }: RowRule): T =>
  values === undefined
    ? data
    : isInstance(data) ? Object.assign(data, values) : { ...data as Readonly<Row>, ...values } as T

/**
 * Refuses rows that are about to be stored as a whole and are not what the rules leave to the caller.
 *
 * ```js
 * await mustPassCheck(Note.compiled, 'create', [{ text: 'a', ownerId: 8 }], options)
 * ```
 * @param rows as they will be stored
 * @throws RequestError 403 ROW_CHECK_FAILED
 */
export function mustPassCheck (
  model: CompiledModel, action: RowAction, rows: ReadonlyArray<Readonly<Row>>, options: OperationOptions
): MaybePromise<void> {
  return chain(ruleOf(model, action, options), rule => {
    if (rule?.check === undefined) return
    const { check } = rule
    return eachInSequence(rows, row => chain(leftOf(model, check, { row, isWhole: true }, options), ({ left }) => {
      if (left !== always) throw checkFailed(model)
    }))
  })
}

/** What a write by id demands of the row as it is stored. */
export interface WriteDemand {
  /** The rows that the action is allowed for. */
  readonly rows: Condition | undefined
  /** These, as far as they will pass the check. */
  readonly only: Condition | undefined
}

/**
 * What a write of one row demands; undefined where no rule says anything.
 * @param known what the row will have afterwards, as far as the write says
 * @param isWhole whether `known` is all of it
 */
export function demandOf (
  operation: Operation, action: RowAction, known: Readonly<Row>, isWhole: boolean
): MaybePromise<WriteDemand | undefined> {
  const { model, options } = operation
  if (!narrowsRows(model, options)) return undefined
  return chain(ruleOf(model, action, options), rule => rule === undefined ? undefined : demand(rule))

  function demand (rule: RowRule): MaybePromise<WriteDemand> {
    return chain(resolved(operation, undefined, action, { isWrite: true }), rows =>
      chain(afterwards(model, rule, rows, { row: known, isWhole }, options), left =>
        ({ rows, only: left === rows ? rows : bothConditions(rows, left) })))
  }
}

/** All that a row will have: what is not said of a declared property is said to be nothing. */
const complete = (model: CompiledModel, row: Readonly<Row>): Readonly<Row> =>
  ({ ...Object.fromEntries(model.properties.map(({ name }) => [name, undefined])), ...row })

const withoutKey = ({ key }: CompiledModel, row: Readonly<Row>): Row =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !key.some(part => part.name === name)))

/** What must be so in the stored rows for the check to hold after the write. */
function afterwards (
  model: CompiledModel, { rows: allowed, check }: RowRule, rows: Condition | undefined, known: KnownRow,
  options: OperationOptions
): MaybePromise<Condition | undefined> {
  if (check === undefined) return undefined
  return chain(leftOf(model, check, known, options), ({ tree, left }) => {
    // What says nothing new is not asked twice.
    if (left === tree && check === allowed) return rows
    return settledLinks(model, left, { ...asRules(options), isWrite: true })
  })
}

/** A check with its relations as links, and what is left of it once a row is known. */
const leftOf = (
  model: CompiledModel, check: Condition, known: KnownRow, options: OperationOptions
): MaybePromise<{ readonly tree: Condition, readonly left: Condition }> => {
  const asking = asRules(options)
  return chain(linkedRows(model, check, asking) as MaybePromise<Condition>, tree =>
    chain(settleKnown(tree, known, asking), left => ({ tree, left })))
}

const asRules = (options: OperationOptions): Resolving => resolving({ options: withoutRules(options) })

/**
 * Changes a row by its id, if it is what is demanded; undefined where there is none, or none that the caller may write.
 * @throws RequestError 403 ROW_CHECK_FAILED where the row would not be left to the caller
 */
export function updateRow (
  model: CompiledModel, id: Id, changes: Row, demand: WriteDemand | undefined, options: OperationOptions,
  store: StoreOptions
): MaybePromise<Row | undefined> {
  const { connector } = model
  if (demand?.only === undefined) {
    return orConflict(model, id, store, connector.updateById(model, id, changes, store))
  }
  const where = withVersionIn(model, bothConditions(idCondition(model, id), demand.only), store.ifVersion)
  // A file is of one row: no statement about those that match can store it.
  if (model.files.some(name => name in changes)) {
    return writeLocked(model, id, { where, demand, ifVersion: store.ifVersion }, options, locked =>
      connector.updateById(model, id, changes, locked))
  }
  return chain(changeWhere(model, where, id, changes, store), found => found ?? refused(model, id, demand, store))
}

/** Writes a row that passes a condition, while nobody else can change it between the look at it and the write. */
function writeLocked (
  model: CompiledModel, id: Id,
  { where, demand, ifVersion }: { where: Condition | undefined, demand: WriteDemand, ifVersion: number | undefined },
  options: OperationOptions, write: (locked: StoreOptions) => MaybePromise<Row | undefined>
): MaybePromise<Row | undefined> {
  const { connector } = model
  const passes = (store: StoreOptions): MaybePromise<boolean> =>
    chain(connector.count(model, where, store), count => count > 0)
  const store = expecting(storeOptions(model, options), ifVersion)
  return chain(passes(store), isSo => isSo
    ? withRowLock(model, id, options, () => {
      const locked = expecting(storeOptions(model, options), ifVersion)
      return chain(passes(locked), still => still ? write(locked) : refused(model, id, demand, locked))
    })
    : refused(model, id, demand, store))
}

function changeWhere (
  model: CompiledModel, where: Condition | undefined, id: Id, changes: Row, options: StoreOptions
): MaybePromise<Row | undefined> {
  const { connector } = model
  const count = Object.keys(changes).length === 0
    ? connector.count(model, where, options)
    : connector.updateAll(model, where, changes, options)
  return chain(count, written => written === 0
    ? undefined
    : connector.findById(model, id, model.selectAll, options))
}

/** The same for a replacement. */
export function replaceStored (
  model: CompiledModel, id: Id, row: Row, demand: WriteDemand | undefined, options: OperationOptions,
  store: StoreOptions
): MaybePromise<Row | undefined> {
  const { connector } = model
  if (demand?.only === undefined) {
    return orConflict(model, id, store, connector.replaceById(model, id, row, store))
  }
  const where = withVersionIn(model, bothConditions(idCondition(model, id), demand.only), store.ifVersion)
  // A row that has nothing but declared properties is replaced by setting all of them, in one statement.
  if (!model.open && model.files.length === 0) {
    const all = withoutKey(model, complete(model, row))
    return chain(changeWhere(model, where, id, all, store), found => found ?? refused(model, id, demand, store))
  }
  return writeLocked(model, id, { where, demand, ifVersion: store.ifVersion }, options, locked =>
    connector.replaceById(model, id, row, locked))
}

/** Why nothing was written: the row is not one of the caller's, it has another version, or would not be afterwards. */
function refused (
  model: CompiledModel, id: Id, demand: WriteDemand, options: StoreOptions
): MaybePromise<undefined> {
  const { ifVersion, ...plain } = options
  if (ifVersion === undefined) return uncheckedOf(model, id, demand, options)
  const as = withVersionIn(model, bothConditions(idCondition(model, id), demand.rows), ifVersion)
  return chain(model.connector.count(model, as, plain), count => count > 0
    ? uncheckedOf(model, id, demand, plain)
    : conflictOf(model, id, demand.rows, plain))
}

function uncheckedOf (
  model: CompiledModel, id: Id, { rows, only }: WriteDemand, options: StoreOptions
): MaybePromise<undefined> {
  if (rows === only) return undefined
  return chain(model.connector.count(model, bothConditions(idCondition(model, id), rows), options), count => {
    if (count > 0) throw checkFailed(model)
    return undefined
  })
}

/**
 * The condition of an update of many rows, with what must be so for the check to hold afterwards.
 * @param where with the rows that the caller may update
 * @throws RequestError 403 ROW_CHECK_FAILED where one of the rows would not be left to the caller
 */
export function checkedWhere (
  operation: Operation, where: Condition | undefined, changes: Readonly<Row>
): MaybePromise<Condition | undefined> {
  const { model, options } = operation
  return chain(demandOf(operation, 'update', changes, false), demand => {
    if (demand === undefined || demand.only === demand.rows) return where
    const both = bothConditions(where, demand.only)
    const failing = bothConditions(where, { kind: 'nor', conditions: [demand.only ?? always] })
    return chain(model.connector.count(model, failing, storeOptions(model, options)), count => {
      if (count > 0) throw checkFailed(model)
      return both
    })
  })
}

const checkFailed = ({ name }: CompiledModel): RequestError => new RequestError(
  403, `The rules of ${name} do not allow a row with these values.`, { code: 'ROW_CHECK_FAILED' }
)
