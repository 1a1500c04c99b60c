/**
 * Rows of models with compound ids, by their whole key. To a store, such a model has no id: what asks it for one row
 * becomes a condition on every part, so that no store can take the first part for the row.
 */
import type { Connector, Id, StoreOptions } from '../data-source/connector.js'
import type { StoredModel } from '../definition/stored-model.js'
import { chain, type MaybePromise } from '../maybe-promise.js'
import type { Row } from '../properties/types.js'
import type { Condition, Selection } from '../query/ast.js'
import { compoundCondition, partsOf } from '../query/compound-id.js'
import { withVersionIn } from './if-version.js'
import { withFunctions } from './store-layer.js'

/** Stands between the operations of a model with a compound id and its store. */
export function withCompoundKeys (connector: Connector): Connector {
  const wholes = new WeakMap<StoredModel, Selection>()
  // The same object for a model, as connectors keep what they prepare by it.
  const wholeOf = (model: StoredModel): Selection => {
    const whole = wholes.get(model) ??
      { names: model.properties.map(({ name }) => name), extra: model.open ? 'all' : 'none' }
    wholes.set(model, whole)
    return whole
  }
  const first = (
    model: StoredModel, id: Id, select: Selection, options: StoreOptions
  ): MaybePromise<Row | undefined> =>
    chain(
      connector.find(
        model,
        { where: compoundCondition(model, id), order: [], limit: 1, skip: 0, select, include: [] },
        options
      ),
      ([row]) => row
    )
  const change = (
    model: StoredModel, id: Id, changes: Row, options: StoreOptions
  ): MaybePromise<Row | undefined> =>
    chain(connector.updateAll(model, seen(model, id, options), changes, options), count =>
      count === 0 ? undefined : first(model, id, wholeOf(model), options))

  return withFunctions(connector, {
    findById: (model, id, select, options) => {
      if (options.lock === undefined || options.lock === false) return first(model, id, select, options)
      // A read that others cannot come between: a write of what is there already holds the row.
      const same = partsOf(model, id)
      return same === undefined
        ? undefined
        : chain(connector.updateAll(model, compoundCondition(model, id), same, options), () =>
          first(model, id, select, options))
    },
    updateById: (model, id, changes, options) =>
      Object.keys(changes).length === 0 && model.version === undefined
        ? first(model, id, wholeOf(model), options)
        : change(model, id, changes, options),
    replaceById: (model, id, row, options) =>
      chain(first(model, id, wholeOf(model), options), stored =>
        stored === undefined ? undefined : change(model, id, replacing(model, stored, row), options))
  })
}

/** The condition of a write of the row: its key, and the version that it must have. */
const seen = (model: StoredModel, id: Id, { ifVersion }: StoreOptions): Condition =>
  withVersionIn(model, compoundCondition(model, id), ifVersion) as Condition

/** What makes `row` of `stored`: everything that `row` does not have is taken away, and the key stays. */
function replacing (model: StoredModel, stored: Row, row: Row): Row {
  const changes: Row = {}
  for (const name of [...model.properties.map(({ name }) => name), ...Object.keys(stored)]) changes[name] = undefined
  Object.assign(changes, row)
  for (const { name } of model.key) delete changes[name]
  return changes
}
