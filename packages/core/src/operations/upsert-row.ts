/**
 * The second half of an upsert: the stored row is known, or known not to be there. Hooks are told what LoopBack tells
 * them: not which of the two it is.
 */
import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { Id, StoreOptions } from '../data-source/connector.js'
import { isOneStep } from '../data-source/named-upserts.js'
import { noInstance, type FoundViolation } from '../errors.js'
import { propertyOf } from '../violation.js'
import { NEW_ROW } from '../hooks.js'
import { chain, isPromise, type MaybePromise } from '../maybe-promise.js'
import { assignRow, instantiate, isInstance } from '../instances/instance.js'
import type { ModelInstance } from '../instances/model-instance.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import type { Row } from '../properties/types.js'
import type { Query } from '../query/ast.js'
import { rowId, setRowId } from '../query/id.js'
import { unlessShortCircuited } from './short-circuit.js'
import { savedListeners, withHooks } from './with-hooks.js'
import { knownOf, loadedRow, type Operation } from './context.js'
import { writeOptions } from './freshness.js'
import { expecting } from './if-version.js'
import { writeAsJudged } from './looked-at.js'
import { demandOf, mustPassCheck, replaceStored, updateRow, withPreset } from './ruled-writes.js'
import { makeDraft } from './create.js'
import { afterHooks } from './settled.js'
import { withUniquenessLock } from './write-locks.js'
import { assertSameId, withoutId } from './patch.js'
import { coerceChanges, coerceInto, mustBeValid, storing } from './validate.js'

export interface Upsert {
  /** The condition, as hooks see it. */
  readonly where: Record<string, unknown>
  /** What is stored; undefined: the row is to be created. */
  readonly row: Row | undefined
  readonly data: Readonly<Row>
  /** Whether values that `data` does not have are lost. */
  readonly replaces: boolean
  /**
   * Whether what is given is validated as if it were the whole row: `upsertWithWhere` (behaviour.md, section 1), and
   * `updateOrCreate` of models whose `validateUpsert` is true. Else the rules of what changes are asked, of the row as
   * it will be.
   */
  readonly validatesWhole?: boolean
  /** The options that say whether it is validated. */
  readonly validating: OperationOptions
  /** The version that the row must have; there must be one then. */
  readonly expected?: number | undefined
  /** Which row it would have been: a new one is stored only where there still is none. */
  readonly unless?: Query
}

/** Somebody else has stored the row that was to be created. */
export class FoundMeanwhile extends Error {}

interface Draft {
  readonly instance: ModelInstance
  /** What goes to the store. */
  values: Row
  readonly violations: FoundViolation[]
  /** Properties that validation looks at; undefined: all. */
  readonly only?: ReadonlySet<string>
}

/**
 * @throws ValidationError 422; RequestError 400 for another id in `data`, 409 DUPLICATE_ID when somebody else has
 * created the row meanwhile; FoundMeanwhile for that where `unless` tells
 */
export function upsertRow (operation: Operation, upsert: Upsert): MaybePromise<ModelInstance> {
  if (upsert.row !== undefined) return writeUpsert(operation, upsert)
  return chain(withPreset(operation.model, upsert.data, operation.options), data =>
    writeUpsert(operation, data === upsert.data ? upsert : { ...upsert, data }))
}

function writeUpsert (operation: Operation, upsert: Upsert): MaybePromise<ModelInstance> {
  const { model, options } = operation
  const { where, row, replaces, validating } = upsert
  const isNew = row === undefined
  let draft = makeUpsertDraft(model, upsert, upsert.data)
  return unlessShortCircuited(model, () => chain(beforeSave(), () =>
    withUniquenessLock(model, [draft.instance], validating, checked, draft.only)))

  function checked (): MaybePromise<ModelInstance> {
    const { instance, violations, only } = draft
    return chain(mustBeValid(model, instance, violations, afterHooks(operation, validating), only), () =>
      chain(persist(), () => withHooks(model, options, savedListeners(model), stored)))
  }

  function stored (): MaybePromise<ModelInstance> {
    return chain(storing(model, draft.instance as Row, write), concluded)
  }

  function concluded (written: Row): MaybePromise<ModelInstance> {
    return chain(loadedRow(operation, written, isNew, true), loaded => {
      const instance = instantiate(model, knownOf(model, loaded))
      const saved = operation.notify(model.hooks['after save'], { instance, isNewInstance: isNew })
      return isPromise(saved) ? saved.then(() => instance) : instance
    })
  }

  function beforeSave (): MaybePromise<unknown> {
    const observers = model.hooks['before save']
    if (observers === undefined) return
    const parts = replaces ? { instance: draft.instance } : { where, data: coerceChanges(model, upsert.data, []) }
    return chain(operation.notify(observers, { ...parts, [NEW_ROW]: isNew }), context => {
      draft = makeUpsertDraft(model, upsert, replaces ? draft.instance : context?.data ?? upsert.data)
    })
  }

  function persist (): MaybePromise<unknown> {
    const observers = model.hooks.persist
    if (observers === undefined) return
    return chain(
      operation.notify(observers, { data: draft.values, where, currentInstance: draft.instance }),
      context => {
        draft.values = context?.data ?? draft.values
      }
    )
  }

  function create (store: StoreOptions): MaybePromise<Row> {
    const { connector } = model.Model.state.dataSource ?? {}
    if (upsert.unless === undefined || !isOneStep(connector, 'findOrCreate')) {
      return model.connector.create(model, draft.values, store)
    }
    return chain(model.connector.findOrCreate(model, upsert.unless, draft.values, store), ({ row, created }) => {
      if (!created) throw new FoundMeanwhile()
      return row
    })
  }

  function write (): MaybePromise<Row> {
    if (row === undefined) {
      const store = expecting(writeOptions(model, options), upsert.expected)
      if (upsert.expected !== undefined) throw noInstance(rowId(model, upsert.data))
      return chain(mustPassCheck(model, 'create', [draft.values], options), () => create(store))
    }
    const id = rowId(model, row) as Id
    const values = replaces ? draft.values : withoutId(model, draft.values)
    const change = (): MaybePromise<Row | undefined> =>
      chain(demandOf(operation, 'update', values, replaces), demand => {
        const store = expecting(writeOptions(model, options), upsert.expected)
        return replaces
          ? replaceStored(model, id, values, demand, options, store)
          : updateRow(model, id, values, demand, options, store)
      })
    return chain(writeAsJudged(model, id, values, options, change), stored => {
      if (stored === undefined) throw noInstance(id)
      return stored
    })
  }
}

function makeUpsertDraft (
  model: CompiledModel, { row, replaces, validatesWhole }: Upsert, data: Readonly<Row>
): Draft {
  if (row === undefined) {
    const { instance, row: values, violations } = makeDraft(model, replaces ? data : withNulls(model, data))
    return { instance, values, violations }
  }
  const id = rowId(model, row) as Id
  const violations: FoundViolation[] = []
  const values = replaces ? coerceInto(model, data, violations) : coerceChanges(model, data, violations)
  assertSameId(model, id, values)
  if (!replaces && validatesWhole === true) {
    const instance = instantiate(model, { ...values })
    setRowId(model, instance, id)
    return { instance, values, violations }
  }
  if (!replaces) {
    const only = new Set([...Object.keys(values), ...violations.map(propertyOf)])
    return { instance: assignRow(instantiate(model, { ...row }), values, model), values, violations, only }
  }
  setRowId(model, values, id)
  model.applyDefaults(values)
  return {
    instance: isInstance(data) ? assignRow(data, values, model) : instantiate(model, values),
    values,
    violations
  }
}

/**
 * A row that an upsert makes has null, and not its defaults, where the model persists undefined as null: LoopBack takes
 * it for an update until the store says otherwise.
 */
function withNulls (model: CompiledModel, data: Readonly<Row>): Readonly<Row> {
  if (model.settings.persistUndefinedAsNull !== true) return data
  const lacking = model.properties.filter(({ name, idPosition }) => idPosition === 0 && data[name] === undefined)
  const nulls = Object.fromEntries(lacking.map(({ name }) => [name, null]))
  return isInstance(data) ? Object.assign(data, nulls) : { ...nulls, ...data as Row }
}
